// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/two_threads.h"
#include "expect_cast.h"

#include <cmath>
#include <utility>

#if PCL_GPU_HAVE_CUDA
#include "common/captured_graph.h"
#endif

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

CameraView
view()
{
  return CameraView(pinhole(120, 90));
}

/** \brief A sphere before a wall that hides most of the image, and both change
 * shape. */
HostMesh
shapeAt(int time)
{
  HostMesh mesh = icosphere(3, 1.0f, {0, 0, 3});
  mesh.normals.clear();
  mesh.addTriangle({-20, -20, 6}, {60, -20, 6}, {-20, 60, 6});
  const float phase = 0.7f * static_cast<float>(time);
  for (pcl::PointXYZ& v : mesh.vertices) {
    v.x += 0.2f * std::sin(3.0f * v.y + phase);
    v.z += 0.2f * std::cos(4.0f * v.x + phase);
  }
  return mesh;
}

class Deforming : public CastTest {
protected:
  CastResult
  castAnew(int time) const
  {
    MeshRayCaster caster = newCaster(shapeAt(time));
    change(caster, [&](auto& p) { p.outputs = all_outputs; });
    return cast(caster, view());
  }
};

TEST_P(Deforming, VerticesAreReadAnewInEachCast)
{
  TriangleMesh mesh = uploaded(shapeAt(0));
  MeshRayCaster caster;
  change(caster, [&](auto& p) { p.method = std::get<1>(GetParam()).method; });
  caster.setInputMesh(mesh);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const void* const address = mesh.vertices.ptr();
  for (int time : {0, 1, 2, 0, 3}) {
    const HostMesh shape = shapeAt(time);
    mesh.vertices.upload(shape.vertices.data(), shape.vertices.size());
    ASSERT_EQ(mesh.vertices.ptr(), address);
    const CastResult result = cast(caster, view());
    expectSameBits(result, castAnew(time));
    ReferenceCast reference(view());
    reference.addInstance(shape);
    expectAdmitted(reference, result);
  }
}

TEST_P(Deforming, GivesTheSameBitsInEveryRun)
{
  const HostMesh soup = randomSoup(7, 2000);
  MeshRayCaster caster = newCaster(soup);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult first = cast(caster, view());
  for (int run = 0; run < 10; ++run)
    expectSameBits(cast(caster, view()), first);
}

TEST_P(Deforming, KeepsItsMemory)
{
  MeshRayCaster caster = newCaster(shapeAt(0));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  RayCastImages images;
  caster.cast(view(), images);
  const auto addresses = [&images] {
    return std::vector<const void*>{images.depth.ptr(),
                                    images.triangles.ptr(),
                                    images.barycentrics.ptr(),
                                    images.points.ptr(),
                                    images.normals.ptr(),
                                    images.colors.ptr(),
                                    images.texture_coordinates.ptr()};
  };
  const auto before = addresses();
  for (int run = 0; run < 5; ++run) {
    caster.cast(view(), images);
    ASSERT_EQ(addresses(), before);
  }
}

TEST_P(Deforming, ForgetsWhatWasCastBefore)
{
  const CastResult expected = castAnew(1);
  MeshRayCaster used = newCaster(randomSoup(8, 300));
  change(used, [&](auto& p) { p.outputs = all_outputs; });
  for (const auto& size : {std::pair<int, int>{200, 150}, {7, 9}, {120, 90}, {1, 1}}) {
    cast(used, CameraView(pinhole(size.first, size.second)));
    used.setScene(sceneOf(shapeAt(1)));
    expectSameBits(cast(used, view()), expected);
    used.setScene(sceneOf(randomSoup(9, 300)));
  }
}

TEST_P(Deforming, CopiesCastAsTheirOriginal)
{
  MeshRayCaster caster = newCaster(shapeAt(1));
  change(caster, [&](auto& p) {
    p.outputs = all_outputs;
    p.in_world_frame = true;
    p.nearest = 2.2f;
    p.farthest = 5.0f;
    p.culling = Culling::Back;
    p.smooth_normals = false;
  });
  const CastResult expected = cast(caster, view());
  MeshRayCaster copy(caster);
  EXPECT_EQ(copy.getScene(), caster.getScene());
  expectSameBits(cast(copy, view()), expected);
  MeshRayCaster assigned;
  assigned = caster;
  expectSameBits(cast(assigned, view()), expected);
  MeshRayCaster moved(std::move(copy));
  expectSameBits(cast(moved, view()), expected);
  expectSameBits(cast(caster, view()), expected);
}

TEST_P(Deforming, OnTwoThreadsGivesTheSameBitsAsOnOne)
{
  const std::vector<CastResult> expected = {castAnew(1), castAnew(2)};
  expectSameBitsOnTwoThreads(expected, [&](const auto& run) {
    const ScopedDevice scope(device());
    const Stream stream = Stream::create();
    MeshRayCaster caster = newCaster(shapeAt(1));
    change(caster, [&](auto& p) { p.outputs = all_outputs; });
    RayCastImages images;
    run([&](int input) {
      caster.setScene(sceneOf(shapeAt(1 + input)));
      caster.cast(view(), images, stream);
      stream.synchronize();
      return CastResult(images);
    });
  });
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Deforming);

#if PCL_GPU_HAVE_CUDA

class DeformingOnCuda : public Deforming {};

TEST_P(DeformingOnCuda, AllocatesNothingInSteadyState)
{
  const MeshScene::Ptr scene = sceneOf(shapeAt(0));
  MeshRayCaster caster = newCaster(scene);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  RayCastImages images;
  const Stream stream = Stream::create();
  for (int run = 0; run < 2; ++run)
    caster.cast(view(), images, stream);
  expectNoAllocation(stream, [&](int run) {
    scene->setPose(0, randomPose(run, 0.1f));
    caster.cast(view(), images, stream);
  });
}

TEST_P(DeformingOnCuda, CanBeCapturedIntoAGraph)
{
  TriangleMesh mesh = uploaded(shapeAt(0));
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh));
  MeshRayCaster caster = newCaster(scene);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  RayCastImages images;
  const Stream stream = Stream::create();
  const auto work = [&] { caster.cast(view(), images, stream); };
  work();
  const CapturedGraph graph(stream, work);
  for (int time : {0, 1, 2}) {
    const HostMesh shape = shapeAt(time);
    mesh.vertices.upload(shape.vertices.data(), shape.vertices.size());
    graph.launch();
    expectSameBits(CastResult(images), castAnew(time));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         DeformingOnCuda,
                         ::testing::Combine(::testing::Values("cuda"),
                                            ::testing::ValuesIn(castMethods())),
                         deviceAndMethodName);

#endif

} // namespace
