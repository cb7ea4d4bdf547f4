// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Parameters of PeopleDetection.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS PeopleDetectionParameters {
  /** \brief Points beyond it are left out, metres, above 0. */
  float farthest = 6.0f;
  /** \brief Statures that are tried, metres: a tall and a usual adult, a small one, and
   * a child. Fitted bodies differ from them by up to a sixth. */
  std::vector<float> statures = {1.9f, 1.75f, 1.6f, 1.4f};
  /** \brief Least area of the points that a person explains, square metres, above 0. A
   * head and shoulders from 0.8 m away show 0.09. */
  float min_area = 0.07f;
  float min_confidence = 0.6f; ///< of a person, 0 to 1
  int max_people = 10;         ///< 1 or more; the first ones
  /** \brief Called often by the calling thread, if not empty. An exception that it
   * throws ends the search: so a program lets its user stop. */
  std::function<void()> check_interruption;

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief A person in a depth image.
 * \ingroup gpu_articulated
 */
struct DetectedPerson {
  Skeleton::Ptr skeleton;  ///< with the person's sizes
  std::vector<float> pose; ///< of the skeleton, in the camera's frame
  float area = 0.0f;       ///< of the points that it explains, square metres
  /** \brief 0 to 1, the least of numbers that grow with
   * - the shares of the head's, the trunk's and the limbs' pixels that show them and
   *   nothing behind them;
   * - the share of the head or trunk that is seen at all;
   * - the agreement of normals;
   * - the share of places around the body where the surface does not go on;
   * - the deviation of its points from a plane.
   */
  float confidence = 0.0f;
};

/** \brief Finds people in a single depth image, without a guess.
 *
 * -# Floor, walls and other planes of more than half a square metre are the room.
 * -# Upright bodies that stand, or are in the middle of a stride, are placed under the
 *    highest points of all places, turned and sized in several ways. The likelihood of
 *    Friborg et al. 2010, with the room as its background (see CapsuleLikelihood),
 *    chooses the best one. It is moved until it fits best. Points count by the area
 *    that their pixels have where the body is, so distances do not matter.
 * -# regressPose() and fitSkeleton() find limbs and sizes by the points within reach;
 *    everything else is the room. If that is no person, the fit begins once more with
 *    the placed body. Limbs that the image hardly shows get the angles of a standing
 *    person.
 * -# A body of enough confidence is a person. Its points are then part of the room for
 *    the bodies after it.
 * -# Connected surfaces that are left, and as large as a person, may be people who bend
 *    down, run or dance. Fits begin with regressPose() of their points.
 *
 * People stand, walk, run, dance, or show their upper body; the camera is roughly
 * level. People who sit or lie, and cameras that look down steeply, are not looked for.
 *
 * Runs on the current device; planes on the host. One to twelve seconds an image on two
 * cores. The same image, parameters and device give the same people.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS PeopleDetection : public Parameterized<PeopleDetectionParameters> {
public:
  /** \brief Finds people.
   * \param[in] cloud organized, metres, in the camera's frame: z forward, x right, y
   * down; not finite or 0 where nothing was measured. Its points lie on the rays of a
   * pinhole camera, which is found by them
   * \return the people: those who are nearly upright first, roughly by the area that
   * their trunks show, the largest first
   * \throws pcl::BadArgumentException if the cloud is not organized
   * \throws DeviceException if the device fails or runs out of memory
   */
  std::vector<DetectedPerson>
  detect(const PointCloud<PointXYZ>& cloud) const;
};

} // namespace pcl::gpu
