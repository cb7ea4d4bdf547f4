// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cast_test.h"
#include "common/change_parameters.h"

#include <random>

// The paper's grid finds what the visibility method finds, which other tests hold
// against float64 and Embree, bit for bit, however it is set up.

namespace pcl::gpu::test {

namespace {

constexpr SlabSpacing spacings[] = {
    SlabSpacing::ProjectedDepth, SlabSpacing::Depth, SlabSpacing::Logarithm};

class TileGrids : public DeviceTest {
protected:
  /** \brief Expects the same images of both methods. */
  static void
  expectAsVisibility(MeshRayCaster& grid, const CameraView& view)
  {
    MeshRayCaster visibility(grid);
    change(visibility, [&](auto& p) { p.method = CastMethod::Visibility; });
    change(grid, [&](auto& p) { p.method = CastMethod::TileGrid; });
    RayCastImages expected, images;
    visibility.cast(view, expected);
    grid.cast(view, images);
    expectSameBits(CastResult(expected), CastResult(images));
  }

  static unsigned long long
  countTests(MeshRayCaster& grid, const CameraView& view)
  {
    DeviceArray<unsigned long long> counter(1);
    unsigned long long count = 0;
    counter.upload(&count, 1);
    grid.setTestCounter(counter);
    change(grid, [&](auto& p) { p.method = CastMethod::TileGrid; });
    RayCastImages images;
    grid.cast(view, images);
    counter.download(&count);
    return count;
  }
};

/** \brief Large triangles one behind the other, each of many tiles. */
HostMesh
sheets(int count)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<float> position(-0.8f, 0.6f);
  HostMesh mesh;
  for (int i = 0; i < count; ++i) {
    const float x = position(random);
    const float y = position(random);
    const float z = 1.0f + 0.001f * static_cast<float>(i);
    mesh.addTriangle({x * z, y * z, z},
                     {(x + 0.23f) * z, y * z, z},
                     {x * z, (y + 0.23f) * z, 1.01f * z});
  }
  return mesh;
}

} // namespace

TEST_P(TileGrids, FindTheSameWithAnyTilesAndSlabs)
{
  for (unsigned int seed : {1u, 2u, 3u}) {
    MeshRayCaster caster;
    caster.setScene(sceneOf(randomSoup(seed, 400)));
    for (int tile_size : {8, 16, 32})
      for (int slabs : {1, 4, 16, 64})
        for (SlabSpacing spacing : spacings) {
          SCOPED_TRACE("seed " + std::to_string(seed) + ", tiles of " +
                       std::to_string(tile_size) + ", " + std::to_string(slabs) +
                       " slabs");
          change(caster, [&](auto& p) {
            p.tile_size = tile_size;
            p.slabs = slabs;
            p.slab_spacing = spacing;
          });
          expectAsVisibility(caster, CameraView(pinhole(131, 77)));
        }
  }
}

TEST_P(TileGrids, FindTheSameWhereManyTrianglesLieInOneTile)
{
  MeshRayCaster caster;
  caster.setScene(sceneOf(icosphere(5, 0.05f, {0.0f, 0.0f, 2.0f})));
  expectAsVisibility(caster, CameraView(pinhole(64, 64)));
}

TEST_P(TileGrids, FindTheSameWhereTheListsAreFull)
{
  // 256 tiles each: more entries than there is room for.
  MeshRayCaster caster;
  caster.setScene(sceneOf(sheets(6000)));
  expectAsVisibility(caster, CameraView(pinhole(1024, 1024)));
}

TEST_P(TileGrids, FindTheSameInAllImages)
{
  MeshRayCaster caster;
  caster.setScene(sceneOf(icosphere(3, 1.0f, {0.0f, 0.0f, 3.0f})));
  change(caster, [&](auto& p) {
    p.outputs = DepthOutput | TrianglesOutput | BarycentricsOutput | PointsOutput |
                NormalsOutput | ColorsOutput;
  });
  expectAsVisibility(caster, CameraView(pinhole(100, 60)));
}

TEST_P(TileGrids, CountTheTestsOfAllRaysOfATile)
{
  MeshRayCaster caster;
  const PinholeCamera camera = pinhole(64, 64);
  const auto at = [&](float u, float v) {
    return Eigen::Vector3f(
        (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1.0f);
  };
  // Within the second tile of the second row.
  caster.setScene(sceneOf(triangle(at(9, 9), at(14, 9), at(9, 14))));
  EXPECT_EQ(countTests(caster, CameraView(camera)), 64u);
  // Across the corner of four tiles.
  caster.setScene(sceneOf(triangle(at(12, 12), at(20, 12), at(12, 20))));
  EXPECT_EQ(countTests(caster, CameraView(camera)), 4 * 64u);
}

TEST_P(TileGrids, SparesTestsBySlabs)
{
  MeshRayCaster caster;
  caster.setScene(sceneOf(sheets(500)));
  const CameraView view(pinhole(256, 256));
  change(caster, [&](auto& p) { p.slabs = 1; });
  const unsigned long long without = countTests(caster, view);
  change(caster, [&](auto& p) { p.slabs = 16; });
  const unsigned long long with = countTests(caster, view);
  EXPECT_LT(with, without);
  EXPECT_GT(with, 0u);
}

TEST_P(TileGrids, FindTheSameWhileTestsAreCounted)
{
  for (int tile_size : {8, 16, 32}) {
    MeshRayCaster caster;
    caster.setScene(sceneOf(randomSoup(5, 500)));
    change(caster, [&](auto& p) { p.tile_size = tile_size; });
    DeviceArray<unsigned long long> counter(1);
    caster.setTestCounter(counter);
    expectAsVisibility(caster, CameraView(pinhole(90, 70)));
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TileGrids);

} // namespace pcl::gpu::test
