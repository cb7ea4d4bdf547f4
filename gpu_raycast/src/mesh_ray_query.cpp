// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "ray_hierarchy.h"
#include "scene_arrays.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <utility>

namespace pcl::gpu {

static_assert(sizeof(Ray) == sizeof(device::Ray), "both must describe the same ray");
static_assert(sizeof(RayHit) == sizeof(device::RayHit), "both must describe a hit");

/** \brief Memory that stays from one call to the next. */
struct MeshRayQuery::Buffers {
  RayHierarchy hierarchy;
};

MeshRayQuery::MeshRayQuery() : buffers_(new Buffers) {}

MeshRayQuery::MeshRayQuery(const MeshRayQuery& other)
: scene_(other.scene_)
, culling_(other.culling_)
, buffers_(new Buffers)
{}

MeshRayQuery::MeshRayQuery(MeshRayQuery&&) noexcept = default;

MeshRayQuery&
MeshRayQuery::operator=(MeshRayQuery other) noexcept
{
  scene_ = std::move(other.scene_);
  culling_ = other.culling_;
  buffers_ = std::move(other.buffers_);
  return *this;
}

MeshRayQuery::~MeshRayQuery() = default;

void
MeshRayQuery::setScene(const MeshScene::ConstPtr& scene)
{
  checkArgument(scene != nullptr, "scene", "null", "a scene");
  scene_ = scene;
  buffers_->hierarchy.reset();
}

void
MeshRayQuery::setInputMesh(const TriangleMesh& mesh)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh));
  setScene(scene);
}

const MeshScene::ConstPtr&
MeshRayQuery::getScene() const
{
  return scene_;
}

void
MeshRayQuery::setCulling(Culling culling)
{
  checkEnumerator("culling", culling, Culling::Front);
  culling_ = culling;
}

void
MeshRayQuery::build(const Stream& stream)
{
  checkArgument(scene_ != nullptr, "scene", "not set", "setScene() before build()");
  buffers_->hierarchy.build(*scene_, stream);
}

template <typename T, typename Query>
void
MeshRayQuery::runQuery(const DeviceArray<Ray>& rays,
                       DeviceArray<T>& answers,
                       const Query& query)
{
  const RayHierarchy& hierarchy = buffers_->hierarchy;
  checkArgument(hierarchy.isBuilt(), "scene", "not built", "build() before rays");
  const Device& device = hierarchy.getDevice();
  checkDevice("rays", rays, "the scene", device);
  checkApart("rays", rays, answers);
  const ScopedDevice scope(device);
  createOn(device, answers, rays.size());
  if (rays.empty())
    return;
  const device::QueryTask task = {hierarchy.view(),
                                  hitSides(culling_),
                                  reinterpret_cast<const device::Ray*>(rays.ptr()),
                                  rays.size()};
  query(RayHierarchy::driverFor(device), task);
}

void
MeshRayQuery::castRays(const DeviceArray<Ray>& rays,
                       DeviceArray<RayHit>& hits,
                       const Stream& stream)
{
  runQuery(rays, hits, [&](const auto& driver, const auto& task) {
    driver.castRays(task, reinterpret_cast<device::RayHit*>(hits.ptr()), stream.get());
  });
}

void
MeshRayQuery::testOcclusion(const DeviceArray<Ray>& rays,
                            DeviceArray<std::uint8_t>& occluded,
                            const Stream& stream)
{
  runQuery(rays, occluded, [&](const auto& driver, const auto& task) {
    driver.testOcclusion(task, occluded.ptr(), stream.get());
  });
}

void
MeshRayQuery::countHits(const DeviceArray<Ray>& rays,
                        DeviceArray<int>& counts,
                        const Stream& stream)
{
  runQuery(rays, counts, [&](const auto& driver, const auto& task) {
    driver.countHits(task, counts.ptr(), stream.get());
  });
}

} // namespace pcl::gpu
