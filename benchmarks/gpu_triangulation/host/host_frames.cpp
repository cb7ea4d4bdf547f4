// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_frames.h"

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/common/point_tests.h>
#include <pcl/io/pcd_io.h>

#include <Eigen/Dense>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

#if BENCHMARKS_HAVE_OPENCV
#include <opencv2/imgcodecs.hpp>
#endif

namespace benchmarks {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/** \brief Focal length and principal point of pixel = focal * slope + center. */
Eigen::Vector2d
fitLine(const std::vector<Eigen::Vector2d>& slope_and_pixel)
{
  Eigen::Matrix2d normal_matrix = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right_side = Eigen::Vector2d::Zero();
  for (const auto& sample : slope_and_pixel) {
    const Eigen::Vector2d row(sample.x(), 1.0);
    normal_matrix += row * row.transpose();
    right_side += row * sample.y();
  }
  return normal_matrix.ldlt().solve(right_side);
}

std::shared_ptr<const Frame>
loadPcd(const std::filesystem::path& file)
{
  Cloud cloud;
  if (pcl::io::loadPCDFile(file.string(), cloud) < 0 || !cloud.isOrganized())
    return nullptr;
  const int width = static_cast<int>(cloud.width);
  const int height = static_cast<int>(cloud.height);
  std::vector<float> depth(cloud.size(), missing);
  std::vector<Eigen::Vector2d> columns;
  std::vector<Eigen::Vector2d> rows;
  for (int v = 0; v < height; ++v) {
    for (int u = 0; u < width; ++u) {
      const auto& point = cloud.at(u, v);
      if (!pcl::isFinite(point) || point.z <= 0.0f)
        continue;
      depth[static_cast<std::size_t>(v) * width + u] = point.z;
      columns.emplace_back(double(point.x) / point.z, u);
      rows.emplace_back(double(point.y) / point.z, v);
    }
  }
  const Eigen::Vector2f x = fitLine(columns).cast<float>();
  const Eigen::Vector2f y = fitLine(rows).cast<float>();
  return makeFrame(
      file.stem().string(), {x[0], y[0], x[1], y[1], width, height}, depth);
}

std::shared_ptr<const Frame>
fromRawDepth(const RawDepth& raw)
{
  std::vector<float> depth(raw.millimetres.size(), missing);
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (raw.millimetres[i] != 0)
      depth[i] = 0.001f * static_cast<float>(raw.millimetres[i]);
  return makeFrame(raw.name, raw.camera, std::move(depth));
}

std::shared_ptr<const Frame>
loadDepthImage(const std::filesystem::path& file, float cx, float cy)
{
#if BENCHMARKS_HAVE_OPENCV
  const cv::Mat image = cv::imread(file.string(), cv::IMREAD_UNCHANGED);
  if (image.type() != CV_16UC1)
    return nullptr;
  const std::string name = file.filename().string();
  RawDepth raw;
  raw.name = name.substr(0, name.find('.'));
  raw.camera = {525.0f, 525.0f, cx, cy, image.cols, image.rows};
  raw.millimetres.assign(image.begin<std::uint16_t>(), image.end<std::uint16_t>());
  return fromRawDepth(raw);
#else
  static_cast<void>(file), static_cast<void>(cx), static_cast<void>(cy);
  return nullptr;
#endif
}

} // namespace

std::shared_ptr<const Frame>
makeFrame(std::string name,
          const pcl::gpu::PinholeCamera& camera,
          std::vector<float> depth)
{
  auto cloud = std::make_shared<Cloud>(camera.width, camera.height);
  cloud->is_dense = false;
  for (int v = 0; v < camera.height; ++v) {
    for (int u = 0; u < camera.width; ++u) {
      const float z = depth[static_cast<std::size_t>(v) * camera.width + u];
      auto& point = cloud->at(u, v);
      point.x = z * (static_cast<float>(u) - camera.cx) / camera.fx;
      point.y = z * (static_cast<float>(v) - camera.cy) / camera.fy;
      point.z = z;
    }
  }
  auto frame = std::make_shared<Frame>();
  *frame = {std::move(name), camera, std::move(depth), cloud};
  return frame;
}

std::vector<std::shared_ptr<const Frame>>
loadFrames(const std::string& folder)
{
  std::vector<std::shared_ptr<const Frame>> frames;
  const auto add = [&](const std::shared_ptr<const Frame>& frame) {
    if (frame)
      frames.push_back(frame);
  };
  const std::filesystem::path root(folder);
  for (const char* name : {"office1.pcd", "milk_cartoon_all_small_clorox.pcd"})
    if (std::filesystem::exists(root / "pcd" / name))
      add(loadPcd(root / "pcd" / name));
  if (std::filesystem::exists(root / "depth/tum_desk.depth_mm.png"))
    add(loadDepthImage(root / "depth/tum_desk.depth_mm.png", 319.5f, 239.5f));
  if (std::filesystem::exists(root / "depth/pcl_laptop.depth_mm.png"))
    add(loadDepthImage(root / "depth/pcl_laptop.depth_mm.png", 320.0f, 240.0f));
  if (frames.empty()) {
    std::cerr << "No recorded frames in '" << folder << "': a rendered one is used.\n";
    frames.push_back(fromRawDepth(renderSyntheticDepth(640, 480)));
  }
  return frames;
}

} // namespace benchmarks
