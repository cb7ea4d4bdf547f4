// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::typed_value<std::string>*
cameraOption()
{
  constexpr int width = 640, height = 480;
  const PinholeCamera camera = usualCamera(width, height);
  std::string text;
  for (const float number : {camera.fx, camera.fy, camera.cx, camera.cy})
    text += numberText(number) + ",";
  return textOption("CAMERA",
                    text + std::to_string(width) + "," + std::to_string(height));
}

po::typed_value<float>*
metres()
{
  return optionalNumber<float>("M");
}

/** \brief Adds the options that decide the size of meshes. */
void
addScalingOptions(po::options_description& group, MeshScaling& scaling)
{
  auto add = group.add_options();
  add("scale",
      numberOption(scaling.unit),
      "metres for one unit of the meshes: 0.001 for millimetres, 0.0254 for inches");
  add("size",
      metres(),
      "instead of --scale, if the unit is not known: scale each mesh to this longest "
      "side of its bounding box");
}

po::options_description
generalOptions(GeneralOptions& o)
{
  auto result = optionGroup("OTHER");
  result.add_options()(
      "timings", fileOption(o.timings), "times of the stages, and the device: .json");
  addGeneralOptions(result, o.device);
  return result;
}

po::options_description
learnOptions(LearnOptions& o)
{
  auto result = optionGroup("LEARNING");
  auto add = result.add_options();
  add("views", numberOption(o.views), "number of views of a mesh, spread evenly");
  add("tensors",
      numberOption(o.learning.extraction.tensor_count),
      "greatest number of tensors of each view");
  add("points",
      numberOption(o.learning.point_count),
      "greatest number of points of a model's surface");
  add("resolution",
      metres(),
      ("distance of neighbouring points, which all lengths follow: a 70th of the "
       "objects' size or more, but not less than some 0.002 with a Kinect at 1 m; "
       "default: the library's, " +
       numberText(usual_resolution) + " for a new one")
          .c_str());
  addScalingOptions(result, o.scaling);
  add("distance",
      numberOption(o.distance),
      "distance of the camera from the middle of a mesh, metres: that of the objects "
      "to find");
  add("camera",
      cameraOption(),
      "fx,fy,cx,cy,width,height in pixels of the camera that looks at meshes, and at "
      "clouds that are not organized");
  add("replace", po::bool_switch(&o.replace), "replace models of the same name");
  addSharingOptions(result, o.sharing, "models");
  add("seed",
      numberOption(o.learning.extraction.seed),
      "seed of random numbers, which choose the tensors");
  return result;
}

po::options_description
recognizeOptions(RecognizeOptions& o)
{
  auto result = optionGroup("RECOGNITION");
  auto add = result.add_options();
  add("tensors",
      numberOption(o.extraction.tensor_count),
      "greatest number of tensors of a scene that are matched");
  add("confidence",
      numberOption(o.confidence),
      "least confidence of an object; with a larger one fewer objects are found, and "
      "fewer of them are false");
  add("seed",
      numberOption(o.extraction.seed),
      "seed of random numbers, which choose the tensors");
  add("scale", numberOption(o.depth_scale), "metres for one unit of a depth map");
  addMissingDepthOption(result, o.missing_depth);
  add("camera",
      textOption("CAMERA"),
      "fx,fy,cx,cy in pixels of the camera; default for depth maps: 525,525 and the "
      "middle at 640 columns, scaled to the width; for clouds: fitted to their points");
  add("nearest",
      numberOption(o.extraction.nearest_depth),
      "least distance of objects, metres; nearer objects get fewer tensors");
  add("mask",
      fileOption(o.mask),
      "picture of the scenes' size, .png or .jpg: no objects are looked for where it "
      "is black");
  add("repeat",
      numberOption(o.repeat),
      "compute each scene this many times, and report the median time");
  return result;
}

po::options_description
resultOptions(RecognizeOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o", fileOption(o.output), "the objects found, with their poses: .json");
  addSharingOptions(result, o.sharing, "scenes");
  add("labels",
      po::value(&o.labels)->value_name("PREFIX"),
      "write each scene's cloud, filtered, to PREFIX and the name of the scene: .pcd; "
      "its field label is the place of the object among those found, from 1, or 0");
  add("screenshot",
      fileOption(o.screenshot),
      "picture of the scene with the objects in their places: .png; needs no display. "
      "With several scenes names get a number");
  add("view",
      po::bool_switch(&o.view),
      "show each scene in a window, and wait after the last one; q closes it");
  return result;
}

po::options_description
confusionOptions(ConfusionOptions& o)
{
  auto result = optionGroup("EXPERIMENT");
  auto add = result.add_options();
  add("views",
      numberOption(o.views),
      "number of random views of each mesh; none of them is among those that the "
      "library was learned from");
  add("tensors",
      numberOption(o.extraction.tensor_count),
      "greatest number of tensors of each view that are matched");
  addScalingOptions(result, o.scaling);
  add("distance",
      textOption("M,M", "0.8,1.0"),
      "distance of the camera from the middle of a mesh, metres: one number, or the "
      "least and the largest");
  add("camera", cameraOption(), "fx,fy,cx,cy,width,height of the camera, pixels");
  add("noise",
      numberOption(o.noise),
      "noise of the depth, as a multiple of a Kinect's; 0: none");
  add("correlation",
      numberOption(o.matching.min_correlation),
      "least coefficient of correlation of a match");
  add("overlap", numberOption(o.matching.min_overlap), "least overlap of a match");
  add("seed",
      numberOption(o.seed),
      "seed of random numbers, which choose sides, noise and tensors");
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
      "distance of neighbouring points, which all lengths follow; default: that of "
      "the clouds");
  add("overlap",
      numberOption(o.registration.min_overlap),
      "least part of a cloud that lies on the other one");
  add("joined",
      po::bool_switch(&o.joined),
      "clouds were joined from several views: no camera is looked for");
  add("output,o", fileOption(o.output), "the pose, or those of all pairs: .json");
  add("poses",
      fileOption(o.poses),
      "poses of all clouds in the first one's frame: .json");
  add("model", fileOption(o.model), "all clouds in the first one's frame: .pcd");
  addSharingOptions(result, o.sharing, "pairs");
  return result;
}

} // namespace

std::string
programPage()
{
  return std::string(R"(NAME
  pcl_gpu_recognize - recognize objects in depth maps by a library of their models

SYNOPSIS
  pcl_gpu_recognize learn LIBRARY MODEL... [OPTION]...
  pcl_gpu_recognize recognize LIBRARY SCENE... [OPTION]...
  pcl_gpu_recognize info LIBRARY
  pcl_gpu_recognize confusion LIBRARY MODEL... [OPTION]...
  pcl_gpu_recognize register SOURCE TARGET... [OPTION]...
  pcl_gpu_recognize merge FILE PART...
  pcl_gpu_recognize SUBCOMMAND --help

DESCRIPTION
  learn      makes a library of objects, from meshes or from clouds of them, or adds
             some to an existing one
  recognize  finds the library's objects in depth maps or organized clouds, with their
             poses and confidences
  info       prints the contents of a library
  confusion  measures how well a library distinguishes its objects
  register   finds the pose of one cloud of a scene or object in another one, or those
             of all pairs of several clouds
  merge      joins libraries, or .json files of recognize or register, to one

  Objects are described by tensors: the area of surface in the voxels of small grids,
  each in a frame that two points of the surface and their normals make. Those of a
  scene are matched with the library's; matches vote for objects and poses, which are
  refined and verified. Objects are recognized by their shape alone. Lengths are in
  metres.
)") + "\n" +
         exitStatusText() + R"(EXAMPLES
  Learn three objects of 25 cm, find them in a depth map, and show the result:
    pcl_gpu_recognize learn toys.library duck.ply car.obj boat.stl --size 0.25
    pcl_gpu_recognize recognize toys.library scene.png -o found.json \
      --screenshot found.png
)";
}

ManualPage
manualPage(LearnOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize learn - make a library of objects, or add some to it

SYNOPSIS
  pcl_gpu_recognize learn LIBRARY MODEL... [OPTION]...

DESCRIPTION
  MODEL is FILE, NAME=FILE or NAME=FILE,FILE...; without a NAME the model has the file's
  name without folder and extension. Files of a model are either

  one mesh, .ply, .obj, .stl, .off or .vtk, of which views from all sides are rendered;
  or

  clouds, .pcd, each a view of the object alone. VIEWPOINT is the pose of the sensor,
  which places several views of an object in one frame. Organized clouds have the rays
  of a camera. They are in the sensor's frame or in that of VIEWPOINT, whichever fits.
  Others are in the frame of VIEWPOINT; a camera at its place, which --camera describes,
  looks at their middle. All clouds are in metres; --scale and --size are for meshes
  only.

  An existing library gets more models, with its resolution. With --shard or --resume
  the folder LIBRARY.parts has a library for each model. The last process joins them,
  and replaces models of the same name. A model that cannot be learned is named, and
  the others are learned. The exit status is then 2, and there is no library before
  --resume has learned it, too.

)" << learnOptions(o)
       << generalOptions(o) << exitStatusText() << R"(EXAMPLES
  A library of meshes in millimetres:
    pcl_gpu_recognize learn parts.library bracket.stl gear.stl --scale 0.001

  A library of meshes in unknown units; the objects are 25 cm long:
    pcl_gpu_recognize learn toys.library duck.ply car.obj --size 0.25

  Add an object from two clouds of it:
    pcl_gpu_recognize learn toys.library milk=milk_front.pcd,milk_side.pcd
)";
  return page;
}

ManualPage
manualPage(RecognizeOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize recognize - find the objects of a library in depth maps and clouds

SYNOPSIS
  pcl_gpu_recognize recognize LIBRARY SCENE... [OPTION]...

DESCRIPTION
  SCENE is a depth map, a .png or .pgm file of 16 bits in which 0 is no measurement (see
  also --missing-depth), or an organized cloud, .pcd, in which NaN and 0,0,0 are none.
  The noise is assumed to be a Kinect's.

  The .json file has for every scene its file, the number of its tensors and the
  objects. Each object has
    model       its name
    label       its place, from 1: objects are in the order of their confidence
    pose        4 x 4, row by row: maps the model's frame to that of the camera (z
                forward, x right, y down), metres
    confidence  probability that it is there, 0 to 1; decides between objects in one
                place
    fit         share of the model's points to be seen that the scene's surface fits
    support     sum of the scores of the matches that agree with the pose
    visible     share of the points to be seen that the surface goes through
    inliers     number of these
  With --shard or --resume the folder FILE.parts has a file for each scene, which the
  last process joins. A scene that cannot be used is named, and the others are
  recognized. The exit status is then 2, and FILE is written when --resume has
  recognized it, too.

)" << recognizeOptions(o)
       << resultOptions(o) << generalOptions(o) << exitStatusText() << R"(EXAMPLES
  Find objects in a depth map in millimetres, and show the result:
    pcl_gpu_recognize recognize toys.library scene.png -o found.json --view

  Two clouds, with labelled ones as found-scene1.pcd and found-scene2.pcd:
    pcl_gpu_recognize recognize toys.library scene1.pcd scene2.pcd --labels found-
)";
  return page;
}

ManualPage
manualPage(LibraryOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize info - print the contents of a library

SYNOPSIS
  pcl_gpu_recognize info LIBRARY

DESCRIPTION
  Prints the parameters that tensors were computed with, and for each model its views,
  tensors, their entries (voxels that are not empty), points and size.

)" << generalOptions(o)
       << exitStatusText() << R"(EXAMPLES
  pcl_gpu_recognize info toys.library
)";
  return page;
}

ManualPage
manualPage(MergeOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize merge - join libraries or results to one

SYNOPSIS
  pcl_gpu_recognize merge FILE PART...

DESCRIPTION
  Writes FILE. If its name ends in .json, the parts are files that recognize wrote with
  the same library, or register of several pairs, and their scenes or pairs follow each
  other. Else they are libraries of the same parameters, whose models have different
  names.

)" << generalOptions(o)
       << exitStatusText() << R"(EXAMPLES
  pcl_gpu_recognize merge toys.library red.library blue.library
  pcl_gpu_recognize merge found.json monday.json tuesday.json
)";
  return page;
}

ManualPage
manualPage(ConfusionOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize confusion - measure how well a library distinguishes its objects

SYNOPSIS
  pcl_gpu_recognize confusion LIBRARY MODEL... [OPTION]...

DESCRIPTION
  Looks at each mesh from random sides through a camera with a Kinect's noise, and
  matches each tensor with all of the library's; the best match has the largest product
  of coefficient of correlation and overlap. Row i of the matrix has the matched models
  of object i, in per cent of its tensors; the last column has those without a match.

  MODEL is FILE or NAME=FILE as it was learned, with the same --scale or --size. Each
  has a row. The columns are all models of the library.

  The noise: rays jitter by 0.5 pixels; depths z, in metres, have an error of
  0.001425 z^2 and come in steps of 0.00285 z^2; all of it times --noise. A view's
  object is the model that most of its tensors were matched with.

)" << confusionOptions(o)
       << generalOptions(o) << exitStatusText() << R"(EXAMPLES
  pcl_gpu_recognize confusion toys.library duck.ply car.obj --size 0.25 \
    -o confusion.json
)";
  return page;
}

ManualPage
manualPage(RegisterOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_recognize register - find the pose of a cloud in another one

SYNOPSIS
  pcl_gpu_recognize register SOURCE TARGET [OPTION]...
  pcl_gpu_recognize register CLOUD CLOUD CLOUD... [OPTION]...

DESCRIPTION
  Clouds are .pcd files, or the vertices of .ply, .obj, .stl, .off and .vtk files, of a
  scene or an object. No initial guess is needed. An organized cloud has the rays of a
  camera. Another one is the view from its VIEWPOINT, unless points hide others from
  there: then it was joined from several views, as fragments of rooms are, and no camera
  is needed. With --joined all clouds are taken so.

  Prints the pose that maps SOURCE to TARGET, 4 x 4, row by row, metres.
  The .json file has it as pose, with
    fit      share of the evidence that speaks for the pose, 0 to 1
    overlap  share of a cloud's points on the other one's surface, mean of both
    inliers  number of points on the other cloud's surface, of 3000 that are looked at
    score    the larger, the surer
  If none is found the exit status is 1, and there is no file.

  Of three clouds or more, each is looked for in all that follow it. The .json file has
  the list pairs, whose elements have source, target and the members above. The pose of
  a pair is null if none is found, which is no failure. All lengths follow the
  resolution of the first cloud. With --shard or --resume the folder FILE.parts has a
  file for each pair, which the last process joins.

  Then all clouds are put into the frame of the first one, by the pairs that agree with
  each other. --poses has the list clouds, whose elements have file and pose; null if
  no pairs connect it with the first one. --model has all points, with the number of
  their cloud as label.

)" << registerOptions(o)
       << generalOptions(o) << exitStatusText() << R"(EXAMPLES
  pcl_gpu_recognize register left.pcd right.pcd -o pose.json

  The views of an object, and one cloud of all:
    pcl_gpu_recognize register views/*.pcd --poses poses.json --model object.pcd

  All pairs of the views of a room, by as many processes as mpirun starts:
    mpirun -np 4 pcl_gpu_recognize register views/*.pcd -o pairs.json --shard auto
)";
  return page;
}

} // namespace pcl::gpu::apps
