// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_scenespace/gathering/random_rig.h"

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/gathering/sample_sets.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace pcl::gpu::test {

/** \brief A set of samples in an order that depends on the samples alone. */
using ComparableSet = std::vector<std::tuple<int, int, int, float, int, int, int>>;

inline std::tuple<int, int, int, float, int, int, int>
comparable(const SceneSample& sample)
{
  return {sample.frame,
          sample.row,
          sample.column,
          sample.depth,
          sample.red,
          sample.green,
          sample.blue};
}

/** \brief Calls visit(point, sample) for each pixel with depth of each frame, frame by
 * frame, in the order of rows and columns.
 * \param[in] visit takes the point in the output camera's frame, in double precision
 */
template <typename Visit>
void
forEachPoint(const RandomRig& rig, const Visit& visit)
{
  const Eigen::Isometry3d world_to_view =
      rig.view.pose.cast<double>().inverse(Eigen::Affine);
  for (std::size_t number = 0; number < rig.frames.size(); ++number) {
    const RGBDFrame& frame = rig.frames[number];
    const PinholeCamera& camera = frame.color_camera;
    for (int row = 0; row < camera.height; ++row)
      for (int column = 0; column < camera.width; ++column) {
        const std::size_t i = std::size_t(row) * camera.width + column;
        const double depth = frame.depth.pixels[i];
        if (!(depth > 0.0 && depth < 1e18)) // as missing_depth.hpp
          continue;
        const Eigen::Vector3d in_camera(depth *
                                            ((column - double(camera.cx)) / camera.fx),
                                        depth * ((row - double(camera.cy)) / camera.fy),
                                        depth);
        const Eigen::Vector3d point =
            world_to_view * (frame.color_pose.cast<double>() * in_camera);
        const RGB& color = frame.color.pixels[i];
        visit(point,
              SceneSample{column,
                          row,
                          frame.depth.pixels[i],
                          color.r,
                          color.g,
                          color.b,
                          static_cast<int>(number)});
      }
  }
}

/** \brief Algorithm 1 of Klose et al. 2015 in double precision: each point of each
 * frame against the volume of each pixel. */
inline std::vector<std::vector<SceneSample>>
naiveSets(const RandomRig& rig, const QueryFrustum& frustum)
{
  const PinholeCamera& output = rig.view.camera;
  std::vector<std::vector<SceneSample>> sets(std::size_t(output.width) * output.height);
  forEachPoint(rig, [&](const Eigen::Vector3d& point, const SceneSample& sample) {
    if (point.z() <= 0.0 || point.z() < frustum.near_depth ||
        point.z() > frustum.far_depth)
      return;
    const double u = output.fx * (point.x() / point.z()) + output.cx;
    const double v = output.fy * (point.y() / point.z()) + output.cy;
    const double half = 0.5 * frustum.width, tolerance = 1e-6;
    for (int y = 0; y < output.height; ++y)
      if (y - half < v - tolerance && v - tolerance <= y + half)
        for (int x = 0; x < output.width; ++x)
          if (x - half < u - tolerance && u - tolerance <= x + half)
            sets[std::size_t(y) * output.width + x].push_back(sample);
  });
  return sets;
}

/** \brief Returns the samples that sets keep if there is no room for all. */
inline std::vector<SceneSample>
wholeFrames(const std::vector<SceneSample>& set, std::size_t capacity)
{
  std::vector<SceneSample> kept, frame;
  for (std::size_t i = 0; i <= set.size(); ++i) {
    if (i == set.size() || (i > 0 && set[i].frame != set[i - 1].frame)) {
      if (kept.size() + frame.size() > capacity)
        break;
      kept.insert(kept.end(), frame.begin(), frame.end());
      frame.clear();
    }
    if (i < set.size())
      frame.push_back(set[i]);
  }
  return kept;
}

/** \brief Copies sets to the host. */
inline std::vector<std::vector<SceneSample>>
downloadedSets(const SampleSets& sets)
{
  std::vector<std::uint32_t> counts, positions, colors;
  std::vector<float> depths;
  std::vector<std::uint8_t> frame_high_bytes;
  sets.getCounts().download(counts);
  sets.getPositions().download(positions);
  sets.getDepths().download(depths);
  sets.getColors().download(colors);
  sets.getFrameHighBytes().download(frame_high_bytes);
  std::vector<std::vector<SceneSample>> all(counts.size());
  for (std::size_t pixel = 0; pixel < all.size(); ++pixel)
    for (std::uint32_t k = 0; k < (counts[pixel] & ~SampleSets::is_full); ++k) {
      const std::size_t i = sets.place(pixel, k);
      all[pixel].push_back(
          {static_cast<int>(positions[i] & 0xffff),
           static_cast<int>(positions[i] >> 16),
           depths[i],
           static_cast<std::uint8_t>(colors[i] >> 16),
           static_cast<std::uint8_t>(colors[i] >> 8),
           static_cast<std::uint8_t>(colors[i]),
           static_cast<int>(colors[i] >> 24) | frame_high_bytes[i] << 8});
    }
  return all;
}

inline ComparableSet
comparable(const std::vector<SceneSample>& set)
{
  ComparableSet sorted;
  for (const SceneSample& sample : set)
    sorted.push_back(comparable(sample));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

} // namespace pcl::gpu::test
