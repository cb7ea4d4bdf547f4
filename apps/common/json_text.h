// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::apps {

/** \brief A text as JSON has it, in quotation marks.
 * \param[in] text any, UTF-8
 */
std::string
jsonText(const std::string& text);

/** \brief A number as JSON has it; null if it is not finite.
 * \param[in] value any
 * \param[in] digits how many count
 */
std::string
jsonNumber(double value, int digits = 6);

} // namespace pcl::gpu::apps
