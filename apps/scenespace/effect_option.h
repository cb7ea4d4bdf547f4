// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/errors.h"
#include "../common/option_parsing.h"

#include <sstream>
#include <string>

namespace pcl::gpu::apps {

/** \brief Returns a number as manuals show it. */
template <typename T>
std::string
shownNumber(T value)
{
  std::ostringstream shown;
  shown << value;
  return shown.str();
}

/** \brief Makes an option whose default is that of an effect's parameters.
 * \param[in] value the default
 */
template <typename T>
boost::program_options::typed_value<T>*
defaultOption(T value)
{
  return numberOption(value, shownNumber(value).c_str());
}

/** \brief Sets a parameter of an effect to the value of an option.
 * \param[in] values what the user gave
 * \param[in] name of the option
 * \param[in,out] parameters have validate(), which throws pcl::BadArgumentException
 * \param[in] parameter the one to set
 * \throws InputError naming the option if its value cannot be used
 */
template <typename Parameters, typename T>
void
applyOption(const boost::program_options::variables_map& values,
            const char* name,
            Parameters& parameters,
            T Parameters::*parameter)
{
  asOption(std::string("--") + name, [&] {
    parameters.*parameter = values[name].as<T>();
    parameters.validate();
  });
}

} // namespace pcl::gpu::apps
