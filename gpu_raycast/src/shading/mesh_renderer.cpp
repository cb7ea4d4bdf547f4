// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"
#include "light_grid/light_grid_choice.h"
#include "scene/scene_arrays.h"
#include "shading/render.hpp"
#include "shading/shading_tables.h"

#include <pcl/gpu/raycast/mesh_renderer.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>
#include <utility>

namespace pcl::gpu {

static_assert(MeshRenderer::max_bounces == device::most_bounces, "one limit");
static_assert(sizeof(LinearColor) == sizeof(device::Float4), "the same pixel");

namespace {

template <typename To, typename T>
device::PtrStep<To>
outputImage(const Device& device, DeviceArray2D<T>* image, const CameraView& view)
{
  if (!image)
    return device::PtrStep<To>(nullptr, 0);
  createOn(device, *image, view.getHeight(), view.getWidth());
  return outputView<To>(*image);
}

void
checkGradient(const char* name, const LightGradient& gradient)
{
  checkColor(name, gradient.above);
  checkColor(name, gradient.below);
  checkDirection("direction upwards", gradient.up);
}

device::Gradient
gradientOf(const LightGradient& gradient)
{
  return {asVector3(gradient.above),
          asVector3(gradient.below),
          asVector3(gradient.up.stableNormalized())};
}

void
checkSamples(const char* name, int per_side)
{
  checkBetween(name, per_side, 1, MeshRenderer::max_samples_per_side, "1 to 15");
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct MeshRenderer::Buffers {
  MeshRayCaster ray_caster;
  RayCastImages images;
  RayHierarchy hierarchy;
  std::vector<device::Instance> instances;
  std::vector<device::Material> materials;
  std::vector<device::LightSource> lights;
  MirroredTable<device::Instance> device_instances;
  MirroredTable<device::Material> device_materials;
  MirroredTable<device::LightSource> device_lights;
  MirroredTable<float> device_srgb;
  std::vector<bool> uses_grid; ///< of each light
  DeviceArray<std::uint8_t> visible;
  DeviceArray<float> open;
  Workspace workspace;
  LightGridChoice grid_choice;

  /** \brief Lists instances, materials and lights as kernels see them. */
  void
  collect(const MeshScene& scene, const MeshRendererParameters& parameters)
  {
    instances.clear();
    appendInstances(scene, ExactPose::Identity(), instances);
    materials.assign(instances.size(), surfaceMaterial(parameters.material));
    for (const auto& [instance, material] : parameters.instance_materials)
      if (static_cast<std::size_t>(instance) < materials.size())
        materials[instance] = surfaceMaterial(material);
    lights.clear();
    const bool soft = parameters.shadows == Shadows::Soft;
    const int side = parameters.shadows == Shadows::None ? 0
                     : soft ? parameters.soft_shadow_samples
                            : 1;
    for (const Light& light : parameters.lights)
      lights.push_back(lightSource(light, side, soft));
  }

  /** \brief Brings the lists to a device. */
  void
  upload(const Device& device, const Stream& stream, device::ShadingScene& scene)
  {
    scene.world.instances = device_instances.upload(device, instances, stream);
    scene.world.instance_count = static_cast<int>(instances.size());
    scene.materials = device_materials.upload(device, materials, stream);
    scene.lights = device_lights.upload(device, lights, stream);
    scene.light_count = static_cast<int>(lights.size());
    scene.linear = device_srgb.upload(device, srgbTable(), stream);
  }

  /** \brief Decides which lights' shadow rays ask a grid.
   * \param[in,out] grid gets memory if any light may have one
   * \return whether all do
   */
  bool
  chooseGrids(const Device& device,
              device::LightGridTask& grid,
              bool has_shadows,
              const Stream& stream)
  {
    uses_grid.assign(lights.size(), false);
    if (!has_shadows)
      return true;
    const std::size_t triangles = grid.scene.world.count;
    const auto hasGrid = [&](const device::LightSource& light) {
      return device::hasGrid(light, triangles);
    };
    if (std::any_of(lights.begin(), lights.end(), hasGrid)) {
      const std::size_t scan_bytes =
          functionFor(device, PCL_GPU_BOTH(lightGridScanBytes))(triangles);
      device::ScratchPieces sizes(nullptr);
      device::takeLightGrid(sizes, triangles, scan_bytes);
      workspace.reserve(sizes.bytes());
      device::ScratchPieces pieces(workspace.take<char>(sizes.bytes()));
      grid.lists = device::takeLightGrid(pieces, triangles, scan_bytes);
    }
    grid_choice.beginFrame(device, lights.size(), triangles);
    for (std::size_t i = 0; i < lights.size(); ++i) {
      grid.light = static_cast<int>(i);
      const auto make = [&](device::LightGridCounts* counts) {
        grid.counts = counts;
        dispatch(device, PCL_GPU_BOTH(makeLightGrid), grid, stream);
      };
      uses_grid[i] =
          hasGrid(lights[i]) && grid_choice.usesGrid(grid.light, make, stream);
    }
    return std::find(uses_grid.begin(), uses_grid.end(), false) == uses_grid.end();
  }

  /** \brief Finds the pixels that each light reaches.
   * \param[in,out] grid is made anew for every light that uses one
   */
  void
  testShadows(const Device& device,
              device::LightGridTask& grid,
              device::RenderTask& task,
              const Stream& stream)
  {
    const device::CameraModel& camera = task.view.camera;
    const std::size_t pixels = static_cast<std::size_t>(camera.width) * camera.height;
    grow(visible, device, pixels * lights.size());
    task.visible = visible.ptr();
    for (int i = 0; i < task.scene.light_count; ++i) {
      task.light = i;
      task.grid = {};
      if (uses_grid[i]) {
        grid.light = i;
        grid.counts = grid_choice.counts(i);
        dispatch(device, PCL_GPU_BOTH(makeLightGrid), grid, stream);
        task.grid = grid.lists;
      }
      dispatch(device, PCL_GPU_BOTH(testShadows), task, stream);
    }
  }
};

void
MeshRendererParameters::validate() const
{
  rays.validate();
  checkArgument(lights.size() <= MeshRenderer::max_lights,
                "number of lights",
                lights.size(),
                "at most 256");
  for (const Light& light : lights)
    light.validate();
  checkGradient("ambient light", ambient);
  checkGradient("background", background);
  material.validate();
  for (const auto& [instance, own] : instance_materials) {
    checkArgument(
        instance >= 0 && instance <= 1 << 24, "instance", instance, "0 to 2^24");
    own.validate();
  }
  checkEnumerator("shadows", shadows, Shadows::Soft);
  checkSamples("samples of soft shadows", soft_shadow_samples);
  checkBetween("bounces", max_bounces, 0, MeshRenderer::max_bounces, "0 to 16");
  checkEnumerator("ambient occlusion", occlusion, AmbientOcclusion::Rays);
  checkPositive("radius of ambient occlusion", occlusion_radius);
  checkSamples("samples of ambient occlusion", occlusion_samples);
}

void
MeshRenderer::renderPicture(const CameraView& view,
                            DeviceArray2D<RGB>* colors,
                            DeviceArray2D<LinearColor>* linear,
                            const Stream& stream)
{
  checkArgument(
      getScene() != nullptr, "scene", "not set", "setScene() before render()");
  const MeshScene& scene = *getScene();
  const Device device = deviceOf(scene);
  const ScopedDevice scope(device);
  const MeshRendererParameters& p = parameters_;
  Buffers& buffers = buffers_.get();

  const bool occlude_in_image = p.occlusion == AmbientOcclusion::ImageSpace;
  MeshRayCasterParameters rays = p.rays;
  rays.outputs = TrianglesOutput | BarycentricsOutput |
                 (occlude_in_image ? PointsOutput | NormalsOutput : 0);
  rays.in_world_frame = false;
  buffers.ray_caster.setParameters(rays);
  buffers.ray_caster.setScene(getScene());
  buffers.ray_caster.cast(view, buffers.images, stream);

  buffers.collect(scene, p);
  const auto reflects = [](const device::Material& material) {
    return material.reflectivity > 0.0f || material.transparency > 0.0f;
  };
  device::RenderTask task{};
  task.has_bounces =
      p.max_bounces > 0 &&
      std::any_of(buffers.materials.begin(), buffers.materials.end(), reflects);
  buffers.upload(device, stream, task.scene);
  task.scene.world.count = static_cast<std::uint32_t>(scene.getNumberOfTriangles());
  task.scene.ambient = gradientOf(p.ambient);
  task.scene.background = gradientOf(p.background);
  task.scene.smooth = rays.smooth_normals;
  task.scene.seed = p.seed;
  task.scene.max_bounces = p.max_bounces;
  task.view = viewOf(view, rays.nearest, rays.farthest, rays.culling);
  task.triangles = outputView<int>(buffers.images.triangles);
  task.barycentrics = outputView<device::Float2>(buffers.images.barycentrics);

  const bool has_shadows = p.shadows != Shadows::None && !buffers.lights.empty();
  device::LightGridTask grid{};
  grid.scene = task.scene;
  const bool grids_only = buffers.chooseGrids(device, grid, has_shadows, stream);
  if (task.has_bounces || p.occlusion == AmbientOcclusion::Rays || !grids_only) {
    buffers.hierarchy.build(scene, stream);
    task.scene.hierarchy = buffers.hierarchy.view();
  }
  if (has_shadows)
    buffers.testShadows(device, grid, task, stream);
  if (p.occlusion != AmbientOcclusion::None) {
    if (occlude_in_image)
      task.seen = {outputView<device::Float4>(buffers.images.points),
                   outputView<device::Float4>(buffers.images.normals)};
    task.occlusion = {!occlude_in_image, p.occlusion_radius, p.occlusion_samples};
    grow(buffers.open,
         device,
         static_cast<std::size_t>(view.getWidth()) * view.getHeight());
    task.open = buffers.open.ptr();
    dispatch(device, PCL_GPU_BOTH(occludeAmbientLight), task, stream);
  }
  task.colors = outputImage<std::uint32_t>(device, colors, view);
  task.linear = outputImage<device::Float4>(device, linear, view);
  dispatch(device, PCL_GPU_BOTH(shade), task, stream);
}

} // namespace pcl::gpu
