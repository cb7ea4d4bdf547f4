// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/video/rendered_images.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu::test {

namespace {

using Eigen::Vector3d;
using Shape = RoomPart::Shape;

constexpr double infinity = std::numeric_limits<double>::infinity();

/** \brief Returns the distance at which a ray enters a box about the origin, in lengths
 * of the direction; infinity if it does not. */
double
enterBox(const Vector3d& origin, const Vector3d& direction, const Vector3d& half)
{
  double enter = 0.0;
  double leave = infinity;
  for (int axis = 0; axis < 3; ++axis) {
    const double inverse = 1.0 / direction[axis];
    const double reach = half[axis] * std::abs(inverse);
    const double middle = -origin[axis] * inverse;
    enter = std::max(enter, middle - reach);
    leave = std::min(leave, middle + reach);
  }
  return enter > 0.0 && enter <= leave ? enter : infinity;
}

double
enterBall(const Vector3d& origin, const Vector3d& direction, double radius)
{
  // Measured from the ray's nearest point to the centre, which is exact also from far
  // away.
  const double squared = direction.squaredNorm();
  const double middle = -origin.dot(direction) / squared;
  const double distance = (origin + middle * direction).squaredNorm();
  const double rest = radius * radius - distance;
  if (rest < 0.0)
    return infinity;
  const double enter = middle - std::sqrt(rest / squared);
  return enter > 0.0 ? enter : infinity;
}

double
enterCylinder(const Vector3d& origin, const Vector3d& direction, const Vector3d& half)
{
  // The intersection of two endless shapes: a round one and the space between two
  // planes.
  const double squared = direction.x() * direction.x() + direction.z() * direction.z();
  const double middle =
      -(origin.x() * direction.x() + origin.z() * direction.z()) / squared;
  const double x = origin.x() + middle * direction.x();
  const double z = origin.z() + middle * direction.z();
  const double rest = half.x() * half.x() - x * x - z * z;
  if (!(rest >= 0.0))
    return infinity;
  const double reach = std::sqrt(rest / squared);
  const double slab_reach = half.y() / std::abs(direction.y());
  const double slab_middle = -origin.y() / direction.y();
  const double enter = std::max(middle - reach, slab_middle - slab_reach);
  const double leave = std::min(middle + reach, slab_middle + slab_reach);
  return enter > 0.0 && enter <= leave ? enter : infinity;
}

/** \brief Returns the distance at which a ray leaves the room, in lengths of the
 * direction. */
double
leaveRoom(const Vector3d& origin, const Vector3d& direction)
{
  double leave = infinity;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d& side = direction[axis] < 0.0 ? room_lower : room_upper;
    if (direction[axis] != 0.0)
      leave = std::min(leave, (side[axis] - origin[axis]) / direction[axis]);
  }
  return leave;
}

/** \brief View of the room from a camera. */
class RoomView {
public:
  /** \brief First hit of a ray; no part: the walls. */
  struct Hit {
    const RoomPart* part = nullptr;
    Vector3d direction; ///< one metre along the camera's axis
    double z = 0.0;     ///< metres along the camera's axis
    Vector3d local;     ///< origin of the ray, in the part's frame
  };

  RoomView(const PinholeCamera& camera, const Pose& pose, const RoomContents& contents)
  : camera_(camera)
  , axes_(pose.linear().cast<double>())
  , origin_(pose.translation().cast<double>())
  , columns_((camera.width + tile - 1) / tile)
  , ball_(movingBall(contents.time))
  {
    tiles_.resize(columns_ * ((camera.height + tile - 1) / tile));
    parts_.reserve(roomParts().size() + 1);
    for (const RoomPart& part : roomParts())
      if (part.object != contents.without)
        addPart(part);
    if (contents.moving_ball && contents.without != RoomObject::MovingBall)
      addPart(ball_);
  }

  RoomView(const RoomView&) = delete;
  RoomView&
  operator=(const RoomView&) = delete;

  Hit
  cast(int u, int v) const
  {
    Hit hit;
    hit.direction = axes_ * Vector3d((u - double(camera_.cx)) / camera_.fx,
                                     (v - double(camera_.cy)) / camera_.fy,
                                     1.0);
    hit.z = leaveRoom(origin_, hit.direction);
    for (const int number : tiles_[v / tile * columns_ + u / tile]) {
      const Seen& seen = parts_[number];
      const double z = enter(seen, hit.direction);
      if (z < hit.z) {
        hit.z = z;
        hit.part = seen.part;
        hit.local = seen.origin;
      }
    }
    return hit;
  }

  Color
  color(const Hit& hit) const
  {
    if (hit.part == nullptr)
      return wallColor(origin_ + hit.z * hit.direction);
    return partColor(*hit.part, hit.local + hit.z * hit.part->turned(hit.direction));
  }

private:
  static constexpr int tile = 16;

  struct Seen {
    const RoomPart* part;
    Vector3d origin; ///< of all rays, in the part's frame
  };

  static double
  enter(const Seen& seen, const Vector3d& direction)
  {
    const RoomPart& part = *seen.part;
    if (part.shape == Shape::Ball)
      return enterBall(seen.origin, direction, part.half.x());
    if (part.shape == Shape::Cylinder)
      return enterCylinder(seen.origin, direction, part.half);
    return enterBox(seen.origin, part.turned(direction), part.half);
  }

  /** \brief Adds a part to the tiles that its bounding box may be seen in. */
  void
  addPart(const RoomPart& part)
  {
    const int number = static_cast<int>(parts_.size());
    parts_.push_back({&part, part.turned(origin_ - part.center)});
    double left = infinity, right = -infinity, upper = infinity, lower = -infinity;
    double nearest = infinity;
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3d sides(
          corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      const Vector3d world =
          part.center + part.turnedBack(part.half.cwiseProduct(sides)) - origin_;
      const Vector3d seen = axes_.transpose() * world;
      nearest = std::min(nearest, seen.z());
      const double u = camera_.fx * seen.x() / seen.z() + camera_.cx;
      const double v = camera_.fy * seen.y() / seen.z() + camera_.cy;
      left = std::min(left, u);
      right = std::max(right, u);
      upper = std::min(upper, v);
      lower = std::max(lower, v);
    }
    const int rows = static_cast<int>(tiles_.size()) / columns_;
    if (nearest < 1e-3) {
      // Its corners are no bounds for a part that is beside the camera.
      left = upper = 0.0;
      right = camera_.width;
      lower = camera_.height;
    }
    const auto tileOf = [](double pixel, int count) {
      return static_cast<int>(std::clamp(std::floor(pixel / tile), 0.0, count - 1.0));
    };
    if (right < -1.0 || lower < -1.0 || left > camera_.width || upper > camera_.height)
      return;
    for (int row = tileOf(upper - 1.0, rows); row <= tileOf(lower + 1.0, rows); ++row)
      for (int column = tileOf(left - 1.0, columns_);
           column <= tileOf(right + 1.0, columns_);
           ++column)
        tiles_[row * columns_ + column].push_back(number);
  }

  PinholeCamera camera_;
  Eigen::Matrix3d axes_;
  Vector3d origin_;
  int columns_;
  RoomPart ball_;
  std::vector<Seen> parts_;
  std::vector<std::vector<int>> tiles_;
};

/** \brief Returns a camera whose samples lie elsewhere in the pixels. */
PinholeCamera
shifted(PinholeCamera camera, double column, double row)
{
  camera.cx -= static_cast<float>(column);
  camera.cy -= static_cast<float>(row);
  return camera;
}

/** \brief Calls \a call with the cameras of an even grid of samples. */
template <typename Call>
void
forSamples(const PinholeCamera& camera, int samples, const Call& call)
{
  for (int row = 0; row < samples; ++row)
    for (int column = 0; column < samples; ++column)
      call(
          shifted(camera, (column + 0.5) / samples - 0.5, (row + 0.5) / samples - 0.5));
}

} // namespace

void
PictureSum::add(const PinholeCamera& camera,
                const Pose& pose,
                const RoomContents& contents)
{
  const RoomView view(camera, pose, contents);
  sums_.resize(std::size_t(3) * camera.width * camera.height);
  ++count_;
#pragma omp parallel for schedule(dynamic, 8)
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u)
      Color::Map(&sums_[3 * (std::size_t(v) * camera.width + u)]) +=
          view.color(view.cast(u, v));
}

void
PictureSum::add(const PinholeCamera& camera,
                const Pose& pose,
                int samples,
                const RoomContents& contents)
{
  forSamples(camera, samples, [&](const PinholeCamera& sample) {
    add(sample, pose, contents);
  });
}

std::vector<float>
PictureSum::mean() const
{
  std::vector<float> levels(sums_);
  for (float& level : levels)
    level /= static_cast<float>(count_);
  return levels;
}

ColorImage
toColorImage(const std::vector<float>& levels, int width, int height)
{
  const auto rounded = [](float level) {
    return static_cast<std::uint8_t>(std::clamp(level, 0.0f, 255.0f) + 0.5f);
  };
  ColorImage image;
  image.resize(width, height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = RGB(
        rounded(levels[3 * i]), rounded(levels[3 * i + 1]), rounded(levels[3 * i + 2]));
  return image;
}

ColorImage
renderColor(const PinholeCamera& camera,
            const Pose& pose,
            int supersampling,
            const RoomContents& contents)
{
  PictureSum sum;
  sum.add(camera, pose, supersampling, contents);
  return toColorImage(sum.mean(), camera.width, camera.height);
}

gpu::Image<float>
renderDepth(const PinholeCamera& camera, const Pose& pose, const RoomContents& contents)
{
  const RoomView view(camera, pose, contents);
  gpu::Image<float> depth;
  depth.resize(camera.width, camera.height);
#pragma omp parallel for schedule(dynamic, 8)
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u)
      depth.pixels[std::size_t(v) * camera.width + u] =
          static_cast<float>(view.cast(u, v).z);
  return depth;
}

ColorImage
renderThinLens(const PinholeCamera& camera,
               const Pose& pose,
               float radius,
               float focus,
               int samples,
               const RoomContents& contents)
{
  PictureSum sum;
  for (int i = 0; i < samples; ++i) {
    // Sunflower seeds on the lens (Vogel 1979); in the pixel, the sequence R2 of
    // Roberts.
    const double distance = radius * std::sqrt((i + 0.5) / samples);
    const double angle = 2.399963229728653 * i;
    const double x = distance * std::cos(angle);
    const double y = distance * std::sin(angle);
    const double column = std::fmod(0.7548776662466927 * (i + 0.5), 1.0) - 0.5;
    const double row = std::fmod(0.5698402909980532 * (i + 0.5), 1.0) - 0.5;
    // Through a point of the lens the room looks as from there, shifted so that the
    // plane in focus stays in place.
    Pose place = pose;
    place.translate(
        Eigen::Vector3f(static_cast<float>(x), static_cast<float>(y), 0.0f));
    const PinholeCamera moved =
        shifted(camera, column - camera.fx * x / focus, row - camera.fy * y / focus);
    sum.add(moved, place, contents);
  }
  return toColorImage(sum.mean(), camera.width, camera.height);
}

gpu::Image<std::uint8_t>
renderMask(const PinholeCamera& camera,
           const Pose& pose,
           RoomObject object,
           int supersampling,
           const RoomContents& contents)
{
  gpu::Image<std::uint8_t> mask;
  mask.resize(camera.width, camera.height);
  std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t(0));
  forSamples(camera, supersampling, [&](const PinholeCamera& sample) {
    const RoomView view(sample, pose, contents);
#pragma omp parallel for schedule(dynamic, 8)
    for (int v = 0; v < camera.height; ++v)
      for (int u = 0; u < camera.width; ++u) {
        const RoomPart* const part = view.cast(u, v).part;
        if ((part ? part->object : RoomObject::Walls) == object)
          mask.pixels[std::size_t(v) * camera.width + u] = 255;
      }
  });
  return mask;
}

double
psnr(const ColorImage& a, const ColorImage& b, const gpu::Image<std::uint8_t>& mask)
{
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    if (!mask.empty() && mask.pixels[i] == 0)
      continue;
    const RGB& p = a.pixels[i];
    const RGB& q = b.pixels[i];
    const int difference[3] = {p.r - q.r, p.g - q.g, p.b - q.b};
    for (const int d : difference)
      sum += d * d;
    count += 3;
  }
  return 10.0 * std::log10(255.0 * 255.0 * count / sum);
}

} // namespace pcl::gpu::test
