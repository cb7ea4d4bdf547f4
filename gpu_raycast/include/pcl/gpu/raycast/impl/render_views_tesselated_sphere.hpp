// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/angles.h>
#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>

#include <algorithm>

namespace pcl::gpu {

template <typename PointT>
void
RenderViewsTesselatedSphere<PointT>::checkMesh() const
{
  checkArgument(ray_caster_.getScene() != nullptr,
                "input mesh",
                "not set",
                "setInputMesh() before");
  checkArgument(areas_.total() > 0.0,
                "area of the input mesh",
                areas_.total(),
                "more than 0 square metres");
}

template <typename PointT>
std::vector<CameraView>
RenderViewsTesselatedSphere<PointT>::placeCameras() const
{
  checkMesh();
  const TesselatedSphere sphere = makeTesselatedSphere(tesselation_level_);
  std::vector<Eigen::Vector3f> positions = sphere.vertices;
  if (!use_vertices_) {
    positions.clear();
    for (const auto& [a, b, c] : sphere.triangles)
      positions.push_back(
          (sphere.vertices[a] + sphere.vertices[b] + sphere.vertices[c]).normalized());
  }
  const PinholeCamera camera =
      PinholeCamera::fromFieldOfView(deg2rad(view_angle_), resolution_, resolution_);
  const float radius =
      radius_sphere_ > 0.0f ? radius_sphere_ : 2.0f * areas_.largestSide();
  std::vector<CameraView> cameras;
  for (const Eigen::Vector3f& position : positions)
    if (!constraint_ || constraint_(position))
      cameras.emplace_back(
          camera, lookAt(areas_.center() + radius * position, areas_.center()));
  return cameras;
}

template <typename PointT>
void
RenderViewsTesselatedSphere<PointT>::generateViews(
    const std::vector<CameraView>& cameras)
{
  checkMesh();
  for (const CameraView& camera : cameras)
    for (const int size : {camera.getWidth(), camera.getHeight()})
      checkArgument(
          size == resolution_, "size of a camera's image", size, "the resolution");
  cameras_ = cameras;
  views_.clear();
  entropies_.clear();
  setParameter(ray_caster_,
               &MeshRayCasterParameters::outputs,
               detail::rayCastOutputs<PointT>() |
                   (compute_entropy_ ? TrianglesOutput : 0u));
  constexpr std::size_t most_pixels = std::size_t(1) << 24;
  const std::size_t pixels = std::size_t(resolution_) * resolution_;
  const std::size_t batch = std::max<std::size_t>(1, most_pixels / pixels);
  for (std::size_t first = 0; first < cameras_.size(); first += batch) {
    const std::size_t end = std::min(first + batch, cameras_.size());
    addViews({cameras_.begin() + first, cameras_.begin() + end});
  }
}

template <typename PointT>
void
RenderViewsTesselatedSphere<PointT>::addViews(const std::vector<CameraView>& cameras)
{
  Buffers& buffers = buffers_.value;
  ray_caster_.cast(cameras, buffers.images);
  buffers.clouds.read(buffers.images);
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    const int first_row = static_cast<int>(i) * resolution_;
    typename PointCloud::Ptr view(new PointCloud);
    if (gen_organized_)
      buffers.clouds.organizedCloud(first_row, resolution_, resolution_, *view);
    else
      buffers.clouds.denseCloud(first_row, resolution_, resolution_, *view);
    views_.push_back(view);
  }
  if (!compute_entropy_)
    return;
  const PtrStep<const int> triangles = buffers.triangles.read(buffers.images.triangles);
  for (std::size_t i = 0; i < cameras.size(); ++i)
    entropies_.push_back(areas_.seenPart(
        triangles, static_cast<int>(i) * resolution_, resolution_, resolution_));
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuRenderViewsTesselatedSphere(T)                              \
  template class PCL_EXPORTS pcl::gpu::RenderViewsTesselatedSphere<T>;
