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
 * \param[in] options what is allowed
 * \param[in] positional name of the option that takes words without a dash
 * \throws InputError that names the offending option
 */
boost::program_options::variables_map
parseCommandLine(int argc,
                 const char* const* argv,
                 const boost::program_options::options_description& options,
                 const std::string& positional);

/** \brief Numbers separated by commas, such as a camera's "525,525,319.5,239.5".
 * \param[in] option the option they belong to, for the message
 * \param[in] text what the user wrote
 * \param[in] expectation what was expected, for the message
 * \return the numbers, all finite
 * \throws InputError if a part is no finite number
 */
std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation);

/** \brief A camera's "fx,fy,cx,cy"; its size stays open.
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

/** \brief Reads the size of an image.
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

/** \brief Reads "FIRST:LAST"; either may be missing.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote
 * \throws InputError unless it is that, the last not before the first
 */
FrameRange
parseFrames(const std::string& option, const std::string& text);

/** \brief Reads a size of memory: a number of bytes, or of K, M, G or T, 1024 of each other.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text what the user wrote, such as 300M or 1.5G
 * \return bytes
 * \throws InputError unless it is that, 1 byte or more
 */
std::size_t
parseMemory(const std::string& option, const std::string& text);

/** \brief Rejects names of output files of another kind.
 * \param[in] path file name; empty ones pass
 * \param[in] extension what it must end in, with its dot
 * \throws InputError otherwise
 */
void
checkExtension(const std::string& path, const std::string& extension);

/** \brief The value of an option without default, if it was given. */
template <typename T>
std::optional<T>
optionalValue(const boost::program_options::variables_map& values, const char* name)
{
  if (values.count(name))
    return values[name].as<T>();
  return std::nullopt;
}

/** \brief The point of an option such as --eye X,Y,Z, if it was given.
 * \param[in] values what the user gave
 * \param[in] name of the option
 * \throws InputError unless it is three numbers below 1e19
 */
std::optional<Eigen::Vector3f>
optionalPoint(const boost::program_options::variables_map& values, const char* name);

/** \brief A part of the manual: options under a title. */
boost::program_options::options_description
optionGroup(const char* title);

/** \brief Adds what all programs have: --device, --help and --version.
 * \param[in,out] group gets them
 * \param[out] device where its value goes
 */
void
addGeneralOptions(boost::program_options::options_description& group,
                  std::string& device);

/** \brief Adds these and --repeat.
 * \param[in,out] group gets them
 * \param[out] device, repeat where their values go
 */
void
addGeneralOptions(boost::program_options::options_description& group,
                  std::string& device,
                  int& repeat);

/** \brief An option whose text needs parsing.
 * \param[in] value_name what its value is called in the manual
 */
boost::program_options::typed_value<std::string>*
textOption(const char* value_name);

/** \brief An option that names a file. */
boost::program_options::typed_value<std::string>*
fileOption(std::string& target);

/** \brief An option that is a number.
 * \param[out] target where it goes
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

/** \brief An option that is a number.
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

/** \brief An option that is a number, which goes among the parsed values only.
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
