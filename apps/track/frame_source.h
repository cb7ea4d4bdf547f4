// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

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
  std::string name;
  PointCloud<PointXYZ>::Ptr points; ///< seen from its sensor origin
  JointPositions truth;             ///< empty if it is not known
};

/** \brief Frames in their order, recorded or simulated. */
class FrameSource {
public:
  virtual ~FrameSource() = default;

  /** \brief Number of frames. */
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
  camera() const = 0;

  /** \brief The body that is seen, if it is known; else null. */
  virtual Skeleton::ConstPtr
  body() const = 0;

  /** \brief Its pose in the first frame; empty if it is not known. */
  virtual std::vector<float>
  firstPose() const = 0;
};

/** \brief Opens what the options name.
 * \throws InputError if it cannot be used
 */
std::unique_ptr<FrameSource>
openFrames(const TrackOptions& options);

} // namespace pcl::gpu::apps
