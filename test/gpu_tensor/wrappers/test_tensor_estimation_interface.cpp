// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "signature_scenes.h"

#include <pcl/exceptions.h>
#include <pcl/search/kdtree.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

void
expectSame(const Signatures& a, const Signatures& b)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_TRUE(areSame(a[i], b[i])) << i;
}

class TensorFeature : public DeviceTest {};

TEST_P(TensorFeature, WorksThroughTheBaseClass)
{
  const OrientedCloud scene = damagedCloud(30, 40, 1);
  const Estimation::Ptr estimation(new Estimation);
  prepare(*estimation, scene);
  const pcl::FeatureFromNormals<PointXYZ, pcl::Normal, Signature>::Ptr base =
      estimation;
  Signatures signatures;
  base->compute(signatures);
  expectSame(signatures, signaturesOf(scene));
}

template <typename PointInT, typename PointNT>
void
expectScene(const OrientedCloud& scene, const Signatures& expected)
{
  TensorEstimation<PointInT, PointNT> estimation;
  prepare(estimation, scene);
  Signatures signatures;
  estimation.compute(signatures);
  expectSame(signatures, expected);
}

TEST_P(TensorFeature, TakesAllPointTypes)
{
  const OrientedCloud scene = damagedCloud(30, 40, 2);
  const Signatures expected = signaturesOf(scene);
  expectScene<PointXYZ, pcl::PointNormal>(scene, expected);
  expectScene<PointXYZ, pcl::PointXYZINormal>(scene, expected);
  expectScene<PointXYZ, pcl::PointXYZRGBNormal>(scene, expected);
  expectScene<pcl::PointXYZRGB, pcl::Normal>(scene, expected);
  expectScene<pcl::PointXYZRGBA, pcl::Normal>(scene, expected);
  expectScene<pcl::PointXYZI, pcl::Normal>(scene, expected);
  expectScene<pcl::PointNormal, pcl::PointNormal>(scene, expected);
}

TEST_P(TensorFeature, ForgetsTheFormerCloud)
{
  Estimation estimation;
  for (const int rows : {40, 16, 30, 2, 40}) {
    SCOPED_TRACE(sizeText(rows, rows + 9));
    const OrientedCloud scene = damagedCloud(rows, rows + 9, 3);
    prepare(estimation, scene);
    expectSame(signaturesOf(estimation), signaturesOf(scene));
    estimation.setIndices(pcl::IndicesPtr(new pcl::Indices{5}));
    EXPECT_EQ(signaturesOf(estimation).size(), 1u);
    estimation.setIndices(pcl::IndicesPtr());
  }
}

TEST_P(TensorFeature, UsesTheLastSizeOfVoxelsThatWasSet)
{
  const OrientedCloud scene = damagedCloud(30, 40, 4);
  Estimation estimation;
  prepare(estimation, scene);
  const Signatures of_size = signaturesOf(estimation);
  estimation.setVoxelSizeFactor(3.0f);
  const Signatures of_factor = signaturesOf(estimation);
  estimation.setVoxelSize(3.0f * pixel_distance);
  expectSame(signaturesOf(estimation), of_factor);
  estimation.setVoxelSizeFactor(signature_voxel_size / pixel_distance);
  expectSame(signaturesOf(estimation), of_size);
  estimation.setResolution(0.5f * pixel_distance);
  estimation.setDistances(10.0f, 28.0f);
  estimation.setVoxelSizeFactor(2.0f * signature_voxel_size / pixel_distance);
  expectSame(signaturesOf(estimation), of_size);
}

TEST_P(TensorFeature, LeavesTreeAndSurfaceAlone)
{
  const OrientedCloud scene = damagedCloud(30, 40, 5);
  Estimation estimation;
  prepare(estimation, scene);
  signaturesOf(estimation);
  EXPECT_EQ(estimation.getSearchMethod(), nullptr);
  EXPECT_EQ(estimation.getSearchSurface(), nullptr);
  const pcl::search::KdTree<PointXYZ>::Ptr tree(new pcl::search::KdTree<PointXYZ>);
  estimation.setSearchMethod(tree);
  signaturesOf(estimation);
  EXPECT_EQ(tree->getInputCloud(), nullptr);
}

TEST_P(TensorFeature, RejectsWhatItCannotDo)
{
  const OrientedCloud scene = damagedCloud(20, 30, 6);
  const auto cloud = pointsOf(scene);
  Estimation estimation;
  const auto run = [&estimation] { signaturesOf(estimation); };
  EXPECT_THROW(run(), pcl::InitFailedException);
  estimation.setInputCloud(cloud);
  EXPECT_THROW(run(), pcl::InitFailedException);
  estimation.setInputNormals(normalsOf(damagedCloud(20, 29, 6)));
  EXPECT_THROW(run(), pcl::BadArgumentException);
  estimation.setInputNormals(normalsOf(scene));
  EXPECT_NO_THROW(run());

  const pcl::PointCloud<PointXYZ>::Ptr line(new pcl::PointCloud<PointXYZ>(*cloud));
  line->width = static_cast<std::uint32_t>(line->size());
  line->height = 1;
  estimation.setInputCloud(line);
  EXPECT_THROW(run(), pcl::UnorganizedPointCloudException);
  estimation.setInputCloud(cloud);

  using Bad = pcl::BadArgumentException;
  estimation.setRadiusSearch(0.03);
  EXPECT_THROW(run(), Bad);
  estimation.setRadiusSearch(0.0);
  estimation.setKSearch(10);
  EXPECT_THROW(run(), Bad);
  estimation.setKSearch(0);
  estimation.setSearchSurface(line);
  EXPECT_THROW(run(), Bad);
  estimation.setSearchSurface(cloud);
  EXPECT_NO_THROW(run());
  for (const int index : {-1, 20 * 30}) {
    estimation.setIndices(pcl::IndicesPtr(new pcl::Indices{0, index}));
    EXPECT_THROW(run(), Bad) << index;
  }
  estimation.setIndices(pcl::IndicesPtr());
  cloud->sensor_origin_[1] = NAN;
  EXPECT_THROW(run(), Bad);
  cloud->sensor_origin_[1] = 0.0f;
  EXPECT_NO_THROW(run());

  for (const float value : {-1.0f, NAN, INFINITY}) {
    EXPECT_THROW(estimation.setResolution(value), Bad);
    EXPECT_THROW(estimation.setDistances(value, 14.0f), Bad);
    EXPECT_THROW(estimation.setMinAngle(value), Bad);
    EXPECT_THROW(estimation.setVoxelSize(value), Bad);
    EXPECT_THROW(estimation.setVoxelSizeFactor(value), Bad);
    EXPECT_THROW(estimation.setMinArea(value), Bad);
  }
  EXPECT_EQ(estimation.getResolution(), 0.0f);
  EXPECT_THROW(estimation.setDistances(5.0f, 4.0f), Bad);
  EXPECT_THROW(estimation.setWindowRadius(0), Bad);
  EXPECT_THROW(estimation.setWindowRadius(65), Bad);
  EXPECT_THROW(estimation.setTriangles(static_cast<TensorTriangles>(7)), Bad);
}

TEST_P(TensorFeature, CopiesWorkApart)
{
  Estimation first;
  prepare(first, damagedCloud(40, 50, 7));
  const Signatures expected = signaturesOf(first);
  Estimation second = first;
  const auto repeat = [&](Estimation& estimation) {
    const ScopedDevice scope(device());
    for (int i = 0; i < 4; ++i)
      expectSame(signaturesOf(estimation), expected);
  };
  std::thread other([&] { repeat(second); });
  repeat(first);
  other.join();
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorFeature);

} // namespace
