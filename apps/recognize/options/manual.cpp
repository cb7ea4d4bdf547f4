// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "manual.h"

#include "option_groups.h"

#include <ostream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::options_description
withWords(po::options_description options, std::vector<std::string>& words)
{
  po::options_description hidden;
  hidden.add_options()("input", po::value(&words));
  return options.add(hidden);
}

const char* const exit_status = R"(
EXIT STATUS
  0 success, 1 failure while running, 2 input or options that cannot be used.
  Files appear under their names only when they are complete.
)";

void
printProgramPage(std::ostream& out)
{
  out << R"(NAME
  pcl_gpu_recognize - recognize objects in depth maps by a library of their models

SYNOPSIS
  pcl_gpu_recognize learn LIBRARY MODEL... [OPTION]...
  pcl_gpu_recognize recognize LIBRARY SCENE... [OPTION]...
  pcl_gpu_recognize info LIBRARY
  pcl_gpu_recognize confusion LIBRARY MODEL... [OPTION]...
  pcl_gpu_recognize register SOURCE TARGET [OPTION]...
  pcl_gpu_recognize SUBCOMMAND --help

DESCRIPTION
  learn      makes a library of objects, from meshes or from clouds of them, or adds
             some to one that is there
  recognize  finds the library's objects in depth maps or organized clouds: which, in
             what pose, how sure that is
  info       prints what is in a library
  confusion  measures how well a library tells its objects apart
  register   finds how two clouds of one scene or object lie on each other

  Objects are described by tensors: the area of surface in the voxels of small grids,
  each in a frame that two points of the surface and their normals make. Those of a scene
  are matched with the library's; matches vote for objects and poses, which are refined
  and verified. Objects are recognized by their shape alone. Lengths are in metres.
)" << exit_status
      << R"(
EXAMPLES
  Learn three objects of 25 cm, find them in a depth map, and look at the result:
    pcl_gpu_recognize learn toys.library duck.ply car.obj boat.stl --size 0.25
    pcl_gpu_recognize recognize toys.library scene.png -o found.json \
      --screenshot found.png
)";
}

void
printLearnPage(std::ostream& out)
{
  LearnOptions o;
  out << R"(NAME
  pcl_gpu_recognize learn - make a library of objects, or add some to it

SYNOPSIS
  pcl_gpu_recognize learn LIBRARY MODEL... [OPTION]...

DESCRIPTION
  MODEL is FILE, NAME=FILE or NAME=FILE,FILE...; without a NAME the model has the file's
  name without folder and extension. Files of a model are either

  one mesh, .ply, .obj, .stl or .vtk, which is looked at from all sides; or

  clouds, .pcd, each a view of the object alone. The sensor was where VIEWPOINT says,
  which places several views of an object in one frame. Organized clouds have the rays
  of a camera, in the sensor's frame or in that of VIEWPOINT, whichever the points fit.
  Others are in the frame of VIEWPOINT; a camera at its place, which --camera describes,
  looks at their middle.

  A library that is there gets more models; all have its resolution.

)" << learnOptions(o)
      << "\n"
      << generalOptions(o) << exit_status << R"(
EXAMPLES
  A library of meshes in unknown units, of objects that are 25 cm long:
    pcl_gpu_recognize learn toys.library duck.ply car.obj --size 0.25

  Add an object of which there are two clouds:
    pcl_gpu_recognize learn toys.library milk=milk_front.pcd,milk_side.pcd
)";
}

void
printRecognizePage(std::ostream& out)
{
  RecognizeOptions o;
  out << R"(NAME
  pcl_gpu_recognize recognize - find the objects of a library in depth maps and clouds

SYNOPSIS
  pcl_gpu_recognize recognize LIBRARY SCENE... [OPTION]...

DESCRIPTION
  SCENE is a depth map, a .png or .pgm file of 16 bits in which 0 is no measurement, or
  an organized cloud, .pcd. Its noise is taken for a Kinect's.

  The .json file has for every scene its file, the number of its tensors, the objects and
  times. Each object has
    model       its name
    label       its place, from 1: objects are in the order of their scores
    pose        4 x 4, row by row: maps the model's frame to that of the camera (z forward,
                x right, y down), metres
    score       what decides between objects in one place
    confidence  fit and support in one
    fit         share of the model's points to be seen that the scene's surface fits
    support     sum of the scores of the matches that agree with the pose
    visible     share of the points to be seen that the surface goes through
    inliers     number of these
  Times are in milliseconds: tensors is for filter, surface and tensors, recognition for
  the rest, total for both. The first scene's include what is made only once.

)" << recognizeOptions(o)
      << "\n"
      << resultOptions(o) << "\n"
      << generalOptions(o) << exit_status << R"(
EXAMPLES
  Find objects in a depth map in millimetres, and look at the result:
    pcl_gpu_recognize recognize toys.library scene.png -o found.json --view

  Two clouds, with labelled ones as found-scene1.pcd and found-scene2.pcd:
    pcl_gpu_recognize recognize toys.library scene1.pcd scene2.pcd --labels found-
)";
}

void
printInfoPage(std::ostream& out)
{
  GeneralOptions o;
  out << R"(NAME
  pcl_gpu_recognize info - print what is in a library

SYNOPSIS
  pcl_gpu_recognize info LIBRARY

DESCRIPTION
  Prints the parameters that tensors were computed with, and for each model its views,
  tensors, their entries (voxels that are not empty), points and size.

)" << generalOptions(o)
      << exit_status << R"(
EXAMPLES
  pcl_gpu_recognize info toys.library
)";
}

void
printConfusionPage(std::ostream& out)
{
  ConfusionOptions o;
  out << R"(NAME
  pcl_gpu_recognize confusion - measure how well a library tells its objects apart

SYNOPSIS
  pcl_gpu_recognize confusion LIBRARY MODEL... [OPTION]...

DESCRIPTION
  Looks at each mesh from random sides through a camera with a Kinect's noise, and matches
  each tensor with all of the library's; the best match has the largest product of
  coefficient of correlation and overlap. Row i of the matrix says, in per cent of the
  tensors of object i, which models they were matched with; the last column counts those
  without a match.

  MODEL is FILE or NAME=FILE as it was learned. It has a row even if it is not all of the
  library; the library's models are the columns.

  The noise: rays jitter by 0.5 pixels; depths z, in metres, have an error of
  0.001425 z^2 and come in steps of 0.00285 z^2; all of it times --noise. A view's object
  is the model that most of its tensors were matched with.

)" << confusionOptions(o)
      << "\n"
      << generalOptions(o) << exit_status << R"(
EXAMPLES
  pcl_gpu_recognize confusion toys.library duck.ply car.obj --size 0.25 -o confusion.json
)";
}

void
printRegisterPage(std::ostream& out)
{
  RegisterOptions o;
  out << R"(NAME
  pcl_gpu_recognize register - find how two clouds lie on each other

SYNOPSIS
  pcl_gpu_recognize register SOURCE TARGET [OPTION]...

DESCRIPTION
  SOURCE and TARGET are .pcd files, each what a camera or scanner saw from one place of a
  scene or an object. No guess is needed how they lie. Organized clouds have the rays of a
  camera; of others VIEWPOINT says where the sensor was.

  Prints the pose that maps points of SOURCE to those of TARGET, 4 x 4, row by row, metres.
  The .json file has it as pose, with
    fit      share of SOURCE's points to be seen that TARGET's surface fits
    visible  share of SOURCE's points that TARGET shows, too
    inliers  number of points of SOURCE on TARGET's surface
    score    the larger, the surer
  If none is found the exit status is 1, and there is no file.

)" << registerOptions(o)
      << "\n"
      << generalOptions(o) << exit_status << R"(
EXAMPLES
  pcl_gpu_recognize register left.pcd right.pcd -o pose.json
)";
}

} // namespace

po::options_description
allOptions(LearnOptions& options)
{
  po::options_description all;
  all.add(learnOptions(options)).add(generalOptions(options));
  return withWords(all, options.models);
}

po::options_description
allOptions(RecognizeOptions& options)
{
  po::options_description all;
  all.add(recognizeOptions(options))
      .add(resultOptions(options))
      .add(generalOptions(options));
  return withWords(all, options.scenes);
}

po::options_description
allOptions(ConfusionOptions& options)
{
  po::options_description all;
  all.add(confusionOptions(options)).add(generalOptions(options));
  return withWords(all, options.models);
}

po::options_description
allOptions(RegisterOptions& options)
{
  po::options_description all;
  all.add(registerOptions(options)).add(generalOptions(options));
  return withWords(all, options.clouds);
}

po::options_description
allOptions(LibraryOptions& options, std::vector<std::string>& words)
{
  return withWords(generalOptions(options), words);
}

void
printManual(std::ostream& out, const std::string& subcommand)
{
  if (subcommand == "learn")
    printLearnPage(out);
  else if (subcommand == "recognize")
    printRecognizePage(out);
  else if (subcommand == "info")
    printInfoPage(out);
  else if (subcommand == "confusion")
    printConfusionPage(out);
  else if (subcommand == "register")
    printRegisterPage(out);
  else
    printProgramPage(out);
}

} // namespace pcl::gpu::apps
