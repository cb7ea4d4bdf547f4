// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "device/driver.h"
#include "scene_arrays.h"
#include <pcl/gpu/utils/internal/mirrored_table.h>

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>
#include <pcl/gpu/utils/workspace.h>

#include <utility>

namespace pcl::gpu {

namespace {

const device::RayCastDriver&
driverFor(const Device& device)
{
  return chooseDriver(device,
                      &device::hostRayCastDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaRayCastDriver),
                      "gpu_raycast");
}

template <typename To, typename T>
device::PtrStep<To>
outputImage(const Device& device,
            DeviceArray2D<T>& image,
            unsigned int wanted,
            int rows,
            int columns)
{
  static_assert(sizeof(To) == sizeof(T), "both must describe the same pixel");
  if (!wanted)
    return device::PtrStep<To>(nullptr, 0);
  createOn(device, image, rows, columns);
  return device::PtrStep<To>(reinterpret_cast<To*>(image.ptr()), image.step());
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct MeshRayCaster::Buffers {
  std::vector<device::Instance> instances;
  std::vector<device::View> views;
  MirroredTable<device::Instance> device_instances;
  MirroredTable<device::View> device_views;
  DeviceArray<device::HitKey> keys;
  DeviceArray<unsigned int> counters;
  bool are_clear = false;
  Workspace scratch;

  void*
  scratchOf(std::size_t bytes)
  {
    scratch.reserve(Workspace::bytesFor<char>(bytes));
    return scratch.take<char>(bytes);
  }

  /** \brief Gives an array at least a size on a device; new memory is not clear. */
  template <typename T>
  void
  grow(DeviceArray<T>& array, const Device& device, std::size_t size)
  {
    if (array.size() >= size && (array.empty() || deviceOf(array) == device))
      return;
    createOn(device, array, size);
    are_clear = false;
  }
};

namespace {

device::GridLayout
gridLayout(int tile_size, int slabs, SlabSpacing spacing, const CameraView& view)
{
  device::GridLayout layout;
  layout.tile_shift = tile_size == 8 ? 3 : tile_size == 16 ? 4 : 5;
  layout.tiles_x = (view.getWidth() + tile_size - 1) / tile_size;
  layout.tiles_y = (view.getHeight() + tile_size - 1) / tile_size;
  layout.slabs = slabs;
  layout.steps = static_cast<device::SlabSteps>(spacing);
  return layout;
}

} // namespace

MeshRayCaster::MeshRayCaster() : buffers_(new Buffers) {}

MeshRayCaster::MeshRayCaster(const MeshRayCaster& other)
: scene_(other.scene_)
, parameters_(other.parameters_)
, test_counter_(other.test_counter_)
, buffers_(new Buffers)
{}

MeshRayCaster::MeshRayCaster(MeshRayCaster&&) noexcept = default;

MeshRayCaster&
MeshRayCaster::operator=(MeshRayCaster other) noexcept
{
  scene_ = std::move(other.scene_);
  parameters_ = other.parameters_;
  test_counter_ = other.test_counter_;
  observer_ = std::move(other.observer_);
  buffers_ = std::move(other.buffers_);
  return *this;
}

MeshRayCaster::~MeshRayCaster() = default;

void
MeshRayCaster::setScene(const MeshScene::ConstPtr& scene)
{
  checkArgument(scene != nullptr, "scene", "null", "a scene");
  scene_ = scene;
}

void
MeshRayCaster::setInputMesh(const TriangleMesh& mesh)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh));
  scene_ = scene;
}

const MeshScene::ConstPtr&
MeshRayCaster::getScene() const
{
  return scene_;
}

void
MeshRayCaster::setDepthRange(float nearest, float farthest)
{
  checkNotNegative("nearest depth", nearest);
  checkArgument(
      farthest > nearest, "farthest depth", farthest, "more than the nearest");
  parameters_.nearest = nearest;
  parameters_.farthest = farthest;
}

void
MeshRayCaster::setCulling(Culling culling)
{
  checkEnumerator("culling", culling, Culling::Front);
  parameters_.culling = culling;
}

void
MeshRayCaster::setMethod(CastMethod method)
{
  checkEnumerator("method", method, CastMethod::TileGrid);
  parameters_.method = method;
}

void
MeshRayCaster::setTileSize(int pixels)
{
  checkArgument(pixels == 8 || pixels == 16 || pixels == 32,
                "tile size",
                pixels,
                "8, 16 or 32 pixels");
  parameters_.tile_size = pixels;
}

void
MeshRayCaster::setNumberOfSlabs(int slabs, SlabSpacing spacing)
{
  checkArgument(slabs >= 1 && slabs <= 64, "number of slabs", slabs, "1 to 64");
  checkEnumerator("slab spacing", spacing, SlabSpacing::Logarithm);
  parameters_.slabs = slabs;
  parameters_.spacing = spacing;
}

void
MeshRayCaster::setOutputs(unsigned int outputs)
{
  constexpr unsigned int all = 2 * TextureCoordinatesOutput - 1;
  checkArgument(outputs != 0 && (outputs & ~all) == 0,
                "outputs",
                outputs,
                "values of RayCastOutput, at least one");
  parameters_.outputs = outputs;
}

void
MeshRayCaster::setOutputInWorldFrame(bool world)
{
  parameters_.in_world_frame = world;
}

void
MeshRayCaster::setSmoothNormals(bool smooth)
{
  parameters_.smooth = smooth;
}

void
MeshRayCaster::setTestCounter(const DeviceArray<unsigned long long>& counter)
{
  checkArgument(
      counter.size() <= 1, "size of the test counter", counter.size(), "1, or 0");
  test_counter_ = counter;
}

void
MeshRayCaster::setStageObserver(const StageObserver& observer)
{
  observer_ = observer;
}

void
MeshRayCaster::cast(const CameraView& view, RayCastImages& images, const Stream& stream)
{
  castViews(&view, 1, images, stream);
}

void
MeshRayCaster::cast(const std::vector<CameraView>& views,
                    RayCastImages& images,
                    const Stream& stream)
{
  checkArgument(!views.empty(), "number of cameras", views.size(), "at least one");
  for (const CameraView& view : views) {
    checkArgument(view.getWidth() == views[0].getWidth(),
                  "image width",
                  view.getWidth(),
                  "that of the first camera");
    checkArgument(view.getHeight() == views[0].getHeight(),
                  "image height",
                  view.getHeight(),
                  "that of the first camera");
  }
  castViews(views.data(), views.size(), images, stream);
}

void
MeshRayCaster::castViews(const CameraView* views,
                         std::size_t count,
                         RayCastImages& images,
                         const Stream& stream)
{
  checkArgument(scene_ != nullptr, "scene", "not set", "setScene() before cast()");
  const int width = views[0].getWidth();
  const std::size_t rows = count * views[0].getHeight();
  checkArgument(rows <= 2147483647 / 2, "rows of all images", rows, "fewer than 2^30");

  const Device device = deviceOf(*scene_);
  const ScopedDevice scope(device);
  const device::RayCastDriver& driver = driverFor(device);

  Buffers& buffers = *buffers_;
  buffers.instances.clear();
  buffers.views.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const ExactPose world_to_camera = views[i].getPose().cast<double>().inverse();
    appendInstances(*scene_, world_to_camera, buffers.instances);
    buffers.views.push_back(viewOf(views[i],
                                   parameters_.nearest,
                                   parameters_.farthest,
                                   hitSides(parameters_.culling)));
  }
  device::CastTask task{};
  task.instances = buffers.instances.data();
  task.instance_count = scene_->getNumberOfInstances();
  task.views = buffers.views.data();
  task.view_count = static_cast<int>(count);
  checkDevice("test counter", test_counter_, "the scene", device);
  task.tests = test_counter_.ptr();
  const std::function<void(const char*)> after_stage = [&](const char* name) {
    observer_(name, stream);
  };
  task.after_stage = observer_ ? &after_stage : nullptr;
  const auto output = [&](auto type, auto& image, RayCastOutput kind) {
    return outputImage<decltype(type)>(
        device, image, parameters_.outputs & kind, static_cast<int>(rows), width);
  };
  using device::Float2;
  using device::Float4;
  task.images = {output(float(), images.depth, DepthOutput),
                 output(int(), images.triangles, TrianglesOutput),
                 output(Float2(), images.barycentrics, BarycentricsOutput),
                 output(Float4(), images.points, PointsOutput),
                 output(Float4(), images.normals, NormalsOutput),
                 output(std::uint32_t(), images.colors, ColorsOutput),
                 output(Float2(), images.texture_coordinates, TextureCoordinatesOutput),
                 parameters_.in_world_frame,
                 parameters_.smooth};
  const bool need_triangles = task.images.needTriangles();
  if (need_triangles || task.instance_count > 1)
    task.device_instances =
        buffers.device_instances.upload(device, buffers.instances, stream);
  if (need_triangles)
    task.device_views = buffers.device_views.upload(device, buffers.views, stream);
  const std::size_t pixels = rows * width;
  const std::size_t counters = driver.visibilityCounters(task);
  buffers.grow(buffers.keys, device, pixels);
  buffers.grow(buffers.counters, device, counters);
  task.keys = buffers.keys.ptr();
  task.counters = buffers.counters.ptr();
  if (!buffers.are_clear) {
    driver.fill(task.keys, 0xff, buffers.keys.sizeBytes(), stream.get());
    driver.fill(task.counters, 0, buffers.counters.sizeBytes(), stream.get());
  }
  // Until the end of a cast some keys are those of hits: if an exception comes, they stay so.
  buffers.are_clear = false;
  if (parameters_.method == CastMethod::TileGrid) {
    const device::GridLayout layout = gridLayout(
        parameters_.tile_size, parameters_.slabs, parameters_.spacing, views[0]);
    const std::size_t bytes = driver.tileGridScratchBytes(task, layout);
    driver.castTileGrid(task, layout, buffers.scratchOf(bytes), stream.get());
  }
  else {
    const std::size_t bytes = driver.visibilityScratchBytes(task);
    driver.castVisibility(task, buffers.scratchOf(bytes), stream.get());
  }
  buffers.are_clear = true;
}

} // namespace pcl::gpu
