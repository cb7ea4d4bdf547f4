// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief The pose at a frame; beyond the path's ends, it goes on as it came. */
Pose
poseAt(const std::vector<RGBDView>& path, int number)
{
  const int last = static_cast<int>(path.size()) - 1;
  const int end = number < 0 ? 0 : last;
  if (number >= 0 && number <= last)
    return path[number].color_pose;
  const Pose& turned = path[end].color_pose;
  return turned * path[2 * end - number].color_pose.inverse(Eigen::Isometry) * turned;
}

} // namespace

std::vector<SceneView>
stabilizedViews(const RGBDVideo& video, float sigma, float zoom)
{
  checkPositive("sigma of frames", sigma);
  checkPositive("zoom", zoom);
  const int count = video.size();
  std::vector<RGBDView> inputs;
  for (int i = 0; i < count; ++i)
    inputs.push_back(video.view(i));
  const int reach = static_cast<int>(std::min(3.0 * sigma, count - 1.0));
  std::vector<SceneView> views(count);
  for (int i = 0; i < count; ++i) {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix4d turns = Eigen::Matrix4d::Zero();
    double weight_sum = 0.0;
    for (int k = -reach; k <= reach; ++k) {
      const double distance = k / static_cast<double>(sigma);
      const double weight = std::exp(-0.5 * distance * distance);
      const Pose pose = poseAt(inputs, i + k);
      const Eigen::Quaterniond turn(pose.linear().cast<double>());
      position += weight * pose.translation().cast<double>();
      turns += weight * turn.coeffs() * turn.coeffs().transpose();
      weight_sum += weight;
    }
    // The mean of orientations is that of Markley et al. 2007.
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(turns);
    const Eigen::Vector4d turn = solver.eigenvectors().col(3);
    views[i].camera = inputs[i].color_camera;
    views[i].camera.fx *= zoom;
    views[i].camera.fy *= zoom;
    views[i].pose = Pose::Identity();
    views[i].pose.linear() =
        Eigen::Quaterniond(turn).normalized().toRotationMatrix().cast<float>();
    views[i].pose.translation() = (position / weight_sum).cast<float>();
    views[i].time = static_cast<float>(i);
  }
  return views;
}

} // namespace pcl::gpu
