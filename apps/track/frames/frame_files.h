// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frame_source.h"

namespace pcl::gpu::apps {

/** \brief Recorded frames: 16-bit PNG depth maps and PCD files. */
class FrameFiles : public FrameSource {
public:
  /** \brief Lists the files.
   * \throws InputError if there are none
   */
  explicit FrameFiles(const TrackOptions& options);

  int
  size() const override;

  TrackFrame
  read(int number) override;

  Pose
  camera() const override;

  Skeleton::ConstPtr
  body() const override;

  std::vector<float>
  firstPose() const override;

private:
  bool
  isUsed(const PointXYZ& point) const;

  PointCloud<PointXYZ>::Ptr
  readDepthMap(const std::string& file) const;

  PointCloud<PointXYZ>::Ptr
  readCloud(const std::string& file) const;

  const TrackOptions& options_;
  std::vector<std::string> files_;
};

} // namespace pcl::gpu::apps
