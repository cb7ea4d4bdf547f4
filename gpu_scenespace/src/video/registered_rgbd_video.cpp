// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

bool
areSame(const PinholeCamera& a, const PinholeCamera& b)
{
  return haveSameLens(a, b) && a.width == b.width && a.height == b.height;
}

/** \brief A point on the other camera's image. */
struct Vertex {
  float x, y;    ///< pixels
  float inverse; ///< of depth; 0 if there is no point
  float depth;   ///< in the first camera
  bool meshed;   ///< whether it is in a triangle
};

/** \brief From pixels and depths of one camera to those of the other one. */
class Projection {
public:
  Projection(const PinholeCamera& from,
             const PinholeCamera& to,
             const Eigen::Affine3d& motion)
  {
    Eigen::Matrix3d from_pixels, to_pixels;
    from_pixels << 1.0 / from.fx, 0.0, -from.cx / double(from.fx), //
        0.0, 1.0 / from.fy, -from.cy / double(from.fy),            //
        0.0, 0.0, 1.0;
    to_pixels << to.fx, 0.0, to.cx, 0.0, to.fy, to.cy, 0.0, 0.0, 1.0;
    turn_ = to_pixels * motion.linear() * from_pixels;
    shift_ = (to_pixels * motion.translation()).cast<float>();
  }

  /** \brief Projects a row of pixels. */
  void
  operator()(const float* depths, int row, std::vector<Vertex>& vertices) const
  {
    const Eigen::Vector3f begin = (turn_.col(1) * row + turn_.col(2)).cast<float>();
    const Eigen::Vector3f step = turn_.col(0).cast<float>();
    // Farther off than this, coordinates are too coarse to draw a triangle with.
    constexpr float border = 1e6f;
    const int width = static_cast<int>(vertices.size());
    for (int u = 0; u < width; ++u) {
      const float z = depths[u], column = static_cast<float>(u);
      const float depth = z * (begin.z() + column * step.z()) + shift_.z();
      const float inverse = 1.0f / depth;
      Vertex& vertex = vertices[u];
      vertex.x = (z * (begin.x() + column * step.x()) + shift_.x()) * inverse;
      vertex.y = (z * (begin.y() + column * step.y()) + shift_.y()) * inverse;
      // & rather than &&: no branches. NaN is in none of the intervals.
      const bool seen = isMeasuredDepth(z) & (depth > 0.0f) &
                        (std::abs(vertex.x) < border) & (std::abs(vertex.y) < border);
      vertex.inverse = seen ? inverse : 0.0f;
      vertex.depth = z;
      vertex.meshed = false;
    }
  }

private:
  Eigen::Matrix3d turn_;
  Eigen::Vector3f shift_;
};

/** \brief The nearest surface in each pixel of the other camera. Joins neighbouring
 * pixels to triangles, row by row. */
class DepthBuffer {
public:
  DepthBuffer(int width, int height, float max_depth_change)
  : width_(width)
  , height_(height)
  , most_(1.0f + max_depth_change)
  , inverses_(static_cast<std::size_t>(width) * height, 0.0f)
  {}

  /** \brief Draws the squares of four pixels between two rows, cut into two
   * triangles. */
  void
  join(std::vector<Vertex>& upper, std::vector<Vertex>& lower)
  {
    for (std::size_t u = 0; u + 1 < upper.size(); ++u) {
      Vertex &first = upper[u], &right = upper[u + 1], &below = lower[u],
             &last = lower[u + 1];
      if (isCutFromFirst(first, right, below, last)) {
        join(first, right, last);
        join(first, below, last);
      }
      else {
        join(first, right, below);
        join(right, below, last);
      }
    }
  }

  /** \brief Draws those pixels of a row that are in no triangle. */
  void
  addAlone(const std::vector<Vertex>& row)
  {
    for (const Vertex& vertex : row) {
      const float u = vertex.x + 0.5f, v = vertex.y + 0.5f;
      if (!vertex.meshed && vertex.inverse > 0.0f && u >= 0.0f && u < width_ &&
          v >= 0.0f && v < height_)
        keepNearer(static_cast<int>(u), static_cast<int>(v), vertex.inverse);
    }
  }

  Image<float>
  depths() const
  {
    Image<float> image;
    image.resize(width_, height_);
    for (std::size_t i = 0; i < inverses_.size(); ++i)
      image.pixels[i] = inverses_[i] > 0.0f ? 1.0f / inverses_[i]
                                            : std::numeric_limits<float>::quiet_NaN();
    return image;
  }

private:
  /** \brief A pixel so near a triangle is in it, pixels: rounding loses none at the
   * rim. */
  static constexpr float margin = 1e-3f;

  /** \brief The least pixel at or behind a coordinate, 0 or more. */
  static int
  ceilOf(float coordinate)
  {
    const float inside = std::max(coordinate, 0.0f);
    const int below = static_cast<int>(inside);
    return below + (static_cast<float>(below) < inside ? 1 : 0);
  }

  /** \brief Returns whether a square is cut from the first pixel to the last: where
   * depth changes less, or where another pixel has none. */
  static bool
  isCutFromFirst(const Vertex& first,
                 const Vertex& right,
                 const Vertex& below,
                 const Vertex& last)
  {
    if (!(right.inverse > 0.0f && below.inverse > 0.0f))
      return true;
    return first.inverse > 0.0f && last.inverse > 0.0f &&
           std::abs(first.depth - last.depth) < std::abs(right.depth - below.depth);
  }

  /** \brief Draws a triangle, whichever side of it is seen, if its corners are on one
   * surface. */
  void
  join(Vertex& a, Vertex& b, Vertex& c)
  {
    if (!(std::min({a.inverse, b.inverse, c.inverse}) > 0.0f) ||
        std::max({a.depth, b.depth, c.depth}) >
            most_ * std::min({a.depth, b.depth, c.depth}))
      return;
    a.meshed = b.meshed = c.meshed = true;
    const float left = std::min({a.x, b.x, c.x}) - margin,
                right = std::max({a.x, b.x, c.x}) + margin,
                top = std::min({a.y, b.y, c.y}) - margin,
                bottom = std::max({a.y, b.y, c.y}) + margin;
    if (!(right >= 0.0f && bottom >= 0.0f && left < width_ && top < height_))
      return;
    const int u_begin = ceilOf(left),
              u_end = std::min(static_cast<int>(right) + 1, width_),
              v_begin = ceilOf(top),
              v_end = std::min(static_cast<int>(bottom) + 1, height_);
    for (int v = v_begin; v < v_end; ++v)
      for (int u = u_begin; u < u_end; ++u)
        addPixel(u, v, a, b, c);
  }

  void
  addPixel(int u, int v, const Vertex& a, const Vertex& b, const Vertex& c)
  {
    // As seen from the pixel, edges of neighbours have opposite areas to the last
    // digit: no pixel falls between two triangles.
    const float ax = a.x - u, ay = a.y - v, bx = b.x - u, by = b.y - v, cx = c.x - u,
                cy = c.y - v;
    float a_part = bx * cy - by * cx, b_part = cx * ay - cy * ax,
          c_part = ax * by - ay * bx;
    if (a_part + b_part + c_part < 0.0f) {
      a_part = -a_part;
      b_part = -b_part;
      c_part = -c_part;
    }
    if (std::min({a_part, b_part, c_part}) < -margin)
      return;
    a_part = std::max(a_part, 0.0f);
    b_part = std::max(b_part, 0.0f);
    c_part = std::max(c_part, 0.0f);
    const float area = a_part + b_part + c_part;
    if (area > 0.0f)
      keepNearer(
          u, v, (a_part * a.inverse + b_part * b.inverse + c_part * c.inverse) / area);
  }

  void
  keepNearer(int u, int v, float inverse)
  {
    float& nearest = inverses_[static_cast<std::size_t>(v) * width_ + u];
    nearest = std::max(nearest, inverse);
  }

  int width_, height_;
  float most_; ///< largest depth of a triangle, in units of its least one
  std::vector<float> inverses_; ///< of depth, which perspective keeps linear
};

/** \brief Returns a depth map as another camera sees it: see RegisteredRGBDVideo.
 * \param[in] depth the depth map; it has its camera's size
 * \param[in] from the camera of it
 * \param[in] to the other camera, with its size
 * \param[in] motion from the first camera's frame to that of the other one
 * \param[in] max_depth_change relative difference of depth across a triangle
 * \return NaN where nothing falls
 */
Image<float>
registerDepth(const Image<float>& depth,
              const PinholeCamera& from,
              const PinholeCamera& to,
              const Eigen::Affine3d& motion,
              float max_depth_change)
{
  const Projection project(from, to, motion);
  DepthBuffer buffer(to.width, to.height, max_depth_change);
  std::vector<Vertex> upper(depth.width), lower(depth.width);
  for (int row = 0; row < depth.height; ++row) {
    project(
        depth.pixels.data() + static_cast<std::size_t>(row) * depth.width, row, lower);
    if (row > 0) {
      buffer.join(upper, lower);
      buffer.addAlone(upper);
    }
    std::swap(upper, lower);
  }
  buffer.addAlone(upper);
  return buffer.depths();
}

} // namespace

RegisteredRGBDVideo::RegisteredRGBDVideo(RGBDVideo::ConstPtr video,
                                         float max_depth_change)
: video_(std::move(video))
, max_depth_change_(max_depth_change)
{
  checkVideo(video_);
  checkNotNegative("largest change of depth", max_depth_change);
}

RGBDView
RegisteredRGBDVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  view.depth_camera = view.color_camera;
  view.depth_pose = view.color_pose;
  return view;
}

RGBDFrame
RegisteredRGBDVideo::read(int number) const
{
  RGBDFrame frame = video_->read(number);
  checkSize(frame.depth_camera, frame.depth, frameName(frame, number) + ", depth");
  checkSize(frame.color_camera, frame.color, frameName(frame, number) + ", colour");
  if (!areSame(frame.depth_camera, frame.color_camera) ||
      frame.depth_pose.matrix() != frame.color_pose.matrix()) {
    // Files have poses that are rigid but for rounding. A deviation of both cameras is
    // no motion between them.
    const Eigen::Affine3d color_pose(frame.color_pose.cast<double>());
    const Eigen::Affine3d motion =
        color_pose.inverse() * frame.depth_pose.cast<double>();
    frame.depth = registerDepth(
        frame.depth, frame.depth_camera, frame.color_camera, motion, max_depth_change_);
    frame.depth_camera = frame.color_camera;
    frame.depth_pose = frame.color_pose;
  }
  return frame;
}

} // namespace pcl::gpu
