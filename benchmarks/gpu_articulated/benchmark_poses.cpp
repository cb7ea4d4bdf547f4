// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures errors and times of regressPose(), and of fitSkeleton() after it, in
 * single pictures of people, from the front and from above. Prints a Markdown table.
 */

#include "common/device_name.h"
#include "common/options.h"
#include "common/report.h"
#include "testing/person_views.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/pose_regression.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

struct Settings {
  std::vector<std::string> clips;
  std::string device = "cuda";
  int pictures = 100;
  int seed = 1;
  int rounds = 6;
};

void
addOptions(Options& all, Settings& o)
{
  all.addWord("clip", o.clips, "BVH files in CMU's unit of length");
  all.add("device", o.device, "cuda or host");
  all.addCount("pictures", o.pictures, "of each clip from each side");
  all.add("seed", o.seed, "of frames, places and noise");
  all.addCount("rounds", o.rounds, "of fitSkeleton(), for either truncation distance");
}

/** \brief Upright, arms down, at the origin. */
std::vector<float>
startPose(const Skeleton& body, const Vector3f& up)
{
  constexpr float down = -1.3f;
  std::vector<float> pose = body.restPose();
  for (const char* const arm : {"LeftArm", "RightArm"})
    pose[body.angleIndex(body.findJoint(arm))] = down;
  const auto upright = Eigen::Quaternionf::FromTwoVectors(Vector3f::UnitY(), up);
  pose[3] = upright.w();
  Vector3f::Map(pose.data() + 4) = upright.vec();
  return pose;
}

/** \brief Joints of all pictures. */
struct Errors {
  void
  add(const PersonView& view, const Skeleton& body, const std::vector<float>& pose)
  {
    constexpr float near = 0.1f; // metres
    const std::vector<NamedJoint> found = nameJoints(JointConvention::Itop, body, pose);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const float error = (found[i].position - view.joints[i].position).norm();
      sum += error;
      within += error < near ? 1 : 0;
      ++count;
    }
  }

  double sum = 0.0;
  int within = 0, count = 0;
};

template <typename Work>
double
millisecondsOf(const Work& work)
{
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                   start)
      .count();
}

double
medianOf(std::vector<double> values)
{
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/** \brief Prints a method's share of joints, mean error and time. */
void
print(const Errors& errors, const std::vector<double>& times)
{
  std::printf(" %.1f | %.1f | %.1f |",
              100.0 * errors.within / errors.count,
              100.0 * errors.sum / errors.count,
              medianOf(times));
}

void
measure(const Settings& settings, const std::string& clip, ViewSide side)
{
  PersonViews views(clip, side, settings.seed);
  Errors of_regression, of_fit;
  std::vector<double> regression_times, fit_times;
  const Skeleton body = makeHumanSkeleton();
  for (int picture = 0; picture < settings.pictures; ++picture) {
    const PersonView view = views.next();
    DeviceArray<pcl::PointXYZ> points, room;
    points.upload(view.body.data(), view.body.size());
    room.upload(view.room.data(), view.room.size());
    const std::vector<float> start = startPose(body, view.up);
    PoseRegressionOptions options;
    options.floor = view.floor;
    PoseRegression found;
    regression_times.push_back(millisecondsOf(
        [&] { found = regressPose(body, start, points, Vector3f::Zero(), options); }));
    of_regression.add(view, found.skeleton, found.pose);
    SkeletonFitOptions fine;
    fine.room = room;
    fine.largest_factor = 1.16f;
    fine.most_rounds = settings.rounds;
    SkeletonFit fit;
    fit_times.push_back(millisecondsOf([&] {
      fit = fitSkeleton(found.skeleton, found.pose, points, Vector3f::Zero(), fine);
    }));
    of_fit.add(view, fit.skeleton, fit.pose);
  }
  std::printf("| %s | %s |",
              clip.substr(clip.find_last_of('/') + 1).c_str(),
              side == ViewSide::Top ? "top" : "front");
  print(of_regression, regression_times);
  print(of_fit, fit_times);
  std::printf("\n");
  std::fflush(stdout);
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_poses CLIP.bvh ...");
  addOptions(options, settings);
  return options.run(argc, argv, [&] {
    const ScopedDevice scope(deviceNamed(settings.device));
    printContext();
    const std::string columns = " within 10 cm, % | mean error, cm | ms |";
    printHeading("| clip | camera | regressPose():" + columns +
                 " then fitSkeleton():" + columns);
    for (const std::string& clip : settings.clips)
      for (const ViewSide side : {ViewSide::Front, ViewSide::Top})
        measure(settings, clip, side);
    return true;
  });
}
