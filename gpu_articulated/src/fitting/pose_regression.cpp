// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../likelihood/view_likelihood.h"
#include "../regression/joint_regression.h"
#include "../skeleton/body_parts.h"
#include "../skeleton/joint_places.h"
#include "fitting/joint_fit.h"
#include "fitting/pose_set.h"

#include <pcl/gpu/articulated/pose_regression.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <cmath>
#include <utility>

namespace pcl::gpu {

PoseRegression
regressPose(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const DeviceArray<PointXYZ>& points,
            const Eigen::Vector3f& viewpoint,
            const PoseRegressionOptions& options,
            const Stream& stream)
{
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  checkPoseAndPoints(skeleton, pose, points, viewpoint);
  checkArgument(!options.floor || std::isfinite(*options.floor),
                "floor",
                options.floor.value_or(0.0f),
                "a finite height");
  const Body body(skeleton);
  checkArgument(body.shoulders[0] >= 0 && body.shoulders[1] >= 0,
                "shoulders of the skeleton",
                "unknown",
                "a body with the joints of two arms");
  const ScopedDevice scope(deviceOf(points));
  stream.synchronize();
  std::vector<PointXYZ> all, finite;
  points.download(all);
  for (const PointXYZ& point : all)
    if (point.getVector3fMap().allFinite())
      finite.push_back(point);
  const Eigen::Vector3f up = orientationOf(pose.data()).normalized() * body.up;

  PoseRegression result{skeleton, pose, {}};
  const std::vector<RegressedJoint> joints =
      regressJoints(finite, viewpoint, up, options.floor, stream);
  if (joints.empty())
    return result;
  const std::vector<std::string> names = namesOfJoints(JointConvention::Itop);
  for (std::size_t i = 0; i < joints.size(); ++i)
    result.joints.push_back({names[i], joints[i].position, joints[i].error});
  PosedBody fitted = fitToJoints(skeleton, pose, joints, options.fit_lengths);
  result.skeleton = std::move(fitted.skeleton);
  result.pose = std::move(fitted.pose);
  return result;
}

} // namespace pcl::gpu
