// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "meshes.h"

#include <pcl/PolygonMesh.h>
#include <pcl/conversions.h>
#include <pcl/io/ply_io.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace benchmarks {

namespace {

/** \brief A file that is gone when this is. */
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

void
unpack(const std::string& from, const std::string& to)
{
  std::ifstream packed(from, std::ios::binary);
  if (!packed)
    throw std::runtime_error("cannot read " + from);
  boost::iostreams::filtering_istream stream;
  stream.push(boost::iostreams::lzma_decompressor());
  stream.push(packed);
  std::ofstream plain(to, std::ios::binary);
  boost::iostreams::copy(stream, plain);
}

bool
endsIn(const std::string& text, const std::string& end)
{
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

pcl::PointXYZ
middle(const pcl::PointXYZ& a, const pcl::PointXYZ& b)
{
  return {0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z)};
}

} // namespace

HostMesh
readMesh(const std::string& path)
{
  if (endsIn(path, ".xz")) {
    const TemporaryFile file;
    unpack(path, file.path());
    return readMesh(file.path());
  }
  pcl::PolygonMesh polygons;
  if (pcl::io::loadPLYFile(path, polygons) < 0)
    throw std::runtime_error("cannot read " + path);
  pcl::PointCloud<pcl::PointXYZ> cloud;
  pcl::fromPCLPointCloud2(polygons.cloud, cloud);
  HostMesh mesh;
  mesh.vertices.assign(cloud.begin(), cloud.end());
  for (const auto& polygon : polygons.polygons)
    mesh.triangles.insert(
        mesh.triangles.end(), polygon.vertices.begin(), polygon.vertices.end());
  return mesh;
}

void
normalize(HostMesh& mesh)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Eigen::Array3f least = Eigen::Array3f::Constant(infinity);
  Eigen::Array3f most = -least;
  for (const auto& vertex : mesh.vertices) {
    least = least.min(vertex.getArray3fMap());
    most = most.max(vertex.getArray3fMap());
  }
  const Eigen::Array3f center = 0.5f * (least + most);
  const float scale = 1.0f / (most - least).maxCoeff();
  for (auto& vertex : mesh.vertices)
    vertex.getArray3fMap() = scale * (vertex.getArray3fMap() - center);
}

HostMesh
quadrupled(const HostMesh& mesh)
{
  HostMesh result;
  result.vertices = mesh.vertices;
  std::map<std::pair<int, int>, int> middles;
  const auto middleOf = [&](int a, int b) {
    const auto key = std::minmax(a, b);
    const auto found = middles.emplace(key, static_cast<int>(result.vertices.size()));
    if (found.second)
      result.vertices.push_back(middle(mesh.vertices[a], mesh.vertices[b]));
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
    const std::array<int, 12> parts = {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca};
    result.triangles.insert(result.triangles.end(), parts.begin(), parts.end());
  }
  return result;
}

HostMesh
splitUpTo(HostMesh mesh, std::size_t triangles)
{
  for (std::size_t i = 0; mesh.triangleCount() < triangles; ++i) {
    const int a = mesh.triangles[3 * i];
    const int b = mesh.triangles[3 * i + 1];
    const int c = mesh.triangles[3 * i + 2];
    const int center = static_cast<int>(mesh.vertices.size());
    pcl::PointXYZ point;
    point.getVector3fMap() =
        (mesh.vertices[a].getVector3fMap() + mesh.vertices[b].getVector3fMap() +
         mesh.vertices[c].getVector3fMap()) /
        3.0f;
    mesh.vertices.push_back(point);
    mesh.triangles[3 * i + 2] = center;
    mesh.triangles.insert(mesh.triangles.end(), {b, c, center, c, a, center});
  }
  return mesh;
}

pcl::gpu::TriangleMesh
uploaded(const HostMesh& mesh)
{
  pcl::gpu::TriangleMesh result;
  result.vertices.upload(mesh.vertices);
  result.triangles.upload(mesh.triangles);
  return result;
}

pcl::gpu::PinholeCamera
cameraFor(int width, int height, double focal_length)
{
  pcl::gpu::PinholeCamera camera;
  camera.fx = camera.fy = static_cast<float>(focal_length * 0.5 * height);
  camera.cx = 0.5f * static_cast<float>(width - 1);
  camera.cy = 0.5f * static_cast<float>(height - 1);
  camera.width = width;
  camera.height = height;
  return camera;
}

pcl::gpu::Pose
poseBefore(double distance)
{
  pcl::gpu::Pose pose = pcl::gpu::Pose::Identity();
  pose.linear() = Eigen::Vector3f(1.0f, -1.0f, -1.0f).asDiagonal();
  pose.translation().z() = static_cast<float>(distance);
  return pose;
}

double
fittingFocalLength(const HostMesh& mesh, double aspect, double distance, double span)
{
  double widest = 0.0;
  for (const auto& vertex : mesh.vertices) {
    const double depth = distance - vertex.z;
    widest = std::max(
        {widest, std::abs(vertex.x) / (aspect * depth), std::abs(vertex.y) / depth});
  }
  return span / widest;
}

} // namespace benchmarks
