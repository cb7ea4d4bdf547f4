// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "output.h"

#include "../common/files/output_file.h"
#include "cloud_writer.h"

#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>

#include <algorithm>
#include <utility>

namespace pcl::gpu::apps {

namespace {

/** \brief Two images side by side, with their tops at the same height. */
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

} // namespace

RGBDVideo::ConstPtr
withComparison(RGBDVideo::ConstPtr video,
               RGBDVideo::ConstPtr input,
               const std::string& folder)
{
  return std::make_shared<ComparedVideo>(std::move(video), std::move(input), folder);
}

void
writeVideo(const RGBDVideo& video,
           const SceneSpaceOptions& options,
           int threads,
           const std::function<void(int done)>& progress)
{
  if (options.format == "pcd")
    return writeClouds(video, options.output, threads, progress);
  RGBDFolderWriterOptions how;
  how.resume = options.resume;
  how.threads = threads;
  how.progress = progress;
  writeRGBDFolder(video, options.output, how);
}

} // namespace pcl::gpu::apps
