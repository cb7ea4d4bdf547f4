// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "meshes.h"

#include <pcl/conversions.h>
#include <pcl/io/ply_io.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace pcl {
namespace gpu {
namespace test {

namespace {

/** \brief A file without its compression, for as long as it is needed. */
class DecompressedFile {
public:
  explicit DecompressedFile(const std::string& compressed)
  : path_(testing::TempDir() + "/" +
          compressed.substr(compressed.find_last_of('/') + 1) + "." +
          std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "." +
          testing::UnitTest::GetInstance()->current_test_info()->name())
  {
    for (std::size_t i = testing::TempDir().size() + 1; i < path_.size(); ++i)
      if (path_[i] == '/')
        path_[i] = '_';
    std::ifstream file(compressed, std::ios::binary);
    std::ofstream decompressed(path_, std::ios::binary);
    boost::iostreams::filtering_istream stream;
    stream.push(boost::iostreams::lzma_decompressor());
    stream.push(file);
    boost::iostreams::copy(stream, decompressed);
  }

  ~DecompressedFile() { std::remove(path_.c_str()); }

  DecompressedFile(const DecompressedFile&) = delete;
  DecompressedFile&
  operator=(const DecompressedFile&) = delete;

  const std::string&
  path() const
  {
    return path_;
  }

private:
  std::string path_;
};

HostMesh
readPly(const std::string& path)
{
  PolygonMesh polygons;
  if (io::loadPLYFile(path, polygons) != 0)
    throw std::runtime_error("cannot read " + path);
  HostMesh mesh;
  PointCloud<PointXYZ> cloud;
  fromPCLPointCloud2(polygons.cloud, cloud);
  mesh.vertices.assign(cloud.begin(), cloud.end());
  for (const Vertices& polygon : polygons.polygons)
    mesh.triangles.insert(
        mesh.triangles.end(), polygon.vertices.begin(), polygon.vertices.end());
  return mesh;
}

} // namespace

HostMesh
loadMesh(const std::string& name)
{
  const std::string path = dataPath("meshes/" + name);
  const std::string ending = ".xz";
  if (path.size() > ending.size() &&
      path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
    return readPly(DecompressedFile(path).path());
  return readPly(path);
}

} // namespace test
} // namespace gpu
} // namespace pcl
