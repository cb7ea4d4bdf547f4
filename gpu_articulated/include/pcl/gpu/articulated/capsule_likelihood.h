// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstddef>
#include <limits>

namespace pcl::gpu {

/** \brief Sum over the points.
 * \ingroup gpu_articulated
 */
enum class CapsuleDistance {
  /** \brief The distance's square: equations 2 to 4 of the paper. */
  Squared,
  /** \brief The distance itself in the square's place: -2 sigma^2 times the
   * log-likelihood is the sum of the paper's listings 1.2 and 1.3. */
  Absolute
};

/** \brief Capsule that counts, of all that a point's ray hits.
 * \ingroup gpu_articulated
 */
enum class CapsuleVisibility {
  /** \brief The capsule with the hit nearest to the point: equation 4 and the paper's
   * listings, which look at every capsule alone. */
  EachCapsule,
  /** \brief The capsule nearest to the viewpoint, which hides the others: the words
   * before equation 6, a depth map of all capsules together. */
  Occluding
};

/** \brief Pairing of points and capsules.
 * \ingroup gpu_articulated
 */
enum class CapsuleSearch {
  Culled,    ///< leaves out capsules that certainly do not matter to a group of points
  BruteForce ///< tests every point with every capsule, as the paper does
};

/** \brief Parameters of CapsuleLikelihood.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS CapsuleLikelihoodParameters {
  /** \brief Deviation of points from the skin (equation 2), metres, above 0. */
  float sigma = 0.05f;
  /** \brief Distance beyond which a point is an outlier, tau of equation 6, metres,
   * above 0. The smaller, the faster. Takes effect with the next setPoints(). */
  float truncation_distance = 0.1f;
  CapsuleDistance distance = CapsuleDistance::Squared; ///< sum over the points
  /** \brief Capsule on a point's ray that counts. Points are grouped to suit it: with
   * points that were set before, sums may differ in last digits and take longer. */
  CapsuleVisibility visibility = CapsuleVisibility::EachCapsule;
  /** \brief Distance of a point whose ray meets no capsule and no known background,
   * with CapsuleVisibility::Occluding, metres, 0 or more; more than tau is tau.
   *
   * Equation 6 has one number, tau, for all points that do not fit. But a point behind
   * a capsule contradicts the capsule, whereas a point on no capsule, or in front of
   * one, only belongs to something else. If these get less than tau, empty space counts
   * as evidence: points of the background keep hidden limbs out of view. Points less
   * than tau in front of a capsule count no more than this either. */
  float miss_distance = std::numeric_limits<float>::infinity();
  CapsuleSearch search = CapsuleSearch::Culled; ///< pairing; results are the same
  /** \brief Scratch memory that compute() may use at a time, bytes. Beyond it, samples
   * are computed in several rounds; one sample is always computed. */
  std::size_t scratch_limit = std::size_t(256) << 20;

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Computes the agreement of observed points with capsules: the ray-cast
 * likelihood of Friborg, Hauberg and Erleben 2010 (GPU Accelerated Likelihoods for
 * Stereo-Based Articulated Tracking), sections 4 and 5.
 *
 * A point x seen from the viewpoint p lies on the ray from p through it, at the ray
 * length Delta = |x - p| (equation 5). A capsule that this ray first meets at the ray
 * length Delta_min is at the distance |Delta_min - Delta| from the point, or tau if
 * that is more or the ray misses (equation 6). With d_i the least such distance over
 * the capsules of a sample (equation 4), and w_i the weight of the point,
 *
 *   log p(X | sample) = -1 / (2 sigma^2) * sum_i w_i d_i^2 + constant      (equation 3)
 *
 * The constant is left out. compute() gives this for any number of samples at once.
 *
 * \b Background. A person stands in a room. If the room is known on a point's ray, at
 * the ray length Delta_b, it is one more surface:
 * - with CapsuleVisibility::Occluding the ray meets the nearer of body and room, at the
 *   distance |min(Delta_min, Delta_b) - Delta|, at most tau. So a body before the wall
 *   that was seen contradicts the point, one behind it is hidden, and one in its place
 *   is no better than the wall alone;
 * - with CapsuleVisibility::EachCapsule the distance |Delta_b - Delta| is one more of
 *   those whose least one counts.
 *
 * The following is not defined in the paper:
 * - Delta_min is the least Delta > 0 at which the ray crosses the surface of the
 *   capsule as a whole (its appendix A crosses end spheres inside the capsule, too).
 *   Seen from inside a capsule the ray leaves it there; a capsule behind the viewpoint,
 *   or one that touches it from behind, is not hit.
 * - A ray that touches a capsule hits it.
 * - The finite part of the cylinder ends with the axis, 0 <= c.(y - a) <= |b - a|;
 *   the paper's bound of 1 holds for axes of length 1 only.
 * - A point with a coordinate that is not finite, or a weight that is not finite or not
 *   above 0, is skipped. A point at the viewpoint has no ray and is skipped too.
 *
 * Distances are counted from the points, not from the viewpoint, in single precision.
 * Double precision decides the rays that graze a capsule: sums agree with double
 * precision to 1e-6.
 *
 * Points are brought into groups by setPoints(); for every group and sample compute()
 * looks only at the capsules that reach into the part of the group's rays within tau of
 * its points. All others give tau. So culling changes nothing: sums equal those of
 * BruteForce, bit for bit. They do not depend on the distribution of the work either.
 *
 * compute() costs O(samples * (points / 2048 * capsules + capsules that matter));
 * points, capsules and samples are limited by memory only. Steady state neither
 * allocates nor waits, and can be captured into a CUDA graph. One object serves one
 * call at a time. A copy has no points.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS CapsuleLikelihood
: public Parameterized<CapsuleLikelihoodParameters> {
public:
  /** \brief Sets the observation and groups its points; compute() compares with it from
   * here on. The arrays are not needed afterwards.
   * \param[in] points seen from the viewpoint, metres, in the frame of the capsules, in
   * any order; less than 2^31
   * \param[in] viewpoint p of equation 5: position of the camera, metres, in the same
   * frame
   * \param[in] stream the queue to join; compute() must come after it there
   * \throws pcl::BadArgumentException if the viewpoint is not finite or there are too
   * many points
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setPoints(const DeviceArray<PointXYZ>& points,
            const Eigen::Vector3f& viewpoint,
            const Stream& stream = {});

  /** \brief Sets the observation, with a weight for every point: (sigma / sigma_i)^2
   * for stereo cameras with noise that grows with the distance.
   * \param[in] points as above
   * \param[in] weights w_i of every point
   * \param[in] viewpoint as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if there is not one weight a point,
   * or points and weights live on different devices
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setPoints(const DeviceArray<PointXYZ>& points,
            const DeviceArray<float>& weights,
            const Eigen::Vector3f& viewpoint,
            const Stream& stream = {});

  /** \brief Sets the observation, with the background on the ray of every point.
   * \param[in] points as above
   * \param[in] weights as above; an empty array: all 1
   * \param[in] backgrounds ray length Delta_b from the viewpoint to the room on every
   * point's ray, metres; not finite or not above 0 where it is not known
   * \param[in] viewpoint as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException as above, or if there is not one background a
   * point, or points and backgrounds live on different devices
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setPoints(const DeviceArray<PointXYZ>& points,
            const DeviceArray<float>& weights,
            const DeviceArray<float>& backgrounds,
            const Eigen::Vector3f& viewpoint,
            const Stream& stream = {});

  /** \brief Compares with the observation of another object, without a copy of it.
   * Several streams can so compare with one observation at a time.
   * \param[in] other one that has an observation. It must keep it and exist for as long
   * as this object compares; compute() must come after its setPoints()
   * \throws pcl::BadArgumentException if it has no observation
   */
  void
  shareObservation(const CapsuleLikelihood& other);

  /** \brief Counts the points of the observation that are skipped. Waits for the
   * device.
   * \param[in] stream the queue that setPoints() joined
   * \return number of points that are not finite, at the viewpoint, or without weight
   * \throws DeviceException if the device fails
   */
  std::size_t
  countSkippedPoints(const Stream& stream = {}) const;

  /** \brief Computes the log-likelihood of every sample, up to the constant.
   * \tparam T Capsule or TaperedCapsule
   * \param[in] capsules of the first sample, then those of the second, and so on
   * \param[in] capsules_per_sample K, 1 or more
   * \param[out] log_likelihoods one a sample, 0 or less, in double precision: sums of
   * many points are large, and their small differences decide
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no observation, the capsules live
   * elsewhere, or are no multiple of \a capsules_per_sample
   * \throws DeviceException if the device fails or runs out of memory
   */
  template <typename T>
  void
  compute(const DeviceArray<T>& capsules,
          int capsules_per_sample,
          DeviceArray<double>& log_likelihoods,
          const Stream& stream = {});

  /** \brief Returns the device memory that an observation and its samples take, without
   * the arrays of the caller.
   * \param[in] points number of points
   * \param[in] samples number of samples
   * \param[in] capsules_per_sample number of capsules of each
   * \return bytes that setPoints() without backgrounds and compute() allocate, to
   * within some KiB. Backgrounds take 5 bytes a point more
   */
  std::size_t
  estimateMemory(std::size_t points,
                 std::size_t samples,
                 int capsules_per_sample) const;

private:
  struct Buffers;

  void
  observe(const DeviceArray<PointXYZ>& points,
          const float* weights,
          const float* backgrounds,
          const Eigen::Vector3f& viewpoint,
          const Stream& stream);

  mutable PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
