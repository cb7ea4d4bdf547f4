// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

namespace {

class EdgeMargins : public DeviceTest {};

RGBDVideo::ConstPtr
sharedLongVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(smallRenderedVideo(31));
  return video;
}

ScenePreparation
withMargin(int pixels)
{
  ScenePreparation preparation;
  preparation.edge_margin = pixels;
  return preparation;
}

/** \brief Returns whether a pixel within a distance has less than a part of a pixel's
 * depth. */
bool
isBesideNearer(const Image<float>& depth, int column, int row, int distance, float part)
{
  const auto at = [&](int x, int y) {
    return depth.pixels[std::size_t(y) * depth.width + x];
  };
  for (int y = std::max(0, row - distance);
       y <= std::min(depth.height - 1, row + distance);
       ++y)
    for (int x = std::max(0, column - distance);
         x <= std::min(depth.width - 1, column + distance);
         ++x)
      if (at(x, y) < part * at(column, row))
        return true;
  return false;
}

/** \brief A view from half a metre beside the camera. */
std::shared_ptr<VirtualViewEffect>
fromBeside()
{
  const auto effect = besideTheCamera({0.2f, -0.1f, 0.4f});
  change(*effect, [&](auto& p) {
    p.reach = 15;
    p.sigma_frame = 15.0f;
  });
  return effect;
}

TEST_P(EdgeMargins, HaveNoDepthBesideNearerThings)
{
  RenderedVideoSettings settings = smallRenderedVideo(1);
  settings.depth_dropout = 0.1f;
  const RGBDVideo::ConstPtr video = recorded(settings);
  const Image<float> whole = video->read(0).depth;
  for (const int margin : {0, 1, 3}) {
    ScenePreparation preparation = withMargin(margin);
    preparation.fill_depth = false;
    SceneFrameStore cache(video, preparation, std::size_t(256) << 20, 1);
    std::vector<float> depth;
    int columns = 0;
    cache.get(0).frame->getDepth().download(depth, columns);
    for (int i = 0; i < 160 * 90; ++i) {
      const float own = whole.pixels[i];
      const bool is_kept =
          !std::isnan(own) && !isBesideNearer(whole, i % 160, i / 160, margin, 0.95f);
      ASSERT_EQ(std::isnan(depth[i]), !is_kept)
          << "pixel " << i << ", margin " << margin;
      if (is_kept) {
        ASSERT_EQ(depth[i], own) << "pixel " << i;
      }
    }
  }
}

constexpr int wall_level = 220, thing_level = 40, mixed_level = 130;

/** \brief A dark thing before a bright wall, and a column of the wall's that has
 * colours of both. */
RGBDVideo::ConstPtr
thingBeforeWall()
{
  RGBDFrame frame;
  frame.color_camera = frame.depth_camera =
      PinholeCamera::fromFieldOfView(0.9f, 64, 48);
  frame.color.resize(64, 48);
  frame.depth.resize(64, 48);
  for (int i = 0; i < 64 * 48; ++i) {
    const int column = i % 64;
    const int level = column < 32    ? thing_level
                      : column == 32 ? mixed_level
                                     : wall_level;
    RGB& color = frame.color.pixels[i];
    color.r = color.g = color.b = static_cast<std::uint8_t>(level);
    frame.depth.pixels[i] = column < 32 ? 1.0f : 3.0f;
  }
  const auto video = std::make_shared<RGBDRecording>();
  video->add(std::move(frame));
  return video;
}

/** \brief Pixels of a view from the right that are neither as dark as the thing nor as
 * bright as the wall. */
int
ghostsBesideThing(int margin)
{
  const auto effect = besideTheCamera({0.2f, 0.0f, 0.0f});
  const ColorImage color =
      SceneSpaceVideo(thingBeforeWall(), effect, withMargin(margin)).read(0).color;
  // A part that leaves the picture on the right shows nothing.
  return std::count_if(color.pixels.begin(), color.pixels.end(), [](const RGB& pixel) {
    return pixel.r > thing_level + 2 && pixel.r < wall_level - 2;
  });
}

TEST_P(EdgeMargins, KeepGhostsOutOfOtherViews)
{
  EXPECT_GE(ghostsBesideThing(0), 48);
  EXPECT_EQ(ghostsBesideThing(1), 0);
}

TEST_P(EdgeMargins, AreTheSameWithLittleMemoryAndOnTheHost)
{
  const auto effect = fromBeside();
  const ScenePreparation preparation = withMargin(1);
  const RGBDFrame expected =
      SceneSpaceVideo(sharedLongVideo(), effect, preparation).read(15);
  SceneSpaceResources little;
  // One more: pixels that are left out are written to an image of their own.
  little.memory = memoryFor(*sharedLongVideo(), *effect, preparation, 4);
  expectSameFrames(
      SceneSpaceVideo(sharedLongVideo(), effect, preparation, little).read(15),
      expected);
  SceneSpaceResources on_host;
  on_host.devices = {Device::host()};
  expectSameFrames(
      SceneSpaceVideo(sharedLongVideo(), effect, preparation, on_host).read(15),
      expected);
}

TEST_P(EdgeMargins, AreNotNegative)
{
  expectBadArgument("margin of edges is -1", [&] {
    SceneFrameStore(sharedLongVideo(), withMargin(-1), std::size_t(256) << 20, 1);
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(EdgeMargins);

} // namespace

} // namespace pcl::gpu::test
