// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_share.h"
#include "pose_particle_filter_settings.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief A filter of its own. */
struct Island {
  FilterShares shares;
  double score = 0.0; ///< log-likelihood of its best particles of late
  int frames_behind = 0;

  /** \brief Counts what the last frame brought. Waits. */
  void
  rate(bool is_first_frame)
  {
    const ScopedDevice scope(shares.first().device);
    ParticleSet::Summary summary;
    shares.first().particles.download(summary, shares.first().stream);
    const double found = summary.state.possible
                             ? summary.state.best_log_likelihood
                             : -std::numeric_limits<double>::infinity();
    const bool starts = is_first_frame || !std::isfinite(score);
    score = starts ? found : 0.5 * (score + found);
  }
};

} // namespace

/** \brief Memory that stays from one call to the next. */
struct PoseParticleFilter::Buffers {
  std::vector<Island> islands{1};
  std::size_t leading = 0; ///< the island that the caller sees
  bool initialized = false;
  bool has_frame = false;
  bool deviations_changed = false;
  bool partitions_changed = true;

  /** \brief The particles that the caller sees. */
  ParticleSet&
  particles()
  {
    return islands[leading].shares.first().particles;
  }

  /** \brief Finds the island that leads, and has those go on from there that were behind it
   * for too long. Waits. */
  void
  compareIslands(double margin, int patience)
  {
    for (Island& island : islands)
      island.rate(!has_frame);
    const auto isLess = [](const Island& a, const Island& b) {
      return a.score < b.score;
    };
    const auto best = std::max_element(islands.begin(), islands.end(), isLess);
    leading = static_cast<std::size_t>(best - islands.begin());
    for (Island& island : islands) {
      island.frames_behind =
          best->score - island.score > margin ? island.frames_behind + 1 : 0;
      if (island.frames_behind < patience)
        continue;
      island.shares.copyFrom(best->shares);
      island.score = best->score;
      island.frames_behind = 0;
    }
  }
};

namespace {

void
checkDeviations(const std::vector<float>& deviations, std::size_t freedoms)
{
  checkArgument(deviations.size() == freedoms,
                "number of deviations",
                deviations.size(),
                "one a degree of freedom, one less than the numbers of a pose");
  for (const float deviation : deviations)
    checkNotNegative("deviation", deviation);
}

void
checkPose(const std::vector<float>& pose, std::size_t size)
{
  checkArgument(pose.size() == size,
                "number of floats of the pose",
                pose.size(),
                "the size of the skeleton's poses");
  for (const float number : pose)
    checkArgument(std::isfinite(number), "number of the pose", number, "a finite one");
  const double length = std::hypot(std::hypot(double(pose[3]), pose[4]),
                                   std::hypot(double(pose[5]), pose[6]));
  checkArgument(length > 0.0, "length of the root's quaternion", length, "more than 0");
}

std::vector<float>
withUnitQuaternion(std::vector<float> pose)
{
  const double length = std::hypot(std::hypot(double(pose[3]), pose[4]),
                                   std::hypot(double(pose[5]), pose[6]));
  for (int i = 3; i < 7; ++i)
    pose[i] = static_cast<float>(pose[i] / length);
  return pose;
}

} // namespace

PoseParticleFilter::PoseParticleFilter()
: settings_(new Settings)
, buffers_(new Buffers)
{}

PoseParticleFilter::PoseParticleFilter(const PoseParticleFilter& other)
: settings_(new Settings(*other.settings_))
, buffers_(new Buffers)
{}

PoseParticleFilter::PoseParticleFilter(PoseParticleFilter&&) noexcept = default;

PoseParticleFilter&
PoseParticleFilter::operator=(PoseParticleFilter other) noexcept
{
  settings_ = std::move(other.settings_);
  buffers_ = std::move(other.buffers_);
  return *this;
}

PoseParticleFilter::~PoseParticleFilter() = default;

void
PoseParticleFilter::setSkeleton(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "null", "a skeleton");
  checkArgument(!skeleton->getJoints().empty(), "skeleton", "empty", "a root joint");
  settings_->skeleton = skeleton;
  buffers_->partitions_changed = true;
  reset();
}

void
PoseParticleFilter::setRootDeviation(float translation, float rotation)
{
  checkNotNegative("deviation of the root's translation", translation);
  checkNotNegative("deviation of the root's rotation", rotation);
  settings_->translation_deviation = translation;
  settings_->rotation_deviation = rotation;
  buffers_->deviations_changed = true;
}

void
PoseParticleFilter::setPartitions(const std::vector<std::vector<int>>& joints)
{
  for (const std::vector<int>& partition : joints)
    for (const int joint : partition)
      checkArgument(joint >= 0, "joint of a partition", joint, "the number of a joint");
  settings_->partitions = joints;
  buffers_->partitions_changed = true;
}

void
PoseParticleFilter::create(const Device& device, const Stream& stream)
{
  reset();
  buffers_->islands.resize(settings_->islands);
  buffers_->leading = 0;
  for (Island& island : buffers_->islands) {
    island.shares.create(settings_->devicesFor(device),
                         settings_->skeleton,
                         settings_->space(),
                         settings_->islandSize(),
                         settings_->motion_model == MotionModel::ConstantVelocity,
                         stream);
    island.frames_behind = 0;
  }
  buffers_->deviations_changed = false;
  buffers_->partitions_changed = true;
  buffers_->initialized = true;
}

template <typename Function>
void
PoseParticleFilter::start(const Stream& stream, const Function& function)
{
  for (std::size_t i = 0; i < buffers_->islands.size(); ++i) {
    FilterShares& shares = buffers_->islands[i].shares;
    shares.start(stream);
    shares.forEach([&](FilterShare& share) { function(static_cast<int>(i), share); });
    shares.finish();
  }
}

void
PoseParticleFilter::initialize(const std::vector<float>& pose, const Stream& stream)
{
  checkArgument(
      settings_->skeleton != nullptr, "skeleton", "not set", "setSkeleton() before");
  std::vector<float> deviations = settings_->space().deviations;
  for (float& deviation : deviations)
    deviation *= std::sqrt(0.1f);
  initialize(pose, deviations, stream);
}

void
PoseParticleFilter::initialize(const std::vector<float>& pose,
                               const std::vector<float>& deviations,
                               const Stream& stream)
{
  checkArgument(
      settings_->skeleton != nullptr, "skeleton", "not set", "setSkeleton() before");
  const std::size_t size = settings_->skeleton->poseSize();
  checkPose(pose, size);
  checkDeviations(deviations, size - 1);
  create(currentDevice(), stream);
  start(stream, [&](int island, FilterShare& share) {
    share.particles.scatter(
        withUnitQuaternion(pose), deviations, settings_->seedOf(island), share.stream);
  });
}

void
PoseParticleFilter::initialize(const DeviceArray<float>& poses, const Stream& stream)
{
  checkArgument(
      settings_->skeleton != nullptr, "skeleton", "not set", "setSkeleton() before");
  const std::size_t size = settings_->particle_count * settings_->skeleton->poseSize();
  checkArgument(poses.size() == size,
                "number of floats in poses",
                poses.size(),
                "as many as all particles have");
  const Device device = settings_->devicesFor(deviceOf(poses)).front();
  checkDevice("poses", poses, "the first device", device);
  create(device, stream);
  const std::size_t rows = settings_->islandSize();
  const std::size_t pose_size = settings_->skeleton->poseSize();
  const std::size_t last = settings_->particle_count - rows;
  start(stream, [&](int island, FilterShare& share) {
    const std::size_t first =
        settings_->islands > 1 ? island * last / (settings_->islands - 1) : 0;
    share.particles.assign(poses.ptr() + first * pose_size, share.stream);
  });
}

void
PoseParticleFilter::reset()
{
  buffers_->initialized = false;
  buffers_->has_frame = false;
}

bool
PoseParticleFilter::isInitialized() const
{
  return buffers_->initialized;
}

void
PoseParticleFilter::checkInitialized() const
{
  checkArgument(
      buffers_->initialized, "particles", "not there", "initialize() before frames");
}

void
PoseParticleFilter::prepareFrame(float dt, const Stream& stream)
{
  checkInitialized();
  checkPositive("time since the frame before", dt);
  settings_->check();
  start(stream, [&](int, FilterShare& share) {
    if (buffers_->deviations_changed)
      share.particles.setDeviations(settings_->space().deviations, share.stream);
    if (buffers_->partitions_changed && !settings_->partitions.empty())
      share.particles.setScales(settings_->partitionScales(), share.stream);
  });
  buffers_->deviations_changed = false;
  buffers_->partitions_changed = false;
}

void
PoseParticleFilter::processFrame(const DeviceArray<PointXYZ>& points,
                                 const Eigen::Vector3f& viewpoint,
                                 float dt,
                                 const Stream& stream)
{
  checkInitialized();
  const Skeleton& skeleton = *settings_->skeleton;
  checkArgument(!skeleton.getCapsules().empty(),
                "skeleton",
                "bare",
                "capsules to compare with points");
  checkDevice("points", points, "the particles", buffers_->particles().getDevice());
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
  prepareFrame(dt, stream);
  // Islands have the same devices and are moved one after the other: they share what is seen.
  FilterShares& observers = buffers_->islands.front().shares;
  CapsuleLikelihood& likelihood = settings_->likelihood;
  observers.observe(points, viewpoint, likelihood);
  const auto compare = [&](FilterShare& share, std::size_t place) {
    share.compareWithPoints(place == 0 ? likelihood : observers.at(place).likelihood,
                            skeleton);
  };
  runFrames(compare, dt);
}

void
PoseParticleFilter::processFrame(const LikelihoodFunction& likelihood,
                                 float dt,
                                 const Stream& stream)
{
  checkInitialized();
  checkArgument(likelihood != nullptr, "likelihood", "empty", "a function");
  prepareFrame(dt, stream);
  const auto compare = [&](FilterShare& share, std::size_t) {
    DeviceArray<double>& log_likelihoods = share.log_likelihoods;
    createOn(share.device, log_likelihoods, share.range.count);
    likelihood(share.poses, log_likelihoods, share.stream);
    checkArgument(log_likelihoods.size() == share.range.count,
                  "number of log-likelihoods",
                  log_likelihoods.size(),
                  "one a pose");
    checkDevice("log-likelihoods", log_likelihoods, "the particles", share.device);
  };
  runFrames(compare, dt);
}

template <typename Compare>
void
PoseParticleFilter::runFrame(int island, const Compare& compare, float dt)
{
  FilterShares& shares = buffers_->islands[island].shares;
  shares.start(buffers_->islands.front().shares.first().stream);
  const int partitions = settings_->partitionCount(), layers = settings_->layers;
  for (int partition = 0; partition < partitions; ++partition)
    for (int layer = 0; layer < layers; ++layer) {
      // All are through with the poses of before when they get others.
      shares.forEach([&](FilterShare& share) {
        share.particles.gather(share.stream);
        share.gathered.record(share.stream);
      });
      const ParticleSet::Step step = settings_->step(island, partition, layer, dt);
      shares.forEach([&](FilterShare& share) {
        if (settings_->motion_function && step.first)
          settings_->motion_function(share.gathered_poses, dt, share.stream);
        share.particles.propagate(share.range, step, share.stream);
      });
      shares.exchangePoses();
      shares.forEach(
          [&](FilterShare& share) { compare(share, shares.placeOf(share)); });
      shares.exchangeLogLikelihoods();
      const bool last = partition == partitions - 1 && layer == layers - 1;
      const bool averaged = settings_->layer_noise == LayerNoise::Spread;
      shares.forEach([&](FilterShare& share) {
        share.particles.weigh({share.allLogLikelihoods(),
                               settings_->survival_rate,
                               settings_->exponent(layer)},
                              settings_->resamplingTask(island, partition, layer),
                              share.stream);
        if (last) {
          share.particles.estimate(share.stream);
          share.particles.countFrame(share.stream);
        }
        else if (averaged)
          share.particles.findMean(share.stream);
      });
    }
  shares.finish();
}

template <typename Compare>
void
PoseParticleFilter::runFrames(const Compare& compare, float dt)
{
  for (int island = 0; island < settings_->islands; ++island)
    runFrame(island, compare, dt);
  if (settings_->islands > 1)
    buffers_->compareIslands(settings_->island_margin, settings_->island_patience);
  buffers_->has_frame = true;
}

void
PoseParticleFilter::getEstimate(PoseEstimate& estimate, const Stream& stream) const
{
  checkArgument(buffers_->has_frame, "estimate", "not there", "processFrame() before");
  const ScopedDevice scope(buffers_->particles().getDevice());
  ParticleSet::Summary summary;
  buffers_->particles().download(summary, stream);
  const device::FilterState& state = summary.state;
  estimate.mean = std::move(summary.mean);
  estimate.best = std::move(summary.best);
  estimate.deviations = std::move(summary.deviations);
  estimate.best_log_likelihood = state.best_log_likelihood;
  estimate.log_evidence = state.log_evidence;
  estimate.effective_sample_size = state.effective_size;
  estimate.exponent = state.exponent;
  estimate.possible = state.possible != 0;
  estimate.resampled = state.carries_weights == 0;
  estimate.frame = state.frame;
}

void
PoseParticleFilter::getCovariance(Eigen::MatrixXf& covariance, const Stream& stream)
{
  checkArgument(
      buffers_->has_frame, "covariance", "not there", "processFrame() before");
  const ScopedDevice scope(buffers_->particles().getDevice());
  std::vector<float> matrix;
  buffers_->particles().downloadCovariance(matrix, stream);
  const int freedoms = settings_->skeleton->poseSize() - 1;
  covariance = Eigen::MatrixXf::Map(matrix.data(), freedoms, freedoms);
}

const DeviceArray<float>&
PoseParticleFilter::getParticles() const
{
  return buffers_->particles().poses();
}

const DeviceArray<double>&
PoseParticleFilter::getLogWeights() const
{
  return buffers_->particles().logWeights();
}

const DeviceArray<std::uint32_t>&
PoseParticleFilter::getAncestors() const
{
  return buffers_->particles().ancestors();
}

std::size_t
PoseParticleFilter::getRequiredMemory(std::size_t points) const
{
  checkArgument(
      settings_->skeleton != nullptr, "skeleton", "not set", "setSkeleton() before");
  const Skeleton& skeleton = *settings_->skeleton;
  const std::size_t count = settings_->islandSize(), islands = settings_->islands;
  const std::size_t shares = std::max<std::size_t>(settings_->devices.size(), 1);
  const std::size_t own = (count + shares - 1) / shares;
  const int capsules = static_cast<int>(skeleton.getCapsules().size());
  const std::size_t capsule_bytes =
      skeleton.hasPlainCapsules() ? sizeof(Capsule) : sizeof(TaperedCapsule);
  const std::size_t all_likelihoods = shares > 1 ? count * sizeof(double) : 0;
  const std::size_t received_points = shares > 1 ? points * sizeof(PointXYZ) : 0;
  const std::size_t particles = ParticleSet::requiredMemory(
      settings_->space(),
      static_cast<std::uint32_t>(count),
      settings_->motion_model == MotionModel::ConstantVelocity,
      settings_->resampling == Resampling::Residual);
  const std::size_t skins = own * (capsules * capsule_bytes + sizeof(double));
  return islands * (particles + skins + all_likelihoods) + received_points +
         settings_->likelihood.getRequiredMemory(points, own, capsules);
}

} // namespace pcl::gpu
