// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "embree_reference.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cmath>
#include <stdexcept>

namespace pcl::gpu::test {

namespace {

void
intersect(RTCScene scene, RTCRayHit& ray)
{
#if RTC_VERSION_MAJOR >= 4
  rtcIntersect1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray);
#endif
}

void
occlude(RTCScene scene, RTCRay& ray)
{
#if RTC_VERSION_MAJOR >= 4
  rtcOccluded1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &ray);
#endif
}

RTCRay
asEmbreeRay(const Ray& ray)
{
  RTCRay result{};
  result.org_x = ray.origin[0];
  result.org_y = ray.origin[1];
  result.org_z = ray.origin[2];
  result.tnear = ray.nearest;
  result.dir_x = ray.direction[0];
  result.dir_y = ray.direction[1];
  result.dir_z = ray.direction[2];
  result.tfar = ray.farthest;
  result.mask = ~0u;
  return result;
}

} // namespace

struct EmbreeScene::Scene {
  RTCDevice device = rtcNewDevice(nullptr);
  RTCScene scene = rtcNewScene(device);

  Scene() = default;
  Scene(const Scene&) = delete;
  Scene&
  operator=(const Scene&) = delete;

  ~Scene()
  {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
};

EmbreeScene::EmbreeScene(const HostMesh& mesh) : scene_(new Scene)
{
  rtcSetSceneFlags(scene_->scene, RTC_SCENE_FLAG_ROBUST);
  RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const auto newBuffer = [&](RTCBufferType type, RTCFormat format, std::size_t count) {
    return rtcSetNewGeometryBuffer(geometry, type, 0, format, 3 * 4, count);
  };
  auto* const vertices = static_cast<float*>(
      newBuffer(RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.vertices.size()));
  auto* const indices = static_cast<unsigned int*>(
      newBuffer(RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles.size() / 3));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      vertices[3 * i + axis] = mesh.vertices[i].data[axis];
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    indices[i] = static_cast<unsigned int>(mesh.triangles[i]);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_->scene);
  if (rtcGetDeviceError(scene_->device) != RTC_ERROR_NONE)
    throw std::runtime_error("Embree cannot build the scene");
}

EmbreeScene::~EmbreeScene() = default;

RayHit
EmbreeScene::cast(const Ray& ray) const
{
  RTCRayHit query{};
  query.ray = asEmbreeRay(ray);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  intersect(scene_->scene, query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
    return {NAN, -1, NAN, NAN};
  return {query.ray.tfar, static_cast<int>(query.hit.primID), query.hit.u, query.hit.v};
}

bool
EmbreeScene::isOccluded(const Ray& ray) const
{
  RTCRay query = asEmbreeRay(ray);
  occlude(scene_->scene, query);
  return query.tfar < 0.0f;
}

Image<Answer>
castByEmbree(const ReferenceCast& reference)
{
  HostMesh mesh;
  const auto& corners = reference.corners();
  for (std::size_t i = 0; i < corners.size(); i += 3)
    mesh.addTriangle(corners[i].cast<float>(),
                     corners[i + 1].cast<float>(),
                     corners[i + 2].cast<float>());
  const EmbreeScene scene(mesh);
  const CameraView& view = reference.view();
  Image<Answer> answers(view.getHeight(), view.getWidth());
#pragma omp parallel for schedule(dynamic, 8)
  for (int y = 0; y < view.getHeight(); ++y)
    for (int x = 0; x < view.getWidth(); ++x) {
      const Eigen::Vector2f slopes = reference.slopes(x, y).cast<float>();
      Ray ray{};
      ray.farthest = INFINITY;
      ray.direction[2] = 1.0f;
      float* const start = view.isOrthographic() ? ray.origin : ray.direction;
      start[0] = slopes.x();
      start[1] = slopes.y();
      const RayHit hit = scene.cast(ray);
      answers.at(y, x) = {hit.triangle, static_cast<double>(hit.distance)};
    }
  return answers;
}

} // namespace pcl::gpu::test
