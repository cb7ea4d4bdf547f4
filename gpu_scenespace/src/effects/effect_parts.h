// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_frame_cache.h>
#include <pcl/gpu/scenespace/scene_space_average.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief The frames from \a reach before a frame to \a reach after it, as far as there are
 * any, and of them those whose distance is a multiple of \a step. */
std::vector<int>
frameWindow(const RGBDVideo& video, int number, int reach, int step = 1);

/** \brief The place of a number that is among \a numbers. */
std::size_t
indexOf(const std::vector<int>& numbers, int number);

/** \brief Gaussian weights of frames by their distance in time.
 * \param[in] sigma frames, or infinity
 */
std::vector<float>
timeWeights(const std::vector<int>& numbers, int number, float sigma);

/** \brief Which of a prepared frame's pixels are meant. */
using FramePart = SceneFrame::ConstPtr PreparedFrame::*;

/** \brief Adds frames to a SceneSpaceAverage or a SceneSurface, as many at a time as there is
 * memory for.
 * \param[in] weights one for each frame, or none: all 1
 */
template <typename Sum>
void
addFrames(SceneFrameCache& frames,
          const std::vector<int>& numbers,
          const std::vector<float>& weights,
          Sum& sum,
          const Stream& stream,
          FramePart part = &PreparedFrame::frame)
{
  std::vector<SceneFrame::ConstPtr> some;
  std::vector<float> their_weights;
  frames.forEachPart(
      numbers,
      [&](const std::vector<PreparedFrame>& prepared, std::size_t first) {
        for (std::size_t i = 0; i < prepared.size(); ++i)
          if (prepared[i].*part) {
            some.push_back(prepared[i].*part);
            their_weights.push_back(weights.empty() ? 1.0f : weights[first + i]);
          }
        if (!some.empty())
          sum.add(some, their_weights, stream);
        // What is held takes up room.
        some.clear();
        their_weights.clear();
      },
      stream);
}

/** \brief Pixels of an image whose rows begin where a GPU has them begin. */
std::size_t
paddedPixels(int width, int height);

/** \brief Likewise, of an output. */
std::size_t
paddedPixels(const SceneView& view);

/** \brief Bytes of device memory that an array takes: a GPU hands out large ones in pieces of two
 * million. */
std::size_t
arrayMemory(std::size_t bytes);

/** \brief Bytes of device memory that a SceneSpaceAverage of a view takes. */
std::size_t
averageMemory(const SceneView& view);

/** \brief Bytes of device memory that a SceneSurface of a view takes. */
std::size_t
surfaceMemory(const SceneView& view);

/** \brief Bytes of device memory that a SceneImage of a view takes. */
std::size_t
imageMemory(const SceneView& view);

} // namespace pcl::gpu
