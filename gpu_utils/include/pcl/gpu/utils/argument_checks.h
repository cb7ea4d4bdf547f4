// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>

#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

namespace pcl::gpu {

/** \brief Throws pcl::BadArgumentException "<name> is <value>: expected <expectation>".
 * \param[in] valid whether the argument is acceptable
 * \param[in] name the parameter, in words
 * \param[in] value its value, streamed into the message
 * \param[in] expectation the accepted values, in words
 * \throws pcl::BadArgumentException if not \a valid
 */
template <typename T>
void
checkArgument(bool valid, const char* name, const T& value, const char* expectation)
{
  if (valid)
    return;
  std::ostringstream message;
  message << name << " is " << value << ": expected " << expectation;
  PCL_THROW_EXCEPTION(BadArgumentException, message.str());
}

/** \brief Checks that a number lies within a range.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \param[in] least smallest valid value
 * \param[in] most largest valid value
 * \param[in] expectation the range in words, with its unit
 * \throws pcl::BadArgumentException naming the parameter and its value; also for NaN
 */
template <typename T>
void
checkBetween(const char* name, T value, T least, T most, const char* expectation)
{
  checkArgument(value >= least && value <= most, name, value, expectation);
}

/** \brief Checks that a whole number is not too small.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \param[in] least smallest valid value
 * \throws pcl::BadArgumentException naming the parameter and its value
 */
template <typename T>
void
checkAtLeast(const char* name, T value, std::common_type_t<T> least)
{
  checkArgument(
      value >= least, name, value, (std::to_string(least) + " or more").c_str());
}

/** \brief Checks that a length, scale or deviation is finite and above zero.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \throws pcl::BadArgumentException naming \a name and \a value
 */
inline void
checkPositive(const char* name, float value)
{
  checkArgument(std::isfinite(value) && value > 0.0f, name, value, "a positive number");
}

/** \brief Checks that a deviation is above zero; infinity turns its comparison off.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \throws pcl::BadArgumentException naming \a name and \a value
 */
inline void
checkDeviation(const char* name, float value)
{
  checkArgument(value > 0.0f, name, value, "a positive number or infinity");
}

/** \brief Checks that a length, factor or growth is finite and not below zero.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \throws pcl::BadArgumentException naming \a name and \a value
 */
inline void
checkNotNegative(const char* name, float value)
{
  checkArgument(
      std::isfinite(value) && value >= 0.0f, name, value, "zero or a positive number");
}

/** \brief Checks that a value is in its enumeration, which counts up from 0.
 * \param[in] name the parameter, in words
 * \param[in] value its value
 * \param[in] last the last value of the enumeration
 * \throws pcl::BadArgumentException naming \a name and \a value
 */
template <typename Enumeration>
void
checkEnumerator(const char* name, Enumeration value, Enumeration last)
{
  const int number = static_cast<int>(value);
  checkArgument(number >= 0 && number <= static_cast<int>(last),
                name,
                number,
                "a value of its enumeration");
}

} // namespace pcl::gpu
