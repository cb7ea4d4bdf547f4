// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/reference.h"
#include "wrappers.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief Normals and filter on recorded clouds, against truth and against PCL. */
class Recorded : public DeviceTest {
protected:
  template <typename NormalT>
  static double
  degreesTo(const Eigen::Vector3d& expected, const NormalT& normal)
  {
    return angleBetween(normal.getNormalVector3fMap().template cast<double>(),
                        expected) *
           180.0 / M_PI;
  }

  template <typename Filter>
  static pcl::PointCloud<PointXYZ>
  filtered(Filter& filter)
  {
    pcl::PointCloud<PointXYZ> output;
    filter.filter(output);
    return output;
  }

  static pcl::PointCloud<PointXYZ>::Ptr
  recordedPositions(const std::string& name)
  {
    pcl::PointCloud<PointXYZ>::Ptr cloud(new pcl::PointCloud<PointXYZ>);
    pcl::copyPointCloud(*recordedCloud(name), *cloud);
    return cloud;
  }
};

TEST_P(Recorded, NormalsEqualDoublePrecision)
{
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    const auto cloud = recordedCloud(name);
    OrganizedNormalEstimation<pcl::PointXYZRGB> estimation;
    estimation.setInputCloud(cloud);
    estimation.setNormalEstimationMethod(NormalEstimationMethod::COVARIANCE_MATRIX);
    estimation.setKSearch(49);
    pcl::PointCloud<pcl::Normal> normals;
    estimation.compute(normals);
    const Image<PointXYZ> image = positionsOf(*cloud);
    Worst angle;
    Worst curvature;
    for (int v = 0; v < image.rows; v += 3)
      for (int u = 0; u < image.columns; u += 2) {
        const pcl::Normal& n = normals.at(u, v);
        const ReferencePlane plane = referencePlane(image, v, u, ReferenceWindow());
        if (plane.unsure)
          continue;
        ASSERT_EQ(std::isfinite(n.normal_x), plane.exists) << v << " " << u;
        if (!plane.exists)
          continue;
        angle.see(degreesTo(plane.normal, n), v, u);
        curvature.see(std::abs(n.curvature - plane.curvature), v, u);
      }
    EXPECT_GT(angle.compared, 20000);
    EXPECT_LE(angle.error, 0.05) << angle;
    EXPECT_LE(curvature.error, 1e-5) << curvature;
  }
}

TEST_P(Recorded, NormalsEqualPclsPlaneFitToTheSameWindow)
{
  const auto cloud = recordedCloud("office1.pcd");
  OrganizedNormalEstimation<pcl::PointXYZRGB> estimation;
  estimation.setInputCloud(cloud);
  estimation.setNormalEstimationMethod(NormalEstimationMethod::COVARIANCE_MATRIX);
  estimation.setWindowSize(9);
  pcl::PointCloud<pcl::Normal> normals;
  estimation.compute(normals);
  const Image<PointXYZ> image = positionsOf(*cloud);
  ReferenceWindow reference;
  reference.radius = 4;
  pcl::NormalEstimation<pcl::PointXYZRGB, pcl::Normal> pcl_estimation;
  int compared = 0;
  int apart = 0;
  for (int v = 4; v < 476; v += 2)
    for (int u = 4; u < 636; u += 2) {
      pcl::Indices window;
      for (int dv = -4; dv <= 4; ++dv)
        for (int du = -4; du <= 4; ++du)
          if (pcl::isFinite(cloud->at(u + du, v + dv)))
            window.push_back((v + dv) * 640 + u + du);
      Eigen::Vector4f plane;
      float curvature = 0.0f;
      if (!pcl::isFinite(cloud->at(u, v)) || window.size() < 9 ||
          !pcl_estimation.computePointNormal(*cloud, window, plane, curvature))
        continue;
      const Eigen::Vector3d expected = plane.head<3>().cast<double>();
      const double angle = degreesTo(expected, normals.at(u, v));
      ++compared;
      if (std::min(angle, 180.0 - angle) <= 0.05)
        continue;
      // Then it is PCL's single precision that is off.
      ++apart;
      const ReferencePlane truth = referencePlane(image, v, u, reference);
      if (!truth.unsure) {
        EXPECT_LE(degreesTo(truth.normal, normals.at(u, v)), 0.05) << v << " " << u;
      }
    }
  EXPECT_GT(compared, 30000);
  EXPECT_LE(apart, compared / 25);
}

TEST_P(Recorded, FilterEqualsBruteForce)
{
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    const auto cloud = recordedPositions(name);
    pcl::gpu::FastBilateralFilter<PointXYZ> filter;
    filter.setSigmaS(2.0f);
    filter.setSigmaR(0.03f);
    filter.setInputCloud(cloud);
    ASSERT_EQ(filter.getWindowRadius(), 6);
    const auto output = filtered(filter);
    Image<double> depth(480, 640);
    for (std::size_t i = 0; i < cloud->size(); ++i)
      depth.data[i] = (*cloud)[i].z;
    ReferenceFilter reference;
    reference.sigma_s = 2.0;
    reference.sigma_r = 0.03f;
    reference.radius = 6;
    Image<float> actual(480, 640);
    for (std::size_t i = 0; i < output.size(); ++i)
      actual.data[i] = output[i].z;
    expectClose(referenceFilter(depth, reference), actual, 1e-5);
  }
}

TEST_P(Recorded, FilterIsCloseToPclsApproximation)
{
  // PCL samples depth in steps of sigma_r and fills holes with the farthest depth.
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    const auto cloud = recordedPositions(name);
    pcl::FastBilateralFilter<PointXYZ> pcl_filter;
    pcl::gpu::FastBilateralFilter<PointXYZ> our_filter;
    pcl_filter.setSigmaS(5.0f);
    our_filter.setSigmaS(5.0f);
    pcl_filter.setInputCloud(cloud);
    our_filter.setInputCloud(cloud);
    const auto pcls = filtered(pcl_filter);
    const auto ours = filtered(our_filter);
    std::vector<double> differences;
    for (std::size_t i = 0; i < cloud->size(); ++i)
      if (std::isfinite((*cloud)[i].z))
        differences.push_back(std::abs(pcls[i].z - ours[i].z));
    ASSERT_GT(differences.size(), 200000u);
    std::sort(differences.begin(), differences.end());
    const double sigma_r = pcl_filter.getSigmaR();
    EXPECT_LE(differences[differences.size() / 2], sigma_r / 15.0);
    EXPECT_LE(differences[differences.size() * 95 / 100], sigma_r / 4.0);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Recorded);

} // namespace
