// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/folder_views.h"
#include "formats/rgbd_formats.h"
#include "video/frame_checks.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>
#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/scenespace/video/rgbd_video_files.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/internal/pcd_file.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Header of a PCD file. */
struct CloudHeader {
  int width, height;
  Pose viewpoint;
};

template <typename Tag>
bool
hasField(const PCLPointCloud2& cloud)
{
  return std::any_of(
      cloud.fields.begin(), cloud.fields.end(), FieldMatches<PointXYZRGBA, Tag>());
}

/** \brief Rejects a cloud that is no image with depth. */
void
checkCloud(const PCLPointCloud2& cloud, const std::string& file)
{
  constexpr std::uint32_t largest_side = 16384;
  if (cloud.height < 2 || cloud.width < 2 || cloud.width > largest_side ||
      cloud.height > largest_side)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << cloud.width << " x " << cloud.height
                             << " points: expected an organized cloud of at most "
                             << largest_side << " x " << largest_side);
  if (!hasField<fields::x>(cloud) || !hasField<fields::y>(cloud) ||
      !hasField<fields::z>(cloud) || !hasField<fields::rgba>(cloud))
    PCL_THROW_EXCEPTION(IOException,
                        file << ": has the fields " << getFieldsList(cloud)
                             << ": expected x, y, z and rgb or rgba");
}

CloudHeader
readHeader(const std::string& file)
{
  const PcdFile read = readPcdHeader(file);
  checkCloud(read.cloud, file);
  if (!(std::abs(read.orientation.norm() - 1.0f) < 0.01f))
    PCL_THROW_EXCEPTION(IOException,
                        file << ": VIEWPOINT has a quaternion of length "
                             << read.orientation.norm() << ": expected 1");
  CloudHeader header;
  header.width = static_cast<int>(read.cloud.width);
  header.height = static_cast<int>(read.cloud.height);
  header.viewpoint = Pose::Identity();
  header.viewpoint.linear() = read.orientation.normalized().toRotationMatrix();
  header.viewpoint.translation() = read.origin.head<3>();
  return header;
}

PointCloud<PointXYZRGBA>
readCloud(const std::string& file)
{
  const PcdFile read = readPcdFile(file);
  checkCloud(read.cloud, file);
  PointCloud<PointXYZRGBA> cloud;
  fromPCLPointCloud2(read.cloud, cloud);
  return cloud;
}

/** \brief A line through pixels' coordinates over points' directions: focal length
 * times direction plus principal point. */
struct LineFit {
  /** \brief Adds a point of the line: direction and pixel. */
  void
  add(const Eigen::Vector2d& point)
  {
    ++count;
    // Differences from the means, so that large sums do not swallow small ones.
    const Eigen::Vector2d from_mean = point - mean;
    mean += from_mean / count;
    moments += from_mean * (point - mean).transpose();
  }

  /** \brief Returns whether the points determine a line. */
  bool
  isKnown() const
  {
    return moments(0, 0) > 0.0 && moments(1, 1) > 0.0;
  }

  double
  focalLength() const
  {
    return moments(0, 1) / moments(0, 0);
  }

  double
  principalPoint() const
  {
    return mean[1] - focalLength() * mean[0];
  }

  /** \brief Mean of the squared distances from the line. */
  double
  squaredError() const
  {
    return (moments(1, 1) - focalLength() * moments(0, 1)) / count;
  }

  double count = 0.0;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  Eigen::Matrix2d moments = Eigen::Matrix2d::Zero(); ///< about the mean
};

/** \brief The camera that saw an organized cloud, by least squares over its points.
 * \param[in] file of the cloud
 * \return none if no points, or points of one column or row, leave it open
 */
std::optional<PinholeCamera>
fitCamera(const std::string& file)
{
  // Points that a camera saw lie on its pixels but for rounding; others, at random.
  constexpr float most_error = 0.5f;
  const PointCloud<PointXYZRGBA> cloud = readCloud(file);
  LineFit columns, rows;
  for (std::uint32_t v = 0; v < cloud.height; ++v)
    for (std::uint32_t u = 0; u < cloud.width; ++u) {
      const PointXYZRGBA& point = cloud(u, v);
      if (!isMeasuredPoint(point) || !isMeasuredDepth(point.z))
        continue;
      columns.add({static_cast<double>(point.x) / point.z, u});
      rows.add({static_cast<double>(point.y) / point.z, v});
    }
  if (!columns.isKnown() || !rows.isKnown())
    return std::nullopt;
  PinholeCamera camera;
  camera.fx = static_cast<float>(columns.focalLength());
  camera.fy = static_cast<float>(rows.focalLength());
  camera.cx = static_cast<float>(columns.principalPoint());
  camera.cy = static_cast<float>(rows.principalPoint());
  // Rounding can bring the errors of a perfect fit below zero.
  const auto error = static_cast<float>(
      std::sqrt(std::max(0.0, columns.squaredError() + rows.squaredError())));
  if (!(camera.fx > 0.0f && camera.fy > 0.0f && error <= most_error))
    PCL_THROW_EXCEPTION(IOException,
                        file << ": points lie " << error
                             << " pixels from those of any camera: expected "
                                "points in the frame of the camera, and at most "
                             << most_error << " pixels");
  return camera;
}

/** \brief The camera of all clouds, from the first one that determines it. */
PinholeCamera
findCamera(const std::vector<RGBDVideoFiles::Frame>& frames)
{
  for (const RGBDVideoFiles::Frame& frame : frames)
    if (const auto camera = fitCamera(frame.depth_file))
      return *camera;
  PCL_THROW_EXCEPTION(IOException,
                      frames.front().depth_file
                          << ": too few points, as in all others, to find the "
                             "camera by: expected intrinsics.txt");
}

/** \brief Organized clouds of PCD files, read when they are asked for. */
class PcdVideo : public RGBDVideoFiles {
public:
  /** \brief Takes a list of frames.
   * \param[in] frames whose depth files have colours, too; with sizes of cameras
   */
  explicit PcdVideo(std::vector<Frame> frames) : RGBDVideoFiles(std::move(frames), 1.0f)
  {}

  RGBDFrame
  read(int number) const override
  {
    const std::string& file = frame(number).depth_file;
    const RGBDView& seen = frame(number).view;
    return namingFrame<IOException>(seen, number, [&] {
      RGBDFrame read =
          toRGBDFrame(readCloud(file), seen.depth_camera, seen.depth_pose, seen.time);
      checkSize(seen.depth_camera, read.depth, file);
      read.name = seen.name;
      return read;
    });
  }
};

} // namespace

RGBDVideo::ConstPtr
openPcdFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  const std::vector<std::string> files = filesEndingIn(folder, {".pcd"});
  if (files.empty())
    return nullptr;
  std::vector<CloudHeader> headers;
  std::vector<RGBDVideoFiles::Frame> frames(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    RGBDVideoFiles::Frame& frame = frames[i];
    frame.view.name = stemOf(files[i]);
    frame.depth_file = inFolder(folder, files[i]);
    headers.push_back(namingFrame<IOException>(
        frame.view, static_cast<int>(i), [&] { return readHeader(frame.depth_file); }));
  }
  readViews(folder,
            options,
            {[&] { return findCamera(frames); },
             [&](std::size_t place) { return headers[place].viewpoint; }},
            frames);
  for (std::size_t i = 0; i < files.size(); ++i) {
    RGBDView& view = frames[i].view;
    if (!hasSize(view.depth_camera))
      setSize(view.depth_camera, headers[i]);
    checkSize(view.depth_camera, headers[i], frames[i].depth_file);
    // A point's colour and depth were seen by the same pixel.
    view.color_camera = view.depth_camera;
    view.color_pose = view.depth_pose;
  }
  return std::make_shared<PcdVideo>(std::move(frames));
}

} // namespace pcl::gpu
