// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "embree_reference.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cmath>
#include <limits>
#include <stdexcept>

namespace pcl {
namespace gpu {
namespace test {

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

} // namespace

struct EmbreeReference::Scene {
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

EmbreeReference::EmbreeReference(const ReferenceCast& reference)
: reference_(reference)
, scene_(new Scene)
{
  const auto& corners = reference.corners();
  rtcSetSceneFlags(scene_->scene, RTC_SCENE_FLAG_ROBUST);
  RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const auto newBuffer = [&](RTCBufferType type, RTCFormat format, std::size_t count) {
    return rtcSetNewGeometryBuffer(geometry, type, 0, format, 3 * 4, count);
  };
  auto* const vertices = static_cast<float*>(
      newBuffer(RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, corners.size()));
  auto* const indices = static_cast<unsigned int*>(
      newBuffer(RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      vertices[3 * i + axis] = static_cast<float>(corners[i][axis]);
    indices[i] = static_cast<unsigned int>(i);
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_->scene);
  if (rtcGetDeviceError(scene_->device) != RTC_ERROR_NONE)
    throw std::runtime_error("Embree cannot build the scene");
}

EmbreeReference::~EmbreeReference() = default;

Image<Answer>
EmbreeReference::cast() const
{
  const CameraView& view = reference_.view();
  Image<Answer> answers(view.getHeight(), view.getWidth());
#pragma omp parallel for schedule(dynamic, 8)
  for (int y = 0; y < view.getHeight(); ++y)
    for (int x = 0; x < view.getWidth(); ++x) {
      const Eigen::Vector2f slopes = reference_.slopes(x, y).cast<float>();
      const bool parallel = view.isOrthographic();
      RTCRayHit ray{};
      ray.ray.org_x = parallel ? slopes.x() : 0.0f;
      ray.ray.org_y = parallel ? slopes.y() : 0.0f;
      ray.ray.dir_x = parallel ? 0.0f : slopes.x();
      ray.ray.dir_y = parallel ? 0.0f : slopes.y();
      ray.ray.dir_z = 1.0f;
      ray.ray.tfar = std::numeric_limits<float>::infinity();
      ray.ray.mask = ~0u;
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      intersect(scene_->scene, ray);
      const bool hit = ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
      answers.at(y, x) = {hit ? static_cast<int>(ray.hit.primID) : -1,
                          hit ? static_cast<double>(ray.ray.tfar) : std::nan("")};
    }
  return answers;
}

} // namespace test
} // namespace gpu
} // namespace pcl
