// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "bop_folder.h"

#include <pcl/kdtree/kdtree_flann.h>

namespace benchmarks {

/** \brief Judges poses of an object as Hinterstoisser et al. 2012 do.
 *
 * The error of a pose is the mean distance of the mesh's vertices to the same vertices
 * in the true pose (ADD). For an object with symmetries it is the mean distance of the
 * vertices in the true pose to the closest vertex in the other one (ADD-S). A pose is
 * right if its error is less than a tenth of the diameter.
 */
class PoseJudge {
public:
  PoseJudge(const pcl::gpu::test::HostMesh& mesh, const BopObjectInfo& info);

  /** \brief Returns the error of a pose, metres. */
  double
  error(const pcl::gpu::Pose& found, const pcl::gpu::Pose& truth) const;

  bool
  isRight(double error) const
  {
    return error < 0.1 * info_.diameter;
  }

private:
  pcl::PointCloud<pcl::PointXYZ>::Ptr vertices_;
  pcl::KdTreeFLANN<pcl::PointXYZ> tree_; ///< of vertices_, if symmetric
  BopObjectInfo info_;
};

} // namespace benchmarks
