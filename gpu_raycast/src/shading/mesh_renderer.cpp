// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/ray_hierarchy.h"
#include "light_grid/light_grid_choice.h"
#include "scene/scene_arrays.h"
#include "shading/render.h"
#include "shading/shading_tables.h"

#include <pcl/gpu/raycast/mesh_renderer.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>
#include <utility>

namespace pcl::gpu {

static_assert(MeshRenderer::max_bounces == device::most_bounces, "one limit");
static_assert(sizeof(LinearColor) == sizeof(device::Float4), "the same pixel");

namespace {

/** \brief Gives an array at least a size on a device. */
template <typename T>
T*
grown(DeviceArray<T>& array, const Device& device, std::size_t size)
{
  if (array.size() < size || deviceOf(array) != device)
    createOn(device, array, size);
  return array.ptr();
}

template <typename To, typename T>
device::PtrStep<To>
outputImage(const Device& device, DeviceArray2D<T>* image, const CameraView& view)
{
  if (!image)
    return device::PtrStep<To>(nullptr, 0);
  createOn(device, *image, view.getHeight(), view.getWidth());
  return pixelsOf<To>(*image);
}

bool
isColor(const Eigen::Vector3f& color)
{
  return color.allFinite() && color.minCoeff() >= 0.0f;
}

void
checkSamples(const char* name, int per_side)
{
  checkArgument(per_side >= 1 && per_side <= MeshRenderer::max_samples_per_side,
                name,
                per_side,
                "1 to 15");
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct MeshRenderer::Buffers {
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

  void
  collect(const MeshScene& scene, const Parameters& parameters);

  void
  upload(const Device& device, const Stream& stream, device::ShadingScene& scene);

  bool
  chooseGrids(const Device& device,
              device::LightGridTask& grid,
              bool has_shadows,
              const Stream& stream);

  void
  testShadows(const Device& device,
              device::LightGridTask& grid,
              device::RenderTask& task,
              const Stream& stream);
};

/** \brief Lists instances, materials and lights as kernels see them. */
void
MeshRenderer::Buffers::collect(const MeshScene& scene, const Parameters& parameters)
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
                   : soft                              ? parameters.shadow_samples
                                                       : 1;
  for (const Light& light : parameters.lights)
    lights.push_back(lightSource(light, side, soft));
}

/** \brief Brings the lists to a device. */
void
MeshRenderer::Buffers::upload(const Device& device,
                              const Stream& stream,
                              device::ShadingScene& scene)
{
  scene.instances = device_instances.upload(device, instances, stream);
  scene.instance_count = static_cast<int>(instances.size());
  scene.materials = device_materials.upload(device, materials, stream);
  scene.lights = device_lights.upload(device, lights, stream);
  scene.light_count = static_cast<int>(lights.size());
  scene.linear = device_srgb.upload(device, srgbTable(), stream);
}

namespace {

void
makeLightGrid(const Device& device,
              const device::LightGridTask& task,
              const Stream& stream)
{
  dispatch(device,
           &device::host::makeLightGrid,
           PCL_GPU_CUDA_ONLY(device::cuda::makeLightGrid),
           task,
           stream);
}

} // namespace

/** \brief Decides which lights' shadow rays ask a grid.
 * \param[in,out] grid gets memory if any light may have one
 * \return whether all do
 */
bool
MeshRenderer::Buffers::chooseGrids(const Device& device,
                                   device::LightGridTask& grid,
                                   bool has_shadows,
                                   const Stream& stream)
{
  uses_grid.assign(lights.size(), false);
  if (!has_shadows)
    return true;
  const std::size_t triangles = grid.scene.triangle_count;
  const auto hasGrid = [&](const device::LightSource& light) {
    return device::hasGrid(light, triangles);
  };
  if (std::any_of(lights.begin(), lights.end(), hasGrid)) {
    const std::size_t bytes =
        functionFor(device,
                    &device::host::lightGridBytes,
                    PCL_GPU_CUDA_ONLY(device::cuda::lightGridBytes))(triangles);
    workspace.reserve(bytes);
    grid.memory = workspace.take<char>(bytes);
  }
  grid_choice.beginFrame(device, lights.size(), triangles);
  for (std::size_t i = 0; i < lights.size(); ++i) {
    grid.light = static_cast<int>(i);
    const auto make = [&](device::LightGridCounts* counts) {
      grid.counts = counts;
      makeLightGrid(device, grid, stream);
    };
    uses_grid[i] = hasGrid(lights[i]) && grid_choice.usesGrid(grid.light, make, stream);
  }
  return std::find(uses_grid.begin(), uses_grid.end(), false) == uses_grid.end();
}

/** \brief Finds what each light reaches.
 * \param[in,out] grid is made anew for every light that uses one
 */
void
MeshRenderer::Buffers::testShadows(const Device& device,
                                   device::LightGridTask& grid,
                                   device::RenderTask& task,
                                   const Stream& stream)
{
  const device::CameraModel& camera = task.view.camera;
  const std::size_t pixels = static_cast<std::size_t>(camera.width) * camera.height;
  task.visible = grown(visible, device, pixels * lights.size());
  for (int i = 0; i < task.scene.light_count; ++i) {
    if (uses_grid[i]) {
      grid.light = i;
      grid.counts = grid_choice.counts(i);
      makeLightGrid(device, grid, stream);
    }
    dispatch(device,
             &device::host::testShadows,
             PCL_GPU_CUDA_ONLY(device::cuda::testShadows),
             device::ShadowTask{task, i, uses_grid[i] ? grid.memory : nullptr},
             stream);
  }
}

MeshRenderer::MeshRenderer() : buffers_(new Buffers) {}

MeshRenderer::MeshRenderer(const MeshRenderer& other)
: ray_caster_(other.ray_caster_)
, parameters_(other.parameters_)
, buffers_(new Buffers)
{}

MeshRenderer::MeshRenderer(MeshRenderer&&) noexcept = default;

MeshRenderer&
MeshRenderer::operator=(MeshRenderer other) noexcept
{
  ray_caster_ = std::move(other.ray_caster_);
  parameters_ = std::move(other.parameters_);
  buffers_ = std::move(other.buffers_);
  return *this;
}

MeshRenderer::~MeshRenderer() = default;

void
MeshRenderer::setScene(const MeshScene::ConstPtr& scene)
{
  ray_caster_.setScene(scene);
}

void
MeshRenderer::setInputMesh(const TriangleMesh& mesh)
{
  ray_caster_.setInputMesh(mesh);
}

const MeshScene::ConstPtr&
MeshRenderer::getScene() const
{
  return ray_caster_.getScene();
}

void
MeshRenderer::setDepthRange(float nearest, float farthest)
{
  ray_caster_.setDepthRange(nearest, farthest);
  parameters_.nearest = nearest;
  parameters_.farthest = farthest;
}

void
MeshRenderer::setCulling(Culling culling)
{
  ray_caster_.setCulling(culling);
  parameters_.culling = culling;
}

void
MeshRenderer::setMethod(CastMethod method)
{
  ray_caster_.setMethod(method);
}

void
MeshRenderer::setSmoothNormals(bool smooth)
{
  ray_caster_.setSmoothNormals(smooth);
  parameters_.smooth = smooth;
}

void
MeshRenderer::addLight(const Light& light)
{
  light.validate();
  checkArgument(parameters_.lights.size() < max_lights,
                "number of lights",
                parameters_.lights.size() + 1,
                "at most 256");
  parameters_.lights.push_back(light);
}

void
MeshRenderer::clearLights()
{
  parameters_.lights.clear();
}

const std::vector<Light>&
MeshRenderer::getLights() const
{
  return parameters_.lights;
}

MeshRenderer::Gradient
MeshRenderer::checkedGradient(const char* name,
                              const Eigen::Vector3f& above,
                              const Eigen::Vector3f& below,
                              const Eigen::Vector3f& up)
{
  checkArgument(isColor(above), name, above.transpose(), "zero or positive numbers");
  checkArgument(isColor(below), name, below.transpose(), "zero or positive numbers");
  checkArgument(up.allFinite() && up.cwiseAbs().maxCoeff() > 1e-30f,
                "direction upwards",
                up.transpose(),
                "finite numbers, not all zero");
  return {above, below, up.stableNormalized()};
}

void
MeshRenderer::setAmbientLight(const Eigen::Vector3f& color)
{
  setAmbientLight(color, color, Eigen::Vector3f::UnitY());
}

void
MeshRenderer::setAmbientLight(const Eigen::Vector3f& above,
                              const Eigen::Vector3f& below,
                              const Eigen::Vector3f& up)
{
  parameters_.ambient = checkedGradient("ambient light", above, below, up);
}

void
MeshRenderer::setBackground(const Eigen::Vector3f& color)
{
  setBackground(color, color, Eigen::Vector3f::UnitY());
}

void
MeshRenderer::setBackground(const Eigen::Vector3f& above,
                            const Eigen::Vector3f& below,
                            const Eigen::Vector3f& up)
{
  parameters_.background = checkedGradient("background", above, below, up);
}

void
MeshRenderer::setMaterial(const Material& material)
{
  material.validate();
  parameters_.material = material;
}

void
MeshRenderer::setMaterial(int instance, const Material& material)
{
  checkArgument(
      instance >= 0 && instance <= 1 << 24, "instance", instance, "0 to 2^24");
  material.validate();
  parameters_.instance_materials[instance] = material;
}

void
MeshRenderer::setShadows(Shadows shadows)
{
  checkEnumerator("shadows", shadows, Shadows::Soft);
  parameters_.shadows = shadows;
}

void
MeshRenderer::setSoftShadowSamples(int per_side)
{
  checkSamples("samples of soft shadows", per_side);
  parameters_.shadow_samples = per_side;
}

void
MeshRenderer::setMaxBounces(int bounces)
{
  checkArgument(bounces >= 0 && bounces <= max_bounces, "bounces", bounces, "0 to 16");
  parameters_.max_bounces = bounces;
}

void
MeshRenderer::setAmbientOcclusion(AmbientOcclusion method, float radius, int per_side)
{
  checkEnumerator("ambient occlusion", method, AmbientOcclusion::Rays);
  checkPositive("radius of ambient occlusion", radius);
  checkSamples("samples of ambient occlusion", per_side);
  parameters_.occlusion = method;
  parameters_.occlusion_radius = radius;
  parameters_.occlusion_samples = per_side;
}

void
MeshRenderer::setSeed(std::uint32_t seed)
{
  parameters_.seed = seed;
}

void
MeshRenderer::render(const CameraView& view,
                     DeviceArray2D<RGB>& picture,
                     const Stream& stream)
{
  renderPicture(view, &picture, nullptr, stream);
}

void
MeshRenderer::renderLinear(const CameraView& view,
                           DeviceArray2D<LinearColor>& picture,
                           const Stream& stream)
{
  renderPicture(view, nullptr, &picture, stream);
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
  const Parameters& p = parameters_;
  Buffers& buffers = *buffers_;

  const bool occlude_in_image = p.occlusion == AmbientOcclusion::ImageSpace;
  ray_caster_.setOutputs(TrianglesOutput | BarycentricsOutput |
                         (occlude_in_image ? PointsOutput | NormalsOutput : 0));
  ray_caster_.cast(view, buffers.images, stream);

  buffers.collect(scene, p);
  const auto reflects = [](const device::Material& material) {
    return material.reflectivity > 0.0f || material.transparency > 0.0f;
  };
  device::RenderTask task{};
  task.has_bounces =
      p.max_bounces > 0 &&
      std::any_of(buffers.materials.begin(), buffers.materials.end(), reflects);
  buffers.upload(device, stream, task.scene);
  task.scene.triangle_count = static_cast<std::uint32_t>(scene.getNumberOfTriangles());
  const auto gradient = [](const Gradient& g) {
    return device::Gradient{asVector3(g.above), asVector3(g.below), asVector3(g.up)};
  };
  task.scene.ambient = gradient(p.ambient);
  task.scene.background = gradient(p.background);
  task.scene.smooth = p.smooth;
  task.scene.seed = p.seed;
  task.scene.max_bounces = p.max_bounces;
  task.view = viewOf(view, p.nearest, p.farthest, hitSides(p.culling));
  task.triangles = pixelsOf<int>(buffers.images.triangles);
  task.barycentrics = pixelsOf<device::Float2>(buffers.images.barycentrics);

  const bool has_shadows = p.shadows != Shadows::None && !buffers.lights.empty();
  device::LightGridTask grid = {task.scene, 0, nullptr, nullptr};
  const bool grids_only = buffers.chooseGrids(device, grid, has_shadows, stream);
  if (task.has_bounces || p.occlusion == AmbientOcclusion::Rays || !grids_only) {
    buffers.hierarchy.build(scene, stream);
    task.scene.hierarchy = buffers.hierarchy.view();
  }
  if (has_shadows)
    buffers.testShadows(device, grid, task, stream);
  if (p.occlusion != AmbientOcclusion::None) {
    if (occlude_in_image)
      task.seen = {pixelsOf<device::Float4>(buffers.images.points),
                   pixelsOf<device::Float4>(buffers.images.normals)};
    task.occlusion = {static_cast<device::AmbientOcclusion>(p.occlusion),
                      p.occlusion_radius,
                      p.occlusion_samples};
    task.open = grown(buffers.open,
                      device,
                      static_cast<std::size_t>(view.getWidth()) * view.getHeight());
    dispatch(device,
             &device::host::occludeAmbientLight,
             PCL_GPU_CUDA_ONLY(device::cuda::occludeAmbientLight),
             task,
             stream);
  }
  task.thresholds = task.scene.linear + 256;
  task.colors = outputImage<std::uint32_t>(device, colors, view);
  task.linear = outputImage<device::Float4>(device, linear, view);
  dispatch(device,
           &device::host::shade,
           PCL_GPU_CUDA_ONLY(device::cuda::shade),
           task,
           stream);
}

} // namespace pcl::gpu
