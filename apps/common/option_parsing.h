// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>

#include <boost/program_options.hpp>

#include <Eigen/Core>

#include <cstddef>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Parses a command line strictly: no guessing of abbreviated options.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \param[in] options the allowed options
 * \param[in] positional name of the option that takes words without a dash
 * \throws InputError that names the offending option
 */
boost::program_options::variables_map
parseCommandLine(int argc,
                 const char* const* argv,
                 const boost::program_options::options_description& options,
                 const std::string& positional);

/** \brief Parses numbers separated by commas, such as a camera's "525,525,319.5,239.5".
 * \param[in] option the option they belong to, for the message
 * \param[in] text what the user wrote
 * \param[in] expectation the expected text, for the message
 * \return the numbers, all finite
 * \throws InputError if a part is no finite number
 */
std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation);

/** \brief Parses a camera's "fx,fy,cx,cy". Leaves its size open.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote
 * \throws InputError unless it is four numbers, the first two above 0
 */
PinholeCamera
parseIntrinsics(const std::string& option, const std::string& text);

/** \brief The size of an image, such as "640x480". */
struct ImageSize {
  int width = 0;  ///< columns
  int height = 0; ///< rows
};

/** \brief Parses the size of an image.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote
 * \param[in] least smallest width and height
 * \param[in] most largest width and height
 * \throws InputError unless it is WIDTHxHEIGHT within these
 */
ImageSize
parseSize(const std::string& option, const std::string& text, int least, int most);

/** \brief Frames that the user chose, counted from 0. */
struct FrameRange {
  int first = 0;
  int last = std::numeric_limits<int>::max();
};

/** \brief Parses "FIRST:LAST"; either may be missing.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote
 * \throws InputError if it is anything else, or the last comes before the first
 */
FrameRange
parseFrames(const std::string& option, const std::string& text);

/** \brief Parses a size of memory: a number of bytes, or of K, M, G or T, each 1024 of
 * the one before.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote, such as 300M or 1.5G
 * \return bytes
 * \throws InputError if it is anything else, or below 1 byte
 */
std::size_t
parseMemory(const std::string& option, const std::string& text);

/** \brief Checks the extension of an output file.
 * \param[in] path file name; empty ones pass
 * \param[in] extension what it must end in, with its dot
 * \throws InputError if it has another
 */
void
checkExtension(const std::string& path, const std::string& extension);

/** \brief Returns the value of an option without default, if it was given. */
template <typename T>
std::optional<T>
optionalValue(const boost::program_options::variables_map& values, const char* name)
{
  if (values.count(name))
    return values[name].as<T>();
  return std::nullopt;
}

/** \brief Returns the point of an option such as --eye X,Y,Z, if it was given.
 * \param[in] values what the user gave
 * \param[in] name of the option
 * \throws InputError unless it is three numbers below 1e19
 */
std::optional<Eigen::Vector3f>
optionalPoint(const boost::program_options::variables_map& values, const char* name);

/** \brief Makes a part of the manual: options under a title. */
boost::program_options::options_description
optionGroup(const char* title);

/** \brief Adds the options of all programs: --device, --help and --version.
 * \param[in,out] group receives them
 * \param[out] device receives its value
 */
void
addGeneralOptions(boost::program_options::options_description& group,
                  std::string& device);

/** \brief Adds the options of all programs, and --repeat.
 * \param[in,out] group receives them
 * \param[out] device, repeat receive their values
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

/** \brief Makes an option that names a file. */
boost::program_options::typed_value<std::string>*
fileOption(std::string& target);

/** \brief Makes an option that is a number.
 * \param[out] target receives the number
 * \param[in] value its default
 * \param[in] shown its default as the manual spells it: 0.03f prints as 0.0299999993
 */
template <typename T>
boost::program_options::typed_value<T>*
numberOption(T& target, T value, const char* shown)
{
  return boost::program_options::value(&target)
      ->default_value(value, shown)
      ->value_name("N");
}

/** \brief Makes an option that is a number.
 * \param[in,out] target where it goes; its default is what it holds
 */
template <typename T>
boost::program_options::typed_value<T>*
numberOption(T& target)
{
  std::ostringstream shown;
  shown << target;
  return numberOption(target, target, shown.str().c_str());
}

/** \brief Makes an option that is a number, stored among the parsed values only.
 * \param[in] value its default
 * \param[in] shown its default as the manual spells it
 */
template <typename T>
boost::program_options::typed_value<T>*
numberOption(T value, const char* shown)
{
  return boost::program_options::value<T>()
      ->default_value(value, shown)
      ->value_name("N");
}

} // namespace pcl::gpu::apps
