// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"

#include "scene/scene_arrays.h"

#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

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
  world_ = task.world;
  task.size = size_ = device::sizeOfHierarchy(task.world.count);
  task.key_bits = keyBits(task.world.count);
  grow(leaves_, device_, size_.leaf_slots / device::leaf_size);
  grow(nodes_, device_, size_.nodes);
  task.leaves = leaves_.ptr();
  task.nodes = nodes_.ptr();
  task.counter = grown(counter_, device_, 1, 0, stream);

  const std::size_t count = task.world.count;
  device::KeySort sort{};
  sort.count = count;
  sort.bits = 3 * task.key_bits;
  char* sort_scratch = nullptr;
  takePieces(workspace_,
             Piece{sort.keys, count},
             Piece{sort.numbers, count},
             Piece{sort.other_keys, count},
             Piece{sort.other_numbers, count},
             Piece{task.boxes, size_.boxes()},
             Piece{sort_scratch, sortScratchBytes(device_, count, sort.bits)});
  task.keys = sort.keys;
  task.ids = sort.numbers;
  sort.scratch = sort_scratch;

  dispatch(device_, PCL_GPU_BOTH(makeKeys), task, stream);
  task.sorted_ids = sortByKeys(device_, sort, stream);
  dispatch(device_, PCL_GPU_BOTH(makeHierarchy), task, stream);
}

} // namespace pcl::gpu
