// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "calibration/photometric_minimization.h"

#include "video/frame_checks.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pcl::gpu {

namespace {

using Eigen::Isometry3d;
using Eigen::VectorXd;

constexpr double least_growth = 0.1;    // of the cost, as a part of the predicted one
constexpr double most_deviation = 0.75; // as a part of the prior's

/** \brief The least change of the cost that is worth another step. */
double
enoughChange(double cost)
{
  return 5e-4 * cost + 0.005;
}

/** \brief A pose with an exact rotation, without errors of rounding. */
Isometry3d
exactPose(const Pose& pose)
{
  Isometry3d result = Isometry3d::Identity();
  result.linear() =
      Eigen::Quaterniond(pose.linear().cast<double>()).normalized().toRotationMatrix();
  result.translation() = pose.translation().cast<double>();
  return result;
}

/** \brief Deviations of all parameters before the frames are looked at.
 * \param[in] width of the colour images
 */
VectorXd
priorDeviations(const ColorCalibrationPriors& priors,
                const PhotometricState& start,
                int width)
{
  VectorXd result(shared_parameters + frame_parameters * start.poses.size());
  const double center = static_cast<double>(priors.principal_point) * width;
  result.head<shared_parameters>() << priors.focal_length * start.focal_length, center,
      center, Eigen::Vector3d::Constant(priors.rotation),
      Eigen::Vector3d::Constant(priors.translation);
  for (std::size_t i = 0; i < start.poses.size(); ++i)
    result.segment<frame_parameters>(shared_parameters + frame_parameters * i)
        << Eigen::Vector3d::Constant(priors.pose_rotation),
        Eigen::Vector3d::Constant(priors.pose_translation), priors.gain;
  return result;
}

/** \brief Returns the way from a state to another one, in the parameters of steps. */
VectorXd
departure(const PhotometricState& start, const PhotometricState& state)
{
  VectorXd result(shared_parameters + frame_parameters * state.poses.size());
  result.head<shared_parameters>() << state.focal_length - start.focal_length,
      state.cx - start.cx, state.cy - start.cy,
      twistOf(state.depth_to_color * start.depth_to_color.inverse());
  for (std::size_t i = 0; i < state.poses.size(); ++i)
    result.segment<frame_parameters>(shared_parameters + frame_parameters * i)
        << twistOf(start.poses[i].inverse() * state.poses[i]),
        state.gains[i] - start.gains[i];
  return result;
}

/** \brief The camera that a calibration begins with if none is given: a Kinect's. */
PinholeCamera
usualCamera(const PinholeCamera& size)
{
  PinholeCamera camera = size;
  camera.fx = camera.fy = 525.0f / 640.0f * static_cast<float>(size.width);
  camera.cx = 0.5f * static_cast<float>(size.width - 1);
  camera.cy = 0.5f * static_cast<float>(size.height - 1);
  return camera;
}

} // namespace

void
PhotometricVideo::setCamera(const PinholeCamera& camera, const Pose& color_to_depth)
{
  start.focal_length = 0.5 * (static_cast<double>(camera.fx) + camera.fy);
  start.cx = camera.cx;
  start.cy = camera.cy;
  start.depth_to_color = exactPose(color_to_depth).inverse();
}

void
PhotometricVideo::setStart(const ColorCalibrationParameters& parameters)
{
  setCamera(parameters.start_camera.fx > 0.0f ? parameters.start_camera
                                              : usualCamera(color_camera),
            parameters.start_color_to_depth);
}

std::vector<int>
frameNumbers(const RGBDVideo& video, const ColorCalibrationParameters& parameters)
{
  std::vector<int> numbers = parameters.frames;
  if (numbers.empty()) {
    numbers.resize(video.size());
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return numbers;
}

PhotometricVideo
readPhotometricVideo(const RGBDVideo& video,
                     const ColorCalibrationParameters& parameters)
{
  parameters.validate();
  const std::vector<int> numbers = frameNumbers(video, parameters);
  const int least_gap =
      *std::min_element(parameters.frame_gaps.begin(), parameters.frame_gaps.end());
  checkArgument(static_cast<int>(numbers.size()) > least_gap,
                "number of frames",
                numbers.size(),
                "more than the smallest gap");
  checkFrameNumber(numbers.back(), video.size());

  PhotometricVideo result{
      PhotometricFrames(parameters.frame_gaps, parameters.point_step),
      numbers,
      {},
      {},
      Pose::Identity()};
  for (const int number : numbers) {
    RGBDFrame frame = video.read(number);
    checkSize(frame.depth_camera, frame.depth, frameName(frame, number) + ", depth");
    checkSize(frame.color_camera, frame.color, frameName(frame, number) + ", colour");
    if (result.start.poses.empty()) {
      result.color_camera = frame.color_camera;
      result.color_to_depth = frame.depth_pose.inverse() * frame.color_pose;
    }
    checkArgument(frame.color.width == result.color_camera.width &&
                      frame.color.height == result.color_camera.height,
                  "a colour image's width or height",
                  frameName(frame, number),
                  "that of the first frame");
    result.start.poses.push_back(exactPose(frame.depth_pose));
    result.frames.add(std::move(frame));
  }
  result.start.gains.assign(numbers.size(), 1.0);
  return result;
}

float
deviationOf(std::vector<float> sizes)
{
  if (sizes.empty())
    return std::numeric_limits<float>::quiet_NaN();
  const auto middle = sizes.begin() + sizes.size() / 2;
  std::nth_element(sizes.begin(), middle, sizes.end());
  return 1.4826f * *middle; // of a normal distribution with this median
}

std::vector<FrameCorrection>
correctionsOf(const PhotometricVideo& video, const PhotometricState& found)
{
  std::vector<FrameCorrection> result(video.numbers.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].number = video.numbers[i];
    result[i].motion = (video.start.poses[i].inverse() * found.poses[i]).cast<float>();
    result[i].gain = static_cast<float>(found.gains[i]);
  }
  return result;
}

PhotometricMinimization::PhotometricMinimization(PhotometricVideo& video,
                                                 const ColorCalibrationPriors& priors,
                                                 const ParameterChoice& choice)
: state(video.start)
, frames_(video.frames)
, start_(video.start)
, choice_(choice)
, parameters_(shared_parameters)
{
  if (choice.poses || choice.gains)
    parameters_ += frame_parameters * static_cast<Eigen::Index>(start_.poses.size());
  information_ = priorDeviations(priors, start_, video.color_camera.width)
                     .head(parameters_)
                     .array()
                     .square()
                     .inverse();
}

bool
PhotometricMinimization::run(const BlurLevel& level)
{
  frames_.prepare(state, level.sigma);
  sums_ = sumsOf(state);
  double damping = 1e-4;
  for (int i = 0; i < level.max_steps; ++i) {
    Eigen::MatrixXd damped = sums_.matrix;
    damped.diagonal() *= 1.0 + damping;
    const VectorXd step = -damped.llt().solve(sums_.vector);
    const double enough = enoughChange(sums_.cost);
    // The equations predict less than the step gains, see below.
    if (-0.5 * sums_.vector.dot(step) < 0.1 * enough)
      return true;
    double cost = costOf(state.moved(step));
    if (!(cost < sums_.cost)) {
      damping *= 10.0;
      continue;
    }
    damping *= 0.1;
    // The valley of images that do not fit well is wider than the equations predict.
    double factor = 1.0;
    for (double longer = 2.0; longer <= 16.0; longer *= 2.0) {
      const double next_cost = costOf(state.moved(longer * step));
      if (!(next_cost < cost))
        break;
      cost = next_cost;
      factor = longer;
    }
    const bool is_done = sums_.cost - cost < enough;
    state = state.moved(factor * step);
    sums_ = sumsOf(state);
    if (is_done)
      return true;
  }
  return false;
}

void
PhotometricMinimization::setCertainties(ColorCalibration& calibration)
{
  frames_.prepare(state, certain_level.sigma);
  sums_ = sumsOf(state);
  const Eigen::LLT<Eigen::MatrixXd> factors(sums_.matrix);
  Eigen::Matrix<float, shared_parameters, 1> deviations;
  calibration.determined = true;
  for (int i = 0; i < shared_parameters; ++i) {
    const VectorXd column = factors.solve(VectorXd::Unit(parameters_, i));
    const double predicted_deviation = std::sqrt(column[i]);
    // By one deviation, along the way on which the cost grows least: by 1/2.
    const VectorXd step = column / predicted_deviation;
    const double by_prior = 0.5 * (step.array().square() * information_).sum();
    const double by_frames = 0.5 * (frames_.growth(state, state.moved(step)) +
                                    frames_.growth(state, state.moved(-step)));
    const double growth = by_prior + std::max(by_frames, 0.0);
    const double prior_deviation = 1.0 / std::sqrt(information_[i]);
    const double deviation =
        std::min(predicted_deviation / std::sqrt(2.0 * growth), prior_deviation);
    deviations[i] = static_cast<float>(deviation);
    // Determined by the frames, rather than by noise or the prior. Frames show little
    // of the translation, and little depends on it.
    if (i < 6)
      calibration.determined = calibration.determined &&
                               by_frames > least_growth * (0.5 - by_prior) &&
                               deviation < most_deviation * prior_deviation;
  }
  calibration.deviations = {deviations[0],
                            deviations[1],
                            deviations[2],
                            deviations.segment<3>(3),
                            deviations.segment<3>(6)};
}

double
PhotometricMinimization::priorCostOf(const PhotometricState& state) const
{
  const Eigen::ArrayXd away = departure(start_, state).head(parameters_);
  return 0.5 * (information_ * away.square()).sum();
}

double
PhotometricMinimization::costOf(const PhotometricState& state) const
{
  const auto isPositive = [](double number) { return number > 0.0; };
  if (!isPositive(state.focal_length) ||
      !std::all_of(state.gains.begin(), state.gains.end(), isPositive))
    return std::numeric_limits<double>::infinity();
  return frames_.cost(state) + priorCostOf(state);
}

PhotometricSums
PhotometricMinimization::sumsOf(const PhotometricState& state) const
{
  PhotometricSums sums = frames_.sums(state, parameters_ > shared_parameters);
  const Eigen::ArrayXd away = departure(start_, state).head(parameters_);
  sums.matrix.diagonal().array() += information_;
  sums.vector.array() += information_ * away;
  sums.cost += priorCostOf(state);
  for (Eigen::Index i = 0; i < parameters_; ++i)
    if (!choice_.isFree(i)) {
      sums.matrix.row(i).setZero();
      sums.matrix.col(i).setZero();
      sums.matrix(i, i) = 1.0;
      sums.vector[i] = 0.0;
    }
  return sums;
}

} // namespace pcl::gpu
