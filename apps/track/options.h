// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/manual_page.h"
#include "../common/work/shard.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <Eigen/Geometry>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Names of joints in results: those of a convention, or of the skeleton. */
using JointNames = std::optional<JointConvention>;

/** \brief Returns the words for them on the command line and in files. */
const Words<JointNames>&
jointNameWords();

/** \brief Options of pcl_gpu_track. Angles in degrees. */
struct TrackOptions {
  static constexpr int coarse_pose_layers =
      20; ///< of a first frame without --first-layers

  std::vector<std::string> inputs; ///< files and folders
  bool by_recording = false;       ///< each input is a folder, a recording of its own
  std::string simulate;            ///< a BVH file instead
  FrameRange frames;
  float frame_rate = 30.0f; ///< that of ArticulatedTracker

  std::optional<PinholeCamera> intrinsics;
  float depth_scale = 0.001f;
  std::optional<std::uint16_t> missing_depth; ///< none: found in each depth map
  float nearest = 0.0f;                       ///< of the recorded depths that are used
  float farthest = std::numeric_limits<float>::infinity();
  Eigen::AlignedBox3f box; ///< of the recorded points that are used; empty: all

  ImageSize size = {320, 240}; ///< of simulated images
  std::optional<Eigen::Vector3f> eye;
  std::optional<Eigen::Vector3f> target;
  DepthNoise noise;
  bool occluder = false;

  std::string skeleton; ///< a file; none: the motion's, or a default person
  std::optional<float> scale;
  float height_of_person = 1.75f; ///< the default of makeHumanSkeleton()
  std::optional<HandSide> hand;   ///< followed in place of a person
  bool upper_body = false;
  bool whole = false;       ///< all of the body is in the picture
  std::string initial_pose; ///< a BVH file
  std::optional<Eigen::Vector3f> position;
  float turn = 0.0f;

  bool fit = false; ///< every frame is a picture of its own
  /** \brief No option says where or who the person is, so people are looked for. */
  bool finds_people = false;
  /** \brief Parameters of the particle filter, without partitions. */
  PoseParticleFilterParameters filter = bodyTrackingParameters();
  int particles = static_cast<int>(filter.particle_count);
  std::optional<float> rate;       ///< frames a second to keep up with
  std::optional<int> first_layers; ///< none: coarse_pose_layers if the pose is coarse
  bool no_partitions = false;
  bool each_capsule = false;
  float turn_deviation = 70.0f; ///< that of the filter, 1.2 radians, in round degrees
  bool constant_velocity = false;

  std::string output;
  std::string csv;
  std::string json;
  JointNames joint_names = JointConvention::Itop; ///< of json
  std::string screenshot;
  std::string output_directory;
  SharingOptions sharing;
  std::string timings;
  bool view = false;
  std::string device;
  std::string devices; ///< several, in place of one
};

/** \brief Reads the command line.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
std::optional<TrackOptions>
parseTrackOptions(int argc, const char* const* argv);

/** \brief Returns the options of each recording.
 * \param[in] options if they are by recording, each gets its folder as the input, and
 * files in the output directory that are named after it; else they are those of the
 * only one
 */
std::vector<TrackOptions>
optionsOfRecordings(const TrackOptions& options);

/** \brief Returns the page of the manual, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(TrackOptions& options);

} // namespace pcl::gpu::apps
