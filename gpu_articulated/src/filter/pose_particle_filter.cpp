// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_share.h"
#include "filter/filter_steps.h"
#include "skeleton/pose_check.h"

#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pcl::gpu {

namespace {

/** \brief Particles start as far apart as the motion of this time brings them,
 * seconds. */
constexpr float starting_time = 0.1f;

/** \brief A separate filter. */
struct Island {
  /** \brief Lets its only share work beside the caller's stream. */
  void
  fork(const Stream& caller)
  {
    FilterShare& share = shares.front();
    share.reached.record(caller);
    share.stream = stream;
    share.stream.waitFor(share.reached);
  }

  /** \brief Orders the caller's work behind that of its only share. */
  void
  join(const Stream& caller)
  {
    FilterShare& share = shares.front();
    share.reached.record(share.stream);
    share.stream = caller;
    share.stream.waitFor(share.reached);
  }

  FilterShares shares;
  Stream stream;            ///< its work beside other islands, if it has a single share
  std::optional<int> owner; ///< the rank that runs it; none: all do, a part each
  double score = 0.0;       ///< log-likelihood of its best particles in recent frames
  int frames_behind = 0;
};

/** \brief Returns the rank that runs an island; none if all do, a part each. */
std::optional<int>
ownerOf(int island,
        const PoseParticleFilterParameters& parameters,
        const Communicator* communicator)
{
  if (!communicator || splitsIslands(parameters, communicator))
    return {};
  const std::vector<std::size_t> starts = communicator->shares(parameters.islands);
  const auto next = std::upper_bound(starts.begin(), starts.end(), std::size_t(island));
  return static_cast<int>(next - starts.begin()) - 1;
}

/** \brief Adds the last frame to the score of an island. Waits. */
void
rate(Island& island, bool is_first_frame)
{
  const FilterShare& share = island.shares.front();
  PoseEstimate estimate;
  share.download(estimate, share.stream);
  const double found = estimate.possible ? estimate.best_log_likelihood
                                         : -std::numeric_limits<double>::infinity();
  const bool starts = is_first_frame || !std::isfinite(island.score);
  island.score = starts ? found : 0.5 * (island.score + found);
}

/** \brief Finds the leading island, and replaces islands that were behind it for too
 * long by copies of it. Then all ranks have the leading one. Waits.
 * \return the number of the leading island
 */
std::size_t
compareIslands(std::vector<Island>& islands,
               const PoseParticleFilterParameters& parameters,
               bool is_first_frame)
{
  const ScopedDevice scope(islands.front().shares.front().device);
  for (Island& island : islands)
    if (island.owner)
      island.shares.front().broadcastEstimate(*island.owner);
  for (Island& island : islands)
    rate(island, is_first_frame);
  const auto isLess = [](const Island& a, const Island& b) {
    return a.score < b.score;
  };
  Island& best = *std::max_element(islands.begin(), islands.end(), isLess);
  if (best.owner) {
    FilterShare& share = best.shares.front();
    share.broadcastParticles(*best.owner);
    // If a rank failed they may be anything, also ancestors that are none.
    share.waitForRanks(share.stream);
  }
  for (Island& island : islands) {
    const bool is_behind = best.score - island.score > parameters.island_margin;
    island.frames_behind = is_behind ? island.frames_behind + 1 : 0;
    if (island.frames_behind < parameters.island_patience)
      continue;
    joinShares(island.shares, best.shares.front().stream, [&](FilterShare& share) {
      share.copyFrom(best.shares[&share - island.shares.data()]);
    });
    island.score = best.score;
    island.frames_behind = 0;
  }
  return static_cast<std::size_t>(&best - islands.data());
}

void
checkIsSet(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "not set", "setSkeleton() before");
}

/** \brief Returns a pose with a unit quaternion. */
std::vector<float>
checkedPose(std::vector<float> pose, int size)
{
  checkPose("the pose", pose, size);
  const double length = std::hypot(std::hypot(double(pose[3]), pose[4]),
                                   std::hypot(double(pose[5]), pose[6]));
  checkArgument(length > 0.0, "length of the root's quaternion", length, "more than 0");
  for (int i = 3; i < 7; ++i)
    pose[i] = static_cast<float>(pose[i] / length);
  return pose;
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct PoseParticleFilter::Buffers {
  std::vector<Island> islands;
  std::size_t leading = 0; ///< the island that the caller sees
  bool has_frame = false;
  /** \brief Parameters of the particles, and of the shares' deviations, scales and rest
   * pose; none if there are no particles. No partitions if there are no scales. */
  std::optional<PoseParticleFilterParameters> made;

  bool
  hasParticles(const PoseParticleFilterParameters& parameters) const
  {
    return made && made->particle_count == parameters.particle_count &&
           made->motion_model == parameters.motion_model &&
           made->islands == parameters.islands;
  }

  /** \brief Returns the share with the results of the last frame.
   * \throws pcl::BadArgumentException naming the result if there was no frame
   */
  FilterShare&
  resultsOf(const PoseParticleFilterParameters& parameters, const char* name)
  {
    checkArgument(hasParticles(parameters) && has_frame,
                  name,
                  "missing",
                  "processFrame() before");
    return islands[leading].shares.front();
  }
};

void
PoseParticleFilter::setSkeleton(const Skeleton::ConstPtr& skeleton)
{
  checkArgument(skeleton != nullptr, "skeleton", "null", "a skeleton");
  checkArgument(!skeleton->getJoints().empty(), "skeleton", "empty", "a root joint");
  skeleton_ = skeleton;
  reset();
}

void
PoseParticleFilter::setDevices(const std::vector<Device>& devices)
{
  for (const Device& device : devices) {
    checkArgument(device.isHost() == devices.front().isHost(),
                  "a device",
                  device.name() + " but the first is " + devices.front().name(),
                  "CUDA devices only, or the host");
    const int count = getCudaEnabledDeviceCount();
    checkArgument(
        device.isHost() || device.id() < count,
        "a device",
        device.name(),
        ("one of this machine's " + std::to_string(count) + " CUDA devices").c_str());
  }
  if (devices != devices_)
    reset();
  devices_ = devices;
}

void
PoseParticleFilter::setCommunicator(const Communicator::Ptr& communicator)
{
  if (communicator != communicator_)
    reset();
  communicator_ = communicator;
}

template <typename Fill>
void
PoseParticleFilter::create(const Device& device, const Stream& stream, const Fill& fill)
{
  const std::vector<Device> devices =
      devices_.empty() ? std::vector<Device>{device} : devices_;
  if (communicator_) {
    checkArgument(devices.size() == 1,
                  "number of devices",
                  devices.size(),
                  "one, since each rank of the communicator has one");
    checkArgument(devices.front() == communicator_->device(),
                  "device of the particles",
                  devices.front().name(),
                  (communicator_->device().name() + ", the communicator's").c_str());
  }
  reset();
  Buffers& buffers = buffers_.get();
  buffers.islands.resize(parameters_.islands);
  buffers.leading = 0;
  for (int i = 0; i < parameters_.islands; ++i) {
    Island& island = buffers.islands[i];
    island.owner = ownerOf(i, parameters_, communicator_.get());
    createShares(
        island.shares, devices, communicator_.get(), skeleton_, parameters_, stream);
    joinShares(island.shares, stream, [&](FilterShare& share) { fill(share, i); });
    island.frames_behind = 0;
    if (island.shares.size() == 1 && parameters_.islands > 1) {
      const ScopedDevice scope(island.shares.front().device);
      island.stream = Stream::create();
      island.shares.front().reached = Event::create();
    }
  }
  buffers.made = parameters_;
  buffers.made->partitions.clear();
  buffers.made->rest_pose.clear();
}

void
PoseParticleFilter::initialize(const std::vector<float>& pose, const Stream& stream)
{
  checkIsSet(skeleton_);
  std::vector<float> deviations = poseLimits(parameters_, *skeleton_).deviations;
  for (float& deviation : deviations)
    deviation *= std::sqrt(starting_time);
  initialize(pose, deviations, stream);
}

void
PoseParticleFilter::initialize(const std::vector<float>& pose,
                               const std::vector<float>& deviations,
                               const Stream& stream)
{
  checkIsSet(skeleton_);
  const std::vector<float> start = checkedPose(pose, skeleton_->poseSize());
  checkArgument(deviations.size() + 1 == start.size(),
                "number of deviations",
                deviations.size(),
                "one a degree of freedom, one less than the numbers of a pose");
  for (const float deviation : deviations)
    checkNotNegative("deviation", deviation);
  create(currentDevice(), stream, [&](FilterShare& share, int island) {
    share.scatter(start, deviations, seedOf(parameters_, island));
  });
}

void
PoseParticleFilter::initialize(const DeviceArray<float>& poses, const Stream& stream)
{
  checkIsSet(skeleton_);
  const std::size_t pose_size = skeleton_->poseSize();
  checkArgument(poses.size() == parameters_.particle_count * pose_size,
                "number of floats in poses",
                poses.size(),
                "as many as all particles have");
  const Device device = devices_.empty() ? deviceOf(poses) : devices_.front();
  checkDevice("poses", poses, "the first device", device);
  const int islands = parameters_.islands;
  const std::size_t last = parameters_.particle_count - islandSize(parameters_);
  create(device, stream, [&](FilterShare& share, int island) {
    const std::size_t first = islands > 1 ? island * last / (islands - 1) : 0;
    share.assign(poses.ptr() + first * pose_size);
  });
}

void
PoseParticleFilter::reset()
{
  proposal_.clear();
  buffers_.get().made.reset();
  buffers_.get().has_frame = false;
}

bool
PoseParticleFilter::isInitialized() const
{
  return buffers_.get().hasParticles(parameters_);
}

void
PoseParticleFilter::propose(const std::vector<float>& pose)
{
  checkIsSet(skeleton_);
  proposal_ = checkedPose(pose, skeleton_->poseSize());
}

void
PoseParticleFilter::prepareFrame(float dt, const Stream& stream)
{
  checkPositive("time since the frame before", dt);
  checkFit(parameters_, *skeleton_);
  Buffers& buffers = buffers_.get();
  const PoseParticleFilterParameters& made = *buffers.made;
  const bool is_other =
      made.root_translation_deviation != parameters_.root_translation_deviation ||
      made.root_rotation_deviation != parameters_.root_rotation_deviation ||
      made.partitions != parameters_.partitions ||
      made.rest_pose != parameters_.rest_pose;
  for (Island& island : buffers.islands)
    joinShares(island.shares, stream, [&](FilterShare& share) {
      share.has_proposal = !proposal_.empty();
      if (share.has_proposal)
        share.upload(proposal_, share.proposal);
      if (!is_other)
        return;
      share.upload(poseLimits(parameters_, *skeleton_).deviations, share.deviations);
      if (!parameters_.partitions.empty())
        share.upload(partitionScales(parameters_, *skeleton_), share.scales);
      share.upload(parameters_.rest_pose, share.rest);
    });
  if (is_other)
    buffers.made = parameters_;
  proposal_.clear();
}

void
PoseParticleFilter::processFrame(const DeviceArray<PointXYZ>& points,
                                 const Eigen::Vector3f& viewpoint,
                                 float dt,
                                 const Stream& stream)
{
  processFrame(points, {}, viewpoint, dt, stream);
}

void
PoseParticleFilter::processFrame(const DeviceArray<PointXYZ>& points,
                                 const DeviceArray<float>& backgrounds,
                                 const Eigen::Vector3f& viewpoint,
                                 float dt,
                                 const Stream& stream)
{
  checkArgument(isInitialized(), "particles", "missing", "initialize() before frames");
  checkArgument(!skeleton_->getCapsules().empty(),
                "skeleton",
                "bare",
                "capsules to compare with points");
  // Islands have the same devices and are moved one after the other: the first observes
  // for all of them.
  Buffers& buffers = buffers_.get();
  FilterShares& observers = buffers.islands.front().shares;
  checkDevice("points", points, "the particles", observers.front().device);
  if (!backgrounds.empty()) {
    checkArgument(backgrounds.size() == points.size(),
                  "number of backgrounds",
                  backgrounds.size(),
                  "one for every point");
    checkDevice("backgrounds", backgrounds, "points", deviceOf(points));
  }
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
  prepareFrame(dt, stream);
  const FilterShares& leaders = buffers.islands[buffers.leading].shares;
  forEachShare(observers, [&](FilterShare& share) {
    const float* const mean = leaders[&share - observers.data()].particles.mean;
    share.observe(points, backgrounds, viewpoint, mean, parameters_);
  });
  for (std::size_t i = 1; i < buffers.islands.size(); ++i)
    forEachShare(buffers.islands[i].shares, [&](FilterShare& share) {
      const FilterShares& others = buffers.islands[i].shares;
      share.shareObservation(observers[&share - others.data()], parameters_);
    });
  runFrame(nullptr, dt);
}

void
PoseParticleFilter::processFrame(const LikelihoodFunction& likelihood,
                                 float dt,
                                 const Stream& stream)
{
  checkArgument(isInitialized(), "particles", "missing", "initialize() before frames");
  checkArgument(likelihood != nullptr, "likelihood", "empty", "a function");
  prepareFrame(dt, stream);
  runFrame(&likelihood, dt);
}

void
PoseParticleFilter::runStep(int island,
                            int number,
                            const LikelihoodFunction* likelihood,
                            float dt)
{
  FilterShares& shares = buffers_.get().islands[island].shares;
  // No share replaces poses that another still reads.
  forEachShare(shares, [](FilterShare& share) {
    dispatch(share.device, PCL_GPU_BOTH(gather), share.particles, share.stream);
    share.gathered.record(share.stream);
  });
  const FilterStep step = stepOf(parameters_, island, number, dt);
  forEachShare(shares, [&](FilterShare& share) {
    if (motion_function_ && number == 0)
      motion_function_(share.moved_former_poses, dt, share.stream);
    share.propagate(step);
  });
  exchangePoses(shares);
  forEachShare(shares, [&](FilterShare& share) {
    if (likelihood)
      share.compare(*likelihood);
    else
      share.compare();
  });
  exchangeLogLikelihoods(shares);
  const bool is_last = number == stepCount(parameters_) - 1;
  forEachShare(shares, [&](FilterShare& share) {
    share.weigh(step.weigh);
    if (is_last || parameters_.layer_noise == LayerNoise::Spread)
      share.summarize(is_last);
  });
}

void
PoseParticleFilter::runFrame(const LikelihoodFunction* likelihood, float dt)
{
  Buffers& buffers = buffers_.get();
  std::vector<int> own;
  for (int i = 0; i < parameters_.islands; ++i) {
    const std::optional<int>& owner = buffers.islands[i].owner;
    if (!owner || *owner == communicator_->rank())
      own.push_back(i);
  }
  const FilterShares& observers = buffers.islands.front().shares;
  const Stream caller = observers.front().stream;
  const int steps = stepCount(parameters_);
  const ScopedDevice scope(observers.front().device);
  // Functions of the user and exchanges with ranks keep their order.
  const bool at_once = own.size() > 1 && observers.size() == 1 && !likelihood &&
                       !motion_function_ && !communicator_;
  if (at_once) {
    // Small launches of several islands fill a device better than those of one.
    for (const int i : own)
      buffers.islands[i].fork(caller);
    for (int number = 0; number < steps; ++number)
      for (const int i : own)
        runStep(i, number, likelihood, dt);
    for (const int i : own)
      buffers.islands[i].join(caller);
  }
  else {
    for (const int i : own) {
      startShares(buffers.islands[i].shares, caller);
      for (int number = 0; number < steps; ++number)
        runStep(i, number, likelihood, dt);
      finishShares(buffers.islands[i].shares);
    }
  }
  if (parameters_.islands > 1)
    buffers.leading = compareIslands(buffers.islands, parameters_, !buffers.has_frame);
  buffers.has_frame = true;
}

void
PoseParticleFilter::getEstimate(PoseEstimate& estimate, const Stream& stream) const
{
  const FilterShare& share = buffers_.get().resultsOf(parameters_, "estimate");
  const ScopedDevice scope(share.device);
  share.download(estimate, stream);
}

void
PoseParticleFilter::getCovariance(Eigen::MatrixXf& covariance, const Stream& stream)
{
  FilterShare& share = buffers_.get().resultsOf(parameters_, "covariance");
  const ScopedDevice scope(share.device);
  share.downloadCovariance(covariance, stream);
}

const DeviceArray<float>&
PoseParticleFilter::getParticles() const
{
  return buffers_.get().resultsOf(parameters_, "particles").poses;
}

const DeviceArray<double>&
PoseParticleFilter::getLogWeights() const
{
  return buffers_.get().resultsOf(parameters_, "weights").log_weights;
}

const DeviceArray<std::uint32_t>&
PoseParticleFilter::getAncestors() const
{
  return buffers_.get().resultsOf(parameters_, "ancestors").ancestors;
}

std::size_t
PoseParticleFilter::estimateMemory(std::size_t points) const
{
  checkIsSet(skeleton_);
  const std::size_t count = islandSize(parameters_), islands = parameters_.islands;
  const std::size_t devices = std::max<std::size_t>(devices_.size(), 1);
  std::size_t compared = (count + devices - 1) / devices, run = islands;
  const bool splits = splitsIslands(parameters_, communicator_.get());
  if (communicator_) {
    std::size_t& shared = splits ? compared : run;
    const std::vector<std::size_t> starts = communicator_->shares(shared);
    shared = starts[communicator_->rank() + 1] - starts[communicator_->rank()];
  }
  const int capsules = static_cast<int>(skeleton_->getCapsules().size());
  const std::size_t capsule_bytes =
      skeleton_->hasPlainCapsules() ? sizeof(Capsule) : sizeof(TaperedCapsule);
  const std::size_t all_likelihoods =
      devices > 1 || splits ? count * sizeof(double) : 0;
  const std::size_t received_points = devices > 1 ? points * sizeof(PointXYZ) : 0;
  const std::size_t observed = comparedPoints(parameters_, points);
  const std::size_t choice =
      observed < points ? PointChoice::estimateMemory(points, observed) : 0;
  const FilterShare share(currentDevice());
  const std::size_t particles =
      share.estimateMemory(parameters_, *skeleton_) + all_likelihoods;
  CapsuleLikelihood likelihood;
  likelihood.setParameters(parameters_.likelihood);
  const std::size_t observation = likelihood.estimateMemory(observed, 0, capsules);
  const std::size_t comparison =
      likelihood.estimateMemory(observed, compared, capsules) - observation;
  const std::size_t steps = share.estimateScratch(parameters_, *skeleton_) +
                            comparison +
                            compared * (capsules * capsule_bytes + sizeof(double));
  return islands * particles + run * steps + received_points + choice + observation;
}

} // namespace pcl::gpu
