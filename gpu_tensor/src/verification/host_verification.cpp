// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/model_pose.hpp"
#include "verification/pose_verification.hpp"

namespace pcl::device {

void
host::verify(const VerificationTask& task)
{
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < task.count; ++i)
    task.fits[i] = verifiedPose(SingleThread(), task, i);
}

} // namespace pcl::device
