// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_share.h"

#include "filter/pose_statistics.hpp"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cstring>

namespace pcl::gpu {

namespace {

/** \brief Bytes of a summary before its floats: the state has this room. */
constexpr std::size_t state_bytes = 256;
static_assert(sizeof(device::FilterState) <= state_bytes, "floats come behind it");

/** \brief First angles of the parts that angles move in (see device::PoseSpace), and
 * the number of all angles. */
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

std::size_t
weightScratchBytes(const Device& device, std::uint32_t count)
{
  return functionFor(device, PCL_GPU_BOTH(weightScratchBytes))(count);
}

/** \brief Returns the number of sums that means and deviations need. */
std::size_t
statisticsScratchSize(const device::PoseSpace& space, std::size_t rows)
{
  const int columns = std::max(
      device::MeanTerms::angleColumn(space.balls, space.angles), space.freedoms());
  return device::sumScratchSize(rows, columns);
}

} // namespace

template <typename Function>
void
FilterShare::forEachArray(const device::PoseSpace& space,
                          std::size_t rows,
                          bool with_velocities,
                          const Function& function)
{
  const std::size_t velocity_size = with_velocities ? rows * space.freedoms() : 0;
  function(poses, rows * space.size());
  function(former_poses, rows * space.size());
  function(velocities, velocity_size);
  function(former_velocities, velocity_size);
  function(log_weights, rows);
  function(weight_sums, rows);
  function(ancestors, rows);
  // The state, mean, best and deviations.
  const std::size_t floats_of_summary = 2 * space.size() + space.freedoms();
  function(summary, state_bytes + floats_of_summary * sizeof(float));
}

void
FilterShare::create(const PoseLimits& limits,
                    std::uint32_t count,
                    const device::ParticleRange& own,
                    bool with_velocities)
{
  range = own;
  device::PoseSpace space{};
  space.angles = static_cast<int>(limits.lower.size());
  space.balls = static_cast<int>(limits.ball_starts.size());
  std::vector<float> floats = limits.lower;
  floats.insert(floats.end(), limits.upper.begin(), limits.upper.end());
  floats.insert(floats.end(), limits.ball_sides.begin(), limits.ball_sides.end());
  upload(floats, limits_and_sides);
  space.lower = limits_and_sides.ptr();
  space.upper = space.lower + space.angles;
  space.ball_sides = space.upper + space.angles;
  std::vector<int> numbers(space.angles, -1);
  for (int ball = 0; ball < space.balls; ++ball)
    std::fill_n(numbers.begin() + limits.ball_starts[ball], 3, ball);
  const std::vector<int> parts = partStarts(numbers);
  space.angle_parts = static_cast<int>(parts.size()) - 1;
  numbers.insert(numbers.end(), limits.ball_starts.begin(), limits.ball_starts.end());
  numbers.insert(numbers.end(), parts.begin(), parts.end());
  upload(numbers, parts_and_balls);
  space.ball_numbers = parts_and_balls.ptr();
  space.ball_starts = space.ball_numbers + space.angles;
  space.part_starts = space.ball_starts + space.balls;
  upload(limits.deviations, deviations);
  forEachArray(space, count, with_velocities, [this](auto& array, std::size_t size) {
    createOn(device, array, size);
  });
  particles = {space,
               count,
               poses.ptr(),
               former_poses.ptr(),
               velocities.ptr(),
               former_velocities.ptr(),
               log_weights.ptr(),
               weight_sums.ptr(),
               ancestors.ptr(),
               reinterpret_cast<device::FilterState*>(summary.ptr())};
  const std::size_t begin = own.first * std::size_t(space.size());
  const std::size_t own_size = own.count * std::size_t(space.size());
  own_poses = DeviceArray<float>(poses.ptr() + begin, own_size);
  own_former_poses = DeviceArray<float>(former_poses.ptr() + begin, own_size);
}

device::StatisticsTask
FilterShare::statistics()
{
  const device::PoseSpace& space = particles.space;
  const std::size_t size = statisticsScratchSize(space, particles.count);
  sum_scratch.reserve(Workspace::bytesFor<double>(size));
  auto* const mean = reinterpret_cast<float*>(summary.ptr() + state_bytes);
  device::StatisticsTask task{};
  task.particles = particles;
  task.mean = mean;
  task.best = mean + space.size();
  task.deviations = task.best + space.size();
  task.sums = sum_scratch.take<double>(size);
  return task;
}

void
FilterShare::beginFrames()
{
  fillAsync(device, summary.ptr(), 0, summary.sizeBytes(), stream);
  const device::ResetAncestors reset = {ancestors.ptr()};
  parallelFor2D(device, static_cast<int>(particles.count), 1, reset, stream);
  if (!velocities.empty())
    fillAsync(device, velocities.ptr(), 0, velocities.sizeBytes(), stream);
}

void
FilterShare::scatter(const std::vector<float>& pose,
                     const std::vector<float>& pose_deviations,
                     std::uint64_t seed)
{
  beginFrames();
  upload(pose, initial_pose);
  upload(pose_deviations, initial_deviations);
  device::MoveTask task{particles, {0, particles.count}, {}};
  task.particles.velocities = nullptr;
  task.motion.start = initial_pose.ptr();
  task.motion.deviations = initial_deviations.ptr();
  task.motion.noise = task.motion.wide_noise = 1.0f;
  task.motion.seed = seed;
  task.motion.layer = device::initial_layer;
  dispatch(device, PCL_GPU_BOTH(move), task, stream);
}

void
FilterShare::assign(const float* others)
{
  beginFrames();
  copyAsync(others, poses.ptr(), poses.sizeBytes(), stream);
}

void
FilterShare::copyFrom(const FilterShare& other)
{
  const auto copy = [&](const auto& from, auto& to) {
    if (!from.empty())
      copyAsync(from.ptr(), to.ptr(), from.sizeBytes(), stream);
  };
  copy(other.poses, poses);
  copy(other.velocities, velocities);
  copy(other.log_weights, log_weights);
  copy(other.weight_sums, weight_sums);
  copy(other.ancestors, ancestors);
  copy(other.summary, summary);
}

void
FilterShare::propagate(const FilterStep& step)
{
  device::MoveTask task{particles, range, step.motion};
  task.motion.start = particles.former_poses;
  task.motion.start_step = particles.space.size();
  task.motion.deviations = deviations.ptr();
  if (step.scales >= 0)
    task.motion.scales = scales.ptr() + static_cast<std::size_t>(step.scales) *
                                            particles.space.freedoms();
  if (step.from_spread)
    task.motion.mean = reinterpret_cast<const float*>(summary.ptr() + state_bytes);
  dispatch(device, PCL_GPU_BOTH(move), task, stream);
}

void
FilterShare::observe(const DeviceArray<PointXYZ>& observed,
                     const Eigen::Vector3f& viewpoint,
                     const CapsuleLikelihoodParameters& parameters)
{
  likelihood.setParameters(parameters);
  if (observed.empty() || deviceOf(observed) == device)
    return likelihood.setPoints(observed, viewpoint, stream);
  createOn(device, points, observed.size());
  copyAsync(observed.ptr(), points.ptr(), observed.sizeBytes(), stream);
  likelihood.setPoints(points, viewpoint, stream);
}

void
FilterShare::compare(CapsuleLikelihood& observer)
{
  const Skeleton& skeleton = *kinematics.getSkeleton();
  const auto compute = [&](auto& skins) {
    kinematics.computeCapsules(own_poses, skins, stream);
    const auto count = static_cast<int>(skeleton.getCapsules().size());
    observer.compute(skins, count, log_likelihoods, stream);
  };
  if (skeleton.hasPlainCapsules())
    compute(capsules);
  else
    compute(tapered_capsules);
}

void
FilterShare::compare(const PoseParticleFilter::LikelihoodFunction& function)
{
  createOn(device, log_likelihoods, range.count);
  function(own_poses, log_likelihoods, stream);
  checkArgument(log_likelihoods.size() == range.count,
                "number of log-likelihoods",
                log_likelihoods.size(),
                "one a pose");
  checkDevice("log-likelihoods", log_likelihoods, "the particles", device);
}

void
FilterShare::weigh(device::WeighTask task)
{
  task.particles = particles;
  task.weights.log_likelihoods =
      all_log_likelihoods.empty() ? log_likelihoods.ptr() : all_log_likelihoods.ptr();
  if (task.resampling.scheme == device::ResamplingScheme::Residual) {
    createOn(device, copy_counts, particles.count);
    createOn(device, residuals, particles.count);
    task.resampling.copies = copy_counts.ptr();
    task.resampling.residuals = residuals.ptr();
  }
  const std::size_t bytes = weightScratchBytes(device, particles.count);
  scan_scratch.reserve(Workspace::bytesFor<char>(bytes));
  task.scratch = scan_scratch.take<char>(bytes);
  dispatch(device, PCL_GPU_BOTH(weigh), task, stream);
}

void
FilterShare::summarize(bool ends_frame)
{
  device::StatisticsTask task = statistics();
  task.ends_frame = ends_frame;
  dispatch(device, PCL_GPU_BOTH(summarize), task, stream);
}

void
FilterShare::download(PoseEstimate& estimate, const Stream& queue) const
{
  std::vector<unsigned char> bytes(summary.size());
  copyAsync(summary.ptr(), bytes.data(), bytes.size(), queue);
  queue.synchronize();
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
  take(estimate.mean, particles.space.size());
  take(estimate.best, particles.space.size());
  take(estimate.deviations, particles.space.freedoms());
}

void
FilterShare::downloadCovariance(Eigen::MatrixXf& matrix, const Stream& queue)
{
  const int freedoms = particles.space.freedoms();
  const std::size_t columns = static_cast<std::size_t>(freedoms) * freedoms;
  const std::size_t size = device::sumScratchSize(particles.count, columns);
  createOn(device, covariance, columns);
  Workspace scratch;
  scratch.reserve(Workspace::bytesFor<double>(size));
  device::StatisticsTask task = statistics();
  task.sums = scratch.take<double>(size);
  task.covariance = covariance.ptr();
  dispatch(device, PCL_GPU_BOTH(findCovariance), task, queue);
  matrix.resize(freedoms, freedoms);
  copyAsync(covariance.ptr(), matrix.data(), columns * sizeof(float), queue);
  queue.synchronize();
}

std::size_t
FilterShare::estimateMemory(const PoseLimits& limits,
                            std::uint32_t count,
                            bool with_velocities,
                            bool residual)
{
  device::PoseSpace space{};
  space.angles = static_cast<int>(limits.lower.size());
  space.balls = static_cast<int>(limits.ball_starts.size());
  std::size_t bytes = statisticsScratchSize(space, count) * sizeof(double) +
                      weightScratchBytes(device, count);
  const auto add = [&bytes](const auto& array, std::size_t size) {
    bytes += size * sizeof(*array.ptr());
  };
  forEachArray(space, count, with_velocities, add);
  if (residual) {
    add(copy_counts, count);
    add(residuals, count);
  }
  return bytes;
}

} // namespace pcl::gpu
