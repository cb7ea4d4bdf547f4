// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures the gain of SuperResolutionEffect over Lanczos's filter, and the
 * contribution of its parts. Both double the resolution of a video whose frames are
 * means of 2x2 pixels.
 */

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "halved_video.h"
#include "testing/video/rendered_images.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

constexpr float no_limit = std::numeric_limits<float>::infinity();

struct Settings {
  std::string video = "rendered";
  std::string motion = "sideways";
  bool kinect = false;
  int frames = 41;
  std::string folder = dataFolder() + "/rgbd_video/redkitchen";
  float noise = 0.0f;
  std::vector<int> outputs;
  int every = 0;
  bool ablation = false;
  bool similarity = false;
};

/** \brief The video to enlarge, and its true frames of the double size. */
struct Input {
  RGBDVideo::ConstPtr video;
  std::vector<ColorImage> truths;
};

struct NamedEffect {
  std::string name;
  std::shared_ptr<SuperResolutionEffect> effect;
};

std::vector<NamedEffect>
effects(bool ablation)
{
  std::vector<NamedEffect> list;
  const auto add = [&](const std::string& name, auto change) {
    list.push_back({name, std::make_shared<SuperResolutionEffect>()});
    SuperResolutionEffectParameters parameters;
    change(parameters);
    list.back().effect->setParameters(parameters);
  };
  add("ours", [](SuperResolutionEffectParameters&) {});
  add("ours, for inexact poses",
      [](SuperResolutionEffectParameters& e) { e.sigma_pixel = 0.7f; });
  if (!ablation)
    return list;
  add("the frame alone", [](SuperResolutionEffectParameters& e) { e.iterations = 0; });
  add("the frame alone, by Lanczos's filter", [](SuperResolutionEffectParameters& e) {
    e.iterations = 0;
    e.filter = EnlargementFilter::Lanczos;
  });
  add("the frame alone, by a learned filter", [](SuperResolutionEffectParameters& e) {
    e.iterations = 0;
    e.filter = EnlargementFilter::Learned;
  });
  add("always Lanczos's filter", [](SuperResolutionEffectParameters& e) {
    e.filter = EnlargementFilter::Lanczos;
  });
  add("always a learned filter", [](SuperResolutionEffectParameters& e) {
    e.filter = EnlargementFilter::Learned;
  });
  add("step of 1", [](SuperResolutionEffectParameters& e) { e.step = 1.0f; });
  add("without limits", [](SuperResolutionEffectParameters& e) {
    e.step = 1.0f;
    e.iterations = 4;
    e.own_steps_before = 2;
    e.own_steps_behind = 0;
    e.sigma_frame_error = no_limit;
    e.sigma_smooth = 0.0f;
  });
  add("all frames alike",
      [](SuperResolutionEffectParameters& e) { e.sigma_frame_error = no_limit; });
  add("smooth residuals, too",
      [](SuperResolutionEffectParameters& e) { e.sigma_smooth = 0; });
  add("no own steps between", [](SuperResolutionEffectParameters& e) {
    e.own_steps_before = 2;
    e.own_steps_behind = 0;
  });
  add("15 levels",
      [](SuperResolutionEffectParameters& e) { e.sigma_residual = 15.0f; });
  add("8 frames", [](SuperResolutionEffectParameters& e) { e.reach = 8; });
  return list;
}

class Experiment {
public:
  Experiment(Input input, const Settings& options)
  : input_(std::move(input))
  , options_(options)
  {
    std::printf("%-36s %7s %6s", "", "PSNR", "gain");
    std::printf(options_.similarity ? " %6s %7s\n" : "%.0s %7s\n", "SSIM", "s/frame");
    for (const int lobes : {3, 4})
      print("Lanczos, " + std::to_string(lobes) + " lobes", [&](int output) {
        return toColorImage(doubled(toLevels(input_.video->read(output).color), lobes));
      });
  }

  void
  run(const NamedEffect& named)
  {
    ScenePreparation preparation;
    preparation.noise = options_.noise;
    const SceneSpaceVideo video(input_.video, named.effect, preparation);
    print(named.name, [&](int output) { return video.read(output).color; });
  }

private:
  template <typename Make>
  void
  print(const std::string& name, Make make)
  {
    double mean = 0.0, similarity = 0.0, seconds = 0.0;
    const std::size_t count = options_.outputs.size();
    for (const int output : options_.outputs) {
      const StopWatch watch;
      const ColorImage result = make(output);
      seconds += watch.seconds() / count;
      const ColorImage& truth = input_.truths[output];
      mean += test::psnr(result, truth) / count;
      if (options_.similarity)
        similarity += ssim(result, truth) / count;
    }
    if (lanczos_ == 0.0)
      lanczos_ = mean;
    std::printf("%-36s %7.3f %+6.3f", name.c_str(), mean, mean - lanczos_);
    if (options_.similarity)
      std::printf(" %6.4f", similarity);
    std::printf(" %7.2f\n", seconds);
  }

  Input input_;
  Settings options_;
  double lanczos_ = 0.0;
};

Input
renderedInput(const Settings& options)
{
  test::RenderedVideoSettings settings;
  settings.motion = test::motionNamed(options.motion);
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 640, 360);
  settings.frames = options.frames;
  settings.begin = 4.0f;
  settings.supersampling = 4;
  if (options.kinect)
    settings = test::likeKinect(settings);
  settings.color_noise = 0.0f;
  const test::RenderedVideo video(settings);
  settings.camera = halved(settings.camera);
  settings.supersampling = 1;
  const test::RenderedVideo low_video(settings); // for its depth
  const auto recording = std::make_shared<RGBDRecording>();
  Input input{recording, {}};
  for (int i = 0; i < video.size(); ++i) {
    RGBDFrame low = low_video.read(i);
    input.truths.push_back(video.trueColor(i));
    low.color = halved(input.truths.back());
    if (options.noise > 0.0f)
      low.color = withNoise(low.color, options.noise, i);
    recording->add(std::move(low));
  }
  return input;
}

/** \brief Calibrated from halved frames, whose size calibration brings back. */
ColorCalibration
calibrate(const RGBDVideo& video)
{
  RGBDRecording frames;
  for (int i = 0; i < video.size(); ++i) {
    RGBDFrame frame = video.read(i);
    frame.color = toColorImage(doubled(halved(toLevels(frame.color))));
    frames.add(std::move(frame));
  }
  ColorCalibrationParameters calibration;
  calibration.correct_poses = true;
  calibration.correct_exposures = true;
  return calibrateColorCamera(frames, calibration);
}

Input
recordedInput(const Settings& options)
{
  const RGBDVideo::ConstPtr video = openRGBDFolder(options.folder);
  const RegisteredRGBDVideo registered(std::make_shared<HalvedVideo>(
      std::make_shared<CalibratedRGBDVideo>(video, calibrate(*video))));
  const auto recording = std::make_shared<RGBDRecording>();
  Input input{recording, {}};
  for (int i = 0; i < video->size(); ++i) {
    RGBDFrame frame = registered.read(i);
    if (options.noise > 0.0f)
      frame.color = withNoise(frame.color, options.noise, i);
    recording->add(std::move(frame));
    input.truths.push_back(video->read(i).color);
  }
  return input;
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
                           : std::vector<int>{20};
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("experiment_super_resolution [rendered|recorded] [OPTIONS]");
  options.addWord("video", settings.video, "rendered or recorded");
  options.add("motion", settings.motion, "rendered: rotation, sideways or forward");
  options.addSwitch("kinect", settings.kinect, "rendered: depth as a Kinect's");
  options.add("frames", settings.frames, "rendered: number of frames");
  options.add("folder", settings.folder, "recorded: folder of the video");
  options.add("noise", settings.noise, "deviation of noise of the input, levels");
  options.add("outputs", settings.outputs, "frames that are measured");
  options.add("every",
              settings.every,
              "measures each frame whose number is a multiple of this instead; 1: all");
  options.addSwitch("ablation", settings.ablation, "also with parts changed");
  options.addSwitch("ssim", settings.similarity, "structural similarity, too");
  return options.run(argc, argv, [&] {
    complete(settings);
    printContext();
    Input input = settings.video == "recorded" ? recordedInput(settings)
                                               : renderedInput(settings);
    if (settings.every > 0) {
      settings.outputs.clear();
      for (int i = 0; i < input.video->size(); i += settings.every)
        settings.outputs.push_back(i);
    }
    Experiment experiment(std::move(input), settings);
    for (const NamedEffect& effect : effects(settings.ablation))
      experiment.run(effect);
    return true;
  });
}
