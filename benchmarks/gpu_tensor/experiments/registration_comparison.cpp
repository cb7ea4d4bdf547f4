// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration_comparison.h"

#include "prerejective_alignment.h"
#include "recognition_experiments.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace benchmarks {

using namespace pcl::gpu;

Cloud::Ptr
cloudOf(const test::Image<float>& depth, const PinholeCamera& camera)
{
  Cloud::Ptr cloud(new Cloud(depth.columns, depth.rows));
  cloud->is_dense = false;
  const float missing = std::numeric_limits<float>::quiet_NaN();
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const float z = depth.at(v, u);
      (*cloud)(u, v) = z > 0.0f ? pcl::PointXYZ((u - camera.cx) / camera.fx * z,
                                                (v - camera.cy) / camera.fy * z,
                                                z)
                                : pcl::PointXYZ(missing, missing, missing);
    }
  return cloud;
}

RegistrationComparison::RegistrationComparison(float resolution,
                                               float voxel,
                                               float depth)
: resolution_(resolution)
, voxel_(voxel)
, depth_(depth)
{}

void
RegistrationComparison::add(const Cloud::ConstPtr& source,
                            const Cloud::ConstPtr& target,
                            const Pose& motion,
                            bool verbose)
{
  const StopWatch of_tensors;
  registration_.setInputSource(source);
  registration_.setInputTarget(target);
  Cloud aligned;
  registration_.align(aligned);
  std::optional<Pose> found;
  if (registration_.hasConverged())
    found = registration_.getViewAlignment()->pose;
  const char* judgement = judge(tensors_, found, motion, of_tensors.seconds());
  if (verbose)
    std::printf("tensors %s, %.0f ms", judgement, 1e3 * tensors_.seconds.back());
  if (voxel_ > 0.0f) {
    const StopWatch of_prerejection;
    found = alignByPrerejection(
        describe(*source, voxel_), describe(*target, voxel_), voxel_);
    judgement = judge(prerejection_, found, motion, of_prerejection.seconds());
    if (verbose)
      std::printf(
          "; prerejection %s, %.0f ms", judgement, 1e3 * prerejection_.seconds.back());
  }
  if (verbose) {
    std::printf("\n");
  }
}

void
RegistrationComparison::print(const std::string& name)
{
  std::printf("| %s |", name.c_str());
  tensors_.print("tensors:");
  prerejection_.print("FPFH and prerejection:");
  std::printf("\n");
}

const char*
RegistrationComparison::judge(Tally& tally,
                              const std::optional<Pose>& found,
                              const Pose& motion,
                              double seconds) const
{
  constexpr double most_degrees = 5.0, most_resolutions = 5.0;
  tally.seconds.push_back(seconds);
  if (!found)
    return "none";
  const PoseError error = poseError(*found, motion, {0.0f, 0.0f, depth_});
  const bool is_right = error.millimetres < 1e3 * most_resolutions * resolution_ &&
                        error.degrees < most_degrees;
  ++(is_right ? tally.right : tally.wrong);
  return is_right ? "right" : "wrong";
}

void
RegistrationComparison::Tally::print(const char* name)
{
  if (seconds.empty())
    return;
  std::sort(seconds.begin(), seconds.end());
  std::printf(" %s %d of %zu right, %d wrong, %.1f ms |",
              name,
              right,
              seconds.size(),
              wrong,
              1e3 * seconds[seconds.size() / 2]);
}

} // namespace benchmarks
