// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/numbers.h"
#include "expect_cast.h"

#include <algorithm>
#include <climits>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class WhichHit : public CastTest {
protected:
  static CameraView
  view()
  {
    return CameraView(pinhole(48, 40));
  }

  /** \brief A wall at depth 2 that is much larger than the image. */
  static HostMesh
  largeWall()
  {
    return wall(-100, 100, -100, 100, 2);
  }

  static void
  expectMisses(const CastResult& result)
  {
    EXPECT_EQ(result.triangles.data.size(), 48u * 40u);
    EXPECT_EQ(countHits(result), 0);
    for (float depth : result.depth.data)
      ASSERT_TRUE(std::isnan(depth));
  }

  static void
  expectHits(const CastResult& result)
  {
    EXPECT_EQ(countHits(result), 48 * 40);
  }
};

TEST_P(WhichHit, OfEqualOnesIsTheFirst)
{
  for (bool small : {true, false}) {
    SCOPED_TRACE(small);
    const HostMesh once = small ? icosphere(3, 1.0f, {0, 0, 3}) : largeWall();
    HostMesh twice = once;
    twice.triangles.insert(
        twice.triangles.end(), once.triangles.begin(), once.triangles.end());
    MeshRayCaster expected = newCaster(once);
    MeshRayCaster caster = newCaster(twice);
    expectSameBits(cast(caster, view()), cast(expected, view()));
  }
}

TEST_P(WhichHit, OfEqualInstancesIsTheFirst)
{
  const HostMesh sphere = icosphere(2, 1.0f, {0, 0, 3});
  MeshRayCaster expected = newCaster(sphere);
  const auto scene = std::make_shared<MeshScene>();
  const int mesh = scene->addMesh(uploaded(sphere));
  // More than the CUDA driver looks at in one launch.
  for (int i = 0; i < 45; ++i)
    scene->addInstance(mesh);
  MeshRayCaster caster = newCaster(scene);
  expectSameBits(cast(caster, view()), cast(expected, view()));
}

TEST_P(WhichHit, AlongACommonEdgeIsTheFirst)
{
  // Two coplanar triangles whose common edge runs through pixel centres.
  HostMesh mesh = wall(0, 39, 0, 39, 2);
  const CameraView parallel(orthographic(40, 40));
  for (bool swapped : {false, true}) {
    if (swapped)
      std::rotate(
          mesh.triangles.begin(), mesh.triangles.begin() + 3, mesh.triangles.end());
    MeshRayCaster caster = newCaster(mesh);
    const CastResult result = cast(caster, parallel);
    EXPECT_EQ(countHits(result), 40 * 40);
    for (int i = 0; i < 40; ++i)
      EXPECT_EQ(result.triangles.at(i, i), 0);
    // The corner to the right of the edge belongs to the triangle named first.
    EXPECT_EQ(result.triangles.at(0, 39), swapped ? 1 : 0);
  }
}

TEST_P(WhichHit, CullingLeavesOneSide)
{
  const HostMesh facing = largeWall();
  HostMesh averted = facing;
  for (std::size_t t = 0; t < averted.triangles.size(); t += 3)
    std::swap(averted.triangles[t], averted.triangles[t + 1]);
  for (bool is_facing : {true, false})
    for (Culling culling : {Culling::None, Culling::Back, Culling::Front}) {
      MeshRayCaster caster = newCaster(is_facing ? facing : averted);
      change(caster, [&](auto& p) { p.culling = culling; });
      const bool seen =
          culling == Culling::None || (culling == Culling::Back) == is_facing;
      for (const CameraView& camera : {view(), CameraView(orthographic(48, 40))}) {
        const CastResult result = cast(caster, camera);
        seen ? expectHits(result) : expectMisses(result);
      }
    }
}

TEST_P(WhichHit, CullingOfRandomSoupsIsExact)
{
  for (Culling culling : {Culling::Back, Culling::Front})
    for (unsigned int seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      const HostMesh soup = randomSoup(seed, 60);
      MeshRayCaster caster = newCaster(soup);
      change(caster, [&](auto& p) { p.culling = culling; });
      ReferenceCast reference(view());
      reference.culling = culling;
      reference.addInstance(soup);
      expectAdmitted(reference, cast(caster, view()));
    }
}

TEST_P(WhichHit, LiesBeyondTheNearestAndUpToTheFarthestDepth)
{
  MeshRayCaster caster = newCaster(largeWall());
  change(caster, [&](auto& p) {
    p.nearest = 2.0f;
    p.farthest = 5.0f;
  });
  expectMisses(cast(caster, view()));
  change(caster, [&](auto& p) {
    p.nearest = std::nextafter(2.0f, 0.0f);
    p.farthest = 5.0f;
  });
  expectHits(cast(caster, view()));
  change(caster, [&](auto& p) {
    p.nearest = 1.0f;
    p.farthest = 2.0f;
  });
  expectHits(cast(caster, view()));
  change(caster, [&](auto& p) {
    p.nearest = 1.0f;
    p.farthest = std::nextafter(2.0f, 0.0f);
  });
  expectMisses(cast(caster, view()));
  change(caster, [&](auto& p) {
    p.nearest = 0.0f;
    p.farthest = infinity;
  });
  expectHits(cast(caster, view()));
}

TEST_P(WhichHit, IsTheFirstOneWithinTheDepthRange)
{
  for (unsigned int seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const HostMesh soup = randomSoup(seed, 60);
    MeshRayCaster caster = newCaster(soup);
    change(caster, [&](auto& p) {
      p.nearest = 2.0f;
      p.farthest = 4.0f;
    });
    ReferenceCast reference(view());
    reference.nearest = 2.0f;
    reference.farthest = 4.0f;
    reference.addInstance(soup);
    expectAdmitted(reference, cast(caster, view()));
  }
}

TEST_P(WhichHit, IsNeverATriangleWithAVertexThatIsNoPoint)
{
  for (float bad : {not_a_number, infinity, -infinity, 1e12f, -1e12f})
    for (int axis = 0; axis < 3; ++axis)
      for (int corner = 0; corner < 3; ++corner) {
        HostMesh mesh = triangle({-9, -9, 1}, {9, -9, 1}, {0, 9, 1});
        mesh.vertices[corner].getVector3fMap()[axis] = bad;
        mesh.addTriangle({-99, -99, 3}, {99, -99, 3}, {0, 999, 3});
        MeshRayCaster caster = newCaster(mesh);
        const CastResult result = cast(caster, view());
        for (int id : result.triangles.data)
          ASSERT_EQ(id, 1) << bad << " at axis " << axis << " of corner " << corner;
      }
}

TEST_P(WhichHit, IsNeverATriangleWithAnIndexThatIsNoVertex)
{
  for (int bad : {-1, 4, 5, INT_MIN, INT_MAX})
    for (int corner = 0; corner < 3; ++corner) {
      HostMesh mesh = largeWall();
      mesh.triangles[corner] = bad;
      MeshRayCaster caster = newCaster(mesh);
      const CastResult result = cast(caster, view());
      ReferenceCast reference(view());
      reference.addInstance(mesh);
      expectAdmitted(reference, result);
      EXPECT_GT(countHits(result), 0);
      EXPECT_LT(countHits(result), 48 * 40);
    }
}

TEST_P(WhichHit, IsAmongTheTrianglesThatTheDeviceCounted)
{
  HostMesh mesh;
  for (int i = 0; i < 5; ++i) {
    const float z = 5.0f - i;
    mesh.addTriangle({-99, -99, z}, {99, -99, z}, {0, 999, z});
  }
  TriangleMesh on_device = uploaded(mesh);
  on_device.triangle_count = uploaded(std::vector<int>{0});
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(on_device));
  MeshRayCaster caster = newCaster(scene);
  const auto castWith = [&](int count) {
    on_device.triangle_count.upload(&count, 1);
    return cast(caster, view());
  };
  expectMisses(castWith(0));
  expectMisses(castWith(-1));
  expectMisses(castWith(INT_MIN));
  for (int count : {1, 3, 5, 6, INT_MAX}) {
    const CastResult result = castWith(count);
    for (int id : result.triangles.data)
      ASSERT_EQ(id, std::min(count, 5) - 1);
  }
}

TEST_P(WhichHit, IsNoneWhereThereIsNothing)
{
  const auto scene = std::make_shared<MeshScene>();
  MeshRayCaster caster = newCaster(scene);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  expectMisses(cast(caster, view()));
  scene->addMesh(uploaded(largeWall()));
  expectMisses(cast(caster, view()));
  const int empty = scene->addMesh(TriangleMesh());
  scene->addInstance(empty);
  expectMisses(cast(caster, view()));
  HostMesh without_triangles = largeWall();
  without_triangles.triangles.clear();
  scene->setMesh(empty, uploaded(without_triangles));
  expectMisses(cast(caster, view()));
  HostMesh without_vertices = largeWall();
  without_vertices.vertices.clear();
  scene->setMesh(empty, uploaded(without_vertices));
  expectMisses(cast(caster, view()));
  scene->addInstance(0);
  const CastResult result = cast(caster, view());
  EXPECT_EQ(countHits(result), 48 * 40);
  // Two triangles come before: they exist, but have no vertices.
  EXPECT_EQ(result.triangles.at(0, 47), 2);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(WhichHit);

} // namespace
