// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <string>

namespace pcl::gpu {

/** \brief Takes a number of any length off a text.
 * \param[in] text the text
 * \param[in,out] begin its first digit; the character behind it
 * \return it without leading zeros; empty if it is 0
 */
PCL_EXPORTS std::string
takeNumber(const std::string& text, std::size_t& begin);

/** \brief Returns whether a file's name comes before another one in a folder: numbers
 * in names count as such, so that frame-9 comes before frame-10.
 *
 * Names that differ by leading zeros only (01 and 1) are in the order of their
 * characters.
 * \param[in] name a name
 * \param[in] other another one
 * \return false if they are equal
 */
PCL_EXPORTS bool
isBefore(const std::string& name, const std::string& other);

} // namespace pcl::gpu
