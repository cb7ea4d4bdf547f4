// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/files/image_reader.h"
#include "options.h"

#include <pcl/point_cloud.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Source of a frame, before anything is read. */
struct FrameSource {
  std::string name;  ///< of its output files; unique in the sequence
  std::string file;  ///< empty: the scene that the program renders itself
  std::string color; ///< empty: no colour
};

/** \brief Frame as read: a depth map, or an organized cloud. */
struct Frame {
  std::string name;
  DepthImage depth;                   ///< raw depth or disparity; empty if a cloud
  PointCloud<PointXYZRGB>::Ptr cloud; ///< null if a depth map
  ColorImage color;                   ///< empty without colour
  PinholeCamera camera;               ///< of the depth map
  float depth_scale = 0.001f;         ///< metres for one unit of depth
};

/** \brief Finds the frames that the inputs stand for, in order.
 *
 * A folder stands for the depth maps and clouds in it, as findFrameFiles() orders them.
 * A depth map "x.depth*.png" comes with the colour image "x.color.*" beside it.
 * \param[in] options the inputs, and which colour is wanted
 * \throws InputError for a missing file, an unknown kind of file, an empty folder
 */
std::vector<FrameSource>
findFrames(const TriangulateOptions& options);

/** \brief Reads or renders one frame.
 * \param[in] source source of the frame
 * \param[in] options the user's options
 * \throws InputError if a file is missing, damaged or of the wrong kind, or the sizes
 * of depth and colour differ though no intrinsics of the colour camera are given
 */
Frame
readFrame(const FrameSource& source, const TriangulateOptions& options);

} // namespace pcl::gpu::apps
