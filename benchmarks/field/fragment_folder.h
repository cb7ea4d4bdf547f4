// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Fragments of a room and the true poses of pairs of them, in the format of the
 * 3DMatch benchmark (3dmatch.cs.princeton.edu). Files may be compressed by xz:
 * cloud_bin_0.ply.xz is read if cloud_bin_0.ply is missing. Lengths are metres.
 */

#pragma once

#include <pcl/gpu/utils/pose.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <string>
#include <vector>

namespace benchmarks {

using FragmentCloud = pcl::PointCloud<pcl::PointXYZ>;

/** \brief Two fragments, and the truth about them. */
struct FragmentPair {
  int target, source;    ///< their numbers
  int count;             ///< of the scene's fragments
  Eigen::Matrix4d truth; ///< takes the source into the target
  /** \brief Square form of a small motion's translation and negative quaternion: the
   * sum of the squared distances of points that both fragments have. */
  Eigen::Matrix<double, 6, 6> information;
};

/** \brief A pose that was found for a pair. */
struct FoundPair {
  FragmentPair pair;
  pcl::gpu::Pose pose; ///< takes the source into the target
};

/** \brief Reads FOLDER/cloud_bin_NUMBER.ply.
 * \throws std::runtime_error naming the file, as all functions here that read
 */
FragmentCloud
readFragment(const std::string& folder, int number);

/** \brief Reads the pairs that count: fragments of successive numbers do not.
 * \param[in] log file of their true poses; that of their information matrices has the
 * ending .info
 * \return by their targets, then their sources
 */
std::vector<FragmentPair>
readFragmentPairs(const std::string& log);

/** \brief Returns the root mean square error of a pose as the benchmark defines it,
 * metres. */
double
fragmentError(const FragmentPair& pair, const pcl::gpu::Pose& pose);

/** \brief Returns whether a pose of this error counts as right. */
constexpr bool
isRightFragmentError(double error)
{
  return error < 0.2;
}

/** \brief Writes poses as a log, the benchmark's format of results. The file appears
 * when it is complete. */
void
writeFoundPairs(const std::string& path, const std::vector<FoundPair>& pairs);

} // namespace benchmarks
