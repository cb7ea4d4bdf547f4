// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "prerejective_alignment.h"
#include "recognition_experiments.h"

#include <pcl/gpu/tensor/tensor_registration.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

Cloud::Ptr
cloudOf(const test::Image<float>& depth)
{
  const PinholeCamera camera = kinectCamera();
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

/** \brief Share of the points of a view that another view shows, too. */
double
overlapOf(const Cloud& source, const test::Image<float>& target, const Pose& motion)
{
  constexpr float same = 0.005f;
  const PinholeCamera camera = kinectCamera();
  int all = 0, shown = 0;
  for (const pcl::PointXYZ& point : source) {
    if (!(point.z > 0.0f))
      continue;
    ++all;
    const Eigen::Vector3f p = motion * Eigen::Vector3f(point.getVector3fMap());
    const int u = static_cast<int>(std::lround(p.x() / p.z() * camera.fx + camera.cx));
    const int v = static_cast<int>(std::lround(p.y() / p.z() * camera.fy + camera.cy));
    if (u >= 0 && v >= 0 && u < target.columns && v < target.rows &&
        std::abs(target.at(v, u) - p.z()) < same)
      ++shown;
  }
  return all > 0 ? static_cast<double>(shown) / all : 0.0;
}

/** \brief Of one way of registration. */
struct Tally {
  int pairs = 0, right = 0, wrong = 0;
  std::vector<double> seconds;

  /** \return "right", "wrong" or "none" */
  const char*
  add(const std::optional<Pose>& found, const Pose& truth, float depth, double time)
  {
    // 5 degrees and 5 resolutions, of the middle of what is seen.
    constexpr double most_millimetres = 17.5, most_degrees = 5.0;
    ++pairs;
    seconds.push_back(time);
    if (!found)
      return "none";
    const PoseError error = poseError(*found, truth, {0.0f, 0.0f, depth});
    const bool is_right =
        error.millimetres < most_millimetres && error.degrees < most_degrees;
    ++(is_right ? right : wrong);
    return is_right ? "right" : "wrong";
  }

  void
  print(const char* name)
  {
    if (pairs == 0)
      return;
    std::sort(seconds.begin(), seconds.end());
    std::printf(" %s %d of %d right, %d wrong, %.1f ms |",
                name,
                right,
                pairs,
                wrong,
                1e3 * seconds[seconds.size() / 2]);
  }
};

struct ViewPair {
  Cloud::Ptr source, target;
  Pose motion; ///< from the source's frame to the target's
  double overlap;
};

/** \brief Two views of an object whose directions are some angle apart, in any roll. */
ViewPair
viewPair(const SceneMesh& mesh, float angle, float depth, Random& random)
{
  std::uniform_real_distribution<float> turn(0.0f, 6.28318531f);
  Pose source = Pose::Identity();
  source.linear() = randomRotation(random);
  source.translation().z() = depth;
  const float axis = turn(random);
  const Eigen::AngleAxisf across(angle,
                                 Eigen::Vector3f(std::cos(axis), std::sin(axis), 0.0f));
  const Eigen::AngleAxisf roll(turn(random), Eigen::Vector3f::UnitZ());
  Pose target = source;
  target.linear() = (roll * across).toRotationMatrix() * source.linear();
  const test::Image<float> source_depth = renderedDepth(mesh, source);
  const test::Image<float> target_depth = renderedDepth(mesh, target);
  ViewPair pair;
  pair.motion = target * source.inverse();
  pair.overlap = overlapOf(*cloudOf(source_depth), target_depth, pair.motion);
  pair.source = cloudOf(withKinectNoise(source_depth, random));
  pair.target = cloudOf(withKinectNoise(target_depth, random));
  return pair;
}

} // namespace

void
runRegistration(const ExperimentOptions& options)
{
  constexpr float depth = 0.9f, degree = 0.0174532925f, resolution = 0.0035f;
  const std::vector<SceneMesh> meshes =
      libraryMeshes(options.data + "/meshes", options.size);
  constexpr int classes = 4;
  const char* const names[classes] = {
      "below 40 %", "40 to 55 %", "55 to 70 %", "above 70 %"};
  Tally tensors[classes], prerejection[classes];
  TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (int view = 0; view < options.scenes; ++view)
      for (const float angle : {30.0f, 45.0f, 60.0f, 75.0f, 90.0f}) {
        Random random(1000003 * options.seed + 1009 * i + 31 * view +
                      static_cast<std::uint64_t>(angle));
        const ViewPair pair = viewPair(meshes[i], angle * degree, depth, random);
        const int of = pair.overlap < 0.4    ? 0
                       : pair.overlap < 0.55 ? 1
                       : pair.overlap < 0.7  ? 2
                                             : 3;
        const auto add = [&](Tally& tally, const auto& align) {
          const StopWatch watch;
          const std::optional<Pose> found = align();
          return tally.add(found, pair.motion, depth, watch.seconds());
        };
        const char* const by_tensors = add(tensors[of], [&]() -> std::optional<Pose> {
          registration.setInputSource(pair.source);
          registration.setInputTarget(pair.target);
          Cloud aligned;
          registration.align(aligned);
          if (!registration.hasConverged())
            return std::nullopt;
          return registration.getViewAlignment()->pose;
        });
        const char* const by_prerejection = add(prerejection[of], [&] {
          return alignByPrerejection(*pair.source, *pair.target, resolution);
        });
        if (options.verbose) {
          std::printf(
              "%s, %.0f degrees, overlap %.2f: tensors %s, %.0f ms; prerejection %s, "
              "%.0f ms\n",
              meshes[i].name.c_str(),
              angle,
              pair.overlap,
              by_tensors,
              1e3 * tensors[of].seconds.back(),
              by_prerejection,
              1e3 * prerejection[of].seconds.back());
          std::fflush(stdout);
        }
      }
  for (int i = 0; i < classes; ++i) {
    std::printf("| overlap %s |", names[i]);
    tensors[i].print("tensors:");
    prerejection[i].print("FPFH and prerejection:");
    std::printf("\n");
  }
}

} // namespace benchmarks
