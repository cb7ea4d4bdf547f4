// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstdint>
#include <functional>

namespace pcl::gpu::apps {

/** \brief Opens the video that the user named, with its depth registered to colour.
 * \return a video of one frame or more, whose frames throw InputError if they cannot be read
 * \throws InputError if there is none, or its files cannot be used
 */
RGBDVideo::ConstPtr
openInput(const SceneSpaceOptions& options);

/** \brief The frames that the user chose, as far as the video has them.
 * \throws InputError if it has none of them
 */
FrameRange
chooseFrames(const SceneSpaceOptions& options, const RGBDVideo& video);

/** \brief The masks that the user named, as ScenePreparation has them; none: there are none.
 * \throws InputError as openMasks(), and when one is read that cannot be
 */
std::function<Image<std::uint8_t>(int number)>
openInputMasks(const SceneSpaceOptions& options, const RGBDVideo& video);

/** \brief The noise of the video: as the user says, or the median of what some frames that
 * are spread over the range have, levels.
 */
float
chooseNoise(const SceneSpaceOptions& options,
            const RGBDVideo& video,
            const FrameRange& range);

} // namespace pcl::gpu::apps
