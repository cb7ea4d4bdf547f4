// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "rank_tasks.h"

#include "common/checksum.h"
#include "gpu_articulated/filter_scene.h"
#include "gpu_raycast/meshes.h"
#include "gpu_tensor/cuda/tensor_stages.h"
#include "testing/video/rendered_video.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_matching.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

RankTask
filterTask(const Communicator::Ptr& ranks)
{
  struct Work {
    Stream stream = Stream::create();
    DeviceArray<pcl::PointXYZ> points;
    PoseParticleFilter filter;
  };
  const auto work = std::make_shared<Work>();
  SceneSize size;
  size.samples = 65'535;
  const FilterScene scene(size);
  work->points.upload(scene.points);
  work->filter = scene.filter();
  work->filter.setCommunicator(ranks);
  setParameter(work->filter, &PoseParticleFilterParameters::survival_rate, 0.1f);
  work->filter.initialize(scene.pose, work->stream);
  RankTask task;
  task.stream = work->stream;
  task.run = [work] {
    work->filter.processFrame(
        work->points, Eigen::Vector3f::Zero(), 1.0f / 30.0f, work->stream);
  };
  task.checksum = [work] {
    std::vector<float> poses;
    work->filter.getParticles().download(poses);
    return checksumOf(poses.data(), poses.size());
  };
  return task;
}

RankTask
matchingTask(const Communicator::Ptr& ranks, int tensors_of_scene)
{
  constexpr int tensors_of_library = 200'000;
  struct Work {
    Work() : stages(renderSyntheticDepth(640, 480), stream) {}

    Stream stream = Stream::create();
    TensorStages stages;
    TensorLibrary library;
    TensorMatching matching;
    DeviceArray<TensorMatch> matches;
  };
  const auto work = std::make_shared<Work>();
  TensorStages& stages = work->stages;
  stages.select(PairSelection::Random, tensors_of_library);
  stages.queuePairs();
  stages.queueTensors();
  const HostTensorSet all = downloadTensors(stages.tensors());
  TensorParameters parameters;
  parameters.voxel_size = all.frames.front().voxel_size;
  parameters.resolution =
      parameters.voxel_size / TensorExtractionParameters().voxel_size;
  work->library.setParameters(parameters);
  work->library.setCommunicator(ranks);
  TensorModel whole;
  whole.name = "scene";
  appendTensors(all, Pose::Identity(), 0, whole, 0);
  work->library.addModel(std::move(whole));
  stages.select(PairSelection::Even, tensors_of_scene);
  stages.queuePairs();
  stages.queueTensors();
  RankTask task;
  task.stream = work->stream;
  task.run = [work] {
    const TensorTable& table = work->library.table(work->stream);
    work->matching.compute(work->stages.tensors(), table, work->matches, work->stream);
  };
  task.checksum = [work] {
    std::vector<TensorMatch> matches;
    work->matches.download(matches);
    matches.resize(std::min<std::size_t>(matches.size(), work->stages.tensorCount()));
    return checksumOf(matches.data(), matches.size());
  };
  return task;
}

RankTask
meshTask(const Communicator::Ptr& ranks,
         const std::string& folder,
         int width,
         int height)
{
  HostMesh dragon = readMesh(folder + "/dragon_871k.ply.xz");
  normalize(dragon);
  const double distance = 2.2;
  // Each dragon takes half of the image.
  const double focal_length =
      fittingFocalLength(dragon, 0.5 * width / height, distance, 0.97);
  const float half_distance =
      static_cast<float>(0.5 * width / height * distance / focal_length);
  for (int times = 0; times < 3; ++times)
    dragon = quadrupled(dragon);
  // Each rank has a run of the triangles of both.
  const std::size_t triangles = dragon.triangleCount();
  const std::vector<std::size_t> starts = ranks->shares(2 * triangles);
  const auto scene = std::make_shared<MeshScene>();
  TriangleMesh whole;
  whole.vertices.upload(dragon.vertices);
  for (std::size_t copy = 0; copy < 2; ++copy) {
    const std::size_t first = std::max(starts[ranks->rank()], copy * triangles);
    const std::size_t end = std::min(starts[ranks->rank() + 1], (copy + 1) * triangles);
    if (first >= end)
      continue;
    const auto from = dragon.triangles.begin() - 3 * copy * triangles;
    TriangleMesh part;
    part.vertices = whole.vertices;
    part.triangles.upload(std::vector<int>(from + 3 * first, from + 3 * end));
    Pose pose = Pose::Identity();
    pose.translation().x() = copy == 0 ? -half_distance : half_distance;
    scene->addInstance(scene->addMesh(part), pose);
  }
  struct Work {
    Stream stream = Stream::create();
    MeshRayCaster caster;
    RayCastImages images;
  };
  const auto work = std::make_shared<Work>();
  work->caster.setScene(scene);
  work->caster.setCommunicator(ranks);
  const CameraView view(cameraFor(width, height, focal_length), poseBefore(distance));
  RankTask task;
  task.stream = work->stream;
  task.run = [work, view] { work->caster.cast(view, work->images, work->stream); };
  task.checksum = [work, width, height] {
    std::vector<int> ids(std::size_t(width) * height);
    std::vector<float> depth(ids.size());
    work->images.triangles.download(ids.data(), width * sizeof(int));
    work->images.depth.download(depth.data(), width * sizeof(float));
    return checksumOf(depth.data(), depth.size(), checksumOf(ids.data(), ids.size()));
  };
  return task;
}

RankTask
videoTask(const Communicator::Ptr& ranks, int frames)
{
  constexpr int rendered = 8;
  test::RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 1280, 720);
  settings.frames = rendered;
  settings.begin = 4.0f;
  settings.supersampling = 1;
  settings.color_noise = 20.0f;
  const test::RenderedVideo source(settings);
  std::vector<RGBDFrame> different;
  for (int i = 0; i < rendered; ++i)
    different.push_back(source.read(i));
  const auto video = std::make_shared<RGBDRecording>();
  constexpr int period = 2 * rendered - 2; // to and fro
  for (int i = 0; i < frames; ++i) {
    RGBDFrame frame = different[std::min(i % period, period - i % period)];
    frame.name.clear();
    frame.time = i / 30.0;
    video->add(std::move(frame));
  }
  const auto sums = std::make_shared<std::vector<std::uint64_t>>(frames);
  RankTask task;
  task.runs = task.repeats = 1;
  task.run = [video, sums, ranks, frames] {
    const auto effect = std::make_shared<DenoisingEffect>();
    DenoisingEffectParameters parameters;
    parameters.reach = 18;
    effect->setParameters(parameters);
    ScenePreparation preparation;
    preparation.noise = 20.0f;
    SceneSpaceResources resources;
    resources.devices = {ranks->device()};
    const SceneSpaceVideo result(video, effect, preparation, resources);
    const std::vector<std::size_t> starts = ranks->shares(frames);
    const std::size_t begin = starts[ranks->rank()], end = starts[ranks->rank() + 1];
    // Images of some are copied and added up while others are worked on.
    std::atomic<std::size_t> next(begin);
    const auto makeFrames = [&] {
      for (std::size_t i = next++; i < end; i = next++) {
        const RGBDFrame frame = result.read(static_cast<int>(i));
        (*sums)[i] = checksumOf(frame.color.pixels.data(), frame.color.pixels.size());
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back(makeFrames);
    for (std::thread& thread : threads)
      thread.join();
  };
  task.checksum = [sums, ranks, frames] {
    DeviceArray<std::uint64_t> all;
    all.upload(*sums);
    ranks->allGather(all.ptr(), ranks->shares(frames));
    ranks->synchronize();
    all.download(*sums);
    return checksumOf(sums->data(), sums->size());
  };
  return task;
}

} // namespace benchmarks
