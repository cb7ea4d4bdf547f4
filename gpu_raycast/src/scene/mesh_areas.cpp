// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/impl/mesh_areas.h>

#include <Eigen/Geometry>

namespace pcl::gpu::detail {

MeshAreas::MeshAreas(const TriangleMesh& mesh)
{
  std::vector<PointXYZ> vertices;
  std::vector<int> indices;
  mesh.vertices.download(vertices);
  mesh.triangles.download(indices);
  areas_.assign(indices.size() / 3, 0.0);
  last_seen_in_.assign(areas_.size(), 0);
  Eigen::AlignedBox3f box;
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    const Eigen::Vector3f a = vertices[indices[3 * i]].getVector3fMap();
    const Eigen::Vector3f b = vertices[indices[3 * i + 1]].getVector3fMap();
    const Eigen::Vector3f c = vertices[indices[3 * i + 2]].getVector3fMap();
    if (!a.allFinite() || !b.allFinite() || !c.allFinite())
      continue;
    const Eigen::Vector3d ab = (b - a).cast<double>();
    const Eigen::Vector3d ac = (c - a).cast<double>();
    areas_[i] = 0.5 * ab.cross(ac).norm();
    total_ += areas_[i];
    center_ +=
        areas_[i] / 3.0 * (a.cast<double>() + b.cast<double>() + c.cast<double>());
    for (const Eigen::Vector3f& corner : {a, b, c})
      box.extend(corner);
  }
  if (total_ > 0.0)
    center_ /= total_;
  if (!box.isEmpty())
    size_ = box.sizes();
}

float
MeshAreas::seenPart(PtrStep<const int> triangles, int first_row, int rows, int columns)
{
  ++images_;
  double seen = 0.0;
  for (int row = first_row; row < first_row + rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int id = triangles.ptr(row)[column];
      if (id < 0 || last_seen_in_[id] == images_)
        continue;
      last_seen_in_[id] = images_;
      seen += areas_[id];
    }
  return total_ > 0.0 ? static_cast<float>(seen / total_) : 0.0f;
}

} // namespace pcl::gpu::detail
