// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "polygon_meshes.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/polygon_mesh_ray_caster.h>
#include <pcl/gpu/raycast/range_image_conversion.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

constexpr int width = 120;
constexpr int height = 90;

PinholeCamera
camera()
{
  return PinholeCamera::fromFieldOfView(0.7f, width, height);
}

class RangeImages : public DeviceTest {
protected:
  static Pose
  pose()
  {
    return lookAt({0.9f, -1.1f, -2.0f}, {0.0f, 0.1f, 0.05f});
  }
};

TEST_P(RangeImages, AreThoseThatPclMakesOfThePointsSeen)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(cube(1.0f));
  ray_caster.setCamera({camera(), pose()});
  ray_caster.setOutputInWorldFrame(true);
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  pcl::RangeImagePlanar ours, theirs;
  ray_caster.getRangeImage(ours);
  theirs.createFromPointCloudWithFixedSize(cloud,
                                           width,
                                           height,
                                           camera().cx,
                                           camera().cy,
                                           camera().fx,
                                           camera().fy,
                                           Eigen::Affine3f(pose()));
  ASSERT_EQ(ours.width, theirs.width);
  ASSERT_EQ(ours.height, theirs.height);
  EXPECT_EQ(ours.is_dense, theirs.is_dense);
  EXPECT_EQ(ours.getFocalLengthX(), theirs.getFocalLengthX());
  EXPECT_EQ(ours.getFocalLengthY(), theirs.getFocalLengthY());
  EXPECT_EQ(ours.getCenterX(), theirs.getCenterX());
  EXPECT_EQ(ours.getCenterY(), theirs.getCenterY());
  EXPECT_TRUE(ours.getTransformationToWorldSystem().isApprox(
      theirs.getTransformationToWorldSystem(), 1e-5f));
  EXPECT_LT((ours.getSensorPos() - theirs.getSensorPos()).norm(), 1e-5f);
  int observed = 0;
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u) {
      const auto& point = ours.getPoint(u, v);
      if (!ours.isValid(u, v)) {
        // PCL lets each point fill empty neighbours: there it has a little more.
        EXPECT_TRUE(std::isnan(point.x));
        EXPECT_EQ(point.range, -std::numeric_limits<float>::infinity());
        continue;
      }
      ++observed;
      ASSERT_TRUE(theirs.isValid(u, v)) << u << " " << v;
      const auto& expected = theirs.getPoint(u, v);
      EXPECT_NEAR(point.range, expected.range, 2e-6f * expected.range);
      EXPECT_LT((point.getVector3fMap() - expected.getVector3fMap()).norm(), 1e-5f);
      float x, y, range;
      ours.getImagePoint(cloud(u, v).getVector3fMap(), x, y, range);
      EXPECT_NEAR(x, u, 1e-3f);
      EXPECT_NEAR(y, v, 1e-3f);
    }
  EXPECT_GT(observed, 2000);
}

TEST_P(RangeImages, TakeNoDepthAsUnobserved)
{
  Image<float> depth(height, width, 1.0f);
  depth.at(0, 0) = 0.0f;
  depth.at(0, 1) = -1.0f;
  depth.at(0, 2) = std::numeric_limits<float>::quiet_NaN();
  depth.at(0, 3) = std::numeric_limits<float>::infinity();
  pcl::RangeImagePlanar image;
  toRangeImagePlanar(uploaded(depth), CameraView(camera(), pose()), image);
  for (int u = 0; u < 4; ++u)
    EXPECT_TRUE(std::isinf(image.getPoint(u, 0).range)) << u;
  const float slope = (4 - camera().cx) / camera().fx;
  const float slope_y = (0 - camera().cy) / camera().fy;
  EXPECT_NEAR(image.getPoint(4, 0).range,
              std::sqrt(1 + slope * slope + slope_y * slope_y),
              1e-6);
}

TEST_P(RangeImages, RefuseOtherCamerasAndSizes)
{
  const DeviceArray2D<float> depth = uploaded(Image<float>(height, width, 1.0f));
  pcl::RangeImagePlanar image;
  const OrthographicCamera parallel{10.0f, 10.0f, 0.0f, 0.0f, width, height};
  expectBadArgument("orthographic",
                    [&] { toRangeImagePlanar(depth, parallel, image); });
  PinholeCamera other = camera();
  other.width = width + 1;
  expectBadArgument("width", [&] { toRangeImagePlanar(depth, other, image); });
  other = camera();
  other.height = height - 1;
  expectBadArgument("height", [&] { toRangeImagePlanar(depth, other, image); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RangeImages);

} // namespace
