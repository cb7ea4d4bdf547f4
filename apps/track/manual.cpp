// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include <pcl/common/angles.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::options_description
inputOptions(TrackOptions& o)
{
  auto result = optionGroup("INPUT");
  auto add = result.add_options();
  add("frames",
      textOption("A:B"),
      "use frames A to B only, counted from 0; either may be missing");
  add("fps", numberOption(o.frame_rate), "frames a second");
  add("intrinsics",
      intrinsicsOption("intrinsics", o.intrinsics),
      "the depth camera, pixels; default for a width w and height h: 525 w/640, the "
      "same, (w-1)/2, (h-1)/2");
  add("depth-scale",
      numberOption(o.depth_scale),
      "metres for one unit of a recorded depth map");
  addMissingDepthOption(result, o.missing_depth);
  add("depth-range",
      textOption("A:B"),
      "use recorded points between these depths only, metres");
  add("box",
      textOption("X,Y,Z,X,Y,Z"),
      "use recorded points in this box only, two opposite corners, metres");
  return result;
}

po::options_description
simulationOptions(TrackOptions& o)
{
  auto result = optionGroup("SIMULATION");
  auto add = result.add_options();
  add("simulate",
      fileOption(o.simulate),
      "no input: a body that moves as in this BVH file, seen by a depth camera that "
      "the program simulates");
  add("size", sizeOption("size", o.size, 1, 16384), "columns and rows of its images");
  add("eye",
      pointOption("eye", o.eye),
      "its position; default: before the body, a little to the side, so far that all "
      "of "
      "the motion is seen");
  add("target",
      pointOption("target", o.target),
      "point that it looks at; default: the middle of the motion");
  add("noise",
      numberOption(o.noise.deviation),
      "deviation of its depths along the ray, metres");
  add("outliers",
      numberOption(o.noise.outlier_fraction),
      "part of its pixels that see any depth");
  add("missing",
      numberOption(o.noise.missing_fraction),
      "part of its pixels that see nothing");
  add("occluder",
      po::bool_switch(&o.occluder),
      "a pole of 16 cm between camera and body");
  return result;
}

po::options_description
bodyOptions(TrackOptions& o)
{
  auto result = optionGroup("BODY");
  auto add = result.add_options();
  add("skeleton",
      fileOption(o.skeleton),
      "the body: .yaml or .json with its skin, or .bvh, whose bones get a skin by the "
      "words of their names (LeftUpLeg, Bip01 L Thigh, upper_leg.L ...); default: that "
      "of --simulate, else a person");
  add("height", numberOption(o.height_of_person), "height of that person, metres");
  const PoseParticleFilterParameters hand = handTrackingParameters();
  add("hand",
      textOption("SIDE"),
      ("follow a hand, left or right, in place of a person: its fingers point up and "
       "its palm to the camera in the first frame, but for --turn; --height is that of "
       "its person. Defaults of --sigma, --tau, --root-deviation, --turn-deviation and "
       "--noise are then " +
       numberText(hand.likelihood.sigma) + ", " +
       numberText(hand.likelihood.truncation_distance) + ", " +
       numberText(hand.root_translation_deviation) + ", " +
       numberText(std::round(pcl::rad2deg(hand.root_rotation_deviation))) +
       " and 0.002")
          .c_str());
  add("upper-body",
      po::bool_switch(&o.upper_body),
      "the pictures end above the legs: the body has none");
  add("whole",
      po::bool_switch(&o.whole),
      "with --fit: all of the body is in the picture, and nothing else; else only the "
      "space between the points is known to be empty");
  add("scale",
      optionalNumber(o.scale),
      "metres for one unit of BVH files; default: the first of 1, 0.01, 0.0254, "
      "0.05644 (CMU's) and 0.001 by which the joints span 1 to 2.2 m");
  add("initial-pose",
      fileOption(o.initial_pose),
      "a BVH file of the same body whose first pose is that of the first frame");
  add("position",
      pointOption("position", o.position),
      "position of the root (hips or wrist) in the first frame, metres; default: the "
      "middle "
      "of the points; with --simulate the true pose is known");
  add("turn",
      numberOption(o.turn),
      "recorded input: angle by which the body is turned to its left from facing the "
      "camera in the first frame, degrees");
  return result;
}

po::options_description
filterOptions(TrackOptions& o)
{
  auto result = optionGroup("PARTICLE FILTER");
  auto add = result.add_options();
  add("fit",
      po::bool_switch(&o.fit),
      "recorded input: every frame is a picture of its own, in which poses and sizes "
      "are fitted");
  const PoseParticleFilterParameters people = guidedBodyTrackingParameters();
  add("particles",
      numberOption(o.particles),
      ("number of particles; default of people who are found: " +
       std::to_string(people.particle_count))
          .c_str());
  add("rate",
      optionalNumber(o.rate),
      "keep up with so many frames a second: see KEEPING UP");
  add("sigma",
      numberOption(o.filter.likelihood.sigma),
      "deviation of points from the skin, metres");
  add("tau",
      numberOption(o.filter.likelihood.truncation_distance),
      "distance from the skin beyond which a point is an outlier, metres");
  add("layers",
      numberOption(o.filter.layers),
      ("annealing layers: number of times that particles are moved and weighed in a "
       "frame; default of people who are found: " +
       std::to_string(people.layers))
          .c_str());
  add("first-layers",
      optionalNumber(o.first_layers),
      ("the same for the first frame; default: that of --layers with --simulate and "
       "--initial-pose, else " +
       std::to_string(TrackOptions::coarse_pose_layers))
          .c_str());
  add("no-partitions",
      po::bool_switch(&o.no_partitions),
      "of a single body: move all joints at once; else the trunk is moved and weighed "
      "first, then each limb by itself, each in as many layers, then all of them in "
      "seven times as many");
  add("each-capsule",
      po::bool_switch(&o.each_capsule),
      "a point agrees with any part of the body on its ray; else parts hide those "
      "behind them");
  add("survival",
      numberOption(o.filter.survival_rate),
      "share of the particles that survives a layer; 0: as the likelihood says");
  add("root-deviation",
      numberOption(o.filter.root_translation_deviation),
      "deviation of the body's motion along each axis in a second, metres");
  add("turn-deviation",
      numberOption(o.turn_deviation),
      "deviation of the body's turns about each axis in a second, degrees");
  add("velocity",
      po::bool_switch(&o.constant_velocity),
      "expect bodies to keep their velocity, not their place");
  add("seed",
      numberOption(o.filter.seed),
      "of all random numbers, those of simulated errors included");
  return result;
}

po::options_description
outputOptions(TrackOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o",
      fileOption(o.output),
      "the poses: .bvh, in metres; those of further people go to NAME-1.bvh and so on");
  add("csv",
      fileOption(o.csv),
      "a row for every frame: time, uncertainty, positions of all joints with their "
      "deviations, and their error if the truth is known; metres and seconds");
  add("json",
      fileOption(o.json),
      "for every frame its time and its people, each with its number, its confidence "
      "and its joints by name: position_m in the camera's frame, and deviation_m");
  add("joints",
      wordOption("joints", "NAMES", jointNameWords(), o.joint_names),
      "names of the joints in --json: itop for the 15 of that data set (Head, Neck, R "
      "Shoulder ...), coco for the 17 of that one (nose, left_eye ...), or skeleton "
      "for those of the body, as in --csv");
  add("screenshot",
      fileOption(o.screenshot),
      "a picture of every frame, the skin over the points: .png; needs no display");
  add("output-directory",
      po::value(&o.output_directory)->value_name("FOLDER"),
      "folder of the pictures, whose names get the frame's number. With several "
      "recordings: folder of all results, which are named after the recordings");
  addSharingOptions(result, o.sharing, "recordings");
  add("timings",
      fileOption(o.timings),
      "times of the stages, the device, and mean_joint_error_m if the truth is known: "
      ".json");
  add("view",
      po::bool_switch(&o.view),
      "show the picture of --screenshot in a window; q closes it");
  return result;
}

po::options_description
generalOptions(TrackOptions& o)
{
  auto result = optionGroup("OTHER");
  addGeneralOptions(result, o.device);
  result.add_options()("devices",
                       po::value(&o.devices)->value_name("NAMES"),
                       "several GPUs that share the particles, such as cuda:0,cuda:1; "
                       "poses are the same");
  return result;
}

} // namespace

ManualPage
manualPage(TrackOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_track - follow people, or any body with joints, through depth maps

SYNOPSIS
  pcl_gpu_track [OPTION]... INPUT...
  pcl_gpu_track [OPTION]... --simulate MOTION.bvh

DESCRIPTION
  Finds the people in a sequence of depth maps or organized point clouds, and follows
  the pose of each by a particle filter: thousands of guesses of the pose move and are
  compared with the camera's points, and the good ones survive. The result of each frame
  is their mean, with its uncertainty. People stand, walk, run or dance when they are
  found; those who sit or lie are not looked for. The camera is roughly level. It may
  move, but people are found and followed best if it stands still.

  With --position, --turn, --height, --skeleton, --hand, --initial-pose, --upper-body or
  --whole there is one person, or body, in the middle of the points or in that place,
  and nothing else; clouds need no rows of pixels then.

  INPUT is a 16-bit PNG depth map (0: not measured, see also --missing-depth), a PCD in
  the camera's frame (NaN or 0,0,0: not measured), or a folder of either; within a
  folder frames come in the order of their names, where numbers count (9.png before
  10.png). The camera's frame is z forward, x right, y down; poses are in that frame.
  Simulated bodies are in the frame of their BVH file, y up.

  Several folders are recordings of their own, to which all options apply. Their results
  go to --output-directory. They have the names of the folders, and the extensions of
  --output, --csv, --json and --screenshot: walk/ gives walk.bvh, walk.csv,
  walk-0000.png and so on. A second folder of this name gives walk-2. With --shard or
  --resume a single folder is treated in the same way. A recording is made by one
  process, and all of it again if that is interrupted. One of several that cannot be
  used is named and left out. The exit status is then 2, and --resume tracks it when it
  is mended.

  Without a GPU, two processors take 0.4 to 1 second for a person in a frame, and 1 to
  12 for the first one, in which people are looked for. --particles 350 takes two thirds
  of that, with joints that are less exact, and --frames chooses some frames.

)" << inputOptions(o)
       << simulationOptions(o) << bodyOptions(o) << filterOptions(o) << outputOptions(o)
       << generalOptions(o) << R"(KEEPING UP
  With --rate N frames come N times a second, as from a camera. The clock starts after
  the first frame, in which people are looked for. If two frames in a row take longer
  than that, the next ones have fewer particles, down to a quarter, and then fewer
  layers. If there is time again, they get more. Of frames that come during the work on
  another one, only the newest is used. Those before it are left out: tables, JSON and
  pictures do not have them, and a motion keeps its pose. The program ends with the rate
  that it reached, and the option that would change it. Results depend on the speed of
  the machine and on its other work, so they are not the same twice.

NAMES OF JOINTS
  Left and right are the person's. A joint that the body lacks, such as a knee with
  --upper-body, is null. A body that lacks most of them, such as a robot, keeps its own
  names. Head, hands and feet of itop are the middles of the skin there. Nose, eyes
  and ears of coco are fixed on the head, in the proportions of an average one. Numbers
  that are not known are null: confidence with a single body, deviation_m with --fit.

ERRORS OF JOINTS
  With --simulate the error of a joint is its distance from its true position. Joints
  without a counterpart of the same name in the motion, and those at the ends of the
  tree, are not counted. mean_joint_error_m is the mean over joints and frames,
  largest_frame_error_m the largest of the frames' means.

)" << exitStatusText()
       << R"(EXAMPLES
  A walk with its truth, behind a pole, as pictures and as a table:
    pcl_gpu_track --simulate walk.bvh --occluder --csv walk.csv \
      --screenshot walk.png --output-directory pictures

  A recorded sequence of people in a room, as a table and as motions:
    pcl_gpu_track depth/ --intrinsics 575,575,320,240 --csv people.csv \
      --output people.bvh

  The same with the joints of COCO, for programs that read JSON:
    pcl_gpu_track depth/ --intrinsics 575,575,320,240 --json people.json --joints coco

  All recordings in a folder, by as many processes as mpirun starts:
    mpirun -np 4 pcl_gpu_track recordings/*/ --output-directory tracks \
      --output .bvh --csv .csv --shard auto

  A right hand half a metre before the camera, with no wall so near:
    pcl_gpu_track depth/ --hand right --position 0,0.08,0.5 --csv hand.csv

  A single depth map of a person who is seen from the waist up:
    pcl_gpu_track person.depth.png --fit --upper-body --depth-range 0.5:1.6 \
      --screenshot person.png --output-directory .

  All people in a picture of a room, as pictures and as a table with a row for each:
    pcl_gpu_track room.pcd --fit --csv people.csv --screenshot people.png \
      --output-directory .
)";
  return page;
}

} // namespace pcl::gpu::apps
