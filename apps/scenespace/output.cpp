// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "output.h"

#include "../common/files/output_file.h"

#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

namespace {

/** \brief Returns two images side by side, with their tops at the same height. */
ColorImage
sideBySide(const ColorImage& left, const ColorImage& right)
{
  ColorImage strip;
  strip.resize(left.width + right.width, std::max(left.height, right.height));
  std::fill(strip.pixels.begin(), strip.pixels.end(), RGB(0, 0, 0));
  const auto copy = [&](const ColorImage& image, int first) {
    for (int row = 0; row < image.height; ++row)
      std::copy_n(&image.pixels[std::size_t(row) * image.width],
                  image.width,
                  &strip.pixels[std::size_t(row) * strip.width + first]);
  };
  copy(left, 0);
  copy(right, left.width);
  return strip;
}

class ComparedVideo : public RGBDVideo {
public:
  ComparedVideo(RGBDVideo::ConstPtr video,
                RGBDVideo::ConstPtr input,
                std::string folder)
  : video_(std::move(video))
  , input_(std::move(input))
  , folder_(std::move(folder))
  {
    prepareFolder(folder_);
  }

  int
  size() const override
  {
    return video_->size();
  }

  RGBDView
  view(int number) const override
  {
    return video_->view(number);
  }

  RGBDFrame
  read(int number) const override
  {
    RGBDFrame frame = video_->read(number);
    writeColorImage(framePath(folder_, number, ".png"),
                    sideBySide(input_->read(number).color, frame.color));
    return frame;
  }

private:
  RGBDVideo::ConstPtr video_;
  RGBDVideo::ConstPtr input_;
  std::string folder_;
};

PointCloud<PointXYZRGB>
cloudOf(const RGBDFrame& frame)
{
  const PinholeCamera& camera = frame.depth_camera;
  PointCloud<PointXYZRGB> cloud(frame.depth.width, frame.depth.height);
  cloud.is_dense = false;
  cloud.sensor_origin_.head<3>() = frame.depth_pose.translation();
  cloud.sensor_orientation_ =
      Eigen::Quaternionf(frame.depth_pose.linear()).normalized();
  for (int v = 0; v < frame.depth.height; ++v)
    for (int u = 0; u < frame.depth.width; ++u) {
      const std::size_t i = std::size_t(v) * frame.depth.width + u;
      const float z = frame.depth.pixels[i];
      PointXYZRGB& point = cloud[i];
      // NaN makes all three NaN.
      point.x = (u - camera.cx) / camera.fx * z;
      point.y = (v - camera.cy) / camera.fy * z;
      point.z = z;
      point.rgba = frame.color.pixels[i].rgba;
    }
  return cloud;
}

void
writeCloud(const RGBDFrame& frame, const std::string& path)
{
  writeFile(path, [&](const std::string& temporary) {
    return PCDWriter().writeBinaryCompressed(temporary, cloudOf(frame)) == 0;
  });
}

/** \brief Writes a video as organized clouds with colour, each in its camera's frame
 * with the pose as VIEWPOINT: 000000.pcd and so on. */
void
writeClouds(const RGBDVideo& video,
            const std::string& folder,
            int threads,
            SharedWork& work,
            const std::function<void(int done)>& progress)
{
  int done = video.size() - static_cast<int>(work.missing().size());
  progress(done);
  std::mutex mutex;
  const auto write = [&](const RGBDFrame& frame, int number) {
    writeCloud(frame, framePath(folder, number, ".pcd"));
    work.end(number);
    const std::lock_guard<std::mutex> lock(mutex);
    progress(++done);
  };
  forEachFrame(video, work.missing(), threads, write, [&](int number) {
    return work.begin(number);
  });
}

} // namespace

RGBDVideo::ConstPtr
withComparison(RGBDVideo::ConstPtr video,
               RGBDVideo::ConstPtr input,
               const std::string& folder)
{
  return std::make_shared<ComparedVideo>(std::move(video), std::move(input), folder);
}

std::vector<std::string>
filesOfFrame(const SceneSpaceOptions& options, int number)
{
  std::vector<std::string> files;
  if (options.format == "pcd")
    files = {framePath("", number, ".pcd")};
  else
    files = {framePath("color", number, ".png"), framePath("depth", number, ".png")};
  if (options.compare)
    files.push_back(framePath("compare", number, ".png"));
  return files;
}

void
writeVideo(const RGBDVideo& video,
           const SceneSpaceOptions& options,
           int threads,
           SharedWork& work,
           const std::function<void(int done)>& progress)
{
  if (options.format == "pcd")
    return writeClouds(video, options.output, threads, work, progress);
  RGBDFolderWriterOptions how;
  how.resume = true;
  how.frames.emplace();
  // The tables first, by one process.
  work.exclusively([&] { writeRGBDFolder(video, options.output, how); });
  how.frames = work.missing();
  how.threads = threads;
  how.progress = progress;
  how.begin = [&](int number) { return work.begin(number); };
  how.end = [&](int number) { work.end(number); };
  writeRGBDFolder(video, options.output, how);
}

} // namespace pcl::gpu::apps
