// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/expect_normals.h"

#include <pcl/gpu/triangulation/depth_bilateral_filter.h>
#include <pcl/gpu/triangulation/depth_map_projection.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <cmath>
#include <cstdio>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int image_rows = 240;
constexpr int image_columns = 320;
constexpr double baseline = 0.075;
constexpr double focal_length = 575.8;
constexpr double disparity_offset = 1090.0;

/** \brief Disparities of a wall straight ahead, as a Kinect would see them.
 *
 * Noise of the speckle matching, which neighbouring pixels have in common as far as
 * their matching windows overlap, then quantization to an eighth of a pixel. Its size
 * is chosen such that the raw normals err as much as in table 1 of Orts-Escolano et al.
 * 2014.
 */
Image<std::uint16_t>
noisyWall(double distance, std::uint32_t seed)
{
  constexpr double deviation = 0.245; // eighths of a pixel
  constexpr int overlap = 3;          // pixels to each side
  std::mt19937 random(seed);
  std::normal_distribution<double> gauss;
  Image<double> speckles(image_rows + 2 * overlap, image_columns + 2 * overlap);
  for (auto& value : speckles.data)
    value = gauss(random);
  const double truth = disparity_offset - 8.0 * baseline * focal_length / distance;
  Image<std::uint16_t> disparity(image_rows, image_columns);
  for (int v = 0; v < image_rows; ++v)
    for (int u = 0; u < image_columns; ++u) {
      double noise = 0.0;
      for (int y = 0; y <= 2 * overlap; ++y)
        for (int x = 0; x <= 2 * overlap; ++x)
          noise += deviation * speckles.at(v + y, u + x) / (2.0 * overlap + 1.0);
      disparity.at(v, u) = static_cast<std::uint16_t>(std::lround(truth + noise));
    }
  return disparity;
}

struct AngleError {
  double mean = 0.0;
  double rms = 0.0;
};

class NoiseExperiment : public DeviceTest {
protected:
  /** \brief Angles between the normals and the wall's, degrees. */
  static AngleError
  errorOf(const DepthMap& depth)
  {
    PinholeCamera camera;
    camera.fx = camera.fy = static_cast<float>(focal_length);
    camera.cx = 0.5f * (image_columns - 1);
    camera.cy = 0.5f * (image_rows - 1);
    DepthMapProjection projection;
    change(projection, [&](auto& p) { p.camera = camera; });
    OrganizedCloud cloud;
    projection.compute(depth, cloud);
    NormalMapEstimation estimation = covarianceEstimation();
    change(estimation, [&](auto& p) { p.window_radius = 4; });
    NormalMap normals;
    estimation.compute(cloud, normals);

    AngleError error;
    long count = 0;
    for (const auto& n : downloaded(normals).data) {
      if (std::isnan(n.x))
        continue;
      const double angle = degrees * angleBetween(n.getVector3fMap().cast<double>(),
                                                  -Eigen::Vector3d::UnitZ());
      error.mean += angle;
      error.rms += angle * angle;
      ++count;
    }
    EXPECT_EQ(count, image_rows * image_columns);
    error.mean /= static_cast<double>(count);
    error.rms = std::sqrt(error.rms / static_cast<double>(count));
    return error;
  }
};

TEST_P(NoiseExperiment, FilteringMoreThanHalvesTheErrorOfNormalsAsInTableOne)
{
  struct Row {
    double distance;
    AngleError paper_raw;
    AngleError paper_filtered;
  };
  const Row table[] = {{1.5, {11.00, 12.36}, {4.84, 5.53}},
                       {3.5, {27.85, 31.42}, {13.89, 16.56}}};
  const std::uint32_t seed = 1;
  std::printf("seed %u; mean and RMS error of normals in degrees (in the paper)\n",
              seed);
  for (const Row& row : table) {
    DepthMap raw;
    KinectDisparityConverter().compute(uploaded(noisyWall(row.distance, seed)), raw);
    // The paper's 13 x 13 window; a range kernel of two of the sensor's depth steps.
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) { p.sigma_r_growth = 0.0057f; });
    DepthMap filtered;
    filter.compute(raw, filtered);

    const AngleError before = errorOf(raw);
    const AngleError after = errorOf(filtered);
    std::printf("%.1f m  raw %5.2f %5.2f (%5.2f %5.2f)  filtered %5.2f %5.2f "
                "(%5.2f %5.2f)\n",
                row.distance,
                before.mean,
                before.rms,
                row.paper_raw.mean,
                row.paper_raw.rms,
                after.mean,
                after.rms,
                row.paper_filtered.mean,
                row.paper_filtered.rms);
    EXPECT_NEAR(before.mean, row.paper_raw.mean, 0.15 * row.paper_raw.mean);
    EXPECT_NEAR(before.rms, row.paper_raw.rms, 0.15 * row.paper_raw.rms);
    EXPECT_LE(after.mean, 0.45 * before.mean);
    EXPECT_LE(after.rms, 0.45 * before.rms);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(NoiseExperiment);

} // namespace
