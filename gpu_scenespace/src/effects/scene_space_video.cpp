// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/resources.h"
#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/page_locked_memory.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief An output frame on a device, and its copies to the host. */
class Output {
public:
  SceneImage image;
  Event made = Event::create(); ///< behind the work that makes the image
  std::mutex mutex;             ///< held while it is made or copied

  /** \brief Copies the image when it is made; waits for it. */
  void
  copyTo(RGBDFrame& frame)
  {
    copies_.waitFor(made);
    queueCopy(image.color, color_);
    queueCopy(image.depth, depth_);
    copies_.synchronize();
    take(image.color, color_, frame.color);
    take(image.depth, depth_, frame.depth);
    for (RGB& pixel : frame.color.pixels)
      pixel.a = 255;
  }

private:
  template <typename T>
  void
  queueCopy(const DeviceArray2D<T>& from, PageLockedMemory& to) const
  {
    const std::size_t row_bytes = from.cols() * sizeof(T);
    to.reserve(row_bytes * from.rows());
    copyAsync2D(
        from.ptr(), from.step(), to.get(), row_bytes, row_bytes, from.rows(), copies_);
  }

  template <typename T>
  static void
  take(const DeviceArray2D<T>& size, const PageLockedMemory& from, Image<T>& to)
  {
    const auto* const pixels = static_cast<const T*>(from.get());
    to.width = size.cols();
    to.height = size.rows();
    to.pixels.assign(pixels, pixels + std::size_t(to.width) * to.height);
  }

  Stream copies_ = Stream::create();
  PageLockedMemory color_, depth_;
};

} // namespace

/** \brief Makes frames on a device. */
struct SceneSpaceVideo::Worker {
  std::mutex mutex; ///< held while an effect makes a frame
  Device device = Device::host();
  std::unique_ptr<SceneSpaceEffect> effect;
  Stream stream = Stream::create();
  std::unique_ptr<SceneFrameStore> frames;
  std::vector<std::unique_ptr<Output>> outputs; ///< used in turn
  std::size_t next_output = 0;
};

SceneSpaceVideo::SceneSpaceVideo(RGBDVideo::ConstPtr video,
                                 SceneSpaceEffect::ConstPtr effect,
                                 const ScenePreparation& preparation,
                                 const SceneSpaceResources& resources)
: video_(std::move(video))
, effect_(std::move(effect))
{
  checkVideo(video_);
  checkArgument(effect_ != nullptr, "effect", "null", "an effect");
  EffectMemory image_only;
  image_only.averages = image_only.surfaces = 0;
  image_only.images = 1;
  std::size_t effect_bytes = 0, image_bytes = 0; // of the largest outputs
  for (int i = 0; i < size(); ++i) {
    const SceneView view = effect_->view(*video_, i);
    effect_bytes = std::max(effect_bytes, effect_->workingMemory(view).bytes(view));
    image_bytes = std::max(image_bytes, image_only.bytes(view));
  }
  const int threads = readingThreads(resources);
  for (const Device& device : devicesOf(resources)) {
    const ScopedDevice scope(device);
    const std::size_t budget = memoryBudget(resources, device);
    checkArgument(budget > effect_bytes,
                  "memory",
                  budget,
                  ("more than " + std::to_string(effect_bytes) + " bytes").c_str());
    auto worker = std::make_unique<Worker>();
    worker->device = device;
    worker->effect = effect_->clone();
    worker->outputs.push_back(std::make_unique<Output>());
    std::size_t left = budget - effect_bytes;
    // One more is copied while the next is made, unless frames would miss its memory.
    if (left / 8 >= image_bytes) {
      worker->outputs.push_back(std::make_unique<Output>());
      left -= image_bytes;
    }
    worker->frames =
        workers_.empty()
            ? std::make_unique<SceneFrameStore>(
                  video_, preparation, left, threads, resources.host_memory)
            : std::make_unique<SceneFrameStore>(*workers_[0]->frames, left);
    workers_.push_back(std::move(worker));
  }
}

SceneSpaceVideo::~SceneSpaceVideo() = default;

int
SceneSpaceVideo::size() const
{
  return video_->size();
}

RGBDView
SceneSpaceVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  const SceneView output = effect_->view(*video_, number);
  view.color_camera = view.depth_camera = output.camera;
  view.color_pose = view.depth_pose = output.pose;
  return view;
}

RGBDFrame
SceneSpaceVideo::read(int number) const
{
  RGBDFrame frame;
  static_cast<RGBDView&>(frame) = view(number);
  Worker& worker = *workers_[number % workers_.size()];
  const ScopedDevice scope(worker.device);
  std::unique_lock<std::mutex> making(worker.mutex);
  Output& output = *worker.outputs[worker.next_output];
  worker.next_output = (worker.next_output + 1) % worker.outputs.size();
  const std::lock_guard<std::mutex> taking(output.mutex);
  worker.effect->compute(*worker.frames, number, output.image, worker.stream);
  output.made.record(worker.stream);
  making.unlock();
  output.copyTo(frame);
  return frame;
}

} // namespace pcl::gpu
