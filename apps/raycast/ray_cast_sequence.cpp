// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "ray_cast_sequence.h"

#include <cmath>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

/** \brief The same camera with finer pixels. */
CameraView
refined(const CameraView& view, int samples)
{
  const auto factor = static_cast<float>(samples);
  // Pixel centres are at integers: the middle of the first pixel's samples is not at 0.
  const float offset = 0.5f * (factor - 1.0f);
  const PinholeCamera camera = {factor * view.getFx(),
                                factor * view.getFy(),
                                factor * view.getCx() + offset,
                                factor * view.getCy() + offset,
                                samples * view.getWidth(),
                                samples * view.getHeight()};
  if (!view.isOrthographic())
    return CameraView(camera, view.getPose());
  const OrthographicCamera parallel = {
      camera.fx, camera.fy, camera.cx, camera.cy, camera.width, camera.height};
  return CameraView(parallel, view.getPose());
}

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
  wants_picture_ = !options.image.empty() || wants_scene;
  for (const InputMesh& mesh : meshes) {
    scene_->addInstance(scene_->addMesh(mesh.rest), mesh.pose);
    if (!options.deformation)
      continue;
    MeshDeformation deformation;
    deformation.setKind(*options.deformation);
    deformation.setStrength(options.strength);
    deformation.setRegion(mesh.box.center(),
                          std::max(0.5f * mesh.box.sizes().maxCoeff(), 1e-6f));
    deformations_.push_back(deformation);
  }
  deformed_.resize(deformations_.size());
  for (MeshRayCaster* ray_caster : {&ray_caster_, &picture_caster_}) {
    ray_caster->setScene(scene_);
    ray_caster->setMethod(options.method);
    ray_caster->setCulling(options.culling);
  }
  ray_caster_.setOutputs(
      DepthOutput | TrianglesOutput |
      (wants_cloud_ ? PointsOutput | NormalsOutput | ColorsOutput : 0));
  picture_caster_.setOutputs(NormalsOutput | ColorsOutput);
}

std::size_t
RayCastSequence::triangles() const
{
  return scene_->getNumberOfTriangles();
}

template <typename Work>
void
RayCastSequence::stage(const char* name, Work work)
{
  timings_.measure(name, [&] {
    work();
    stream_.synchronize();
  });
}

void
RayCastSequence::deform(int number)
{
  const float phase = static_cast<float>(number) / static_cast<float>(options_.frames);
  for (std::size_t i = 0; i < deformations_.size(); ++i) {
    deformations_[i].compute(meshes_[i].rest, phase, deformed_[i], stream_);
    scene_->setMesh(static_cast<int>(i), deformed_[i]);
  }
}

ColorImage
RayCastSequence::takePicture(const CameraView& view)
{
  const int samples =
      2 * std::max(view.getWidth(), view.getHeight()) <= CameraView::max_size ? 2 : 1;
  const CameraView fine = refined(view, samples);
  stage("cast picture", [&] { picture_caster_.cast(fine, picture_images_, stream_); });
  return timings_.measure("shade", [&] {
    SurfaceImage surfaces;
    surfaces.width = fine.getWidth();
    surfaces.height = fine.getHeight();
    surfaces.normals = downloaded(picture_images_.normals);
    surfaces.colors = downloaded(picture_images_.colors);
    return shade(surfaces, fine, samples);
  });
}

RayCastFrame
RayCastSequence::run(int number, const CameraView& view)
{
  for (int i = 0; i < options_.repeat; ++i) {
    if (options_.deformation)
      stage("deform", [&] { deform(number); });
    stage("cast", [&] { ray_caster_.cast(view, images_, stream_); });
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
  if (wants_picture_)
    frame.picture = takePicture(view);
  return frame;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
