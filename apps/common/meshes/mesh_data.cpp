// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_formats.h"

#include <pcl/PCLPointField.h>
#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace pcl::gpu::apps {

namespace {

void
addField(PCLPointCloud2& cloud, const char* name, std::uint8_t type)
{
  PCLPointField field;
  field.name = name;
  field.offset = cloud.point_step;
  field.datatype = type;
  field.count = 1;
  cloud.fields.push_back(field);
  cloud.point_step += 4;
}

/** \brief Returns a colour as PCL packs it. */
std::uint32_t
packed(const std::array<float, 4>& color)
{
  std::uint32_t result = 0;
  for (const int channel : {3, 0, 1, 2}) {
    // A comparison with NaN is false.
    const float value = color[channel] > 0.0f ? std::min(color[channel], 1.0f) : 0.0f;
    result = result << 8 | static_cast<std::uint32_t>(std::lround(255.0f * value));
  }
  return result;
}

void
checkPolygons(const MeshData& mesh)
{
  if (mesh.polygons.empty())
    PCL_THROW_EXCEPTION(IOException, "has no polygons: expected a mesh");
  constexpr std::size_t most = std::numeric_limits<index_t>::max();
  if (mesh.positions.size() > most || mesh.polygons.size() > most)
    PCL_THROW_EXCEPTION(IOException, "is too large: expected fewer than 2^31 vertices");
  for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
    const Indices& polygon = mesh.polygons[i].vertices;
    if (polygon.size() < 3)
      PCL_THROW_EXCEPTION(IOException,
                          "number of vertices of polygon " << i << " is "
                                                           << polygon.size()
                                                           << ": expected 3 or more");
    for (const index_t index : polygon)
      if (index < 0 || static_cast<std::size_t>(index) >= mesh.positions.size())
        PCL_THROW_EXCEPTION(IOException,
                            "index in polygon "
                                << i << " is " << index << ": expected 0 to less than "
                                << mesh.positions.size() << ", the number of vertices");
  }
}

} // namespace

void
MeshData::addPolygon(Indices vertices)
{
  polygons.emplace_back();
  polygons.back().vertices = std::move(vertices);
}

void
MeshData::addStrip(const Indices& vertices)
{
  for (std::size_t i = 2; i < vertices.size(); ++i) {
    const std::size_t odd = i % 2;
    addPolygon({vertices[i - 2 + odd], vertices[i - 1 - odd], vertices[i]});
  }
}

void
scaleColors(MeshData& mesh)
{
  float most = 0.0f;
  for (const auto& color : mesh.colors)
    most = std::max({most, color[0], color[1], color[2]});
  for (auto& color : mesh.colors) {
    for (int channel = 0; most > 1.0f && channel < 3; ++channel)
      color[channel] /= 255.0f;
    if (color[3] > 1.0f)
      color[3] /= 255.0f;
  }
}

PCLPointCloud2
toPointCloud(const MeshData& mesh)
{
  PCLPointCloud2 cloud;
  const std::size_t count = mesh.positions.size();
  const bool has_normals = mesh.normals.size() == count;
  const bool has_colors = mesh.colors.size() == count;
  for (const char* name : {"x", "y", "z"})
    addField(cloud, name, PCLPointField::FLOAT32);
  if (has_normals)
    for (const char* name : {"normal_x", "normal_y", "normal_z"})
      addField(cloud, name, PCLPointField::FLOAT32);
  if (has_colors)
    addField(cloud, "rgba", PCLPointField::UINT32);
  cloud.width = static_cast<std::uint32_t>(count);
  cloud.height = 1;
  cloud.row_step = cloud.point_step * cloud.width;
  cloud.is_dense = false; // not known
  cloud.data.resize(count * cloud.point_step);
  std::uint8_t* place = cloud.data.data();
  const auto store = [&](const auto& value) {
    std::memcpy(place, &value, sizeof value);
    place += sizeof value;
  };
  for (std::size_t i = 0; i < count; ++i) {
    store(mesh.positions[i]);
    if (has_normals)
      store(mesh.normals[i]);
    if (has_colors)
      store(packed(mesh.colors[i]));
  }
  return cloud;
}

PolygonMesh
toPolygonMesh(MeshData mesh)
{
  checkPolygons(mesh);
  PolygonMesh result;
  result.cloud = toPointCloud(mesh);
  result.polygons = std::move(mesh.polygons);
  return result;
}

} // namespace pcl::gpu::apps
