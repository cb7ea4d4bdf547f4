// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/host_mesh.h"

#include "testing/image.h"
#include "testing/packed_file.h"

#include <pcl/PolygonMesh.h>
#include <pcl/conversions.h>
#include <pcl/io/ply_io.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace pcl::gpu::test {

namespace {

/** \brief A file that is removed with the object. */
class TemporaryFile {
public:
  TemporaryFile()
  {
    const int file = mkstemps(&path_[0], 4);
    if (file < 0)
      throw std::runtime_error("cannot make a temporary file");
    close(file);
  }

  ~TemporaryFile() { unlink(path_.c_str()); }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile&
  operator=(const TemporaryFile&) = delete;

  const std::string&
  path() const
  {
    return path_;
  }

private:
  std::string path_ = "/tmp/mesh_XXXXXX.ply";
};

} // namespace

void
HostMesh::addTriangle(const Eigen::Vector3f& a,
                      const Eigen::Vector3f& b,
                      const Eigen::Vector3f& c)
{
  for (const Eigen::Vector3f& v : {a, b, c}) {
    triangles.push_back(static_cast<int>(vertices.size()));
    vertices.emplace_back(v.x(), v.y(), v.z());
  }
}

TriangleMesh
uploaded(const HostMesh& mesh)
{
  TriangleMesh result;
  result.vertices = uploaded(mesh.vertices);
  result.triangles = uploaded(mesh.triangles);
  result.normals = uploaded(mesh.normals);
  result.colors = uploaded(mesh.colors);
  result.texture_coordinates = uploaded(mesh.texture_coordinates);
  return result;
}

HostMesh
readMesh(const std::string& path)
{
  if (isPacked(path)) {
    const TemporaryFile file;
    std::ofstream(file.path(), std::ios::binary) << contentsOf(path);
    return readMesh(file.path());
  }
  PolygonMesh polygons;
  if (io::loadPLYFile(path, polygons) != 0)
    throw std::runtime_error("cannot read " + path);
  PointCloud<PointXYZ> cloud;
  fromPCLPointCloud2(polygons.cloud, cloud);
  HostMesh mesh;
  mesh.vertices.assign(cloud.begin(), cloud.end());
  for (const Vertices& polygon : polygons.polygons)
    mesh.triangles.insert(
        mesh.triangles.end(), polygon.vertices.begin(), polygon.vertices.end());
  return mesh;
}

HostMesh
quadrupled(const HostMesh& mesh)
{
  HostMesh result;
  result.vertices = mesh.vertices;
  std::map<std::pair<int, int>, int> middles;
  const auto middleOf = [&](int a, int b) {
    const auto found =
        middles.emplace(std::minmax(a, b), static_cast<int>(result.vertices.size()));
    if (found.second) {
      const Eigen::Vector3f middle = 0.5f * (mesh.vertices[a].getVector3fMap() +
                                             mesh.vertices[b].getVector3fMap());
      result.vertices.emplace_back(middle.x(), middle.y(), middle.z());
    }
    return found.first->second;
  };
  result.triangles.reserve(4 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    const int a = mesh.triangles[i];
    const int b = mesh.triangles[i + 1];
    const int c = mesh.triangles[i + 2];
    const int ab = middleOf(a, b);
    const int bc = middleOf(b, c);
    const int ca = middleOf(c, a);
    result.triangles.insert(result.triangles.end(),
                            {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
  }
  return result;
}

} // namespace pcl::gpu::test
