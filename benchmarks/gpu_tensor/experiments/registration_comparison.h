// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognition_scenes.h"

#include <pcl/gpu/tensor/tensor_registration.h>

#include <optional>
#include <string>
#include <vector>

namespace benchmarks {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

/** \brief The points of a depth map; NaN where there is none. */
Cloud::Ptr
cloudOf(const pcl::gpu::test::Image<float>& depth,
        const pcl::gpu::PinholeCamera& camera);

/** \brief Registers pairs of views by TensorRegistration, and by PCL's FPFH and
 * SampleConsensusPrerejective. Right means an error of less than 5 degrees and 5
 * resolutions. */
class RegistrationComparison {
public:
  /** \param[in] resolution metres
   * \param[in] voxel side of the voxels of PCL's way, metres; 0 leaves it out
   * \param[in] depth of the point on the camera's axis whose error is measured
   */
  RegistrationComparison(float resolution, float voxel, float depth);

  /** \param[in] motion from the source's frame to the target's
   * \param[in] verbose prints a line
   */
  void
  add(const Cloud::ConstPtr& source,
      const Cloud::ConstPtr& target,
      const pcl::gpu::Pose& motion,
      bool verbose);

  /** \brief Prints a row. */
  void
  print(const std::string& name);

private:
  /** \brief Of one way of registration. */
  struct Tally {
    int right = 0, wrong = 0;
    std::vector<double> seconds;

    void
    print(const char* name);
  };

  /** \return "right", "wrong" or "none" */
  const char*
  judge(Tally& tally,
        const std::optional<pcl::gpu::Pose>& found,
        const pcl::gpu::Pose& motion,
        double seconds) const;

  float resolution_, voxel_, depth_;
  pcl::gpu::TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration_;
  Tally tensors_, prerejection_;
};

} // namespace benchmarks
