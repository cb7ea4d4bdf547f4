// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "gpu_tensor/tensors/tensor_scenes.h"
#include "registration/scanned_view.h"
#include "testing/image.h"

#include <pcl/features/normal_3d.h>
#include <pcl/filters/voxel_grid.h>
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

EvenSurface
surfaceOf(const pcl::PointCloud<pcl::PointXYZ>& cloud)
{
  Workspace workspace;
  return evenSurface(cloud, 0.01f, workspace);
}

class EvenSurfaces : public DeviceTest {};

TEST_P(EvenSurfaces, HaveThePointsOfAVoxelGrid)
{
  const auto cloud = ball({0.1f, -0.2f, 1.0f});
  pcl::VoxelGrid<pcl::PointXYZ> grid;
  grid.setInputCloud(cloud);
  grid.setLeafSize(0.01f, 0.01f, 0.01f);
  pcl::PointCloud<pcl::PointXYZ> expected;
  grid.filter(expected);
  const std::vector<pcl::PointXYZ> points = downloaded(surfaceOf(*cloud).points);
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_LT((points[i].getVector3fMap() - expected[i].getVector3fMap()).norm(),
              1e-6f);
}

TEST_P(EvenSurfaces, HaveNormalsOfTheirNeighboursThatFaceTheOrigin)
{
  const EvenSurface surface = surfaceOf(*ball({0.1f, -0.2f, 1.0f}));
  const pcl::PointCloud<pcl::PointXYZ>::Ptr points(new pcl::PointCloud<pcl::PointXYZ>);
  for (const pcl::PointXYZ& point : downloaded(surface.points))
    points->push_back(point);
  pcl::NormalEstimation<pcl::PointXYZ, pcl::Normal> estimation;
  estimation.setInputCloud(points);
  estimation.setRadiusSearch(0.025);
  pcl::PointCloud<pcl::Normal> expected;
  estimation.compute(expected);
  const std::vector<pcl::PointXYZ> normals = downloaded(surface.normals);
  ASSERT_EQ(normals.size(), expected.size());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Eigen::Vector3f normal = normals[i].getVector3fMap();
    EXPECT_NEAR(normal.norm(), 1.0f, 1e-6f);
    EXPECT_GT(std::abs(normal.dot(expected[i].getNormalVector3fMap())), 0.99999f);
    EXPECT_LE(normal.dot((*points)[i].getVector3fMap()), 0.0f);
  }
}

TEST_P(EvenSurfaces, OrderThePointsWithNormalsOnly)
{
  const auto cloud = ball({0.0f, 0.0f, 1.0f});
  const std::size_t count = surfaceOf(*cloud).order.size();
  cloud->emplace_back(3.0f, 0.0f, 0.0f);
  const EvenSurface surface = surfaceOf(*cloud);
  EXPECT_EQ(surface.points.size(), count + 1);
  std::vector<int> order = surface.order;
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  ASSERT_EQ(order.size(), count);
  const std::vector<pcl::PointXYZ> points = downloaded(surface.points);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_LT(points[order[i]].x, 0.2f);
    EXPECT_TRUE(i == 0 || order[i] > order[i - 1]);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(EvenSurfaces);

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

/** \brief Returns the tensors of a surface whose normals are all reversed: the frames
 * are turned by half a turn about y. */
HostTensorSet
reversedTensors(const HostTensorSet& tensors)
{
  HostTensorSet reversed = tensors;
  const int n = tensors.grid_size;
  for (TensorFrame& frame : reversed.frames) {
    for (int i = 0; i < 3; ++i) {
      frame.x_axis[i] = -frame.x_axis[i];
      frame.z_axis[i] = -frame.z_axis[i];
    }
    std::swap(frame.first, frame.second);
  }
  for (std::size_t t = 0; t < tensors.frames.size(); ++t) {
    const std::uint32_t first = tensors.starts[t], end = tensors.starts[t + 1];
    std::map<int, float> areas;
    for (std::uint32_t i = first; i < end; ++i) {
      const int x = tensors.voxels[i] % n, y = tensors.voxels[i] / n % n;
      const int z = tensors.voxels[i] / (n * n);
      areas[((n - 1 - z) * n + y) * n + n - 1 - x] = tensors.areas[i];
    }
    std::uint32_t to = first;
    for (const auto& [voxel, area] : areas) {
      reversed.voxels[to] = static_cast<std::uint16_t>(voxel);
      reversed.areas[to++] = area;
    }
  }
  return reversed;
}

/** \brief Reverses the normals of every so many points. */
void
reverseNormals(EvenSurface& surface, std::size_t step)
{
  std::vector<pcl::PointXYZ> normals = downloaded(surface.normals);
  for (std::size_t i = 0; i < normals.size(); i += step)
    normals[i].getVector3fMap() *= -1.0f;
  surface.normals.upload(normals);
}

class SurfaceTensors : public DeviceTest {};

TEST_P(SurfaceTensors, WithReversedNormalsAreThoseOfTheReversedSurface)
{
  EvenSurface surface = surfaceOf(*ball({0.1f, 0.0f, 1.0f}));
  const TensorParameters parameters = recognitionParameters(0.01f);
  TensorExtraction extraction;
  const HostTensorSet seen = reversedTensors(
      downloadTensors(surfaceTensors(surface, parameters, 100, true, extraction)));
  reverseNormals(surface, 1);
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
  EvenSurface surface = surfaceOf(*ball({0.1f, 0.0f, 1.0f}));
  const TensorParameters parameters = recognitionParameters(0.01f);
  TensorExtraction extraction;
  const auto tensors = [&] {
    return downloadTensors(surfaceTensors(surface, parameters, 100, false, extraction));
  };
  const HostTensorSet seen = tensors(), other_side = reversedTensors(seen);
  // Of first points, of partners, and of others.
  reverseNormals(surface, 2);
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
  EvenSurface surface = surfaceOf(*ball({0.1f, 0.0f, 1.0f}));
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
  const TensorSet tensors = surfaceTensors(surfaceOf(*plane(0.005f, 0.005f)),
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
  EvenSurface surface = surfaceOf(*ball({0.1f, 0.0f, 1.0f}));
  Workspace workspace;
  const SurfaceOnDevice made(surface, std::nullopt, workspace);
  EXPECT_EQ(made.get().count, static_cast<int>(surface.order.size()));
  EXPECT_NEAR(made.get().center[0], 0.1f, 0.002f);
  EXPECT_EQ(made.get().seen.depth.data, nullptr);
  const std::size_t cells = made.get().grid.cells();
  std::vector<int> nearest(cells), on_host(cells);
  std::vector<pcl::device::Float4> points(surface.order.size());
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
