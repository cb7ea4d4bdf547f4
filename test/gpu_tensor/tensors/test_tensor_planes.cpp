// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "host_tensors.h"

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

// Triangles that lie in a plane between voxels, or have corners there. The frame is the
// mesh's own and voxels measure a power of two: all coordinates are exact.

constexpr float voxel_size = 0.0625f;

class TensorPlanes : public DeviceTest {
protected:
  /** \brief A square with its lower corner at two coordinates, in the plane where the
   * axis has a third one. In voxels from the grid's middle. */
  static void
  addSquare(VertexMesh& mesh, int axis, float plane, float left, float low, float side)
  {
    const auto corner = [=](float u, float v) {
      Vector3f p;
      p[axis] = plane;
      p[(axis + 1) % 3] = u;
      p[(axis + 2) % 3] = v;
      return p;
    };
    const Vector3f a = corner(left, low), b = corner(left + side, low),
                   c = corner(left + side, low + side), d = corner(left, low + side);
    addTriangle(mesh, voxel_size, a, b, c);
    addTriangle(mesh, voxel_size, a, c, d);
  }

  static HostTensors
  computed(const VertexMesh& mesh, int grid_size)
  {
    TensorExtraction extraction;
    change(extraction, [&](auto& p) { p.grid_size = grid_size; });
    change(extraction, [&](auto& p) {
      p.voxel_size = voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    HostTensors tensors = tensorsOf(extraction, mesh);
    EXPECT_EQ(tensors.size(), 1);
    const TensorFrame frame = tensors.frames.at(0);
    for (int i = 0; i < 3; ++i) {
      // The tests need this.
      EXPECT_EQ(frame.x_axis[i], i == 0 ? 1.0f : 0.0f);
      EXPECT_EQ(frame.y_axis[i], i == 1 ? 1.0f : 0.0f);
      EXPECT_EQ(frame.z_axis[i], i == 2 ? 1.0f : 0.0f);
      EXPECT_EQ(frame.origin[i], 0.0f);
    }
    return tensors;
  }

  static int
  voxelNumber(int grid_size, int x, int y, int z)
  {
    return (z * grid_size + y) * grid_size + x;
  }

  /** \brief Number of the voxel with coordinates counted from an axis on. */
  static int
  voxelNumber(int grid_size, int axis, const std::array<int, 3>& from_axis)
  {
    std::array<int, 3> coordinates;
    for (int i = 0; i < 3; ++i)
      coordinates[(axis + i) % 3] = from_axis[i];
    return voxelNumber(grid_size, coordinates[0], coordinates[1], coordinates[2]);
  }
};

TEST_P(TensorPlanes, VoxelsAreNumberedAlongXThenYThenZ)
{
  VertexMesh mesh = meshInItsOwnFrame();
  // In voxel (7, 6, 3) of a grid of 10.
  const Vector3f low(2.0f, 1.0f, -2.0f);
  addTriangle(mesh,
              voxel_size,
              low + Vector3f(0.25f, 0.25f, 0.5f),
              low + Vector3f(0.75f, 0.25f, 0.5f),
              low + Vector3f(0.25f, 0.75f, 0.5f));
  const HostTensors tensors = computed(mesh, 10);
  ASSERT_EQ(tensors.areas.size(), 1u);
  EXPECT_EQ(tensors.voxels[0], voxelNumber(10, 7, 6, 3));
  EXPECT_EQ(tensors.areas[0], 0.125f);
}

TEST_P(TensorPlanes, BetweenTwoVoxelsCountForTheHigherOne)
{
  for (int grid_size : {2, 10, 16, 18, 32})
    for (int axis = 0; axis < 3; ++axis)
      for (int plane = 0; plane < grid_size; ++plane) {
        SCOPED_TRACE("grid " + std::to_string(grid_size) + ", axis " +
                     std::to_string(axis) + ", plane " + std::to_string(plane));
        const float half = 0.5f * static_cast<float>(grid_size);
        VertexMesh mesh = meshInItsOwnFrame();
        addSquare(mesh, axis, static_cast<float>(plane) - half, -0.75f, 0.25f, 0.5f);
        const HostTensors tensors = computed(mesh, grid_size);
        ASSERT_EQ(tensors.areas.size(), 1u);
        EXPECT_EQ(
            tensors.voxels[0],
            voxelNumber(grid_size, axis, {plane, grid_size / 2 - 1, grid_size / 2}));
        EXPECT_EQ(tensors.areas[0], 0.25f);
      }
}

TEST_P(TensorPlanes, AtTheFarEndOfTheGridDoNotCount)
{
  for (int grid_size : {2, 10, 16, 18, 32})
    for (int axis = 0; axis < 3; ++axis) {
      const float half = 0.5f * static_cast<float>(grid_size);
      VertexMesh mesh = meshInItsOwnFrame();
      addSquare(mesh, axis, half, -0.75f, -0.75f, 1.5f);
      EXPECT_EQ(computed(mesh, grid_size).areas.size(), 0u);
    }
}

TEST_P(TensorPlanes, CutByAllOthersCountOnceInEachVoxel)
{
  // A square as large as the grid and larger has one face in each voxel of its layer.
  for (int grid_size : {2, 10, 17, 32})
    for (int axis = 0; axis < 3; ++axis)
      for (float margin : {0.0f, 3.0f}) {
        SCOPED_TRACE("grid " + std::to_string(grid_size) + ", axis " +
                     std::to_string(axis));
        const int plane = grid_size / 2;
        const float half = 0.5f * static_cast<float>(grid_size);
        VertexMesh mesh = meshInItsOwnFrame();
        addSquare(mesh,
                  axis,
                  static_cast<float>(plane) - half,
                  -half - margin,
                  -half - margin,
                  2.0f * (half + margin));
        const HostTensors tensors = computed(mesh, grid_size);
        ASSERT_EQ(tensors.areas.size(),
                  static_cast<std::size_t>(grid_size) * grid_size);
        const auto dense = tensors.dense(0);
        for (int u = 0; u < grid_size; ++u)
          for (int v = 0; v < grid_size; ++v)
            EXPECT_NEAR(dense[voxelNumber(grid_size, axis, {plane, u, v})],
                        1.0,
                        area_tolerance);
      }
}

TEST_P(TensorPlanes, CornersAndEdgesInThemAreCutRight)
{
  // Half of a voxel's face, moved from voxel to voxel, leans out of the plane.
  VertexMesh mesh = meshInItsOwnFrame();
  addTriangle(mesh, voxel_size, {0, 0, 0}, {1, 0, 0}, {0, 0.75f, 1});
  addTriangle(mesh, voxel_size, {1, 1, 0}, {2, 1, 0}, {1, 2, -1});
  addTriangle(mesh, voxel_size, {-2, 0, 0}, {-3, 0, 1}, {-3, 0, -1});
  const HostTensors tensors = computed(mesh, 10);
  const auto dense = tensors.dense(0);
  EXPECT_NEAR(dense[voxelNumber(10, 5, 5, 5)], 0.625, area_tolerance);
  EXPECT_NEAR(dense[voxelNumber(10, 6, 6, 4)], std::sqrt(0.5), area_tolerance);
  EXPECT_NEAR(dense[voxelNumber(10, 2, 5, 5)], 0.5, area_tolerance);
  EXPECT_NEAR(dense[voxelNumber(10, 2, 5, 4)], 0.5, area_tolerance);
  EXPECT_EQ(tensors.areas.size(), 4u);
}

TEST_P(TensorPlanes, SurfacesThatTouchTheGridFromOutsideDoNotCount)
{
  for (int axis = 0; axis < 3; ++axis)
    for (float side : {-1.0f, 1.0f}) {
      VertexMesh mesh = meshInItsOwnFrame();
      Vector3f a, b, c;
      a[axis] = b[axis] = side * 5.0f;
      c[axis] = side * 6.5f;
      a[(axis + 1) % 3] = -3.0f;
      b[(axis + 1) % 3] = 2.5f;
      c[(axis + 1) % 3] = 0.0f;
      a[(axis + 2) % 3] = b[(axis + 2) % 3] = c[(axis + 2) % 3] = 0.5f;
      addTriangle(mesh, voxel_size, a, b, c);
      EXPECT_EQ(computed(mesh, 10).areas.size(), 0u);
    }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorPlanes);

} // namespace
