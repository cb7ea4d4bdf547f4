// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh/mesh.h"

#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/kept_scratch.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Number of quads of \a step pixels along a side of \a pixels. */
std::size_t
quadsAlong(int pixels, int step)
{
  return pixels > step ? (pixels - 1) / step : 0;
}

} // namespace

void
OrganizedTriangulation::setCut(Cut cut)
{
  cut_ = cut;
}

Cut
OrganizedTriangulation::getCut() const
{
  return cut_;
}

void
OrganizedTriangulation::setTrianglePixelSize(int rows, int columns)
{
  checkArgument(rows >= 1, "triangle pixel size in rows", rows, "1 or more");
  checkArgument(columns >= 1, "triangle pixel size in columns", columns, "1 or more");
  row_step_ = rows;
  column_step_ = columns;
}

void
OrganizedTriangulation::setAngleTolerance(float angle)
{
  checkArgument(
      angle >= 0.0f && angle <= 1.57079637f, "angle tolerance", angle, "0 to pi / 2");
  angle_tolerance_ = angle;
}

void
OrganizedTriangulation::setDistanceTolerance(float tolerance, bool depth_dependent)
{
  checkArgument(
      tolerance >= 0.0f, "distance tolerance", tolerance, "zero or a positive number");
  distance_tolerance_ = tolerance;
  tolerance_is_depth_dependent_ = depth_dependent;
}

void
OrganizedTriangulation::useDepthAsDistance(bool enable)
{
  depth_is_distance_ = enable;
}

void
OrganizedTriangulation::setMaxEdgeLength(float a, float b, float c)
{
  checkArgument(!std::isnan(a), "maximum edge length a", a, "a number");
  checkArgument(std::isfinite(b), "maximum edge length b", b, "a finite number");
  checkArgument(std::isfinite(c), "maximum edge length c", c, "a finite number");
  checkArgument(b != 0.0f || c != 0.0f || a > 0.0f,
                "maximum edge length",
                a,
                "a positive number");
  max_edge_length_ = a;
  max_edge_length_linear_ = b;
  max_edge_length_squared_ = c;
  edge_length_is_dynamic_ = false;
}

void
OrganizedTriangulation::setEdgeLengthDeviationFactor(float factor, float least_ratio)
{
  checkNotNegative("edge length deviation factor", factor);
  checkNotNegative("least ratio of edge length", least_ratio);
  edge_length_factor_ = factor;
  edge_length_least_ratio_ = least_ratio;
  edge_length_is_dynamic_ = true;
}

void
OrganizedTriangulation::setMaxNormalAngle(float angle)
{
  checkArgument(angle > 0.0f, "maximum normal angle", angle, "a positive number");
  max_normal_angle_ = angle;
  normal_angle_is_dynamic_ = false;
}

void
OrganizedTriangulation::setNormalAngleDeviationFactor(float factor, float least_angle)
{
  checkNotNegative("normal angle deviation factor", factor);
  checkNotNegative("least normal angle", least_angle);
  normal_angle_factor_ = factor;
  least_normal_angle_ = least_angle;
  normal_angle_is_dynamic_ = true;
}

void
OrganizedTriangulation::setViewPoint(const Eigen::Vector3f& viewpoint)
{
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
  viewpoint_ = viewpoint;
}

void
OrganizedTriangulation::compute(const OrganizedCloud& cloud,
                                const NormalMap& normals,
                                const DeviceArray<ResolutionStatistics>& statistics,
                                OrganizedMesh& mesh,
                                const Stream& stream)
{
  const Device device = deviceOf(cloud);
  const ScopedDevice scope(device);
  checkDevice("normals", normals, "cloud", device);
  checkDevice("statistics", statistics, "cloud", device);
  if (!normals.empty())
    checkSameSize("normals", normals, "cloud", cloud);
  device::MeshParameters parameters;
  parameters.cut = cut_;
  // Larger steps find no quad either, and would overflow.
  parameters.row_step = std::min(row_step_, std::max(cloud.rows(), 1));
  parameters.column_step = std::min(column_step_, std::max(cloud.cols(), 1));
  const float cosine = std::cos(angle_tolerance_);
  // Rounding may lift the cosine of an edge along the ray above 1.
  parameters.max_squared_cosine = angle_tolerance_ == 0.0f ? 2.0f : cosine * cosine;
  parameters.distance_tolerance = distance_tolerance_;
  parameters.growth = {0.0f, 0.0f, tolerance_is_depth_dependent_, depth_is_distance_};
  if (edge_length_is_dynamic_) {
    parameters.edge_length = {
        true, edge_length_factor_, edge_length_least_ratio_, 0.0f};
  }
  else {
    parameters.edge_length = {false, max_edge_length_, 0.0f, 0.0f};
    parameters.growth.linear = max_edge_length_linear_;
    parameters.growth.squared = max_edge_length_squared_;
  }
  parameters.normal_angle =
      normal_angle_is_dynamic_
          ? device::Threshold{true, normal_angle_factor_, 0.0f, least_normal_angle_}
          : device::Threshold{false, max_normal_angle_, 0.0f, 0.0f};
  parameters.test_normals =
      !normals.empty() && (normal_angle_is_dynamic_ || max_normal_angle_ < 3.14159274f);
  for (int i = 0; i < 3; ++i)
    parameters.viewpoint[i] = viewpoint_[i];
  const bool dynamic = parameters.edge_length.dynamic ||
                       (parameters.test_normals && parameters.normal_angle.dynamic);
  checkArgument(!dynamic || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, which the thresholds depend on");

  const std::size_t quads =
      quadsAlong(cloud.rows(), row_step_) * quadsAlong(cloud.cols(), column_step_);
  const std::size_t indices = quads * (cut_ == Cut::Quad ? 4 : 6);
  checkArgument(indices <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                "number of pixels",
                static_cast<std::size_t>(cloud.rows()) * cloud.cols(),
                "a cloud whose mesh has fewer than 2^31 indices");
  mesh.vertices_per_polygon = cut_ == Cut::Quad ? 4 : 3;
  createOn(device, mesh.indices, indices);
  createOn(device, mesh.polygon_count, 1);
  createOn(device, mesh.validity, cloud.rows(), cloud.cols());
  if (cloud.empty())
    return fillAsync(device, mesh.polygon_count.ptr(), 0, sizeof(int), stream);
  device::MeshTask task{inputView<device::Float4>(cloud),
                        inputView<device::Float4>(normals),
                        statistics.ptr(),
                        parameters,
                        outputView<std::uint8_t>(mesh.validity),
                        mesh.indices.ptr(),
                        mesh.polygon_count.ptr(),
                        nullptr};
  const std::size_t bytes =
      functionFor(device,
                  &device::host::meshScratchBytes,
                  PCL_GPU_CUDA_ONLY(device::cuda::meshScratchBytes))(task);
  task.scratch = keptScratch(device, workspace_, bytes, stream);
  dispatch(device,
           &device::host::triangulate,
           PCL_GPU_CUDA_ONLY(device::cuda::triangulate),
           task,
           stream);
}

} // namespace pcl::gpu
