// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cast_test.h"
#include "common/change_parameters.h"
#include "common/expect_throws.h"
#include "common/numbers.h"

#include <pcl/gpu/containers/device_exception.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

TEST(BadArguments, OfTheRayCasterAreNamed)
{
  MeshRayCaster caster;
  expectBadArgument("scene", [&] { caster.setScene(nullptr); });
  for (float bad : {-1.0f, not_a_number, infinity})
    expectBadArgument("nearest depth", [&] {
      change(caster, [&](auto& p) {
        p.nearest = bad;
        p.farthest = 5.0f;
      });
    });
  for (float bad : {-1.0f, 0.5f, 1.0f, not_a_number, -infinity})
    expectBadArgument("farthest depth", [&] {
      change(caster, [&](auto& p) {
        p.nearest = 1.0f;
        p.farthest = bad;
      });
    });
  for (int bad : {-8, 0, 4, 12, 64})
    expectBadArgument("tile size is " + std::to_string(bad),
                      [&] { change(caster, [&](auto& p) { p.tile_size = bad; }); });
  for (int bad : {-1, 0, 65})
    expectBadArgument("slabs is " + std::to_string(bad),
                      [&] { change(caster, [&](auto& p) { p.slabs = bad; }); });
  expectBadArgument("culling is 3", [&] {
    change(caster, [&](auto& p) { p.culling = static_cast<Culling>(3); });
  });
  expectBadArgument("method is -1", [&] {
    change(caster, [&](auto& p) { p.method = static_cast<CastMethod>(-1); });
  });
  expectBadArgument("slab spacing is 9", [&] {
    change(caster, [&](auto& p) {
      p.slabs = 4;
      p.slab_spacing = static_cast<SlabSpacing>(9);
    });
  });
  for (unsigned int bad : {0u, 128u, 129u, ~0u})
    expectBadArgument("outputs is " + std::to_string(bad),
                      [&] { change(caster, [&](auto& p) { p.outputs = bad; }); });
  for (int size : {8, 16, 32})
    EXPECT_NO_THROW(change(caster, [&](auto& p) { p.tile_size = size; }));
  for (SlabSpacing spacing :
       {SlabSpacing::ProjectedDepth, SlabSpacing::Depth, SlabSpacing::Logarithm})
    EXPECT_NO_THROW(change(caster, [&](auto& p) {
      p.slabs = 64;
      p.slab_spacing = spacing;
    }));
}

TEST(BadArguments, LeaveTheParametersAsTheyWere)
{
  MeshRayCaster caster;
  change(caster, [](auto& p) { p.slabs = 5; });
  expectBadArgument("tile size", [&] {
    change(caster, [](auto& p) {
      p.slabs = 6;
      p.tile_size = 7;
    });
  });
  EXPECT_EQ(caster.getParameters().slabs, 5);
  EXPECT_EQ(caster.getParameters().tile_size, MeshRayCasterParameters().tile_size);
  const MeshRayCaster copy(caster);
  EXPECT_EQ(copy.getParameters().slabs, 5);
}

TEST(BadArguments, OfCamerasAreNamed)
{
  const auto pinholeWith = [](auto member, auto value) {
    return [=] {
      PinholeCamera camera = pinhole(20, 10);
      camera.*member = value;
      CameraView view(camera);
    };
  };
  const auto orthographicWith = [](auto member, auto value) {
    return [=] {
      OrthographicCamera camera = orthographic(20, 10);
      camera.*member = value;
      CameraView view(camera);
    };
  };
  for (float bad : {0.0f, -1.0f, 1e-40f, not_a_number, infinity}) {
    expectBadArgument("fx", pinholeWith(&PinholeCamera::fx, bad));
    expectBadArgument("fy", pinholeWith(&PinholeCamera::fy, bad));
    expectBadArgument("scale_x", orthographicWith(&OrthographicCamera::scale_x, bad));
    expectBadArgument("scale_y", orthographicWith(&OrthographicCamera::scale_y, bad));
  }
  for (float bad : {not_a_number, infinity}) {
    expectBadArgument("cx", pinholeWith(&PinholeCamera::cx, bad));
    expectBadArgument("cy", pinholeWith(&PinholeCamera::cy, bad));
    expectBadArgument("cx", orthographicWith(&OrthographicCamera::cx, bad));
    expectBadArgument("cy", orthographicWith(&OrthographicCamera::cy, bad));
  }
  for (int bad : {-1, 0, CameraView::max_size + 1}) {
    const std::string value = " is " + std::to_string(bad);
    expectBadArgument("width" + value, pinholeWith(&PinholeCamera::width, bad));
    expectBadArgument("height" + value, pinholeWith(&PinholeCamera::height, bad));
    expectBadArgument("width" + value,
                      orthographicWith(&OrthographicCamera::width, bad));
    expectBadArgument("height" + value,
                      orthographicWith(&OrthographicCamera::height, bad));
  }
  Pose mirrored = Pose::Identity();
  mirrored.linear()(0, 0) = -1.0f;
  Pose lost = Pose::Identity();
  lost.translation().x() = not_a_number;
  for (const Pose& bad : {mirrored, lost}) {
    expectBadArgument("camera pose", [&] { CameraView view(pinhole(20, 10), bad); });
    expectBadArgument("camera pose",
                      [&] { CameraView view(orthographic(20, 10), bad); });
  }
}

TEST(CameraView, TellsWhatItWasGiven)
{
  const Pose pose = randomPose(1, 2.0f);
  const CameraView view(PinholeCamera{1, 2, 3, 4, 5, 6}, pose);
  EXPECT_FALSE(view.isOrthographic());
  EXPECT_EQ(view.getFx(), 1.0f);
  EXPECT_EQ(view.getFy(), 2.0f);
  EXPECT_EQ(view.getCx(), 3.0f);
  EXPECT_EQ(view.getCy(), 4.0f);
  EXPECT_EQ(view.getWidth(), 5);
  EXPECT_EQ(view.getHeight(), 6);
  EXPECT_EQ(view.getPose().matrix(), pose.matrix());
  const CameraView parallel(OrthographicCamera{1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(parallel.isOrthographic());
  EXPECT_EQ(parallel.getFy(), 2.0f);
  EXPECT_EQ(parallel.getPose().matrix(), Pose::Identity().matrix());
}

class RefusedCasts : public CastTest {};

TEST_P(RefusedCasts, NameWhatIsMissing)
{
  RayCastImages images;
  expectBadArgument("scene",
                    [&] { MeshRayCaster().cast(CameraView(pinhole(9, 9)), images); });
  MeshRayCaster caster = newCaster(wall(-1, 1, -1, 1, 2));
  expectBadArgument("cameras", [&] { caster.cast(std::vector<CameraView>(), images); });
  const CameraView first(pinhole(9, 8));
  expectBadArgument("width is 10", [&] {
    caster.cast({first, CameraView(pinhole(10, 8))}, images);
  });
  expectBadArgument("height is 7", [&] {
    caster.cast({first, CameraView(pinhole(9, 7))}, images);
  });
  EXPECT_TRUE(images.depth.empty());
}

TEST_P(RefusedCasts, LeaveEarlierImagesAlone)
{
  MeshRayCaster caster = newCaster(wall(-1, 1, -1, 1, 2));
  RayCastImages images;
  caster.cast(CameraView(pinhole(9, 8)), images);
  const CastResult before(images);
  EXPECT_THROW(
      caster.cast({CameraView(pinhole(9, 8)), CameraView(pinhole(9, 7))}, images),
      pcl::BadArgumentException);
  expectSameBits(CastResult(images), before);
}

TEST_P(RefusedCasts, ForWantOfMemoryNameTheBytesAndLeaveTheCasterOfUse)
{
  MeshRayCaster caster = newCaster(wall(-1, 1, -1, 1, 2));
  const CameraView view(pinhole(9, 8));
  RayCastImages images;
  caster.cast(view, images);
  const CastResult before(images);
  constexpr int size = CameraView::max_size;
  constexpr std::size_t count = 60000; // 64 terabytes of depth alone
  const std::vector<CameraView> views(count, CameraView(pinhole(size, size)));
  try {
    caster.cast(views, images);
    FAIL() << "there was memory";
  }
  catch (const DeviceOutOfMemoryException& error) {
    EXPECT_EQ(error.device(), device());
    EXPECT_GE(error.bytesAsked(), count * size * size);
    EXPECT_NE(std::string(error.what()).find(std::to_string(error.bytesAsked())),
              std::string::npos)
        << error.what();
  }
  RayCastImages after;
  caster.cast(view, after);
  expectSameBits(CastResult(after), before);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(RefusedCasts);

} // namespace
