// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_upload.h"
#include "resources.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace pcl {
namespace gpu {

namespace {

/** \brief What the largest output takes besides frames. */
std::size_t
memoryOf(const RGBDVideo& video, const SceneSpaceEffect& effect)
{
  std::size_t bytes = 0;
  for (int i = 0; i < video.size(); ++i)
    bytes = std::max(bytes, effect.estimateMemory(effect.view(video, i)));
  return bytes;
}

/** \brief What makes frames on a device. */
struct Worker {
  std::mutex mutex;
  Device device = Device::host();
  std::unique_ptr<SceneSpaceEffect> effect;
  Stream stream;
  std::unique_ptr<SceneFrameCache> frames;
  SceneImage image;
};

/** \param[in] make_frames makes the frames, given the memory that they may take */
template <typename MakeFrames>
std::unique_ptr<Worker>
makeWorker(const RGBDVideo& video,
           const SceneSpaceEffect& effect,
           const Device& device,
           const SceneSpaceResources& resources,
           MakeFrames make_frames)
{
  const ScopedDevice scope(device);
  const std::size_t budget = memoryBudget(resources, device);
  const std::size_t needed = memoryOf(video, effect);
  checkArgument(budget > needed,
                "memory",
                budget,
                ("more than " + std::to_string(needed) + " bytes").c_str());
  auto worker = std::make_unique<Worker>();
  worker->device = device;
  worker->effect = effect.clone();
  worker->stream = Stream::create();
  worker->frames = make_frames(budget - needed);
  return worker;
}

} // namespace

class SceneSpaceVideo::Implementation {
public:
  RGBDVideo::ConstPtr video;
  SceneSpaceEffect::ConstPtr effect;
  std::vector<std::unique_ptr<Worker>> workers;
};

SceneSpaceVideo::SceneSpaceVideo(RGBDVideo::ConstPtr video,
                                 SceneSpaceEffect::ConstPtr effect,
                                 const ScenePreparation& preparation,
                                 const SceneSpaceResources& resources)
: implementation_(std::make_unique<Implementation>())
{
  if (!video)
    PCL_THROW_EXCEPTION(BadArgumentException, "video is null: expected one");
  if (!effect)
    PCL_THROW_EXCEPTION(BadArgumentException, "effect is null: expected one");
  const int threads = readingThreads(resources);
  auto& workers = implementation_->workers;
  const auto make_frames = [&](std::size_t memory) {
    return workers.empty()
               ? std::make_unique<SceneFrameCache>(
                     video, preparation, memory, threads, resources.host_memory)
               : std::make_unique<SceneFrameCache>(*workers[0]->frames, memory);
  };
  for (const Device& device : devicesOf(resources))
    workers.push_back(makeWorker(*video, *effect, device, resources, make_frames));
  implementation_->video = std::move(video);
  implementation_->effect = std::move(effect);
}

SceneSpaceVideo::~SceneSpaceVideo() = default;

int
SceneSpaceVideo::size() const
{
  return implementation_->video->size();
}

RGBDView
SceneSpaceVideo::view(int number) const
{
  RGBDView view = implementation_->video->view(number);
  const SceneView output =
      implementation_->effect->view(*implementation_->video, number);
  view.color_camera = view.depth_camera = output.camera;
  view.color_pose = view.depth_pose = output.pose;
  return view;
}

RGBDFrame
SceneSpaceVideo::read(int number) const
{
  RGBDFrame frame;
  static_cast<RGBDView&>(frame) = view(number);
  Worker& worker = *implementation_->workers[number % implementation_->workers.size()];
  const std::lock_guard<std::mutex> lock(worker.mutex);
  const ScopedDevice scope(worker.device);
  worker.effect->compute(*worker.frames, number, worker.image, worker.stream);
  copyImage(worker.image.color, frame.color, worker.stream);
  copyImage(worker.image.depth, frame.depth, worker.stream);
  for (RGB& color : frame.color.pixels)
    color.a = 255;
  return frame;
}

} // namespace gpu
} // namespace pcl
