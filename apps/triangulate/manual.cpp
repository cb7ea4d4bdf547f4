// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::options_description
inputOptions(TriangulateOptions& o)
{
  auto result = optionGroup("INPUT");
  auto add = result.add_options();
  add("synthetic",
      po::bool_switch(&o.synthetic),
      "no input: a table with things on it, which the program renders itself");
  add("intrinsics",
      intrinsicsOption("intrinsics", o.intrinsics),
      "the depth camera, pixels; default for a width w and height h: 525 w/640, the "
      "same, (w-1)/2, (h-1)/2");
  add("depth-scale",
      numberOption(o.depth_scale),
      "metres for one unit of the depth map");
  addMissingDepthOption(result, o.missing_depth);
  add("disparity",
      po::bool_switch(&o.disparity),
      "the images hold raw 11-bit Kinect disparity; the focal length is that of the "
      "depth camera, by default 575.8 w/640");
  add("baseline",
      numberOption(o.converter.baseline),
      "disparity: distance of projector and camera, metres");
  add("disparity-offset",
      numberOption(o.converter.disparity_offset),
      "disparity: its value at infinite depth");
  add("color",
      fileOption(o.color),
      "JPEG or PNG for a single depth map; without it, NAME.color.jpg (.jpeg, .png) "
      "beside NAME.depth.png is used if there is one");
  add("no-color", po::bool_switch(&o.no_color), "look for no colour image");
  add("color-intrinsics",
      intrinsicsOption("color-intrinsics", o.color_intrinsics),
      "the colour camera, if the image is not registered to the depth map");
  add("color-pose",
      textOption("X,Y,Z[,QX,QY,QZ,QW]"),
      "pose of the colour camera in the depth camera's frame: metres and quaternion");
  return result;
}

po::options_description
stageOptions(TriangulateOptions& o)
{
  DepthBilateralFilterParameters& filter = o.surface.filter;
  auto result = optionGroup("FILTER, NORMALS AND MESH");
  auto add = result.add_options();
  add("keep-flying-pixels",
      po::bool_switch(&o.keep_flying_pixels),
      "keep measurements between an object and its background, where there is no "
      "surface");
  add("no-filter", po::bool_switch(&o.no_filter), "leave out the bilateral filter");
  add("sigma-s",
      numberOption(filter.sigma_s),
      "filter: standard deviation over the image, pixels");
  add("sigma-r",
      numberOption(filter.sigma_r),
      "filter: standard deviation over depth, metres, at depth 0");
  add("sigma-r-growth",
      numberOption(filter.sigma_r_growth),
      "filter: growth of sigma-r with depth squared, 1/metre");
  add("filter-radius",
      numberOption(filter.window_radius),
      "filter: half the window, pixels, 1 to 16");
  add("normals",
      wordOption("normals",
                 "WAY",
                 {{"adaptive", NormalEstimationMethod::ADAPTIVE_WINDOWS},
                  {"covariance", NormalEstimationMethod::COVARIANCE_MATRIX}},
                 o.surface.normals.method),
      "normals: adaptive, from windows that stop at edges and grow with the noise; "
      "covariance, from a window of fixed size as in PCL");
  add("normal-radius",
      numberOption(o.surface.normals.window_radius),
      "normals: half the window of --normals covariance, pixels, 1 to 16");
  add("depth-change",
      numberOption(o.depth_change),
      "normals: leave out neighbours in the window of --normals covariance whose depth "
      "differs by more than this part of the depth; 0 leaves out none");
  add("cut",
      wordOption("cut",
                 "WAY",
                 {{"left", Cut::Left},
                  {"right", Cut::Right},
                  {"adaptive", Cut::Adaptive},
                  {"quad", Cut::Quad}},
                 o.surface.mesh.cut),
      "mesh: left or right, two triangles for four pixels; adaptive, whichever keeps "
      "more; quad, one polygon of four vertices");
  add("step",
      numberOption(o.surface.mesh.row_step),
      "mesh: use every N-th row and column only");
  add("angle-tolerance",
      numberOption(o.angle_tolerance),
      "mesh: least angle between an edge and the line of sight, degrees");
  add("edge-deviations",
      numberOption(o.surface.mesh.edge_length_deviations),
      "mesh: longest edge that does not continue a surface, as standard deviations "
      "above the mean spacing of points, but no less than twice that mean; both grow "
      "with the distance and the step. For the sensor's noise, 3.5 mm at 1 m are "
      "added, which grow with the square of the distance");
  add("max-edge",
      optionalNumber<float>(),
      "mesh: longest edge, metres, instead of --edge-deviations");
  add("max-normal-angle",
      numberOption(o.max_normal_angle),
      "mesh: largest angle between the normals at an edge's ends, degrees; 180 allows "
      "all");
  add("normal-deviations",
      optionalNumber<float>(),
      "mesh: largest angle between normals, as standard deviations above the mean, "
      "instead of --max-normal-angle; 1 as in the paper");
  return result;
}

po::options_description
outputOptions(TriangulateOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("output,o",
      fileOption(o.output),
      "the mesh: .ply (normals, colours), .vtk (the same) or .obj (normals)");
  add("cloud",
      fileOption(o.cloud),
      "the organized cloud with normals: .pcd, binary compressed");
  add("screenshot", fileOption(o.screenshot), "a picture: .png; needs no display");
  add("picture-size",
      // Pictures are drawn at twice the size, and graphics drivers end at 16384 pixels.
      sizeOption("picture-size", o.picture_size, 64, 8192),
      "size of the picture and of the window");
  add("output-directory",
      po::value(&o.output_directory)->value_name("FOLDER"),
      "for several frames: results go here, named after the frame, with the extensions "
      "of --output, --cloud and --screenshot (.ply if there is none of them)");
  addSharingOptions(result, o.sharing, "frames");
  add("timings", fileOption(o.timings), "times of the stages, and the device: .json");
  add("view", po::bool_switch(&o.view), "show the result in a window; q closes it");
  return result;
}

po::options_description
generalOptions(TriangulateOptions& o)
{
  auto result = optionGroup("OTHER");
  addGeneralOptions(result, o.device, o.repeat);
  return result;
}

} // namespace

ManualPage
manualPage(TriangulateOptions& o)
{
  ManualPage page;
  page << R"(NAME
  pcl_gpu_triangulate - turn depth maps into triangle meshes

SYNOPSIS
  pcl_gpu_triangulate [OPTION]... INPUT...
  pcl_gpu_triangulate [OPTION]... --synthetic

DESCRIPTION
  Removes flying pixels from a depth map, smooths it without blurring its edges,
  projects it to an organized cloud, estimates normals and connects neighbouring
  points to a mesh. INPUT is a 16-bit PNG depth map (0: not measured, see also
  --missing-depth), an organized PCD in the camera's frame (NaN or 0,0,0: not
  measured), or a folder of either. Several frames make a sequence, in the order
  given, within a folder in the order of their names, where numbers count (9.png
  before 10.png). With --output-directory, one of several frames that cannot be used
  is named and left out. The exit status is then 2, and --resume makes it when it is
  mended.

)";
  page << inputOptions(o) << stageOptions(o);
  page << R"(  The defaults of sigma-r, sigma-r-growth, normal-radius, depth-change,
  angle-tolerance, edge-deviations and max-normal-angle are not the library's,
  which follow the paper: these smooth more where the sensor is less exact, and
  keep the mesh whole where a surface is curved, far away or seen at a slant.

)";
  page << outputOptions(o) << generalOptions(o);
  page << exitStatusText() << R"(EXAMPLES
  A mesh and its picture from one frame of a Kinect:
    pcl_gpu_triangulate desk.depth.png --color desk.color.jpg \
      --output desk.ply --screenshot desk.png

  A mesh for every frame in a folder, on the second GPU:
    pcl_gpu_triangulate frames/ --output-directory meshes --output .ply \
      --device cuda:1

  Without any data:
    pcl_gpu_triangulate --synthetic --output table.ply --screenshot table.png
)";
  return page;
}

} // namespace pcl::gpu::apps
