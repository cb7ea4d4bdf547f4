// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "renderer_test.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cmath>
#include <memory>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

class RendererMeshes : public DeviceTest {};

namespace {

/** \brief Says what is hidden from what, as Embree's robust mode sees it. */
class EmbreeOcclusion {
public:
  explicit EmbreeOcclusion(const HostMesh& mesh)
  : device_(rtcNewDevice(nullptr), &rtcReleaseDevice)
  , scene_(rtcNewScene(device_.get()), &rtcReleaseScene)
  {
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry,
                               RTC_BUFFER_TYPE_VERTEX,
                               0,
                               RTC_FORMAT_FLOAT3,
                               mesh.vertices.data(),
                               0,
                               sizeof(pcl::PointXYZ),
                               mesh.vertices.size());
    rtcSetSharedGeometryBuffer(geometry,
                               RTC_BUFFER_TYPE_INDEX,
                               0,
                               RTC_FORMAT_UINT3,
                               mesh.triangles.data(),
                               0,
                               3 * sizeof(int),
                               mesh.triangles.size() / 3);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_.get(), geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_.get());
  }

  bool
  isHidden(const Vector3d& from, const Vector3d& to) const
  {
    const Vector3f origin = from.cast<float>();
    const Vector3f way = (to - from).cast<float>();
    RTCRay ray{};
    ray.org_x = origin.x();
    ray.org_y = origin.y();
    ray.org_z = origin.z();
    ray.dir_x = way.x();
    ray.dir_y = way.y();
    ray.dir_z = way.z();
    ray.tfar = 1.0f;
    ray.mask = ~0u;
#if RTC_VERSION_MAJOR >= 4
    rtcOccluded1(scene_.get(), &ray);
#else
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene_.get(), &context, &ray);
#endif
    return ray.tfar < 0.0f;
  }

private:
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene_;
};

/** \brief The mesh on a floor, which its lowest point touches. */
void
addFloor(HostMesh& mesh, const Eigen::AlignedBox3f& box)
{
  const float size = 4.0f * box.sizes().maxCoeff();
  const Vector3f middle(box.center().x(), box.min().y(), box.center().z());
  const Vector3f x(size, 0, 0), z(0, 0, size);
  mesh.addTriangle(middle - x - z, middle - x + z, middle + x + z);
  mesh.addTriangle(middle - x - z, middle + x + z, middle + x - z);
}

} // namespace

TEST_P(RendererMeshes, ShadowsOfTheBunnyAreEmbrees)
{
  HostMesh mesh = loadMesh("bunny_69k.ply.xz");
  mesh.normals.clear();
  mesh.colors.clear();
  Eigen::AlignedBox3f box;
  for (const pcl::PointXYZ& v : mesh.vertices)
    box.extend(v.getVector3fMap());
  addFloor(mesh, box);
  const float size = box.sizes().maxCoeff();
  const Vector3f eye = box.center() + size * Vector3f(0.8f, 0.7f, 1.6f);
  const CameraView view = squareView(256, 0.5f, lookAt(eye, box.center()));
  // Before and behind the camera, and low beside the mesh.
  const Vector3f lamps[3] = {box.center() + size * Vector3f(-1.0f, 2.0f, 0.3f),
                             box.center() + size * Vector3f(2.0f, 1.5f, 3.0f),
                             box.center() + size * Vector3f(-2.5f, 0.4f, -0.5f)};
  MeshRenderer renderer = darkRenderer(mesh);
  for (int i = 0; i < 3; ++i) {
    Light light = Light::point(lamps[i]);
    light.color = Vector3f::Unit(i);
    renderer.addLight(light);
  }
  const Image<LinearColor> image = linearPicture(renderer, view);

  MeshRayCaster caster;
  caster.setScene(renderer.getScene());
  caster.setOutputs(TrianglesOutput | BarycentricsOutput);
  RayCastImages seen;
  caster.cast(view, seen);
  const Image<int> triangles = downloaded(seen.triangles);
  const Image<Barycentrics> weights = downloaded(seen.barycentrics);
  const EmbreeOcclusion embree(mesh);
  int compared = 0, shadowed = 0, different = 0;
  for (std::size_t i = 0; i < triangles.data.size(); ++i) {
    const int id = triangles.data[i];
    if (id < 0)
      continue;
    const auto corner = [&](int j) -> Vector3d {
      return mesh.vertices[mesh.triangles[3 * id + j]].getVector3fMap().cast<double>();
    };
    const double u = weights.data[i].u, v = weights.data[i].v;
    const Vector3d across =
        (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    const Vector3d point = (1.0 - u - v) * corner(0) + u * corner(1) + v * corner(2);
    const Vector3d normal =
        across.dot(eye.cast<double>() - point) > 0.0 ? across : Vector3d(-across);
    const float channels[3] = {image.data[i].r, image.data[i].g, image.data[i].b};
    for (int l = 0; l < 3; ++l) {
      const Vector3d lamp = lamps[l].cast<double>();
      if (normal.dot((lamp - point).normalized()) < 1e-4)
        continue;
      const bool hidden = embree.isHidden(point + 1e-6 * size * normal, lamp);
      ++compared;
      shadowed += hidden;
      different += hidden != (channels[l] == 0.0f);
    }
  }
  EXPECT_GT(compared, 100000);
  EXPECT_GT(shadowed, 5000);
  // Where a ray grazes an edge, rounding decides.
  EXPECT_LE(different, compared / 20000);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererMeshes);
