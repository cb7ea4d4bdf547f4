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

/** \brief Returns a scene as JSON.
 * \param[in] scene results
 * \param[in] library models of the objects
 */
std::string
sceneText(const RecognizedScene& scene, const TensorLibrary& library);

/** \brief Writes scenes as JSON.
 * \param[in] path the file
 * \param[in] library file of the library
 * \param[in] scenes as sceneText() returns them
 * \throws InputError, pcl::IOException if it cannot be written
 */
void
writeResults(const std::string& path,
             const std::string& library,
             const std::vector<std::string>& scenes);

/** \brief Joins files that writeResults() wrote.
 * \param[in] parts the files
 * \param[in] path the joint file, as writeResults() writes all scenes at once
 * \throws InputError if a part has no results, or those of another library;
 * pcl::IOException if the file cannot be written
 */
void
mergeResults(const std::vector<std::string>& parts, const std::string& path);

/** \brief Returns a pose as JSON: four rows of four numbers.
 * \param[in] pose any
 */
std::string
jsonPose(const Pose& pose);

} // namespace pcl::gpu::apps
