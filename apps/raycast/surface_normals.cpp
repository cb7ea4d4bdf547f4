// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "surface_normals.h"

#include <pcl/common/angles.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace pcl::gpu::apps {

namespace {

/** \brief A mesh in host memory. */
struct HostMesh {
  std::vector<PointXYZ> vertices;
  std::vector<int> indices;
  std::vector<PointXYZ> normals;
  std::vector<RGB> colors;
  std::vector<TextureCoordinate> texture_coordinates;

  explicit HostMesh(const TriangleMesh& mesh)
  {
    mesh.vertices.download(vertices);
    mesh.triangles.download(indices);
    mesh.colors.download(colors);
    mesh.texture_coordinates.download(texture_coordinates);
    normals.resize(vertices.size(), PointXYZ(0.0f, 0.0f, 0.0f));
  }

  int
  copyVertex(int vertex)
  {
    vertices.push_back(vertices[vertex]);
    normals.push_back(normals[vertex]);
    if (!colors.empty())
      colors.push_back(colors[vertex]);
    if (!texture_coordinates.empty())
      texture_coordinates.push_back(texture_coordinates[vertex]);
    return static_cast<int>(vertices.size() - 1);
  }

  void
  upload(TriangleMesh& mesh) const
  {
    mesh.vertices.upload(vertices);
    mesh.triangles.upload(indices);
    mesh.normals.upload(normals);
    mesh.colors.upload(colors);
    mesh.texture_coordinates.upload(texture_coordinates);
  }
};

/** \brief Returns twice the area of each triangle, times its normal. */
std::vector<Eigen::Vector3f>
areaVectors(const HostMesh& mesh)
{
  std::vector<Eigen::Vector3f> vectors;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Eigen::Vector3f a = mesh.vertices[mesh.indices[i]].getVector3fMap();
    const Eigen::Vector3f b = mesh.vertices[mesh.indices[i + 1]].getVector3fMap();
    const Eigen::Vector3f c = mesh.vertices[mesh.indices[i + 2]].getVector3fMap();
    const Eigen::Vector3f area = (b - a).cross(c - a);
    vectors.push_back(area.allFinite() ? area : Eigen::Vector3f::Zero());
  }
  return vectors;
}

/** \brief Numbers vertices by their places: those at one place get one number. */
std::vector<int>
numberPlaces(const std::vector<PointXYZ>& vertices)
{
  const auto coordinates = [&](int i) {
    return std::make_tuple(vertices[i].x, vertices[i].y, vertices[i].z);
  };
  // NaN has no order: such vertices are at places of their own.
  std::vector<int> order, places(vertices.size());
  for (int i = 0; i < static_cast<int>(vertices.size()); ++i)
    if (vertices[i].getVector3fMap().allFinite())
      order.push_back(i);
    else
      places[i] = i;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return coordinates(a) < coordinates(b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || coordinates(order[i - 1]) != coordinates(order[i]);
    places[order[i]] = is_new ? order[i] : places[order[i - 1]];
  }
  return places;
}

/** \brief Corners of triangles at each place: those of place i are first[i] to
 * first[i + 1] - 1. */
struct CornersOfPlaces {
  std::vector<int> first;
  std::vector<int> corners;

  explicit CornersOfPlaces(const HostMesh& mesh)
  : first(mesh.vertices.size() + 1)
  , corners(mesh.indices.size())
  {
    const std::vector<int> places = numberPlaces(mesh.vertices);
    for (const int vertex : mesh.indices)
      ++first[places[vertex] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> next = first;
    for (std::size_t i = 0; i < mesh.indices.size(); ++i)
      corners[next[places[mesh.indices[i]]]++] = static_cast<int>(i);
  }
};

PointXYZ
asPoint(const Eigen::Vector3f& v)
{
  return PointXYZ(v.x(), v.y(), v.z());
}

} // namespace

void
addSurfaceNormals(TriangleMesh& mesh, float crease_angle)
{
  HostMesh host(mesh);
  const std::vector<Eigen::Vector3f> areas = areaVectors(host);
  const CornersOfPlaces at(host);
  const float least_cosine = std::cos(deg2rad(crease_angle));
  const auto turnsLittle = [&](const Eigen::Vector3f& a, const Eigen::Vector3f& b) {
    return a.dot(b) >= least_cosine * a.norm() * b.norm();
  };

  for (std::size_t place = 0; place + 1 < at.first.size(); ++place) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (int i = at.first[place]; i < at.first[place + 1]; ++i)
      sum += areas[at.corners[i] / 3];
    bool is_smooth = true;
    for (int i = at.first[place]; i < at.first[place + 1]; ++i)
      is_smooth = is_smooth && turnsLittle(areas[at.corners[i] / 3], sum);
    for (int i = at.first[place]; i < at.first[place + 1]; ++i) {
      int& vertex = host.indices[at.corners[i]];
      if (is_smooth) {
        host.normals[vertex] = asPoint(sum.normalized());
        continue;
      }
      const Eigen::Vector3f& own = areas[at.corners[i] / 3];
      Eigen::Vector3f near = Eigen::Vector3f::Zero();
      for (int j = at.first[place]; j < at.first[place + 1]; ++j)
        if (j == i || turnsLittle(areas[at.corners[j] / 3], own))
          near += areas[at.corners[j] / 3];
      vertex = host.copyVertex(vertex);
      host.normals[vertex] = asPoint(near.normalized());
    }
  }
  host.upload(mesh);
}

} // namespace pcl::gpu::apps
