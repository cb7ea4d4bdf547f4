// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if BENCHMARKS_HAVE_EMBREE

#include "embree_caster.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <limits>
#include <string>

namespace benchmarks {

struct EmbreeCaster::Scene {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  RTCGeometry geometry = nullptr;

  ~Scene()
  {
    rtcReleaseGeometry(geometry);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
};

namespace {

constexpr int packet_size = 4; ///< along a side: a packet has 4 x 4 rays

} // namespace

EmbreeCaster::EmbreeCaster(const pcl::gpu::TriangleMesh& mesh,
                           EmbreeUpdate update,
                           int threads)
: scene_(new Scene)
, threads_(threads)
{
  Scene& s = *scene_;
  s.device = rtcNewDevice(("threads=" + std::to_string(threads)).c_str());
  s.scene = rtcNewScene(s.device);
  rtcSetSceneFlags(s.scene, RTC_SCENE_FLAG_DYNAMIC);
  rtcSetSceneBuildQuality(s.scene, RTC_BUILD_QUALITY_LOW);
  s.geometry = rtcNewGeometry(s.device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetGeometryBuildQuality(s.geometry,
                             update == EmbreeUpdate::Refit ? RTC_BUILD_QUALITY_REFIT
                                                           : RTC_BUILD_QUALITY_LOW);
  rtcSetSharedGeometryBuffer(s.geometry,
                             RTC_BUFFER_TYPE_VERTEX,
                             0,
                             RTC_FORMAT_FLOAT3,
                             mesh.vertices.ptr(),
                             0,
                             sizeof(pcl::PointXYZ),
                             mesh.vertices.size());
  rtcSetSharedGeometryBuffer(s.geometry,
                             RTC_BUFFER_TYPE_INDEX,
                             0,
                             RTC_FORMAT_UINT3,
                             mesh.triangles.ptr(),
                             0,
                             3 * sizeof(int),
                             mesh.triangles.size() / 3);
  rtcCommitGeometry(s.geometry);
  rtcAttachGeometry(s.scene, s.geometry);
  rtcCommitScene(s.scene);
}

EmbreeCaster::~EmbreeCaster() = default;

void
EmbreeCaster::update()
{
  rtcUpdateGeometryBuffer(scene_->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
  rtcCommitGeometry(scene_->geometry);
  rtcCommitScene(scene_->scene);
}

void
EmbreeCaster::cast(const pcl::gpu::CameraView& view)
{
  const int width = view.getWidth();
  const int height = view.getHeight();
  depth_.resize(static_cast<std::size_t>(width) * height);
  triangles_.resize(depth_.size());
  const Eigen::Matrix3f rotation = view.getPose().linear();
  const Eigen::Vector3f origin = view.getPose().translation();
  const int packets_across = (width + packet_size - 1) / packet_size;
  const int packets_down = (height + packet_size - 1) / packet_size;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_)
  for (int packet_row = 0; packet_row < packets_down; ++packet_row) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (int packet = 0; packet < packets_across; ++packet) {
      alignas(64) RTCRayHit16 rays;
      alignas(64) int valid[16];
      for (int i = 0; i < 16; ++i) {
        const int x = packet * packet_size + i % packet_size;
        const int y = packet_row * packet_size + i / packet_size;
        valid[i] = x < width && y < height ? -1 : 0;
        // The direction's z is 1 in the camera's frame: the ray's length is the depth.
        const float u = (static_cast<float>(x) - view.getCx()) / view.getFx();
        const float v = (static_cast<float>(y) - view.getCy()) / view.getFy();
        rays.ray.org_x[i] = origin.x();
        rays.ray.org_y[i] = origin.y();
        rays.ray.org_z[i] = origin.z();
        rays.ray.dir_x[i] = rotation(0, 0) * u + rotation(0, 1) * v + rotation(0, 2);
        rays.ray.dir_y[i] = rotation(1, 0) * u + rotation(1, 1) * v + rotation(1, 2);
        rays.ray.dir_z[i] = rotation(2, 0) * u + rotation(2, 1) * v + rotation(2, 2);
        rays.ray.tnear[i] = 0.0f;
        rays.ray.tfar[i] = std::numeric_limits<float>::infinity();
        rays.ray.time[i] = 0.0f;
        rays.ray.mask[i] = -1u;
        rays.ray.id[i] = i;
        rays.ray.flags[i] = 0;
        rays.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
        rays.hit.primID[i] = RTC_INVALID_GEOMETRY_ID;
        rays.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcIntersect16(valid, scene_->scene, &context, &rays);
      const int columns = std::min(packet_size, width - packet * packet_size);
      const int rows = std::min(packet_size, height - packet_row * packet_size);
      for (int row = 0; row < rows; ++row) {
        const std::size_t first =
            static_cast<std::size_t>(packet_row * packet_size + row) * width +
            packet * packet_size;
        for (int column = 0; column < columns; ++column) {
          const int i = row * packet_size + column;
          const bool hit = rays.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
          depth_[first + column] =
              hit ? rays.ray.tfar[i] : std::numeric_limits<float>::quiet_NaN();
          triangles_[first + column] = hit ? static_cast<int>(rays.hit.primID[i]) : -1;
        }
      }
    }
  }
}

} // namespace benchmarks

#endif
