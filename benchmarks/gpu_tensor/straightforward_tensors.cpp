// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "straightforward_tensors.h"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace benchmarks {

namespace {

using Eigen::Vector3f;
using pcl::gpu::PointPair;
using pcl::gpu::TensorMatch;

constexpr int window_radius = 14;
constexpr float least_distance = 5.0f, largest_distance = 14.0f; // resolutions
constexpr float least_angle = 0.261799388f;
constexpr std::size_t pairs_per_point = 3;

constexpr float least_overlap = 0.45f, least_correlation = 0.45f;
constexpr int least_overlap_voxels = 8;

/** \brief Points of an image within some pixels of another one, or of a point. */
struct Window {
  int left, right, top, bottom; ///< the last ones included

  Window(const HostFrame& frame, float u, float v, float reach_u, float reach_v)
  : left(static_cast<int>(std::max(0.0f, std::floor(u - reach_u))))
  , right(static_cast<int>(std::min(frame.columns - 1.0f, std::ceil(u + reach_u))))
  , top(static_cast<int>(std::max(0.0f, std::floor(v - reach_v))))
  , bottom(static_cast<int>(std::min(frame.rows - 1.0f, std::ceil(v + reach_v))))
  {}
};

Vector3f
pointOf(const HostFrame& frame, int number)
{
  return frame.points[number].getVector3fMap();
}

Vector3f
normalOf(const HostFrame& frame, int number)
{
  return frame.normals[number].getVector3fMap();
}

/** \brief Products added up in this order, as in the library: pairs at the limits
 * depend on the last bit. */
float
dotInOrder(const Vector3f& a, const Vector3f& b)
{
  return a.x() * b.x() + a.y() * b.y() + a.z() * b.z();
}

/** \brief The closest points that one may be paired with. */
std::vector<int>
partnersOf(const HostFrame& frame, int x, int y)
{
  const Vector3f point = pointOf(frame, y * frame.columns + x);
  const Vector3f normal = normalOf(frame, y * frame.columns + x);
  std::vector<std::pair<float, int>> partners; // squared distance, number
  if (!point.allFinite() || !normal.allFinite())
    return {};
  const float least = least_distance * frame.resolution;
  const float largest = largest_distance * frame.resolution;
  const float largest_cosine = std::cos(least_angle);
  const Window window(frame, x, y, window_radius, window_radius);
  for (int v = window.top; v <= window.bottom; ++v)
    for (int u = window.left; u <= window.right; ++u) {
      const int number = v * frame.columns + u;
      const Vector3f other = pointOf(frame, number);
      const Vector3f other_normal = normalOf(frame, number);
      if (!other.allFinite() || !other_normal.allFinite())
        continue;
      const Vector3f apart = point - other;
      const float distance = dotInOrder(apart, apart);
      if (distance >= least * least && distance <= largest * largest &&
          dotInOrder(normal, other_normal) <= largest_cosine)
        partners.emplace_back(distance, number);
    }
  const std::size_t count = std::min(pairs_per_point, partners.size());
  std::partial_sort(partners.begin(), partners.begin() + count, partners.end());
  std::vector<int> closest;
  for (std::size_t i = 0; i < count; ++i)
    closest.push_back(partners[i].second);
  return closest;
}

/** \brief A pair's frame; see TensorFrame. */
struct PairFrame {
  Vector3f x, y, z, origin;

  PairFrame(const HostFrame& frame, const PointPair& pair)
  {
    Vector3f p1 = pointOf(frame, pair.first), p2 = pointOf(frame, pair.second);
    Vector3f n1 = normalOf(frame, pair.first), n2 = normalOf(frame, pair.second);
    z = (n1 + n2).normalized();
    if (z.dot(p2 - p1) < 0.0f)
      std::swap(n1, n2);
    x = n1.cross(n2).normalized();
    z = (z - z.dot(x) * x).normalized();
    y = z.cross(x);
    origin = 0.5f * (p1 + p2);
  }
};

using Polygon = std::vector<Vector3f>;

/** \brief A step of Sutherland and Hodgman's clipping: the part on one side of a plane.
 * \param[in] sign 1 to keep the part above the plane, -1 for the part below
 */
Polygon
clipped(const Polygon& polygon, int axis, float plane, float sign)
{
  Polygon inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3f& from = polygon[i];
    const Vector3f& to = polygon[(i + 1) % polygon.size()];
    const float from_height = sign * (from[axis] - plane);
    const float to_height = sign * (to[axis] - plane);
    if (from_height >= 0.0f)
      inside.push_back(from);
    if ((from_height >= 0.0f) != (to_height >= 0.0f))
      inside.push_back(from + from_height / (from_height - to_height) * (to - from));
  }
  return inside;
}

float
areaOf(const Polygon& polygon)
{
  Vector3f sum = Vector3f::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += (polygon[i - 1] - polygon[0]).cross(polygon[i] - polygon[0]);
  return 0.5f * sum.norm();
}

/** \brief Adds the areas of a triangle to the voxels of a grid.
 * \param[in] triangle in voxels from the grid's corner
 */
void
addTriangle(const Polygon& triangle, int grid_size, DenseTensor& tensor)
{
  int low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    const auto ends =
        std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
    low[axis] = std::max(0, static_cast<int>(std::floor(ends.first)));
    high[axis] = std::min(grid_size - 1, static_cast<int>(std::floor(ends.second)));
  }
  for (int z = low[2]; z <= high[2]; ++z)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int x = low[0]; x <= high[0]; ++x) {
        const int voxel[3] = {x, y, z};
        Polygon inside = triangle;
        for (int axis = 0; axis < 3; ++axis) {
          inside = clipped(inside, axis, static_cast<float>(voxel[axis]), 1.0f);
          inside = clipped(inside, axis, static_cast<float>(voxel[axis] + 1), -1.0f);
        }
        tensor[(z * grid_size + y) * grid_size + x] += areaOf(inside);
      }
}

/** \brief The pixels whose surface may lie within a grid. */
Window
windowOf(const HostFrame& frame, const Vector3f& middle, float radius)
{
  const float nearest = middle.z() - radius;
  if (!(nearest > 0.0f))
    return {frame, 0.0f, 0.0f, 1e6f, 1e6f};
  // A point of the sphere is seen no farther off than this.
  const auto reach = [&](float focal, float along) {
    return focal * radius * (1.0f + std::abs(along) / middle.z()) / nearest + 1.0f;
  };
  return {frame,
          frame.camera.fx * middle.x() / middle.z() + frame.camera.cx,
          frame.camera.fy * middle.y() / middle.z() + frame.camera.cy,
          reach(frame.camera.fx, middle.x()),
          reach(frame.camera.fy, middle.y())};
}

DenseTensor
tensorOf(const HostFrame& frame, const PointPair& pair, int grid_size, float voxel_size)
{
  const PairFrame axes(frame, pair);
  DenseTensor tensor(grid_size * grid_size * grid_size, 0.0f);
  const auto inGrid = [&](int x, int y) -> Vector3f {
    const Vector3f apart =
        (pointOf(frame, y * frame.columns + x) - axes.origin) / voxel_size;
    return Vector3f(axes.x.dot(apart), axes.y.dot(apart), axes.z.dot(apart)) +
           Vector3f::Constant(0.5f * grid_size);
  };
  const float radius = 0.5f * std::sqrt(3.0f) * grid_size * voxel_size;
  const Window window = windowOf(frame, axes.origin, radius);
  for (int y = window.top; y < window.bottom; ++y)
    for (int x = window.left; x < window.right; ++x) {
      const int bits = frame.validity[y * frame.columns + x];
      if (bits & 1)
        addTriangle(
            {inGrid(x, y), inGrid(x, y + 1), inGrid(x + 1, y)}, grid_size, tensor);
      if (bits & 2)
        addTriangle({inGrid(x + 1, y), inGrid(x, y + 1), inGrid(x + 1, y + 1)},
                    grid_size,
                    tensor);
    }
  return tensor;
}

/** \brief The coefficient of two tensors, and their overlap; no match if it is too
 * small. */
TensorMatch
compared(const DenseTensor& p, const DenseTensor& q)
{
  int both = 0, either = 0;
  double sum_p = 0.0, sum_q = 0.0, sum_pp = 0.0, sum_qq = 0.0, sum_pq = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0.0f || q[i] > 0.0f)
      ++either;
    if (p[i] > 0.0f && q[i] > 0.0f) {
      ++both;
      sum_p += p[i];
      sum_q += q[i];
      sum_pp += double(p[i]) * p[i];
      sum_qq += double(q[i]) * q[i];
      sum_pq += double(p[i]) * q[i];
    }
  }
  const float overlap = either > 0 ? static_cast<float>(both) / either : 0.0f;
  if (both < least_overlap_voxels || overlap < least_overlap)
    return {-1, 0.0f, 0.0f};
  const double n = both;
  const double coefficient =
      (n * sum_pq - sum_p * sum_q) /
      (std::sqrt(n * sum_pp - sum_p * sum_p) * std::sqrt(n * sum_qq - sum_q * sum_q));
  return {0, static_cast<float>(coefficient), overlap};
}

} // namespace

std::vector<PointPair>
straightforwardPairs(const HostFrame& frame)
{
  std::set<std::pair<int, int>> found;
  std::vector<PointPair> pairs;
  for (int y = 0; y < frame.rows; ++y)
    for (int x = 0; x < frame.columns; ++x) {
      const int own = y * frame.columns + x;
      for (const int other : partnersOf(frame, x, y))
        if (found.insert(std::minmax(own, other)).second)
          pairs.push_back({own, other});
    }
  return pairs;
}

std::vector<DenseTensor>
straightforwardTensors(const HostFrame& frame,
                       const std::vector<PointPair>& pairs,
                       int grid_size,
                       float voxel_size)
{
  std::vector<DenseTensor> tensors;
  for (const PointPair& pair : pairs)
    tensors.push_back(tensorOf(frame, pair, grid_size, voxel_size));
  return tensors;
}

std::vector<TensorMatch>
straightforwardMatches(const std::vector<DenseTensor>& tensors,
                       const std::vector<DenseTensor>& library)
{
  std::vector<TensorMatch> matches;
  for (const DenseTensor& tensor : tensors) {
    TensorMatch best = {-1, 0.0f, 0.0f};
    for (std::size_t i = 0; i < library.size(); ++i) {
      const TensorMatch match = compared(tensor, library[i]);
      if (match.tensor < 0 || !(match.correlation >= least_correlation))
        continue;
      if (best.tensor < 0 || match.correlation > best.correlation)
        best = {static_cast<int>(i), match.correlation, match.overlap};
    }
    matches.push_back(best);
  }
  return matches;
}

} // namespace benchmarks
