// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief A weighted mean of poses. */
class PoseMean {
public:
  void
  add(const Pose& pose, double weight)
  {
    const Eigen::Quaterniond turn(pose.linear().cast<double>());
    position_ += weight * pose.translation().cast<double>();
    turns_ += weight * turn.coeffs() * turn.coeffs().transpose();
    weight_ += weight;
  }

  /** \brief The mean of the orientations is that of Markley et al. 2007. */
  Pose
  mean() const
  {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(turns_);
    const Eigen::Vector4d turn = solver.eigenvectors().col(3);
    Pose pose = Pose::Identity();
    pose.linear() =
        Eigen::Quaterniond(turn).normalized().toRotationMatrix().cast<float>();
    pose.translation() = (position_ / weight_).cast<float>();
    return pose;
  }

private:
  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
  Eigen::Matrix4d turns_ = Eigen::Matrix4d::Zero();
  double weight_ = 0.0;
};

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
    PoseMean mean;
    for (int k = -reach; k <= reach; ++k) {
      const double distance = k / static_cast<double>(sigma);
      mean.add(poseAt(inputs, i + k), std::exp(-0.5 * distance * distance));
    }
    views[i].camera = inputs[i].color_camera;
    views[i].camera.fx *= zoom;
    views[i].camera.fy *= zoom;
    views[i].pose = mean.mean();
    views[i].time = static_cast<float>(i);
  }
  return views;
}

} // namespace pcl::gpu
