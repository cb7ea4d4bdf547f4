// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options/options.h"
#include "recognizer.h"

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Makes sure that scenes have names of their own for their labelled clouds.
 * \param[in] options scenes and prefix of the names
 * \throws InputError if two have the same, or files cannot be written
 */
void
checkLabelFiles(const RecognizeOptions& options);

/** \brief Writes a scene's cloud with the objects as labels, compressed.
 * \param[in] scene with colours or without
 * \param[in] prefix beginning of its name
 * \return name of the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
std::string
writeLabels(const RecognizedScene& scene, const std::string& prefix);

/** \brief Writes all scenes as JSON.
 * \param[in] options where to
 * \param[in] scenes results
 * \param[in] library models of the objects
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writeResults(const RecognizeOptions& options,
             const std::vector<RecognizedScene>& scenes,
             const TensorLibrary& library);

/** \brief A pose as JSON has it: four rows of four numbers.
 * \param[in] pose any
 */
std::string
jsonPose(const Pose& pose);

} // namespace pcl::gpu::apps
