// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "opencv_denoising.h"

#include <opencv2/imgproc.hpp>
#include <opencv2/photo.hpp>
#include <opencv2/video/tracking.hpp>

#include <algorithm>
#include <cstdlib>

namespace benchmarks {

using pcl::gpu::ColorImage;

namespace {

constexpr int patch_size = 7, search_size = 21;

cv::Mat
toMat(const ColorImage& color)
{
  cv::Mat mat(color.height, color.width, CV_8UC3);
  std::transform(
      color.pixels.begin(),
      color.pixels.end(),
      mat.begin<cv::Vec3b>(),
      [](const pcl::RGB& pixel) { return cv::Vec3b(pixel.b, pixel.g, pixel.r); });
  return mat;
}

ColorImage
toColorImage(const cv::Mat& mat)
{
  ColorImage color;
  color.resize(mat.cols, mat.rows);
  std::transform(
      mat.begin<cv::Vec3b>(),
      mat.end<cv::Vec3b>(),
      color.pixels.begin(),
      [](const cv::Vec3b& pixel) { return pcl::RGB(pixel[2], pixel[1], pixel[0]); });
  return color;
}

/** \brief Frames about one of them. */
struct Window {
  std::vector<cv::Mat> images;
  int reference; ///< the one among them
};

/** \brief As many frames before one as behind it, but for the ends of the video. */
Window
window(const NoisyFrames& frames, int number, int count)
{
  const int first =
      std::clamp(number - count / 2, 0, static_cast<int>(frames.size()) - count);
  Window result{{}, number - first};
  for (int i = 0; i < count; ++i)
    result.images.push_back(toMat(frames[first + i].noisy));
  return result;
}

cv::Mat
nonLocalMeans(const cv::Mat& image, float h)
{
  cv::Mat result;
  cv::fastNlMeansDenoising(image, result, h, patch_size, search_size);
  return result;
}

cv::Mat
grayBlurred(const cv::Mat& image)
{
  cv::Mat gray, blurred;
  cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
  cv::GaussianBlur(gray, blurred, {}, 1.5);
  return blurred;
}

cv::Mat
boxBlurred(const cv::Mat& image)
{
  cv::Mat levels, blurred;
  image.convertTo(levels, CV_32FC3);
  cv::blur(levels, blurred, {5, 5});
  return blurred;
}

/** \brief An image as another one sees it.
 * \param[in] flow from the other one to this one
 */
cv::Mat
warped(const cv::Mat& image, const cv::Mat& flow)
{
  cv::Mat places = flow.clone();
  places.forEach<cv::Vec2f>([](cv::Vec2f& place, const int* at) {
    place += cv::Vec2f(static_cast<float>(at[1]), static_cast<float>(at[0]));
  });
  cv::Mat result;
  cv::remap(image, result, places, {}, cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  return result;
}

/** \brief The average along DIS flow.
 * \param[in] sigma of the weights, for differences of colours blurred over 5x5 pixels
 */
cv::Mat
flowAverage(const Window& window, float sigma)
{
  const cv::Mat& reference = window.images[window.reference];
  const cv::Mat gray = grayBlurred(reference), smooth = boxBlurred(reference);
  const auto flow_finder =
      cv::DISOpticalFlow::create(cv::DISOpticalFlow::PRESET_MEDIUM);
  cv::Mat sum = cv::Mat::zeros(reference.size(), CV_32FC3);
  cv::Mat weights = cv::Mat::zeros(reference.size(), CV_32F);
  for (const cv::Mat& image : window.images) {
    cv::Mat other = image;
    if (&image != &reference) {
      cv::Mat flow;
      flow_finder->calc(gray, grayBlurred(image), flow);
      other = warped(image, flow);
    }
    const cv::Mat other_smooth = boxBlurred(other);
    sum.forEach<cv::Vec3f>([&](cv::Vec3f& pixel, const int* at) {
      const cv::Vec3f difference =
          smooth.at<cv::Vec3f>(at) - other_smooth.at<cv::Vec3f>(at);
      const float weight =
          std::exp(-0.5f * difference.dot(difference) / (sigma * sigma));
      weights.at<float>(at) += weight;
      pixel += weight * cv::Vec3f(other.at<cv::Vec3b>(at));
    });
  }
  cv::Mat result(reference.size(), CV_8UC3);
  result.forEach<cv::Vec3b>([&](cv::Vec3b& pixel, const int* at) {
    pixel = sum.at<cv::Vec3f>(at) / weights.at<float>(at);
  });
  return result;
}

std::string
named(const std::string& name, int h)
{
  return name + ", h=" + std::to_string(h);
}

} // namespace

std::vector<VideoDenoiser>
openCVDenoisers()
{
  std::vector<VideoDenoiser> denoisers;
  const auto add = [&](const std::string& name, auto denoise) {
    denoisers.push_back({name, [=](const NoisyFrames& frames, int number) {
                           return toColorImage(denoise(frames, number));
                         }});
  };
  for (const int h : {10, 15, 20})
    add(named("NLM", h), [=](const NoisyFrames& frames, int number) {
      return nonLocalMeans(toMat(frames[number].noisy), h);
    });
  for (const int h : {8, 10, 13})
    add(named("NLM of 5 frames, coloured", h),
        [=](const NoisyFrames& frames, int number) {
          cv::Mat result;
          cv::fastNlMeansDenoisingColoredMulti(window(frames, number, 5).images,
                                               result,
                                               2,
                                               5,
                                               h,
                                               h,
                                               patch_size,
                                               search_size);
          return result;
        });
  for (const int h : {10, 13, 16})
    add(named("NLM of 5 frames, BGR", h), [=](const NoisyFrames& frames, int number) {
      cv::Mat result;
      cv::fastNlMeansDenoisingMulti(
          window(frames, number, 5).images, result, 2, 5, h, patch_size, search_size);
      return result;
    });
  for (const int count : {7, 13, 25})
    for (const int sigma : {10, 20, 40}) {
      const std::string name =
          "DIS, " + std::to_string(count) + " frames, sigma " + std::to_string(sigma);
      add(name, [=](const NoisyFrames& frames, int number) {
        return flowAverage(window(frames, number, count), sigma);
      });
      for (const int h : {3, 5, 7})
        add(named(name + ", NLM", h), [=](const NoisyFrames& frames, int number) {
          return nonLocalMeans(flowAverage(window(frames, number, count), sigma), h);
        });
    }
  return denoisers;
}

} // namespace benchmarks
