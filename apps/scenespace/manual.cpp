// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include <sstream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::options_description
inputOptions(SceneSpaceOptions& o)
{
  auto result = optionGroup("INPUT");
  auto add = result.add_options();
  add("input,i", po::value(&o.input)->value_name("FOLDER"), "the video");
  add("frames",
      textOption("A:B"),
      "make frames A to B only, counted from 0; either may be missing. Frames outside "
      "are used for them all the same");
  add("noise",
      textOption("N"),
      "deviation of the noise of colours, levels of 255; auto: estimated from some "
      "frames; 0: there is none. Default: auto for denoise and super-resolve, else 0, "
      "the fastest");
  add("mask",
      po::value(&o.mask)->value_name("PATH"),
      "which pixels show objects that the effect treats in a way of their own: an "
      "8-bit PNG that is not black there, for all frames, or a folder of such, with "
      "the frames' names or as many as frames");
  add("mask-margin",
      numberOption(o.mask_margin),
      "so many pixels around masks are neither objects nor background, since masks and "
      "edges of depth are not exact");
  add("edge-margin",
      optionalNumber<int>(),
      "so many pixels beside nearer things are not used, since their colours are mixed "
      "with those of the things and leave ghosts in views from elsewhere; default: 1 "
      "for view, else 0");
  add("no-fill-depth",
      po::bool_switch(&o.keep_holes),
      "leave pixels without depth as they are; else they get that of pixels nearby of "
      "similar colour");
  add("intrinsics",
      textOption("FX,FY,CX,CY"),
      "the depth camera, pixels; default: as the folder or its format says");
  add("color-intrinsics",
      textOption("FX,FY,CX,CY"),
      "the colour camera; default: as the folder says, or the depth camera");
  add("color-to-depth",
      textOption("POSE"),
      "where the colour camera is from the depth camera: X,Y,Z,QX,QY,QZ,QW, metres and "
      "a quaternion; default: as the folder says, or the same place");
  add("calibrate-color",
      po::value(&o.calibrate_color)->zero_tokens()->implicit_value(true),
      "find the colour camera and its place in the recording, whose depth must not be "
      "registered to colour, and use them. The search begins at --color-intrinsics and "
      "--color-to-depth, by default at a Kinect's. The camera must turn and move past "
      "texture at several depths");
  add("save-color-camera",
      fileOption(o.save_color_camera),
      "write the camera that --calibrate-color finds to a text file");
  add("color-camera",
      fileOption(o.color_camera),
      "use the colour camera of a file that --save-color-camera has written");
  add("depth-scale",
      po::value(&o.folder.depth_unit)->value_name("N"),
      "metres for one unit of depth maps; default: as the folder or its format says");
  add("fps",
      numberOption(o.folder.frame_rate),
      "frames a second, where the folder has no times");
  return result;
}

po::options_description
outputOptions(SceneSpaceOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o",
      po::value(&o.output)->value_name("FOLDER"),
      "where the video goes; made if it is not there");
  add("format",
      po::value(&o.format)->default_value(o.format)->value_name("NAME"),
      "png: folders color and depth, and tables of cameras and poses; pcd: an "
      "organized cloud with colour for every frame");
  add("compare",
      po::bool_switch(&o.compare),
      "also write input and output of every frame side by side, into the folder "
      "compare of the output");
  add("resume",
      po::bool_switch(&o.resume),
      "go on where a run that was interrupted has ended: frames that are there stay as "
      "they are. The other options must be those of that run, which the output's "
      "settings.txt tells");
  add("timings",
      fileOption(o.timings),
      "how long it took, on which device, and the noise: .json");
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
      "several GPUs that share the frames, such as cuda:0,cuda:1; frames are the same");
  add("memory",
      textOption("SIZE"),
      "how much of each device's memory to use, such as 300M or 4G; frames are the "
      "same; default: half of what is free");
  add("host-memory",
      textOption("SIZE"),
      "how much of the host's memory to keep frames in that were read, for several "
      "devices or for one with little memory; default: 1G");
  add("threads",
      numberOption(o.threads),
      "so many threads read files, and as many write them; 0: as many as the processor "
      "has, 32 at most that write, and 8 that read for each device");
  return result;
}

/** \brief A paragraph as the second column of the manual. */
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
  pcl_gpu_scenespace - process RGB-D video by all that was seen of each point

SYNOPSIS
  pcl_gpu_scenespace EFFECT --input FOLDER --output FOLDER [OPTION]...

DESCRIPTION
  Makes a video from a video with depth and poses. What a frame shows of a point of the
  scene, other frames show too: for every pixel they are gathered, and an effect is made
  of them. Videos may be of any length; frames are read as they are needed.

  EFFECT is one of
)";
  for (const EffectCommand& one : effectCommands())
    page << "    " + one.name + "\n" + indented(one.description);
  page << R"(
  The input has one of these formats, which is found by what is there:
    the TUM RGB-D benchmark's: rgb.txt, depth.txt, groundtruth.txt
    folders color and depth of images, poses.txt, intrinsics.txt
    7-Scenes': NAME.color.png, NAME.depth.png, NAME.pose.txt
    PCD files of organized clouds with colour, of which VIEWPOINT is the pose
  Depth is registered to colour first, where it is not. Poses are camera-to-world, z
  forward, x right, y down. The output can be the input of another effect.

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
  A recorded video without noise, and pictures to compare it with what it was:
    pcl_gpu_scenespace denoise --input rgbd_dataset_freiburg1_desk --output desk \
      --compare

  The same of two seconds only, on two GPUs, with little memory; when it was
  interrupted, the second command goes on:
    pcl_gpu_scenespace denoise -i kitchen -o quiet --frames 300:359 --memory 500M \
      --devices cuda:0,cuda:1
    pcl_gpu_scenespace denoise -i kitchen -o quiet --frames 300:359 --resume

  A video without the shaking of the hand that held the camera, and the blur that it
  has left:
    pcl_gpu_scenespace deblur -i walk -o sharp
    pcl_gpu_scenespace view -i sharp -o smooth --stabilize 15 --zoom 1.1

  What was at one pixel is sharp, what is before and behind it is not:
    pcl_gpu_scenespace aperture -i desk -o film --aperture 0.05 --focus-pixel 320,240

  A person who was in the way is gone, and one who juggles is seen at five times:
    pcl_gpu_scenespace inpaint -i square -o empty --mask masks_of_person
    pcl_gpu_scenespace action -i stage -o poses --mask masks --at 0,20,40,60,80

  Twice as many pixels a side:
    pcl_gpu_scenespace super-resolve -i desk -o large --size 2
)";
  return page;
}

} // namespace pcl::gpu::apps
