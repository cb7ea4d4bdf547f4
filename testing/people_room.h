// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/people_tracker.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/internal/kinect_noise.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief A body in recorded motion. */
struct RecordedPerson {
  Skeleton::ConstPtr skeleton;
  MotionClip motion; ///< y up
};

/** \brief Reads a BVH file of CMU's database, and dresses its body in 8 mm of cloth.
 * \param[in] clip a file
 * \param[in] scale of the recorded person's size
 */
RecordedPerson
readRecordedPerson(const std::string& clip, float scale = 1.0f);

/** \brief Renders the skin of a body.
 * \return depths, row by row, metres; infinity beside the body
 */
std::vector<float>
renderBody(const Skeleton::ConstPtr& skeleton,
           const std::vector<float>& pose,
           const PinholeCamera& camera);

/** \brief Person in a frame of a PeopleRoom. */
struct PersonTruth {
  std::map<std::string, Eigen::Vector3f> joints; ///< of the camera's frame, metres
  std::map<std::string, bool> is_seen;           ///< its skin is, in the picture
  float seen_share = 0.0f; ///< seen pixels, of all that the person alone would have
};

/** \brief Returns the person of a result who is nearest to the true hips; null if
 * nobody is within half a metre. */
const TrackedPerson*
nearestTo(const PersonTruth& truth, const std::vector<TrackedPerson>& people);

/** \brief Returns the distances of head, shoulders, elbows, hands, hips, knees and feet
 * from their true places, metres, as far as they are seen. */
std::vector<float>
seenErrors(const PersonTruth& truth, const TrackedPerson& person);

/** \brief Frame of a PeopleRoom. */
struct PeopleFrame {
  pcl::PointCloud<pcl::PointXYZ> cloud; ///< organized; NaN where nothing is measured
  std::vector<PersonTruth> people;
};

/** \brief A still depth camera's recording of people in recorded motion (CMU's
 * database) who cross a room with a floor, walls, a table and a cupboard, with a
 * Kinect's noise. Works on the current device. */
class PeopleRoom {
public:
  /** \param[in] clips a BVH file for each person
   * \param[in] seed of paths and noise
   */
  PeopleRoom(const std::vector<std::string>& clips, std::uint64_t seed);

  /** \brief Returns the number of frames, 30 a second: those of the longest clip. */
  int
  frameCount() const
  {
    return frame_count_;
  }

  const PinholeCamera&
  camera() const
  {
    return camera_;
  }

  /** \brief Renders the next frame; noise continues. */
  PeopleFrame
  next();

private:
  struct Person {
    Skeleton::ConstPtr skeleton;
    std::vector<std::vector<float>> poses;
  };

  float
  depthOfRoom(const Eigen::Vector3f& ray) const;

  PinholeCamera camera_;
  std::vector<Person> people_;
  int frame_count_ = 0;
  int number_ = 0;
  KinectNoise noise_;
};

} // namespace pcl::gpu::test
