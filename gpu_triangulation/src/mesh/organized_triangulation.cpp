// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh/mesh.h"

#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
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

device::MeshParameters
deviceParameters(const OrganizedTriangulationParameters& from,
                 const OrganizedCloud& cloud,
                 bool with_normals)
{
  device::MeshParameters to;
  to.cut = from.cut;
  // Larger steps find no quad either, and would overflow.
  to.row_step = std::min(from.row_step, std::max(cloud.rows(), 1));
  to.column_step = std::min(from.column_step, std::max(cloud.cols(), 1));
  const float cosine = std::cos(from.angle_tolerance);
  // Rounding may lift the cosine of an edge along the ray above 1.
  to.max_squared_cosine = from.angle_tolerance == 0.0f ? 2.0f : cosine * cosine;
  to.distance_tolerance = from.distance_tolerance;
  to.growth = {0.0f,
               from.max_edge_length_squared,
               from.distance_tolerance_grows,
               from.depth_as_distance};
  if (from.dynamic_edge_length) {
    to.edge_length = {
        true, from.edge_length_deviations, from.least_edge_length_ratio, 0.0f};
  }
  else {
    to.edge_length = {false, from.max_edge_length, 0.0f, 0.0f};
    to.growth.linear = from.max_edge_length_linear;
  }
  if (from.dynamic_normal_angle)
    to.normal_angle = {
        true, from.normal_angle_deviations, 0.0f, from.least_normal_angle};
  else
    to.normal_angle = {false, from.max_normal_angle, 0.0f, 0.0f};
  to.test_normals =
      with_normals && (from.dynamic_normal_angle || from.max_normal_angle < device::pi);
  for (int i = 0; i < 3; ++i)
    to.viewpoint[i] = from.viewpoint[i];
  return to;
}

} // namespace

void
OrganizedTriangulationParameters::validate() const
{
  checkEnumerator("cut", cut, Cut::Quad);
  checkAtLeast("triangle pixel size in rows", row_step, 1);
  checkAtLeast("triangle pixel size in columns", column_step, 1);
  checkBetween(
      "angle tolerance", angle_tolerance, 0.0f, 0.5f * device::pi, "0 to pi / 2");
  checkArgument(distance_tolerance >= 0.0f,
                "distance tolerance",
                distance_tolerance,
                "zero or a positive number");
  checkNotNegative("edge length deviation factor", edge_length_deviations);
  checkNotNegative("least ratio of edge length", least_edge_length_ratio);
  const float a = max_edge_length;
  const float b = max_edge_length_linear;
  const float c = max_edge_length_squared;
  checkArgument(!std::isnan(a), "maximum edge length a", a, "a number");
  checkArgument(std::isfinite(b), "maximum edge length b", b, "a finite number");
  checkArgument(std::isfinite(c), "maximum edge length c", c, "a finite number");
  checkArgument(b != 0.0f || c != 0.0f || a > 0.0f,
                "maximum edge length",
                a,
                "a positive number");
  checkNotNegative("normal angle deviation factor", normal_angle_deviations);
  checkNotNegative("least normal angle", least_normal_angle);
  checkDeviation("maximum normal angle", max_normal_angle);
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
}

void
OrganizedTriangulationParameters::applyTo(CloudResolutionParameters& resolution) const
{
  resolution.row_step = row_step;
  resolution.column_step = column_step;
  resolution.viewpoint = viewpoint;
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
  const device::MeshParameters parameters =
      deviceParameters(parameters_, cloud, !normals.empty());
  const bool dynamic = parameters.edge_length.dynamic ||
                       (parameters.test_normals && parameters.normal_angle.dynamic);
  checkArgument(!dynamic || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, which the thresholds depend on");

  const std::size_t quads = quadsAlong(cloud.rows(), parameters_.row_step) *
                            quadsAlong(cloud.cols(), parameters_.column_step);
  const bool cuts = parameters_.cut != Cut::Quad;
  const std::size_t indices = quads * (cuts ? 6 : 4);
  checkArgument(indices <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                "number of pixels",
                static_cast<std::size_t>(cloud.rows()) * cloud.cols(),
                "a cloud whose mesh has fewer than 2^31 indices");
  mesh.vertices_per_polygon = cuts ? 3 : 4;
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
  const std::size_t bytes = functionFor(device, PCL_GPU_BOTH(meshScratchBytes))(task);
  task.scratch = keptScratch(device, workspace_, bytes, stream);
  dispatch(device, PCL_GPU_BOTH(triangulate), task, stream);
}

} // namespace pcl::gpu
