// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"

#include "scene/scene_arrays.h"

#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

/** \brief Bits of the sort keys along each axis.
 *
 * A surface passes through 4^bits cells or more. More cells than triangles order little
 * better, and every eight bits of a key cost a pass over all triangles.
 */
int
keyBits(std::uint32_t triangles)
{
  return triangles <= 2000000u ? 8 : 10;
}

} // namespace

void
RayHierarchy::build(const MeshScene& scene, const Stream& stream)
{
  device_ = deviceOf(scene);
  const ScopedDevice scope(device_);

  instances_.clear();
  appendInstances(scene, ExactPose::Identity(), instances_);
  device::BuildTask task{};
  task.world = {device_instances_.upload(device_, instances_, stream),
                scene.getNumberOfInstances(),
                static_cast<std::uint32_t>(scene.getNumberOfTriangles())};
  task.size = size_ = device::sizeOfHierarchy(task.world.count);
  task.key_bits = keyBits(task.world.count);
  grow(leaves_, device_, size_.leaf_slots / device::leaf_size);
  grow(nodes_, device_, size_.nodes);
  if (grow(counter_, device_, 1))
    fillAsync(device_, counter_.ptr(), 0, counter_.sizeBytes(), stream);
  task.leaves = leaves_.ptr();
  task.nodes = nodes_.ptr();
  task.counter = counter_.ptr();

  const std::size_t count = task.world.count;
  const std::size_t boxes = functionFor(device_, PCL_GPU_BOTH(boxCount))(size_);
  device::KeySort sort{};
  sort.count = count;
  sort.bits = 3 * task.key_bits;
  const std::size_t sort_bytes = sortScratchBytes(device_, sort.count, sort.bits);
  workspace_.reserve(4 * Workspace::bytesFor<std::uint32_t>(count) +
                     Workspace::bytesFor<device::Box>(boxes) +
                     Workspace::bytesFor<char>(sort_bytes));
  task.keys = sort.keys = workspace_.take<std::uint32_t>(count);
  task.ids = sort.numbers = workspace_.take<std::uint32_t>(count);
  sort.other_keys = workspace_.take<std::uint32_t>(count);
  sort.other_numbers = workspace_.take<std::uint32_t>(count);
  task.boxes = workspace_.take<device::Box>(boxes);
  sort.scratch = workspace_.take<char>(sort_bytes);

  dispatch(device_, PCL_GPU_BOTH(makeKeys), task, stream);
  task.sorted_ids = sortByKeys(device_, sort, stream);
  dispatch(device_, PCL_GPU_BOTH(makeHierarchy), task, stream);
}

} // namespace pcl::gpu
