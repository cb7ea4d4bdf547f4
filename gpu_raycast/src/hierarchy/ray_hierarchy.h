// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/internal/key_sort.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

struct RayHit;
struct RayHitArrays;

/** \brief A hierarchy of boxes over the triangles of a scene, and its memory.
 *
 * Kernels and loops cast rays with view(); see ray_trace.hpp.
 */
class RayHierarchy {
public:
  /** \brief Makes it from the scene as it is now. Steady state neither allocates nor
   * waits.
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  build(const MeshScene& scene, const Stream& stream);

  /** \return where it was built */
  const Device&
  getDevice() const
  {
    return device_;
  }

  /** \return what rays are cast at, valid until the next build() */
  device::Hierarchy
  view() const
  {
    return {nodes_.ptr(), leaves_.ptr(), size_.first_leaf};
  }

  /** \return the triangles that it was made from, valid until the next build() */
  const device::WorldTriangles&
  world() const
  {
    return world_;
  }

private:
  Device device_ = Device::host();
  device::HierarchySize size_{};
  device::WorldTriangles world_{};
  std::vector<device::Instance> instances_;
  MirroredTable<device::Instance> device_instances_;
  DeviceArray<device::Leaf> leaves_;
  DeviceArray<device::WideNode> nodes_;
  DeviceArray<unsigned int> counter_;
  Workspace workspace_;
};

/** \brief Copies each number of hits to an array of its own. */
void
splitHitRows(const device::WorldTriangles& world,
             const DeviceArray<RayHit>& hits,
             RayHitArrays& arrays,
             const Stream& stream);

} // namespace pcl::gpu
