// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_outcome.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

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

// CTest runs tests with "cuda" in their names only on machines with a device.
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
