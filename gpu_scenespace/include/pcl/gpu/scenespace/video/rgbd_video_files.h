// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief An RGB-D video of two files a frame: colour (PNG or JPEG) and depth (16-bit
 * PNG).
 *
 * Depth of 0 is missing, and so is a sensor's own marker: see clearMissingDepth().
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RGBDVideoFiles : public RGBDVideo {
public:
  /** \brief The files of a frame. */
  struct Frame {
    RGBDView view;          ///< its cameras, poses and time
    std::string color_file; ///< PNG or JPEG
    std::string depth_file; ///< 16-bit PNG
  };

  /** \brief Takes a list of frames; reads nothing yet.
   * \param[in] frames in the order of their times; where a camera's width or height is
   * 0, the first frame's images have the size of all
   * \param[in] depth_unit of the depth files, metres
   * \param[in] missing_depth value of depth files that is missing in addition to 0;
   * none: that of findMissingDepthMarker(), if a file has one
   * \throws pcl::BadArgumentException naming the frame, the parameter and its value: a
   * view that validateView() rejects, a time before that of the frame before, no frame
   * at all, a depth unit that is not positive
   * \throws pcl::IOException naming the file, if the size has to be read and cannot be
   */
  RGBDVideoFiles(std::vector<Frame> frames,
                 float depth_unit,
                 std::optional<std::uint16_t> missing_depth = std::nullopt);

  int
  size() const override;

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

  /** \brief Returns the files of a frame.
   * \param[in] number from 0 to size() - 1
   * \return the files, and the frame's view
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   */
  const Frame&
  frame(int number) const;

private:
  std::vector<Frame> frames_;
  float depth_unit_;
  std::optional<std::uint16_t> missing_depth_;
};

} // namespace pcl::gpu
