// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include <functional>
#include <sstream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

/** \brief Returns the names of the effects with a property, with "and" between them. */
std::string
effectsWith(const std::function<bool(const EffectCommand&)>& has_property)
{
  std::string names;
  for (const EffectCommand& effect : effectCommands())
    if (has_property(effect))
      names += (names.empty() ? "" : " and ") + effect.name;
  return names;
}

po::options_description
inputOptions(SceneSpaceOptions& o)
{
  auto result = optionGroup("INPUT");
  auto add = result.add_options();
  add("input,i", po::value(&o.input)->value_name("FOLDER"), "the video");
  add("frames",
      textOption("A:B"),
      "make only frames A to B, counted from 0; either may be missing. Other frames "
      "still contribute to them");
  add("noise",
      textOption("N"),
      ("deviation of the noise of colours, levels of 255; auto: estimate it from some "
       "frames; 0: no noise, which is fastest. Default: auto for " +
       effectsWith([](const auto& effect) { return effect.default_noise == "auto"; }) +
       ", else " + EffectCommand().default_noise)
          .c_str());
  add("mask",
      po::value(&o.mask)->value_name("PATH"),
      "pixels of objects that the effect treats specially: an 8-bit PNG for all "
      "frames, not black at these pixels; or a folder of such images, named as the "
      "frames or as many as there are frames");
  add("mask-margin",
      numberOption(o.preparation.mask_margin),
      "ignore this many pixels around masks, because masks and edges of depth are not "
      "exact");
  add("edge-margin",
      optionalNumber<int>(),
      ("ignore this many pixels beside nearer objects: their colours are mixed with "
       "those of the objects and leave ghosts in other views; default: " +
       std::to_string(edge_margin_of_views) + " for " +
       effectsWith([](const auto& effect) {
         return effect.default_edge_margin == edge_margin_of_views;
       }) +
       ", else " + std::to_string(EffectCommand().default_edge_margin))
          .c_str());
  add("no-fill-depth",
      po::bool_switch(&o.keep_holes),
      "leave pixels without depth as they are; else they get the depth of nearby "
      "pixels of similar colour");
  add("intrinsics",
      textOption("FX,FY,CX,CY"),
      "the depth camera, pixels; default: that of the folder or its format");
  add("color-intrinsics",
      textOption("FX,FY,CX,CY"),
      "the colour camera; default: that of the folder, or the depth camera");
  add("color-to-depth",
      textOption("POSE"),
      "pose of the colour camera in the depth camera's frame: X,Y,Z,QX,QY,QZ,QW, "
      "metres and a quaternion; default: that of the folder, or the identity");
  const Words<ColorCalibrationMode> modes = {{"auto", ColorCalibrationMode::Auto},
                                             {"on", ColorCalibrationMode::On},
                                             {"off", ColorCalibrationMode::Off}};
  add("calibrate-color",
      wordOption("calibrate-color", "=MODE", modes, o.calibrate_color)
          ->implicit_value("on"),
      "find the colour camera, its place and small errors of poses in the recording, "
      "and use them; auto: if the folder names no colour camera and depth is not "
      "registered to colour, as the frames show; on: the depth must not be registered, "
      "and it is an error if the recording does not determine the camera; off: use "
      "cameras and poses as they are. The camera must turn and move past texture at "
      "several depths. The search begins at --color-intrinsics and --color-to-depth, "
      "else at a Kinect's camera. Takes 0.1 s a frame on two processors; of more than "
      "1,000 frames, 1,000 are looked at");
  add("save-color-camera",
      fileOption(o.save_color_camera),
      "write the colour camera and its place to a text file");
  add("color-camera",
      fileOption(o.color_camera),
      "use the colour camera of a file that --save-color-camera wrote, of the same "
      "device");
  add("depth-scale",
      po::value(&o.folder.depth_unit)->value_name("N"),
      "metres for one unit of depth maps; default: that of the folder or its format");
  addMissingDepthOption(result, o.folder.missing_depth);
  add("fps",
      numberOption(o.folder.frame_rate),
      "frames a second, if the folder has no times");
  return result;
}

po::options_description
outputOptions(SceneSpaceOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o",
      po::value(&o.output)->value_name("FOLDER"),
      "folder of the result; created if it is missing");
  add("format",
      po::value(&o.format)->default_value(o.format)->value_name("NAME"),
      "png: folders color and depth, and tables of cameras and poses; pcd: an "
      "organized cloud with colour for every frame");
  add("compare",
      po::bool_switch(&o.compare),
      "also write input and output of every frame side by side, into the folder "
      "compare of the output");
  addSharingOptions(result, o.sharing, "frames");
  add("timings", fileOption(o.timings), "times, device and noise: .json");
  return result;
}

po::options_description
generalOptions(SceneSpaceOptions& o)
{
  auto result = optionGroup("OTHER");
  addGeneralOptions(result, o.device);
  auto add = result.add_options();
  add("devices",
      po::value(&o.devices)->value_name("NAMES"),
      "several GPUs that share the frames, such as cuda:0,cuda:1; the result is the "
      "same");
  add("memory",
      textOption("SIZE"),
      "memory to use on each device, such as 300M or 4G; the result is the same; "
      "default: half of the free memory");
  add("host-memory",
      textOption("SIZE"),
      ("host memory that keeps frames already read, for several devices or for one "
       "with little memory; default: " +
       std::to_string(o.resources.host_memory >> 30) + "G")
          .c_str());
  add("threads",
      numberOption(o.threads),
      "number of threads that read files, and of threads that write them; 0: as many "
      "as the processor has, but at most 32 for writing and 8 for reading on each "
      "device");
  return result;
}

/** \brief Returns a paragraph, indented as the descriptions of effects. */
std::string
indented(const std::string& text)
{
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    result += "      " + line + "\n";
  return result;
}

} // namespace

ManualPage
manualPage(SceneSpaceOptions& o, const EffectCommand& effect)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_scenespace - process RGB-D video with all observations of each point

SYNOPSIS
  pcl_gpu_scenespace EFFECT --input FOLDER --output FOLDER [OPTION]...

DESCRIPTION
  Makes a video from a video with depth and poses. Most points of the scene are seen in
  several frames. For every pixel of the output the program gathers these observations,
  and an effect combines them. Videos may be of any length; frames are read as needed.

  EFFECT is one of
)";
  for (const EffectCommand& one : effectCommands())
    page << "    " + one.name + "\n" + indented(one.description);
  page << R"(
  The input has one of these formats, which the program recognizes:
    the TUM RGB-D benchmark's: rgb.txt, depth.txt, groundtruth.txt; associations.txt
      may stand for the first two
    folders color and depth of images, poses.txt, intrinsics.txt
    7-Scenes': NAME.color.png, NAME.depth.png, NAME.pose.txt
    PCD files of organized clouds with colour, with the pose as VIEWPOINT
  Depth that is not registered to colour is registered first. Poses are
  camera-to-world, z forward, x right, y down. The output can be the input of another
  effect.

)" << inputOptions(o);
  // The page shows the options of all effects; a command line has those of its own.
  for (const EffectCommand& other : effectCommands()) {
    ManualPage part;
    part << other.options();
    page << part.text;
    if (other.name == effect.name)
      page.options.add(part.options);
  }
  page << outputOptions(o) << generalOptions(o) << exitStatusText() << R"(EXAMPLES
  Remove noise, and compare each frame with the input:
    pcl_gpu_scenespace denoise --input rgbd_dataset_freiburg1_desk --output desk \
      --compare

  The same for two seconds, on two GPUs, with little memory; after an interrupt the
  second command continues:
    pcl_gpu_scenespace denoise -i kitchen -o quiet --frames 300:359 --memory 500M \
      --devices cuda:0,cuda:1
    pcl_gpu_scenespace denoise -i kitchen -o quiet --frames 300:359 --resume

  Remove the blur and the shaking of a hand-held camera:
    pcl_gpu_scenespace deblur -i walk -o sharp
    pcl_gpu_scenespace view -i sharp -o smooth --stabilize 15 --zoom 1.1

  Focus on the point at one pixel and blur everything before and behind it:
    pcl_gpu_scenespace aperture -i desk -o film --aperture 0.05 --focus-pixel 320,240

  Remove a person; show a juggler at five times in one picture:
    pcl_gpu_scenespace inpaint -i square -o empty --mask masks_of_person
    pcl_gpu_scenespace action -i stage -o poses --mask masks --at 0,20,40,60,80

  Double the number of pixels along each side:
    pcl_gpu_scenespace super-resolve -i desk -o large --size 2
)";
  return page;
}

} // namespace pcl::gpu::apps
