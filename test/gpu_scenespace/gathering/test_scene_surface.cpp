// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/average_case.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>

#include <gtest/gtest.h>

#include <cmath>

namespace pcl::gpu::test {

namespace {

class SurfacesOfSamples : public DeviceTest {};

/** \brief Frames of one camera that look at walls, pixel by pixel. */
struct Walls {
  PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 50, 37);
  std::vector<std::vector<float>> depths;

  std::vector<SceneFrame::ConstPtr>
  upload() const
  {
    std::vector<SceneFrame::ConstPtr> frames;
    for (std::size_t i = 0; i < depths.size(); ++i) {
      DeviceArray2D<float> depth;
      depth.upload(depths[i], camera.width);
      DeviceArray2D<RGB> color;
      color.upload(std::vector<RGB>(depths[i].size()), camera.width);
      const auto frame = std::make_shared<SceneFrame>();
      frame->set(color, depth, camera, Pose::Identity(), static_cast<int>(i));
      frames.push_back(frame);
    }
    return frames;
  }

  SceneView
  view() const
  {
    SceneView made;
    made.camera = camera;
    return made;
  }

  /** \brief A wall that frames see at some depths. */
  void
  add(const std::vector<float>& wall_depths)
  {
    for (const float depth : wall_depths)
      depths.emplace_back(std::size_t(camera.width) * camera.height, depth);
  }
};

std::vector<float>
surface(SceneSurface& surfaces,
        const SceneView& view,
        const std::vector<SceneFrame::ConstPtr>& frames,
        const std::vector<float>& weights = {})
{
  surfaces.begin(view);
  surfaces.add(frames, weights);
  DeviceArray2D<float> depth;
  surfaces.finish(depth);
  return downloaded(depth);
}

void
expectAll(const std::vector<float>& depths, float expected)
{
  for (std::size_t i = 0; i < depths.size(); ++i)
    ASSERT_NEAR(depths[i], expected, 1e-5f * expected) << "pixel " << i;
}

TEST_P(SurfacesOfSamples, AreMeansOfTheirDepths)
{
  Walls walls;
  walls.add({2.0f, 2.02f, 1.98f, 2.04f});
  SceneSurface surfaces;
  expectAll(surface(surfaces, walls.view(), walls.upload()), 2.01f);
}

TEST_P(SurfacesOfSamples, AreTheNearestOnesWithSupport)
{
  Walls walls;
  walls.add({3.0f, 3.0f, 1.0f, 3.0f, 2.0f, 2.0f, 3.0f, 3.0f, 3.0f, 3.0f});
  SceneSurface surfaces;
  expectAll(surface(surfaces, walls.view(), walls.upload()), 2.0f);
  change(surfaces, [&](auto& p) { p.least_support = 0.05f; });
  expectAll(surface(surfaces, walls.view(), walls.upload()), 1.0f);
  change(surfaces, [&](auto& p) { p.least_support = 0.3f; });
  expectAll(surface(surfaces, walls.view(), walls.upload()), 3.0f);
}

TEST_P(SurfacesOfSamples, AreThoseThatMostFramesSee)
{
  Walls walls;
  walls.add({1.0f, 1.0f, 3.0f, 3.0f, 3.0f, 4.0f});
  SceneSurface surfaces;
  change(surfaces, [&](auto& p) { p.choice = SurfaceChoice::MostSeen; });
  expectAll(surface(surfaces, walls.view(), walls.upload()), 3.0f);
}

TEST_P(SurfacesOfSamples, CountFramesByTheirWeights)
{
  Walls walls;
  walls.add({1.0f, 2.0f, 3.0f});
  SceneSurface surfaces;
  change(surfaces, [&](auto& p) { p.choice = SurfaceChoice::MostSeen; });
  expectAll(surface(surfaces, walls.view(), walls.upload(), {1.0f, 2.0f, 1.5f}), 2.0f);
  expectAll(surface(surfaces, walls.view(), walls.upload(), {0.0f, 1.0f, 3.0f}), 3.0f);
}

TEST_P(SurfacesOfSamples, KeepTheLayersThatMostSpeaksFor)
{
  Walls walls;
  walls.add({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  SceneSurface surfaces;
  change(surfaces, [&](auto& p) { p.choice = SurfaceChoice::MostSeen; });
  const std::vector<float> weights = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 3.0f};
  expectAll(surface(surfaces, walls.view(), walls.upload(), weights), 6.0f);
}

TEST_P(SurfacesOfSamples, AreMissingWhereThereAreNoSamples)
{
  Walls walls;
  walls.add({std::nanf("")});
  SceneSurface surfaces;
  for (const float depth : surface(surfaces, walls.view(), walls.upload()))
    ASSERT_TRUE(std::isnan(depth));
}

TEST_P(SurfacesOfSamples, AreThoseOfTheOutputsCamera)
{
  Walls walls;
  walls.add({2.0f, 2.0f});
  SceneView view = walls.view();
  view.pose.translation().z() = 0.5f;
  SceneSurface surfaces;
  expectAll(surface(surfaces, view, walls.upload()), 1.5f);
}

TEST_P(SurfacesOfSamples, AreTheSameOnTheHost)
{
  for (const RigMotion motion :
       {RigMotion::Small, RigMotion::Forward, RigMotion::Wild}) {
    RigSettings settings;
    settings.motion = motion;
    settings.frames = 9;
    const AverageCase input(14, settings);
    SceneSurface surfaces;
    const auto here = surface(surfaces, input.rig.view, input.upload(), input.weights);
    const auto scope = useDevice("host");
    SceneSurface on_host;
    const auto there = surface(on_host, input.rig.view, input.upload(), input.weights);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i)
      ASSERT_TRUE(here[i] == there[i] || (std::isnan(here[i]) && std::isnan(there[i])))
          << "pixel " << i << ": " << here[i] << " and " << there[i];
  }
}

TEST_P(SurfacesOfSamples, RejectWhatIsNoInput)
{
  Walls walls;
  walls.add({1.0f});
  SceneSurface surfaces;
  DeviceArray2D<float> depth;
  EXPECT_THROW(surfaces.add(walls.upload()), InitFailedException);
  EXPECT_THROW(surfaces.finish(depth), InitFailedException);
  expectBadArgument("tolerance",
                    [&] { change(surfaces, [&](auto& p) { p.tolerance = 0.0f; }); });
  expectBadArgument("least support", [&] {
    change(surfaces, [&](auto& p) { p.least_support = 1.1f; });
  });
  expectBadArgument("sigma_pixel",
                    [&] { change(surfaces, [&](auto& p) { p.sigma_pixel = 0.0f; }); });
  expectBadArgument("surface choice", [&] {
    change(surfaces, [&](auto& p) { p.choice = static_cast<SurfaceChoice>(7); });
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SurfacesOfSamples);

} // namespace

} // namespace pcl::gpu::test
