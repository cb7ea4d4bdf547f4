// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

po::options_description
cameraOptions(RaycastOptions& o)
{
  auto result = optionGroup("CAMERA");
  auto add = result.add_options();
  add("size",
      sizeOption("size", o.size, 1, CameraView::max_size),
      "columns and rows of all images");
  add("fov",
      numberOption(o.field_of_view),
      "field of view from top to bottom, degrees");
  add("intrinsics",
      intrinsicsOption("intrinsics", o.intrinsics),
      "a camera that was calibrated, pixels, instead of --fov");
  add("orthographic",
      optionalNumber(o.orthographic, "SCALE"),
      "parallel rays instead of --fov, so many pixels for every metre; 0: as many as "
      "the image has room for");
  add("eye", pointOption("eye", o.eye), "position of the camera");
  add("target",
      pointOption("target", o.target),
      "point that it looks at; default: the middle of all meshes");
  add("up", pointOption("up", o.up), "direction upwards; default: 0,1,0");
  add("pose", fileOption(o.pose), "the camera's pose, instead of these three");
  add("culling",
      wordOption(
          "culling",
          "SIDE",
          {{"none", Culling::None}, {"back", Culling::Back}, {"front", Culling::Front}},
          o.culling),
      "sides of triangles that rays pass through: none, back or front");
  return result;
}

po::options_description
motionOptions(RaycastOptions& o)
{
  auto result = optionGroup("MOTION AND VIEWS");
  auto add = result.add_options();
  add("deform",
      textOption("WAY"),
      "deform all meshes anew for each frame: wave, twist, bend or noise; the last "
      "frame leads back to the first");
  add("strength", numberOption(o.strength), "strength of the deformation, 0 to 10");
  const std::string frames = std::to_string(RaycastOptions::deformation_frames);
  add("frames",
      optionalNumber<int>(),
      ("number of frames of --deform; default: " + frames).c_str());
  add("orbit",
      optionalNumber<int>(),
      "go once around the target in N frames; with --deform the meshes deform "
      "meanwhile");
  add("views",
      optionalNumber(o.views, "LEVEL"),
      "partial views of one mesh from a tessellated sphere around it, in the mesh's "
      "frame: 20 views at level 0, 80 at 1, 320 at 2, up to 5. Images are square, of "
      "the height of --size. Each is a cloud in its camera's frame, view-000.pcd, with "
      "its camera-to-mesh pose, view-000.pose.txt; views.csv lists the points of "
      "each and the part of the surface that it shows. Its rows are also in "
      "views.csv.parts, for --resume");
  return result;
}

po::options_description
lightOptions(RaycastOptions& o)
{
  auto result = optionGroup("LIGHT");
  auto add = result.add_options();
  add("light",
      po::value<std::vector<std::string>>()->composing()->value_name("X,Y,Z[,I]"),
      "a lamp of the picture, metres, with its intensity (1 if missing), or 'camera' "
      "for one there; may be repeated. Default: one above left of the camera and a "
      "weak one at the camera");
  add("shadows", po::bool_switch(&o.shadows), "lamps cast shadows");
  add("soft-shadows",
      optionalNumber(o.soft_shadows, "RADIUS"),
      "lamps are discs of this radius, metres, whose shadows have soft borders");
  add("ambient-occlusion",
      optionalNumber(o.ambient_occlusion, "RADIUS"),
      "darken corners and cavities by the surfaces within this radius, metres; 0: a "
      "radius that fits the meshes");
  add("reflect",
      numberOption(o.reflect),
      "part of the light that the meshes mirror, 0 to 1");
  add("glass", po::bool_switch(&o.glass), "the meshes are of glass");
  add("ground",
      po::bool_switch(&o.ground),
      "put the meshes on a ground, in the picture only");
  add("ground-reflect",
      numberOption(o.ground_reflect),
      "part of the light that the ground mirrors, 0 to 1");
  return result;
}

po::options_description
outputOptions(RaycastOptions& o)
{
  auto result = optionGroup("OUTPUT");
  auto add = result.add_options();
  add("image,o", fileOption(o.image), "a picture with light and shade: .png");
  add("depth",
      fileOption(o.depth),
      "depth map: 16-bit .png, millimetres without --depth-scale; 0 for no "
      "hit");
  add("depth-scale",
      numberOption(o.depth_scale),
      "metres for one unit of the depth map");
  add("cloud",
      fileOption(o.cloud),
      "organized cloud in the camera's frame, with normals and colours: .pcd, binary "
      "compressed");
  add("ids",
      fileOption(o.ids),
      "map of triangles, one colour for each: .png; black for no hit (see below for "
      "the "
      "numbers)");
  add("screenshot",
      fileOption(o.screenshot),
      "the picture beside depth map, triangles and the cloud from the side: .png; "
      "needs no display");
  add("output-directory",
      po::value(&o.output_directory)->value_name("FOLDER"),
      "for --deform, --orbit and --views: results go here; names of files get the "
      "frame's number (image-0000.png if there is none)");
  addSharingOptions(result, o.sharing, "frames or views");
  add("timings",
      fileOption(o.timings),
      "times of the stages, and the device: .json; cast/... are the stages "
      "of one more cast, each waited for");
  add("view",
      po::bool_switch(&o.view),
      "show the picture of --screenshot in a window; q closes it");
  return result;
}

po::options_description
generalOptions(RaycastOptions& o)
{
  auto result = optionGroup("OTHER");
  auto add = result.add_options();
  add("crease-angle",
      numberOption(o.crease_angle),
      "meshes without normals: edges are smooth up to this angle between triangles, "
      "degrees, and sharp beyond it; 0: flat triangles");
  add("method",
      wordOption("method",
                 "NAME",
                 {{"automatic", CastMethod::Automatic},
                  {"visibility", CastMethod::Visibility},
                  {"grid", CastMethod::TileGrid}},
                 o.method),
      "method that finds hits: automatic, visibility or grid; results are the same");
  addGeneralOptions(result, o.device, o.repeat);
  return result;
}

} // namespace

ManualPage
manualPage(RaycastOptions& o)
{
  ManualPage page;
  po::options_description hidden;
  hidden.add_options()("output-dir", po::value(&o.output_directory))(
      "lights", po::value<std::vector<std::string>>()->composing());
  page.options.add(hidden);
  page << R"(NAME
  pcl_gpu_raycast - cast rays at triangle meshes

SYNOPSIS
  pcl_gpu_raycast [OPTION]... MESH[@POSE]...

DESCRIPTION
  Casts a ray through each pixel of a camera and finds the triangle that it hits first.
  Writes a picture, a depth map, an organized cloud or a map of triangles. Meshes may
  deform from frame to frame; the acceleration structures are built again for each.

  MESH is a .ply, .obj, .stl, .off or .vtk file with polygons of any kind, text or
  binary; concave polygons are cut within their borders. Normals and colours of its
  vertices are used, but not the normals of .obj files, which belong to the corners of
  faces. A damaged file is an error, even if part of it could be read. Lengths are in
  metres; files state no unit: for a file in millimetres read millimetres everywhere,
  and choose --depth-scale 1.

  POSE places the mesh: a text file with a rigid 4 x 4 matrix, row by row (the last row
  may be missing), or with tx ty tz qx qy qz qw. It maps the mesh's frame to the
  world's. A camera's pose maps its frame to the world's: z forward, x right, y down.

  Without --eye, --target and --pose the camera looks at all meshes from the front, a
  little from the right and from above, and sees all of them.

)" << cameraOptions(o)
       << motionOptions(o) << lightOptions(o) << outputOptions(o) << generalOptions(o)
       << R"(NUMBERS OF TRIANGLES
  Polygons with more than three corners are cut into triangles; the triangles of
  all meshes are numbered from 0, in the order of the command line and of the polygons
  in each file. In the picture of --ids triangle i has the colour c = (i + 1) * 10368889
  modulo 2^24, whose bytes are red (the highest), green and blue. So
  i = c * 11764425 modulo 2^24, less 1.

)" << exitStatusText()
       << R"(EXAMPLES
  A picture and a depth map of a mesh:
    pcl_gpu_raycast bunny.ply --image bunny.png --depth bunny.depth.png

  A picture on a polished floor, with soft shadows (of lamps of 5 cm). Without a GPU it
  takes 1 to 3 minutes on two processors, and a quarter of that with --size 640x360:
    pcl_gpu_raycast bunny.ply --image bunny.png --ground --ground-reflect 0.1 \
      --soft-shadows 0.05 --ambient-occlusion 0

  The cloud that a calibrated depth camera measures of two objects on a table:
    pcl_gpu_raycast table.ply cup.obj@cup.txt --size 640x480 \
      --intrinsics 525,525,319.5,239.5 --pose camera.txt --cloud seen.pcd

  A twisting mesh, in 48 frames of an orbit around it:
    pcl_gpu_raycast dragon.ply --deform twist --orbit 48 --output-directory frames

  80 partial views to recognize an object by:
    pcl_gpu_raycast cup.ply --views 1 --size 150x150 --output-directory views
)";
  return page;
}

} // namespace pcl::gpu::apps
