// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/progress_bar.h"
#include "options/options.h"
#include "recognizer.h"

#include <functional>
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

/** \brief Returns the beginning of every JSON file: the program and its version. */
std::string
programText();

/** \brief JSON file with a list of results. */
struct ResultFile {
  std::string path; ///< empty: none is written
  std::string list; ///< the name of the list
  std::string head; ///< text before the list
  /** \brief The files of single results, which shared work leaves in PATH.parts. */
  std::vector<std::string> parts;
  std::vector<std::string> inputs; ///< that all results depend on
  /** \brief The input that a single result depends on; empty: there is none. */
  std::vector<std::string> inputs_of_parts;
};

/** \brief Makes results, all of them or those that no process has made, and writes the
 * file when there are all.
 * \param[in] file the file
 * \param[in] sharing how the work is shared
 * \param[in,out] progress counts the results
 * \param[in] make makes a result: sets its text, as JSON, and returns a label
 * \throws InputError, pcl::IOException if a file cannot be written
 */
void
makeResults(const ResultFile& file,
            const SharingOptions& sharing,
            ProgressBar& progress,
            const std::function<std::string(int number, std::string& text)>& make);

/** \brief Joins files of results.
 * \param[in] parts the files
 * \param[in] path the joint file, as makeResults() writes all results at once
 * \throws InputError if a part has no results, or those of another kind or library;
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
