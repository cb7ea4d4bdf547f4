// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/manual_page.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns the program's default parameters of the stages. */
DepthMapTriangulationParameters
defaultSurface();

/** \brief Options of pcl_gpu_triangulate. Angles in degrees. */
struct TriangulateOptions {
  std::vector<std::string> inputs; ///< files and folders
  bool synthetic = false;
  bool disparity = false;
  KinectDisparityConverterParameters converter;

  std::optional<PinholeCamera> intrinsics;
  float depth_scale = 0.001f;
  std::optional<std::uint16_t> missing_depth; ///< none: found in each depth map
  std::string color;
  bool no_color = false;
  std::optional<PinholeCamera> color_intrinsics;
  Pose color_pose = Pose::Identity();

  bool keep_flying_pixels = false;
  bool no_filter = false;
  DepthMapTriangulationParameters surface = defaultSurface();
  float depth_change = 0.05f; ///< 0: no neighbour is left out of normals
  float angle_tolerance = 1.0f;
  float max_normal_angle = 180.0f;

  std::string output;
  std::string cloud;
  std::string screenshot;
  ImageSize picture_size = {1600, 900};
  std::string output_directory;
  SharingOptions sharing;
  std::string timings;
  bool view = false;

  std::string device;
  int repeat = 1;
};

/** \brief Reads the command line.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
std::optional<TriangulateOptions>
parseTriangulateOptions(int argc, const char* const* argv);

/** \brief Returns the page of the manual, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(TriangulateOptions& options);

} // namespace pcl::gpu::apps
