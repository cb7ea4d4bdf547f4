// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::apps {

/** \brief Returns a text as a JSON string, in quotation marks.
 * \param[in] text any text, UTF-8
 */
std::string
jsonText(const std::string& text);

/** \brief Returns a number in JSON; null if it is not finite.
 * \param[in] value any number
 * \param[in] digits number of significant digits
 */
std::string
jsonNumber(double value, int digits = 6);

} // namespace pcl::gpu::apps
