// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "option_groups.h"

#include "../../common/option_parsing.h"

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

const char* const kinect = "525,525,319.5,239.5,640,480";

po::typed_value<std::string>*
cameraOption()
{
  return po::value<std::string>()->default_value(kinect)->value_name("CAMERA");
}

po::typed_value<float>*
metres()
{
  return po::value<float>()->value_name("M");
}

} // namespace

po::options_description
generalOptions(GeneralOptions& o)
{
  auto result = optionGroup("OTHER");
  result.add_options()("timings",
                       fileOption(o.timings),
                       "how long each stage took, and on which device: .json");
  addGeneralOptions(result, o.device);
  return result;
}

po::options_description
learnOptions(LearnOptions& o)
{
  auto result = optionGroup("LEARNING");
  auto add = result.add_options();
  add("views",
      numberOption(o.views, 42, "42"),
      "from how many sides a mesh is looked at, spread evenly");
  add("tensors",
      numberOption(o.tensors, 150, "150"),
      "how many tensors of each view are kept, at most");
  add("points",
      numberOption(o.points, 1000, "1000"),
      "how many points of its surface a model has, at most");
  add("resolution",
      metres(),
      "distance of neighbouring points, which all lengths follow: a 70th of the "
      "objects' "
      "size, but not less than some 0.003 with a Kinect at 1 m; default: the "
      "library's, "
      "0.0035 for a new one");
  add("size",
      metres(),
      "scale each mesh so that the longest side of its bounding box is so long; clouds "
      "stay as they are");
  add("distance",
      numberOption(o.distance, 0.9f, "0.9"),
      "how far the camera is from the middle of a mesh, metres: as far as objects will "
      "be");
  add("camera",
      cameraOption(),
      "fx,fy,cx,cy,width,height in pixels of the camera that looks at meshes, and at "
      "clouds that are not organized");
  add("replace",
      po::bool_switch(&o.replace),
      "a model takes the place of one of the same name");
  add("seed",
      numberOption(o.seed, std::uint64_t(0), "0"),
      "other seeds, other tensors");
  return result;
}

po::options_description
recognizeOptions(RecognizeOptions& o)
{
  auto result = optionGroup("RECOGNITION");
  auto add = result.add_options();
  add("tensors",
      numberOption(o.tensors, 500, "500"),
      "how many tensors of a scene are matched, at most");
  add("confidence",
      numberOption(o.confidence, 0.7f, "0.7"),
      "objects of less are left out: with more, fewer are found, and fewer of them are "
      "false");
  add("seed",
      numberOption(o.seed, std::uint64_t(0), "0"),
      "other seeds, other tensors");
  add("scale",
      numberOption(o.depth_scale, 0.001f, "0.001"),
      "metres for one unit of a depth map");
  add("camera",
      textOption("CAMERA"),
      "fx,fy,cx,cy in pixels of the camera; default for depth maps: 525,525 and the "
      "middle at 640 columns, scaled to the width; for clouds: what their points say");
  add("nearest",
      numberOption(o.nearest, 0.7f, "0.7"),
      "how near objects come, metres; nearer ones have fewer tensors");
  add("repeat",
      numberOption(o.repeat, 1, "1"),
      "compute each scene so many times; the median time counts");
  return result;
}

po::options_description
resultOptions(RecognizeOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o", fileOption(o.output), "what was found, and where: .json");
  add("labels",
      po::value(&o.labels)->value_name("PREFIX"),
      "write each scene's cloud, filtered, to PREFIX and the name of the scene: .pcd; "
      "its "
      "field label is the place of the object among those found, from 1, or 0");
  add("screenshot",
      fileOption(o.screenshot),
      "picture of the scene with the objects in their places: .png; needs no display. "
      "With several scenes names get a number");
  add("view",
      po::bool_switch(&o.view),
      "show each scene's in a window, and wait with the last one; q closes it");
  return result;
}

po::options_description
confusionOptions(ConfusionOptions& o)
{
  auto result = optionGroup("EXPERIMENT");
  auto add = result.add_options();
  add("views",
      numberOption(o.views, 10, "10"),
      "from how many random sides each mesh is looked at; none of them is among those "
      "that the library's meshes were looked at from");
  add("tensors",
      numberOption(o.tensors, 200, "200"),
      "how many tensors of each view are matched, at most");
  add("size",
      metres(),
      "scale each mesh so that the longest side of its bounding box is so long; as it "
      "was learned");
  add("distance",
      po::value<std::string>()->default_value("0.8,1.0")->value_name("M,M"),
      "the camera is so far from the middle of a mesh, metres: one number, or the "
      "least "
      "and the largest");
  add("camera", cameraOption(), "fx,fy,cx,cy,width,height of the camera, pixels");
  add("noise",
      numberOption(o.noise, 1.0f, "1"),
      "noise of the depth, as a multiple of a Kinect's; 0: none");
  add("correlation",
      numberOption(o.correlation, 0.45f, "0.45"),
      "least coefficient of correlation of a match");
  add("overlap", numberOption(o.overlap, 0.45f, "0.45"), "least overlap of a match");
  add("seed",
      numberOption(o.seed, std::uint64_t(1), "1"),
      "other seeds, other sides, noise and tensors");
  add("output,o", fileOption(o.output), "the result: .json");
  return result;
}

po::options_description
registerOptions(RegisterOptions& o)
{
  auto result = optionGroup("REGISTRATION");
  auto add = result.add_options();
  add("resolution",
      metres(),
      "distance of neighbouring points, which all lengths follow; default: what the "
      "clouds have");
  add("overlap",
      numberOption(o.overlap, 0.2f, "0.2"),
      "least share of SOURCE that TARGET has to show, too");
  add("output,o", fileOption(o.output), "the pose: .json");
  return result;
}

} // namespace pcl::gpu::apps
