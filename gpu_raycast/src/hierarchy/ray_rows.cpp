// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_rows.hpp"

#include <pcl/gpu/raycast/ray_rows.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

template <typename T>
void
makeRoom(const DeviceArray<float>& rows, std::size_t numbers, DeviceArray<T>& elements)
{
  checkArgument(rows.size() % numbers == 0,
                "number of numbers",
                rows.size(),
                ("a multiple of " + std::to_string(numbers)).c_str());
  checkApart("rows", rows, elements);
  createOn(deviceOf(rows), elements, rows.size() / numbers);
}

} // namespace

void
toPoints(const DeviceArray<float>& rows,
         DeviceArray<PointXYZ>& points,
         const Stream& stream)
{
  const Device device = deviceOf(rows);
  const ScopedDevice scope(device);
  makeRoom(rows, 3, points);
  parallelFor(
      device,
      points.size(),
      device::ExpandPoints{rows.ptr(), reinterpret_cast<device::Float4*>(points.ptr())},
      stream);
}

void
toRays(const DeviceArray<float>& rows,
       DeviceArray<Ray>& rays,
       float nearest,
       float farthest,
       const Stream& stream)
{
  const Device device = deviceOf(rows);
  const ScopedDevice scope(device);
  makeRoom(rows, 6, rays);
  parallelFor(
      device,
      rays.size(),
      device::ExpandRays{
          rows.ptr(), reinterpret_cast<device::Float4*>(rays.ptr()), nearest, farthest},
      stream);
}

void
splitHitRows(const device::WorldTriangles& world,
             const DeviceArray<RayHit>& hits,
             RayHitArrays& arrays,
             const Stream& stream)
{
  const Device device = deviceOf(hits);
  const ScopedDevice scope(device);
  const std::size_t count = hits.size();
  createOn(device, arrays.distances, count);
  createOn(device, arrays.instances, count);
  createOn(device, arrays.triangles, count);
  createOn(device, arrays.barycentrics, 2 * count);
  createOn(device, arrays.normals, 3 * count);
  parallelFor(device,
              count,
              device::SplitHits{world,
                                reinterpret_cast<const device::RayHit*>(hits.ptr()),
                                arrays.distances.ptr(),
                                arrays.instances.ptr(),
                                arrays.triangles.ptr(),
                                arrays.barycentrics.ptr(),
                                arrays.normals.ptr()},
              stream);
}

} // namespace pcl::gpu
