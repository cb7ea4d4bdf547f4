// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_source.h"

#include "../../common/command_line/errors.h"
#include "../../common/files/frame_files.h"
#include "../../common/files/image_reader.h"
#include "../../common/files/output_file.h"
#include "../../common/files/pcd_reader.h"

#include <pcl/conversions.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <algorithm>
#include <limits>

namespace pcl::gpu::apps {

namespace {

class FrameFiles : public FrameSource {
public:
  explicit FrameFiles(const TrackOptions& options);

  int
  size() const override
  {
    return static_cast<int>(files_.size());
  }

  TrackFrame
  read(int number) override
  {
    const std::string& file = files_[number];
    TrackFrame frame;
    frame.number = options_.frames.first + number;
    frame.name = file;
    frame.points = extensionOf(file) == ".pcd" ? readCloud(file) : readDepthMap(file);
    return frame;
  }

private:
  bool
  isUsed(const PointXYZ& point) const
  {
    return point.z >= options_.nearest && point.z <= options_.farthest &&
           (options_.box.isEmpty() || options_.box.contains(point.getVector3fMap()));
  }

  /** \brief Returns the point of a pixel without one, in clouds of all pixels. */
  static PointXYZ
  noPoint()
  {
    constexpr float missing = std::numeric_limits<float>::quiet_NaN();
    return {missing, missing, missing};
  }

  PointCloud<PointXYZ>::Ptr
  readDepthMap(const std::string& file) const;

  PointCloud<PointXYZ>::Ptr
  readCloud(const std::string& file) const;

  const TrackOptions& options_;
  std::vector<std::string> files_;
};

FrameFiles::FrameFiles(const TrackOptions& options)
: options_(options)
, files_(findFrameFiles(options.inputs))
{
  const auto count = static_cast<int>(files_.size());
  if (options.frames.first >= count)
    throw InputError("--frames: there are " + std::to_string(count) + " frames in " +
                     options.inputs.front() +
                     (options.inputs.size() > 1 ? " and so on" : "") +
                     ": expected numbers below");
  files_.resize(std::min(count - 1, options.frames.last) + 1);
  files_.erase(files_.begin(), files_.begin() + options.frames.first);
}

PointCloud<PointXYZ>::Ptr
FrameFiles::readDepthMap(const std::string& file) const
{
  const DepthImage image = apps::readDepthMap(file, options_.missing_depth);
  const PinholeCamera camera =
      options_.intrinsics.value_or(usualCamera(image.width, image.height));
  PointCloud<PointXYZ>::Ptr cloud(new PointCloud<PointXYZ>);
  cloud->is_dense = !options_.finds_people;
  const std::uint16_t* depth = image.pixels.data();
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column, ++depth) {
      const float z = *depth * options_.depth_scale;
      const PointXYZ point(
          (column - camera.cx) / camera.fx * z, (row - camera.cy) / camera.fy * z, z);
      if (isMeasuredDepth(z) && isUsed(point))
        cloud->push_back(point);
      else if (options_.finds_people)
        cloud->push_back(noPoint());
    }
  if (options_.finds_people)
    cloud->resize(image.width, image.height);
  return cloud;
}

PointCloud<PointXYZ>::Ptr
FrameFiles::readCloud(const std::string& file) const
{
  if (options_.intrinsics)
    throw fileError(file, "--intrinsics is for depth maps", "a 16-bit PNG");
  Eigen::Vector4f origin;
  PointCloud<PointXYZ> all;
  fromPCLPointCloud2(readPcd(file, &origin), all);
  PointCloud<PointXYZ>::Ptr cloud(new PointCloud<PointXYZ>);
  if (options_.finds_people && !all.isOrganized())
    throw fileError(file,
                    "is not organized",
                    "rows of pixels, to find people in them, or --position");
  for (const PointXYZ& point : all)
    if (isMeasuredPoint(point) && isUsed(point))
      cloud->push_back(point);
    else if (options_.finds_people)
      cloud->push_back(noPoint());
  if (options_.finds_people)
    cloud->resize(all.width, all.height);
  cloud->sensor_origin_ = origin;
  return cloud;
}

} // namespace

std::unique_ptr<FrameSource>
openFrameFiles(const TrackOptions& options)
{
  return std::make_unique<FrameFiles>(options);
}

} // namespace pcl::gpu::apps
