// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_experiments.h"
#include "registration_comparison.h"
#include "testing/depth_png.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

/** \brief A frame of a recorded video. */
struct RecordedView {
  std::string name;
  Pose pose; ///< camera-to-world
};

std::vector<RecordedView>
recordedViews(const std::string& folder)
{
  std::ifstream file(folder + "/poses.txt");
  std::vector<RecordedView> views;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream numbers(line);
    RecordedView view;
    view.pose = Pose::Identity();
    numbers >> view.name;
    for (int i = 0; i < 16; ++i)
      numbers >> view.pose.matrix()(i / 4, i % 4);
    if (!numbers)
      throw std::runtime_error(folder + "/poses.txt: expected a number and 4 x 4 more");
    views.push_back(view);
  }
  if (views.empty())
    throw std::runtime_error("there are no poses in " + folder);
  return views;
}

Cloud::Ptr
recordedCloud(const std::string& folder, const RecordedView& view)
{
  const auto raw = test::readDepthImage(folder + "/frame-" + view.name + ".depth.png");
  test::Image<float> depth(raw.rows, raw.columns);
  for (int v = 0; v < raw.rows; ++v)
    for (int u = 0; u < raw.columns; ++u)
      depth.at(v, u) = 1e-3f * raw.at(v, u);
  PinholeCamera camera; // as the folder's intrinsics.txt has it
  camera.fx = camera.fy = 585.0f;
  camera.cx = 320.0f;
  camera.cy = 240.0f;
  return cloudOf(depth, camera);
}

} // namespace

void
runRecordedRegistration(const ExperimentOptions& options)
{
  constexpr float resolution = 0.006f, depth = 1.7f;
  constexpr float no_voxels = 0.0f; // a pair takes PCL minutes
  constexpr int step = 15;          // from one source to the next
  const std::string folder = options.data + "/rgbd_video/redkitchen";
  const std::vector<RecordedView> views = recordedViews(folder);
  for (const std::size_t gap : {5, 10, 20, 30, 45, 59}) {
    RegistrationComparison comparison(resolution, no_voxels, depth);
    for (std::size_t i = 0; i + gap < views.size(); i += step) {
      if (options.verbose)
        std::printf("%s in %s: ", views[i].name.c_str(), views[i + gap].name.c_str());
      comparison.add(recordedCloud(folder, views[i]),
                     recordedCloud(folder, views[i + gap]),
                     views[i + gap].pose.inverse() * views[i].pose,
                     options.verbose);
    }
    comparison.print(std::to_string(gap) + " frames apart");
  }
}

} // namespace benchmarks
