// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "gpu_tensor/tensors/tensor_scenes.h"
#include "registration/scanned_view.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Points on a ball of 0.1 m about a place, random and dense. */
pcl::PointCloud<pcl::PointXYZ>::Ptr
ball(const Eigen::Vector3f& middle)
{
  const pcl::PointCloud<pcl::PointXYZ>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZ>);
  for (int i = 0; i < 20000; ++i) {
    // Evenly spread by the golden angle.
    const float z = 1.0f - 2.0f * (i + 0.5f) / 20000.0f, angle = 2.39996323f * i;
    const float r = std::sqrt(1.0f - z * z);
    const Eigen::Vector3f at =
        middle + 0.1f * Eigen::Vector3f(r * std::cos(angle), r * std::sin(angle), z);
    cloud->emplace_back(at.x(), at.y(), at.z());
  }
  return cloud;
}

/** \brief 50 x 50 points in a plane. */
pcl::PointCloud<pcl::PointXYZ>::Ptr
plane(float step_x, float step_y)
{
  const pcl::PointCloud<pcl::PointXYZ>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZ>);
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 50; ++j)
      cloud->emplace_back(step_x * i, step_y * j, 1.0f);
  return cloud;
}

TEST(EvenSurface, HasOnePointAResolutionWithNormalsThatFaceTheOrigin)
{
  const Eigen::Vector3f middle(0.1f, 0.0f, 1.0f);
  const float resolution = 0.01f;
  const auto surface = evenSurface(ball(middle), resolution);
  // A ball's area over those of the parts of it in voxels, which are 0.5 to 1 faces.
  const float faces = 4.0f * 3.14159265f * 0.01f / (resolution * resolution);
  EXPECT_GT(surface->size(), faces);
  EXPECT_LT(surface->size(), 2.0f * faces);
  for (const pcl::PointNormal& point : *surface) {
    const Eigen::Vector3f outward = (point.getVector3fMap() - middle).normalized();
    const Eigen::Vector3f normal = point.getNormalVector3fMap();
    EXPECT_NEAR((point.getVector3fMap() - middle).norm(), 0.1f, 0.001f);
    EXPECT_GT(std::abs(normal.dot(outward)), 0.97f);
    EXPECT_LE(normal.dot(point.getVector3fMap()), 0.0f);
  }
}

TEST(EvenSurface, HasNoPointWithoutNeighbours)
{
  const auto cloud = ball({0.0f, 0.0f, 1.0f});
  const std::size_t expected = evenSurface(cloud, 0.01f)->size();
  cloud->emplace_back(3.0f, 0.0f, 0.0f);
  EXPECT_EQ(evenSurface(cloud, 0.01f)->size(), expected);
}

TEST(ResolutionOfClouds, MayNotBeTooSmall)
{
  const auto cloud = ball({0.0f, 0.0f, 1.0f});
  EXPECT_NO_THROW(checkResolution(*cloud, 0.001f));
  for (const float wrong :
       {0.0001f, 0.0f, -1.0f, std::numeric_limits<float>::infinity()})
    EXPECT_THROW(checkResolution(*cloud, wrong), pcl::BadArgumentException);
  for (pcl::PointXYZ& point : *cloud)
    point.x += 5e5f; // in steps of 3 cm
  EXPECT_THROW(checkResolution(*cloud, 0.001f), pcl::BadArgumentException);
}

TEST(PointSpacing, IsTheMedianDistanceOfNeighbours)
{
  EXPECT_NEAR(pointSpacing(plane(0.004f, 0.006f)), 0.004f, 1e-6f);
}

TEST(UsualExtent, DoesNotDependOnOutliers)
{
  const auto cloud = plane(0.004f, 0.006f);
  const float extent = usualExtent(*cloud);
  // A hundredth of the points lies in half a row or column.
  EXPECT_NEAR(extent, std::hypot(49 * 0.004f, 49 * 0.006f), 0.01f);
  for (int i = 0; i < 10; ++i)
    cloud->emplace_back(65.0f, 0.0f, 3.0f);
  EXPECT_NEAR(usualExtent(*cloud), extent, 0.01f);
}

class SurfaceTensors : public DeviceTest {};

TEST_P(SurfaceTensors, WithReversedNormalsAreThoseOfTheReversedSurface)
{
  const auto surface = evenSurface(ball({0.1f, 0.0f, 1.0f}), 0.01f);
  const TensorParameters parameters = recognitionParameters(0.01f);
  TensorExtraction extraction;
  const HostTensorSet seen = reversedTensors(
      downloadTensors(surfaceTensors(surface, parameters, 100, true, extraction)));
  for (pcl::PointNormal& point : *surface)
    point.getNormalVector3fMap() *= -1.0f;
  const HostTensorSet reversed =
      downloadTensors(surfaceTensors(surface, parameters, 100, true, extraction));
  ASSERT_EQ(seen.frames.size(), 100u);
  ASSERT_EQ(reversed.frames.size(), 100u);
  for (std::size_t t = 0; t < seen.frames.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(seen.frames[t].x_axis[i], reversed.frames[t].x_axis[i], 1e-5f);
      EXPECT_NEAR(seen.frames[t].y_axis[i], reversed.frames[t].y_axis[i], 1e-5f);
      EXPECT_NEAR(seen.frames[t].z_axis[i], reversed.frames[t].z_axis[i], 1e-5f);
      EXPECT_NEAR(seen.frames[t].origin[i], reversed.frames[t].origin[i], 1e-6f);
    }
    EXPECT_EQ(seen.frames[t].first, reversed.frames[t].first);
    const auto areas = [t](const HostTensorSet& tensors) {
      std::map<int, float> of_voxels;
      for (std::uint32_t i = tensors.starts[t]; i < tensors.starts[t + 1]; ++i)
        of_voxels[tensors.voxels[i]] = tensors.areas[i];
      return of_voxels;
    };
    const auto a = areas(seen), b = areas(reversed);
    float difference = 0.0f, sum = 0.0f;
    for (const auto& [voxel, area] : a) {
      const auto other = b.find(voxel);
      difference += std::abs(area - (other == b.end() ? 0.0f : other->second));
      sum += area;
    }
    EXPECT_LT(difference, 1e-3f * sum);
    EXPECT_TRUE(std::is_sorted(seen.voxels.begin() + seen.starts[t],
                               seen.voxels.begin() + seen.starts[t + 1]));
  }
}

TEST_P(SurfaceTensors, WithoutSidesDoNotDependOnThem)
{
  const auto surface = evenSurface(ball({0.1f, 0.0f, 1.0f}), 0.01f);
  const TensorParameters parameters = recognitionParameters(0.01f);
  TensorExtraction extraction;
  const auto tensors = [&] {
    return downloadTensors(surfaceTensors(surface, parameters, 100, false, extraction));
  };
  const HostTensorSet seen = tensors(), other_side = reversedTensors(seen);
  const int count = static_cast<int>(surface->size());
  // Reverses every second normal: of first points, of partners, and of others.
  for (int i = 0; i < count; i += 2)
    (*surface)[i].getNormalVector3fMap() *= -1.0f;
  const HostTensorSet again = tensors();
  ASSERT_EQ(again.frames.size(), seen.frames.size());
  int reversed = 0;
  for (std::size_t t = 0; t < seen.frames.size(); ++t) {
    EXPECT_GT(seen.frames[t].angle, parameters.min_angle - 1e-4f);
    EXPECT_LT(seen.frames[t].angle, 1.41f);
    EXPECT_NEAR(again.frames[t].angle, seen.frames[t].angle, 1e-5f);
    const bool is_same = again.frames[t].z_axis[0] * seen.frames[t].z_axis[0] > 0.0f;
    const HostTensorSet& expected = is_same ? seen : other_side;
    reversed += is_same ? 0 : 1;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(again.frames[t].x_axis[i], expected.frames[t].x_axis[i], 1e-5f);
      EXPECT_NEAR(again.frames[t].z_axis[i], expected.frames[t].z_axis[i], 1e-5f);
    }
  }
  EXPECT_GT(reversed, 20);
  EXPECT_LT(reversed, 80);
}

TEST_P(SurfaceTensors, OfBothSidesAreThoseOfTheOneAndThoseOfTheOther)
{
  const auto surface = evenSurface(ball({0.1f, 0.0f, 1.0f}), 0.01f);
  TensorExtraction extraction;
  const TensorSet one =
      surfaceTensors(surface, recognitionParameters(0.01f), 50, false, extraction);
  const HostTensorSet seen = downloadTensors(one), other = reversedTensors(seen);
  const HostTensorSet both = downloadTensors(tensorsOfBothSides(one));
  ASSERT_EQ(both.frames.size(), 100u);
  ASSERT_EQ(both.voxels.size(), 2 * seen.voxels.size());
  for (std::size_t t = 0; t < 100; ++t) {
    const HostTensorSet& expected = t < 50 ? seen : other;
    const std::size_t from = expected.starts[t % 50], to = expected.starts[t % 50 + 1];
    ASSERT_EQ(both.starts[t + 1] - both.starts[t], to - from);
    EXPECT_EQ(both.frames[t].origin[2], expected.frames[t % 50].origin[2]);
    EXPECT_TRUE(std::equal(expected.voxels.begin() + from,
                           expected.voxels.begin() + to,
                           both.voxels.begin() + both.starts[t]));
    EXPECT_TRUE(std::equal(expected.areas.begin() + from,
                           expected.areas.begin() + to,
                           both.areas.begin() + both.starts[t]));
  }
}

TEST_P(SurfaceTensors, OfAPlaneAreNone)
{
  TensorExtraction extraction;
  const TensorSet tensors = surfaceTensors(evenSurface(plane(0.005f, 0.005f), 0.01f),
                                           recognitionParameters(0.01f),
                                           100,
                                           true,
                                           extraction);
  EXPECT_TRUE(tensors.frames.empty());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SurfaceTensors);

class SurfacesOnDevice : public DeviceTest {};

TEST_P(SurfacesOnDevice, HaveTheSameGridAsOnTheHost)
{
  const auto surface = evenSurface(ball({0.1f, 0.0f, 1.0f}), 0.01f);
  Workspace workspace;
  const SurfaceOnDevice made(*surface, std::nullopt, 0.01f, workspace);
  EXPECT_EQ(made.get().count, static_cast<int>(surface->size()));
  EXPECT_NEAR(made.get().center[0], 0.1f, 0.002f);
  EXPECT_EQ(made.get().seen.depth.data, nullptr);
  const std::size_t cells = made.get().grid.cells();
  std::vector<int> nearest(cells), on_host(cells);
  std::vector<pcl::device::Float4> points(surface->size());
  // The memory is the object's own.
  DeviceArray<int>(const_cast<int*>(made.get().grid.nearest), cells)
      .download(nearest.data());
  DeviceArray<pcl::device::Float4>(const_cast<pcl::device::Float4*>(made.get().points),
                                   points.size())
      .download(points.data());
  std::vector<std::uint64_t> keys(cells);
  pcl::device::GridTask task{};
  task.points = points.data();
  task.count = made.get().count;
  std::copy_n(made.get().center, 3, task.center);
  task.grid = made.get().grid;
  task.reach = grid_reach;
  task.keys = keys.data();
  task.nearest = on_host.data();
  pcl::device::host::fillGrid(task);
  EXPECT_EQ(nearest, on_host);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SurfacesOnDevice);

} // namespace
