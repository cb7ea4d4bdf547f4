// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/change_parameters.h"
#include "testing/video/rendered_images.h"
#include "testing/video/rendered_video.h"

#include <pcl/gpu/scenespace/effects/virtual_view_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace pcl::gpu::test {

/** \brief A short video of the room in small pictures. */
inline RenderedVideoSettings
smallRenderedVideo(int frames = 9)
{
  RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  settings.frames = frames;
  settings.begin = 4.0f;
  return settings;
}

/** \brief A rendered video that is rendered once. */
inline std::shared_ptr<RGBDRecording>
recorded(const RenderedVideoSettings& settings)
{
  const RenderedVideo video(settings);
  const auto recording = std::make_shared<RGBDRecording>();
  for (int i = 0; i < video.size(); ++i)
    recording->add(video.read(i));
  return recording;
}

/** \brief Views beside the input's.
 * \param[in] offset right, down and forward of each camera, metres
 */
inline std::shared_ptr<VirtualViewEffect>
besideTheCamera(const Eigen::Vector3f& offset)
{
  const auto effect = std::make_shared<VirtualViewEffect>();
  change(*effect, [&](auto& p) {
    p.views = [offset](const RGBDVideo& video, int number) {
      SceneView view;
      view.camera = video.view(number).color_camera;
      view.pose = video.view(number).color_pose;
      view.pose.translate(offset);
      view.time = static_cast<float>(number);
      return view;
    };
  });
  return effect;
}

/** \brief Fails unless both are the same, bit for bit. */
inline void
expectSameFrames(const RGBDFrame& a, const RGBDFrame& b)
{
  ASSERT_EQ(a.color.pixels.size(), b.color.pixels.size());
  for (std::size_t i = 0; i < a.color.pixels.size(); ++i) {
    ASSERT_EQ(a.color.pixels[i].rgba, b.color.pixels[i].rgba) << "pixel " << i;
    const float p = a.depth.pixels[i], q = b.depth.pixels[i];
    ASSERT_TRUE(p == q || (std::isnan(p) && std::isnan(q))) << "pixel " << i;
  }
}

/** \brief Expects the promise of every effect: the same frames with any memory, and on
 * the host. */
inline void
expectSameWithAnyMemory(const RGBDVideo::ConstPtr& video,
                        const SceneSpaceEffect::ConstPtr& effect,
                        int number)
{
  const RGBDFrame expected = SceneSpaceVideo(video, effect).read(number);
  const SceneView view = effect->view(*video, number);
  const PinholeCamera camera = video->view(number).color_camera;
  for (const int room : {2, 4}) {
    SceneSpaceResources resources;
    resources.memory =
        effect->workingMemory(view).bytes(view) +
        room * SceneFrameStore::estimateMemory(camera.width, camera.height, {}) + 1;
    expectSameFrames(SceneSpaceVideo(video, effect, {}, resources).read(number),
                     expected);
  }
  SceneSpaceResources on_host;
  on_host.devices = {Device::host()};
  expectSameFrames(SceneSpaceVideo(video, effect, {}, on_host).read(number), expected);
}

/** \brief The pixels that have depth. */
inline Image<std::uint8_t>
pixelsWithDepth(const Image<float>& depth)
{
  Image<std::uint8_t> mask;
  mask.resize(depth.width, depth.height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i)
    mask.pixels[i] = depth.pixels[i] > 0.0f ? 255 : 0;
  return mask;
}

using Mask = gpu::Image<std::uint8_t>;

/** \brief A rendered video and the masks of an object in it. */
struct MaskedVideo {
  RenderedVideoSettings settings;
  RGBDVideo::ConstPtr video;
  std::shared_ptr<const std::vector<Mask>> masks;

  MaskedVideo(const RenderedVideoSettings& how, RoomObject object)
  : settings(how)
  , video(recorded(how))
  {
    const RenderedVideo room(settings);
    const auto made = std::make_shared<std::vector<Mask>>();
    for (int i = 0; i < room.size(); ++i) {
      const RGBDView view = room.view(i);
      made->push_back(
          renderMask(view.color_camera, view.color_pose, object, 2, room.contents(i)));
    }
    masks = made;
  }

  ScenePreparation
  preparation() const
  {
    ScenePreparation made;
    made.masks = [masks = masks](int number) { return (*masks)[number]; };
    return made;
  }
};

/** \brief A small video that a ball bounces through. */
inline RenderedVideoSettings
ballVideo(CameraMotion motion = CameraMotion::Sideways)
{
  RenderedVideoSettings settings;
  settings.motion = motion;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  settings.frames = 31;
  settings.frame_rate = 15.0f;
  settings.begin = 2.0f;
  settings.contents.moving_ball = true;
  return settings;
}

/** \brief That video and the masks of its ball, rendered once. */
inline const MaskedVideo&
maskedBallVideo(CameraMotion motion = CameraMotion::Sideways)
{
  static std::map<CameraMotion, MaskedVideo> videos;
  auto found = videos.find(motion);
  if (found == videos.end())
    found =
        videos.emplace(motion, MaskedVideo(ballVideo(motion), RoomObject::MovingBall))
            .first;
  return found->second;
}

/** \brief Memory that an effect takes, and room for some frames. */
inline std::size_t
memoryFor(const RGBDVideo& video,
          const SceneSpaceEffect& effect,
          const ScenePreparation& preparation,
          int frames)
{
  const SceneView view = effect.view(video, 0);
  return effect.workingMemory(view).bytes(view) +
         frames * SceneFrameStore::estimateMemory(
                      view.camera.width, view.camera.height, preparation) +
         1;
}

} // namespace pcl::gpu::test
