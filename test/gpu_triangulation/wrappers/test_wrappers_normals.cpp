// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_triangulation/references/reference.h"
#include "gpu_triangulation/references/scenes.h"
#include "wrappers.h"

#include <pcl/exceptions.h>
#include <pcl/search/kdtree.h>

#include <cmath>
#include <thread>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

constexpr double degrees = 180.0 / M_PI;
const Eigen::Vector3d tilted(0.3, -0.5, -0.8);

Image<PointXYZ>
tiltedPlane(int rows = 24, int columns = 32)
{
  const PinholeCamera camera = cameraOfSize(rows, columns);
  return cloudOf(planeDepth(camera, tilted, 1.5), camera);
}

template <typename NormalT>
double
degreesTo(const Eigen::Vector3d& expected, const NormalT& normal)
{
  return angleBetween(normal.getNormalVector3fMap().template cast<double>(), expected) *
         degrees;
}

/** \brief PCL's search on a plane needs a tree that does not guess a camera from it. */
template <typename Estimation, typename CloudPtr>
void
prepare(Estimation& estimation, const CloudPtr& cloud)
{
  using PointT = typename CloudPtr::element_type::PointType;
  estimation.setSearchMethod(
      typename pcl::search::KdTree<PointT>::Ptr(new pcl::search::KdTree<PointT>));
  estimation.setKSearch(25);
  estimation.setInputCloud(cloud);
}

template <typename Implementation>
class NormalsDropIn : public DropInTest<Implementation> {};

TYPED_TEST_SUITE(NormalsDropIn, Implementations, ImplementationName);

TYPED_TEST(NormalsDropIn, FindsThePlane)
{
  const auto cloud = cloudOfType<PointXYZ>(tiltedPlane());
  cloud->header.frame_id = "camera";
  cloud->header.stamp = 42;
  typename TypeParam::template Normals<PointXYZ> estimation;
  prepare(estimation, cloud);
  pcl::PointCloud<pcl::Normal> normals;
  estimation.compute(normals);
  EXPECT_EQ(normals.header.frame_id, "camera");
  EXPECT_EQ(normals.header.stamp, 42u);
  EXPECT_EQ(normals.width, 32u);
  EXPECT_EQ(normals.height, 24u);
  EXPECT_TRUE(normals.is_dense);
  ASSERT_EQ(normals.size(), cloud->size());
  for (const auto& normal : normals) {
    EXPECT_LE(degreesTo(tilted, normal), 0.1);
    EXPECT_LE(normal.curvature, 1e-5f);
  }
}

TYPED_TEST(NormalsDropIn, FindsTheSphere)
{
  const PinholeCamera camera = cameraOfSize(90, 120);
  const Eigen::Vector3d center(0.02, -0.01, 1.5);
  const auto cloud =
      cloudOfType<PointXYZ>(cloudOf(sphereDepth(camera, center, 0.4), camera));
  ASSERT_FALSE(cloud->is_dense);
  typename TypeParam::template Normals<PointXYZ> estimation;
  prepare(estimation, cloud);
  pcl::PointCloud<pcl::Normal> normals;
  estimation.compute(normals);
  EXPECT_FALSE(normals.is_dense);
  int compared = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Eigen::Vector3d p = (*cloud)[i].getVector3fMap().cast<double>();
    if (!p.allFinite()) {
      EXPECT_TRUE(std::isnan(normals[i].normal_x) && std::isnan(normals[i].normal_y) &&
                  std::isnan(normals[i].normal_z) && std::isnan(normals[i].curvature));
      continue;
    }
    const Eigen::Vector3d outward = p - center;
    if (angleBetween(outward, -p) > 0.5)
      continue;
    ++compared;
    EXPECT_LE(degreesTo(outward, normals[i]), 2.0);
  }
  EXPECT_GT(compared, 200);
}

TYPED_TEST(NormalsDropIn, HonoursIndices)
{
  const auto cloud =
      cloudOfType<PointXYZ>(cloudOf(roughDepth(40, 50, 0.05, 3), cameraOfSize(40, 50)));
  typename TypeParam::template Normals<PointXYZ> estimation;
  prepare(estimation, cloud);
  pcl::PointCloud<pcl::Normal> all;
  estimation.compute(all);
  pcl::IndicesPtr indices(new pcl::Indices{1999, 0, 7, 7, 1043});
  estimation.setIndices(indices);
  pcl::PointCloud<pcl::Normal> some;
  estimation.compute(some);
  ASSERT_EQ(some.size(), 5u);
  EXPECT_EQ(some.width, 5u);
  EXPECT_EQ(some.height, 1u);
  for (std::size_t i = 0; i < 5; ++i) {
    const pcl::Normal& expected = all[(*indices)[i]];
    if (std::isnan(expected.normal_x))
      EXPECT_TRUE(std::isnan(some[i].normal_x));
    else
      EXPECT_EQ(some[i].getNormalVector3fMap(), expected.getNormalVector3fMap());
  }
  // As many indices as points keep the cloud organized, in PCL as here.
  indices->clear();
  for (int i = static_cast<int>(cloud->size()) - 1; i >= 0; --i)
    indices->push_back(i);
  estimation.compute(some);
  EXPECT_EQ(some.width, 50u);
  ASSERT_EQ(some.size(), all.size());
  EXPECT_EQ(std::isnan(some.front().normal_x), std::isnan(all.back().normal_x));
}

TYPED_TEST(NormalsDropIn, TurnsToTheViewpoint)
{
  const auto cloud = cloudOfType<PointXYZ>(tiltedPlane());
  cloud->sensor_origin_ = Eigen::Vector4f(1.0f, 2.0f, 30.0f, 0.0f);
  typename TypeParam::template Normals<PointXYZ> estimation;
  prepare(estimation, cloud);
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  estimation.getViewPoint(x, y, z);
  EXPECT_EQ(Eigen::Vector3f(x, y, z), Eigen::Vector3f(1.0f, 2.0f, 30.0f));
  pcl::PointCloud<pcl::Normal> normals;
  estimation.compute(normals);
  EXPECT_LE(degreesTo(-tilted, normals[100]), 0.1);

  estimation.setViewPoint(0.0f, 0.0f, -5.0f);
  estimation.setInputCloud(cloud);
  estimation.getViewPoint(x, y, z);
  EXPECT_EQ(z, -5.0f);
  estimation.compute(normals);
  EXPECT_LE(degreesTo(tilted, normals[100]), 0.1);

  estimation.useSensorOriginAsViewPoint();
  estimation.getViewPoint(x, y, z);
  EXPECT_EQ(z, 30.0f);
  estimation.compute(normals);
  EXPECT_LE(degreesTo(-tilted, normals[100]), 0.1);
}

TYPED_TEST(NormalsDropIn, WorksThroughTheBaseClass)
{
  using Estimation = typename TypeParam::template Normals<PointXYZ>;
  typename pcl::Feature<PointXYZ, pcl::Normal>::Ptr estimation(new Estimation);
  prepare(*estimation, cloudOfType<PointXYZ>(tiltedPlane()));
  pcl::PointCloud<pcl::Normal> normals;
  estimation->compute(normals);
  EXPECT_LE(degreesTo(tilted, normals[100]), 0.1);
}

TYPED_TEST(NormalsDropIn, ForgetsTheFormerCloud)
{
  typename TypeParam::template Normals<PointXYZ> estimation;
  pcl::PointCloud<pcl::Normal> normals;
  for (const int rows : {30, 8, 17, 8}) {
    prepare(estimation, cloudOfType<PointXYZ>(tiltedPlane(rows, 2 * rows)));
    estimation.compute(normals);
    ASSERT_EQ(normals.size(), std::size_t(2 * rows * rows));
    EXPECT_EQ(normals.width, static_cast<std::uint32_t>(2 * rows));
    EXPECT_LE(degreesTo(tilted, normals.back()), 0.1);
  }
}

template <typename PointT, typename NormalT, typename Implementation>
void
expectPlane()
{
  typename Implementation::template Normals<PointT, NormalT> estimation;
  prepare(estimation, cloudOfType<PointT>(tiltedPlane()));
  pcl::PointCloud<NormalT> normals;
  estimation.compute(normals);
  for (const auto& normal : normals)
    ASSERT_LE(degreesTo(tilted, normal), 0.1);
}

TYPED_TEST(NormalsDropIn, TakesAllPointTypes)
{
  expectPlane<PointXYZ, pcl::PointNormal, TypeParam>();
  expectPlane<PointXYZ, pcl::PointXYZRGBNormal, TypeParam>();
  expectPlane<pcl::PointXYZRGB, pcl::Normal, TypeParam>();
  expectPlane<pcl::PointXYZRGB, pcl::PointXYZRGBNormal, TypeParam>();
  expectPlane<pcl::PointXYZRGBA, pcl::Normal, TypeParam>();
  expectPlane<pcl::PointXYZI, pcl::Normal, TypeParam>();
  expectPlane<pcl::PointNormal, pcl::PointNormal, TypeParam>();
}

/** \brief Features that only our class has. */
class NormalsOptions : public DeviceTest {
protected:
  using Estimation = OrganizedNormalEstimation<PointXYZ>;

  static pcl::PointCloud<pcl::Normal>
  computed(pcl::Feature<PointXYZ, pcl::Normal>& estimation)
  {
    pcl::PointCloud<pcl::Normal> normals;
    estimation.compute(normals);
    return normals;
  }

  static pcl::PointCloud<PointXYZ>::Ptr
  roughCloud(int rows, int columns)
  {
    return cloudOfType<PointXYZ>(
        cloudOf(roughDepth(rows, columns, 0.1, 5), cameraOfSize(rows, columns)));
  }
};

TEST_P(NormalsOptions, AreTheDeviceClassesOwn)
{
  const auto cloud = roughCloud(60, 80);
  Estimation estimation;
  estimation.setInputCloud(cloud);
  estimation.setNormalEstimationMethod(NormalEstimationMethod::COVARIANCE_MATRIX);
  estimation.setWindowSize(5);
  estimation.setMaxDepthChangeFactor(0.02f);
  const auto normals = computed(estimation);

  NormalMapEstimation device_class;
  NormalMapEstimationParameters parameters;
  parameters.method = NormalEstimationMethod::COVARIANCE_MATRIX;
  parameters.window_radius = 2;
  parameters.max_depth_change_factor = 0.02f;
  device_class.setParameters(parameters);
  NormalMap map;
  device_class.compute(uploaded(positionsOf(*cloud)), map);
  const Image<PointXYZ> expected = downloaded(map);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const PointXYZ& e = expected.data[i];
    const float values[] = {normals[i].normal_x,
                            normals[i].normal_y,
                            normals[i].normal_z,
                            normals[i].curvature};
    for (int k = 0; k < 4; ++k)
      ASSERT_TRUE(values[k] == e.data[k] ||
                  (std::isnan(values[k]) && std::isnan(e.data[k])));
  }
}

TEST_P(NormalsOptions, MapNeighboursToWindows)
{
  Estimation estimation;
  EXPECT_EQ(estimation.getWindowSize(), 7);
  const int expected[][2] = {
      {1, 3}, {9, 3}, {10, 5}, {25, 5}, {26, 7}, {49, 7}, {50, 9}};
  for (const auto& pair : expected) {
    estimation.setKSearch(pair[0]);
    EXPECT_EQ(estimation.getKSearch(), pair[0]);
    EXPECT_EQ(estimation.getWindowSize(), pair[1]) << pair[0];
  }
  estimation.setKSearch(33 * 33);
  EXPECT_EQ(estimation.getWindowSize(), 33);
  estimation.setWindowSize(5);
  EXPECT_EQ(estimation.getKSearch(), 25);
  const float sizes[][2] = {{0.5f, 3}, {3.0f, 3}, {3.1f, 5}, {10.0f, 11}, {33.0f, 33}};
  for (const auto& pair : sizes) {
    estimation.setNormalSmoothingSize(pair[0]);
    EXPECT_EQ(estimation.getWindowSize(), pair[1]) << pair[0];
  }
}

TEST_P(NormalsOptions, LeaveOutNeighboursAcrossJumps)
{
  Image<PointXYZ> image = tiltedPlane();
  for (int v = 0; v < image.rows; ++v)
    for (int u = 16; u < image.columns; ++u)
      image.at(v, u).getVector3fMap() *= 2.0f;
  Estimation estimation;
  estimation.setInputCloud(cloudOfType<PointXYZ>(image));
  for (const auto& normal : computed(estimation))
    EXPECT_LE(degreesTo(tilted, normal), 0.1) << "by default";
  estimation.setNormalEstimationMethod(NormalEstimationMethod::COVARIANCE_MATRIX);
  EXPECT_EQ(estimation.getNormalEstimationMethod(),
            NormalEstimationMethod::COVARIANCE_MATRIX);
  EXPECT_TRUE(std::isinf(estimation.getMaxDepthChangeFactor()));
  EXPECT_GT(degreesTo(tilted, computed(estimation).at(15, 12)), 10.0);
  estimation.setMaxDepthChangeFactor(0.3f);
  EXPECT_EQ(estimation.getMaxDepthChangeFactor(), 0.3f);
  for (const auto& normal : computed(estimation))
    EXPECT_LE(degreesTo(tilted, normal), 0.1);
}

TEST_P(NormalsOptions, LeaveCoordinatesAndTreeAlone)
{
  OrganizedNormalEstimation<PointXYZ, pcl::PointNormal> estimation;
  const auto cloud = cloudOfType<PointXYZ>(tiltedPlane());
  cloud->sensor_origin_ = Eigen::Vector4f(0.1f, 0.2f, 0.3f, 0.0f);
  estimation.setInputCloud(cloud);
  pcl::PointCloud<pcl::PointNormal> normals(32, 24);
  normals[5].x = 17.0f;
  estimation.compute(normals);
  EXPECT_EQ(normals[5].x, 17.0f);
  EXPECT_EQ(estimation.getSearchMethod(), nullptr);
  EXPECT_EQ(estimation.getSearchSurface(), nullptr);
  EXPECT_EQ(normals.sensor_origin_, cloud->sensor_origin_);
}

TEST_P(NormalsOptions, RejectWhatTheyCannotDo)
{
  Estimation estimation;
  pcl::PointCloud<pcl::Normal> normals;
  const auto run = [&] { estimation.compute(normals); };
  EXPECT_THROW(run(), pcl::InitFailedException);
  estimation.setInputCloud(nullptr);
  EXPECT_THROW(run(), pcl::InitFailedException);
  const auto line = cloudOfType<PointXYZ>(tiltedPlane(1, 100));
  estimation.setInputCloud(line);
  EXPECT_THROW(run(), pcl::UnorganizedPointCloudException);
  const auto cloud = cloudOfType<PointXYZ>(tiltedPlane());
  estimation.setInputCloud(cloud);
  EXPECT_NO_THROW(run());

  using Bad = pcl::BadArgumentException;
  for (const int size : {-1, 0, 1, 2, 4, 35})
    EXPECT_THROW(estimation.setWindowSize(size), Bad) << size;
  for (const float size : {-1.0f, 0.0f, 33.5f, NAN})
    EXPECT_THROW(estimation.setNormalSmoothingSize(size), Bad) << size;
  for (const float factor : {-1.0f, 0.0f, NAN})
    EXPECT_THROW(estimation.setMaxDepthChangeFactor(factor), Bad) << factor;
  for (const int k : {-1, 0, 33 * 33 + 1}) {
    estimation.setKSearch(k);
    EXPECT_THROW(run(), Bad) << k;
  }
  estimation.setKSearch(9);
  estimation.setRadiusSearch(0.03);
  EXPECT_THROW(run(), Bad);
  estimation.setRadiusSearch(0.0);
  estimation.setSearchSurface(line);
  EXPECT_THROW(run(), Bad);
  estimation.setSearchSurface(cloud);
  EXPECT_NO_THROW(run());
  estimation.setViewPoint(NAN, 0.0f, 0.0f);
  EXPECT_THROW(run(), Bad);
  estimation.useSensorOriginAsViewPoint();
  for (const int index : {-1, 24 * 32}) {
    estimation.setIndices(pcl::IndicesPtr(new pcl::Indices{0, index}));
    EXPECT_THROW(run(), Bad) << index;
  }
}

TEST_P(NormalsOptions, CopiesWorkApart)
{
  Estimation first;
  first.setInputCloud(roughCloud(60, 80));
  const auto expected = computed(first);
  Estimation second = first;
  const auto repeat = [&](Estimation& estimation) {
    const ScopedDevice scope(device());
    for (int i = 0; i < 20; ++i) {
      const auto normals = computed(estimation);
      for (std::size_t j = 0; j < normals.size(); ++j)
        ASSERT_TRUE(normals[j].normal_x == expected[j].normal_x ||
                    std::isnan(expected[j].normal_x));
    }
  };
  std::thread other([&] { repeat(second); });
  repeat(first);
  other.join();
}

TEST_P(NormalsOptions, KeepTheirMemory)
{
  OrganizedNormalEstimation<PointXYZ, pcl::PointXYZRGBNormal> estimation;
  estimation.setInputCloud(roughCloud(120, 160));
  pcl::PointCloud<pcl::PointXYZRGBNormal> normals;
  expectNoGrowth([&] { estimation.compute(normals); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(NormalsOptions);

} // namespace
