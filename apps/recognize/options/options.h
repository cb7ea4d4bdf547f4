// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/manual_page.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Options of every subcommand. */
struct GeneralOptions {
  std::string device;
  std::string timings; ///< file
};

/** \brief Options of every subcommand that needs a library. */
struct LibraryOptions : GeneralOptions {
  std::string library; ///< file
};

/** \brief Options of pcl_gpu_recognize learn. Lengths in metres. */
struct LearnOptions : LibraryOptions {
  std::vector<std::string> models; ///< FILE or NAME=FILE[,FILE]...
  int views = 42;                  ///< of a mesh
  int tensors =
      TensorModelLearningParameters().extraction.tensor_count; ///< of a view, at most
  int points = TensorModelLearningParameters().point_count;    ///< of a model, at most
  std::optional<float> resolution; ///< none: the library's, if there is one
  std::optional<float> size;       ///< longest side of each mesh
  float distance = 0.9f;           ///< of the camera from a mesh
  PinholeCamera camera;
  std::uint64_t seed = 0;
  bool replace = false;
};

/** \brief Options of pcl_gpu_recognize recognize. */
struct RecognizeOptions : LibraryOptions {
  std::vector<std::string> scenes;
  std::string output;
  std::string labels; ///< beginning of the names of labelled clouds
  std::string screenshot;
  bool view = false;
  int tensors = 500; ///< of a scene, at most
  std::uint64_t seed = 0;
  float depth_scale = 0.001f; ///< metres for one unit of a depth map
  float nearest = DepthMapTensorExtractionParameters().nearest_depth; ///< metres
  std::optional<PinholeCamera> camera;
  float confidence = 0.7f; ///< more than the library's: fewer false objects
  int repeat = 1;
};

/** \brief Options of pcl_gpu_recognize confusion. */
struct ConfusionOptions : LibraryOptions {
  std::vector<std::string> models; ///< FILE or NAME=FILE
  std::string output;
  int views = 10;    ///< of a mesh
  int tensors = 200; ///< of a view, at most
  std::optional<float> size;
  float nearest = 0.0f, farthest = 0.0f; ///< camera's distance from a mesh, metres
  PinholeCamera camera;
  float noise = 1.0f; ///< as a multiple of a Kinect's
  float correlation = TensorMatchingParameters().min_correlation;
  float overlap = TensorMatchingParameters().min_overlap;
  std::uint64_t seed = 1;
};

/** \brief Options of pcl_gpu_recognize register. */
struct RegisterOptions : GeneralOptions {
  std::vector<std::string> clouds; ///< source and target
  std::string output;
  std::optional<float> resolution;
  float overlap = TensorViewRegistrationParameters().min_overlap;
};

/** \brief Reads the command line of a subcommand.
 * \param[in] argc number of words
 * \param[in] argv the words, the subcommand's name first
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
std::optional<LearnOptions>
parseLearnOptions(int argc, const char* const* argv);

/** \brief See parseLearnOptions(). */
std::optional<RecognizeOptions>
parseRecognizeOptions(int argc, const char* const* argv);

/** \brief See parseLearnOptions(). */
std::optional<LibraryOptions>
parseInfoOptions(int argc, const char* const* argv);

/** \brief See parseLearnOptions(). */
std::optional<ConfusionOptions>
parseConfusionOptions(int argc, const char* const* argv);

/** \brief See parseLearnOptions(). */
std::optional<RegisterOptions>
parseRegisterOptions(int argc, const char* const* argv);

/** \brief Returns the page of the program, which lists its subcommands. */
std::string
programPage();

/** \brief Returns the page of a subcommand, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(LearnOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(RecognizeOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(LibraryOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(ConfusionOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(RegisterOptions& options);

} // namespace pcl::gpu::apps
