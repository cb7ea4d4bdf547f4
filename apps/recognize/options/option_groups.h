// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <boost/program_options.hpp>

namespace pcl::gpu::apps {

/** \brief What every subcommand has.
 * \param[out] options where values go
 */
boost::program_options::options_description
generalOptions(GeneralOptions& options);

/** \brief How models are learned.
 * \param[out] options where values go
 */
boost::program_options::options_description
learnOptions(LearnOptions& options);

/** \brief How objects are recognized.
 * \param[out] options where values go
 */
boost::program_options::options_description
recognizeOptions(RecognizeOptions& options);

/** \brief What is written of scenes.
 * \param[out] options where values go
 */
boost::program_options::options_description
resultOptions(RecognizeOptions& options);

/** \brief How confusion is measured.
 * \param[out] options where values go
 */
boost::program_options::options_description
confusionOptions(ConfusionOptions& options);

/** \brief How clouds are registered.
 * \param[out] options where values go
 */
boost::program_options::options_description
registerOptions(RegisterOptions& options);

} // namespace pcl::gpu::apps
