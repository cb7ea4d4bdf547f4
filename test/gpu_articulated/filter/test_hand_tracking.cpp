// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/signing_hand.h"

#include <pcl/gpu/articulated/body_tracking.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A hand that signs. On the host, which takes some hundred times as long, it
 * signs faster, and there are fewer particles. */
class SigningHands : public DeviceTest {
protected:
  bool
  isOnHost() const
  {
    return GetParam() == "host";
  }

  SigningErrors
  run(SigningHandOptions options, int seed) const
  {
    if (isOnHost()) {
      options.transition = 0.3f;
      options.hold = 0.1f;
    }
    SigningHand hand(options);
    PoseParticleFilter filter;
    filter.setSkeleton(hand.skeleton());
    PoseParticleFilterParameters parameters = handTrackingParameters(*hand.skeleton());
    if (isOnHost()) {
      parameters.particle_count = 250;
      parameters.max_points = 1000;
    }
    filter.setParameters(parameters);
    const SigningErrors errors = track(hand, filter, seed);
    std::printf("%d frames, mean error %.1f mm, finger tips %.1f mm, worst frame %.1f "
                "mm, %.1f ms a frame\n",
                hand.frameCount(),
                1e3 * errors.mean,
                1e3 * errors.tips,
                1e3 * errors.worst_frame,
                errors.milliseconds);
    for (std::size_t i = 0; i < errors.signs.size(); ++i)
      std::printf("%s %.1f, ", SigningHand::signs()[i].c_str(), 1e3 * errors.signs[i]);
    std::printf("mm\n");
    RecordProperty("mean_error_m", std::to_string(errors.mean));
    RecordProperty("worst_frame_m", std::to_string(errors.worst_frame));
    return errors;
  }
};

} // namespace

TEST_P(SigningHands, OfOtherSizesAreFollowed)
{
  SigningHandOptions options;
  options.seed = 1;
  const SigningErrors errors = run(options, 0);
  EXPECT_LE(errors.mean, 0.010);
  for (std::size_t i = 0; i < errors.signs.size(); ++i)
    EXPECT_LE(errors.signs[i], 0.015) << SigningHand::signs()[i];
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SigningHands);

TEST(HandLimbs, AreWristFingersAndForearm)
{
  const Skeleton hand = makeHandSkeleton();
  const auto partitions = handTrackingParameters(hand).partitions;
  ASSERT_EQ(partitions.size(), 7u + 4u);
  EXPECT_EQ(partitions.front(), std::vector<int>(1, 0));
  for (int i = 1; i < 6; ++i)
    EXPECT_EQ(partitions[i].size(), 4u);
  EXPECT_EQ(partitions[6].size(), 1u);
  for (int i = 7; i < 11; ++i)
    EXPECT_EQ(partitions[i].size(), hand.getJoints().size());
}

TEST(HandLimbs, OfAHandWithoutJointsAreRefused)
{
  expectBadArgument("skeleton", [] { handTrackingParameters(Skeleton()); });
}
