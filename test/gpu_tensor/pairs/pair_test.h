// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/devices.h"
#include "gpu_tensor/tensors/tensor_scenes.h"
#include "pair_reference.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>

#include <vector>

namespace pcl::gpu::test {

/** \brief Base of the suites that look for pairs. */
class PairTest : public DeviceTest {
protected:
  /** \brief An estimation with the reference's parameters. */
  static PointPairEstimation
  estimationOf(const ReferencePairing& pairing)
  {
    PointPairEstimation estimation;
    estimation.setDistances(pairing.least_distance, pairing.largest_distance);
    estimation.setMinAngle(pairing.least_angle);
    estimation.setWindowRadius(pairing.window_radius);
    estimation.setPairsPerPoint(pairing.pairs_per_point);
    estimation.setResolution(pairing.resolution);
    return estimation;
  }

  /** \brief Output that holds nonsense, of a size that never fits. */
  static PointPairs
  poisonedPairs()
  {
    PointPairs pairs;
    pairs.pairs = uploaded(std::vector<PointPair>(7, {-123456, -654321}));
    pairs.count = uploaded(std::vector<int>(1, -1234567));
    return pairs;
  }

  static std::vector<PointPair>
  pairsOf(PointPairEstimation& estimation,
          const OrientedCloud& cloud,
          const DeviceArray<ResolutionStatistics>& statistics = {})
  {
    PointPairs pairs = poisonedPairs();
    estimation.compute(
        uploaded(cloud.points), uploaded(cloud.normals), statistics, pairs);
    return downloadedPairs(pairs);
  }

  static std::vector<PointPair>
  pairsOf(PointPairEstimation& estimation,
          const OrientedCloud& cloud,
          const std::vector<int>& keypoints)
  {
    PointPairs pairs = poisonedPairs();
    estimation.compute(uploaded(cloud.points),
                       uploaded(cloud.normals),
                       {},
                       uploaded(keypoints),
                       pairs);
    return downloadedPairs(pairs);
  }

  /** \brief Compares with all against all.
   * \return how many pairs there are
   */
  static std::size_t
  expectReference(const OrientedCloud& cloud, const ReferencePairing& pairing)
  {
    PointPairEstimation estimation = estimationOf(pairing);
    const std::vector<PointPair> expected = referencePairs(cloud, pairing);
    expectPairs(expected, pairsOf(estimation, cloud));
    return expected.size();
  }
};

} // namespace pcl::gpu::test
