// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/people_detection.h>
#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <vector>

namespace pcl::gpu {

/** \brief Parameters of PeopleTracker.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS PeopleTrackerParameters {
  PeopleDetectionParameters detection; ///< of people who are not followed yet
  /** \brief Parameters of each person's filter. Partitions are those of
   * bodyTrackingParameters() for the person's skeleton; the rest pose is that of a
   * standing person. Changes reach people who are followed: particles that a change
   * drops are drawn again about the person's last estimate. */
  PoseParticleFilterParameters filter = guidedBodyTrackingParameters();
  /** \brief Frames between two searches for people, 1 or more. There is a search only
   * if something new is seen, and there is one earlier if its area has grown by half of
   * \a min_new_area. */
  int search_interval = 10;
  float min_new_area = 0.1f; ///< of something new, square metres, above 0
  /** \brief Time that a person who is not seen is followed, seconds, above 0. */
  float patience = 0.5f;
  /** \brief Time that a lost person may be found again with the same number, seconds, 0
   * or more. */
  float memory = 10.0f;

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief A person in a frame.
 * \ingroup gpu_articulated
 */
struct TrackedPerson {
  int number = 0; ///< the same in all frames, counted from 0
  /** \brief With the person's sizes, which change when they are known better. */
  Skeleton::ConstPtr skeleton;
  PoseEstimate estimate;             ///< in the camera's frame
  std::vector<JointEstimate> joints; ///< of the skeleton, in the camera's frame
  /** \brief As in DetectedPerson, of the mean pose in this frame: of a person who is
   * hidden or leaves the picture it goes to 0. */
  float confidence = 0.0f;
};

/** \brief Finds and follows the people before a depth camera, without a guess.
 *
 * - In the first frame PeopleDetection finds people. Bodies with 0.6 times the least
 *   confidence or more may be people: each is followed for a second at most, and is a
 *   person once its confidence is high enough. Everything else is the room.
 * - The room is the farthest surface that each pixel showed: the static background of a
 *   camera that stands still. If the camera moves, the room begins anew. Each frame's
 *   points are of the room, of the nearest person of the frame before, or something
 *   new.
 * - Each person has a PoseParticleFilter. The room, and the points of other people, are
 *   the background of its points (see CapsuleLikelihood): a person in front of the
 *   surface that is seen contradicts it, and one behind it is hidden. Before each frame
 *   regressPose() proposes a pose.
 * - A person's sizes are the mean of up to six fits of views that show the person well;
 *   the one of the detection counts least. At first, and from time to time, another
 *   pose may replace that of a person: one by regressPose(), or one with legs or arms
 *   exchanged, or turned around. It does if it agrees better with some frames.
 * - Where something new is larger than parameters say, people are looked for. One who
 *   was lost near there has the former number.
 * - A person who is not seen for some time is lost.
 *
 * Runs on the current device; all frames must be processed on one. Planes, the room and
 * the search for people are on the host. The same images, parameters and device give
 * the same people.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS PeopleTracker : public Parameterized<PeopleTrackerParameters> {
public:
  /** \brief Processes a frame. An exception of the detection's check_interruption ends
   * the search for new people. The people known before are followed first.
   * \param[in] cloud as in PeopleDetection::detect(); of the same size in all frames
   * \param[in] dt time since the frame before, seconds
   * \return the people that are followed, by their numbers
   * \throws pcl::BadArgumentException if the cloud is not organized or has another
   * size, or \a dt is not positive
   * \throws DeviceException if the device fails or runs out of memory
   */
  std::vector<TrackedPerson>
  processFrame(const PointCloud<PointXYZ>& cloud, float dt);

  /** \brief Forgets all people and the room. Numbers begin at 0 again. */
  void
  reset();

private:
  struct Buffers;

  mutable PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
