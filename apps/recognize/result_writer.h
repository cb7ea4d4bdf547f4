// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options/options.h"
#include "recognizer.h"

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Checks that the labelled clouds of scenes have different names.
 * \param[in] options scenes and prefix of the names
 * \throws InputError if two have the same name, or files cannot be written
 */
void
checkLabelFiles(const RecognizeOptions& options);

/** \brief Writes a scene's cloud with the objects as labels, compressed.
 * \param[in] scene scene, with colours or without
 * \param[in] prefix beginning of the file's name
 * \return name of the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
std::string
writeLabels(const RecognizedScene& scene, const std::string& prefix);

/** \brief Writes all scenes as JSON.
 * \param[in] options library and output file
 * \param[in] scenes results
 * \param[in] library models of the objects
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writeResults(const RecognizeOptions& options,
             const std::vector<RecognizedScene>& scenes,
             const TensorLibrary& library);

/** \brief Returns a pose as JSON: four rows of four numbers.
 * \param[in] pose any
 */
std::string
jsonPose(const Pose& pose);

} // namespace pcl::gpu::apps
