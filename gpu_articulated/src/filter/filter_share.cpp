// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_share.h"

#include "filter/pose_statistics.hpp"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

namespace pcl::gpu {

namespace {

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

/** \brief Returns the number of sums that means and deviations need. */
std::size_t
statisticsScratchSize(const device::PoseSpace& space, std::size_t rows)
{
  const int columns = std::max(device::MeanTerms::columns(space), space.freedoms());
  return device::sumScratchSize(rows, columns);
}

/** \brief Returns the particles of an island, with the sizes of their poses but without
 * arrays. */
device::Particles
particlesFor(const PoseParticleFilterParameters& parameters, const PoseLimits& limits)
{
  device::Particles particles{};
  particles.count = islandSize(parameters);
  particles.space.angles = static_cast<int>(limits.lower.size());
  particles.space.balls = static_cast<int>(limits.ball_starts.size());
  return particles;
}

/** \brief Cuts memory into the arrays of particles that users of a filter do not see.
 * \param[in] memory null only to add up sizes
 * \param[in] model particles have velocities if it needs them
 * \param[in,out] particles their count and space are set; gets the arrays
 * \return bytes of all of them
 */
std::size_t
layOut(char* memory, MotionModel model, device::Particles& particles)
{
  const std::size_t rows = particles.count;
  const std::size_t size = particles.space.size();
  const std::size_t freedoms = particles.space.freedoms();
  const bool has_velocities = model == MotionModel::ConstantVelocity;
  device::ScratchPieces pieces(memory);
  particles.former_poses = pieces.take<float>(rows * size);
  if (has_velocities)
    particles.former_velocities = pieces.take<float>(rows * freedoms);
  // Other ranks get the memory from here on after a frame.
  particles.weight_sums = pieces.take<std::uint64_t>(rows);
  if (has_velocities)
    particles.velocities = pieces.take<float>(rows * freedoms);
  particles.state = pieces.take<device::FilterState>(1);
  particles.mean = pieces.take<float>(size);
  particles.best = pieces.take<float>(size);
  particles.deviations = pieces.take<float>(freedoms);
  return pieces.bytes();
}

} // namespace

void
FilterShare::create(const PoseParticleFilterParameters& parameters,
                    const device::ParticleRange& moved_range,
                    const device::ParticleRange& compared_range)
{
  const PoseLimits limits = poseLimits(parameters, *kinematics.getSkeleton());
  moved = moved_range;
  compared = compared_range;
  particles = particlesFor(parameters, limits);
  device::PoseSpace& space = particles.space;
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
  createOn(device, memory, layOut(nullptr, parameters.motion_model, particles));
  layOut(memory.ptr(), parameters.motion_model, particles);
  createOn(device, poses, particles.count * std::size_t(space.size()));
  createOn(device, log_weights, particles.count);
  createOn(device, ancestors, particles.count);
  particles.poses = poses.ptr();
  particles.log_weights = log_weights.ptr();
  particles.ancestors = ancestors.ptr();
  const auto rowsOf = [&](float* rows, const device::ParticleRange& range) {
    const std::size_t size = space.size();
    return DeviceArray<float>(rows + range.first * size, range.count * size);
  };
  moved_former_poses = rowsOf(particles.former_poses, moved);
  compared_poses = rowsOf(particles.poses, compared);
}

void
FilterShare::beginFrames()
{
  fillAsync(device, memory.ptr(), 0, memory.sizeBytes(), stream);
  // Particles are their own ancestors.
  std::vector<std::uint32_t> numbers(particles.count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  upload(numbers, ancestors);
}

void
FilterShare::scatter(const std::vector<float>& pose,
                     const std::vector<float>& pose_deviations,
                     std::uint64_t seed)
{
  beginFrames();
  upload(pose, initial_pose);
  copyAsync(initial_pose.ptr(), particles.mean, initial_pose.sizeBytes(), stream);
  upload(pose_deviations, initial_deviations);
  device::MoveTask task{};
  task.particles = particles;
  task.particles.velocities = nullptr;
  task.range = {0, particles.count};
  task.start = initial_pose.ptr();
  task.deviations = initial_deviations.ptr();
  task.noise = task.wide_noise = 1.0f;
  task.seed = seed;
  task.layer = device::initial_layer;
  dispatch(device, PCL_GPU_BOTH(move), task, stream);
}

void
FilterShare::assign(const float* others)
{
  beginFrames();
  copyAsync(others, poses.ptr(), poses.sizeBytes(), stream);
  copyAsync(others, particles.mean, particles.space.size() * sizeof(float), stream);
}

void
FilterShare::copyFrom(const FilterShare& other)
{
  const auto copy = [&](const auto& from, auto& to) {
    copyAsync(from.ptr(), to.ptr(), from.sizeBytes(), stream);
  };
  copy(other.poses, poses);
  copy(other.log_weights, log_weights);
  copy(other.ancestors, ancestors);
  copy(other.memory, memory);
}

void
FilterShare::broadcastEstimate(int root)
{
  broadcastMemory(reinterpret_cast<char*>(particles.state), root);
}

void
FilterShare::broadcastParticles(int root)
{
  const auto broadcast = [&](auto& array) {
    communicator->broadcast(array.ptr(), array.size(), root, stream);
  };
  broadcast(poses);
  broadcast(log_weights);
  broadcast(ancestors);
  broadcastMemory(reinterpret_cast<char*>(particles.weight_sums), root);
}

/** \brief Copies the memory from one of its pieces on. */
void
FilterShare::broadcastMemory(char* first, int root)
{
  const std::size_t bytes = memory.ptr() + memory.size() - first;
  communicator->broadcast(first, bytes, root, stream);
}

void
FilterShare::propagate(const FilterStep& step)
{
  device::MoveTask task = step.move;
  task.particles = particles;
  task.range = moved;
  task.start = particles.former_poses;
  task.start_step = particles.space.size();
  task.deviations = deviations.ptr();
  if (step.scales >= 0)
    task.scales = scales.ptr() +
                  static_cast<std::size_t>(step.scales) * particles.space.freedoms();
  if (step.returns)
    task.rest = rest.ptr();
  if (step.move.first && has_proposal)
    task.proposal = proposal.ptr();
  dispatch(device, PCL_GPU_BOTH(move), task, stream);
}

void
FilterShare::observe(const DeviceArray<PointXYZ>& all,
                     const DeviceArray<float>& all_backgrounds,
                     const Eigen::Vector3f& viewpoint,
                     const float* pose,
                     const PoseParticleFilterParameters& parameters)
{
  likelihood.setParameters(parameters.likelihood);
  const bool is_here = all.empty() || deviceOf(all) == device;
  if (!is_here) {
    copyHere(all, points);
    copyHere(all_backgrounds, backgrounds);
  }
  const DeviceArray<PointXYZ>& own = is_here ? all : points;
  const DeviceArray<float>& own_backgrounds = is_here ? all_backgrounds : backgrounds;
  const std::size_t compared_points = comparedPoints(parameters, own.size());
  if (compared_points == own.size())
    return setPoints(own, {}, own_backgrounds, viewpoint);
  const DeviceArray<float> row(const_cast<float*>(pose), particles.space.size());
  kinematics.computeCapsules(row, body, stream);
  choice.choose(own, own_backgrounds, viewpoint, body, compared_points, stream);
  setPoints(choice.points, choice.weights, choice.backgrounds, viewpoint);
}

template <typename T>
void
FilterShare::copyHere(const DeviceArray<T>& other, DeviceArray<T>& copy) const
{
  createOn(device, copy, other.size());
  copyAsync(other.ptr(), copy.ptr(), other.sizeBytes(), stream);
}

void
FilterShare::setPoints(const DeviceArray<PointXYZ>& observed,
                       const DeviceArray<float>& weights,
                       const DeviceArray<float>& known_backgrounds,
                       const Eigen::Vector3f& viewpoint)
{
  if (!known_backgrounds.empty())
    likelihood.setPoints(observed, weights, known_backgrounds, viewpoint, stream);
  else if (!weights.empty())
    likelihood.setPoints(observed, weights, viewpoint, stream);
  else
    likelihood.setPoints(observed, viewpoint, stream);
}

void
FilterShare::compare()
{
  if (compared.count == 0)
    return;
  const Skeleton& skeleton = *kinematics.getSkeleton();
  const auto compute = [&](auto& skins) {
    kinematics.computeCapsules(compared_poses, skins, stream);
    const auto count = static_cast<int>(skeleton.getCapsules().size());
    likelihood.compute(skins, count, log_likelihoods, stream);
  };
  if (skeleton.hasPlainCapsules())
    compute(capsules);
  else
    compute(tapered_capsules);
}

void
FilterShare::compare(const PoseParticleFilter::LikelihoodFunction& function)
{
  if (compared.count == 0)
    return;
  createOn(device, log_likelihoods, compared.count);
  function(compared_poses, log_likelihoods, stream);
  checkArgument(log_likelihoods.size() == compared.count,
                "number of log-likelihoods",
                log_likelihoods.size(),
                "one a pose");
  checkDevice("log-likelihoods", log_likelihoods, "the particles", device);
}

void
FilterShare::gatherLogLikelihoods()
{
  if (all_log_likelihoods.empty())
    return;
  double* const all = all_log_likelihoods.ptr();
  if (compared.count > 0)
    copyAsync(log_likelihoods.ptr(),
              all + compared.first,
              log_likelihoods.sizeBytes(),
              stream);
  communicator->allGather(all, communicator->shares(particles.count), stream);
}

void
FilterShare::weigh(device::WeighTask task)
{
  task.particles = particles;
  task.log_likelihoods =
      all_log_likelihoods.empty() ? log_likelihoods.ptr() : all_log_likelihoods.ptr();
  if (task.scheme == device::ResamplingScheme::Residual) {
    createOn(device, copy_counts, particles.count);
    createOn(device, residuals, particles.count);
    task.copies = copy_counts.ptr();
    task.residuals = residuals.ptr();
  }
  const auto scratchBytes = functionFor(device, PCL_GPU_BOTH(weightScratchBytes));
  const std::size_t bytes = scratchBytes(particles.count);
  takePieces(scan_scratch, Piece(task.scratch, bytes));
  dispatch(device, PCL_GPU_BOTH(weigh), task, stream);
}

void
FilterShare::summarize(bool ends_frame)
{
  device::StatisticsTask task{};
  task.particles = particles;
  task.ends_frame = ends_frame;
  const std::size_t size = statisticsScratchSize(particles.space, particles.count);
  takePieces(sum_scratch, Piece(task.sums, size));
  dispatch(device, PCL_GPU_BOTH(summarize), task, stream);
}

void
FilterShare::download(PoseEstimate& estimate, const Stream& queue) const
{
  const auto* const first = reinterpret_cast<const char*>(particles.state);
  std::vector<char> bytes(memory.ptr() + memory.size() - first);
  waitForRanks(queue);
  copyAsync(first, bytes.data(), bytes.size(), queue);
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
  const auto take = [&](const float* from, std::vector<float>& values, int size) {
    const std::ptrdiff_t place = reinterpret_cast<const char*>(from) - first;
    values.resize(size);
    std::memcpy(values.data(), bytes.data() + place, size * sizeof(float));
  };
  take(particles.mean, estimate.mean, particles.space.size());
  take(particles.best, estimate.best, particles.space.size());
  take(particles.deviations, estimate.deviations, particles.space.freedoms());
}

void
FilterShare::downloadCovariance(Eigen::MatrixXf& matrix, const Stream& queue) const
{
  waitForRanks(queue);
  const int freedoms = particles.space.freedoms();
  Eigen::MatrixXd sums(freedoms, freedoms);
  device::StatisticsTask task{};
  task.particles = particles;
  Workspace scratch;
  takePieces(scratch,
             Piece(task.sums, device::sumScratchSize(particles.count, sums.size())));
  const double* const products =
      dispatch(device, PCL_GPU_BOTH(sumProducts), task, queue);
  device::FilterState state;
  copyAsync(products, sums.data(), sums.size() * sizeof(double), queue);
  copyAsync(particles.state, &state, sizeof(state), queue);
  queue.synchronize();
  matrix = (sums / static_cast<double>(state.total)).cast<float>();
}

std::size_t
FilterShare::estimateMemory(const PoseParticleFilterParameters& parameters,
                            const Skeleton& skeleton) const
{
  device::Particles all = particlesFor(parameters, poseLimits(parameters, skeleton));
  const std::size_t of_particle = all.space.size() * sizeof(*all.poses) +
                                  sizeof(*all.log_weights) + sizeof(*all.ancestors);
  return layOut(nullptr, parameters.motion_model, all) + all.count * of_particle;
}

std::size_t
FilterShare::estimateScratch(const PoseParticleFilterParameters& parameters,
                             const Skeleton& skeleton) const
{
  const device::Particles all =
      particlesFor(parameters, poseLimits(parameters, skeleton));
  const bool residual = parameters.resampling == Resampling::Residual;
  const std::size_t of_particle = residual ? 2 * sizeof(std::uint64_t) : 0;
  return all.count * of_particle +
         statisticsScratchSize(all.space, all.count) * sizeof(double) +
         functionFor(device, PCL_GPU_BOTH(weightScratchBytes))(all.count);
}

} // namespace pcl::gpu
