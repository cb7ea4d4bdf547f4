// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/raycast/polygon_mesh_ray_caster.h>
#include <pcl/gpu/raycast/range_image_conversion.h>

namespace pcl::gpu {

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::setInputMesh(const PolygonMesh& mesh)
{
  setTriangleMesh(toTriangleMesh(mesh), mesh.header);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::setInputMesh(const PolygonMesh::ConstPtr& mesh)
{
  checkArgument(mesh != nullptr, "input mesh", "null", "a mesh");
  setInputMesh(*mesh);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::setInputMesh(const TextureMesh& mesh)
{
  setTriangleMesh(toTriangleMesh(mesh), mesh.header);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::setTriangleMesh(const TriangleMesh& mesh,
                                              const PCLHeader& header)
{
  ray_caster_.setInputMesh(mesh);
  header_ = header;
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::cast(PointCloud& output)
{
  const CameraView& view = getCamera();
  LastCast& last = last_.value;
  last.view.reset();
  MeshRayCasterParameters parameters = ray_caster_.getParameters();
  parameters.outputs = DepthOutput | TrianglesOutput | detail::rayCastOutputs<PointT>();
  ray_caster_.setParameters(parameters);
  ray_caster_.cast(view, last.images);
  last.reader.read(last.images);
  last.reader.organizedCloud(0, view.getWidth(), view.getHeight(), output);
  last.view = view;

  output.header = header_;
  if (!parameters.in_world_frame)
    output.header.frame_id.clear();
  detail::setSensorPose(parameters.in_world_frame ? view.getPose() : Pose::Identity(),
                        output);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::getDepthMap(std::vector<float>& depth) const
{
  int columns;
  lastCast().images.depth.download(depth, columns);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::getTriangleIds(std::vector<int>& triangles) const
{
  int columns;
  lastCast().images.triangles.download(triangles, columns);
}

template <typename PointT>
void
PolygonMeshRayCaster<PointT>::getRangeImage(RangeImagePlanar& range_image) const
{
  const LastCast& last = lastCast();
  toRangeImagePlanar(last.images.depth, *last.view, range_image);
}

template <typename PointT>
const typename PolygonMeshRayCaster<PointT>::LastCast&
PolygonMeshRayCaster<PointT>::lastCast() const
{
  checkArgument(
      last_.value.view.has_value(), "number of casts", 0, "cast() before its results");
  return last_.value;
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuPolygonMeshRayCaster(T)                                     \
  template class PCL_EXPORTS pcl::gpu::PolygonMeshRayCaster<T>;
