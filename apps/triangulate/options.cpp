// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/work/run_settings.h"
#include "mesh_writer.h"

#include <pcl/common/angles.h>

#include <cmath>
#include <limits>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

Pose
parsePose(const std::string& option, const std::string& text)
{
  const std::string expectation = "tx,ty,tz or tx,ty,tz,qx,qy,qz,qw";
  const std::vector<float> n = parseNumbers(option, text, expectation);
  Pose pose = Pose::Identity();
  checkOption(n.size() == 3 || n.size() == 7, option + " " + text, expectation);
  pose.translation() << n[0], n[1], n[2];
  if (n.size() == 7) {
    const Eigen::Quaternionf rotation(n[6], n[3], n[4], n[5]);
    checkOption(std::abs(rotation.norm() - 1.0f) <= 0.01f,
                option + " " + text,
                "a quaternion of length 1");
    pose.linear() = rotation.normalized().toRotationMatrix();
  }
  return pose;
}

/** \brief Sets the parameters of stages that are no options themselves. */
void
setSurface(const po::variables_map& values, TriangulateOptions& options)
{
  // The library takes infinity for "leave out none"; a command line says 0.
  options.surface.normals.max_depth_change_factor =
      options.depth_change == 0.0f ? std::numeric_limits<float>::infinity()
                                   : options.depth_change;
  OrganizedTriangulationParameters& mesh = options.surface.mesh;
  mesh.column_step = mesh.row_step;
  mesh.angle_tolerance = deg2rad(options.angle_tolerance);
  mesh.max_normal_angle = deg2rad(options.max_normal_angle);
  if (const auto max_edge = optionalValue<float>(values, "max-edge")) {
    mesh.dynamic_edge_length = false;
    mesh.max_edge_length = *max_edge;
    mesh.max_edge_length_squared = 0.0f;
  }
  const auto deviations = optionalValue<float>(values, "normal-deviations");
  mesh.dynamic_normal_angle = deviations.has_value();
  if (deviations)
    mesh.normal_angle_deviations = *deviations;
}

void
checkCombination(const po::variables_map& values, const TriangulateOptions& options)
{
  if (options.inputs.empty() == !options.synthetic)
    throw InputError(options.synthetic
                         ? "both INPUT and --synthetic: expected one of them"
                         : "no input: expected INPUT or --synthetic, see --help");
  checkOption(
      options.depth_scale > 0.0f, "--depth-scale", "metres for one unit, above 0");
  checkOption(!options.disparity || !options.missing_depth,
              "both --disparity and --missing-depth",
              "one of them; 2047 is the value of disparity that is missing");
  checkOption(options.repeat >= 1, "--repeat", "at least 1");
  for (const char* name : {"normal-radius", "depth-change"})
    checkOption(options.surface.normals.method ==
                        NormalEstimationMethod::COVARIANCE_MATRIX ||
                    !isGiven(values, name),
                std::string("--") + name,
                "--normals covariance, too");
  checkOption(options.color.empty() || !options.no_color,
              "both --color and --no-color",
              "one of them");
}

void
checkOutputs(const TriangulateOptions& options)
{
  if (!options.output.empty())
    checkMeshExtension(options.output);
  checkExtension(options.cloud, ".pcd");
  checkExtension(options.screenshot, ".png");
  if (options.output_directory.empty())
    checkOutputFiles({options.output, options.cloud, options.screenshot});
  checkSharing(options.sharing, options.output_directory);
  checkOutputFiles({options.timings});
}

} // namespace

DepthMapTriangulationParameters
defaultSurface()
{
  DepthMapTriangulationParameters surface;
  surface.filter.sigma_r = 0.005f;
  surface.filter.sigma_r_growth = 0.004f;
  surface.normals.window_radius = 5;
  surface.mesh.max_edge_length_squared = 0.0035f;
  return surface;
}

std::optional<TriangulateOptions>
parseTriangulateOptions(int argc, const char* const* argv)
{
  TriangulateOptions options;
  const auto line = readCommandLine(argc,
                                    argv,
                                    "pcl_gpu_triangulate " PCL_GPU_VERSION,
                                    manualPage(options),
                                    options.inputs);
  if (!line)
    return std::nullopt;
  const po::variables_map& values = *line;

  if (values.count("color-pose")) {
    checkOption(options.color_intrinsics.has_value(),
                "--color-pose",
                "--color-intrinsics, too");
    options.color_pose =
        parsePose("--color-pose", values["color-pose"].as<std::string>());
  }
  setSurface(values, options);
  checkCombination(values, options);
  checkOutputs(options);
  options.sharing.settings = settingsOf("pcl_gpu_triangulate", values, {"repeat"});
  return options;
}

} // namespace pcl::gpu::apps
