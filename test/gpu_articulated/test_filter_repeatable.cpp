// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_test.h"

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief All that a filter brought after some frames. */
struct Outcome {
  std::vector<float> poses;
  std::vector<double> log_weights;
  std::vector<std::uint32_t> ancestors;
  PoseEstimate estimate;
};

void
expectSame(const Outcome& a, const Outcome& b)
{
  EXPECT_EQ(a.poses, b.poses);
  EXPECT_EQ(a.log_weights, b.log_weights);
  EXPECT_EQ(a.ancestors, b.ancestors);
  EXPECT_EQ(a.estimate.mean, b.estimate.mean);
  EXPECT_EQ(a.estimate.best, b.estimate.best);
  EXPECT_EQ(a.estimate.deviations, b.estimate.deviations);
  EXPECT_EQ(a.estimate.effective_sample_size, b.estimate.effective_sample_size);
  EXPECT_EQ(a.estimate.exponent, b.estimate.exponent);
}

PoseParticleFilter
variedFilter(int variant)
{
  const float infinity = std::numeric_limits<float>::infinity();
  PoseParticleFilter filter;
  filter.setSkeleton(chainOf({limitedAngle(-0.2f, 0.3f),
                              limitedAngle(-infinity, infinity),
                              limitedAngle(-1, 9),
                              limitedAngle(-2, 1),
                              limitedAngle(-2, 1)}));
  filter.setParticleCount(variant == 0 ? 1 : 1777);
  if (variant % 2)
    filter.setMotionModel(MotionModel::ConstantVelocity);
  filter.setResampling(static_cast<Resampling>(variant % 3));
  if (variant >= 2) {
    filter.setLayers(3);
    filter.setSurvivalRate(variant == 2 ? 0.0f : 0.4f);
    filter.setLayerNoise(variant == 4 ? LayerNoise::Spread : LayerNoise::Motion);
  }
  if (variant >= 4)
    filter.setPartitions({{0, 1}, {3}, {2, 4}});
  return filter;
}

constexpr int variants = 6;

Outcome
run(PoseParticleFilter& filter, std::uint64_t seed)
{
  filter.setSeed(seed);
  filter.initialize(filter.getSkeleton()->restPose());
  const int size = filter.getSkeleton()->poseSize();
  // Only operations that are rounded alike everywhere; it runs on the host anyway.
  const auto likelihood = onHost(size, [size](const float* pose) {
    double sum = 0;
    for (int i = 0; i < size; ++i)
      sum -= 20.0 * (pose[i] - 0.1 * i) * (pose[i] - 0.1 * i);
    return sum;
  });
  for (int frame = 0; frame < 4; ++frame)
    filter.processFrame(likelihood, 0.1f);
  return {downloaded(filter.getParticles()),
          downloaded(filter.getLogWeights()),
          downloaded(filter.getAncestors()),
          estimateOf(filter)};
}

class FilterRepeatable : public DeviceTest {};

} // namespace

TEST_P(FilterRepeatable, WithTheSameSeedOnly)
{
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    PoseParticleFilter filter = variedFilter(variant);
    const Outcome first = run(filter, 5);
    expectSame(first, run(filter, 5));
    PoseParticleFilter other = filter;
    expectSame(first, run(other, 5));
    EXPECT_NE(first.poses, run(filter, 6).poses);
    EXPECT_NE(first.poses, run(filter, 5ull | 1ull << 40).poses);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterRepeatable);

// "cuda" in the name has CTest run this only where there is a device.
TEST(FilterOnHostAndcuda, GivesTheSameBits)
{
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    const auto outcomeOn = [variant](const char* device) {
      const auto scope = useDevice(device);
      PoseParticleFilter filter = variedFilter(variant);
      return run(filter, 9);
    };
    const Outcome cuda = outcomeOn("cuda");
    expectSame(outcomeOn("host"), cuda);
  }
}
