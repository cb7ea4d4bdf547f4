// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace pcl::gpu {

/** \brief Reads the number that a text begins with, the same in every locale.
 *
 * Accepts decimal numbers with an optional sign. Floating-point numbers may have a
 * point and an exponent, or be inf or nan. Spaces are no part of a number.
 * \param[in] text the text
 * \param[out] length number of its characters that the number takes; 0 if there is none
 * \return nothing if the text begins with no number, or one that is too large or too
 * small for the type
 */
template <typename Number>
std::optional<Number>
readNumber(std::string_view text, std::size_t& length)
{
  // from_chars() accepts no plus sign.
  const bool has_plus =
      text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  Number value{};
  const std::from_chars_result read =
      std::from_chars(text.data() + has_plus, text.data() + text.size(), value);
  const bool is_number = read.ec == std::errc();
  length = is_number ? static_cast<std::size_t>(read.ptr - text.data()) : 0;
  return is_number ? std::optional<Number>(value) : std::nullopt;
}

/** \brief Reads a text that is a number, as readNumber() does.
 * \param[in] text the text
 * \return nothing if anything stands before or behind the number
 */
template <typename Number>
std::optional<Number>
numberOf(std::string_view text)
{
  std::size_t length = 0;
  const std::optional<Number> value = readNumber<Number>(text, length);
  return length == text.size() ? value : std::nullopt;
}

/** \brief Writes a number with as few digits as reading it back needs.
 * \param[in] value any number
 * \return the text: 0.03 for 0.03f
 */
template <typename Number>
std::string
numberText(Number value)
{
  std::array<char, 64> text;
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/** \brief Writes a floating-point number as printf's %g does in the C locale.
 * \param[in] value any number
 * \param[in] digits number of significant digits, 1 to 40
 * \return the text
 */
template <typename Number>
std::string
numberText(Number value, int digits)
{
  std::array<char, 64> text;
  return {text.data(),
          std::to_chars(text.data(),
                        text.data() + text.size(),
                        value,
                        std::chars_format::general,
                        digits)
              .ptr};
}

} // namespace pcl::gpu
