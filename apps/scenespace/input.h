// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace pcl::gpu::apps {

/** \brief Opens the video that the user named, with its depth registered to colour.
 * \param[in] options the command line
 * \param[out] calibration that was found in the video or read; none: the video is as
 * recorded
 * \return a video of one frame or more; reading a damaged frame throws InputError
 * \throws InputError if there is none, or its files cannot be used
 */
RGBDVideo::ConstPtr
openInput(const SceneSpaceOptions& options,
          std::optional<ColorCalibration>& calibration);

/** \brief Returns the frames that the user chose, as far as the video has them.
 * \throws InputError if it has none of them
 */
FrameRange
chooseFrames(const SceneSpaceOptions& options, const RGBDVideo& video);

/** \brief Opens the masks that the user named, for ScenePreparation; empty without
 * them.
 * \throws InputError as openMasks(), and if a mask cannot be read later
 */
std::function<Image<std::uint8_t>(int number)>
openInputMasks(const SceneSpaceOptions& options, const RGBDVideo& video);

/** \brief Returns the noise of the video, levels: the user's, or the median of some
 * frames that are spread over the range.
 */
float
chooseNoise(const SceneSpaceOptions& options,
            const RGBDVideo& video,
            const FrameRange& range);

} // namespace pcl::gpu::apps
