// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/particle_set.h"

#include "filter/pose_statistics.hpp"

#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pcl::gpu {

namespace {

/** \brief Bytes of a summary before its floats: the state has this room. */
constexpr std::size_t state_bytes = 256;
static_assert(sizeof(device::FilterState) <= state_bytes, "floats come behind it");

std::size_t
summaryBytes(int angles)
{
  return state_bytes +
         (3 * device::root_size - 1 + 3 * static_cast<std::size_t>(angles)) *
             sizeof(float);
}

/** \brief First angles of the parts that angles move in (see device::PoseSpace), and the
 * number of all angles. */
std::vector<int>
partStarts(const std::vector<int>& ball_numbers)
{
  constexpr int angles_per_part = 4;
  const auto angles = static_cast<int>(ball_numbers.size());
  std::vector<int> starts;
  for (int angle = 0; angle < angles; ++angle)
    if (starts.empty() || angle - starts.back() == angles_per_part ||
        ball_numbers[angle] != ball_numbers[starts.back()])
      starts.push_back(angle);
  starts.push_back(angles);
  return starts;
}

/** \brief Uploads settings. The device is done with the former ones afterwards. */
template <typename T>
void
uploadSettings(const std::vector<T>& values,
               DeviceArray<T>& array,
               const Device& device,
               const Stream& stream)
{
  stream.synchronize();
  createOn(device, array, values.size());
  copyAsync(values.data(), array.ptr(), values.size() * sizeof(T), stream);
  stream.synchronize();
}

std::size_t
weightScratchBytes(const Device& device, std::uint32_t count)
{
  return functionFor(device,
                     &device::host::weightScratchBytes,
                     PCL_GPU_CUDA_ONLY(device::cuda::weightScratchBytes))(count);
}

} // namespace

void
ParticleSet::create(const PoseLimits& limits,
                    std::uint32_t count,
                    bool velocities,
                    const Stream& stream)
{
  device_ = currentDevice();
  device::PoseSpace space{};
  space.angles = static_cast<int>(limits.lower.size());
  space.balls = static_cast<int>(limits.ball_starts.size());
  std::vector<float> floats = limits.lower;
  floats.insert(floats.end(), limits.upper.begin(), limits.upper.end());
  floats.insert(floats.end(), limits.ball_sides.begin(), limits.ball_sides.end());
  uploadSettings(floats, limits_and_sides_, device_, stream);
  space.lower = limits_and_sides_.ptr();
  space.upper = space.lower + space.angles;
  space.ball_sides = space.upper + space.angles;
  std::vector<int> numbers(space.angles, -1);
  for (int ball = 0; ball < space.balls; ++ball)
    std::fill_n(numbers.begin() + limits.ball_starts[ball], 3, ball);
  const std::vector<int> parts = partStarts(numbers);
  space.angle_parts = static_cast<int>(parts.size()) - 1;
  numbers.insert(numbers.end(), limits.ball_starts.begin(), limits.ball_starts.end());
  numbers.insert(numbers.end(), parts.begin(), parts.end());
  uploadSettings(numbers, parts_and_balls_, device_, stream);
  space.ball_numbers = parts_and_balls_.ptr();
  space.ball_starts = space.ball_numbers + space.angles;
  space.part_starts = space.ball_starts + space.balls;
  setDeviations(limits.deviations, stream);
  const std::size_t rows = count;
  createOn(device_, poses_, rows * space.size());
  createOn(device_, former_poses_, rows * space.size());
  createOn(device_, velocities_, velocities ? rows * space.freedoms() : 0);
  createOn(device_, former_velocities_, velocities ? rows * space.freedoms() : 0);
  createOn(device_, log_weights_, rows);
  createOn(device_, weight_sums_, rows);
  createOn(device_, ancestors_, rows);
  createOn(device_, summary_, summaryBytes(space.angles));
  view_ = {space,
           count,
           poses_.ptr(),
           former_poses_.ptr(),
           velocities_.ptr(),
           former_velocities_.ptr(),
           log_weights_.ptr(),
           weight_sums_.ptr(),
           ancestors_.ptr(),
           reinterpret_cast<device::FilterState*>(summary_.ptr())};
}

void
ParticleSet::setDeviations(const std::vector<float>& deviations, const Stream& stream)
{
  uploadSettings(deviations, deviations_, device_, stream);
}

void
ParticleSet::setScales(const std::vector<float>& scales, const Stream& stream)
{
  uploadSettings(scales, scales_, device_, stream);
}

device::StatisticsTask
ParticleSet::statistics()
{
  const device::PoseSpace& space = view_.space;
  const std::size_t columns = std::max(
      device::MeanTerms::angleColumn(space.balls, space.angles), space.freedoms());
  const std::size_t size = device::sumScratchSize(view_.count, columns);
  sum_scratch_.reserve(Workspace::bytesFor<double>(size));
  auto* const mean = reinterpret_cast<float*>(summary_.ptr() + state_bytes);
  return {view_,
          {mean,
           mean + space.size(),
           mean + 2 * space.size(),
           sum_scratch_.take<double>(size)},
          nullptr};
}

void
ParticleSet::beginFrames(const Stream& stream)
{
  fillAsync(device_, summary_.ptr(), 0, summary_.sizeBytes(), stream);
  dispatch(device_,
           &device::host::resetAncestors,
           PCL_GPU_CUDA_ONLY(device::cuda::resetAncestors),
           view_,
           stream);
  if (!velocities_.empty())
    fillAsync(device_, velocities_.ptr(), 0, velocities_.sizeBytes(), stream);
}

void
ParticleSet::scatter(const std::vector<float>& pose,
                     const std::vector<float>& deviations,
                     std::uint64_t seed,
                     const Stream& stream)
{
  const ScopedDevice scope(device_);
  beginFrames(stream);
  uploadSettings(pose, initial_pose_, device_, stream);
  uploadSettings(deviations, initial_deviations_, device_, stream);
  device::MoveTask task{view_, {0, view_.count}, {}};
  task.particles.velocities = nullptr;
  task.motion.start = initial_pose_.ptr();
  task.motion.deviations = initial_deviations_.ptr();
  task.motion.noise = task.motion.wide_noise = 1.0f;
  task.motion.seed = seed;
  task.motion.layer = device::initial_layer;
  dispatch(device_,
           &device::host::move,
           PCL_GPU_CUDA_ONLY(device::cuda::move),
           task,
           stream);
}

void
ParticleSet::assign(const float* poses, const Stream& stream)
{
  const ScopedDevice scope(device_);
  beginFrames(stream);
  copyAsync(poses, poses_.ptr(), poses_.sizeBytes(), stream);
}

void
ParticleSet::copyFrom(const ParticleSet& other, const Stream& stream)
{
  const auto copy = [&](const auto& from, auto& to) {
    if (!from.empty())
      copyAsync(from.ptr(), to.ptr(), from.sizeBytes(), stream);
  };
  copy(other.poses_, poses_);
  copy(other.velocities_, velocities_);
  copy(other.log_weights_, log_weights_);
  copy(other.weight_sums_, weight_sums_);
  copy(other.ancestors_, ancestors_);
  copy(other.summary_, summary_);
}

void
ParticleSet::gather(const Stream& stream) const
{
  dispatch(device_,
           &device::host::gather,
           PCL_GPU_CUDA_ONLY(device::cuda::gather),
           view_,
           stream);
}

void
ParticleSet::propagate(const device::ParticleRange& range,
                       const ParticleMotion& motion,
                       const Stream& stream) const
{
  device::MoveTask task{view_, range, motion.task};
  task.motion.start = view_.former_poses;
  task.motion.start_step = view_.space.size();
  task.motion.deviations = deviations_.ptr();
  if (motion.scales >= 0)
    task.motion.scales = scales_.ptr() + static_cast<std::size_t>(motion.scales) *
                                             view_.space.freedoms();
  if (motion.from_spread)
    task.motion.mean = reinterpret_cast<const float*>(summary_.ptr() + state_bytes);
  dispatch(device_,
           &device::host::move,
           PCL_GPU_CUDA_ONLY(device::cuda::move),
           task,
           stream);
}

void
ParticleSet::copyTo(ParticleSet& other,
                    const device::ParticleRange& range,
                    const Stream& stream) const
{
  const auto copyRows =
      [&](const DeviceArray<float>& from, DeviceArray<float>& to, std::size_t size) {
        copyAsync(from.ptr() + range.first * size,
                  to.ptr() + range.first * size,
                  range.count * size * sizeof(float),
                  stream);
      };
  copyRows(poses_, other.poses_, view_.space.size());
  if (!velocities_.empty())
    copyRows(velocities_, other.velocities_, view_.space.freedoms());
}

void
ParticleSet::weigh(const device::WeightTask& weights,
                   device::ResamplingTask resampling,
                   const Stream& stream)
{
  if (resampling.scheme == device::ResamplingScheme::Residual) {
    createOn(device_, copies_, view_.count);
    createOn(device_, residuals_, view_.count);
    resampling.copies = copies_.ptr();
    resampling.residuals = residuals_.ptr();
  }
  const std::size_t bytes = weightScratchBytes(device_, view_.count);
  scan_scratch_.reserve(Workspace::bytesFor<char>(bytes));
  const device::WeighTask task = {
      view_, weights, resampling, scan_scratch_.take<char>(bytes)};
  dispatch(device_,
           &device::host::weigh,
           PCL_GPU_CUDA_ONLY(device::cuda::weigh),
           task,
           stream);
}

void
ParticleSet::findMean(const Stream& stream)
{
  dispatch(device_,
           &device::host::findMean,
           PCL_GPU_CUDA_ONLY(device::cuda::findMean),
           statistics(),
           stream);
}

void
ParticleSet::finishFrame(const Stream& stream)
{
  dispatch(device_,
           &device::host::finishFrame,
           PCL_GPU_CUDA_ONLY(device::cuda::finishFrame),
           statistics(),
           stream);
}

void
ParticleSet::download(PoseEstimate& estimate, const Stream& stream) const
{
  std::vector<unsigned char> bytes(summary_.size());
  copyAsync(summary_.ptr(), bytes.data(), bytes.size(), stream);
  stream.synchronize();
  device::FilterState state;
  std::memcpy(&state, bytes.data(), sizeof(state));
  estimate.best_log_likelihood = state.best_log_likelihood;
  estimate.log_evidence = state.log_evidence;
  estimate.effective_sample_size = state.effective_size;
  estimate.exponent = state.exponent;
  estimate.possible = state.possible != 0;
  estimate.resampled = state.carries_weights == 0;
  estimate.frame = state.frame;
  const unsigned char* next = bytes.data() + state_bytes;
  const auto take = [&next](std::vector<float>& values, std::size_t size) {
    values.resize(size);
    std::memcpy(values.data(), next, size * sizeof(float));
    next += size * sizeof(float);
  };
  take(estimate.mean, view_.space.size());
  take(estimate.best, view_.space.size());
  take(estimate.deviations, view_.space.freedoms());
}

void
ParticleSet::downloadCovariance(Eigen::MatrixXf& covariance, const Stream& stream)
{
  const int freedoms = view_.space.freedoms();
  const std::size_t columns = static_cast<std::size_t>(freedoms) * freedoms;
  const std::size_t size = device::sumScratchSize(view_.count, columns);
  createOn(device_, covariance_, columns);
  Workspace scratch;
  scratch.reserve(Workspace::bytesFor<double>(size));
  device::StatisticsTask task = statistics();
  task.statistics.sums = scratch.take<double>(size);
  task.covariance = covariance_.ptr();
  dispatch(device_,
           &device::host::findCovariance,
           PCL_GPU_CUDA_ONLY(device::cuda::findCovariance),
           task,
           stream);
  covariance.resize(freedoms, freedoms);
  copyAsync(covariance_.ptr(), covariance.data(), columns * sizeof(float), stream);
  stream.synchronize();
}

std::size_t
ParticleSet::requiredMemory(const PoseLimits& limits,
                            std::uint32_t count,
                            bool velocities,
                            bool residual)
{
  const auto angles = static_cast<int>(limits.lower.size());
  const auto balls = static_cast<int>(limits.ball_starts.size());
  const std::size_t rows = count, size = device::root_size + angles;
  const std::size_t freedoms = device::root_freedoms + angles;
  const std::size_t poses = 2 * rows * size * sizeof(float);
  const std::size_t speeds = velocities ? 2 * rows * freedoms * sizeof(float) : 0;
  const std::size_t weights = rows * (2 * sizeof(double) + sizeof(std::uint32_t));
  const std::size_t shares = residual ? 2 * rows * sizeof(std::uint64_t) : 0;
  const std::size_t columns = device::MeanTerms::angleColumn(balls, angles);
  const std::size_t sums = device::sumScratchSize(rows, columns) * sizeof(double);
  return poses + speeds + weights + shares + sums +
         weightScratchBytes(currentDevice(), count);
}

} // namespace pcl::gpu
