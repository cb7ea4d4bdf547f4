// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "ray_cast_sequence.h"

#include "../common/command_line/progress_bar.h"

#include <chrono>
#include <cmath>
#include <string>

namespace pcl::gpu::apps {

namespace {

template <typename T>
std::vector<T>
downloaded(const DeviceArray2D<T>& image)
{
  std::vector<T> pixels(static_cast<std::size_t>(image.rows()) * image.cols());
  image.download(pixels.data(), image.cols() * sizeof(T));
  return pixels;
}

PointCloud<PointXYZRGBNormal>
cloudOf(const RayCastImages& images)
{
  const std::vector<PointXYZ> points = downloaded(images.points);
  const std::vector<PointXYZ> normals = downloaded(images.normals);
  const std::vector<RGB> colors = downloaded(images.colors);
  PointCloud<PointXYZRGBNormal> cloud(images.points.cols(), images.points.rows());
  for (std::size_t i = 0; i < points.size(); ++i) {
    cloud[i].getVector3fMap() = points[i].getVector3fMap();
    cloud[i].getNormalVector3fMap() = normals[i].getVector3fMap();
    cloud[i].rgba = colors[i].rgba;
    cloud.is_dense = cloud.is_dense && !std::isnan(points[i].z);
  }
  return cloud;
}

} // namespace

RayCastSequence::RayCastSequence(const RaycastOptions& options,
                                 const std::vector<InputMesh>& meshes,
                                 Timings& timings)
: options_(options)
, meshes_(meshes)
, timings_(timings)
, scene_(std::make_shared<MeshScene>())
{
  const bool wants_scene = options.view || !options.screenshot.empty();
  wants_cloud_ = !options.cloud.empty() || wants_scene;
  const bool wants_picture = !options.image.empty() || wants_scene;
  for (const InputMesh& mesh : meshes) {
    scene_->addInstance(scene_->addMesh(mesh.rest), mesh.pose);
    if (!options.deformation)
      continue;
    MeshDeformationParameters parameters;
    parameters.kind = *options.deformation;
    parameters.strength = options.strength;
    parameters.center = mesh.box.center();
    parameters.radius = std::max(0.5f * mesh.box.sizes().maxCoeff(), 1e-6f);
    deformations_.emplace_back();
    deformations_.back().setParameters(parameters);
  }
  deformed_.resize(deformations_.size());
  if (wants_picture)
    picture_renderer_.emplace(options, meshes);
  ray_caster_.setScene(scene_);
  MeshRayCasterParameters parameters;
  parameters.method = options.method;
  parameters.culling = options.culling;
  if (wants_cloud_)
    parameters.outputs |= PointsOutput | NormalsOutput | ColorsOutput;
  ray_caster_.setParameters(parameters);
}

std::size_t
RayCastSequence::triangles() const
{
  return scene_->getNumberOfTriangles();
}

void
RayCastSequence::timeStages(const CameraView& view)
{
  using Clock = std::chrono::steady_clock;
  Clock::time_point start;
  ray_caster_.setStageObserver([&](const char* stage, const Stream& stream) {
    stream.synchronize();
    const Clock::time_point end = Clock::now();
    timings_.add(std::string("cast/") + stage,
                 std::chrono::duration<double, std::milli>(end - start).count());
    start = end;
  });
  start = Clock::now();
  ray_caster_.cast(view, images_, stream_);
  ray_caster_.setStageObserver({});
}

void
RayCastSequence::deform(int number)
{
  const float phase = static_cast<float>(number) / static_cast<float>(options_.frames);
  for (std::size_t i = 0; i < deformations_.size(); ++i) {
    deformations_[i].compute(meshes_[i].rest, phase, deformed_[i], stream_);
    scene_->setMesh(static_cast<int>(i), deformed_[i]);
    if (picture_renderer_)
      picture_renderer_->setMesh(static_cast<int>(i), deformed_[i]);
  }
}

RayCastFrame
RayCastSequence::run(int number, const CameraView& view)
{
  for (int i = 0; i < options_.repeat; ++i) {
    if (options_.deformation)
      timings_.measure("deform", stream_, [&] { deform(number); });
    timings_.measure(
        "cast", stream_, [&] { ray_caster_.cast(view, images_, stream_); });
    if (!options_.timings.empty())
      timeStages(view);
  }
  RayCastFrame frame;
  frame.width = view.getWidth();
  frame.height = view.getHeight();
  timings_.measure("download", [&] {
    frame.depth = downloaded(images_.depth);
    frame.triangles = downloaded(images_.triangles);
    if (wants_cloud_)
      frame.cloud = cloudOf(images_);
  });
  for (const int triangle : frame.triangles)
    frame.hits += triangle >= 0 ? 1 : 0;
  const bool takes_long = options_.soft_shadows || options_.ambient_occlusion;
  if (picture_renderer_ && takes_long && !options_.isSequence())
    announceTime(picture_renderer_->expectedSeconds(view, stream_),
                 "the picture",
                 smaller_picture);
  if (picture_renderer_)
    frame.picture = timings_.measure(
        "shade", [&] { return picture_renderer_->render(view, stream_); });
  return frame;
}

} // namespace pcl::gpu::apps
