// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/frame_projection.h"

#include <pcl/gpu/utils/pinhole_camera.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

using Matrix34 = Eigen::Matrix<double, 3, 4>;

Eigen::Matrix3d
matrixOf(const PinholeCamera& camera)
{
  Eigen::Matrix3d matrix;
  matrix << camera.fx, 0.0, camera.cx, 0.0, camera.fy, camera.cy, 0.0, 0.0, 1.0;
  return matrix;
}

/** \brief From a frame's camera to the output camera.
 *
 * Recorded rotations are not quite orthogonal: their transposes are no inverses to
 * within a millimetre, so that a frame would not see itself where it is.
 */
Eigen::Affine3d
motionTo(const SceneView& view, const SceneView& source)
{
  const Eigen::Isometry3d camera_to_world = source.pose.cast<double>();
  return view.pose.cast<double>().inverse(Eigen::Affine) * camera_to_world;
}

/** \brief The middle of a camera's image. */
Eigen::Vector3d
centerOf(const PinholeCamera& camera)
{
  return {double(camera.width / 2), double(camera.height / 2), 1.0};
}

/** \brief Bounds the errors of single precision, to first order; a tenth as much again
 * covers the rest, as long as the error is below a quarter of a pixel.
 *
 * With e = 2^-24, a coordinate of a point errs by at most 5 e times the sum of its
 * addends' sizes: coefficients, products and three sums are rounded. u = f x / z + c
 * takes that over; in addition 1 / z errs by 2 e, its product with x, c and the sum by
 * e each.
 * \param[in] to_point as FrameProjection has it
 */
void
boundErrors(const PinholeCamera& camera,
            const SceneView& view,
            const Matrix34& to_point,
            device::FrameProjection& projection)
{
  constexpr double epsilon = 1.0 / (1 << 24), reserve = 1.1;
  const Eigen::Vector3d slopes = to_point.leftCols<3>().cwiseAbs() *
                                 (centerOf(camera) + Eigen::Vector3d(1.0, 1.0, 0.0));
  const Eigen::Vector3d offsets = to_point.col(3).cwiseAbs();
  const PinholeCamera& output = view.camera;
  double depth_ratio = 0.0, ratio = 0.0, pixel = 0.0;
  const double focal_lengths[] = {output.fx, output.fy};
  const double centers[] = {output.cx, output.cy};
  const double sizes[] = {double(output.width), double(output.height)};
  for (int axis = 0; axis < 2; ++axis) {
    // Pixels farther out than the image by a border are never looked at.
    constexpr double border = 64.0;
    const double center = centers[axis];
    const double reach =
        std::max(std::abs(center), std::abs(sizes[axis] - center)) + border;
    const double tangent = reach / focal_lengths[axis];
    const double scale = 5.0 * epsilon * focal_lengths[axis];
    depth_ratio = std::max(depth_ratio, scale * (slopes[axis] + tangent * slopes[2]));
    ratio = std::max(ratio, scale * (offsets[axis] + tangent * offsets[2]));
    pixel = std::max(pixel,
                     epsilon * (4.0 * reach + 2.0 * std::abs(center)) +
                         device::cell_tolerance);
  }
  projection.depth_ratio_margin = static_cast<float>(reserve * depth_ratio);
  projection.ratio_margin = static_cast<float>(reserve * ratio);
  projection.pixel_margin = static_cast<float>(reserve * pixel);
  projection.slope_margin = static_cast<float>(reserve * 5.0 * epsilon * slopes[2]);
  projection.point_margin = static_cast<float>(reserve * 5.0 * epsilon * offsets[2]);
}

} // namespace

Matrix34
pointMatrix(const SceneView& source, const SceneView& view)
{
  const Eigen::Affine3d motion = motionTo(view, source);
  Matrix34 matrix;
  matrix.leftCols<3>() = motion.linear() * matrixOf(source.camera).inverse();
  matrix.col(3) = motion.translation();
  return matrix;
}

Matrix34
pixelMatrix(const SceneView& source, const SceneView& view)
{
  const Eigen::Affine3d motion = motionTo(view, source).inverse(Eigen::Affine);
  return matrixOf(source.camera) * motion.matrix().topRows<3>();
}

device::FrameProjection
frameProjection(const SceneView& source, const SceneView& view)
{
  Matrix34 to_point = pointMatrix(source, view);
  const Matrix34 to_image = matrixOf(view.camera) * to_point;
  const Eigen::Vector3d center = centerOf(source.camera);
  to_point.col(2) = to_point.leftCols<3>() * center;
  device::FrameProjection projection{};
  rowsOf(projection.to_image) = to_image;
  rowsOf(projection.to_point) = to_point.cast<float>();
  projection.center_column = static_cast<float>(center.x());
  projection.center_row = static_cast<float>(center.y());
  boundErrors(source.camera, view, to_point, projection);
  return projection;
}

} // namespace pcl::gpu
