// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief A video that is read by work that is watched. */
class WatchedVideo : public RGBDVideo {
public:
  WatchedVideo(const RGBDVideo& video, Watch& watch) : video_(video), watch_(watch) {}

  int
  size() const override
  {
    return video_.size();
  }

  RGBDView
  view(int number) const override
  {
    return video_.view(number);
  }

  RGBDFrame
  read(int number) const override
  {
    watch_.check();
    RGBDFrame frame = video_.read(number);
    watch_.report(++read_);
    return frame;
  }

private:
  const RGBDVideo& video_;
  Watch& watch_;
  mutable std::atomic<int> read_ = 0;
};

void
bindStructs(nb::module_& module)
{
  ParametersBinding<FrameCorrection>(
      module, "FrameCorrection", DOC(pcl, gpu, FrameCorrection))
      .PCL_GPU_FIELD(FrameCorrection, number)
      .PCL_GPU_FIELD(FrameCorrection, motion)
      .PCL_GPU_FIELD(FrameCorrection, gain)
      .finish();
  ParametersBinding<ColorCalibrationDeviations>(
      module, "ColorCalibrationDeviations", DOC(pcl, gpu, ColorCalibrationDeviations))
      .PCL_GPU_FIELD(ColorCalibrationDeviations, focal_length)
      .PCL_GPU_FIELD(ColorCalibrationDeviations, cx)
      .PCL_GPU_FIELD(ColorCalibrationDeviations, cy)
      .PCL_GPU_FIELD(ColorCalibrationDeviations, rotation)
      .PCL_GPU_FIELD(ColorCalibrationDeviations, translation)
      .finish();
  ParametersBinding<ColorCalibration>(
      module, "ColorCalibration", DOC(pcl, gpu, ColorCalibration))
      .PCL_GPU_FIELD(ColorCalibration, color_camera)
      .PCL_GPU_FIELD(ColorCalibration, color_to_depth)
      .PCL_GPU_FIELD(ColorCalibration, corrections)
      .PCL_GPU_FIELD(ColorCalibration, deviations)
      .PCL_GPU_FIELD(ColorCalibration, residual)
      .PCL_GPU_FIELD(ColorCalibration, comparisons)
      .PCL_GPU_FIELD(ColorCalibration, converged)
      .PCL_GPU_FIELD(ColorCalibration, determined)
      .finish()
      .def("validate", &validateCalibration, DOC(pcl, gpu, validateCalibration));
  ParametersBinding<ColorCalibrationPriors>(
      module, "ColorCalibrationPriors", DOC(pcl, gpu, ColorCalibrationPriors))
      .PCL_GPU_FIELD(ColorCalibrationPriors, focal_length)
      .PCL_GPU_FIELD(ColorCalibrationPriors, principal_point)
      .PCL_GPU_FIELD(ColorCalibrationPriors, rotation)
      .PCL_GPU_FIELD(ColorCalibrationPriors, translation)
      .PCL_GPU_FIELD(ColorCalibrationPriors, pose_rotation)
      .PCL_GPU_FIELD(ColorCalibrationPriors, pose_translation)
      .PCL_GPU_FIELD(ColorCalibrationPriors, gain)
      .finish();
  ParametersBinding<ColorCalibrationParameters>(
      module, "ColorCalibrationParameters", DOC(pcl, gpu, ColorCalibrationParameters))
      .PCL_GPU_FIELD(ColorCalibrationParameters, frames)
      .PCL_GPU_FIELD(ColorCalibrationParameters, frame_gaps)
      .PCL_GPU_FIELD(ColorCalibrationParameters, point_step)
      .PCL_GPU_FIELD(ColorCalibrationParameters, correct_poses)
      .PCL_GPU_FIELD(ColorCalibrationParameters, correct_exposures)
      .PCL_GPU_FIELD(ColorCalibrationParameters, start_camera)
      .PCL_GPU_FIELD(ColorCalibrationParameters, start_color_to_depth)
      .PCL_GPU_FIELD(ColorCalibrationParameters, priors)
      .finish()
      .def("validate",
           &ColorCalibrationParameters::validate,
           DOC(pcl, gpu, ColorCalibrationParameters, validate));
  nb::enum_<ColorRegistrationState>(
      module, "ColorRegistrationState", DOC(pcl, gpu, ColorRegistrationState))
      .value("REGISTERED",
             ColorRegistrationState::Registered,
             DOC(pcl, gpu, ColorRegistrationState, Registered))
      .value("APART",
             ColorRegistrationState::Apart,
             DOC(pcl, gpu, ColorRegistrationState, Apart))
      .value("UNDETERMINED",
             ColorRegistrationState::Undetermined,
             DOC(pcl, gpu, ColorRegistrationState, Undetermined));
  ParametersBinding<ColorRegistrationCheck>(
      module, "ColorRegistrationCheck", DOC(pcl, gpu, ColorRegistrationCheck))
      .PCL_GPU_FIELD(ColorRegistrationCheck, registration)
      .PCL_GPU_FIELD(ColorRegistrationCheck, start_camera)
      .PCL_GPU_FIELD(ColorRegistrationCheck, start_color_to_depth)
      .finish();
}

/** \brief Returns the number of frames that take part. */
int
framesOf(const RGBDVideo& video, const ColorCalibrationParameters& parameters)
{
  return parameters.frames.empty() ? video.size()
                                   : static_cast<int>(parameters.frames.size());
}

/** \brief Binds a function of a video that reads it and finds a result. */
template <typename Function>
void
bindSearch(nb::module_& module,
           const char* name,
           const char* result,
           const char* doc,
           const Function& function)
{
  const std::string signature =
      std::string("def ") + name +
      "(video: RGBDVideo, parameters: ColorCalibrationParameters | None = None, *, "
      "progress: collections.abc.Callable[[int, int], None] | None = None" +
      keywordsOf<ColorCalibrationParameters>() + ") -> " + result;
  const std::string text =
      std::string(doc) + "\n\nProgress is told the number of frames that were read.";
  module.def(
      name,
      [function](const VideoPointer& video,
                 const ColorCalibrationParameters* parameters,
                 const Progress& progress,
                 const nb::kwargs& values) {
        ColorCalibrationParameters changed = parametersOf(parameters);
        setFields(changed, values);
        decltype(function(*video, changed)) found;
        runWatched(progress, framesOf(*video, changed), [&](Watch& watch) {
          found = function(WatchedVideo(*video, watch), changed);
        });
        return found;
      },
      nb::arg("video"),
      nb::arg("parameters").none() = nb::none(),
      nb::kw_only(),
      nb::arg("progress").none() = nb::none(),
      nb::arg("values"),
      nb::sig(signature.c_str()),
      text.c_str());
}

void
bindFiles(nb::module_& module)
{
  module.def(
      "write_color_camera",
      [](const PathArgument& file, const ColorCalibration& calibration) {
        writeColorCamera(file.string(), calibration);
      },
      nb::arg("file"),
      nb::arg("calibration"),
      DOC(pcl, gpu, writeColorCamera));
  module.def(
      "read_color_camera",
      [](const PathArgument& file) { return readColorCamera(file.string()); },
      nb::arg("file"),
      DOC(pcl, gpu, readColorCamera));
  module.def(
      "write_color_calibration",
      [](const PathArgument& folder, const ColorCalibration& calibration) {
        writeColorCalibration(folder.string(), calibration);
      },
      nb::arg("folder"),
      nb::arg("calibration"),
      DOC(pcl, gpu, writeColorCalibration));
  module.def(
      "write_depth_poses",
      [](const PathArgument& folder, const VideoPointer& video) {
        const nb::gil_scoped_release release;
        writeDepthPoses(folder.string(), *video);
      },
      nb::arg("folder"),
      nb::arg("video"),
      DOC(pcl, gpu, writeDepthPoses));
}

} // namespace

void
bindCalibration(nb::module_& module)
{
  bindStructs(module);
  bindSearch(module,
             "calibrate_color_camera",
             "ColorCalibration",
             DOC(pcl, gpu, calibrateColorCamera),
             [](const RGBDVideo& video, const ColorCalibrationParameters& parameters) {
               return calibrateColorCamera(video, parameters);
             });
  bindSearch(module,
             "check_color_registration",
             "ColorRegistrationCheck",
             DOC(pcl, gpu, checkColorRegistration),
             [](const RGBDVideo& video, const ColorCalibrationParameters& parameters) {
               return checkColorRegistration(video, parameters);
             });
  module.def(
      "find_frame_corrections",
      [](const VideoPointer& video,
         const ColorCalibration& camera,
         const ColorCalibrationParameters* parameters,
         const Progress& progress) {
        const ColorCalibrationParameters used = parametersOf(parameters);
        std::vector<FrameCorrection> found;
        runWatched(progress, framesOf(*video, used), [&](Watch& watch) {
          found = findFrameCorrections(*video, camera, used, [&](int done) {
            watch.check();
            watch.report(done);
          });
        });
        return found;
      },
      nb::arg("video"),
      nb::arg("camera"),
      nb::arg("parameters").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      DOC(pcl, gpu, findFrameCorrections));
  bindFiles(module);
  nb::class_<CalibratedRGBDVideo, RGBDVideo>(
      module, "CalibratedRGBDVideo", DOC(pcl, gpu, CalibratedRGBDVideo))
      .def(
          "__init__",
          [](CalibratedRGBDVideo* self,
             const VideoPointer& video,
             const ColorCalibration& calibration,
             bool apply_gains) {
            new (self) CalibratedRGBDVideo(video, calibration, apply_gains);
          },
          nb::arg("video"),
          nb::arg("calibration"),
          nb::arg("apply_gains") = false,
          DOC(pcl, gpu, CalibratedRGBDVideo, CalibratedRGBDVideo))
      .def("correction",
           &CalibratedRGBDVideo::correction,
           nb::arg("number"),
           DOC(pcl, gpu, CalibratedRGBDVideo, correction));
}

} // namespace pcl_gpu_python
