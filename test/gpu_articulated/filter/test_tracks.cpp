// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/recorded_body.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/human_skeleton.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <tuple>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Parameters = std::tuple<std::string, std::string>;

/** \brief A recorded motion, with 2000 particles and ten seeds; on the host, which
 * takes some hundred times as long, its beginning in a small picture with one. */
class RecordedTracks : public ::testing::TestWithParam<Parameters> {
protected:
  void
  SetUp() override
  {
    const std::string path = dataPath("mocap/" + std::get<0>(GetParam()) + ".bvh");
    scope_ = useDevice(std::get<1>(GetParam()));
    RecordedBodyOptions options;
    if (std::get<1>(GetParam()) == "host") {
      options.most_frames = 12;
      options.width = 160;
      options.height = 120;
      seeds_ = 1;
      particles_ = 500;
    }
    body_ = std::make_unique<RecordedBody>(path, options);
  }

  PoseParticleFilter
  makeFilter() const
  {
    PoseParticleFilter filter;
    filter.setSkeleton(body_->skeleton());
    PoseParticleFilterParameters parameters =
        bodyTrackingParameters(*filter.getSkeleton());
    parameters.particle_count = particles_;
    filter.setParameters(parameters);
    return filter;
  }

  int seeds_ = 10;
  int particles_ = 2000;
  std::unique_ptr<ScopedDevice> scope_;
  std::unique_ptr<RecordedBody> body_;
};

std::string
parametersName(const ::testing::TestParamInfo<Parameters>& info)
{
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}

} // namespace

TEST_P(RecordedTracks, StayWithinFiveCentimetres)
{
  for (int seed = 0; seed < seeds_; ++seed) {
    PoseParticleFilter filter = makeFilter();
    const TrackingErrors errors = track(*body_, filter, seed);
    std::printf("seed %d: mean error %.1f cm, worst frame %.1f cm, worst joint %.1f cm "
                "(%s), %.1f ms a frame\n",
                seed,
                100.0 * errors.mean,
                100.0 * errors.worst_frame,
                100.0 * errors.worst_joint,
                errors.worst_joint_name.c_str(),
                errors.milliseconds);
    const std::string name = "seed_" + std::to_string(seed);
    RecordProperty(name + "_mean_error_m", std::to_string(errors.mean));
    RecordProperty(name + "_worst_frame_m", std::to_string(errors.worst_frame));
    EXPECT_LE(errors.mean, 0.05) << "seed " << seed;
    EXPECT_FALSE(errors.is_lost) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cmu,
    RecordedTracks,
    ::testing::Combine(::testing::Values("cmu_02_01", "cmu_05_06", "cmu_131_01"),
                       ::testing::ValuesIn(devices())),
    parametersName);

TEST(BodyLimbs, AreRootTrunkHeadArmsAndLegs)
{
  const Skeleton body = makeHumanSkeleton();
  const std::vector<std::vector<int>> limbs = findLimbs(body);
  ASSERT_EQ(limbs.size(), 7u);
  EXPECT_EQ(limbs.front(), std::vector<int>(1, 0));
  std::multiset<int> all;
  for (const std::vector<int>& limb : limbs)
    all.insert(limb.begin(), limb.end());
  ASSERT_EQ(all.size(), body.getJoints().size());
  int joint = 0;
  for (const int each : all)
    EXPECT_EQ(each, joint++);
}

TEST(BodyLimbs, OfABodyWithoutJointsAreRefused)
{
  expectBadArgument("skeleton", [] { bodyTrackingParameters(Skeleton()); });
  expectBadArgument("skeleton", [] { findLimbs(Skeleton()); });
}
