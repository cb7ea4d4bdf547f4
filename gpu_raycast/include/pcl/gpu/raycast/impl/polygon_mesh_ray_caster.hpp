// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/polygon_mesh_ray_caster.h>

namespace pcl::gpu {

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

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuPolygonMeshRayCaster(T)                                     \
  template class PCL_EXPORTS pcl::gpu::PolygonMeshRayCaster<T>;
