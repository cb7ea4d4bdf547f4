// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "expect_cast.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class AnyTriangle : public CastTest {
protected:
  /** \brief Casts, and expects the answer of float64 brute force. */
  CastResult
  expectExact(const HostMesh& mesh, const CameraView& view) const
  {
    MeshRayCaster caster = newCaster(mesh);
    const CastResult result = cast(caster, view);
    ReferenceCast reference(view);
    reference.addInstance(mesh);
    expectAdmitted(reference, result);
    return result;
  }
};

TEST_P(AnyTriangle, OverTheWholeImageHitsEveryPixel)
{
  for (int size : {1, 100, 300}) {
    const HostMesh mesh = triangle({-10, -10, 2}, {30, -10, 2}, {-10, 30, 2});
    const CastResult result = expectExact(mesh, CameraView(pinhole(size, size)));
    EXPECT_EQ(countHits(result), size * size);
    for (float depth : result.depth.data)
      ASSERT_EQ(depth, 2.0f);
  }
}

TEST_P(AnyTriangle, ManyOverTheWholeImageAreSortedByDepth)
{
  HostMesh mesh;
  for (int i = 0; i < 40; ++i) {
    const float z = 1.0f + static_cast<float>((i * 17 + 5) % 40);
    mesh.addTriangle({-1000, -1000, z}, {3000, -1000, z}, {-1000, 3000, z});
  }
  const CastResult result = expectExact(mesh, CameraView(pinhole(70, 50)));
  for (float depth : result.depth.data)
    ASSERT_EQ(depth, 1.0f);
}

TEST_P(AnyTriangle, ThinAsAHairIsSeenWhereItIs)
{
  HostMesh mesh;
  for (int i = 0; i < 20; ++i) {
    const float y = -1.0f + 0.1f * i;
    mesh.addTriangle({-2, y, 2}, {2, y + 0.05f * i, 2.5f}, {2, y + 0.051f * i, 2.5f});
  }
  EXPECT_GT(countHits(expectExact(mesh, CameraView(pinhole(200, 200)))), 10);
}

TEST_P(AnyTriangle, AcrossThePlaneOfTheCameraIsSeenInFront)
{
  // The ground, from behind the camera to far ahead, of one triangle and of two.
  const CastResult one =
      expectExact(triangle({-500, 1, -100}, {500, 1, -100}, {0, 1, 900}),
                  CameraView(pinhole(100, 80)));
  EXPECT_EQ(one.triangles.at(79, 50), 0);
  EXPECT_EQ(one.triangles.at(39, 50), -1);
  expectExact(triangle({0.1f, 0.2f, -1}, {-3, 2, 4}, {5, -1, 3}),
              CameraView(pinhole(100, 80)));
  expectExact(triangle({1, 1, 0}, {-1, 1, 0}, {0, -1, 2}), CameraView(pinhole(64, 64)));
  expectExact(triangle({1, 1, 0}, {-1, 1, 0}, {0, 1, 2}), CameraView(pinhole(64, 64)));
}

TEST_P(AnyTriangle, ThroughTheCameraItselfIsSeenAsDoublePrecisionSays)
{
  for (unsigned int seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    HostMesh mesh = triangle({-3, -2, -4}, {3, 2, 4}, {2, -3, 1});
    mesh.addTriangle({-3, -2, -4}, {3, 2, 4}, {-2, 3, 1});
    expectExact(mesh, CameraView(pinhole(64, 48), randomPose(seed, 1e-6f * seed)));
  }
}

TEST_P(AnyTriangle, BehindTheCameraIsNotSeen)
{
  const HostMesh mesh = wall(-9, 9, -9, 9, -2);
  EXPECT_EQ(countHits(expectExact(mesh, CameraView(pinhole(64, 48)))), 0);
  EXPECT_EQ(countHits(expectExact(mesh, CameraView(orthographic(64, 48)))), 0);
}

TEST_P(AnyTriangle, OfAnOrthographicCameraIsCutAtDepthZero)
{
  const HostMesh mesh = triangle({0, 0, -10}, {64, 0, 10}, {0, 64, 10});
  const CastResult result = expectExact(mesh, CameraView(orthographic(64, 64)));
  EXPECT_EQ(result.triangles.at(5, 5), -1);
  EXPECT_EQ(result.triangles.at(20, 20), 0);
}

TEST_P(AnyTriangle, OverTheEdgesOfTheImageIsCut)
{
  HostMesh mesh;
  for (float x : {-1.0f, 0.0f, 1.0f})
    for (float y : {-1.0f, 0.0f, 1.0f})
      mesh.addTriangle({x - 0.3f, y, 1}, {x + 0.3f, y - 0.2f, 1}, {x, y + 0.3f, 1});
  expectExact(mesh, CameraView(pinhole(65, 65)));
}

TEST_P(AnyTriangle, AroundTheCameraHitsEveryPixel)
{
  for (float radius : {1e-3f, 1.0f, 1e5f}) {
    const HostMesh sphere = icosphere(1, radius, {0, 0, 0});
    for (const CameraView& view :
         {CameraView(pinhole(90, 70), randomPose(1, 0.3f * radius)),
          CameraView(PinholeCamera{3, 3, 44.5f, 34.5f, 90, 70}, randomPose(2, 0.0f))})
      EXPECT_EQ(countHits(expectExact(sphere, view)), 90 * 70);
  }
}

TEST_P(AnyTriangle, FarFromThePrincipalPointIsSeen)
{
  for (float c : {-1e6f, -5e3f, 5e3f, 1e6f}) {
    SCOPED_TRACE(c);
    HostMesh mesh;
    const float f = 500.0f;
    const auto at = [&](float u, float v, float z) {
      return Eigen::Vector3f((u - c) / f * z, (v - 2.0f * c) / f * z, z);
    };
    for (int i = 0; i < 8; ++i)
      mesh.addTriangle(at(8.0f * i, 3.0f * i, 2.0f + i),
                       at(60.0f, 9.0f * i, 3.0f),
                       at(5.0f * i, 45.0f, 4.0f));
    const CastResult result =
        expectExact(mesh, CameraView(PinholeCamera{f, f, c, 2.0f * c, 64, 48}));
    EXPECT_GT(countHits(result), 500);
  }
}

TEST_P(AnyTriangle, IsSeenInImagesOfAllSizesAroundTiles)
{
  const HostMesh soup = randomSoup(42, 40);
  for (int height : {1, 7, 8, 9, 16, 17, 31, 33})
    for (int width : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) {
      SCOPED_TRACE(::testing::Message() << width << " x " << height);
      expectExact(soup, CameraView(pinhole(width, height)));
    }
}

TEST_P(AnyTriangle, IsSeenInLongStrips)
{
  const HostMesh soup = randomSoup(43, 40);
  expectExact(soup, CameraView(pinhole(CameraView::max_size, 2)));
  expectExact(soup, CameraView(pinhole(2, CameraView::max_size)));
}

TEST_P(AnyTriangle, OfNumbersAroundThoseOfThreadsAndWarpsIsSeen)
{
  for (int triangles : {1, 31, 32, 33, 255, 256, 257, 513}) {
    SCOPED_TRACE(triangles);
    expectExact(randomSoup(44, triangles), CameraView(pinhole(40, 30)));
  }
}

PCL_GPU_INSTANTIATE_CAST_TESTS(AnyTriangle);

} // namespace
