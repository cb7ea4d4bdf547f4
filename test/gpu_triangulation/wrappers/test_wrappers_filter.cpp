// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_triangulation/references/scenes.h"
#include "wrappers.h"

#include <pcl/exceptions.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief A wall at 1 m with noise, a step to 1.5 m at the given column, no holes. */
Image<PointXYZ>
noisyStep(int rows, int columns, int step_column, float noise)
{
  std::mt19937 random(11);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  Image<float> depth(rows, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u)
      depth.at(v, u) = (u < step_column ? 1.0f : 1.5f) + noise * normal(random);
  return cloudOf(depth, cameraOfSize(rows, columns));
}

template <typename PointT>
double
deviation(const pcl::PointCloud<PointT>& cloud, double from)
{
  double sum = 0.0;
  for (const auto& point : cloud)
    sum += (point.z - from) * (point.z - from);
  return std::sqrt(sum / cloud.size());
}

template <typename Implementation>
class FilterDropIn : public DropInTest<Implementation> {};

TYPED_TEST_SUITE(FilterDropIn, Implementations, ImplementationName);

TYPED_TEST(FilterDropIn, HasPclsSettings)
{
  typename TypeParam::template BilateralFilter<PointXYZ> filter;
  EXPECT_EQ(filter.getSigmaS(), 15.0f);
  EXPECT_EQ(filter.getSigmaR(), 0.05f);
  filter.setSigmaS(4.0f);
  filter.setSigmaR(0.03f);
  EXPECT_EQ(filter.getSigmaS(), 4.0f);
  EXPECT_EQ(filter.getSigmaR(), 0.03f);
}

TYPED_TEST(FilterDropIn, SmoothsNoise)
{
  const auto cloud = cloudOfType<PointXYZ>(noisyStep(60, 80, 80, 0.005f));
  typename TypeParam::template BilateralFilter<PointXYZ> filter;
  filter.setSigmaS(4.0f);
  filter.setInputCloud(cloud);
  pcl::PointCloud<PointXYZ> filtered;
  filter.filter(filtered);
  EXPECT_EQ(filtered.width, 80u);
  EXPECT_EQ(filtered.height, 60u);
  EXPECT_TRUE(filtered.is_dense);
  EXPECT_LT(deviation(filtered, 1.0), 0.2 * deviation(*cloud, 1.0));
}

TYPED_TEST(FilterDropIn, KeepsEdges)
{
  const auto cloud = cloudOfType<PointXYZ>(noisyStep(60, 80, 40, 0.001f));
  typename TypeParam::template BilateralFilter<PointXYZ> filter;
  filter.setSigmaS(4.0f);
  filter.setInputCloud(cloud);
  pcl::PointCloud<PointXYZ> filtered;
  filter.filter(filtered);
  for (std::size_t i = 0; i < filtered.size(); ++i)
    EXPECT_NEAR(filtered[i].z, i % 80 < 40 ? 1.0f : 1.5f, 0.005f);
}

TYPED_TEST(FilterDropIn, ChangesZOnly)
{
  const auto cloud = cloudOfType<pcl::PointXYZRGB>(noisyStep(20, 30, 30, 0.01f));
  cloud->header.frame_id = "camera";
  cloud->sensor_origin_ = Eigen::Vector4f(1.0f, 2.0f, 3.0f, 0.0f);
  for (std::size_t i = 0; i < cloud->size(); ++i)
    (*cloud)[i].g = static_cast<std::uint8_t>(i);
  typename TypeParam::template BilateralFilter<pcl::PointXYZRGB> filter;
  filter.setInputCloud(cloud);
  filter.setIndices(pcl::IndicesPtr(new pcl::Indices{1, 2, 3}));
  pcl::PointCloud<pcl::PointXYZRGB> filtered;
  filter.filter(filtered);
  EXPECT_EQ(filtered.header.frame_id, "camera");
  EXPECT_EQ(filtered.sensor_origin_, cloud->sensor_origin_);
  ASSERT_EQ(filtered.size(), cloud->size()) << "indices are ignored";
  int changed = 0;
  for (std::size_t i = 0; i < cloud->size(); ++i) {
    EXPECT_EQ(filtered[i].x, (*cloud)[i].x);
    EXPECT_EQ(filtered[i].y, (*cloud)[i].y);
    EXPECT_EQ(filtered[i].g, (*cloud)[i].g);
    changed += filtered[i].z != (*cloud)[i].z;
  }
  EXPECT_GT(changed, 590);
}

TYPED_TEST(FilterDropIn, FiltersInPlaceAndThroughTheBaseClass)
{
  using BilateralFilter = typename TypeParam::template BilateralFilter<PointXYZ>;
  const auto cloud = cloudOfType<PointXYZ>(noisyStep(20, 30, 30, 0.01f));
  typename pcl::Filter<PointXYZ>::Ptr filter(new BilateralFilter);
  filter->setInputCloud(cloud);
  pcl::PointCloud<PointXYZ> filtered;
  filter->filter(filtered);
  filter->filter(*cloud);
  for (std::size_t i = 0; i < cloud->size(); ++i)
    EXPECT_EQ((*cloud)[i].z, filtered[i].z);
}

TYPED_TEST(FilterDropIn, ForgetsTheFormerCloud)
{
  typename TypeParam::template BilateralFilter<PointXYZ> filter;
  pcl::PointCloud<PointXYZ> filtered;
  for (const int rows : {30, 4, 17, 4}) {
    filter.setInputCloud(cloudOfType<PointXYZ>(noisyStep(rows, 2 * rows, 99, 0.002f)));
    filter.filter(filtered);
    ASSERT_EQ(filtered.size(), std::size_t(2 * rows * rows));
    for (const auto& point : filtered)
      EXPECT_NEAR(point.z, 1.0f, 0.006f);
  }
}

template <typename PointT, typename Implementation>
void
expectSmoothing()
{
  const auto cloud = cloudOfType<PointT>(noisyStep(60, 80, 80, 0.005f));
  typename Implementation::template BilateralFilter<PointT> filter;
  filter.setSigmaS(4.0f);
  filter.setInputCloud(cloud);
  pcl::PointCloud<PointT> filtered;
  filter.filter(filtered);
  EXPECT_LT(deviation(filtered, 1.0), 0.2 * deviation(*cloud, 1.0));
}

TYPED_TEST(FilterDropIn, TakesAllPointTypes)
{
  expectSmoothing<PointXYZ, TypeParam>();
  expectSmoothing<pcl::PointXYZRGB, TypeParam>();
  expectSmoothing<pcl::PointXYZRGBA, TypeParam>();
  if constexpr (TypeParam::is_ours) { // PCL's own is precompiled for those three alone.
    expectSmoothing<pcl::PointXYZI, TypeParam>();
    expectSmoothing<pcl::PointNormal, TypeParam>();
  }
}

/** \brief Features that only our class has. */
class FilterOptions : public DeviceTest {
protected:
  using BilateralFilter = pcl::gpu::FastBilateralFilter<PointXYZ>;

  template <typename Filter>
  static pcl::PointCloud<PointXYZ>
  filtered(Filter& filter)
  {
    pcl::PointCloud<PointXYZ> output;
    filter.filter(output);
    return output;
  }
};

TEST_P(FilterOptions, LeavesPointsWithoutDepthAlone)
{
  Image<PointXYZ> image = noisyStep(20, 30, 30, 0.001f);
  image.at(5, 5) = missingPoint();
  image.at(6, 15) = PointXYZ(0.1f, 0.2f, -1.0f);
  image.at(7, 25) = PointXYZ(0.1f, 0.2f, 0.0f);
  BilateralFilter filter;
  filter.setSigmaR(100.0f);
  filter.setInputCloud(cloudOfType<PointXYZ>(image));
  const auto output = filtered(filter);
  EXPECT_FALSE(output.is_dense);
  EXPECT_TRUE(std::isnan(output.at(5, 5).x) && std::isnan(output.at(5, 5).z));
  EXPECT_EQ(output.at(15, 6).z, -1.0f);
  EXPECT_EQ(output.at(25, 7).z, 0.0f);
  for (const auto& point : output) {
    if (point.z > 0.0f) {
      EXPECT_NEAR(point.z, 1.0f, 0.002f);
    }
  }
}

TEST_P(FilterOptions, MovesPointsAlongTheirRays)
{
  const auto cloud = cloudOfType<PointXYZ>(noisyStep(20, 30, 30, 0.01f));
  BilateralFilter filter;
  filter.setInputCloud(cloud);
  EXPECT_FALSE(filter.getRescaleXY());
  const auto z_only = filtered(filter);
  filter.setRescaleXY(true);
  EXPECT_TRUE(filter.getRescaleXY());
  const auto rescaled = filtered(filter);
  for (std::size_t i = 0; i < cloud->size(); ++i) {
    EXPECT_EQ(rescaled[i].z, z_only[i].z);
    const PointXYZ& p = (*cloud)[i];
    EXPECT_NEAR(rescaled[i].x / rescaled[i].z, p.x / p.z, 1e-6f);
    EXPECT_NEAR(rescaled[i].y / rescaled[i].z, p.y / p.z, 1e-6f);
  }
}

TEST_P(FilterOptions, ChoosesItsWindow)
{
  BilateralFilter filter;
  EXPECT_EQ(filter.getWindowRadius(), 16) << "three sigma_s are more than there is";
  filter.setSigmaS(2.1f);
  EXPECT_EQ(filter.getWindowRadius(), 7);
  filter.setSigmaS(1e-6f);
  EXPECT_EQ(filter.getWindowRadius(), 1);
  filter.setSigmaS(1e30f);
  EXPECT_EQ(filter.getWindowRadius(), 16);
  filter.setWindowRadius(4);
  EXPECT_EQ(filter.getWindowRadius(), 4);
  filter.setSigmaS(1.0f);
  EXPECT_EQ(filter.getWindowRadius(), 4);
}

TEST_P(FilterOptions, RejectsWhatItCannotDo)
{
  BilateralFilter filter;
  pcl::PointCloud<PointXYZ> output(3, 1);
  EXPECT_THROW(filter.filter(output), pcl::InitFailedException);
  EXPECT_THROW(filter.applyFilter(output), pcl::InitFailedException);
  filter.setInputCloud(cloudOfType<PointXYZ>(noisyStep(1, 30, 30, 0.0f)));
  EXPECT_THROW(filter.filter(output), pcl::UnorganizedPointCloudException);
  EXPECT_EQ(output.size(), 3u) << "the output was touched";
  using Bad = pcl::BadArgumentException;
  for (const float sigma : {-1.0f, 0.0f, NAN, std::numeric_limits<float>::infinity()}) {
    EXPECT_THROW(filter.setSigmaS(sigma), Bad) << sigma;
    EXPECT_THROW(filter.setSigmaR(sigma), Bad) << sigma;
  }
  for (const int radius : {-1, 0, 17})
    EXPECT_THROW(filter.setWindowRadius(radius), Bad) << radius;
}

TEST_P(FilterOptions, CopiesWorkApart)
{
  BilateralFilter first;
  first.setInputCloud(cloudOfType<PointXYZ>(noisyStep(60, 80, 40, 0.003f)));
  const auto expected = filtered(first);
  BilateralFilter second = first;
  const auto repeat = [&](BilateralFilter& filter) {
    const ScopedDevice scope(device());
    for (int i = 0; i < 20; ++i) {
      const auto output = filtered(filter);
      for (std::size_t j = 0; j < output.size(); ++j)
        ASSERT_EQ(output[j].z, expected[j].z);
    }
  };
  std::thread other([&] { repeat(second); });
  repeat(first);
  other.join();
}

TEST_P(FilterOptions, KeepsItsMemory)
{
  BilateralFilter filter;
  filter.setInputCloud(cloudOfType<PointXYZ>(noisyStep(120, 160, 80, 0.003f)));
  pcl::PointCloud<PointXYZ> output;
  expectNoGrowth([&] { filter.filter(output); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterOptions);

} // namespace
