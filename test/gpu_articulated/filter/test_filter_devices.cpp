// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "filter_outcome.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Follows a body on devices, or on the current device if none are given. */
Outcome
followBodyOn(const std::vector<Device>& devices, std::size_t particles = 61)
{
  const ScopedDevice scope(devices.empty() ? currentDevice() : devices.front());
  PoseParticleFilter filter = bodyFilter(particles);
  if (!devices.empty())
    filter.setDevices(devices);
  return followBody(filter);
}

class FilterOnDevices : public DeviceTest {};

} // namespace

TEST_P(FilterOnDevices, GivesTheBitsOfOne)
{
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    PoseParticleFilter filter = variedFilter(variant);
    const Outcome expected = run(filter, 5);
    PoseParticleFilter shared = variedFilter(variant);
    for (const std::size_t count : {2, 5}) {
      shared.setDevices(std::vector<Device>(count, device()));
      expectSame(expected, run(shared, 5));
    }
  }
}

TEST_P(FilterOnDevices, GivesTheBitsOfOneForPoints)
{
  const Outcome expected = followBodyOn({});
  EXPECT_TRUE(expected.estimate.possible);
  EXPECT_GT(expected.estimate.effective_sample_size, 2.0);
  for (const std::size_t count : {1, 2, 3})
    expectSame(expected, followBodyOn(std::vector<Device>(count, device())));
}

TEST_P(FilterOnDevices, MayHaveMoreDevicesThanParticles)
{
  expectSame(followBodyOn({}, 2), followBodyOn({4, device()}, 2));
}

TEST_P(FilterOnDevices, StartsFromGivenPoses)
{
  const auto outcome = [&](std::size_t count) {
    PoseParticleFilter filter = variedFilter(3);
    set(filter, &FilterParameters::particle_count, 7);
    filter.setDevices(std::vector<Device>(count, device()));
    DeviceArray<float> poses;
    poses.upload(restPoses(*filter.getSkeleton(), 7));
    filter.initialize(poses);
    filter.processFrame(onHost(filter.getSkeleton()->poseSize(),
                               [](const float* pose) { return -pose[8] * pose[8]; }),
                        0.1f);
    return outcomeOf(filter);
  };
  expectSame(outcome(1), outcome(3));
}

TEST_P(FilterOnDevices, TakesChangesOfSettings)
{
  const auto outcome = [&](std::size_t count) {
    PoseParticleFilter filter = variedFilter(3);
    filter.setDevices(std::vector<Device>(count, device()));
    run(filter, 1);
    setRootDeviation(filter, 0.1f, 0.2f);
    set(filter, &FilterParameters::partitions, {{0, 2}, {1, 3}});
    filter.processFrame(onHost(filter.getSkeleton()->poseSize(),
                               [](const float* pose) { return -pose[8] * pose[8]; }),
                        0.1f);
    return outcomeOf(filter);
  };
  expectSame(outcome(1), outcome(2));
}

TEST_P(FilterOnDevices, CallsAMotionOfOnesOwnForEachPart)
{
  std::size_t rows = 0;
  const auto outcome = [&](std::size_t count) {
    PoseParticleFilter filter = variedFilter(1);
    const int size = filter.getSkeleton()->poseSize();
    filter.setMotionFunction(
        [&rows, size](DeviceArray<float>& poses, float, const Stream& stream) {
          stream.synchronize();
          std::vector<float> values = downloaded(poses);
          rows += values.size() / size;
          for (std::size_t i = 0; i < values.size(); i += size)
            values[i] += 0.25f;
          poses.upload(values);
        });
    filter.setDevices(std::vector<Device>(count, device()));
    return run(filter, 4);
  };
  const Outcome expected = outcome(1);
  EXPECT_EQ(rows, 4 * 1777u);
  expectSame(expected, outcome(3));
  EXPECT_EQ(rows, 8 * 1777u);
}

TEST_P(FilterOnDevices, AreKeptByCopiesAndDropParticles)
{
  PoseParticleFilter filter = variedFilter(1);
  EXPECT_TRUE(filter.getDevices().empty());
  const Outcome expected = run(filter, 3);
  const std::vector<Device> two(2, device());
  filter.setDevices(two);
  EXPECT_FALSE(filter.isInitialized());
  PoseParticleFilter copy = filter;
  EXPECT_EQ(copy.getDevices(), two);
  expectSame(expected, run(copy, 3));
  copy.setDevices(two);
  EXPECT_TRUE(copy.isInitialized());
  copy.setDevices({});
  EXPECT_TRUE(copy.getDevices().empty());
  EXPECT_FALSE(copy.isInitialized());
  expectSame(expected, run(copy, 3));
}

TEST_P(FilterOnDevices, MustBeThere)
{
  PoseParticleFilter filter = variedFilter(1);
  expectBadArgument("cuda:4096", [&] { filter.setDevices({Device::cuda(4096)}); });
  EXPECT_TRUE(filter.getDevices().empty());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterOnDevices);

// CTest runs tests with "cuda" in their names only on machines with a device.
TEST(FilterOnHostAndcudaDevices, IsRefused)
{
  PoseParticleFilter filter;
  const Device cuda = deviceNamed("cuda");
  expectBadArgument("host", [&] { filter.setDevices({cuda, Device::host()}); });
  expectBadArgument("cuda:0", [&] { filter.setDevices({Device::host(), cuda}); });
  filter.setSkeleton(chainOf({}));
  set(filter, &FilterParameters::particle_count, 1);
  filter.setDevices({cuda});
  DeviceArray<float> poses;
  {
    const auto scope = useDevice("host");
    poses.upload(filter.getSkeleton()->restPose());
  }
  expectBadArgument("poses", [&] { filter.initialize(poses); });
}

TEST(FilterOnAllcudaDevices, GivesTheBitsOfOne)
{
  const Device first = deviceNamed("cuda");
  const int count = getCudaEnabledDeviceCount();
  if (count < 2)
    skipTest("there is only one CUDA device on this machine");
  const ScopedDevice scope(first);
  std::vector<Device> all;
  for (int id = 0; id < count; ++id)
    all.push_back(Device::cuda(id));
  const Outcome expected = followBodyOn({}, 601);
  expectSame(expected, followBodyOn(all, 601));
  // Another first device.
  expectSame(expected, followBodyOn({all.rbegin(), all.rend()}, 601));
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    PoseParticleFilter filter = variedFilter(variant), shared = filter;
    shared.setDevices(all);
    expectSame(run(filter, 5), run(shared, 5));
  }
}
