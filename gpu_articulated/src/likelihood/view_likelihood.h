// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/skeleton.h>

#include <vector>

namespace pcl::gpu {

/** \brief Checks the input of a search or fit.
 * \throws pcl::BadArgumentException for a body without skin, a pose of another size or
 * with numbers that are not finite, no points, or a viewpoint that is not finite
 */
void
checkView(const Skeleton& skeleton,
          const std::vector<float>& pose,
          const DeviceArray<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint);

/** \brief Checks the same, but for the skin. */
void
checkPoseAndPoints(const Skeleton& skeleton,
                   const std::vector<float>& pose,
                   const DeviceArray<PointXYZ>& points,
                   const Eigen::Vector3f& viewpoint);

/** \brief Checks the points of the room around a body.
 * \throws pcl::BadArgumentException if they are on another device than those of the
 * body
 */
void
checkRoom(const DeviceArray<PointXYZ>& room, const DeviceArray<PointXYZ>& points);

/** \brief Rays past a body without a point. */
struct EmptyRays {
  /** \brief A point on every ray, at the distance of the nearest part of the body. */
  std::vector<PointXYZ> points;
  float points_per_ray = 1.0f; ///< points of the body in the space of one ray
};

/** \brief Finds rays without a point, on a grid of directions from the viewpoint.
 *
 * Small holes between points are not empty.
 * \param[in] points of a body; points that are not finite do not matter
 * \param[in] viewpoint position of the camera
 * \param[in] around the space around the box of the points is also empty
 */
EmptyRays
emptyRays(const std::vector<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint,
          bool around);

/** \brief Computes the agreement of skins with one view of a body: with its points, and
 * with the rays past it, which are empty or end in the room. */
class ViewLikelihood {
public:
  /** \brief Sets the observation. Waits for the stream.
   * \param[in] points of the body
   * \param[in] room points of everything else, as dense as those of the body; empty:
   * the rays past the body are found by its points
   * \param[in] viewpoint position of the camera
   * \param[in] is_whole the space around the box of the points is also empty; without a
   * room
   * \param[in] sigma deviation of points from the skin
   * \param[in] stream the queue that all calls join
   */
  void
  observe(const DeviceArray<PointXYZ>& points,
          const DeviceArray<PointXYZ>& room,
          const Eigen::Vector3f& viewpoint,
          bool is_whole,
          float sigma,
          const Stream& stream);

  /** \brief Sets the distance beyond which a point is an outlier. */
  void
  setTruncationDistance(float distance);

  /** \brief Computes the log-likelihood of points and rays past the body.
   * \param[in] capsules of the first sample, then of the next
   * \param[in] capsules_per_sample number of capsules of each
   */
  std::vector<double>
  compute(const DeviceArray<TaperedCapsule>& capsules, int capsules_per_sample);

  /** \brief Computes the log-likelihood of the points only. */
  std::vector<double>
  computeOfPoints(const DeviceArray<TaperedCapsule>& capsules, int capsules_per_sample);

private:
  void
  observeEmptyRays(bool is_whole);

  std::vector<double>
  computeBy(CapsuleLikelihood& likelihood,
            const DeviceArray<TaperedCapsule>& capsules,
            int capsules_per_sample);

  DeviceArray<PointXYZ> points_;
  DeviceArray<PointXYZ> room_;
  Eigen::Vector3f viewpoint_ = Eigen::Vector3f::Zero();
  Stream stream_;
  CapsuleLikelihood likelihood_;
  CapsuleLikelihood past_likelihood_; ///< of the rays past the body
  double ray_count_ = 0.0;            ///< empty rays
  double points_per_ray_ = 0.0;
  DeviceArray<double> values_;
};

} // namespace pcl::gpu
