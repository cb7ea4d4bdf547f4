// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "raycast/module.h"

#include <Eigen/LU>

#include <cmath>

namespace pcl_gpu_python {

namespace {

/** \brief Makes rays: their directions reach to depth 1. */
ArrayResult<float>
raysOf(const Eigen::Matrix3d& intrinsics,
       const Eigen::Matrix3d& world_to_camera,
       const Eigen::Vector3d& eye,
       int width,
       int height)
{
  if (width < 1 || height < 1)
    throw nb::value_error(("width_px, height_px: got " + std::to_string(width) + ", " +
                           std::to_string(height) + "; expected 1 or more")
                              .c_str());
  const Eigen::Matrix3d to_world =
      world_to_camera.transpose() * Eigen::Matrix3d(intrinsics.inverse());
  if (!to_world.allFinite())
    throw nb::value_error("create_rays_pinhole: these arguments are no camera's");
  std::vector<float> rays;
  rays.reserve(6 * static_cast<std::size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Eigen::Vector3d direction = to_world * Eigen::Vector3d(x + 0.5, y + 0.5, 1);
      for (const Eigen::Vector3d& vector : {eye, direction})
        for (int i = 0; i < 3; ++i)
          rays.push_back(static_cast<float>(vector[i]));
    }
  return toPython(std::move(rays), {height, width, 6});
}

} // namespace

ArrayResult<float>
raysOfMatrices(const MatrixArgument<Eigen::Matrix3f>& intrinsics,
               const PoseMatrix& extrinsics,
               int width,
               int height)
{
  const Eigen::Matrix4d pose = extrinsics.value.cast<double>();
  const Eigen::Matrix3d rotation = pose.topLeftCorner<3, 3>();
  return raysOf(intrinsics.value.cast<double>(),
                rotation,
                -rotation.transpose() * pose.topRightCorner<3, 1>(),
                width,
                height);
}

ArrayResult<float>
raysOfFieldOfView(double degrees,
                  const MatrixArgument<Eigen::Vector3f>& center,
                  const MatrixArgument<Eigen::Vector3f>& eye,
                  const MatrixArgument<Eigen::Vector3f>& up,
                  int width,
                  int height)
{
  const double focal_length = 0.5 * width / std::tan(degrees * M_PI / 360);
  Eigen::Matrix3d intrinsics = Eigen::Matrix3d::Identity();
  intrinsics.diagonal() << focal_length, focal_length, 1;
  intrinsics.col(2) << 0.5 * width, 0.5 * height, 1;
  const Eigen::Vector3d from = eye.value.cast<double>();
  const Eigen::Vector3d forward = (center.value.cast<double>() - from).normalized();
  // As in Open3D: rows of the picture follow one another upwards, columns to the left.
  const Eigen::Vector3d left = up.value.cast<double>().cross(forward).normalized();
  Eigen::Matrix3d rotation;
  rotation << left, forward.cross(left), forward;
  // Parallel vectors have no cross product, and give zeros.
  if (!(degrees > 0 && degrees < 180) || left.isZero() || forward.isZero())
    intrinsics.setZero();
  return raysOf(intrinsics, rotation.transpose(), from, width, height);
}

} // namespace pcl_gpu_python
