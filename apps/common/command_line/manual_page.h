// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../work/shard.h"
#include "errors.h"
#include "option_parsing.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <boost/program_options.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Page of a manual, and the options that it shows. */
struct ManualPage {
  std::string text;                                    ///< --help prints it
  boost::program_options::options_description options; ///< command lines may have them
};

/** \brief Adds a paragraph to a page. */
ManualPage&
operator<<(ManualPage& page, const std::string& text);

/** \brief Adds options to a page, and an empty line behind them. */
ManualPage&
operator<<(ManualPage& page,
           const boost::program_options::options_description& options);

/** \brief Returns the part of a manual about exit codes and files. */
std::string
exitStatusText();

/** \brief Reads a command line strictly: no guessing of abbreviated options.
 *
 * Answers --help with the page and --version with the version.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \param[in] version name of the program and its version
 * \param[in] page the page, whose options receive their values
 * \param[out] words words without a dash
 * \param[in] words_name option that stands for these; the page must have no other such
 * \return nothing if the line is answered
 * \throws InputError that names the offending option
 */
std::optional<boost::program_options::variables_map>
readCommandLine(int argc,
                const char* const* argv,
                const char* version,
                const ManualPage& page,
                std::vector<std::string>& words,
                const char* words_name = "input");

/** \brief Returns whether the command line has an option, which may have a default. */
bool
isGiven(const boost::program_options::variables_map& values, const std::string& name);

/** \brief Returns the value of an option without default, if it was given. */
template <typename T>
std::optional<T>
optionalValue(const boost::program_options::variables_map& values, const char* name)
{
  if (values.count(name))
    return values[name].as<T>();
  return std::nullopt;
}

/** \brief Returns the point of an option, if it was given.
 * \param[in] values values of the command line
 * \param[in] name name of the option
 * \throws InputError as parsePoint()
 */
std::optional<Eigen::Vector3f>
optionalPoint(const boost::program_options::variables_map& values, const char* name);

/** \brief Words that an option may be, and their meanings. */
template <typename T>
using Words = std::vector<std::pair<std::string, T>>;

/** \brief Returns the meaning of a word.
 * \param[in] option name of the option, for the message
 * \param[in] text value of the option
 * \param[in] words the words and their meanings
 * \throws InputError that lists the words
 */
template <typename T>
T
meaningOf(const std::string& option, const std::string& text, const Words<T>& words)
{
  std::string expected;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].first == text)
      return words[i].second;
    expected += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    expected += words[i].first;
  }
  throw InputError("--" + option + " " + text + ": expected " + expected);
}

/** \brief Returns the word for a meaning, which must have one. */
template <typename T>
std::string
wordFor(const T& meaning, const Words<T>& words)
{
  const auto has_meaning = [&](const auto& word) { return word.second == meaning; };
  return std::find_if(words.begin(), words.end(), has_meaning)->first;
}

/** \brief Makes a part of the manual: options under a title. */
boost::program_options::options_description
optionGroup(const std::string& title);

/** \brief Adds the options of all programs: --device, --help and --version.
 * \param[in,out] group receives them
 * \param[out] device receives its value
 */
void
addGeneralOptions(boost::program_options::options_description& group,
                  std::string& device);

/** \brief Adds the options of all programs, and --repeat.
 * \param[in,out] group receives them
 * \param[in,out] device, repeat receive their values
 */
void
addGeneralOptions(boost::program_options::options_description& group,
                  std::string& device,
                  int& repeat);

/** \brief Makes an option whose text needs parsing.
 * \param[in] value_name name of its value in the manual
 */
boost::program_options::typed_value<std::string>*
textOption(const char* value_name);

/** \brief Makes an option that is a text with a default.
 * \param[in] value_name name of its value in the manual
 * \param[in] value its default
 */
boost::program_options::typed_value<std::string>*
textOption(const char* value_name, const std::string& value);

/** \brief Makes an option that is one of some words.
 * \param[in] name name of the option, for the message
 * \param[in] value_name name of its value in the manual
 * \param[in] words the words and their meanings
 * \param[in,out] target receives the meaning; holds the default
 */
template <typename T>
boost::program_options::typed_value<std::string>*
wordOption(const std::string& name,
           const char* value_name,
           const Words<T>& words,
           T& target)
{
  return textOption(value_name, wordFor(target, words))
      ->notifier([=, &target](const std::string& text) {
        target = meaningOf(name, text, words);
      });
}

/** \brief Makes an option that names a file. */
boost::program_options::typed_value<std::string>*
fileOption(std::string& target);

/** \brief Makes an option that is the size of an image.
 * \param[in] name name of the option, for the message
 * \param[in,out] target receives the size; holds the default
 * \param[in] least smallest width and height
 * \param[in] most largest width and height
 */
boost::program_options::typed_value<std::string>*
sizeOption(const std::string& name, ImageSize& target, int least, int most);

/** \brief Makes an option that is a camera, FX,FY,CX,CY.
 * \param[in] name name of the option, for the message
 * \param[out] target receives the camera, without its size
 */
boost::program_options::typed_value<std::string>*
intrinsicsOption(const std::string& name, std::optional<PinholeCamera>& target);

/** \brief Adds --missing-depth, for programs that read depth maps.
 * \param[in,out] group receives it
 * \param[out] target receives its value, as clearMissingDepth() takes it
 */
void
addMissingDepthOption(boost::program_options::options_description& group,
                      std::optional<std::uint16_t>& target);

/** \brief Adds --resume and --shard.
 * \param[in,out] group receives them
 * \param[out] target receives their values
 * \param[in] units name for several parts of the work
 */
void
addSharingOptions(boost::program_options::options_description& group,
                  SharingOptions& target,
                  const std::string& units);

/** \brief Makes an option that is a point, X,Y,Z.
 * \param[in] name name of the option, for the message
 * \param[out] target receives the point, which may be optional
 */
template <typename Point>
boost::program_options::typed_value<std::string>*
pointOption(const std::string& name, Point& target)
{
  return textOption("X,Y,Z")->notifier([=, &target](const std::string& text) {
    target = parsePoint("--" + name, text);
  });
}

/** \brief Makes an option that is a number without a default, stored among the parsed
 * values only.
 * \param[in] value_name name of its value in the manual
 */
template <typename T>
boost::program_options::typed_value<T>*
optionalNumber(const char* value_name = "N")
{
  return boost::program_options::value<T>()->value_name(value_name);
}

/** \brief Makes an option that is a number without a default.
 * \param[out] target receives the number
 * \param[in] value_name name of its value in the manual
 */
template <typename T>
boost::program_options::typed_value<T>*
optionalNumber(std::optional<T>& target, const char* value_name = "N")
{
  return optionalNumber<T>(value_name)->notifier([&](T number) { target = number; });
}

/** \brief Makes an option that is a number, stored among the parsed values only.
 * \param[in] value its default
 */
template <typename T>
boost::program_options::typed_value<T>*
defaultOption(T value)
{
  return boost::program_options::value<T>()
      ->default_value(value, numberText(value))
      ->value_name("N");
}

/** \brief Makes an option that is a number.
 * \param[in,out] target receives the number; holds the default
 */
template <typename T>
boost::program_options::typed_value<T>*
numberOption(T& target)
{
  return boost::program_options::value(&target)
      ->default_value(target, numberText(target))
      ->value_name("N");
}

} // namespace pcl::gpu::apps
