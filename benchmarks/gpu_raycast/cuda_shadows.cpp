// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tables.h"
#include "hierarchy/ray_hierarchy.h"
#include "scene/scene_arrays.h"
#include "seen_points.h"
#include "testing/paper_shadows/paper_shadows.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;
using namespace pcl::gpu::test;
namespace device = pcl::device;

namespace {

/** \brief A scene and its camera, as the drivers see them. */
class Frame {
public:
  Frame(const MeshScene& scene, const CameraView& view)
  {
    const ExactPose world_to_camera = view.getPose().cast<double>().inverse();
    appendInstances(scene, ExactPose::Identity(), in_world_);
    appendInstances(scene, world_to_camera, in_camera_);
    device_in_world_.upload(in_world_);
    device_in_camera_.upload(in_camera_);
    own_view_ =
        viewOf(view, 0.0f, std::numeric_limits<float>::infinity(), Culling::None);
    listing_view_ = own_view_;
    listing_view_.camera = listingCamera(own_view_.camera);

    constexpr int tile_shift = 3;
    const auto tiles = [](int pixels) { return ((pixels - 1) >> tile_shift) + 1; };
    grid_.layout = {tile_shift,
                    tiles(view.getWidth()),
                    tiles(view.getHeight()),
                    16,
                    device::SlabSpacing::ProjectedDepth};
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column)
        grid_.to_camera.m[row][column] =
            static_cast<float>(world_to_camera(row, column));
    grid_.translation = translationOf(grid_.to_camera);
    for (const auto* instances : {&in_world_, &in_camera_})
      for (const device::Instance& instance : *instances)
        grid_.translation =
            std::max(grid_.translation, translationOf(instance.transform));
    const auto count = static_cast<std::uint32_t>(scene.getNumberOfTriangles());
    grid_.world = {device_in_world_.ptr(), scene.getNumberOfInstances(), count};
  }

  /** \brief The frame's own grid. */
  PaperShadows
  ownGrid() const
  {
    return newGrid(own_view_);
  }

  /** \brief The same with all triangles in sight. */
  PaperShadows
  gridForShadows() const
  {
    return newGrid(listing_view_);
  }

private:
  PaperShadows
  newGrid(const device::View& view) const
  {
    device::CastTask task{};
    task.instances = in_camera_.data();
    task.instance_count = static_cast<int>(in_camera_.size());
    task.views = &view;
    task.view_count = 1;
    ShadowGrid grid = grid_;
    grid.camera = view.camera;
    return PaperShadows(
        task, grid, {device_in_camera_.ptr(), task.instance_count, grid.world.count});
  }

  std::vector<device::Instance> in_world_, in_camera_;
  DeviceArray<device::Instance> device_in_world_, device_in_camera_;
  device::View own_view_{}, listing_view_{};
  ShadowGrid grid_{};
};

/** \brief Makes a grid with its lists in order, and returns the number of their
 * entries. */
std::size_t
make(PaperShadows& shadows, const Stream& stream)
{
  shadows.makeGrid(stream.get());
  return shadows.prepareRays(stream.get());
}

/** \throws std::runtime_error if answers differ */
void
checkAnswers(const DeviceArray<std::uint8_t>& actual,
             const DeviceArray<std::uint8_t>& expected)
{
  std::vector<std::uint8_t> a, b;
  actual.download(a);
  expected.download(b);
  std::size_t different = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    different += a.at(i) != b[i] ? 1 : 0;
  if (different > 0)
    throw std::runtime_error("line drawing and hierarchy disagree about " +
                             std::to_string(different) + " of " +
                             std::to_string(b.size()) + " shadow rays");
}

/** \brief Line drawing and the hierarchy, with the rays to one light. */
void
printLight(const std::vector<Ray>& shadow_rays,
           const PaperShadows& shadows,
           const RayHierarchy& hierarchy,
           MeshRayQuery& query,
           const CudaTimer& timer,
           const Stream& stream)
{
  DeviceArray<Ray> rays;
  rays.upload(shadow_rays);
  DeviceArray<std::uint8_t> drawn, expected;
  constexpr std::uint8_t unanswered = 77;
  drawn.upload(std::vector<std::uint8_t>(rays.size(), unanswered));
  const device::QueryTask task = {hierarchy.view(),
                                  Culling::None,
                                  reinterpret_cast<const device::Ray*>(rays.ptr()),
                                  rays.size(),
                                  nullptr,
                                  drawn.ptr(),
                                  nullptr};
  DeviceArray<unsigned int> went_on;
  went_on.upload(std::vector<unsigned int>{0});
  shadows.testOcclusion(task, went_on.ptr(), stream.get());
  query.testOcclusion(rays, expected, stream);
  stream.synchronize();
  checkAnswers(drawn, expected);
  unsigned int count = 0;
  went_on.download(&count);

  const auto draw = [&] { shadows.testOcclusion(task, nullptr, stream.get()); };
  const auto ask = [&] { query.testOcclusion(rays, expected, stream); };
  std::cout << ' ' << count << " | " << microseconds(timer.graph(draw)) << " | "
            << microseconds(timer.graph(ask)) << " |";
  checkAnswers(drawn, expected);
}

} // namespace

void
printShadows(const Case& test, const CudaTimer& timer, const Stream& stream)
{
  const TriangleMesh mesh = uploaded(test.mesh);
  const CameraView view = test.view();
  const SeenPoints seen(mesh, view);
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh));
  RayHierarchy hierarchy;
  hierarchy.build(*scene, stream);
  MeshRayQuery query;
  query.setScene(scene);
  query.build(stream);

  const Frame frame(*scene, view);
  std::size_t own_entries = 0;
  {
    PaperShadows own = frame.ownGrid();
    own_entries = make(own, stream);
  }
  PaperShadows shadows = frame.gridForShadows();
  const std::size_t entries = make(shadows, stream);
  // Measured on another one, so that the lists of this one stay in order.
  PaperShadows again = frame.gridForShadows();
  const auto make_grid = [&] { again.makeGrid(stream.get()); };
  make_grid();
  std::cout << ' ' << own_entries << " | " << entries << " | "
            << microseconds(timer.graph(make_grid)) << " | "
            << seen.raysFromCamera().size() << " |";
  const Eigen::Vector3f light_in_sight(0.1f, 0.15f, 1.2f);
  for (const Eigen::Vector3f& light : {lightPosition(), light_in_sight})
    printLight(seen.raysTo(light), shadows, hierarchy, query, timer, stream);
}

} // namespace benchmarks
