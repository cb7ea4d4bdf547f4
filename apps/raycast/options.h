// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/manual_page.h"

#include <pcl/gpu/raycast/light.h>
#include <pcl/gpu/raycast/material.h>
#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief A lamp of the picture. */
struct LampOption {
  std::optional<Eigen::Vector3f> position; ///< metres; none: at the camera
  float intensity = Light().intensity;
};

/** \brief Options of pcl_gpu_raycast. Angles in degrees. */
struct RaycastOptions {
  static constexpr int deformation_frames = 24; ///< without --frames

  std::vector<std::string> inputs; ///< MESH or MESH@POSE
  float crease_angle = 50.0f;

  ImageSize size = {1280, 720};
  std::optional<PinholeCamera> intrinsics;
  // Less than that of RenderViewsTesselatedSphere, which is PCL's: pictures bend less.
  float field_of_view = 40.0f;
  std::optional<float> orthographic; ///< pixels for every metre; 0: as much as fits
  std::optional<Eigen::Vector3f> eye;
  std::optional<Eigen::Vector3f> target;
  Eigen::Vector3f up = Eigen::Vector3f::UnitY();
  std::string pose; ///< file
  Culling culling = MeshRayCasterParameters().culling;

  std::optional<Deformation> deformation;
  float strength = MeshDeformationParameters().strength;
  int frames = 1; ///< of a deformation or an orbit
  bool orbit = false;
  std::optional<int> views; ///< level of the tessellated sphere

  std::vector<LampOption> lights; ///< none: the program's own
  bool shadows = false;
  std::optional<float> soft_shadows; ///< radius of the lamps, metres
  std::optional<float>
      ambient_occlusion; ///< radius, metres; 0: chosen by the size of the meshes
  float reflect = Material().reflectivity; ///< part of the light that meshes mirror
  bool glass = false;
  bool ground = false;
  float ground_reflect = Material().reflectivity;

  std::string image;
  std::string depth;
  float depth_scale = 0.001f;
  std::string cloud;
  std::string ids;
  std::string screenshot;
  std::string output_directory;
  SharingOptions sharing;
  std::string timings;
  bool view = false;

  CastMethod method = MeshRayCasterParameters().method;
  std::string device;
  int repeat = 1;

  /** \brief Returns whether there are several frames, which get numbers. */
  bool
  isSequence() const
  {
    return deformation || orbit;
  }
};

/** \brief Reads the command line.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
std::optional<RaycastOptions>
parseRaycastOptions(int argc, const char* const* argv);

/** \brief Returns the page of the manual, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(RaycastOptions& options);

} // namespace pcl::gpu::apps
