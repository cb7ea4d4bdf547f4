// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/sanitizers.h"
#include "expect_cast.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class Exactness : public CastTest {
protected:
  static constexpr int triangles = 60; // of a soup
  static constexpr unsigned int soups = fewerUnderSanitizers(200);

  static CameraView
  viewOf(unsigned int seed)
  {
    // Four of five soups are seen in perspective, and every second from elsewhere.
    const Pose pose = seed % 2 == 0 ? Pose::Identity() : randomPose(seed, 2.0f);
    if (seed % 5 == 4)
      return CameraView(orthographic(64, 48, 5.0f, 31.5f, 23.5f), pose);
    return CameraView(pinhole(64, 48), pose);
  }
};

TEST_P(Exactness, OfRandomSoupsIsThatOfBruteForceInDoublePrecision)
{
  for (unsigned int seed = 1; seed <= soups; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const HostMesh soup = randomSoup(seed, triangles);
    MeshRayCaster caster = newCaster(soup);
    ReferenceCast reference(viewOf(seed));
    reference.addInstance(soup);
    expectAdmitted(reference, cast(caster, reference.view()));
  }
}

TEST_P(Exactness, OfRandomSoupsIsThatOfEmbree)
{
  Agreement agreement;
  for (unsigned int seed = 1; seed <= soups; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const HostMesh soup = randomSoup(seed, triangles);
    MeshRayCaster caster = newCaster(soup);
    ReferenceCast reference(viewOf(seed));
    reference.addInstance(soup);
    expectAsEmbree(reference, cast(caster, reference.view()), agreement);
  }
  RecordProperty("rays", static_cast<int>(agreement.rays));
  RecordProperty("one_misses", static_cast<int>(agreement.one_misses));
  EXPECT_LE(agreement.one_misses, 1e-5 * agreement.rays);
}

TEST_P(Exactness, HoldsFarFromTheOriginOfTheWorld)
{
  for (unsigned int seed = 301; seed <= 310; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const HostMesh sphere = icosphere(2, 1.0f, {0.0f, 0.0f, 3.0f});
    const Pose there = randomPose(seed, 5000.0f);
    MeshRayCaster caster = newCaster(sceneOf(sphere, there));
    ReferenceCast reference(CameraView(pinhole(64, 48), there));
    reference.addInstance(sphere, there);
    expectAdmitted(reference, cast(caster, reference.view()));
  }
}

TEST_P(Exactness, HoldsOfAllSizesFromMillimetresToAstronomy)
{
  for (float size : {1e-9f, 1e-6f, 1e-3f, 1.0f, 1e3f, 1e6f, 1e9f}) {
    SCOPED_TRACE(::testing::Message() << "size " << size);
    HostMesh sphere = icosphere(2, size, {0.0f, 0.0f, 3.0f * size});
    MeshRayCaster caster = newCaster(sphere);
    ReferenceCast reference(CameraView(pinhole(64, 48)));
    reference.addInstance(sphere);
    const CastResult result = cast(caster, reference.view());
    EXPECT_GT(countHits(result), 300);
    expectAdmitted(reference, result);
  }
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Exactness);

} // namespace
