// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_experiments.h"
#include "registration_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

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
  pair.overlap =
      overlapOf(*cloudOf(source_depth, kinectCamera()), target_depth, pair.motion);
  pair.source = cloudOf(withKinectNoise(source_depth, random), kinectCamera());
  pair.target = cloudOf(withKinectNoise(target_depth, random), kinectCamera());
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
  std::vector<RegistrationComparison> comparisons(
      classes, RegistrationComparison(resolution, resolution, depth));
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
        if (options.verbose)
          std::printf("%s, %.0f degrees, overlap %.2f: ",
                      meshes[i].name.c_str(),
                      angle,
                      pair.overlap);
        comparisons[of].add(pair.source, pair.target, pair.motion, options.verbose);
      }
  for (int i = 0; i < classes; ++i)
    comparisons[i].print("overlap " + std::string(names[i]));
}

} // namespace benchmarks
