// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Finds the pairs of points of an organized cloud that define local frames.
 *
 * Two points may be paired if each lies in the other's window, their distance is from 5 to
 * 14 times the resolution of the cloud, and their normals differ by at least 15 degrees
 * (Orts-Escolano et al. 2014, section 2.3). Each point chooses the three closest of those
 * that it may be paired with, of equally close ones those that come first row by row. The
 * pairs are what all points choose, no pair twice, ordered by the first point, which is
 * the one that chose, the upper left one if both chose each other; then by distance.
 *
 * Closest is by Euclidean distance and exact, within the window. A point without a normal
 * is in no pair.
 *
 * O(pixels x window); what cannot be paired is left out cell by cell. The result is the
 * same, bit for bit, on every run. Steady state neither allocates nor waits. On CUDA, a run
 * on a frame that is much like the one before is faster.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS PointPairEstimation {
public:
  /** \brief The largest window radius. */
  static constexpr int max_window_radius = 64;

  /** \brief The most pairs that a point can choose. */
  static constexpr int max_pairs_per_point = 3;

  /** \brief Sets the distances between the points of a pair, d_min and d_max.
   * \param[in] least in resolutions; 5 by default
   * \param[in] most in resolutions, not less than \a least; 14 by default
   * \throws pcl::BadArgumentException unless positive, finite and in this order
   */
  void
  setDistances(float least, float most);

  /** \brief Sets the least angle between the normals of a pair.
   * \param[in] angle radians, at least 0.001 and below pi; 15 degrees by default. Small
   * angles make frames that turn about their z axis with the normals' noise
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinAngle(float angle);

  /** \brief Sets the window: partners are at most \a radius rows and columns away.
   * \param[in] radius pixels, 1 to max_window_radius; 14 by default, which is d_max over the
   * resolution (section 2.3). Where the resolution is set to another length than the
   * distance of neighbouring pixels, other radii fit
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setWindowRadius(int radius);

  /** \brief Sets how many partners a point chooses.
   * \param[in] pairs 1 to max_pairs_per_point; 3 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setPairsPerPoint(int pairs);

  /** \brief Sets the resolution that distances are multiples of.
   *
   * The paper's pcl_res, whose multiple 14 is 14 pixels, is the spacing of points on
   * surfaces: the mean distance from the nearest neighbour, which jumps in depth do not
   * change. That from all neighbours is two to three times as much in frames of rooms.
   * \param[in] resolution metres; 0, the default, for nearest_distance of the frame's own
   * statistics
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setResolution(float resolution);

  /** \return the resolution that distances are multiples of, metres; 0 for the frame's */
  float
  getResolution() const;

  /** \brief Keeps all pairs (the default): half a million in an image of 640 x 480, whose
   * tensors take some 500 MB. */
  void
  selectAll();

  /** \brief Keeps pairs that are spread evenly over the list of all.
   * \param[in] count how many, at least 1; all of them if there are fewer
   * \throws pcl::BadArgumentException if less than 1
   */
  void
  selectEvenly(int count);

  /** \brief Keeps pairs at random: one of each of \a count equal parts of the list of all.
   * \param[in] count how many, at least 1; all of them if there are fewer
   * \param[in] seed other seeds select other pairs; the same one the same
   * \throws pcl::BadArgumentException if less than 1
   */
  void
  selectRandomly(int count, std::uint64_t seed);

  /** \brief Finds the pairs of one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * setResolution() set it
   * \param[out] pairs in the order above; room for as many as can be
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, inputs are on different devices,
   * \a statistics is empty and needed, or the cloud has 2^29 points or more
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          PointPairs& pairs,
          const Stream& stream = {});

  /** \brief Finds the pairs that some points choose.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * setResolution() set it
   * \param[in] keypoints numbers of the points that choose, row by row, in any order; numbers
   * outside of the cloud are left out. Partners may be any points
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
          const Stream& stream = {});

private:
  enum class Selection { All, Even, Random };

  /** \brief The size of the cloud that kept memory is of. Like the memory, it is neither
   * copied nor assigned. */
  struct KeptSize {
    int rows = 0, columns = 0;

    KeptSize() = default;
    KeptSize(const KeptSize&) {}
    KeptSize(KeptSize&&) = default;
    KeptSize&
    operator=(const KeptSize&)
    {
      return *this;
    }
    KeptSize&
    operator=(KeptSize&&) = default;
  };

  void
  run(const OrganizedCloud& cloud,
      const NormalMap& normals,
      const DeviceArray<ResolutionStatistics>& statistics,
      const DeviceArray<int>* keypoints,
      PointPairs& pairs,
      const Stream& stream);

  float min_distance_ = 5.0f;
  float max_distance_ = 14.0f;
  float min_angle_ = 0.261799388f;
  int window_radius_ = 14;
  int pairs_per_point_ = 3;
  float resolution_ = 0.0f;
  Selection selection_ = Selection::All;
  int selected_count_ = 0;
  std::uint64_t seed_ = 0;
  KeptSize kept_size_;
  Workspace kept_memory_;
  Workspace workspace_;
};

} // namespace pcl::gpu
