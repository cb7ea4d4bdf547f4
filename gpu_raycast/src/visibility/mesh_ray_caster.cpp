// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene/scene_arrays.h"
#include "tile_grid/tile_grid.h"
#include "visibility/rank_exchange.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <optional>
#include <string>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Memory that casts leave as they find it: keys are no_hit, counters zero. */
struct ClearMemory {
  DeviceArray<device::HitKey> keys;
  DeviceArray<unsigned int> counters;
};

device::GridLayout
gridLayout(const MeshRayCasterParameters& parameters, const CameraView& view)
{
  const int tile_size = parameters.tile_size;
  return {device::lowestBit(tile_size),
          device::divideUp(view.getWidth(), tile_size),
          device::divideUp(view.getHeight(), tile_size),
          parameters.slabs,
          parameters.slab_spacing};
}

/** \brief Gives the images that are wanted their size. A new output has its line
 * here. */
device::ImageArrays
createImages(const Device& device,
             unsigned int outputs,
             int rows,
             int columns,
             RayCastImages& images)
{
  device::ImageArrays arrays{};
  const auto create = [&](RayCastOutput output, auto& image, auto& array) {
    if (!(outputs & output))
      return;
    createOn(device, image, rows, columns);
    array = outputView<std::remove_pointer_t<decltype(array.data)>>(image);
  };
  create(DepthOutput, images.depth, arrays.depth);
  create(TrianglesOutput, images.triangles, arrays.triangles);
  create(BarycentricsOutput, images.barycentrics, arrays.barycentrics);
  create(PointsOutput, images.points, arrays.points);
  create(NormalsOutput, images.normals, arrays.normals);
  create(ColorsOutput, images.colors, arrays.colors);
  create(
      TextureCoordinatesOutput, images.texture_coordinates, arrays.texture_coordinates);
  return arrays;
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct MeshRayCaster::Buffers {
  std::vector<device::Instance> instances;
  std::vector<device::View> views;
  MirroredTable<device::Instance> device_instances;
  MirroredTable<device::View> device_views;
  ClearMemory clear;
  StageObserver observer;
  Workspace scratch;
  RankExchange exchange;
};

void
MeshRayCasterParameters::validate() const
{
  checkNotNegative("nearest depth", nearest);
  checkArgument(
      farthest > nearest, "farthest depth", farthest, "more than the nearest");
  checkEnumerator("culling", culling, Culling::Front);
  checkEnumerator("method", method, CastMethod::TileGrid);
  checkArgument(tile_size == 8 || tile_size == 16 || tile_size == 32,
                "tile size",
                tile_size,
                "8, 16 or 32 pixels");
  checkBetween("number of slabs", slabs, 1, 64, "1 to 64");
  checkEnumerator("slab spacing", slab_spacing, SlabSpacing::Logarithm);
  checkArgument(outputs != 0 && (outputs & ~all_ray_cast_outputs) == 0,
                "outputs",
                outputs,
                "values of RayCastOutput, at least one");
}

void
MeshRayCaster::setCommunicator(const Communicator::Ptr& communicator)
{
  communicator_ = communicator;
  buffers_.get().exchange = {};
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
  buffers_.get().observer = observer;
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
  checkArgument(getScene() != nullptr, "scene", "not set", "setScene() before cast()");
  const MeshScene& scene = *getScene();
  const std::size_t rows = views.size() * views[0].getHeight();
  checkArgument(rows <= 2147483647 / 2, "rows of all images", rows, "fewer than 2^30");
  std::optional<ScopedDevice> scope_of_rank;
  if (communicator_) {
    // A scene without arrays is there, too.
    scope_of_rank.emplace(communicator_->device());
    const std::string expectation =
        communicator_->device().name() + ", where the communicator is";
    checkArgument(deviceOf(scene) == communicator_->device(),
                  "device of the scene",
                  deviceOf(scene).name(),
                  expectation.c_str());
  }
  const Device device = deviceOf(scene);
  checkDevice("test counter", test_counter_, "the scene", device);
  const ScopedDevice scope(device);

  Buffers& buffers = buffers_.get();
  const MeshRayCasterParameters& p = parameters_;
  device::IdRange own_ids = device::all_ids;
  if (communicator_)
    own_ids =
        buffers.exchange.ownIds(*communicator_, scene.getNumberOfTriangles(), stream);
  buffers.instances.clear();
  buffers.views.clear();
  for (const CameraView& view : views) {
    const ExactPose world_to_camera = view.getPose().cast<double>().inverse();
    appendInstances(scene,
                    world_to_camera,
                    buffers.instances,
                    static_cast<std::uint32_t>(own_ids.first));
    buffers.views.push_back(viewOf(view, p.nearest, p.farthest, p.culling));
  }
  device::CastTask task{};
  task.instances = buffers.instances.data();
  task.instance_count = scene.getNumberOfInstances();
  task.views = buffers.views.data();
  task.view_count = static_cast<int>(views.size());
  task.width = views[0].getWidth();
  task.height = views[0].getHeight();
  task.layout = gridLayout(p, views[0]);
  task.tests = test_counter_.ptr();
  task.own_ids = own_ids;
  task.leaves_keys = communicator_ != nullptr;
  const std::function<void(const char*)> after_stage = [&](const char* name) {
    buffers.observer(name, stream);
  };
  task.after_stage = buffers.observer ? &after_stage : nullptr;
  task.images =
      createImages(device, p.outputs, static_cast<int>(rows), task.width, images);
  task.images.in_world_frame = p.in_world_frame;
  task.images.smooth = p.smooth_normals;
  const bool need_triangles = task.images.needTriangles();
  if (need_triangles || task.instance_count > 1)
    task.device_instances =
        buffers.device_instances.upload(device, buffers.instances, stream);
  if (need_triangles)
    task.device_views = buffers.device_views.upload(device, buffers.views, stream);

  const bool by_grid = p.method == CastMethod::TileGrid;
  const device::CastMemorySize size =
      by_grid ? functionFor(device, PCL_GPU_BOTH(tileGridMemory))(task)
              : functionFor(device, PCL_GPU_BOTH(visibilityMemory))(task);
  // A cast that fails leaves keys of hits: its memory is not put back.
  ClearMemory clear = std::exchange(buffers.clear, {});
  task.keys = grown(clear.keys, device, size.keys, 0xff, stream);
  task.counters = grown(clear.counters, device, size.counters, 0, stream);
  task.counter_count = size.counters;
  buffers.scratch.reserve(Workspace::bytesFor<char>(size.scratch));
  task.scratch = buffers.scratch.take<char>(size.scratch);
  if (by_grid)
    dispatch(device, PCL_GPU_BOTH(castTileGrid), task, stream);
  else
    dispatch(device, PCL_GPU_BOTH(castVisibility), task, stream);
  if (communicator_)
    buffers.exchange.resolve(*communicator_, task, stream);
  buffers.clear = std::move(clear);
}

} // namespace pcl::gpu
