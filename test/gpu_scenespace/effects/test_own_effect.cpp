// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>

namespace pcl::gpu::test {

namespace {

class OwnEffects : public DeviceTest {};

/** \brief Averages the samples of each frame's surfaces in the frames about it. */
class MeanEffect : public SceneSpaceEffect {
public:
  std::unique_ptr<SceneSpaceEffect>
  clone() const override
  {
    return std::make_unique<MeanEffect>(*this);
  }

  void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream) override
  {
    const PreparedFrame own = frames.get(number, stream);
    average_.begin(own.frame->getView(), {{}, own.frame->getDepth()}, stream);
    const std::vector<int> window = frameWindow(frames.getVideo(), number, 3);
    for (const FrameBatch& batch : frames.batches(window, {}, stream))
      average_.add(batch.frames, batch.weights, stream);
    average_.finish(image, stream);
  }

private:
  SceneSpaceAverage average_;
};

TEST_P(OwnEffects, NeedNoMoreThanAFunctionThatMakesAFrame)
{
  const RGBDVideo::ConstPtr video = recorded(smallRenderedVideo());
  const auto effect = std::make_shared<MeanEffect>();
  expectSameWithAnyMemory(video, effect, 4);
  // Without noise, denoising that compares no colours is the same.
  DenoisingEffectParameters parameters;
  parameters.reach = 3;
  parameters.sigma_rgb = 1e30f;
  const auto denoising = std::make_shared<DenoisingEffect>();
  denoising->setParameters(parameters);
  expectSameFrames(SceneSpaceVideo(video, effect).read(4),
                   SceneSpaceVideo(video, denoising).read(4));
}

TEST_P(OwnEffects, HaveCopiesWithTheSameParametersAndNoSharedMemory)
{
  const RGBDVideo::ConstPtr video = recorded(smallRenderedVideo(5));
  SuperResolutionEffect effect;
  SuperResolutionEffectParameters parameters;
  parameters.reach = 2;
  parameters.scale = 3;
  effect.setParameters(parameters);
  const PinholeCamera camera = video->view(0).color_camera;
  const std::size_t room =
      5 * SceneFrameStore::estimateMemory(camera.width, camera.height, {});
  SceneFrameStore frames(video, {}, room, 1);
  SceneImage image, copied;
  effect.compute(frames, 2, image);
  SuperResolutionEffect copy = effect;
  EXPECT_EQ(copy.getParameters().scale, 3);
  copy.compute(frames, 2, copied);
  EXPECT_NE(image.color.ptr(), copied.color.ptr());
  std::vector<RGB> first, second;
  int columns = 0;
  image.color.download(first, columns);
  copied.color.download(second, columns);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    ASSERT_EQ(first[i].rgba, second[i].rgba) << "pixel " << i;
}

TEST_P(OwnEffects, HaveWindowsAndWeightsOfFrames)
{
  const RGBDVideo::ConstPtr video = recorded(smallRenderedVideo());
  EXPECT_EQ(frameWindow(*video, 4, 2), (std::vector<int>{2, 3, 4, 5, 6}));
  EXPECT_EQ(frameWindow(*video, 1, 5, 2), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(frameWindow(*video, 8, 0), std::vector<int>{8});
  const std::vector<float> weights = timeWeights({2, 3, 4}, 3, 1.0f);
  EXPECT_EQ(weights[1], 1.0f);
  EXPECT_FLOAT_EQ(weights[0], std::exp(-0.5f));
  EXPECT_EQ(weights[0], weights[2]);
  expectBadArgument("number of the frame is 9", [&] { frameWindow(*video, 9, 1); });
  expectBadArgument("reach is -1", [&] { frameWindow(*video, 3, -1); });
  expectBadArgument("step is 0", [&] { frameWindow(*video, 3, 1, 0); });
  expectBadArgument("sigma of frames is 0", [&] { timeWeights({1}, 1, 0.0f); });
}

TEST_P(OwnEffects, CountTheMemoryOfWhatTheyHold)
{
  SceneView view;
  view.camera = PinholeCamera::fromFieldOfView(0.8f, 1000, 700);
  const EffectMemory none{0, 0, 0, 0};
  EXPECT_EQ(none.bytes(view), 0u);
  EXPECT_EQ((EffectMemory{0, 0, 0, 17}).bytes(view), 17u);
  const std::size_t pixels = 1000 * 700;
  EXPECT_GE((EffectMemory{1, 0, 0, 0}).bytes(view), 24 * pixels);
  EXPECT_GE((EffectMemory{0, 1, 0, 0}).bytes(view), 32 * pixels);
  EXPECT_GE((EffectMemory{0, 0, 2, 0}).bytes(view), 24 * pixels);
  EXPECT_EQ(MeanEffect().workingMemory(view).bytes(view),
            (EffectMemory{1, 1, 4, 0}).bytes(view));
}

TEST(SuperResolutionFilters, AreThoseThatThereAre)
{
  SuperResolutionEffectParameters parameters;
  parameters.filter = static_cast<EnlargementFilter>(3);
  expectBadArgument("enlargement filter is 3", [&] { parameters.validate(); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(OwnEffects);

} // namespace

} // namespace pcl::gpu::test
