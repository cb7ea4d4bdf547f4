// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief What the user asks of pcl_gpu_triangulate. Angles in degrees. */
struct TriangulateOptions {
  std::vector<std::string> inputs; ///< files, folders not yet looked into
  bool synthetic = false;
  bool disparity = false;
  float baseline = 0.0f;
  float disparity_offset = 0.0f;

  std::optional<PinholeCamera> intrinsics;
  float depth_scale = 0.001f;
  std::string color;
  bool no_color = false;
  std::optional<PinholeCamera> color_intrinsics;
  Pose color_pose = Pose::Identity();

  bool no_filter = false;
  float sigma_s = 0.0f;
  float sigma_r = 0.0f;
  float sigma_r_growth = 0.0f;
  int filter_radius = 0;
  int normal_radius = 0;
  float depth_change = 0.0f;

  Cut cut = Cut::Left;
  int step = 1;
  std::optional<float> max_edge;
  float edge_deviations = 0.0f;
  float max_normal_angle = 0.0f;
  std::optional<float> normal_deviations;
  float angle_tolerance = 0.0f;

  std::string output;
  std::string cloud;
  std::string screenshot;
  int picture_width = 0;
  int picture_height = 0;
  std::string output_directory;
  std::string timings;
  bool view = false;

  std::string device;
  int repeat = 1;
};

/** \brief Reads the command line.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names what is wrong
 */
std::optional<TriangulateOptions>
parseTriangulateOptions(int argc, const char* const* argv);

} // namespace pcl::gpu::apps
