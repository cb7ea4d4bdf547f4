// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/manual_page.h"
#include "../../common/files/output_file.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/tensor/tensor_recognition_parameters.h>
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
  std::vector<std::string> inputs;
};

/** \brief Options of every subcommand that needs a library. */
struct LibraryOptions : GeneralOptions {
  std::string library; ///< file
};

/** \brief Size of meshes: by the unit of their files, or that of the objects. */
struct MeshScaling {
  float unit = 1.0f;         ///< metres for one unit of a mesh
  std::optional<float> size; ///< longest side of each mesh, metres; replaces the unit
};

/** \brief Resolution of new libraries, metres: that of a Kinect's depth maps at 1.4 m,
 * for objects of 7 to 30 cm. */
constexpr float usual_resolution = 0.0025f;

/** \brief Returns parameters with a number of tensors.
 * \param[in] tensors greatest number of tensors of a view. The library's default are
 * all of a view, whose matching takes much longer
 */
inline DepthMapTensorExtractionParameters
extractionParameters(int tensors)
{
  DepthMapTensorExtractionParameters parameters;
  parameters.tensor_count = tensors;
  return parameters;
}

/** \brief Returns parameters of learning, with 100 tensors a view. */
inline TensorModelLearningParameters
learningParameters()
{
  TensorModelLearningParameters parameters;
  parameters.extraction = extractionParameters(100);
  return parameters;
}

/** \brief Options of pcl_gpu_recognize learn. Inputs are models, FILE or
 * NAME=FILE[,FILE]... Lengths are in metres. */
struct LearnOptions : LibraryOptions {
  SharingOptions sharing;
  TensorModelLearningParameters learning = learningParameters();
  int views = 60;                  ///< of a mesh; the library has no default
  std::optional<float> resolution; ///< none: the library's, if there is one
  MeshScaling scaling;
  float distance = 1.1f; ///< of the camera from a mesh; the library has no default
  PinholeCamera camera;
  bool replace = false;
};

/** \brief Options of pcl_gpu_recognize recognize. Inputs are scenes. */
struct RecognizeOptions : LibraryOptions {
  SharingOptions sharing;
  std::string output;
  std::string labels; ///< beginning of the names of labelled clouds
  std::string screenshot;
  bool view = false;
  DepthMapTensorExtractionParameters extraction = extractionParameters(6000);
  float depth_scale = 0.001f;                 ///< metres for one unit of a depth map
  std::optional<std::uint16_t> missing_depth; ///< none: found in each depth map
  std::optional<PinholeCamera> camera;
  std::string mask; ///< picture whose black pixels are not looked at
  float confidence = TensorRecognitionParameters().min_confidence;
  int repeat = 1;
};

/** \brief Options of pcl_gpu_recognize merge. Inputs are parts, the library is the
 * joint file. */
struct MergeOptions : LibraryOptions {};

/** \brief Options of pcl_gpu_recognize confusion. Inputs are meshes, FILE or NAME=FILE.
 */
struct ConfusionOptions : LibraryOptions {
  std::string output;
  int views = 10; ///< of a mesh
  DepthMapTensorExtractionParameters extraction = extractionParameters(200);
  MeshScaling scaling;
  float nearest = 0.0f, farthest = 0.0f; ///< camera's distance from a mesh, metres
  PinholeCamera camera;
  float noise = 1.0f; ///< as a multiple of a Kinect's
  TensorMatchingParameters matching;
  std::uint64_t seed = 1; ///< another one than that of learn
};

/** \brief Options of pcl_gpu_recognize register. Inputs are source and target, or more
 * clouds. */
struct RegisterOptions : GeneralOptions {
  SharingOptions sharing;
  std::string output;
  std::string poses, model; ///< of more than two clouds
  bool joined = false;      ///< the clouds were seen from several places each
  TensorViewRegistrationParameters registration;
};

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
manualPage(MergeOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(ConfusionOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(RegisterOptions& options);

/** \brief Sets the options of a subcommand that need parsing, and checks all of them.
 * \param[in] values values of the command line
 * \param[in,out] options holds the other values
 * \throws InputError that names the offending option
 */
void
setOptions(const boost::program_options::variables_map& values, LearnOptions& options);

/** \copydoc setOptions(const variables_map&, LearnOptions&) */
void
setOptions(const boost::program_options::variables_map& values,
           RecognizeOptions& options);

/** \copydoc setOptions(const variables_map&, LearnOptions&) */
void
setOptions(const boost::program_options::variables_map& values,
           LibraryOptions& options);

/** \copydoc setOptions(const variables_map&, LearnOptions&) */
void
setOptions(const boost::program_options::variables_map& values, MergeOptions& options);

/** \copydoc setOptions(const variables_map&, LearnOptions&) */
void
setOptions(const boost::program_options::variables_map& values,
           ConfusionOptions& options);

/** \copydoc setOptions(const variables_map&, LearnOptions&) */
void
setOptions(const boost::program_options::variables_map& values,
           RegisterOptions& options);

/** \brief Reads the command line of a subcommand.
 * \param[in] argc number of words
 * \param[in] argv the words, the subcommand's name first
 * \return nothing if it was --help or --version, which are answered here
 * \throws InputError that names the offending option
 */
template <typename Options>
std::optional<Options>
parseOptions(int argc, const char* const* argv)
{
  Options options;
  const auto values = readCommandLine(argc,
                                      argv,
                                      "pcl_gpu_recognize " PCL_GPU_VERSION,
                                      manualPage(options),
                                      options.inputs);
  if (!values)
    return std::nullopt;
  checkOutputFiles({options.timings});
  setOptions(*values, options);
  return options;
}

} // namespace pcl::gpu::apps
