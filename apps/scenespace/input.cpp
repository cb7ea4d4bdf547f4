// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "input.h"

#include "../common/command_line/errors.h"
#include "../common/files/image_reader.h"
#include "../common/files/output_file.h"
#include "color_camera.h"

#include <pcl/gpu/scenespace/video/mask_files.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_video_files.h>
#include <pcl/gpu/utils/missing_depth.h>
#include <pcl/gpu/utils/noise_estimation.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

namespace {

/** \brief Video of files that the user named. */
class InputVideo : public RGBDVideo {
public:
  explicit InputVideo(RGBDVideo::ConstPtr video) : video_(std::move(video)) {}

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
    return asInput([&] { return video_->read(number); });
  }

private:
  RGBDVideo::ConstPtr video_;
};

/** \brief Prints a note if the first depth map of a video has a marker. */
void
noteMarkerIn(const RGBDVideo& video)
{
  const auto* const files = dynamic_cast<const RGBDVideoFiles*>(&video);
  const std::string file = files ? files->frame(0).depth_file : "";
  if (extensionOf(file) == ".png" &&
      findMissingDepthMarker(asInput([&] { return readDepthImage(file); })) != 0)
    noteMissingDepthMarker(file);
}

} // namespace

RGBDVideo::ConstPtr
openInput(const SceneSpaceOptions& options,
          std::optional<ColorCalibration>& calibration)
{
  RGBDVideo::ConstPtr video =
      asInput([&] { return openRGBDFolder(options.input, options.folder); });
  if (!options.folder.missing_depth)
    noteMarkerIn(*video);
  calibration = chooseColorCamera(options, *video);
  if (calibration)
    asOption("--color-camera " + options.color_camera, [&] {
      video = std::make_shared<CalibratedRGBDVideo>(video, *calibration);
    });
  return std::make_shared<InputVideo>(std::make_shared<RegisteredRGBDVideo>(video));
}

FrameRange
chooseFrames(const SceneSpaceOptions& options, const RGBDVideo& video)
{
  FrameRange range = options.frames;
  range.last = std::min(range.last, video.size() - 1);
  if (range.first > range.last)
    throw InputError("--frames " + options.values["frames"].as<std::string>() + ": " +
                     options.input + " has " + std::to_string(video.size()) +
                     " frames: expected numbers from 0 to " +
                     std::to_string(video.size() - 1));
  return range;
}

std::function<Image<std::uint8_t>(int number)>
openInputMasks(const SceneSpaceOptions& options, const RGBDVideo& video)
{
  if (options.mask.empty())
    return {};
  const auto masks = asInput([&] { return openMasks(options.mask, video); });
  return [masks](int number) { return asInput([&] { return masks(number); }); };
}

float
chooseNoise(const SceneSpaceOptions& options,
            const RGBDVideo& video,
            const FrameRange& range)
{
  if (options.noise)
    return *options.noise;
  const int frames = range.last - range.first + 1, samples = std::min(frames, 5);
  std::vector<float> noise;
  for (int i = 0; i < samples; ++i)
    noise.push_back(estimateNoise(
        video.read(range.first + (2 * i + 1) * frames / (2 * samples)).color));
  std::nth_element(noise.begin(), noise.begin() + samples / 2, noise.end());
  return noise[samples / 2];
}

} // namespace pcl::gpu::apps
