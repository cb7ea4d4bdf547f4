// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../options.h"

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Positions of joints by their names, metres. */
using JointPositions = std::map<std::string, Eigen::Vector3f>;

/** \brief Observation at one time. */
struct TrackFrame {
  int number = 0;                   ///< counted from the first of all frames
  std::string name;                 ///< its file, or "frame N"
  PointCloud<PointXYZ>::Ptr points; ///< seen from its sensor origin
  JointPositions truth;             ///< empty if it is unknown
};

/** \brief Frames in their order, recorded or simulated. */
class FrameSource {
public:
  virtual ~FrameSource() = default;

  /** \brief Returns the number of frames. */
  virtual int
  size() const = 0;

  /** \brief Reads, or makes, a frame.
   * \param[in] number from 0 to size() - 1
   * \throws InputError if it cannot be read
   */
  virtual TrackFrame
  read(int number) = 0;

  /** \brief Returns the pose of the camera: camera-to-world. */
  virtual Pose
  camera() const
  {
    return Pose::Identity();
  }

  /** \brief Returns the body in the frames; null if it is unknown. */
  virtual Skeleton::ConstPtr
  body() const
  {
    return nullptr;
  }

  /** \brief Returns the body's pose in the first frame; empty if it is unknown. */
  virtual std::vector<float>
  firstPose() const
  {
    return {};
  }
};

/** \brief Opens recorded frames: 16-bit PNG depth maps and PCD files.
 * \throws InputError if there are none
 */
std::unique_ptr<FrameSource>
openFrameFiles(const TrackOptions& options);

/** \brief Simulates a depth camera that sees a body move as recorded.
 * \throws InputError if the motion cannot be used
 */
std::unique_ptr<FrameSource>
simulateFrames(const TrackOptions& options);

} // namespace pcl::gpu::apps
