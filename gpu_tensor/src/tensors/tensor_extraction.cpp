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
TensorExtraction::setGridSize(int size)
{
  checkArgument(size >= 2 && size <= max_grid_size, "grid size", size, "2 to 32");
  grid_size_ = size;
}

int
TensorExtraction::getGridSize() const
{
  return grid_size_;
}

void
TensorExtraction::setVoxelSizeFactor(float factor)
{
  checkPositive("voxel size factor", factor);
  voxel_size_factor_ = factor;
  voxel_size_ = 0.0f;
}

void
TensorExtraction::setVoxelSize(float size)
{
  checkPositive("voxel size", size);
  voxel_size_ = size;
}

void
TensorExtraction::setTriangles(TensorTriangles triangles)
{
  checkEnumerator("triangles", triangles, TensorTriangles::Connected);
  triangles_ = triangles;
}

void
TensorExtraction::setMinArea(float area)
{
  checkNotNegative("least area", area);
  min_area_ = area;
}

void
TensorExtraction::reserve(std::size_t entries)
{
  reserved_ = entries;
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
  checkArgument(voxel_size_ > 0.0f || statistics.size() == 1,
                "number of statistics",
                statistics.size(),
                "1, as no voxel size is set");
  device::TensorMesh view{};
  view.points = inputView<device::Float4>(cloud);
  view.normals = inputView<device::Float4>(normals);
  view.validity = inputView<std::uint8_t>(mesh.validity);
  run(device, view, statistics.ptr(), pairs, tensors, stream);
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
  checkArgument(voxel_size_ > 0.0f,
                "voxel size",
                "a multiple of a resolution",
                "setVoxelSize() before compute()");
  checkArgument(triangles_ == TensorTriangles::All,
                "triangles",
                "those that are connected",
                "all of them for a mesh that is not organized");
  device::TensorMesh view{};
  view.points = rowView(vertices);
  view.normals = rowView(normals);
  view.triangles = triangles.ptr();
  view.triangle_count = static_cast<int>(triangles.size() / 3);
  run(device, view, nullptr, pairs, tensors, stream);
}

void
TensorExtraction::run(const Device& device,
                      const device::TensorMesh& mesh,
                      const ResolutionStatistics* statistics,
                      const PointPairs& pairs,
                      TensorSet& tensors,
                      const Stream& stream)
{
  const ScopedDevice scope(device);
  checkDevice("pairs", pairs.pairs, "cloud", device);
  checkDevice("number of pairs", pairs.count, "cloud", device);
  const std::size_t room = pairs.pairs.size();
  tensors.grid_size = grid_size_;
  createOn(device, tensors.frames, room);
  createOn(device, tensors.count, 1);
  createOn(device, tensors.starts, room + 1);
  const std::size_t entries = entriesFor(room, grid_size_, reserved_);
  createOn(device, tensors.voxels, entries);
  createOn(device, tensors.areas, entries);
  if (room == 0 || pairs.count.empty()) {
    fillAsync(device, tensors.count.ptr(), 0, sizeof(int), stream);
    fillAsync(device, tensors.starts.ptr(), 0, sizeof(std::uint32_t), stream);
    return;
  }
  device::TensorTask task{};
  task.mesh = mesh;
  task.statistics = statistics;
  task.pairs = pairs.pairs.ptr();
  task.pair_count = pairs.count.ptr();
  task.max_pairs = static_cast<int>(room);
  task.grid_size = grid_size_;
  task.voxel_size = voxel_size_ > 0.0f
                        ? device::ResolutionMultiple{voxel_size_, 1.0f}
                        : device::ResolutionMultiple{voxel_size_factor_, 0.0f};
  task.connected = triangles_ == TensorTriangles::Connected;
  task.min_area = min_area_;
  task.max_entries = static_cast<std::uint32_t>(entries);
  task.frames = tensors.frames.ptr();
  task.count = tensors.count.ptr();
  task.starts = tensors.starts.ptr();
  task.voxels = tensors.voxels.ptr();
  task.areas = tensors.areas.ptr();
  const device::ScratchBytes bytes =
      functionFor(device,
                  &device::host::tensorScratchBytes,
                  PCL_GPU_CUDA_ONLY(device::cuda::tensorScratchBytes))(task);
  task.scratch = takeScratch(device, bytes, false, kept_memory_, workspace_, stream);
  dispatch(device,
           &device::host::computeTensors,
           PCL_GPU_CUDA_ONLY(device::cuda::computeTensors),
           task,
           stream);
}

} // namespace pcl::gpu
