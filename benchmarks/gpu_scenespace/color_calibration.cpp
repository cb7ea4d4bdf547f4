// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "color_calibration.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

using Twist = Eigen::Matrix<double, 6, 1>;

constexpr int shared_parameters = 3 + 6;     // of the camera, and a twist
constexpr int frame_parameters = 7;          // a twist and a gain
constexpr int own_first = shared_parameters; // of the parameters of a pair of frames
constexpr int other_first = own_first + frame_parameters;
constexpr int pair_parameters = other_first + frame_parameters;

/** \brief Deviations of the priors: pixels, radians, metres; of a gain. */
constexpr double prior_deviations[shared_parameters] = {
    15.0, 15.0, 15.0, 0.02, 0.02, 0.02, 0.005, 0.005, 0.005};
constexpr double frame_deviations[frame_parameters] = {
    0.003, 0.003, 0.003, 0.005, 0.005, 0.005, 0.03};

constexpr int point_step = 8;
constexpr int frame_gaps[] = {4, 9, 16, 25};
constexpr double huber = 8.0;       // levels
constexpr double redundancy = 20.0; // residuals that tell the same

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

/** \brief Brightness, blurred. */
class Brightness {
public:
  Brightness(const ColorImage& color, double sigma)
  : width_(color.width)
  , height_(color.height)
  {
    for (const pcl::RGB& pixel : color.pixels)
      levels_.push_back(0.299f * pixel.r + 0.587f * pixel.g + 0.114f * pixel.b);
    blur(sigma, width_, 1, width_);
    blur(sigma, height_, width_, 1);
  }

  /** \brief Whether value() and its slope are there. */
  bool
  contains(const Vector2d& place) const
  {
    return place.x() >= 1.0 && place.y() >= 1.0 && place.x() < width_ - 3 &&
           place.y() < height_ - 3;
  }

  /** \brief Bilinear. */
  double
  value(const Vector2d& place) const
  {
    const int u = static_cast<int>(place.x()), v = static_cast<int>(place.y());
    const double a = place.x() - u, b = place.y() - v;
    const float* const pixel = &levels_[std::size_t(v) * width_ + u];
    return (1.0 - b) * ((1.0 - a) * pixel[0] + a * pixel[1]) +
           b * ((1.0 - a) * pixel[width_] + a * pixel[width_ + 1]);
  }

  /** \brief Central differences. */
  Eigen::RowVector2d
  slope(const Vector2d& place) const
  {
    const Vector2d across = Vector2d::UnitX(), along = Vector2d::UnitY();
    return {0.5 * (value(place + across) - value(place - across)),
            0.5 * (value(place + along) - value(place - along))};
  }

private:
  /** \brief Blurs lines of pixels.
   * \param[in] length pixels of a line
   * \param[in] step from a line's pixel to the next one
   * \param[in] line_step from line to line
   */
  void
  blur(double sigma, int length, int step, int line_step)
  {
    const int lines = static_cast<int>(levels_.size()) / length;
    const int reach = static_cast<int>(std::ceil(3.0 * sigma));
    std::vector<float> weights;
    for (int i = -reach; i <= reach; ++i)
      weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    std::vector<float> line(length);
    for (int number = 0; number < lines; ++number) {
      float* const first = &levels_[std::size_t(number) * line_step];
      for (int i = 0; i < length; ++i) {
        float sum = 0.0f, weight = 0.0f;
        for (int k = std::max(-reach, -i); k <= std::min(reach, length - 1 - i); ++k) {
          sum += weights[k + reach] * first[std::size_t(i + k) * step];
          weight += weights[k + reach];
        }
        line[i] = sum / weight;
      }
      for (int i = 0; i < length; ++i)
        first[std::size_t(i) * step] = line[i];
    }
  }

  int width_, height_;
  std::vector<float> levels_;
};

/** \brief A colour camera, and where a frame's points are in its frame. */
struct Projection {
  double focal_length, cx, cy;
  Isometry3d motion;

  Vector2d
  operator()(const Vector3d& point) const
  {
    const Vector3d seen = motion * point;
    return focal_length / seen.z() * seen.head<2>() + Vector2d(cx, cy);
  }
};

/** \brief Where points of frame \a from are in the colour image of frame \a to.
 * \param[in] parameter of the pair that is changed; -1: none
 * \param[in] change of it
 */
Projection
projectionOf(const ColorCalibration& calibration,
             int from,
             int to,
             int parameter = -1,
             double change = 0.0)
{
  Eigen::Matrix<double, pair_parameters, 1> changes =
      Eigen::Matrix<double, pair_parameters, 1>::Zero();
  if (parameter >= 0)
    changes[parameter] = change;
  const auto pose = [&](int frame, int first) {
    return calibration.poses[frame] * motionOf(changes.segment<6>(first));
  };
  Isometry3d between = Isometry3d::Identity();
  if (from != to)
    between = pose(to, other_first).inverse() * pose(from, own_first);
  return {calibration.focal_length + changes[0],
          calibration.cx + changes[1],
          calibration.cy + changes[2],
          motionOf(changes.segment<6>(3)) * calibration.depth_to_color * between};
}

/** \brief Points of a depth map, away from its edges. */
std::vector<Vector3d>
pointsOf(const RGBDFrame& frame)
{
  const Image<float>& depth = frame.depth;
  const PinholeCamera& camera = frame.depth_camera;
  std::vector<Vector3d> points;
  for (int v = point_step; v + point_step < depth.height; v += point_step)
    for (int u = point_step; u + point_step < depth.width; u += point_step) {
      const float z = depth.pixels[std::size_t(v) * depth.width + u];
      bool is_flat = z > 0.0f;
      for (int i = -4; i <= 4; i += 4)
        for (int k = -4; k <= 4; k += 4) {
          const float near = depth.pixels[std::size_t(v + i) * depth.width + u + k];
          is_flat = is_flat && std::abs(near - z) < 0.03f * z;
        }
      if (is_flat)
        points.emplace_back(
            (u - camera.cx) / camera.fx * z, (v - camera.cy) / camera.fy * z, z);
    }
  return points;
}

/** \brief Whether a depth camera sees a point that another one has seen. */
bool
isSeen(const RGBDFrame& frame, const Vector3d& point)
{
  const PinholeCamera& camera = frame.depth_camera;
  const long u = std::lround(camera.fx * point.x() / point.z() + camera.cx);
  const long v = std::lround(camera.fy * point.y() / point.z() + camera.cy);
  if (u < 0 || v < 0 || u >= frame.depth.width || v >= frame.depth.height)
    return false;
  const float z = frame.depth.pixels[std::size_t(v) * frame.depth.width + u];
  return std::abs(z - point.z()) < 0.02 * z;
}

/** \brief Normal equations and cost. */
struct Equations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd vector;
  double cost = 0.0;
  std::vector<float> residuals; ///< absolute

  explicit Equations(int parameters)
  : matrix(Eigen::MatrixXd::Zero(parameters, parameters))
  , vector(Eigen::VectorXd::Zero(parameters))
  {}

  void
  operator+=(const Equations& other)
  {
    matrix += other.matrix;
    vector += other.vector;
    cost += other.cost;
    residuals.insert(residuals.end(), other.residuals.begin(), other.residuals.end());
  }
};

class Calibration {
public:
  Calibration(const std::vector<RGBDFrame>& frames,
              const ColorCalibration& start,
              const CalibrationSettings& settings)
  : frames_(frames)
  , settings_(settings)
  , first_(settings.first)
  , last_(settings.last < 0 ? static_cast<int>(frames.size()) - 1 : settings.last)
  , state_(start)
  , prior_(start)
  {
    if (state_.poses.empty())
      for (const RGBDFrame& frame : frames)
        state_.poses.emplace_back(frame.depth_pose.cast<double>());
    state_.gains.resize(frames.size(), 1.0);
    prior_ = state_;
    points_.resize(frames.size());
    for (int i = first_; i <= last_; ++i)
      points_[i] = pointsOf(frames[i]);
  }

  ColorCalibration
  run()
  {
    for (const double sigma : {4.0, 2.0, 1.0}) {
      images_.clear();
      for (const RGBDFrame& frame : frames_)
        images_.emplace_back(frame.color, sigma);
      minimize(sigma == 1.0 ? 12 : 8);
    }
    return state_;
  }

private:
  int
  parameters() const
  {
    return shared_parameters + frame_parameters * static_cast<int>(frames_.size());
  }

  bool
  isFree(int parameter) const
  {
    return parameter < shared_parameters || settings_.poses;
  }

  void
  addPair(int from, int to, const ColorCalibration& state, Equations& sum) const
  {
    constexpr double step = 1e-5;
    std::array<Projection, pair_parameters + 1> own, other;
    for (int i = 0; i <= pair_parameters; ++i) {
      own[i] = projectionOf(state, from, from, i - 1, step);
      other[i] = projectionOf(state, from, to, i - 1, step);
    }
    const Isometry3d between = state.poses[to].inverse() * state.poses[from];
    Eigen::Matrix<double, pair_parameters, pair_parameters> matrix;
    Eigen::Matrix<double, pair_parameters, 1> vector, row;
    matrix.setZero();
    vector.setZero();
    for (const Vector3d& point : points_[from]) {
      const Vector2d here = own[0](point), there = other[0](point);
      if (!images_[from].contains(here) || !images_[to].contains(there) ||
          !isSeen(frames_[to], between * point))
        continue;
      const double first = images_[from].value(here), second = images_[to].value(there);
      const double gain = state.gains[to] / state.gains[from];
      const double residual = gain * second - first;
      const Eigen::RowVector2d slope = images_[from].slope(here);
      const Eigen::RowVector2d other_slope = images_[to].slope(there);
      for (int i = 0; i < pair_parameters; ++i)
        row[i] = (gain * other_slope * (other[i + 1](point) - there) -
                  slope * (own[i + 1](point) - here))
                     .value() /
                 step;
      row[other_first - 1] = -gain * second / state.gains[from];
      row[pair_parameters - 1] = second / state.gains[from];
      const double size = std::abs(residual);
      const double weight =
          (size <= huber ? 1.0 : huber / size) / (huber * huber * redundancy);
      matrix.selfadjointView<Eigen::Lower>().rankUpdate(row, weight);
      vector += weight * residual * row;
      sum.cost += (size <= huber ? 0.5 * size * size : huber * (size - 0.5 * huber)) /
                  (huber * huber * redundancy);
      sum.residuals.push_back(static_cast<float>(size));
    }
    const auto place = [&](int i) {
      if (i < shared_parameters)
        return i;
      const int in_frames = i - shared_parameters;
      return shared_parameters + in_frames % frame_parameters +
             frame_parameters * (in_frames < frame_parameters ? from : to);
    };
    for (int i = 0; i < pair_parameters; ++i) {
      sum.vector[place(i)] += vector[i];
      for (int k = 0; k < pair_parameters; ++k)
        sum.matrix(place(i), place(k)) += matrix(std::max(i, k), std::min(i, k));
    }
  }

  /** \brief What a state departs from the prior by, in the prior's parameters. */
  Eigen::VectorXd
  departure(const ColorCalibration& state) const
  {
    Eigen::VectorXd result(parameters());
    result.head<shared_parameters>() << state.focal_length - prior_.focal_length,
        state.cx - prior_.cx, state.cy - prior_.cy,
        twistOf(state.depth_to_color * prior_.depth_to_color.inverse());
    for (std::size_t i = 0; i < frames_.size(); ++i)
      result.segment<frame_parameters>(shared_parameters + frame_parameters * i)
          << twistOf(prior_.poses[i].inverse() * state.poses[i]),
          state.gains[i] - 1.0;
    return result;
  }

  Equations
  equationsOf(const ColorCalibration& state) const
  {
    Equations sum(parameters());
#pragma omp parallel for schedule(dynamic)
    for (int from = first_; from <= last_; ++from) {
      Equations part(parameters());
      for (const int gap : frame_gaps)
        for (const int to : {from - gap, from + gap})
          if (to >= first_ && to <= last_)
            addPair(from, to, state, part);
#pragma omp critical
      sum += part;
    }
    const Eigen::VectorXd away = departure(state);
    for (int i = 0; i < parameters(); ++i) {
      const double deviation =
          i < shared_parameters
              ? prior_deviations[i]
              : frame_deviations[(i - shared_parameters) % frame_parameters];
      sum.matrix(i, i) += 1.0 / (deviation * deviation);
      sum.vector[i] += away[i] / (deviation * deviation);
      sum.cost += 0.5 * away[i] * away[i] / (deviation * deviation);
    }
    for (int i = 0; i < parameters(); ++i)
      if (!isFree(i)) {
        sum.matrix.row(i).setZero();
        sum.matrix.col(i).setZero();
        sum.matrix(i, i) = 1.0;
        sum.vector[i] = 0.0;
      }
    return sum;
  }

  ColorCalibration
  changed(const Eigen::VectorXd& change) const
  {
    ColorCalibration result = state_;
    result.focal_length += change[0];
    result.cx += change[1];
    result.cy += change[2];
    result.depth_to_color = motionOf(change.segment<6>(3)) * result.depth_to_color;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const auto part =
          change.segment<frame_parameters>(shared_parameters + frame_parameters * i);
      result.poses[i] = result.poses[i] * motionOf(part.head<6>());
      result.gains[i] += part[6];
    }
    return result;
  }

  void
  minimize(int iterations)
  {
    Equations equations = equationsOf(state_);
    double damping = 1e-4;
    for (int i = 0; i < iterations; ++i) {
      Eigen::MatrixXd damped = equations.matrix;
      damped.diagonal() *= 1.0 + damping;
      const ColorCalibration next = changed(-damped.ldlt().solve(equations.vector));
      Equations next_equations = equationsOf(next);
      const bool is_better = next_equations.cost < equations.cost;
      damping *= is_better ? 0.1 : 10.0;
      if (!is_better)
        continue;
      const bool is_done = equations.cost - next_equations.cost < 1e-5 * equations.cost;
      state_ = next;
      equations = std::move(next_equations);
      if (is_done)
        break;
    }
    const Eigen::MatrixXd covariance = equations.matrix.inverse();
    state_.deviations.clear();
    for (int i = 0; i < shared_parameters; ++i)
      state_.deviations.push_back(isFree(i) ? std::sqrt(covariance(i, i)) : 0.0);
    std::vector<float>& residuals = equations.residuals;
    std::nth_element(
        residuals.begin(), residuals.begin() + residuals.size() / 2, residuals.end());
    state_.residual = 1.4826 * residuals[residuals.size() / 2];
  }

  const std::vector<RGBDFrame>& frames_;
  CalibrationSettings settings_;
  int first_, last_;
  ColorCalibration state_, prior_;
  std::vector<std::vector<Vector3d>> points_;
  std::vector<Brightness> images_;
};

} // namespace

ColorCalibration
calibrateColor(const std::vector<RGBDFrame>& frames,
               const ColorCalibration& start,
               const CalibrationSettings& settings)
{
  return Calibration(frames, start, settings).run();
}

CalibratedVideo::CalibratedVideo(ConstPtr video, const ColorCalibration& calibration)
: video_(std::move(video))
, calibration_(calibration)
{}

int
CalibratedVideo::size() const
{
  return video_->size();
}

void
CalibratedVideo::place(RGBDView& view, int number) const
{
  const Isometry3d& pose = calibration_.poses[number];
  view.depth_pose = pose.cast<float>();
  view.color_pose = (pose * calibration_.depth_to_color.inverse()).cast<float>();
  view.color_camera.fx = view.color_camera.fy =
      static_cast<float>(calibration_.focal_length);
  view.color_camera.cx = static_cast<float>(calibration_.cx);
  view.color_camera.cy = static_cast<float>(calibration_.cy);
}

RGBDView
CalibratedVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  place(view, number);
  return view;
}

RGBDFrame
CalibratedVideo::read(int number) const
{
  RGBDFrame frame = video_->read(number);
  place(frame, number);
  return frame;
}

} // namespace benchmarks
