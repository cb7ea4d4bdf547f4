// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures the noise that DenoisingEffect removes from a video, the contribution
 * of its parts, and OpenCV's filters on the same frames.
 */

#include "common/options.h"
#include "common/report.h"
#include "denoising_video.h"
#include "testing/video/rendered_images.h"
#if BENCHMARKS_HAVE_OPENCV
#include "opencv_denoising.h"
#endif

#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

using Mask = Image<std::uint8_t>;

struct Settings {
  std::string video = "rendered";
  std::string motion = "sideways";
  bool kinect = false;
  int width = 640, height = 360;
  int frames = 49;
  float begin = 4.0f;
  std::string folder = dataFolder() + "/rgbd_video/redkitchen";
  std::string calibration = "poses";
  bool clean_calibration = false;
  float noise = 20.0f;
  std::vector<int> outputs;
  bool peers = false;
};

/** \brief An effect, and the preparation of frames. */
struct NamedEffect {
  std::string name;
  std::shared_ptr<DenoisingEffect> effect = std::make_shared<DenoisingEffect>();
  ScenePreparation preparation;
};

/** \brief The library's filter, and with some of its parts left out. */
std::vector<NamedEffect>
denoisingEffects(float noise)
{
  std::vector<NamedEffect> effects;
  const auto add = [&](const std::string& name) -> NamedEffect& {
    effects.emplace_back();
    effects.back().name = name;
    effects.back().preparation.noise = noise;
    return effects.back();
  };
  add("scene space");
  add("without filled depth").preparation.fill_depth = false;
  DenoisingEffectParameters parameters;
  parameters.sigma_frame = 6.0f;
  add("sigma of 6 frames").effect->setParameters(parameters);
  NamedEffect& plain = add("eq. (2) alone, 40 levels");
  plain.preparation.noise = 0.0f;
  parameters = {};
  parameters.sigma_rgb = 40.0f;
  plain.effect->setParameters(parameters);
  return effects;
}

/** \brief An image whose levels are multiplied. */
ColorImage
brightened(ColorImage image, float gain)
{
  const auto times = [&](std::uint8_t level) {
    return static_cast<std::uint8_t>(std::clamp(gain * level + 0.5f, 0.0f, 255.0f));
  };
  for (pcl::RGB& color : image.pixels)
    color = pcl::RGB(times(color.r), times(color.g), times(color.b));
  return image;
}

/** \brief Frames, and which of them are measured. */
class Experiment {
public:
  Experiment(NoisyFrames frames, const Settings& options)
  : frames_(std::move(frames))
  , outputs_(options.outputs)
  {
    const auto recording = std::make_shared<RGBDRecording>();
    for (const NoisyFrame& frame : frames_) {
      RGBDFrame recorded;
      recorded.time = recording->size();
      recorded.color_camera = recorded.depth_camera = frame.camera;
      recorded.color_pose = recorded.depth_pose = frame.pose;
      recorded.color = brightened(frame.noisy, frame.gain);
      recorded.depth = frame.depth;
      recording->add(recorded);
    }
    video_ = recording;
  }

  void
  run(const NamedEffect& named)
  {
    const SceneSpaceVideo denoised(video_, named.effect, named.preparation);
    std::vector<ColorImage> results;
    for (const int output : outputs_)
      results.push_back(
          brightened(denoised.read(output).color, 1.0f / frames_[output].gain));
    print(named.name, results);
  }

#if BENCHMARKS_HAVE_OPENCV
  void
  runPeers()
  {
    for (const VideoDenoiser& denoiser : openCVDenoisers()) {
      std::vector<ColorImage> results;
      for (const int output : outputs_)
        results.push_back(denoiser.denoise(frames_, output));
      print(denoiser.name, results);
    }
  }
#endif

  static void
  printHeading()
  {
    std::printf("%-52s %7s %7s %7s\n",
                "decibels above the noisy frames",
                "all",
                "depth",
                "none");
  }

private:
  double
  gain(const ColorImage& result, const NoisyFrame& frame, const Mask& mask) const
  {
    return test::psnr(result, frame.truth, mask) -
           test::psnr(frame.noisy, frame.truth, mask);
  }

  void
  print(const std::string& name, const std::vector<ColorImage>& results) const
  {
    double all = 0.0, with_depth = 0.0, without = 0.0;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const NoisyFrame& frame = frames_[outputs_[i]];
      const Mask mask = depthMask(frame.depth);
      all += gain(results[i], frame, {}) / outputs_.size();
      with_depth += gain(results[i], frame, mask) / outputs_.size();
      without += gain(results[i], frame, inverted(mask)) / outputs_.size();
    }
    std::printf("%-52s %7.2f %7.2f %7.2f\n", name.c_str(), all, with_depth, without);
  }

  NoisyFrames frames_;
  std::vector<int> outputs_;
  RGBDVideo::ConstPtr video_;
};

NoisyFrames
renderedFrames(const Settings& options)
{
  test::RenderedVideoSettings settings;
  settings.motion = test::motionNamed(options.motion);
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, options.width, options.height);
  settings.frames = options.frames;
  settings.begin = options.begin;
  if (options.kinect)
    settings = test::likeKinect(settings);
  settings.color_noise = options.noise;
  return renderFrames(settings);
}

void
printCalibration(const std::string& name, const ColorCalibration& calibration)
{
  const PinholeCamera& camera = calibration.color_camera;
  const ColorCalibrationDeviations& deviations = calibration.deviations;
  const Pose depth_to_color = calibration.color_to_depth.inverse();
  const Eigen::AngleAxisf turn(depth_to_color.linear());
  const Eigen::Vector3f angles = turn.angle() * turn.axis();
  std::printf("%s: residual %.3f levels%s%s\n",
              name.c_str(),
              calibration.residual,
              calibration.converged ? "" : ", not converged",
              calibration.determined ? "" : ", not determined");
  std::printf("  f %.5f (%.5f)\n", camera.fx, deviations.focal_length);
  std::printf("  cx %.5f (%.5f)\n", camera.cx, deviations.cx);
  std::printf("  cy %.5f (%.5f)\n", camera.cy, deviations.cy);
  for (int i = 0; i < 3; ++i)
    std::printf("  r%c %.5f (%.5f)\n", "xyz"[i], angles[i], deviations.rotation[i]);
  for (int i = 0; i < 3; ++i)
    std::printf("  t%c %.5f (%.5f)\n",
                "xyz"[i],
                depth_to_color.translation()[i],
                deviations.translation[i]);
}

/** \brief That of most Kinects. */
ColorCalibration
usualCalibration()
{
  ColorCalibration result;
  result.color_camera = {525.0f, 525.0f, 319.5f, 239.5f, 640, 480};
  result.color_to_depth = ColorCalibrationParameters().start_color_to_depth;
  return result;
}

ColorCalibration
calibrate(const RGBDVideo& video, const std::string& kind)
{
  if (kind != "shared" && kind != "poses")
    throw std::runtime_error(kind +
                             " is no calibration: expected none, shared or poses");
  ColorCalibrationParameters calibration;
  calibration.correct_poses = kind == "poses";
  calibration.correct_exposures = kind == "poses";
  const ColorCalibration result = calibrateColorCamera(video, calibration);
  printCalibration("all frames", result);
  std::vector<int> halves[2];
  for (int i = 0; i < video.size(); ++i)
    halves[2 * i < video.size() ? 0 : 1].push_back(i);
  calibration.frames = halves[0];
  printCalibration("first half", calibrateColorCamera(video, calibration));
  calibration.frames = halves[1];
  printCalibration("second half", calibrateColorCamera(video, calibration));
  return result;
}

NoisyFrames
recordedFrames(const Settings& options)
{
  const RGBDVideo::ConstPtr video = openRGBDFolder(options.folder);
  RGBDRecording frames;
  for (int i = 0; i < video->size(); ++i) {
    RGBDFrame frame = video->read(i);
    if (!options.clean_calibration)
      frame.color = withNoise(frame.color, options.noise, i);
    frames.add(std::move(frame));
  }
  const auto calibrated = std::make_shared<CalibratedRGBDVideo>(
      video,
      options.calibration == "none" ? usualCalibration()
                                    : calibrate(frames, options.calibration));
  NoisyFrames result = readFrames(RegisteredRGBDVideo(calibrated), options.noise);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i].gain = calibrated->correction(static_cast<int>(i)).gain;
  return result;
}

/** \brief Checks the settings, and fills in the measured frames. */
void
complete(Settings& settings)
{
  if (settings.video != "rendered" && settings.video != "recorded")
    throw std::runtime_error(settings.video +
                             " is no video: expected rendered or recorded");
  if (settings.outputs.empty())
    settings.outputs = settings.video == "recorded"
                           ? std::vector<int>{10, 20, 30, 40, 50}
                           : std::vector<int>{20, 28};
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("experiment_denoising [rendered|recorded] [OPTIONS]");
  options.addWord("video", settings.video, "rendered or recorded");
  options.add("motion", settings.motion, "rendered: rotation, sideways or forward");
  options.addSwitch("kinect", settings.kinect, "rendered: depth as a Kinect's");
  options.add("width", settings.width, "rendered: columns");
  options.add("height", settings.height, "rendered: rows");
  options.add("frames", settings.frames, "rendered: number of frames");
  options.add("begin", settings.begin, "rendered: seconds before the first frame");
  options.add("folder", settings.folder, "recorded: folder of the video");
  options.add(
      "calibration",
      settings.calibration,
      "recorded: none, shared (colour camera) or poses (and those of all frames)");
  options.addSwitch("clean-calibration",
                    settings.clean_calibration,
                    "recorded: calibrate from frames without the noise");
  options.add("noise", settings.noise, "deviation of the noise, levels");
  options.add("outputs", settings.outputs, "frames that are measured");
  options.addSwitch("peers", settings.peers, "OpenCV's filters as well");
  return options.run(argc, argv, [&] {
    complete(settings);
    printContext();
    Experiment experiment(settings.video == "recorded" ? recordedFrames(settings)
                                                       : renderedFrames(settings),
                          settings);
    Experiment::printHeading();
    for (const NamedEffect& effect : denoisingEffects(settings.noise))
      experiment.run(effect);
#if BENCHMARKS_HAVE_OPENCV
    if (settings.peers)
      experiment.runPeers();
#endif
    return true;
  });
}
