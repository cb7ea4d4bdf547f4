// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Choice of the pairs that are kept. */
enum class PairSelection {
  /** \brief All: half a million in an image of 640 x 480, whose tensors take some 500
   * MB. */
  All,
  Even,  ///< pairs that are spread evenly over the list of all
  Random ///< one of each of as many equal parts of the list of all
};

/** \brief Parameters of a PointPairEstimation: those of the paper, section 2.3.
 * \ingroup gpu_tensor_types
 */
struct PointPairEstimationParameters {
  static constexpr int max_window_radius = 64;  ///< largest window radius
  static constexpr int max_pairs_per_point = 3; ///< most pairs that a point chooses

  /** \brief d_min, least distance between the points of a pair, resolutions;
   * positive. */
  float min_distance = 5.0f;
  /** \brief d_max, largest distance, resolutions; not below the least. */
  float max_distance = 14.0f;
  /** \brief Least angle between the normals of a pair, radians, at least 0.001 and
   * below pi; 15 degrees. Small angles make frames that turn about their z axis with
   * the normals' noise. */
  float min_angle = 0.261799388f;
  /** \brief Rows and columns up to a partner at most, 1 to max_window_radius. The
   * default is d_max over the resolution; where the resolution is set to another length
   * than the distance of neighbouring pixels, other radii fit. */
  int window_radius = 14;
  int pairs_per_point = 3; ///< partners that a point chooses, 1 to max_pairs_per_point
  /** \brief Resolution that distances are multiples of, metres; 0 for nearest_distance
   * of the frame's own statistics.
   *
   * The paper's pcl_res, whose multiple 14 is 14 pixels, is the spacing of points on
   * surfaces: the mean distance from the nearest neighbour, which jumps in depth do not
   * change. That from all neighbours is two to three times as much in frames of
   * rooms. */
  float resolution = 0.0f;
  PairSelection selection = PairSelection::All; ///< choice of the pairs that are kept
  /** \brief Number of pairs that are kept, 1 or more, unless all are; all if there are
   * fewer. */
  int selected_count = 1;
  std::uint64_t seed = 0; ///< of a random selection: other seeds select other pairs

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  PCL_EXPORTS void
  validate() const;
};

/** \brief Finds the pairs of points of an organized cloud that define local frames.
 *
 * Two points may be paired under three conditions (Orts-Escolano et al. 2014, section
 * 2.3). Each lies in the other's window. Their distance is from 5 to 14 times the
 * resolution of the cloud. Their normals differ by at least 15 degrees. Each point
 * chooses the three closest of the points that it may be paired with; of equally close
 * ones the first row by row. The result has every chosen pair once. Its first point is
 * the one that chose, or the upper left one if both chose each other. Pairs are ordered
 * by the first point, then by distance.
 *
 * Closest is by Euclidean distance and exact, within the window. A point without a
 * normal is in no pair.
 *
 * O(pixels x window); cells without possible partners are left out. The result is the
 * same, bit for bit, on every run. Steady state neither allocates nor waits. On CUDA, a
 * run is faster on a frame that resembles the one before.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS PointPairEstimation
: public Parameterized<PointPairEstimationParameters> {
public:
  /** \brief Finds the pairs of one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * a resolution is set
   * \param[out] pairs in the order above; room for as many as can be
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, inputs are on different
   * devices,
   * \a statistics is empty and needed, or the cloud has 2^29 points or more
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          PointPairs& pairs,
          const Stream& stream = {})
  {
    run(cloud, normals, statistics, nullptr, pairs, stream);
  }

  /** \brief Finds the pairs that some points choose.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * a resolution is set
   * \param[in] keypoints numbers of the points that choose, row by row, in any order;
   * numbers outside of the cloud are left out. Partners may be any points
   * \param[out] pairs in the order above; room for as many as can be
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          const DeviceArray<int>& keypoints,
          PointPairs& pairs,
          const Stream& stream = {})
  {
    run(cloud, normals, statistics, &keypoints, pairs, stream);
  }

private:
  /** \brief The size of the cloud that kept memory is of. */
  struct KeptSize {
    int rows = 0, columns = 0;
  };

  void
  run(const OrganizedCloud& cloud,
      const NormalMap& normals,
      const DeviceArray<ResolutionStatistics>& statistics,
      const DeviceArray<int>* keypoints,
      PointPairs& pairs,
      const Stream& stream);

  detail::Unshared<KeptSize> kept_size_; ///< like the memory
  Workspace kept_memory_;
  Workspace workspace_;
};

} // namespace pcl::gpu
