// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pcd_reader.h"

#include "../command_line/errors.h"

#include <pcl/gpu/utils/internal/pcd_file.h>

#include <utility>

namespace pcl::gpu::apps {

namespace {

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
  checkInputFile(path, "a PCD file");
  PcdFile file = asInput([&] { return readPcdFile(path); });
  for (const char* name : {"x", "y", "z"})
    if (!hasFloatField(file.cloud, name))
      throw fileError(path, "has no float fields x, y, z", "a cloud of points");
  if (origin)
    *origin = file.origin;
  if (orientation)
    *orientation = file.orientation;
  return std::move(file.cloud);
}

} // namespace pcl::gpu::apps
