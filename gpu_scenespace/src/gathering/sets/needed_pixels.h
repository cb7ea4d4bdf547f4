// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <vector>

namespace pcl::gpu {

/** \brief Parts of frames whose samples tiles of an output may see: the bounding boxes that
 * section 5 of Klose et al. finds by a dry run. The frames' depths make them: boxes of hulls
 * of frustums would also have most pixels along epipolar lines. */
class NeededPixels {
public:
  NeededPixels(const SceneView& view, const QueryFrustum& frustum);

  /** \brief All tiles of the output. */
  device::TileArea
  tiles() const;

  /** \brief Adds a frame. */
  void
  add(const RGBDFrame& frame, const SceneView& taken);

  std::size_t
  frameCount() const
  {
    return frames_.size();
  }

  /** \brief The part of a frame that tiles need; none has no columns.
   * \param[in] frame its place among those added
   */
  ImageRegion
  boxOf(std::size_t frame, const device::TileArea& tiles) const;

  /** \brief The smallest part that a frame may have.
   * \param[in] frame its place among those added
   */
  ImageRegion
  smallestPart(std::size_t frame) const;

  PCL_MAKE_ALIGNED_OPERATOR_NEW

private:
  struct FrameBoxes {
    int columns, rows; ///< of the frame
    /** \brief Of each tile, in units of SceneFrame::part_alignment; empty if it sees none. */
    std::vector<device::TileRange> boxes;
  };

  SceneView view_;
  device::ViewGeometry geometry_;
  std::vector<FrameBoxes> frames_;
  std::vector<device::DepthRange> depths_;
  std::vector<device::TileRange> group_tiles_, block_tiles_, range_tiles_;
};

} // namespace pcl::gpu
