// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/naive_sets.h"
#include "gpu_scenespace/gathering/nearest_sample.hpp"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/gathering/sample_set_reader.h>

#include <gtest/gtest.h>

namespace pcl::gpu::test {

namespace {

class SetsForFilters : public DeviceTest {};

/** \brief The result of NearestSample. */
struct NearestSamples {
  std::vector<float> depths;
  std::vector<int> colors, numbers;
};

void
apply(const device::SampleSetsView& sets, const NearestSample& filter)
{
#if PCL_GPU_HAVE_CUDA
  if (currentDevice().isCuda())
    return filterOnCuda(sets, filter, nullptr);
#endif
  device::forEachSampleSet(device::HostExecutor(), sets, filter);
}

NearestSamples
nearestSamples(const RandomRig& rig, const ImageRegion& region)
{
  const auto frames = rig.upload();
  SampleGathering gathering;
  change(gathering, [&](auto& p) { p.region = region; });
  SampleSets sets;
  gathering.gather(frames, rig.view, sets);
  SampleSetReader reader;
  const std::size_t pixels =
      std::size_t(rig.view.camera.width) * rig.view.camera.height;
  DeviceArray<float> depths;
  depths.upload(std::vector<float>(pixels, -1.0f));
  DeviceArray<int> colors(pixels), numbers(pixels);
  apply(reader.read(sets, frames, rig.view),
        {depths.ptr(), colors.ptr(), numbers.ptr(), rig.view.camera.width});
  NearestSamples result;
  depths.download(result.depths);
  colors.download(result.colors);
  numbers.download(result.numbers);
  return result;
}

/** \brief The depth that the output camera sees a sample at. */
double
depthOf(const RandomRig& rig, const SceneSample& sample)
{
  const RGBDFrame& frame = rig.frames[sample.frame];
  const PinholeCamera& camera = frame.color_camera;
  const Eigen::Vector3d point(
      sample.depth * (sample.column - double(camera.cx)) / camera.fx,
      sample.depth * (sample.row - double(camera.cy)) / camera.fy,
      sample.depth);
  return (rig.view.pose.cast<double>().inverse(Eigen::Affine) *
          (frame.color_pose.cast<double>() * point))
      .z();
}

void
expectNearest(const RandomRig& rig, const ImageRegion& region)
{
  const NearestSamples nearest = nearestSamples(rig, region);
  const auto sets = naiveSets(rig, {});
  for (std::size_t i = 0; i < sets.size(); ++i) {
    SCOPED_TRACE("pixel " + std::to_string(i));
    const int column = int(i) % rig.view.camera.width,
              row = int(i) / rig.view.camera.width;
    const bool is_inside =
        region.columns == 0 ||
        (column >= region.column && column < region.column + region.columns &&
         row >= region.row && row < region.row + region.rows);
    if (!is_inside) {
      ASSERT_EQ(nearest.depths[i], -1.0f);
      continue;
    }
    double least = 0.0;
    for (const SceneSample& sample : sets[i]) {
      const double depth = depthOf(rig, sample);
      least = least == 0.0 ? depth : std::min(least, depth);
    }
    ASSERT_NEAR(nearest.depths[i], least, 1e-5);
    bool is_found = sets[i].empty();
    for (const SceneSample& sample : sets[i])
      is_found =
          is_found ||
          (nearest.numbers[i] ==
               (sample.frame << 16 | sample.row << 8 | sample.column) &&
           nearest.colors[i] == (sample.red << 16 | sample.green << 8 | sample.blue) &&
           std::abs(depthOf(rig, sample) - least) < 1e-5);
    ASSERT_TRUE(is_found);
  }
}

TEST_P(SetsForFilters, HaveTheirSamplesPointsAndColors)
{
  for (unsigned int seed = 1; seed <= 3; ++seed)
    expectNearest(RandomRig(seed, {}), {});
}

TEST_P(SetsForFilters, MayBeThoseOfATile)
{
  expectNearest(RandomRig(4, {}), {21, 5, 33, 20});
}

TEST_P(SetsForFilters, WantSetsAndTheirFrames)
{
  const RandomRig rig(1, {});
  SampleSetReader reader;
  SampleSets sets;
  expectBadArgument("number of frames", [&] { reader.read(sets, {}, rig.view); });
  expectBadArgument("sample sets", [&] { reader.read(sets, rig.upload(), rig.view); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SetsForFilters);

} // namespace

} // namespace pcl::gpu::test
