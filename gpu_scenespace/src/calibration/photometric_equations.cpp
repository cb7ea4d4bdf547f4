// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/photometric_equations.h"

#include "video/brightness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace pcl::gpu {

namespace {

using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double huber = 8.0;       // levels
constexpr double redundancy = 20.0; // differences that count as one
constexpr double unit = 1.0 / (huber * huber * redundancy);
// A point that leaves an image costs as much as one that fits badly: else the cost
// would become small where no points are left.
constexpr double outside_cost = 0.5 / redundancy;

// Of a pair's products: those that all frames share, the difference, and either
// frame's.
constexpr int difference_column = shared_parameters;
constexpr int from_column = difference_column + 1;
constexpr int to_column = from_column + frame_parameters;
constexpr int columns = to_column + frame_parameters;

constexpr float max_change_beside = 0.03f;  // of depth, at half a step from a point
constexpr double max_change_between = 0.02; // of depth, from frame to frame

double
weightOf(double size)
{
  return unit * (size <= huber ? 1.0 : huber / size);
}

/** \brief Huber's function.
 * \param[in] size of a difference; infinity: of a point outside of an image
 */
double
costOf(double size)
{
  if (std::isinf(size))
    return outside_cost;
  return unit * (size <= huber ? 0.5 * size * size : huber * (size - 0.5 * huber));
}

/** \brief Returns whether valueAt() and slopeAt() are defined at a place. */
bool
contains(const Brightness& image, const Vector2d& place)
{
  return place.x() >= 1.0 && place.y() >= 1.0 && place.x() < image.cols() - 3 &&
         place.y() < image.rows() - 3;
}

/** \brief Returns the brightness at a place, bilinear between pixels. */
double
valueAt(const Brightness& image, const Vector2d& place)
{
  const int u = static_cast<int>(place.x()), v = static_cast<int>(place.y());
  const double a = place.x() - u, b = place.y() - v;
  const float* const pixel = &image(v, u);
  const float* const below = pixel + image.cols();
  return (1.0 - b) * ((1.0 - a) * pixel[0] + a * pixel[1]) +
         b * ((1.0 - a) * below[0] + a * below[1]);
}

/** \brief Returns the slope at a place by central differences, levels per pixel. */
Vector2d
slopeAt(const Brightness& image, const Vector2d& place)
{
  const Vector2d along = Vector2d::UnitX(), across = Vector2d::UnitY();
  return {0.5 * (valueAt(image, place + along) - valueAt(image, place - along)),
          0.5 * (valueAt(image, place + across) - valueAt(image, place - across))};
}

/** \brief A point as a camera sees it. */
struct Sight {
  bool is_inside = false;
  Vector3d seen;        ///< the point, in the colour camera's frame
  double level;         ///< of its brightness
  Vector2d slope;       ///< of that in the image, levels per pixel
  Vector3d point_slope; ///< of that when the point moves, levels per metre
};

/** \brief Looks for a point in a frame's image.
 * \param[in] point in the depth camera's frame
 */
Sight
see(const PhotometricState& state,
    const Brightness& image,
    const Vector3d& point,
    bool with_slopes)
{
  Sight sight;
  sight.seen = state.depth_to_color * point;
  const double scale = state.focal_length / sight.seen.z();
  const Vector2d place = scale * sight.seen.head<2>() + Vector2d(state.cx, state.cy);
  sight.is_inside = sight.seen.z() > 0.0 && contains(image, place);
  if (!sight.is_inside)
    return sight;
  sight.level = valueAt(image, place);
  if (with_slopes) {
    sight.slope = slopeAt(image, place);
    sight.point_slope.head<2>() = scale * sight.slope;
    sight.point_slope.z() =
        -sight.point_slope.head<2>().dot(sight.seen.head<2>()) / sight.seen.z();
  }
  return sight;
}

/** \brief Returns the slope of brightness by a twist of a point's frame. */
Twist
twistSlope(const Vector3d& point, const Vector3d& slope)
{
  Twist result;
  result << point.cross(slope), slope;
  return result;
}

/** \brief Returns the slope of brightness by the parameters that all frames share. */
Eigen::Matrix<double, shared_parameters, 1>
sharedSlope(const Sight& sight)
{
  Eigen::Matrix<double, shared_parameters, 1> result;
  result << sight.slope.dot(sight.seen.head<2>()) / sight.seen.z(), sight.slope,
      twistSlope(sight.seen, sight.point_slope);
  return result;
}

/** \brief Points of a depth map, away from its edges. */
std::vector<Vector3d>
pointsOf(const Image<float>& depth, const PinholeCamera& camera, int step)
{
  const int reach = step / 2;
  std::vector<Vector3d> points;
  for (int v = step; v + step < depth.height; v += step)
    for (int u = step; u + step < depth.width; u += step) {
      const float* const pixel = &depth.pixels[std::size_t(v) * depth.width + u];
      const float z = *pixel;
      bool is_flat = z > 0.0f;
      for (int i = -reach; i <= reach; i += reach)
        for (int k = -reach; k <= reach; k += reach) {
          // Not so of NaN.
          const float change = pixel[std::ptrdiff_t(i) * depth.width + k] - z;
          is_flat = is_flat && std::abs(change) < max_change_beside * z;
        }
      if (is_flat)
        points.emplace_back(
            (u - camera.cx) / camera.fx * z, (v - camera.cy) / camera.fy * z, z);
    }
  return points;
}

/** \brief Returns whether a depth camera sees a point that another one has seen. */
bool
isSeen(const Image<float>& depth, const PinholeCamera& camera, const Vector3d& point)
{
  const double u = camera.fx * point.x() / point.z() + camera.cx;
  const double v = camera.fy * point.y() / point.z() + camera.cy;
  if (!(point.z() > 0.0 && u > -0.5 && v > -0.5 && u < depth.width - 0.5 &&
        v < depth.height - 0.5))
    return false;
  const float z = depth.pixels[static_cast<std::size_t>(std::lround(v)) * depth.width +
                               std::lround(u)];
  return std::abs(z - point.z()) < max_change_between * z;
}

/** \brief Products of all columns, summed over a pair's points. */
class PairSums {
public:
  using Row = Eigen::Matrix<double, 1, columns>;

  double cost = 0.0;

  /** \brief Adds a point.
   * \param[in] used columns, the others are not looked at
   */
  void
  add(const Row& row, int used)
  {
    rows_.resize(rows_at_once, columns);
    rows_.row(count_++) = row;
    if (count_ == rows_at_once)
      flush(used);
  }

  /** \brief Ends the sums, and gives memory back. */
  void
  finish(int used)
  {
    flush(used);
    rows_.resize(0, columns);
  }

  double
  product(int i, int k) const
  {
    return products_(std::max(i, k), std::min(i, k));
  }

private:
  static constexpr int rows_at_once = 128; // many are multiplied faster than few

  void
  flush(int used)
  {
    products_.topLeftCorner(used, used)
        .selfadjointView<Eigen::Lower>()
        .rankUpdate(rows_.topLeftCorner(count_, used).transpose());
    count_ = 0;
  }

  Eigen::Matrix<double, columns, columns> products_ =
      Eigen::Matrix<double, columns, columns>::Zero();
  Eigen::Matrix<double, Eigen::Dynamic, columns, Eigen::RowMajor> rows_;
  int count_ = 0;
};

/** \brief Half of a Gaussian, from its centre. */
std::vector<float>
weightsOf(double sigma)
{
  std::vector<float> weights;
  for (int i = 0; i <= static_cast<int>(std::ceil(3.0 * sigma)); ++i)
    weights.push_back(static_cast<float>(std::exp(-0.5 * i * i / (sigma * sigma))));
  return weights;
}

/** \brief Blurs columns. Adds whole rows, which is fast. */
Brightness
blurredDown(const std::vector<float>& weights, const Brightness& image)
{
  const int reach = static_cast<int>(weights.size()) - 1,
            rows = static_cast<int>(image.rows());
  Brightness result = Brightness::Zero(rows, image.cols());
  for (int v = 0; v < rows; ++v) {
    const int first = std::max(0, v - reach), last = std::min(rows - 1, v + reach);
    float weight_sum = 0.0f;
    for (int other = first; other <= last; ++other)
      weight_sum += weights[std::abs(other - v)];
    for (int other = first; other <= last; ++other)
      result.row(v) += weights[std::abs(other - v)] / weight_sum * image.row(other);
  }
  return result;
}

} // namespace

Isometry3d
motionOf(const Twist& twist)
{
  const double angle = twist.head<3>().norm();
  Isometry3d motion = Isometry3d::Identity();
  if (angle > 0.0)
    motion.rotate(Eigen::AngleAxisd(angle, twist.head<3>() / angle));
  motion.pretranslate(Vector3d(twist.tail<3>()));
  return motion;
}

Twist
twistOf(const Isometry3d& motion)
{
  const Eigen::AngleAxisd turn(motion.linear());
  Twist twist;
  twist << turn.angle() * turn.axis(), motion.translation();
  return twist;
}

PhotometricState
PhotometricState::moved(const Eigen::VectorXd& step) const
{
  PhotometricState result = *this;
  result.focal_length += step[0];
  result.cx += step[1];
  result.cy += step[2];
  result.depth_to_color = motionOf(step.segment<6>(3)) * depth_to_color;
  Eigen::Index place = shared_parameters;
  for (std::size_t i = 0; i < poses.size() && place < step.size(); ++i) {
    result.poses[i] = poses[i] * motionOf(step.segment<6>(place));
    result.gains[i] += step[place + 6];
    place += frame_parameters;
  }
  return result;
}

void
PhotometricFrames::add(RGBDFrame frame)
{
  Frame added;
  added.depth_camera = frame.depth_camera;
  added.points = pointsOf(frame.depth, frame.depth_camera, step_);
  added.depth = std::move(frame.depth);
  added.brightness.resize(frame.color.height, frame.color.width);
  const std::vector<RGB>& colors = frame.color.pixels;
  std::transform(colors.begin(), colors.end(), added.brightness.data(), brightnessOf);
  frames_.push_back(std::move(added));
}

void
PhotometricFrames::prepare(const PhotometricState& state, double sigma)
{
  const int count = static_cast<int>(frames_.size());
  const std::vector<float> weights = weightsOf(sigma);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < count; ++i) {
    const Brightness down = blurredDown(weights, frames_[i].brightness);
    frames_[i].blurred = blurredDown(weights, down.transpose()).transpose();
  }
#pragma omp parallel for schedule(dynamic)
  for (int from = 0; from < count; ++from) {
    frames_[from].comparisons.clear();
    for (const int gap : gaps_)
      for (const int to : {from - gap, from + gap})
        if (to >= 0 && to < count)
          frames_[from].comparisons.push_back(comparisonOf(state, from, to));
  }
}

PhotometricFrames::Comparison
PhotometricFrames::comparisonOf(const PhotometricState& state, int from, int to) const
{
  const Frame &first = frames_[from], &second = frames_[to];
  const Isometry3d between = state.poses[to].inverse() * state.poses[from];
  Comparison comparison{to, {}};
  for (std::size_t i = 0; i < first.points.size(); ++i) {
    const Vector3d& point = first.points[i];
    const Vector3d moved = between * point;
    if (isSeen(second.depth, second.depth_camera, moved) &&
        see(state, first.blurred, point, false).is_inside &&
        see(state, second.blurred, moved, false).is_inside)
      comparison.points.push_back(static_cast<int>(i));
  }
  return comparison;
}

struct PhotometricFrames::Difference {
  std::size_t pair;         ///< number of the comparison among those of the frame
  int to;                   ///< the other frame
  int number;               ///< of the point
  const Vector3d& point;    ///< in the other depth camera's frame
  const Sight &own, &other; ///< of the frame's colour camera, and of the other one's
  double gain;              ///< factor of the other one's levels
  double value;             ///< levels; infinity where an image does not have the point
};

/** \brief Calls visit with the difference of each point that a frame has in common with
 * others. */
template <typename Visit>
void
PhotometricFrames::visitDifferences(const PhotometricState& state,
                                    int from,
                                    bool with_slopes,
                                    Visit visit) const
{
  const Frame& frame = frames_[from];
  std::vector<Sight> sights;
  sights.reserve(frame.points.size());
  for (const Vector3d& point : frame.points)
    sights.push_back(see(state, frame.blurred, point, with_slopes));
  for (std::size_t i = 0; i < frame.comparisons.size(); ++i) {
    const Comparison& comparison = frame.comparisons[i];
    const int to = comparison.to;
    const Isometry3d between = state.poses[to].inverse() * state.poses[from];
    const double gain = state.gains[to] / state.gains[from];
    for (const int number : comparison.points) {
      const Vector3d point = between * frame.points[number];
      const Sight& own = sights[number];
      const Sight other = see(state, frames_[to].blurred, point, with_slopes);
      const double value = own.is_inside && other.is_inside
                               ? gain * other.level - own.level
                               : std::numeric_limits<double>::infinity();
      visit(Difference{i, to, number, point, own, other, gain, value});
    }
  }
}

PhotometricSums
PhotometricFrames::sums(const PhotometricState& state, bool with_frames) const
{
  const int count = static_cast<int>(frames_.size());
  const int used = with_frames ? columns : from_column;
  std::vector<std::vector<PairSums>> pairs(count);
#pragma omp parallel for schedule(dynamic)
  for (int from = 0; from < count; ++from) {
    const Frame& frame = frames_[from];
    pairs[from].resize(frame.comparisons.size());
    visitDifferences(state, from, true, [&](const Difference& difference) {
      PairSums& sums = pairs[from][difference.pair];
      const double size = std::abs(difference.value), gain = difference.gain;
      sums.cost += costOf(size);
      if (std::isinf(size))
        return;
      const Sight& other = difference.other;
      PairSums::Row row;
      row.head<shared_parameters>() =
          gain * sharedSlope(other) - sharedSlope(difference.own);
      row[difference_column] = difference.value;
      if (with_frames) {
        const Vector3d slope =
            gain * (state.depth_to_color.linear().transpose() * other.point_slope);
        const Vector3d from_slope = state.poses[from].linear().transpose() *
                                    (state.poses[difference.to].linear() * slope);
        row.segment<6>(from_column) =
            twistSlope(frame.points[difference.number], from_slope);
        row[from_column + 6] = -gain * other.level / state.gains[from];
        row.segment<6>(to_column) = -twistSlope(difference.point, slope);
        row[to_column + 6] = other.level / state.gains[from];
      }
      row.head(used) *= std::sqrt(weightOf(size));
      sums.add(row, used);
    });
    for (PairSums& sums : pairs[from])
      sums.finish(used);
  }

  // In the order of pairs, so that it is the same sum for any number of threads.
  PhotometricSums result;
  const int parameters =
      shared_parameters + (with_frames ? count * frame_parameters : 0);
  result.matrix = Eigen::MatrixXd::Zero(parameters, parameters);
  result.vector = Eigen::VectorXd::Zero(parameters);
  for (int from = 0; from < count; ++from)
    for (std::size_t pair = 0; pair < pairs[from].size(); ++pair) {
      const PairSums& sums = pairs[from][pair];
      const int to = frames_[from].comparisons[pair].to;
      const auto place = [&](int column) {
        if (column < difference_column)
          return column;
        return shared_parameters + (column < to_column
                                        ? frame_parameters * from + column - from_column
                                        : frame_parameters * to + column - to_column);
      };
      result.cost += sums.cost;
      for (int i = 0; i < used; ++i) {
        if (i == difference_column)
          continue;
        result.vector[place(i)] += sums.product(i, difference_column);
        for (int k = 0; k < used; ++k)
          if (k != difference_column)
            result.matrix(place(i), place(k)) += sums.product(i, k);
      }
    }
  return result;
}

double
PhotometricFrames::cost(const PhotometricState& state) const
{
  const int count = static_cast<int>(frames_.size());
  std::vector<double> costs(count);
#pragma omp parallel for schedule(dynamic)
  for (int from = 0; from < count; ++from)
    visitDifferences(state, from, false, [&](const Difference& difference) {
      costs[from] += costOf(std::abs(difference.value));
    });
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

double
PhotometricFrames::growth(const PhotometricState& state,
                          const PhotometricState& other) const
{
  const int count = static_cast<int>(frames_.size());
  std::vector<double> growths(count);
#pragma omp parallel for schedule(dynamic)
  for (int from = 0; from < count; ++from) {
    std::vector<double> sizes;
    visitDifferences(state, from, false, [&](const Difference& difference) {
      sizes.push_back(std::abs(difference.value));
    });
    std::size_t i = 0;
    visitDifferences(other, from, false, [&](const Difference& difference) {
      const double size = sizes[i++], other_size = std::abs(difference.value);
      if (!std::isinf(size) && !std::isinf(other_size))
        growths[from] += costOf(other_size) - costOf(size);
    });
  }
  return std::accumulate(growths.begin(), growths.end(), 0.0);
}

std::vector<float>
PhotometricFrames::differences(const PhotometricState& state) const
{
  std::vector<float> result;
  for (int from = 0; from < static_cast<int>(frames_.size()); ++from)
    visitDifferences(state, from, false, [&](const Difference& difference) {
      if (!std::isinf(difference.value))
        result.push_back(static_cast<float>(std::abs(difference.value)));
    });
  return result;
}

} // namespace pcl::gpu
