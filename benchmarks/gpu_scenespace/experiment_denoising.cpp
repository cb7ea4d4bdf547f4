// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief How much noise scene-space filters remove from a video, which of their parts matter,
 * and what OpenCV's filters make of the same frames.
 *
 * experiment_denoising --help
 */

#include "common/rendered_images.h"
#include "denoising_video.h"
#include "scene_filter.h"
#if BENCHMARKS_HAVE_OPENCV
#include "opencv_denoising.h"
#endif

#include <pcl/gpu/scenespace/calibrated_rgbd_video.h>
#include <pcl/gpu/scenespace/color_camera_calibration.h>
#include <pcl/gpu/scenespace/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/rgbd_folder.h>
#include <pcl/gpu/scenespace/rgbd_recording.h>

#include <boost/program_options.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
namespace po = boost::program_options;

using Mask = Image<std::uint8_t>;

struct Options {
  std::string video = "rendered";
  std::string motion = "sideways";
  bool kinect = false;
  int width = 640, height = 360;
  int frames = 49;
  float begin = 4.0f;
  std::string folder = PCL_GPU_TEST_DATA "/rgbd_video/redkitchen";
  std::string calibration = "poses";
  bool clean_calibration = false;
  float noise = 20.0f;
  std::vector<int> outputs;
  bool peers = false;
  bool ablation = true;
};

/** \brief What guides of noisy frames are made by. */
enum class Guide { Noisy, Blurred, Filtered };

/** \brief A scene-space filter: one pass or two, and what comes before and after them. */
struct SceneFilter {
  SampleWeights last;  ///< of the only pass, or of the second one
  SampleWeights first; ///< of the first one of two
  bool two_passes = false;
  int reach = 18, first_reach = 8; ///< frames
  Guide guide = Guide::Filtered;
  bool finish = true; ///< spatially, behind the passes
  bool filled_depth = true;
  bool gains = true;
  SpatialFilter guide_filter{1, 5, 0.7f}, next_guide_filter{1, 3, 1.0f},
      last_filter{1, 4, 1.0f};
};

SceneFilter
proposedFilter()
{
  SceneFilter filter;
  filter.last.guided = true;
  filter.last.sigma_pixel = 0.4f;
  filter.last.sigma_rgb = 14.0f;
  filter.last.sigma_depth = 0.005f;
  filter.last.least_sigma_depth = 0.01f;
  return filter;
}

struct NamedFilter {
  std::string name;
  SceneFilter filter;
};

/** \brief From the filter that there is to the proposed one, each with a part more. */
std::vector<NamedFilter>
filtersStepByStep()
{
  std::vector<NamedFilter> filters;
  const SceneFilter proposed = proposedFilter();
  SceneFilter filter;
  filter.finish = filter.filled_depth = filter.gains = false;
  filter.guide = Guide::Noisy;
  filter.last.sigma_rgb = 40.0f;
  filter.last.sigma_xyz = 0.05f;
  filter.last.sigma_frame = 6.0f;
  const auto add = [&](const std::string& name) { filters.push_back({name, filter}); };
  add("eq. (2): 40 levels, 5 cm, 6 frames");
  filter.last.sigma_frame = no_limit;
  add("+ all frames alike");
  filter.last.guided = true;
  filter.last.sigma_rgb = proposed.last.sigma_rgb;
  filter.guide = Guide::Filtered;
  add("+ colours of guides compared, 14 levels");
  filter.last.sigma_pixel = proposed.last.sigma_pixel;
  add("+ distance from the pixel's centre, 0.4 pixels");
  filter.last.sigma_xyz = no_limit;
  filter.last.sigma_depth = proposed.last.sigma_depth;
  filter.last.least_sigma_depth = proposed.last.least_sigma_depth;
  add("+ depth's deviation grows with it");
  filter.gains = true;
  add("+ gains of frames");
  filter.filled_depth = true;
  add("+ filled depth");
  filter.finish = true;
  add("+ spatial filter: proposed");
  return filters;
}

/** \brief The proposed filter with one part changed. */
std::vector<NamedFilter>
changedFilters()
{
  std::vector<NamedFilter> filters;
  const auto add = [&](const std::string& name, auto change) {
    filters.push_back({name, proposedFilter()});
    change(filters.back().filter);
  };
  add("guide: noisy frame, 40 levels", [](SceneFilter& filter) {
    filter.guide = Guide::Noisy;
    filter.last.sigma_rgb = 40.0f;
  });
  add("guide: blurred, 1 pixel",
      [](SceneFilter& filter) { filter.guide = Guide::Blurred; });
  add("10 levels", [](SceneFilter& filter) { filter.last.sigma_rgb = 10.0f; });
  add("20 levels", [](SceneFilter& filter) { filter.last.sigma_rgb = 20.0f; });
  add("0.3 pixels", [](SceneFilter& filter) { filter.last.sigma_pixel = 0.3f; });
  add("0.5 pixels", [](SceneFilter& filter) { filter.last.sigma_pixel = 0.5f; });
  add("any distance from the centre",
      [](SceneFilter& filter) { filter.last.sigma_pixel = no_limit; });
  add("5 cm instead of depth's deviation", [](SceneFilter& filter) {
    filter.last.sigma_depth = no_limit;
    filter.last.sigma_xyz = 0.05f;
  });
  add("sigma of 8 frames", [](SceneFilter& filter) { filter.last.sigma_frame = 8.0f; });
  add("without gains", [](SceneFilter& filter) { filter.gains = false; });
  add("without filled depth", [](SceneFilter& filter) { filter.filled_depth = false; });
  add("residuals to guides", [](SceneFilter& filter) { filter.last.residual = true; });
  add("variance from the sum of weights",
      [](SceneFilter& filter) { filter.last.variance_of_sum = true; });
  add("two passes, the second with 10 levels, 0.5 pixels", [](SceneFilter& filter) {
    filter.two_passes = true;
    filter.first = filter.last;
    filter.last.sigma_rgb = 10.0f;
    filter.last.sigma_pixel = 0.5f;
  });
  return filters;
}

/** \brief Frames, and which of them are measured. */
class Experiment {
public:
  Experiment(NoisyFrames frames, const Options& options)
  : frames_(std::move(frames))
  , outputs_(options.outputs)
  , noise_(options.noise)
  {
    for (const NoisyFrame& frame : frames_)
      noisy_.push_back(toLevels(frame.noisy));
    blurred_.resize(frames_.size());
    depths_.resize(frames_.size());
    holes_.resize(frames_.size());
    forAll([&](int i) {
      blurred_[i] = blurred(noisy_[i], 1.0f);
      depths_[i] = fillDepth(frames_[i].depth, blurred_[i]);
      holes_[i] = frames_[i].depth;
    });
  }

  void
  run(const NamedFilter& named)
  {
    const SceneFilter& filter = named.filter;
    NoisyFrames frames = frames_;
    if (!filter.gains)
      for (NoisyFrame& frame : frames)
        frame.gain = 1.0f;
    std::vector<Levels> guides = filter.guide == Guide::Blurred ? blurred_ : noisy_;
    if (filter.guide == Guide::Filtered)
      forAll([&](int i) {
        guides[i] = filterSpatially(unfiltered(noisy_[i]), noise_, filter.guide_filter);
      });
    const std::vector<Image<float>>& depths = filter.filled_depth ? depths_ : holes_;
    const FilterInput input{frames, noisy_, guides, depths};
    std::vector<Levels> next_guides(frames.size());
    if (filter.two_passes)
      forAll([&](int i) {
        next_guides[i] =
            filterSpatially(filterSamples(input, i, filter.first_reach, filter.first),
                            noise_,
                            filter.next_guide_filter);
      });
    const FilterInput last_input{
        frames, noisy_, filter.two_passes ? next_guides : guides, depths};
    std::vector<ColorImage> results(outputs_.size());
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < static_cast<int>(outputs_.size()); ++i) {
      const FilteredFrame pass =
          filterSamples(last_input, outputs_[i], filter.reach, filter.last);
      results[i] =
          toColorImage(filter.finish ? filterSpatially(pass, noise_, filter.last_filter)
                                     : pass.color);
    }
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
  template <typename Work>
  void
  forAll(Work work) const
  {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < static_cast<int>(frames_.size()); ++i)
      work(i);
  }

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
    std::fflush(stdout);
  }

  NoisyFrames frames_;
  std::vector<int> outputs_;
  float noise_;
  std::vector<Levels> noisy_, blurred_;
  std::vector<Image<float>> depths_, holes_;
};

NoisyFrames
renderedFrames(const Options& options)
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
  std::fflush(stdout);
}

/** \brief That of most Kinects. */
ColorCalibration
usualCalibration()
{
  ColorCalibration result;
  result.color_camera = {525.0f, 525.0f, 319.5f, 239.5f, 640, 480};
  result.color_to_depth = ColorCameraCalibration().getStartColorToDepth();
  return result;
}

ColorCalibration
calibrate(const RGBDVideo& video, const std::string& kind)
{
  if (kind != "shared" && kind != "poses")
    throw std::runtime_error(kind +
                             " is no calibration: expected none, shared or poses");
  ColorCameraCalibration calibration;
  calibration.setCorrectPoses(kind == "poses");
  calibration.setCorrectExposures(kind == "poses");
  const ColorCalibration result = calibration.compute(video);
  printCalibration("all frames", result);
  std::vector<int> halves[2];
  for (int i = 0; i < video.size(); ++i)
    halves[2 * i < video.size() ? 0 : 1].push_back(i);
  calibration.setFrames(halves[0]);
  printCalibration("first half", calibration.compute(video));
  calibration.setFrames(halves[1]);
  printCalibration("second half", calibration.compute(video));
  return result;
}

NoisyFrames
recordedFrames(const Options& options)
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

Options
parse(int argc, char** argv)
{
  Options options;
  po::options_description known("experiment_denoising [rendered|recorded] [OPTIONS]");
  known.add_options()("help", "this page")(
      "video", po::value(&options.video), "rendered or recorded")(
      "motion", po::value(&options.motion), "rendered: rotation, sideways or forward")(
      "kinect", po::bool_switch(&options.kinect), "rendered: depth as a Kinect's")(
      "width", po::value(&options.width), "rendered: columns")(
      "height", po::value(&options.height), "rendered: rows")(
      "frames", po::value(&options.frames), "rendered: number of frames")(
      "begin", po::value(&options.begin), "rendered: seconds before the first frame")(
      "folder", po::value(&options.folder), "recorded: folder of the video")(
      "calibration",
      po::value(&options.calibration),
      "recorded: none, shared (colour camera) or poses (and those of all frames)")(
      "clean-calibration",
      po::bool_switch(&options.clean_calibration),
      "recorded: calibrate from frames without the noise")(
      "noise", po::value(&options.noise), "deviation of the noise, levels")(
      "outputs", po::value(&options.outputs)->multitoken(), "frames that are measured")(
      "peers", po::bool_switch(&options.peers), "OpenCV's filters as well")(
      "ablation",
      po::value(&options.ablation),
      "the proposed filter with each of its parts changed");
  po::positional_options_description positional;
  positional.add("video", 1);
  po::variables_map values;
  po::store(
      po::command_line_parser(argc, argv).options(known).positional(positional).run(),
      values);
  if (values.count("help")) {
    std::cout << known;
    std::exit(0);
  }
  po::notify(values);
  if (options.video != "rendered" && options.video != "recorded")
    throw std::runtime_error(options.video +
                             " is no video: expected rendered or recorded");
  if (options.outputs.empty())
    options.outputs = options.video == "recorded" ? std::vector<int>{10, 20, 30, 40, 50}
                                                  : std::vector<int>{20, 28};
  return options;
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    const Options options = parse(argc, argv);
    Experiment experiment(options.video == "recorded" ? recordedFrames(options)
                                                      : renderedFrames(options),
                          options);
    Experiment::printHeading();
    for (const NamedFilter& filter : filtersStepByStep())
      experiment.run(filter);
    if (options.ablation)
      for (const NamedFilter& filter : changedFilters())
        experiment.run(filter);
#if BENCHMARKS_HAVE_OPENCV
    if (options.peers)
      experiment.runPeers();
#endif
    return 0;
  }
  catch (const std::exception& exception) {
    std::cerr << "experiment_denoising: error: " << exception.what() << '\n';
    return 1;
  }
}
