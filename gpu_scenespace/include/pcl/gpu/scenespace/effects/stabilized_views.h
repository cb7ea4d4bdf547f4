// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <vector>

namespace pcl::gpu {

/** \brief The views of a video along a smooth path, without the shaking of a hand: for
 * VirtualViewEffect. Our own.
 *
 * Places and orientations are means of those of frames about each one, with Gaussian
 * weights by their distance in time; beyond the video's ends the path goes on as it
 * came.
 *
 * \ingroup gpu_scenespace
 * \param[in] video whose colour cameras are meant
 * \param[in] sigma deviation of distances in time, frames
 * \param[in] zoom factor of the focal lengths, 1 or more hides the borders of the
 * pictures
 * \return a view for each frame, in order
 * \throws pcl::BadArgumentException naming the parameter and its value: a sigma or a
 * zoom that is not positive
 */
PCL_EXPORTS std::vector<SceneView>
stabilizedViews(const RGBDVideo& video, float sigma, float zoom = 1.0f);

} // namespace pcl::gpu
