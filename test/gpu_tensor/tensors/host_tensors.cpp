// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

namespace pcl::gpu::test {

namespace {

template <typename T>
bool
sameBytes(const T* a, const T* b, std::size_t count)
{
  return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

/** \brief Expects the entries of one tensor to be as the header says. */
void
expectEntries(const HostTensors& tensors, int tensor)
{
  const int voxels = tensors.grid_size * tensors.grid_size * tensors.grid_size;
  int former = -1;
  for (std::uint32_t i = tensors.starts[tensor]; i < tensors.starts[tensor + 1]; ++i) {
    ASSERT_GT(static_cast<int>(tensors.voxels[i]), former) << "tensor " << tensor;
    ASSERT_GT(tensors.areas[i], 0.0f) << "tensor " << tensor;
    former = tensors.voxels[i];
  }
  ASSERT_LT(former, voxels) << "tensor " << tensor;
}

} // namespace

std::vector<double>
HostTensors::dense(int tensor) const
{
  std::vector<double> all(grid_size * grid_size * grid_size, 0.0);
  for (std::uint32_t i = starts[tensor]; i < starts[tensor + 1]; ++i)
    all.at(voxels[i]) = areas[i];
  return all;
}

double
HostTensors::sum(int tensor) const
{
  return std::accumulate(
      areas.begin() + starts[tensor], areas.begin() + starts[tensor + 1], 0.0);
}

HostTensors
downloadedTensors(const TensorSet& tensors)
{
  HostTensors result;
  result.grid_size = tensors.grid_size;
  const int count = downloaded(tensors.count).at(0);
  result.frames = downloaded(tensors.frames);
  result.starts = downloaded(tensors.starts);
  result.voxels = downloaded(tensors.voxels);
  result.areas = downloaded(tensors.areas);
  EXPECT_EQ(tensors.count.size(), 1u);
  EXPECT_EQ(result.starts.size(), result.frames.size() + 1);
  EXPECT_EQ(result.voxels.size(), result.areas.size());
  EXPECT_GE(count, 0);
  EXPECT_LE(static_cast<std::size_t>(count), result.frames.size());
  result.frames.resize(count);
  result.starts.resize(count + 1);
  EXPECT_EQ(result.starts[0], 0u);
  EXPECT_TRUE(std::is_sorted(result.starts.begin(), result.starts.end()));
  const std::uint32_t entries = result.starts[count];
  EXPECT_LE(entries, result.areas.size()) << "entries were lost";
  result.voxels.resize(entries);
  result.areas.resize(entries);
  for (int tensor = 0; tensor < count; ++tensor)
    expectEntries(result, tensor);
  return result;
}

TensorSet
poisonedTensors()
{
  TensorSet tensors;
  tensors.grid_size = -5;
  TensorFrame frame;
  std::memset(&frame, 0xC5, sizeof(frame));
  tensors.frames = uploaded(std::vector<TensorFrame>(13, frame));
  tensors.count = uploaded(std::vector<int>(1, -1234567));
  tensors.starts = uploaded(std::vector<std::uint32_t>(11, 0xC5C5C5C5u));
  tensors.voxels = uploaded(std::vector<std::uint16_t>(9, 0xC5C5u));
  tensors.areas = uploaded(std::vector<float>(7, -1e9f));
  return tensors;
}

double
expectAreas(const std::vector<double>& expected,
            const std::vector<double>& actual,
            double tolerance)
{
  EXPECT_EQ(expected.size(), actual.size());
  double largest = 0.0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
    if (!(std::abs(expected[i] - actual[i]) <= largest)) {
      largest = std::abs(expected[i] - actual[i]);
      place = i;
    }
  EXPECT_LE(largest, tolerance) << "voxel " << place << " has " << actual[place]
                                << " instead of " << expected[place];
  return largest;
}

bool
sameTensor(const HostTensors& a, int i, const HostTensors& b, int j)
{
  const std::size_t count = a.starts[i + 1] - a.starts[i];
  return count == b.starts[j + 1] - b.starts[j] &&
         sameBytes(&a.frames[i], &b.frames[j], 1) &&
         sameBytes(
             a.voxels.data() + a.starts[i], b.voxels.data() + b.starts[j], count) &&
         sameBytes(a.areas.data() + a.starts[i], b.areas.data() + b.starts[j], count);
}

bool
sameTensors(const HostTensors& a, const HostTensors& b)
{
  if (a.size() != b.size() || a.grid_size != b.grid_size)
    return false;
  for (int i = 0; i < a.size(); ++i)
    if (a.starts[i] != b.starts[i] || !sameTensor(a, i, b, i))
      return false;
  return true;
}

VertexMesh
randomMesh(int triangles,
           double edge,
           int grid_size,
           std::uint32_t seed,
           const Eigen::Vector3d& center)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> sides(-1.0, 1.0);
  const auto vector = [&random, &sides](double scale) {
    const double x = sides(random), y = sides(random), z = sides(random);
    return Eigen::Vector3d(scale * x, scale * y, scale * z);
  };
  VertexMesh mesh;
  Image<PointXYZ>& points = mesh.vertices.points;
  Image<PointXYZ>& normals = mesh.vertices.normals;
  const auto add = [&points, &normals](const Eigen::Vector3d& p,
                                       const Eigen::Vector3d& n) {
    points.data.emplace_back();
    points.data.back().getVector3fMap() = p.cast<float>();
    normals.data.emplace_back();
    normals.data.back().getVector3fMap() = n.normalized().cast<float>();
    return static_cast<int>(points.data.size()) - 1;
  };
  const double voxel = mesh_voxel_size;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d way = vector(4.0 * voxel), normal = vector(1.0).normalized();
    const int first = add(center + vector(voxel) + way, normal);
    const int second = add(center - way, normal + vector(0.5));
    mesh.pairs.push_back({first, second});
  }
  for (int i = 0; i < triangles; ++i) {
    const Eigen::Vector3d middle = center + vector(0.6 * grid_size * voxel);
    const Eigen::Vector3d a = vector(edge * voxel), b = vector(edge * voxel);
    const int number = add(middle + a, vector(1.0));
    add(middle + b, vector(1.0));
    add(middle - a - b, vector(1.0));
    mesh.triangles.push_back({number, number + 1, number + 2});
  }
  points.rows = normals.rows = 1;
  points.columns = normals.columns = static_cast<int>(points.data.size());
  return mesh;
}

VertexMesh
meshInItsOwnFrame()
{
  VertexMesh mesh;
  mesh.vertices.points = Image<PointXYZ>(1, 2);
  mesh.vertices.normals = Image<PointXYZ>(1, 2);
  // The second one is higher, and n1 x n2 is along x.
  mesh.vertices.points.data = {{0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}};
  mesh.vertices.normals.data = {{0.0f, 0.875f, 0.5f}, {0.0f, -0.875f, 0.5f}};
  mesh.pairs = {{0, 1}};
  return mesh;
}

void
addTriangle(VertexMesh& mesh,
            float voxel_size,
            const Eigen::Vector3f& a,
            const Eigen::Vector3f& b,
            const Eigen::Vector3f& c)
{
  const int number = mesh.vertices.points.columns;
  for (const Eigen::Vector3f& corner : {a, b, c}) {
    mesh.vertices.points.data.emplace_back();
    mesh.vertices.points.data.back().getVector3fMap() = voxel_size * corner;
    mesh.vertices.normals.data.push_back({0.0f, 0.0f, 1.0f});
  }
  mesh.vertices.points.columns += 3;
  mesh.vertices.normals.columns += 3;
  mesh.triangles.push_back({number, number + 1, number + 2});
}

HostTensors
tensorsOf(TensorExtraction& extraction, const VertexMesh& mesh)
{
  std::vector<int> numbers;
  for (const auto& triangle : mesh.triangles)
    numbers.insert(numbers.end(), triangle.begin(), triangle.end());
  TensorSet tensors = poisonedTensors();
  extraction.compute(uploaded(mesh.vertices.points.data),
                     uploaded(mesh.vertices.normals.data),
                     uploaded(numbers),
                     uploadedPairs(mesh.pairs),
                     tensors);
  return downloadedTensors(tensors);
}

HostTensors
tensorsOf(TensorExtraction& extraction,
          const OrientedCloud& cloud,
          const OrganizedMesh& mesh,
          const std::vector<PointPair>& pairs,
          const DeviceArray<ResolutionStatistics>& statistics)
{
  TensorSet tensors = poisonedTensors();
  extraction.compute(uploaded(cloud.points),
                     uploaded(cloud.normals),
                     mesh,
                     statistics,
                     uploadedPairs(pairs),
                     tensors);
  return downloadedTensors(tensors);
}

} // namespace pcl::gpu::test
