// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/io.h>
#include <pcl/common/point_tests.h>
#include <pcl/gpu/triangulation/organized_fast_mesh.h>

#include <cstring>

namespace pcl::gpu {

template <typename PointInT>
void
OrganizedFastMesh<PointInT>::performReconstruction(pcl::PolygonMesh& output)
{
  performReconstruction(output.polygons);

  const int fields[3] = {getFieldIndex(output.cloud, "x"),
                         getFieldIndex(output.cloud, "y"),
                         getFieldIndex(output.cloud, "z")};
  if (std::min({fields[0], fields[1], fields[2]}) < 0)
    return;
  const auto& points = *input_;
  detail::forEach(points.size(), [&](std::size_t i) {
    if (isFinite(points[i]))
      return;
    std::uint8_t* point = &output.cloud.data[i * output.cloud.point_step];
    for (const int field : fields)
      std::memset(point + output.cloud.fields[field].offset, 0, sizeof(float));
  });
}

template <typename PointInT>
void
OrganizedFastMesh<PointInT>::performReconstruction(Polygons& polygons)
{
  DeviceSide& side = scratch_.onCurrentDevice();
  side.triangulation.setParameters(parametersInEffect());

  const OrganizedCloud cloud = detail::uploadPositions(*input_, side.cloud);
  NormalMap normals;
  if (testsNormals())
    normals =
        detail::uploadNormals(*normals_, cloud.rows(), cloud.cols(), side.normals);
  if (parameters_.dynamic_edge_length && !store_shadowed_faces_) {
    CloudResolutionParameters resolution;
    parameters_.applyTo(resolution);
    side.resolution.setParameters(resolution);
    side.resolution.compute(cloud, normals, side.statistics);
  }
  side.triangulation.compute(cloud, normals, side.statistics, side.mesh);

  const std::size_t corners = side.mesh.vertices_per_polygon;
  const std::size_t count = *side.count.read(side.mesh.polygon_count, 1);
  const int* indices = side.indices.read(side.mesh.indices, corners * count);
  polygons.resize(count);
  detail::forEach(count, [&polygons, indices, corners](std::size_t i) {
    polygons[i].vertices.assign(indices + i * corners, indices + (i + 1) * corners);
  });
}

template <typename PointInT>
bool
OrganizedFastMesh<PointInT>::testsNormals() const
{
  if (store_shadowed_faces_)
    return false;
  return parameters_.dynamic_normal_angle
             ? normals_ != nullptr
             : parameters_.max_normal_angle < static_cast<float>(M_PI);
}

template <typename PointInT>
void
OrganizedFastMesh<PointInT>::checkInput() const
{
  detail::requireOrganized<PointInT>(input_, getClassName());
  if (!testsNormals())
    return;
  if (!normals_)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        getClassName() << ": setMaxNormalAngle() needs normals, see "
                                          "setInputNormals()");
  if (normals_->size() != input_->size())
    PCL_THROW_EXCEPTION(BadArgumentException,
                        getClassName()
                            << ": there are " << normals_->size() << " normals for "
                            << input_->size() << " points: expected as many");
}

template <typename PointInT>
OrganizedTriangulationParameters
OrganizedFastMesh<PointInT>::parametersInEffect() const
{
  if (!store_shadowed_faces_)
    return parameters_;
  OrganizedTriangulationParameters parameters;
  parameters.cut = parameters_.cut;
  parameters.row_step = parameters_.row_step;
  parameters.column_step = parameters_.column_step;
  parameters.viewpoint = parameters_.viewpoint;
  parameters.angle_tolerance = 0.0f;
  parameters.dynamic_edge_length = false;
  parameters.dynamic_normal_angle = false;
  return parameters;
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuOrganizedFastMesh(T)                                        \
  template class PCL_EXPORTS pcl::gpu::OrganizedFastMesh<T>;
