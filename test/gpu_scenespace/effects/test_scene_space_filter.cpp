// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/video/rendered_images.h"
#include "testing/video/rendered_video.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_filter.h>

#include <gtest/gtest.h>

#include <cmath>

namespace pcl::gpu::test {

namespace {

using Cloud = PointCloud<PointXYZRGB>;

class FilteredClouds : public DeviceTest {};

RenderedVideoSettings
settings()
{
  RenderedVideoSettings made;
  made.camera = PinholeCamera::fromFieldOfView(0.8f, 80, 45);
  made.frames = 9;
  made.begin = 4.0f;
  made.color_noise = 20.0f;
  made.depth_dropout = 0.1f;
  return made;
}

/** \brief A frame as a grabber makes it. */
Cloud::Ptr
toCloud(const RGBDFrame& frame)
{
  auto cloud = std::make_shared<Cloud>(frame.color.width, frame.color.height);
  const PinholeCamera& camera = frame.color_camera;
  for (int row = 0; row < frame.color.height; ++row)
    for (int column = 0; column < frame.color.width; ++column) {
      const std::size_t i = std::size_t(row) * frame.color.width + column;
      const float z = frame.depth.pixels[i];
      PointXYZRGB& point = (*cloud)[i];
      point.x = z * ((column - camera.cx) / camera.fx);
      point.y = z * ((row - camera.cy) / camera.fy);
      point.z = z;
      point.r = frame.color.pixels[i].r;
      point.g = frame.color.pixels[i].g;
      point.b = frame.color.pixels[i].b;
    }
  cloud->sensor_origin_.head<3>() = frame.color_pose.translation();
  cloud->sensor_orientation_ = Eigen::Quaternionf(frame.color_pose.linear());
  cloud->header.frame_id = "camera";
  return cloud;
}

struct Sequence {
  RenderedVideo video{settings()};
  std::vector<Cloud::Ptr> clouds;

  Sequence()
  {
    for (int i = 0; i < video.size(); ++i)
      clouds.push_back(toCloud(video.read(i)));
  }
};

const Sequence&
sequence()
{
  static const Sequence shared;
  return shared;
}

ScenePreparation
preparation()
{
  ScenePreparation made;
  made.noise = 20.0f;
  return made;
}

SceneSpaceFilter<PointXYZRGB>
filterOf(const Sequence& input)
{
  SceneSpaceFilter<PointXYZRGB> filter;
  filter.setCamera(input.video.view(0).color_camera);
  filter.setPreparation(preparation());
  for (std::size_t i = 0; i < input.clouds.size(); ++i)
    filter.addCloud(input.clouds[i], input.video.view(int(i)).color_pose);
  return filter;
}

Cloud
filtered(SceneSpaceFilter<PointXYZRGB>& filter, const Cloud::ConstPtr& cloud)
{
  filter.setInputCloud(cloud);
  Cloud output;
  filter.filter(output);
  return output;
}

ColorImage
colorsOf(const Cloud& cloud)
{
  ColorImage image;
  image.resize(int(cloud.width), int(cloud.height));
  for (std::size_t i = 0; i < cloud.size(); ++i)
    image.pixels[i] = RGB(cloud[i].r, cloud[i].g, cloud[i].b);
  return image;
}

void
expectSame(const Cloud& a, const Cloud& b)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].rgba, b[i].rgba) << "point " << i;
    ASSERT_TRUE(a[i].z == b[i].z || (std::isnan(a[i].z) && std::isnan(b[i].z)));
  }
}

TEST_P(FilteredClouds, AreFramesOfAVideo)
{
  auto filter = filterOf(sequence());
  const Cloud cloud = filtered(filter, sequence().clouds[4]);
  const RGBDFrame frame = SceneSpaceVideo(std::make_shared<RenderedVideo>(settings()),
                                          std::make_shared<DenoisingEffect>(),
                                          preparation())
                              .read(4);
  ASSERT_EQ(cloud.width, 80u);
  ASSERT_EQ(cloud.height, 45u);
  const PinholeCamera& camera = frame.color_camera;
  for (int row = 0; row < 45; ++row)
    for (int column = 0; column < 80; ++column) {
      const PointXYZRGB& point = cloud(column, row);
      const std::size_t i = row * 80 + column;
      ASSERT_EQ(point.r, frame.color.pixels[i].r);
      ASSERT_EQ(point.g, frame.color.pixels[i].g);
      ASSERT_EQ(point.b, frame.color.pixels[i].b);
      ASSERT_EQ(point.z, frame.depth.pixels[i]);
      ASSERT_NEAR(point.x * camera.fx / point.z + camera.cx, column, 1e-3f);
      ASSERT_NEAR(point.y * camera.fy / point.z + camera.cy, row, 1e-3f);
    }
}

TEST_P(FilteredClouds, HaveLittleOfTheNoise)
{
  auto filter = filterOf(sequence());
  const ColorImage truth = sequence().video.trueColor(4);
  const Cloud::ConstPtr noisy = sequence().clouds[4];
  EXPECT_GT(psnr(colorsOf(filtered(filter, noisy)), truth) -
                psnr(colorsOf(*noisy), truth),
            8.0);
}

TEST_P(FilteredClouds, TakePosesFromTheirCloudsIfTheyAreNotTold)
{
  auto filter = filterOf(sequence());
  const Cloud expected = filtered(filter, sequence().clouds[2]);
  filter.clearClouds();
  EXPECT_EQ(filter.getNumberOfClouds(), 0);
  for (const Cloud::Ptr& cloud : sequence().clouds)
    filter.addCloud(cloud);
  EXPECT_EQ(filter.getNumberOfClouds(), 9);
  const Cloud result = filtered(filter, sequence().clouds[2]);
  EXPECT_TRUE(result.sensor_origin_.isApprox(expected.sensor_origin_, 1e-5f));
  EXPECT_EQ(result.header.frame_id, "camera");
  EXPECT_LT(psnr(colorsOf(*sequence().clouds[2]), colorsOf(result)),
            psnr(colorsOf(expected), colorsOf(result)) - 20.0);
}

TEST_P(FilteredClouds, MayBeWrittenOverTheirInput)
{
  auto filter = filterOf(sequence());
  const Cloud expected = filtered(filter, sequence().clouds[3]);
  Cloud output = *sequence().clouds[0];
  filter.filter(output);
  expectSame(output, expected);
}

TEST_P(FilteredClouds, SeeCloudsThatAreAddedLater)
{
  SceneSpaceFilter<PointXYZRGB> filter;
  filter.setCamera(sequence().video.view(0).color_camera);
  filter.setPreparation(preparation());
  for (const Cloud::Ptr& cloud : sequence().clouds) {
    filter.addCloud(cloud);
    filtered(filter, cloud);
  }
  SceneSpaceFilter<PointXYZRGB> later;
  later.setCamera(sequence().video.view(0).color_camera);
  later.setPreparation(preparation());
  for (const Cloud::Ptr& cloud : sequence().clouds)
    later.addCloud(cloud);
  expectSame(filtered(filter, sequence().clouds[4]),
             filtered(later, sequence().clouds[4]));
}

TEST_P(FilteredClouds, HaveToBePartOfTheSequence)
{
  auto filter = filterOf(sequence());
  const auto other = std::make_shared<Cloud>(*sequence().clouds[0]);
  filter.setInputCloud(other);
  Cloud output;
  EXPECT_THROW(filter.filter(output), InitFailedException);
}

TEST_P(FilteredClouds, RejectWhatIsNoCloud)
{
  SceneSpaceFilter<PointXYZRGB> filter;
  expectBadArgument("cloud is null", [&] { filter.addCloud(nullptr); });
  expectBadArgument("effect is null", [&] { filter.setEffect(nullptr); });
  EXPECT_THROW(filter.addCloud(std::make_shared<Cloud>(10, 1)),
               UnorganizedPointCloudException);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilteredClouds);

} // namespace

} // namespace pcl::gpu::test
