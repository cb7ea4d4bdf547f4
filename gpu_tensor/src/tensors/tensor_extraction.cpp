// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/run_scratch.h"
#include "tensors/tensor_task.h"

#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Entries that every voxel of every tensor may have one of. */
constexpr std::size_t generous_entries = 100000000;

std::size_t
entriesFor(std::size_t tensors, int grid_size, std::size_t reserved)
{
  const std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (reserved > 0)
    return std::min(reserved, most);
  const std::size_t face = static_cast<std::size_t>(grid_size) * grid_size;
  const std::size_t all = tensors * face * grid_size;
  return std::min(
      most,
      all <= generous_entries ? all : std::max(generous_entries, tensors * 4 * face));
}

/** \brief Returns an array, as an image of one row. */
device::PtrStepSz<const device::Float4>
rowView(const DeviceArray<PointXYZ>& points)
{
  return {1,
          static_cast<int>(points.size()),
          reinterpret_cast<const device::Float4*>(points.ptr()),
          points.sizeBytes()};
}

} // namespace

void
TensorExtractionParameters::validate() const
{
  checkBetween("grid size", grid_size, 2, max_grid_size, "2 to 32");
  checkEnumerator("unit of the voxel size", voxel_unit, LengthUnit::Metres);
  checkPositive(voxel_unit == LengthUnit::Metres ? "voxel size" : "voxel size factor",
                voxel_size);
  checkEnumerator("triangles", triangles, TensorTriangles::Connected);
  checkNotNegative("least area", min_area);
}

void
TensorExtraction::compute(const OrganizedCloud& cloud,
                          const NormalMap& normals,
                          const OrganizedMesh& mesh,
                          const DeviceArray<ResolutionStatistics>& statistics,
                          const PointPairs& pairs,
                          TensorSet& tensors,
                          const Stream& stream)
{
  const Device device = deviceOf(cloud);
  checkDevice("normals", normals, "cloud", device);
  checkDevice("mesh", mesh.validity, "cloud", device);
  checkDevice("statistics", statistics, "cloud", device);
  checkSameSize("normals", normals, "cloud", cloud);
  checkSameSize("mesh", mesh.validity, "cloud", cloud);
  checkArgument(parameters_.voxel_unit == LengthUnit::Metres || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, as the voxel size is in resolutions");
  device::TensorTask task{};
  task.mesh.points = inputView<device::Float4>(cloud);
  task.mesh.normals = inputView<device::Float4>(normals);
  task.mesh.validity = inputView<std::uint8_t>(mesh.validity);
  task.statistics = statistics.ptr();
  run(device, "cloud", pairs, tensors, task, stream);
}

void
TensorExtraction::compute(const DeviceArray<PointXYZ>& vertices,
                          const DeviceArray<PointXYZ>& normals,
                          const DeviceArray<int>& triangles,
                          const PointPairs& pairs,
                          TensorSet& tensors,
                          const Stream& stream)
{
  const Device device = deviceOf(vertices);
  checkDevice("normals", normals, "vertices", device);
  checkDevice("triangles", triangles, "vertices", device);
  checkArgument(normals.size() == vertices.size(),
                "number of normals",
                normals.size(),
                "as many as vertices");
  const std::size_t most = std::numeric_limits<int>::max();
  checkArgument(
      vertices.size() <= most, "number of vertices", vertices.size(), "less than 2^31");
  checkArgument(triangles.size() % 3 == 0 && triangles.size() <= most,
                "number of vertices of triangles",
                triangles.size(),
                "a multiple of 3 below 2^31");
  checkArgument(parameters_.voxel_unit == LengthUnit::Metres,
                "voxel size",
                "a multiple of a resolution",
                "a size in metres");
  checkArgument(parameters_.triangles == TensorTriangles::All,
                "triangles",
                "those that are connected",
                "all of them for a mesh that is not organized");
  device::TensorTask task{};
  task.mesh.points = rowView(vertices);
  task.mesh.normals = rowView(normals);
  task.mesh.triangles = triangles.ptr();
  task.mesh.triangle_count = static_cast<int>(triangles.size() / 3);
  run(device, "vertices", pairs, tensors, task, stream);
}

/** \brief Makes room for the tensors of all pairs, completes a task but for its mesh,
 * and runs it.
 * \param[in] points name of the array that is on the device
 */
void
TensorExtraction::run(const Device& device,
                      const char* points,
                      const PointPairs& pairs,
                      TensorSet& tensors,
                      device::TensorTask& task,
                      const Stream& stream)
{
  checkDevice("pairs", pairs.pairs, points, device);
  checkDevice("number of pairs", pairs.count, points, device);
  const ScopedDevice scope(device);
  const std::size_t room = pairs.pairs.size();
  tensors.grid_size = parameters_.grid_size;
  createOn(device, tensors.frames, room);
  createOn(device, tensors.count, 1);
  createOn(device, tensors.starts, room + 1);
  const std::size_t entries =
      entriesFor(room, parameters_.grid_size, parameters_.max_entries);
  createOn(device, tensors.voxels, entries);
  createOn(device, tensors.areas, entries);
  if (room == 0 || pairs.count.empty()) {
    fillAsync(device, tensors.count.ptr(), 0, sizeof(int), stream);
    fillAsync(device, tensors.starts.ptr(), 0, sizeof(std::uint32_t), stream);
    return;
  }
  task.pairs = pairs.pairs.ptr();
  task.pair_count = pairs.count.ptr();
  task.max_pairs = static_cast<int>(room);
  static_cast<TensorExtractionParameters&>(task) = parameters_;
  task.room = static_cast<std::uint32_t>(entries);
  task.frames = tensors.frames.ptr();
  task.count = tensors.count.ptr();
  task.starts = tensors.starts.ptr();
  task.voxels = tensors.voxels.ptr();
  task.areas = tensors.areas.ptr();
  const device::ScratchBytes bytes =
      functionFor(device, PCL_GPU_BOTH(tensorScratchBytes))(task);
  task.scratch = takeScratch(device, bytes, false, kept_memory_, workspace_, stream);
  dispatch(device, PCL_GPU_BOTH(computeTensors), task, stream);
}

} // namespace pcl::gpu
