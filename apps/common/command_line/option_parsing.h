// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../work/shard.h"

#include <pcl/gpu/utils/pinhole_camera.h>

#include <Eigen/Core>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns whether a number is finite and above 0. */
bool
isPositive(float number);

/** \brief Parses numbers separated by commas, such as a camera's "525,525,319.5,239.5".
 * \param[in] option the option they belong to, for the message
 * \param[in] text the value on the command line
 * \param[in] expectation the expected text, for the message
 * \return the numbers, all finite
 * \throws InputError if a part is no finite number
 */
std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation);

/** \brief Parses a point "x,y,z".
 * \param[in] option the option it belongs to, for the message
 * \param[in] text the value on the command line
 * \throws InputError unless it is three numbers below 1e19
 */
Eigen::Vector3f
parsePoint(const std::string& option, const std::string& text);

/** \brief Parses a camera's "fx,fy,cx,cy". Leaves its size open.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text the value on the command line
 * \throws InputError unless it is four numbers, the first two above 0
 */
PinholeCamera
parseIntrinsics(const std::string& option, const std::string& text);

/** \brief Returns the camera of most depth sensors: at 640 x 480, 525,525,319.5,239.5.
 * Leaves its size open.
 * \param[in] width columns
 * \param[in] height rows
 * \param[in] focal_length at 640 columns, pixels; that of a Kinect's colour camera, to
 * which depth is registered
 */
PinholeCamera
usualCamera(int width, int height, float focal_length = 525.0f);

/** \brief Size of an image, such as "640x480". */
struct ImageSize {
  int width = 0;  ///< columns
  int height = 0; ///< rows
};

/** \brief Parses the size of an image.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text the value on the command line
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
 * \param[in] text the value on the command line
 * \throws InputError if it is anything else, or the last comes before the first
 */
FrameRange
parseFrames(const std::string& option, const std::string& text);

/** \brief Parses a size of memory: a number of bytes, or of K, M, G or T, each 1024 of
 * the one before.
 * \param[in] option the option it belongs to, for the message
 * \param[in] text the value on the command line, such as 300M or 1.5G
 * \return bytes
 * \throws InputError if it is anything else, or below 1 byte
 */
std::size_t
parseMemory(const std::string& option, const std::string& text);

/** \brief Checks that shared work has a folder for its results.
 * \param[in] sharing options of the work
 * \param[in] folder folder of the results; empty if there is none
 * \throws InputError if it has none
 */
void
checkSharing(const SharingOptions& sharing, const std::string& folder);

/** \brief Checks the extension of an output file.
 * \param[in] path file name; empty ones pass
 * \param[in] extension the extension that it must have, with its dot
 * \throws InputError if it has another
 */
void
checkExtension(const std::string& path, const std::string& extension);

} // namespace pcl::gpu::apps
