// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"
#include "scene/scene_arrays.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

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
MeshRayQuery::splitHits(const DeviceArray<RayHit>& hits,
                        RayHitArrays& arrays,
                        const Stream& stream)
{
  const RayHierarchy& built = hierarchy();
  checkDevice("hits", hits, "the scene", built.getDevice());
  splitHitRows(built.world(), hits, arrays, stream);
}

} // namespace pcl::gpu
