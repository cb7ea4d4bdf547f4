// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_scenespace/effects/low_video.h"
#include "testing/video/rendered_images.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <Eigen/QR>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

namespace pcl::gpu::test {

namespace {

class LearnedFilters : public DeviceTest {};

constexpr double infinite_psnr = std::numeric_limits<double>::infinity();
constexpr int reach = 3, side = 2 * reach + 1, taps = side * side;

/** \brief A video's second frame, enlarged.
 * \param[in] own_steps number of steps that add the difference from the frame
 */
ColorImage
filtered(const RGBDVideo::ConstPtr& video,
         int scale,
         EnlargementFilter filter,
         int own_steps = 0)
{
  const auto effect = std::make_shared<SuperResolutionEffect>();
  change(*effect, [&](auto& p) {
    p.scale = scale;
    p.filter = filter;
    p.iterations = 0;
    p.own_steps_before = own_steps;
    p.own_steps_behind = 0;
  });
  return SceneSpaceVideo(video, effect).read(1).color;
}

/** \brief Lanczos's filter at a place between pixels, as a filter of side x side
 * pixels. */
Eigen::VectorXd
lanczosWeights(double x, double y)
{
  Eigen::MatrixXd weights(side, side);
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
      weights(i, j) = lanczos(i - reach - x) * lanczos(j - reach - y);
  return weights.reshaped() / weights.sum();
}

/** \brief A filter's input about one pixel of a picture, each channel in a row. */
Eigen::Matrix<double, 3, taps>
neighbourhood(const Picture& picture, int column, int row)
{
  Eigen::Matrix<double, 3, taps> result;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const int u = std::clamp(column + i - reach, 0, picture.width - 1);
      const int v = std::clamp(row + j - reach, 0, picture.height - 1);
      for (int c = 0; c < 3; ++c)
        result(c, j * side + i) = picture.pixels[v * picture.width + u][c];
    }
  return result;
}

/** \brief Means of scale x scale pixels, not rounded. */
Picture
means(const Picture& picture, int scale)
{
  Picture result{picture.width / scale, picture.height / scale, {}};
  result.pixels.resize(result.width * result.height);
  for (int v = 0; v < result.height * scale; ++v)
    for (int u = 0; u < result.width * scale; ++u)
      for (int c = 0; c < 3; ++c)
        result.pixels[v / scale * result.width + u / scale][c] +=
            picture.pixels[v * picture.width + u][c] / (scale * scale);
  return result;
}

/** \brief A picture enlarged by the filters of least squares, which are found from all
 * its equations, one by one, by QR decomposition. */
ColorImage
enlargedByBestFilters(const ColorImage& color, int scale)
{
  const Picture picture = pictureOf(color), small = means(picture, scale);
  const int equations =
      3 * (small.width - 2 * reach) * (small.height - 2 * reach) + taps;
  ColorImage result;
  result.resize(color.width * scale, color.height * scale);
  for (int y = 0; y < scale; ++y)
    for (int x = 0; x < scale; ++x) {
      Eigen::MatrixXd inputs(equations, taps);
      Eigen::VectorXd outputs(equations);
      int equation = 0;
      for (int v = reach; v < small.height - reach; ++v)
        for (int u = reach; u < small.width - reach; ++u) {
          inputs.middleRows<3>(equation) = neighbourhood(small, u, v);
          const auto& pixel =
              picture.pixels[(v * scale + y) * picture.width + u * scale + x];
          for (const double level : pixel)
            outputs(equation++) = level;
        }
      // Drawn a little to Lanczos's filter.
      const double draw = 1.0 + 1e-3 * inputs.topRows(equation).squaredNorm() / taps;
      const auto offset = [&](int place) { return (place + 0.5) / scale - 0.5; };
      inputs.bottomRows<taps>() =
          std::sqrt(draw) * Eigen::MatrixXd::Identity(taps, taps);
      outputs.tail<taps>() = std::sqrt(draw) * lanczosWeights(offset(x), offset(y));
      const Eigen::VectorXd weights = inputs.householderQr().solve(outputs);
      for (int v = 0; v < picture.height; ++v)
        for (int u = 0; u < picture.width; ++u) {
          const Eigen::Vector3d levels = neighbourhood(picture, u, v) * weights;
          result.pixels[(v * scale + y) * result.width + u * scale + x] =
              roundedColor({levels[0], levels[1], levels[2]});
        }
    }
  return result;
}

void
expectAlike(const ColorImage& a, const ColorImage& b)
{
  ASSERT_EQ(a.pixels.size(), b.pixels.size());
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    // Halves may be rounded either way.
    ASSERT_NEAR(a.pixels[i].r, b.pixels[i].r, 1) << "pixel " << i;
    ASSERT_NEAR(a.pixels[i].g, b.pixels[i].g, 1) << "pixel " << i;
    ASSERT_NEAR(a.pixels[i].b, b.pixels[i].b, 1) << "pixel " << i;
  }
  EXPECT_GT(psnr(a, b), 70.0);
}

/** \brief Stripes of any width, slanted, on a wall in front of a camera that moves
 * sideways by parts of a pixel. */
class Stripes {
public:
  static constexpr int width = 80, height = 60, frames = 7;
  static constexpr double step = 0.3; ///< pixels

  /** \brief A frame of the video with as many times the pixels. */
  static ColorImage
  frame(int number, int scale)
  {
    constexpr int samples = 4;
    std::mt19937 random(5);
    std::array<double, 400> ends{}, levels{};
    for (std::size_t i = 1; i < ends.size(); ++i) {
      ends[i] = ends[i - 1] + std::uniform_real_distribution<double>(0.3, 4.0)(random);
      levels[i] = std::uniform_real_distribution<double>(40.0, 210.0)(random);
    }
    Picture picture{width * scale, height * scale, {}};
    picture.pixels.resize(picture.width * picture.height);
    for (int v = 0; v < picture.height * samples; ++v)
      for (int u = 0; u < picture.width * samples; ++u) {
        const double x = (u + 0.5) / (scale * samples) + step * number;
        const double y = (v + 0.5) / (scale * samples);
        const auto end = std::upper_bound(ends.begin(), ends.end(), x + 0.45 * y);
        for (double& level : picture.pixels[v / samples * picture.width + u / samples])
          level += levels[end - ends.begin()] / (samples * samples);
      }
    ColorImage result;
    result.resize(picture.width, picture.height);
    std::transform(picture.pixels.begin(),
                   picture.pixels.end(),
                   result.pixels.begin(),
                   roundedColor);
    return result;
  }

  static RGBDVideo::ConstPtr
  video()
  {
    const auto recording = std::make_shared<RGBDRecording>();
    for (int i = 0; i < frames; ++i) {
      const ColorImage color = frame(i, 1);
      RGBDFrame frame = wall(width, height, [&](int u, int v) {
                          return color.pixels[v * width + u];
                        })->read(0);
      frame.color_pose.translation().x() = frame.depth_pose.translation().x() =
          static_cast<float>(step * i) * frame.depth.pixels[0] / frame.color_camera.fx;
      recording->add(frame);
    }
    return recording;
  }
};

TEST_P(LearnedFilters, AreThoseOfLeastSquares)
{
  const RGBDVideo::ConstPtr video = lowVideo({}).video;
  for (const int scale : {2, 3, 4})
    expectAlike(filtered(video, scale, EnlargementFilter::Learned),
                enlargedByBestFilters(video->read(1).color, scale));
}

TEST_P(LearnedFilters, MakeStripesBetterThanLanczosFilter)
{
  const RGBDVideo::ConstPtr video = Stripes::video();
  const ColorImage truth = Stripes::frame(1, 2);
  EXPECT_GT(psnr(filtered(video, 2, EnlargementFilter::Learned), truth),
            psnr(filtered(video, 2, EnlargementFilter::Lanczos), truth) + 0.5);
}

TEST_P(LearnedFilters, AreUsedWhereOtherFramesAgreeWithThem)
{
  const RGBDVideo::ConstPtr video = Stripes::video();
  EXPECT_EQ(psnr(filtered(video, 2, EnlargementFilter::Better),
                 filtered(video, 2, EnlargementFilter::Learned)),
            infinite_psnr);
}

TEST_P(LearnedFilters, AreNotUsedWhereOtherFramesDisagree)
{
  VideoSettings settings;
  settings.scale = 4; // small frames, which little can be learned from
  settings.width = 240;
  settings.height = 144;
  const LowVideo low = lowVideo(settings);
  const auto resultOf = [&](EnlargementFilter filter) {
    return filtered(low.video, settings.scale, filter, 2);
  };
  const ColorImage lanczos = resultOf(EnlargementFilter::Lanczos);
  EXPECT_LT(psnr(resultOf(EnlargementFilter::Learned), low.truths[1]),
            psnr(lanczos, low.truths[1]) - 1.0);
  EXPECT_EQ(psnr(resultOf(EnlargementFilter::Better), lanczos), infinite_psnr);
}

TEST_P(LearnedFilters, AreNotUsedWithoutOtherFrames)
{
  const auto recording = std::make_shared<RGBDRecording>();
  recording->add(Stripes::video()->read(0));
  const auto resultOf = [&](EnlargementFilter filter) {
    const auto effect = std::make_shared<SuperResolutionEffect>();
    change(*effect, [&](auto& p) { p.filter = filter; });
    return SceneSpaceVideo(recording, effect).read(0).color;
  };
  EXPECT_EQ(
      psnr(resultOf(EnlargementFilter::Better), resultOf(EnlargementFilter::Lanczos)),
      infinite_psnr);
}

TEST_P(LearnedFilters, OfSmallPicturesAreLanczosFilter)
{
  // None of the means has a filter's pixels around it.
  const RGBDVideo::ConstPtr video = wall(12, 30, [](int u, int v) {
    return RGB(static_cast<std::uint8_t>(10 * u), static_cast<std::uint8_t>(4 * v), 50);
  });
  for (const int scale : {2, 3, 4})
    expectAlike(filtered(video, scale, EnlargementFilter::Learned),
                filtered(video, scale, EnlargementFilter::Lanczos));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(LearnedFilters);

} // namespace

} // namespace pcl::gpu::test
