// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/devices.h"
#include "skeleton_reference.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/forward_kinematics.h>

#include <cstring>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class KinematicsCapture : public DeviceTest {};

} // namespace

TEST_P(KinematicsCapture, GivesTheSameWhenTheGraphIsLaunched)
{
  std::mt19937 random(1);
  // One fits into shared memory, the other one does not.
  for (const int joints : {31, 1500}) {
    const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(joints, random));
    const DeviceArray<float> poses = uploaded(randomPoses(*skeleton, 300, random));
    ForwardKinematics kinematics;
    kinematics.setSkeleton(skeleton);
    const Stream stream = Stream::create();
    DeviceArray<Capsule> capsules;
    DeviceArray<pcl::PointXYZ> positions;
    const auto work = [&] {
      kinematics.computeCapsules(poses, capsules, stream);
      kinematics.computeJoints(poses, positions, stream);
    };
    work();
    const CapturedGraph graph(stream, work);
    const std::vector<Capsule> expected = downloaded(capsules);
    cudaMemset(capsules.ptr(), 0, capsules.size() * sizeof(Capsule));
    graph.launch();
    const std::vector<Capsule> found = downloaded(capsules);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(
        std::memcmp(found.data(), expected.data(), found.size() * sizeof(Capsule)), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         KinematicsCapture,
                         ::testing::Values("cuda"),
                         deviceTestName);
