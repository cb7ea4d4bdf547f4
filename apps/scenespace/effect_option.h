// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/errors.h"
#include "../common/option_parsing.h"

#include <sstream>
#include <string>

namespace pcl::gpu::apps {

/** \brief An option whose default is an effect's own.
 * \param[in] value what the effect has when it is made
 */
template <typename T>
boost::program_options::typed_value<T>*
defaultOption(T value)
{
  std::ostringstream shown;
  shown << value;
  return numberOption(value, shown.str().c_str());
}

/** \brief Sets an effect up as an option with a default says.
 * \param[in] values what the user gave
 * \param[in] name of the option
 * \param[in,out] effect the effect
 * \param[in] set its setter, which throws pcl::BadArgumentException
 * \throws InputError naming the option if its value cannot be used
 */
template <typename Effect, typename T>
void
applyOption(const boost::program_options::variables_map& values,
            const char* name,
            Effect& effect,
            void (Effect::*set)(T value))
{
  asOption(std::string("--") + name, [&] { (effect.*set)(values[name].as<T>()); });
}

} // namespace pcl::gpu::apps
