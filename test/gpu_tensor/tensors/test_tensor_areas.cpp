// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;
using pcl::PointXYZ;

namespace {

// Areas of any triangles in the voxels of a grid.

const int grid_sizes[] = {2, 3, 10, 15, 16, 17, 31, 32};

class TensorAreas : public DeviceTest {
protected:
  /** \brief Error of areas at large coordinates, in voxels: they have the precision of
   * float. */
  static double
  toleranceFor(double extent)
  {
    return std::max(area_tolerance,
                    8.0 * std::numeric_limits<float>::epsilon() * extent);
  }

  /** \brief Compares all tensors of a mesh with the reference.
   * \return sum of all areas
   */
  static double
  expectReference(const VertexMesh& mesh,
                  int grid_size,
                  double tolerance,
                  float voxel_size = mesh_voxel_size)
  {
    TensorExtraction extraction;
    change(extraction, [&](auto& p) { p.grid_size = grid_size; });
    change(extraction, [&](auto& p) {
      p.voxel_size = voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    const HostTensors tensors = tensorsOf(extraction, mesh);
    EXPECT_EQ(tensors.size(), static_cast<int>(mesh.pairs.size()));
    double sum = 0.0;
    for (int i = 0; i < tensors.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      EXPECT_EQ(tensors.frames[i].voxel_size, voxel_size);
      const auto triangles = gridTriangles(
          mesh.vertices.points.data, mesh.triangles, tensors.frames[i], grid_size);
      expectAreas(referenceAreas(triangles, grid_size), tensors.dense(i), tolerance);
      sum += tensors.sum(i);
    }
    return sum;
  }
};

TEST_P(TensorAreas, OfSmallTrianglesEqualTheReference)
{
  std::uint32_t seed = 0;
  for (int grid_size : grid_sizes) {
    SCOPED_TRACE("grid " + std::to_string(grid_size) + ", " + seedText(++seed));
    const int triangles = 20 * grid_size * grid_size;
    const VertexMesh mesh = randomMesh(triangles, 0.3, grid_size, seed);
    EXPECT_GT(expectReference(mesh, grid_size, toleranceFor(grid_size)),
              0.01 * triangles);
  }
}

TEST_P(TensorAreas, OfTrianglesAsLargeAsVoxelsEqualTheReference)
{
  std::uint32_t seed = 10;
  for (int grid_size : grid_sizes) {
    SCOPED_TRACE("grid " + std::to_string(grid_size) + ", " + seedText(++seed));
    const VertexMesh mesh = randomMesh(60 * grid_size, 1.5, grid_size, seed);
    EXPECT_GT(expectReference(mesh, grid_size, toleranceFor(grid_size)),
              10.0 * grid_size);
  }
}

TEST_P(TensorAreas, OfTrianglesAsLargeAsTheGridEqualTheReference)
{
  std::uint32_t seed = 20;
  for (int grid_size : grid_sizes) {
    SCOPED_TRACE("grid " + std::to_string(grid_size) + ", " + seedText(++seed));
    const VertexMesh mesh = randomMesh(10, 0.5 * grid_size, grid_size, seed);
    EXPECT_GT(expectReference(mesh, grid_size, toleranceFor(2.0 * grid_size)),
              0.5 * grid_size * grid_size);
  }
}

TEST_P(TensorAreas, OfTrianglesFarLargerThanTheGridEqualTheReference)
{
  std::uint32_t seed = 30;
  for (int grid_size : {2, 10, 32})
    for (double grids : {10.0, 100.0, 1000.0}) {
      SCOPED_TRACE("grid " + std::to_string(grid_size) + ", edges of " +
                   std::to_string(grids) + " grids, " + seedText(++seed));
      const double edge = grids * grid_size;
      const VertexMesh mesh = randomMesh(10, edge, grid_size, seed);
      EXPECT_GT(expectReference(mesh, grid_size, toleranceFor(edge)),
                0.5 * grid_size * grid_size);
    }
}

TEST_P(TensorAreas, OfSliversEqualTheReference)
{
  for (std::uint32_t seed = 40; seed < 43; ++seed)
    for (double width : {1e-2, 1e-4, 1e-6}) {
      SCOPED_TRACE(seedText(seed) + ", width " + std::to_string(width));
      VertexMesh mesh = randomMesh(300, 6.0, 10, seed);
      for (const auto& triangle : mesh.triangles) {
        // The third corner moves to beside the edge of the others.
        const auto point = [&](int i) {
          return mesh.vertices.points.data[triangle[i]].getVector3fMap();
        };
        const float share = 0.001f * static_cast<float>(triangle[0] % 1000);
        const Vector3f beside = point(2) - point(0);
        point(2) = point(0) + share * (point(1) - point(0)) +
                   static_cast<float>(width) * beside;
      }
      expectReference(mesh, 10, area_tolerance);
    }
}

TEST_P(TensorAreas, OfDegenerateTrianglesAreNone)
{
  VertexMesh mesh = meshInItsOwnFrame();
  const Vector3f a(0.25f, 0.5f, 1.0f), b(1.5f, -2.0f, 0.5f);
  addTriangle(mesh, 0.5f, a, a, a);
  addTriangle(mesh, 0.5f, a, a, b);
  addTriangle(mesh, 0.5f, b, a, b);
  addTriangle(mesh, 0.5f, a, 0.5f * (a + b), b);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.5f;
    p.voxel_unit = LengthUnit::Metres;
  });
  EXPECT_EQ(tensorsOf(extraction, mesh).areas.size(), 0u);
}

TEST_P(TensorAreas, OfTrianglesAlongTheAxesEqualTheReference)
{
  // All planes of a grid cut these; they run close along one, two or no axes.
  const Vector3d directions[] = {{1, 0.001, 0.001}, {1, 1, 0.002}, {1, 1, 1}};
  for (int grid_size : {10, 16, 32})
    for (const Vector3d& normal : directions)
      for (int axis = 0; axis < 3; ++axis) {
        SCOPED_TRACE("grid " + std::to_string(grid_size) + ", axis " +
                     std::to_string(axis));
        const Vector3d turned(
            normal[axis], normal[(axis + 1) % 3], normal[(axis + 2) % 3]);
        const Vector3d unit = turned.normalized();
        const Vector3d e = unit.unitOrthogonal(), f = unit.cross(e);
        const Vector3d middle(0.3, 0.2, -0.4);
        const double size = 1.5 * grid_size;
        VertexMesh mesh = meshInItsOwnFrame();
        addTriangle(mesh,
                    0.0625f,
                    (middle + size * e).cast<float>(),
                    (middle - 0.6 * size * e + size * f).cast<float>(),
                    (middle - 0.5 * size * e - size * f).cast<float>());
        EXPECT_GT(expectReference(mesh, grid_size, toleranceFor(size), 0.0625f),
                  0.5 * grid_size * grid_size);
      }
}

TEST_P(TensorAreas, AddUpToTheAreaInsideTheGrid)
{
  std::uint32_t seed = 50;
  for (int grid_size : grid_sizes)
    for (double edge : {0.3, 2.0, 15.0}) {
      SCOPED_TRACE("grid " + std::to_string(grid_size) + ", " + seedText(++seed));
      const VertexMesh mesh = randomMesh(500, edge, grid_size, seed);
      TensorExtraction extraction;
      change(extraction, [&](auto& p) { p.grid_size = grid_size; });
      change(extraction, [&](auto& p) {
        p.voxel_size = mesh_voxel_size;
        p.voxel_unit = LengthUnit::Metres;
      });
      const HostTensors tensors = tensorsOf(extraction, mesh);
      for (int i = 0; i < tensors.size(); ++i) {
        const double expected = areaInGrid(gridTriangles(mesh.vertices.points.data,
                                                         mesh.triangles,
                                                         tensors.frames[i],
                                                         grid_size),
                                           grid_size);
        EXPECT_NEAR(tensors.sum(i), expected, 2e-6 * expected + area_tolerance);
      }
    }
}

TEST_P(TensorAreas, TenMetresFromTheOriginEqualTheReference)
{
  for (std::uint32_t seed = 60; seed < 63; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const VertexMesh mesh = randomMesh(800, 1.5, 10, seed, {10.0, -7.0, 10.0});
    EXPECT_GT(expectReference(mesh, 10, area_tolerance), 100.0);
  }
}

TEST_P(TensorAreas, AKilometreFromTheOriginEqualTheReference)
{
  // Triangles are looked at 32 at a time. All but one of them are no triangles, so that
  // some just touch the grid, and nothing beside them does.
  for (std::uint32_t seed = 63; seed < 66; ++seed) {
    SCOPED_TRACE(seedText(seed));
    VertexMesh mesh = randomMesh(5000, 0.8, 10, seed, {1000.0, -700.0, 1000.0});
    Triangles sparse;
    for (const auto& triangle : mesh.triangles) {
      sparse.push_back(triangle);
      sparse.insert(sparse.end(), 31, {-1, -1, -1});
    }
    const Triangles all = mesh.triangles;
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = mesh_voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    const HostTensors dense_tensors = tensorsOf(extraction, mesh);
    mesh.triangles = sparse;
    const HostTensors sparse_tensors = tensorsOf(extraction, mesh);
    for (int i = 0; i < 2; ++i) {
      const auto triangles =
          gridTriangles(mesh.vertices.points.data, all, dense_tensors.frames[i], 10);
      const auto expected = referenceAreas(triangles, 10);
      expectAreas(expected, dense_tensors.dense(i));
      expectAreas(expected, sparse_tensors.dense(i));
    }
  }
}

TEST_P(TensorAreas, OfMoreTrianglesThanAreLookedAtAtOnceEqualTheReference)
{
  // All of them reach the grid, and all cells of triangles do.
  const VertexMesh mesh = randomMesh(60000, 0.15, 10, 70);
  EXPECT_GT(expectReference(mesh, 10, area_tolerance), 100.0);
}

TEST_P(TensorAreas, SumUpManyLayersInOneVoxel)
{
  VertexMesh mesh = meshInItsOwnFrame();
  const int layers = 5000;
  for (int i = 0; i < layers; ++i)
    addTriangle(mesh, 0.5f, {0, 0, 0.25f}, {1, 0, 0.25f}, {0, 1, 0.25f});
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.5f;
    p.voxel_unit = LengthUnit::Metres;
  });
  const HostTensors tensors = tensorsOf(extraction, mesh);
  ASSERT_EQ(tensors.areas.size(), 1u);
  EXPECT_EQ(tensors.areas[0], 0.5f * layers);
}

TEST_P(TensorAreas, LeaveOutVerticesThatAreNotFinite)
{
  for (float bad : {std::numeric_limits<float>::quiet_NaN(),
                    std::numeric_limits<float>::infinity(),
                    -std::numeric_limits<float>::infinity()})
    for (int axis = 0; axis < 3; ++axis) {
      SCOPED_TRACE(std::to_string(bad) + ", axis " + std::to_string(axis));
      VertexMesh mesh = randomMesh(300, 1.5, 10, 80);
      for (std::size_t i = 4; i < mesh.vertices.points.data.size(); i += 10)
        mesh.vertices.points.data[i].data[axis] = bad;
      EXPECT_GT(expectReference(mesh, 10, area_tolerance), 10.0);
    }
}

TEST_P(TensorAreas, LeaveOutTrianglesOfNumbersThatAreNone)
{
  VertexMesh mesh = randomMesh(200, 1.5, 10, 81);
  const int vertices = mesh.vertices.points.columns;
  VertexMesh damaged = mesh;
  const int bad_numbers[] = {
      -1, vertices, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
  int i = 0;
  for (int bad : bad_numbers)
    for (int corner = 0; corner < 3; ++corner) {
      auto triangle = mesh.triangles[i];
      triangle[corner] = bad;
      damaged.triangles.insert(damaged.triangles.begin() + 7 * i++, triangle);
    }
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = mesh_voxel_size;
    p.voxel_unit = LengthUnit::Metres;
  });
  const HostTensors expected = tensorsOf(extraction, mesh);
  EXPECT_GT(expected.areas.size(), 100u);
  EXPECT_TRUE(sameTensors(tensorsOf(extraction, damaged), expected));
}

TEST_P(TensorAreas, AreNoneWithoutTriangles)
{
  const VertexMesh mesh = randomMesh(0, 1.0, 10, 82);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = mesh_voxel_size;
    p.voxel_unit = LengthUnit::Metres;
  });
  const HostTensors tensors = tensorsOf(extraction, mesh);
  EXPECT_EQ(tensors.size(), 2);
  EXPECT_EQ(tensors.areas.size(), 0u);
}

TEST_P(TensorAreas, AreNoneOfTrianglesBesideTheGrid)
{
  VertexMesh mesh = meshInItsOwnFrame();
  for (int axis = 0; axis < 3; ++axis)
    for (float side : {-1.0f, 1.0f}) {
      const Vector3f away = side * 5.001f * Vector3f::Unit(axis);
      const Vector3f along = Vector3f::Unit((axis + 1) % 3);
      const Vector3f out = 1.2f * away + Vector3f::Unit((axis + 2) % 3);
      addTriangle(mesh, 0.5f, away, away + along, out);
    }
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.5f;
    p.voxel_unit = LengthUnit::Metres;
  });
  EXPECT_EQ(tensorsOf(extraction, mesh).areas.size(), 0u);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorAreas);

} // namespace
