// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../../common/files/pose_file.h"
#include "effect_option.h"
#include "output_size.h"

#include <pcl/common/angles.h>
#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/scenespace/effects/virtual_view_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

/** \brief Returns the views of the input, along a smooth path if the user wants. */
std::vector<SceneView>
inputViews(const po::variables_map& values, const RGBDVideo& video)
{
  const float sigma = values["stabilize"].as<float>();
  if (sigma != 0.0f) {
    std::vector<SceneView> views;
    asOption("--stabilize", [&] { views = stabilizedViews(video, sigma); });
    return views;
  }
  std::vector<SceneView> views;
  const VirtualViewEffect unmoved;
  for (int i = 0; i < video.size(); ++i)
    views.push_back(unmoved.view(video, i));
  return views;
}

/** \brief Moves cameras to the poses of a file. */
void
followPath(const std::string& path, std::vector<SceneView>& views)
{
  const std::vector<Pose> poses = readCameraPath(path);
  if (poses.size() != 1 && poses.size() != views.size())
    throw fileError(path,
                    "has " + std::to_string(poses.size()) + " poses",
                    "one for each of the " + std::to_string(views.size()) +
                        " frames, or one for all");
  for (std::size_t i = 0; i < views.size(); ++i)
    views[i].pose = poses[poses.size() == 1 ? 0 : i];
}

/** \brief Returns the frame that an option names, if it was given. */
std::optional<int>
optionalFrame(const po::variables_map& values, const char* name, int frames)
{
  const auto number = optionalValue<int>(values, name);
  if (number)
    checkOption(*number >= 0 && *number < frames,
                "--" + std::string(name) + " " + std::to_string(*number),
                "a frame, 0 to " + std::to_string(frames - 1));
  return number;
}

/** \brief Returns the motion of a camera: maps points of its new frame to the old one.
 */
Pose
cameraMotion(const po::variables_map& values)
{
  Pose motion = Pose::Identity();
  if (const auto offset = optionalPoint(values, "offset"))
    motion.translation() = *offset;
  if (const auto degrees = optionalPoint(values, "turn")) {
    motion.rotate(Eigen::AngleAxisf(deg2rad(degrees->x()), Eigen::Vector3f::UnitY()))
        .rotate(Eigen::AngleAxisf(deg2rad(degrees->y()), Eigen::Vector3f::UnitX()))
        .rotate(Eigen::AngleAxisf(deg2rad(degrees->z()), Eigen::Vector3f::UnitZ()));
  }
  return motion;
}

/** \brief Applies all options of cameras. */
std::vector<SceneView>
outputViews(const po::variables_map& values, const RGBDVideo& video)
{
  const auto path = optionalValue<std::string>(values, "path");
  const auto place = optionalFrame(values, "place-of", video.size()),
             time = optionalFrame(values, "time-of", video.size());
  if ((values["stabilize"].as<float>() != 0.0f) + bool(path) + bool(place) > 1)
    throw InputError("expected one of --stabilize, --path and --place-of");
  std::vector<SceneView> views = inputViews(values, video);
  if (path)
    followPath(*path, views);
  const float zoom = values["zoom"].as<float>();
  checkOption(isPositive(zoom), "--zoom", "a factor, above 0");
  const Pose motion = cameraMotion(values);
  const SceneView first = views[place.value_or(0)];
  for (SceneView& view : views) {
    if (place) {
      view.camera = first.camera;
      view.pose = first.pose;
    }
    if (time)
      view.time = static_cast<float>(*time);
    view.pose = view.pose * motion;
    view.camera.fx *= zoom;
    view.camera.fy *= zoom;
    if (const auto size = optionalValue<std::string>(values, "size"))
      view.camera = cameraOfSize(view.camera, *size);
  }
  return views;
}

void
addViewOptions(po::options_description& group)
{
  auto add = group.add_options();
  add("stabilize",
      defaultOption(0.0f),
      "remove the camera's shaking: poses are averaged with this deviation in time, "
      "frames; 0: they stay as they are");
  add("path",
      textOption("FILE"),
      "poses of the output's cameras, a line for each frame, or one for all: t x y z "
      "qx qy qz qw as the TUM benchmark has them, or a matrix's 12 or 16 numbers");
  add("place-of",
      optionalNumber<int>("N"),
      "show all frames from the place of frame N");
  add("time-of",
      optionalNumber<int>("N"),
      "show the scene at the time of frame N in all frames");
  add("offset",
      textOption("X,Y,Z"),
      "offset of the camera to the right, down and forward, metres");
  add("turn",
      textOption("YAW,PITCH,ROLL"),
      "angles of the camera to the right, upwards and clockwise, degrees");
  add("zoom",
      defaultOption(1.0f),
      "factor of its focal length; about 1.1 hides borders that no frame sees");
  add("size", textOption("SIZE"), "of the output: a factor, or WIDTHxHEIGHT");
}

void
applyViewOptions(const po::variables_map& values,
                 const RGBDVideo& video,
                 VirtualViewEffectParameters& parameters)
{
  parameters.views = VirtualViewEffectParameters::viewsOf(outputViews(values, video));
}

} // namespace

EffectCommand
viewCommand()
{
  using Parameters = VirtualViewEffectParameters;
  EffectCommand command = makeEffectCommand<VirtualViewEffect, Parameters>(
      "view",
      "shows the video from other cameras: along a smooth path, from beside, from "
      "a\nfixed place, at one time, in another size\n",
      {{"reach", &Parameters::reach, reach_help},
       {"step", &Parameters::step, "use every N-th of them"},
       {"hole-reach",
        &Parameters::hole_reach,
        "fill pixels that no frame sees from pixels at most this far away; 0: they are "
        "black"},
       {"sigma-rgb", &Parameters::sigma_rgb, average_sigma_rgb_help},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help},
       {"sigma-frame", &Parameters::sigma_frame, sigma_frame_help}},
      addViewOptions,
      applyViewOptions);
  command.default_edge_margin = edge_margin_of_views;
  return command;
}

} // namespace pcl::gpu::apps
