// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/video/rendered_video.h"

#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace pcl::gpu::test {

namespace {

using Eigen::Vector3f;

constexpr double pi = 3.14159265358979324;

/** \brief Purposes of random numbers. */
enum class Purpose { RedAndGreen, Blue, Depth, Dropout, Shake };

/** \brief Computes the finalizer of SplitMix64 (Steele et al. 2014). */
std::uint64_t
mixed(std::uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/** \brief Random numbers that depend only on a seed, a frame, a purpose and a
 * counter. */
class Random {
public:
  Random(std::uint64_t seed, int frame, Purpose purpose)
  : state_(mixed(mixed(seed + step) + step * (8 * static_cast<std::uint64_t>(frame) +
                                              static_cast<std::uint64_t>(purpose))))
  {}

  /** \brief Returns 64 random bits. */
  std::uint64_t
  bits(std::size_t counter) const
  {
    return mixed(state_ + step * (counter + 1));
  }

  /** \brief Returns a number above 0 and below 1. */
  float
  uniform(std::size_t counter) const
  {
    return part(bits(counter) >> 41);
  }

  /** \brief Returns two independent deviates of the standard normal distribution (Box
   * and Muller). */
  Eigen::Array2f
  normal(std::size_t counter) const
  {
    const std::uint64_t both = bits(counter);
    const float radius = std::sqrt(-2.0f * std::log(part(both >> 41)));
    const float angle = 2.0f * static_cast<float>(pi) * part(both & 0x7fffff);
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

  /** \brief Returns a number above 0 and below 1.
   * \param[in] bits 23 of them
   */
  static float
  part(std::uint64_t bits)
  {
    return (static_cast<float>(bits) + 0.5f) / 8388608.0f;
  }

  std::uint64_t state_;
};

/** \brief Returns the position along the motion: there in 10 s, and back. */
float
wayAt(double time)
{
  const double turns = 0.05 * time - std::floor(0.05 * time);
  return static_cast<float>(turns < 0.5 ? 2.0 * turns : 2.0 - 2.0 * turns);
}

/** \brief Returns the pose of a camera that moves without shake. */
Pose
steadyPose(CameraMotion motion, float way)
{
  if (motion == CameraMotion::Sideways)
    return lookAt({-1.1f + 2.2f * way, 1.4f, 0.5f}, {-0.7f + 1.4f * way, 1.0f, -2.6f});
  if (motion == CameraMotion::Forward) {
    const Vector3f globe(0.08f, 1.0f, -2.42f);
    const Vector3f eye = (1.0f - way) * Vector3f(-0.35f, 1.55f, 1.2f) +
                         way * Vector3f(0.2f, 1.22f, -1.34f);
    return lookAt(eye, globe);
  }
  const float angle = -1.15f + 2.3f * way;
  const Vector3f eye(0.12f * std::sin(angle), 1.5f, 0.15f - 0.12f * std::cos(angle));
  return lookAt(eye, eye + Vector3f(std::sin(angle), -0.16f, -std::cos(angle)));
}

/** \brief Returns the shake of a hand: sums of slow waves, millimetres and tenths of a
 * degree. */
Pose
shaken(const RenderedVideoSettings& settings, double time)
{
  const Random random(settings.seed, 0, Purpose::Shake);
  Vector3f offsets[2] = {Vector3f::Zero(), Vector3f::Zero()};
  for (int i = 0; i < 24; ++i) {
    const double frequency = 0.4 + 0.7 * (i % 4) + 0.5 * random.uniform(2 * i);
    const double phase = 2.0 * pi * random.uniform(2 * i + 1);
    offsets[i / 12][i / 4 % 3] += static_cast<float>(
        std::sin(2.0 * pi * frequency * time + phase) / (1.0 + i % 4));
  }
  const Vector3f turn = 0.0025f * settings.shake * offsets[0];
  const Vector3f shift = 0.003f * settings.shake * offsets[1];
  Pose pose(Eigen::Translation3f(shift.x(), shift.y(), shift.z()));
  for (int axis = 0; axis < 3; ++axis)
    pose.rotate(Eigen::AngleAxisf(turn[axis], Vector3f::Unit(axis)));
  return pose;
}

/** \brief Removes depth that the light of a projector on the camera's right does not
 * reach. */
void
removeShadows(gpu::Image<float>& depth, const gpu::Image<float>& truth, float disparity)
{
#pragma omp parallel for schedule(static)
  for (int v = 0; v < truth.height; ++v) {
    // Compares places in the projector's picture: a pixel that lies beyond one on its
    // right is in the shadow.
    float last = std::numeric_limits<float>::infinity();
    for (int u = truth.width - 1; u >= 0; --u) {
      const std::size_t i = std::size_t(v) * truth.width + u;
      const float place = u - disparity / truth.pixels[i];
      if (place > last)
        depth.pixels[i] = std::numeric_limits<float>::quiet_NaN();
      last = std::min(last, place);
    }
  }
}

} // namespace

CameraMotion
motionNamed(const std::string& name)
{
  if (name == "rotation")
    return CameraMotion::Rotation;
  if (name == "sideways")
    return CameraMotion::Sideways;
  if (name == "forward")
    return CameraMotion::Forward;
  throw std::runtime_error(name +
                           " is no motion: expected rotation, sideways or forward");
}

RenderedVideoSettings
likeKinect(RenderedVideoSettings settings)
{
  settings.color_noise = 3.0f;
  settings.depth_noise = 0.0014f;
  settings.depth_unit = 0.001f;
  settings.depth_dropout = 0.005f;
  settings.depth_baseline = 0.075f;
  return settings;
}

Pose
cameraPose(const RenderedVideoSettings& settings, double time)
{
  const Pose pose = steadyPose(settings.motion, wayAt(time + settings.begin));
  return settings.shake > 0.0f ? pose * shaken(settings, time + settings.begin) : pose;
}

RenderedVideo::RenderedVideo(const RenderedVideoSettings& settings)
: settings_(settings)
{}

int
RenderedVideo::size() const
{
  return settings_.frames;
}

RGBDView
RenderedVideo::view(int number) const
{
  if (number < 0 || number >= size())
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "frame is " << number << ": expected 0 to " << size() - 1);
  RGBDView view;
  view.name = "rendered " + std::to_string(number);
  view.time = number / static_cast<double>(settings_.frame_rate);
  view.depth_camera = settings_.camera;
  view.color_camera =
      settings_.color_camera.fx > 0.0f ? settings_.color_camera : settings_.camera;
  view.depth_pose = cameraPose(settings_, view.time);
  view.color_pose = view.depth_pose * settings_.color_to_depth;
  return view;
}

RoomContents
RenderedVideo::contents(int number) const
{
  RoomContents contents = settings_.contents;
  contents.time = view(number).time + settings_.begin;
  return contents;
}

std::vector<float>
RenderedVideo::levels(const RGBDView& view, int number) const
{
  PictureSum sum;
  const bool blurred = settings_.exposure > 0.0f;
  const int count = blurred ? settings_.exposure_samples : 1;
  for (int i = 0; i < count; ++i) {
    const double offset = settings_.exposure * ((i + 0.5) / count - 0.5);
    RoomContents contents = this->contents(number);
    contents.time += offset;
    sum.add(view.color_camera,
            cameraPose(settings_, view.time + offset) * settings_.color_to_depth,
            settings_.supersampling,
            contents);
  }
  return sum.mean();
}

ColorImage
RenderedVideo::trueColor(int number) const
{
  const RGBDView view = this->view(number);
  return toColorImage(
      levels(view, number), view.color_camera.width, view.color_camera.height);
}

gpu::Image<float>
RenderedVideo::trueDepth(int number) const
{
  const RGBDView view = this->view(number);
  return renderDepth(view.depth_camera, view.depth_pose, contents(number));
}

RGBDFrame
RenderedVideo::read(int number) const
{
  RGBDFrame frame;
  static_cast<RGBDView&>(frame) = view(number);
  std::vector<float> colors = levels(frame, number);
  const gpu::Image<float> truth = trueDepth(number);
  frame.depth = truth;
  const auto color_count = static_cast<std::ptrdiff_t>(colors.size() / 3);
  if (settings_.color_noise > 0.0f) {
    const Random first(settings_.seed, number, Purpose::RedAndGreen);
    const Random second(settings_.seed, number, Purpose::Blue);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < color_count; ++i) {
      Eigen::Array2f::Map(&colors[3 * i]) += settings_.color_noise * first.normal(i);
      colors[3 * i + 2] += settings_.color_noise * second.normal(i).x();
    }
  }
  frame.color =
      toColorImage(colors, frame.color_camera.width, frame.color_camera.height);
  const Random noise(settings_.seed, number, Purpose::Depth);
  const Random dropout(settings_.seed, number, Purpose::Dropout);
  const auto count = static_cast<std::ptrdiff_t>(truth.pixels.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    float& z = frame.depth.pixels[i];
    if (settings_.depth_noise > 0.0f)
      z += settings_.depth_noise * z * z * noise.normal(i).x();
    if (settings_.depth_unit > 0.0f)
      z = settings_.depth_unit * std::round(z / settings_.depth_unit);
    if (dropout.uniform(i) < settings_.depth_dropout)
      z = std::numeric_limits<float>::quiet_NaN();
  }
  if (settings_.depth_baseline > 0.0f)
    removeShadows(frame.depth, truth, settings_.depth_baseline * frame.depth_camera.fx);
  return frame;
}

} // namespace pcl::gpu::test
