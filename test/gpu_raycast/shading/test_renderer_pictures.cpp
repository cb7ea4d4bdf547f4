// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "renderer_test.h"

#include <cmath>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RendererPictures : public DeviceTest {};

namespace {

/** \brief A mirror, a glass sphere and a dull one, on a floor, with everything there
 * is. */
MeshRenderer
everything()
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-4, 4, -4, 4, 6))));
  const int sphere = scene->addMesh(uploaded(icosphere(3, 0.8f, {0, 0, 0})));
  for (int i = 0; i < 3; ++i) {
    Pose pose = randomPose(static_cast<unsigned int>(i + 1), 0.0f);
    pose.translation() = Vector3f(1.5f * static_cast<float>(i - 1), 0.3f, 4);
    scene->addInstance(sphere, pose);
  }
  MeshRenderer renderer;
  renderer.setScene(scene);
  Material mirror;
  mirror.reflectivity = 0.7f;
  mirror.specular = 0.3f;
  mirror.shininess = 50;
  change(renderer, [&](auto& p) { p.instance_materials[1] = mirror; });
  Material glass;
  glass.transparency = 0.9f;
  change(renderer, [&](auto& p) {
    p.instance_materials[2] = glass;
    p.lights.push_back(Light::point({1, -3, 0}));
    p.lights.push_back(Light::directional({0.3f, 1, 0.5f}));
    p.lights.push_back(Light::disc({-2, -2, 1}, {1, 1, 2}, 0.4f));
    p.lights.push_back(Light::rectangle({0, -3, 3}, {0.5f, 0, 0}, {0, 0, 0.5f}));
    p.shadows = Shadows::Soft;
    p.soft_shadow_samples = 3;
    p.occlusion = AmbientOcclusion::ImageSpace;
    p.occlusion_radius = 0.5f;
    p.occlusion_samples = 4;
    p.background = {{0.3f, 0.5f, 0.9f}, {0.8f, 0.8f, 0.8f}, {0, -1, 0}};
  });
  return renderer;
}

const CameraView view = squareView(70, 0.6f);

} // namespace

TEST_P(RendererPictures, AreTheSameFromRunToRun)
{
  MeshRenderer renderer = everything();
  const Image<LinearColor> first = linearPicture(renderer, view);
  EXPECT_TRUE(sameBits(linearPicture(renderer, view), first));
  MeshRenderer copy = renderer;
  EXPECT_TRUE(sameBits(linearPicture(copy, view), first));
  MeshRenderer moved = std::move(copy);
  EXPECT_TRUE(sameBits(linearPicture(moved, view), first));
}

TEST_P(RendererPictures, AreTheSameByEveryMethod)
{
  MeshRenderer renderer = everything();
  const Image<LinearColor> first = linearPicture(renderer, view);
  for (const CastMethod method : {CastMethod::Visibility, CastMethod::TileGrid}) {
    change(renderer, [&](auto& p) { p.rays.method = method; });
    EXPECT_TRUE(sameBits(linearPicture(renderer, view), first));
  }
}

TEST_P(RendererPictures, ChangeWithTheSeedButLittle)
{
  MeshRenderer renderer = everything();
  const Image<LinearColor> first = linearPicture(renderer, view);
  change(renderer, [&](auto& p) { p.seed = 1; });
  const Image<LinearColor> second = linearPicture(renderer, view);
  EXPECT_FALSE(sameBits(first, second));
  double sums[2] = {};
  for (std::size_t i = 0; i < first.data.size(); ++i) {
    sums[0] += first.data[i].g;
    sums[1] += second.data[i].g;
  }
  EXPECT_NEAR(sums[0] / sums[1], 1.0, 0.01);
}

TEST_P(RendererPictures, AllPixelsAreWrittenAndMemoryIsKept)
{
  MeshRenderer renderer = everything();
  const Image<LinearColor> expected = linearPicture(renderer, view);
  DeviceArray2D<LinearColor> output = poisoned<LinearColor>(70, 70);
  const LinearColor* const before = output.ptr();
  renderer.renderLinear(view, output);
  EXPECT_EQ(output.ptr(), before);
  EXPECT_TRUE(sameBits(downloaded(output), expected));
  for (const LinearColor& pixel : expected.data)
    ASSERT_TRUE(std::isfinite(pixel.r + pixel.g + pixel.b) && pixel.r >= 0.0f);
}

TEST_P(RendererPictures, SizesMayChangeFromPictureToPicture)
{
  MeshRenderer renderer = everything();
  const Image<LinearColor> expected = linearPicture(renderer, view);
  for (const int size : {1, 7, 9, 33, 65}) {
    MeshRenderer fresh = everything();
    EXPECT_TRUE(sameBits(linearPicture(renderer, squareView(size, 0.6f)),
                         linearPicture(fresh, squareView(size, 0.6f))));
  }
  EXPECT_TRUE(sameBits(linearPicture(renderer, view), expected));
}

TEST_P(RendererPictures, OfNothingShowTheBackground)
{
  MeshRenderer renderer;
  renderer.setScene(std::make_shared<MeshScene>());
  change(renderer, [&](auto& p) {
    p.background = {{0, 1, 0}};
    p.lights.push_back(Light::point({0, 0, 0}));
  });
  for (const pcl::RGB& pixel : picture(renderer, squareView(5, 1.0f)).data) {
    EXPECT_EQ(pixel.g, 255);
    EXPECT_EQ(pixel.a, 0);
  }
}

TEST_P(RendererPictures, NaNIsNoMatter)
{
  HostMesh mesh = wall(-9, 9, -9, 9, 4);
  mesh.normals.assign(4, {NAN, NAN, NAN});
  mesh.addTriangle({NAN, 0, 2}, {1, 0, 2}, {0, 1, 2});
  mesh.normals.resize(mesh.vertices.size(), {0, 0, -1});
  MeshRenderer renderer;
  renderer.setScene(sceneOf(mesh));
  Material mirror;
  mirror.reflectivity = 0.5f;
  mirror.transparency = 0.5f;
  change(renderer, [&](auto& p) {
    p.material = mirror;
    p.lights.push_back(Light::point({0, 0, 0}));
  });
  for (const LinearColor& pixel : linearPicture(renderer, squareView(9, 1.0f)).data)
    EXPECT_TRUE(std::isfinite(pixel.r));
}

TEST(RendererOnBothDevices, PicturesAreTheSameBitForBit)
{
  Image<LinearColor> pictures[2][2];
  for (int i = 0; i < 2; ++i) {
    const auto scope = useDevice(i == 0 ? "cuda" : "host");
    MeshRenderer renderer = everything();
    pictures[i][0] = linearPicture(renderer, view);
    change(renderer, [&](auto& p) {
      p.occlusion = AmbientOcclusion::Rays;
      p.occlusion_radius = 0.5f;
      p.occlusion_samples = 4;
    });
    pictures[i][1] = linearPicture(renderer, view);
  }
  EXPECT_TRUE(sameBits(pictures[0][0], pictures[1][0]));
  EXPECT_TRUE(sameBits(pictures[0][1], pictures[1][1]));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererPictures);
