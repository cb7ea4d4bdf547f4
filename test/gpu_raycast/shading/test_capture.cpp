// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/change_parameters.h"
#include "renderer_test.h"

#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

/** \brief A second run neither waits nor allocates, so that it can be captured, and its
 * graph gives the same. */
class Captures : public DeviceTest {};

} // namespace

TEST_P(Captures, OfPictures)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-4, 4, -4, 4, 6))));
  scene->addInstance(scene->addMesh(uploaded(icosphere(3, 1.0f, {0, 0, 3}))));
  const CameraView view = squareView(50, 0.6f);
  const Stream stream = Stream::create();
  for (const Shadows shadows : {Shadows::Hard, Shadows::Soft})
    for (const AmbientOcclusion occlusion :
         {AmbientOcclusion::ImageSpace, AmbientOcclusion::Rays})
      for (const float reflectivity : {0.0f, 0.5f}) {
        MeshRenderer renderer;
        renderer.setScene(scene);
        change(renderer, [&](auto& p) {
          p.lights.push_back(Light::point({1, -3, 0}));
          p.lights.push_back(Light::disc({-2, -2, 1}, {1, 1, 2}, 0.4f));
          p.shadows = shadows;
          p.occlusion = occlusion;
          p.occlusion_radius = 0.5f;
          p.occlusion_samples = 2;
        });
        Material material;
        material.reflectivity = reflectivity;
        change(renderer, [&](auto& p) { p.instance_materials[1] = material; });
        DeviceArray2D<LinearColor> picture;
        captureAndLaunch(stream, [&] { renderer.renderLinear(view, picture, stream); });
        MeshRenderer other = renderer;
        EXPECT_TRUE(sameBits(downloaded(picture), linearPicture(other, view)));
      }
}

TEST_P(Captures, OfQueries)
{
  MeshRayQuery query;
  query.setScene(sceneOf(icosphere(3, 1.0f, {0, 0, 3})));
  std::vector<Ray> host_rays(1000);
  for (int i = 0; i < 1000; ++i) {
    Vector3f::Map(host_rays[i].origin) = Vector3f(0, 0, 0);
    Vector3f::Map(host_rays[i].direction) =
        Vector3f(0.02f * (i % 40 - 20), 0.02f * (i / 40 - 12), 1);
  }
  DeviceArray<Ray> rays;
  rays.upload(host_rays);
  DeviceArray<RayHit> hits;
  DeviceArray<std::uint8_t> occluded;
  DeviceArray<int> counts;
  const Stream stream = Stream::create();
  captureAndLaunch(stream, [&] {
    query.build(stream);
    query.castRays(rays, hits, stream);
    query.testOcclusion(rays, occluded, stream);
    query.countHits(rays, counts, stream);
  });
  const std::vector<RayHit> found = downloaded(hits);
  const std::vector<std::uint8_t> hidden = downloaded(occluded);
  const std::vector<int> numbers = downloaded(counts);
  int inside = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(found[i].triangle >= 0, hidden[i] != 0);
    // More along edges.
    if (hidden[i])
      EXPECT_GE(numbers[i], 2);
    else
      EXPECT_EQ(numbers[i], 0);
    inside += hidden[i];
  }
  EXPECT_GT(inside, 100);
  EXPECT_LT(inside, 900);
}

TEST_P(Captures, OfDeformations)
{
  const TriangleMesh rest = uploaded(icosphere(3, 1.0f, {0, 0, 3}));
  MeshDeformation deformation;
  change(deformation, [&](auto& p) {
    p.kind = Deformation::Twist;
    p.center = {0, 0, 3};
    p.radius = 1.0f;
  });
  TriangleMesh deformed, expected;
  deformation.compute(rest, 0.3f, expected);
  const Stream stream = Stream::create();
  captureAndLaunch(stream, [&] { deformation.compute(rest, 0.3f, deformed, stream); });
  const std::vector<pcl::PointXYZ> found = downloaded(deformed.vertices);
  const std::vector<pcl::PointXYZ> right = downloaded(expected.vertices);
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i].getVector3fMap(), right[i].getVector3fMap());
}

INSTANTIATE_TEST_SUITE_P(Devices, Captures, ::testing::Values("cuda"), deviceTestName);
