// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "particle_set.h"

#include "pose_statistics.hpp"

#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pcl::gpu {

namespace {

const device::ParticleDriver&
driverFor(const Device& device)
{
  return chooseDriver(device,
                      &device::hostParticleDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaParticleDriver),
                      "gpu_articulated");
}

/** \brief Where the floats of a summary begin: behind the state. */
constexpr std::size_t state_bytes = 256;
static_assert(sizeof(device::FilterState) <= state_bytes, "the state has this room");

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

} // namespace

const device::ParticleDriver&
ParticleSet::driver() const
{
  return driverFor(device_);
}

void
ParticleSet::create(const Space& space,
                    std::uint32_t count,
                    bool velocities,
                    const Stream& stream)
{
  device_ = currentDevice();
  angles_ = static_cast<int>(space.lower.size());
  count_ = count;
  balls_ = static_cast<int>(space.ball_starts.size());
  std::vector<float> floats = space.lower;
  floats.insert(floats.end(), space.upper.begin(), space.upper.end());
  floats.insert(floats.end(), space.ball_sides.begin(), space.ball_sides.end());
  uploadSettings(floats, limits_and_sides_, device_, stream);
  std::vector<int> numbers(angles_, -1);
  for (int ball = 0; ball < balls_; ++ball)
    std::fill_n(numbers.begin() + space.ball_starts[ball], 3, ball);
  const std::vector<int> parts = partStarts(numbers);
  angle_parts_ = static_cast<int>(parts.size()) - 1;
  numbers.insert(numbers.end(), space.ball_starts.begin(), space.ball_starts.end());
  numbers.insert(numbers.end(), parts.begin(), parts.end());
  uploadSettings(numbers, parts_and_balls_, device_, stream);
  setDeviations(space.deviations, stream);
  const std::size_t rows = count;
  createOn(device_, poses_, rows * poseSize());
  createOn(device_, former_poses_, rows * poseSize());
  createOn(device_, velocities_, velocities ? rows * freedoms() : 0);
  createOn(device_, former_velocities_, velocities ? rows * freedoms() : 0);
  createOn(device_, log_weights_, rows);
  createOn(device_, weight_sums_, rows);
  createOn(device_, ancestors_, rows);
  createOn(device_, summary_, summaryBytes(angles_));
  createOn(device_, initial_deviations_, freedoms());
  createOn(device_, initial_pose_, poseSize());
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

device::Particles
ParticleSet::view()
{
  device::Particles particles{};
  const float* const limits = limits_and_sides_.ptr();
  const int* const numbers = parts_and_balls_.ptr();
  particles.space = {angles_,
                     angle_parts_,
                     balls_,
                     limits,
                     limits + angles_,
                     limits + 2 * angles_,
                     numbers + angles_,
                     numbers,
                     numbers + angles_ + balls_};
  particles.count = count_;
  particles.poses = poses_.ptr();
  particles.former_poses = former_poses_.ptr();
  particles.velocities = velocities_.ptr();
  particles.former_velocities = former_velocities_.ptr();
  particles.log_weights = log_weights_.ptr();
  particles.weight_sums = weight_sums_.ptr();
  particles.ancestors = ancestors_.ptr();
  particles.state = reinterpret_cast<device::FilterState*>(summary_.ptr());
  return particles;
}

const float*
ParticleSet::mean() const
{
  return reinterpret_cast<const float*>(summary_.ptr() + state_bytes);
}

device::PoseStatistics
ParticleSet::statistics()
{
  const std::size_t columns =
      std::max(device::MeanTerms::angleColumn(balls_, angles_), freedoms());
  const std::size_t size = device::sumScratchSize(count_, columns);
  sum_scratch_.reserve(Workspace::bytesFor<double>(size));
  auto* const mean = reinterpret_cast<float*>(summary_.ptr() + state_bytes);
  return {
      mean, mean + poseSize(), mean + 2 * poseSize(), sum_scratch_.take<double>(size)};
}

void
ParticleSet::beginFrames(const Stream& stream)
{
  const device::Particles particles = view();
  driver().clear(summary_.ptr(), summary_.sizeBytes(), stream.get());
  driver().resetAncestors(particles, stream.get());
  if (!velocities_.empty())
    driver().clear(velocities_.ptr(), velocities_.sizeBytes(), stream.get());
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
  device::Particles particles = view();
  particles.velocities = nullptr;
  device::MotionTask task{};
  task.start = initial_pose_.ptr();
  task.deviations = initial_deviations_.ptr();
  task.noise = task.wide_noise = 1.0f;
  task.seed = seed;
  task.layer = device::initial_layer;
  driver().move(particles, {0, count_}, task, stream.get());
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
ParticleSet::gather(const Stream& stream)
{
  driver().gather(view(), stream.get());
}

void
ParticleSet::propagate(const device::ParticleRange& range,
                       const Step& step,
                       const Stream& stream)
{
  device::MotionTask task{};
  task.start = former_poses_.ptr();
  task.start_step = poseSize();
  task.deviations = deviations_.ptr();
  task.scales =
      step.scales < 0
          ? nullptr
          : scales_.ptr() + static_cast<std::size_t>(step.scales) * freedoms();
  task.noise = step.noise;
  task.wide_noise = step.wide_noise;
  if (step.renewal > 0.0f) {
    // The difference of two particles has twice their covariance.
    task.mean = mean();
    task.pull = 1.0f - std::sqrt(1.0f - step.renewal * step.renewal);
    task.noise = step.renewal * std::sqrt(0.5f);
  }
  task.drift = step.drift;
  task.time_step = step.time_step;
  task.first = step.first;
  task.seed = step.seed;
  task.layer = step.layer;
  driver().move(view(), range, task, stream.get());
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
  copyRows(poses_, other.poses_, poseSize());
  if (!velocities_.empty())
    copyRows(velocities_, other.velocities_, freedoms());
}

void
ParticleSet::weigh(const device::WeightTask& weights,
                   device::ResamplingTask resampling,
                   const Stream& stream)
{
  if (resampling.scheme == device::ResamplingScheme::Residual) {
    createOn(device_, copies_, count_);
    createOn(device_, residuals_, count_);
    resampling.copies = copies_.ptr();
    resampling.residuals = residuals_.ptr();
  }
  const std::size_t bytes = driver().weightScratchBytes(count_);
  scan_scratch_.reserve(Workspace::bytesFor<char>(bytes));
  void* const scratch = scan_scratch_.take<char>(bytes);
  driver().weigh(view(), weights, resampling, scratch, stream.get());
}

void
ParticleSet::findMean(const Stream& stream)
{
  driver().findMean(view(), statistics(), stream.get());
}

void
ParticleSet::estimate(const Stream& stream)
{
  findMean(stream);
  driver().findDeviations(view(), statistics(), stream.get());
}

void
ParticleSet::countFrame(const Stream& stream)
{
  driver().countFrame(view(), stream.get());
}

void
ParticleSet::download(Summary& summary, const Stream& stream) const
{
  std::vector<unsigned char> bytes(summary_.size());
  copyAsync(summary_.ptr(), bytes.data(), bytes.size(), stream);
  stream.synchronize();
  std::memcpy(&summary.state, bytes.data(), sizeof(summary.state));
  const unsigned char* next = bytes.data() + state_bytes;
  const auto take = [&next](std::vector<float>& values, std::size_t size) {
    values.resize(size);
    std::memcpy(values.data(), next, size * sizeof(float));
    next += size * sizeof(float);
  };
  take(summary.mean, poseSize());
  take(summary.best, poseSize());
  take(summary.deviations, freedoms());
}

void
ParticleSet::downloadCovariance(std::vector<float>& matrix, const Stream& stream)
{
  const std::size_t columns = static_cast<std::size_t>(freedoms()) * freedoms();
  const std::size_t size = device::sumScratchSize(count_, columns);
  createOn(device_, covariance_, columns);
  Workspace scratch;
  scratch.reserve(Workspace::bytesFor<double>(size));
  driver().covariance(
      view(), mean(), scratch.take<double>(size), covariance_.ptr(), stream.get());
  matrix.resize(columns);
  copyAsync(covariance_.ptr(), matrix.data(), columns * sizeof(float), stream);
  stream.synchronize();
}

std::size_t
ParticleSet::requiredMemory(const Space& space,
                            std::uint32_t count,
                            bool velocities,
                            bool residual)
{
  const auto angles = static_cast<int>(space.lower.size());
  const auto balls = static_cast<int>(space.ball_starts.size());
  const std::size_t rows = count, size = device::root_size + angles;
  const std::size_t freedoms = device::root_freedoms + angles;
  const std::size_t poses = 2 * rows * size * sizeof(float);
  const std::size_t speeds = velocities ? 2 * rows * freedoms * sizeof(float) : 0;
  const std::size_t weights = rows * (2 * sizeof(double) + sizeof(std::uint32_t));
  const std::size_t shares = residual ? 2 * rows * sizeof(std::uint64_t) : 0;
  const std::size_t columns = device::MeanTerms::angleColumn(balls, angles);
  const std::size_t sums = device::sumScratchSize(rows, columns) * sizeof(double);
  const device::ParticleDriver& driver = driverFor(currentDevice());
  return poses + speeds + weights + shares + sums + driver.weightScratchBytes(count);
}

} // namespace pcl::gpu
