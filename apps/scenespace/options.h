// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/manual_page.h"
#include "../common/work/shard.h"
#include "effects/effect_command.h"

#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/scenespace/scene_space_resources.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/memory.h>

#include <optional>
#include <string>

namespace pcl::gpu::apps {

/** \brief When the colour camera is found in the recording. */
enum class ColorCalibrationMode {
  Auto, ///< if the recording says nothing of it, and does not register depth to it
  On,   ///< always
  Off   ///< never; nor are errors of poses
};

/** \brief Options of pcl_gpu_scenespace. */
struct SceneSpaceOptions {
  const EffectCommand* effect = nullptr;
  boost::program_options::variables_map values; ///< of the effect's own options, too

  std::string input;
  FrameRange frames; ///< of the output
  RGBDFolderOptions folder;
  ColorCalibrationMode calibrate_color = ColorCalibrationMode::Auto;
  std::string save_color_camera; ///< file
  std::string color_camera;      ///< file
  std::string mask;              ///< a file or a folder
  ScenePreparation preparation;  ///< margins only
  std::optional<float> noise;    ///< levels; none: to be estimated
  bool keep_holes = false;       ///< depth is not filled

  std::string output;
  std::string format = "png"; ///< png or pcd
  bool compare = false;
  SharingOptions sharing;
  std::string timings;

  SceneSpaceResources resources; ///< memory only
  int threads = 0;               ///< 0: as many as the processor has, up to a limit
  std::string device;
  std::string devices; ///< several, in place of one

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Reads the command line.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
std::optional<SceneSpaceOptions>
parseSceneSpaceOptions(int argc, const char* const* argv);

/** \brief Returns the page of the manual, with the options of all effects.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 * \param[in] effect effect whose own options the command line may have
 */
ManualPage
manualPage(SceneSpaceOptions& options, const EffectCommand& effect);

} // namespace pcl::gpu::apps
