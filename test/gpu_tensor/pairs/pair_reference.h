// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_tensor/tensors/tensor_scenes.h"

#include <vector>

namespace pcl::gpu::test {

/** \brief The parameters of PointPairEstimation. */
struct ReferencePairing {
  float least_distance = 5.0f;
  float largest_distance = 14.0f;
  float least_angle = 0.261799388f;
  int window_radius = 14;
  int pairs_per_point = 3;
  float resolution = pixel_distance;
};

/** \brief All points against all others in the window, as the header describes it. In
 * float, each operation rounded by itself, so that pairs at a limit are decided alike.
 * \param[in] keypoints numbers of the points that choose; null if all do
 */
std::vector<PointPair>
referencePairs(const OrientedCloud& cloud,
               const ReferencePairing& pairing,
               const std::vector<int>* keypoints = nullptr);

/** \brief Expects the same pairs in the same order; names the first that differs. */
void
expectPairs(const std::vector<PointPair>& expected,
            const std::vector<PointPair>& actual);

} // namespace pcl::gpu::test
