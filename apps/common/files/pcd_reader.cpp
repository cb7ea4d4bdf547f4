// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pcd_reader.h"

#include "../command_line/errors.h"

#include <pcl/io/pcd_io.h>

#include <fstream>

namespace pcl::gpu::apps {

namespace {

// Returns whether the header is complete: PCL reads one that ends early as an empty
// cloud, or crashes.
bool
hasCompleteHeader(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  std::string line;
  for (int i = 0; i < 100 && std::getline(file, line); ++i)
    if (line.rfind("DATA ", 0) == 0)
      return true;
  return false;
}

bool
hasFloatField(const PCLPointCloud2& blob, const std::string& name)
{
  for (const PCLPointField& field : blob.fields)
    if (field.name == name)
      return field.datatype == PCLPointField::FLOAT32 && field.count == 1;
  return false;
}

} // namespace

PCLPointCloud2
readPcd(const std::string& path,
        Eigen::Vector4f* origin,
        Eigen::Quaternionf* orientation)
{
  PCLPointCloud2 blob;
  bool complete = hasCompleteHeader(path);
  try {
    Eigen::Vector4f position = Eigen::Vector4f::Zero();
    Eigen::Quaternionf rotation = Eigen::Quaternionf::Identity();
    int version = 0;
    complete =
        complete && PCDReader().read(path, blob, position, rotation, version) == 0;
    if (origin)
      *origin = position;
    if (orientation)
      *orientation = rotation;
  }
  catch (const std::exception&) { // from PCL, Boost or the standard library
    complete = false;
  }
  if (!complete)
    throw fileError(path, "cannot be read as PCD", "a complete PCD file");
  if (!hasFloatField(blob, "x") || !hasFloatField(blob, "y") ||
      !hasFloatField(blob, "z"))
    throw fileError(path, "has no float fields x, y, z", "a cloud of points");
  return blob;
}

} // namespace pcl::gpu::apps
