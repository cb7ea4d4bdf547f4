// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"
#include "scene/scene_arrays.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <limits>
#include <utility>

namespace pcl::gpu {

static_assert(sizeof(Ray) == sizeof(device::Ray), "both must describe the same ray");
static_assert(sizeof(RayHit) == sizeof(device::RayHit), "both must describe a hit");

namespace {

template <typename T, typename Answer>
void
answerRays(const RayHierarchy& hierarchy,
           const MeshRayQueryParameters& parameters,
           const DeviceArray<Ray>& rays,
           DeviceArray<T>& answers,
           Answer* device::QueryTask::*asked_for,
           const Stream& stream)
{
  static_assert(sizeof(T) == sizeof(Answer), "both must describe the same answer");
  const Device& device = hierarchy.getDevice();
  checkDevice("rays", rays, "the scene", device);
  checkApart("rays", rays, answers);
  const ScopedDevice scope(device);
  createOn(device, answers, rays.size());
  if (rays.empty())
    return;
  device::QueryTask task{};
  task.hierarchy = hierarchy.view();
  task.culling = parameters.culling;
  task.rays = reinterpret_cast<const device::Ray*>(rays.ptr());
  task.count = rays.size();
  task.*asked_for = reinterpret_cast<Answer*>(answers.ptr());
  dispatch(device, PCL_GPU_BOTH(answerRays), task, stream);
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct MeshRayQuery::Buffers {
  RayHierarchy hierarchy;
  MeshScene::ConstPtr built; ///< of the hierarchy; null before the first build()
  Workspace lists;
};

void
MeshRayQueryParameters::validate() const
{
  checkEnumerator("culling", culling, Culling::Front);
}

void
MeshRayQuery::build(const Stream& stream)
{
  checkArgument(getScene() != nullptr, "scene", "not set", "setScene() before build()");
  Buffers& buffers = buffers_.get();
  buffers.built = nullptr;
  buffers.hierarchy.build(*getScene(), stream);
  buffers.built = getScene();
}

const RayHierarchy&
MeshRayQuery::hierarchy()
{
  Buffers& buffers = buffers_.get();
  checkArgument(buffers.built != nullptr && buffers.built == getScene(),
                "scene",
                "not built",
                "build() before rays");
  return buffers.hierarchy;
}

void
MeshRayQuery::castRays(const DeviceArray<Ray>& rays,
                       DeviceArray<RayHit>& hits,
                       const Stream& stream)
{
  answerRays(hierarchy(), parameters_, rays, hits, &device::QueryTask::hits, stream);
}

void
MeshRayQuery::testOcclusion(const DeviceArray<Ray>& rays,
                            DeviceArray<std::uint8_t>& occluded,
                            const Stream& stream)
{
  answerRays(
      hierarchy(), parameters_, rays, occluded, &device::QueryTask::occluded, stream);
}

void
MeshRayQuery::countHits(const DeviceArray<Ray>& rays,
                        DeviceArray<int>& counts,
                        const Stream& stream)
{
  answerRays(
      hierarchy(), parameters_, rays, counts, &device::QueryTask::counts, stream);
}

void
MeshRayQuery::listHits(const DeviceArray<Ray>& rays,
                       RayHitList& list,
                       const Stream& stream)
{
  const RayHierarchy& built = hierarchy();
  const Device& device = built.getDevice();
  checkDevice("rays", rays, "the scene", device);
  checkApart("rays", rays, list.hits);
  const ScopedDevice scope(device);
  device::ListTask task{};
  task.hierarchy = built.view();
  task.culling = parameters_.culling;
  task.rays = reinterpret_cast<const device::Ray*>(rays.ptr());
  task.count = rays.size();
  std::uint64_t number = 0;
  if (task.count > 0) {
    const auto scratchBytes = functionFor(device, PCL_GPU_BOTH(endsScratchBytes));
    takePieces(buffers_.get().lists,
               Piece(task.ends, task.count),
               Piece(task.scratch, scratchBytes(task.count)));
    dispatch(device, PCL_GPU_BOTH(findEnds), task, stream);
    copyAsync(task.ends + task.count - 1, &number, sizeof(number), stream);
    stream.synchronize();
  }
  checkArgument(number <= std::numeric_limits<std::uint32_t>::max(),
                "number of hits",
                number,
                "less than 2^32");
  createOn(device, list.starts, task.count + 1);
  createOn(device, list.rays, number);
  createOn(device, list.hits, number);
  if (task.count == 0)
    return fillAsync(device, list.starts.ptr(), 0, list.starts.sizeBytes(), stream);
  task.starts = list.starts.ptr();
  task.numbers = list.rays.ptr();
  task.hits = reinterpret_cast<device::RayHit*>(list.hits.ptr());
  dispatch(device, PCL_GPU_BOTH(listHits), task, stream);
}

void
MeshRayQuery::splitHits(const DeviceArray<RayHit>& hits,
                        RayHitArrays& arrays,
                        const Stream& stream)
{
  const RayHierarchy& built = hierarchy();
  checkDevice("hits", hits, "the scene", built.getDevice());
  splitHitRows(built.world(), hits, arrays, stream);
}

} // namespace pcl::gpu
