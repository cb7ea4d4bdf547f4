// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <exception>
#include <string>

namespace pcl::gpu {

/** \brief Returns the message of one of PCL's exceptions without the place in the
 * source before it.
 * \param[in] exception any exception
 * \return the message; all of it if it names no place
 */
inline std::string
messageOf(const std::exception& exception)
{
  const std::string message = exception.what();
  const std::size_t place = message.find(" : ");
  return place == std::string::npos ? message : message.substr(place + 3);
}

} // namespace pcl::gpu
