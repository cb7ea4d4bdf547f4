// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "expect_cast.h"

#include <Eigen/Geometry>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int window = 1024;

Eigen::AlignedBox3f
boundsOf(const HostMesh& mesh)
{
  Eigen::AlignedBox3f bounds;
  for (int index : mesh.triangles)
    bounds.extend(mesh.vertices[index].getVector3fMap());
  return bounds;
}

/** \brief A camera that sees all of a mesh, as large as fits, from a random side. */
CameraView
fitted(const HostMesh& mesh, unsigned int seed, bool parallel, int size = window)
{
  const Eigen::AlignedBox3f bounds = boundsOf(mesh);
  const float radius = 0.5f * bounds.diagonal().norm();
  const float distance = 3.0f * radius;
  Pose pose = randomPose(seed, 0.0f);
  pose.translation() = bounds.center() - distance * pose.linear().col(2);
  const float middle = 0.5f * (size - 1);
  if (parallel) {
    const float scale = 0.5f * size / radius;
    return CameraView(OrthographicCamera{scale, scale, middle, middle, size, size},
                      pose);
  }
  const float f = 0.5f * size * distance / radius;
  return CameraView(PinholeCamera{f, f, middle, middle, size, size}, pose);
}

class RealMeshes : public CastTest {
protected:
  void
  expectExact(const std::string& name, long triangles)
  {
    const HostMesh mesh = loadMesh(name);
    ASSERT_EQ(mesh.triangleCount(), triangles);
    MeshRayCaster caster = newCaster(mesh);
    Agreement agreement;
    for (unsigned int seed : {1u, 2u}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      ReferenceCast reference(fitted(mesh, seed, seed == 2));
      reference.addInstance(mesh);
      const CastResult result = cast(caster, reference.view());
      EXPECT_GT(countHits(result), window * window / 10);
      expectAsEmbree(reference, result, agreement);
    }
    RecordProperty("rays", static_cast<int>(agreement.rays));
    RecordProperty("one_misses", static_cast<int>(agreement.one_misses));
    RecordProperty("other_triangle", static_cast<int>(agreement.other_triangle));
    RecordProperty("other_depth", static_cast<int>(agreement.other_depth));
    EXPECT_LE(agreement.one_misses, 1e-5 * agreement.rays);
  }

  /** \brief Expects that every ray from inside a closed mesh hits it. */
  void
  expectClosed(const std::string& name, const Eigen::Vector3f& inside)
  {
    const HostMesh mesh = loadMesh(name);
    MeshRayCaster caster = newCaster(mesh);
    change(caster, [&](auto& p) { p.outputs = TrianglesOutput; });
    for (unsigned int seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      Pose pose = randomPose(seed, 0.0f);
      pose.translation() = inside;
      const CastResult result = cast(caster, CameraView(pinhole(256, 256), pose));
      EXPECT_EQ(countHits(result), 256 * 256);
    }
  }
};

TEST_P(RealMeshes, BunnyIsSeenAsByEmbree) { expectExact("bunny_69k.ply.xz", 69451); }

TEST_P(RealMeshes, ArmadilloIsSeenAsByEmbree)
{
  expectExact("armadillo_100k.ply.xz", 99976);
}

TEST_P(RealMeshes, DragonIsSeenAsByEmbree)
{
  expectExact("dragon_871k.ply.xz", 871414);
}

TEST_P(RealMeshes, HappyBuddhaIsSeenAsByEmbree)
{
  expectExact("happy_99k.ply.xz", 98601);
}

TEST_P(RealMeshes, HorseIsSeenAsByEmbree) { expectExact("horse_97k.ply.xz", 96966); }

TEST_P(RealMeshes, NoRayLeavesAClosedOne)
{
  for (const char* name : {"armadillo_100k.ply.xz",
                           "horse_97k.ply.xz",
                           "objects/spot_23k.ply",
                           "objects/penguin_27k.ply"}) {
    SCOPED_TRACE(name);
    const HostMesh mesh = loadMesh(name);
    // Halfway between the first two walls that a ray through the middle meets, of which
    // one is seen from its front and the other from its back: not all meshes agree
    // which.
    MeshRayCaster caster = newCaster(mesh);
    const CameraView view = fitted(mesh, 1, true, 33);
    change(caster, [&](auto& p) { p.culling = Culling::Back; });
    const float front = cast(caster, view).depth.at(16, 16);
    change(caster, [&](auto& p) { p.culling = Culling::Front; });
    const float back = cast(caster, view).depth.at(16, 16);
    const Eigen::Vector3f inside =
        view.getPose() * Eigen::Vector3f(0, 0, 0.5f * (front + back));
    expectClosed(name, inside);
  }
}

PCL_GPU_INSTANTIATE_CAST_TESTS(RealMeshes);

} // namespace
