// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "options/options.h"

namespace pcl::gpu::apps {

/** \brief Learns models, writes their library, and prints a report.
 * \param[in] options models and parameters
 * \param[in,out] timings receives the times of the stages
 * \throws InputError if an input cannot be used
 */
void
learnModels(const LearnOptions& options, Timings& timings);

/** \brief Looks at meshes from random sides and matches their tensors with a library.
 * Prints and writes the confusion matrix.
 * \param[in] options meshes, camera and noise
 * \param[in,out] timings receives the times of the stages
 * \throws InputError if an input cannot be used
 */
void
measureConfusion(const ConfusionOptions& options, Timings& timings);

/** \brief Finds the pose of a cloud in another one, or those of all pairs of clouds;
 * prints and writes them.
 * \param[in] options two or more clouds
 * \param[in,out] timings receives the times of the stages
 * \throws InputError if a cloud cannot be used
 * \throws std::runtime_error if there are two, and no pose is found
 */
void
registerClouds(const RegisterOptions& options, Timings& timings);

/** \brief Joins libraries, or files of scenes or pairs, whose name ends in .json.
 * \param[in] options library: the joint file; inputs: the parts
 * \param[in,out] timings receives the time
 * \throws InputError if parts do not fit each other
 */
void
mergeParts(const MergeOptions& options, Timings& timings);

} // namespace pcl::gpu::apps
