// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_particle_filter_settings.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

device::ResamplingScheme
schemeOf(Resampling resampling)
{
  switch (resampling) {
  case Resampling::Stratified:
    return device::ResamplingScheme::Stratified;
  case Resampling::Residual:
    return device::ResamplingScheme::Residual;
  default:
    return device::ResamplingScheme::Systematic;
  }
}

void
checkShare(const char* name, float value)
{
  checkArgument(value >= 0.0f && value <= 1.0f, name, value, "a number from 0 to 1");
}

/** \brief Whether three angles about perpendicular axes are one rotation, free in all
 * directions alike. */
bool
isBallJoint(const SkeletonJoint& joint)
{
  if (joint.angles.size() != 3)
    return false;
  for (int i = 0; i < 3; ++i) {
    const JointAngle& angle = joint.angles[i];
    const JointAngle& next = joint.angles[(i + 1) % 3];
    if (std::isfinite(angle.lower) || std::isfinite(angle.upper) ||
        angle.deviation != next.deviation ||
        std::abs(angle.axis.dot(next.axis)) > 1e-5f)
      return false;
  }
  return true;
}

} // namespace

ParticleSet::Space
PoseParticleFilter::Settings::space() const
{
  ParticleSet::Space space;
  space.deviations.assign(3, translation_deviation);
  space.deviations.insert(space.deviations.end(), 3, rotation_deviation);
  for (const SkeletonJoint& joint : skeleton->getJoints()) {
    if (isBallJoint(joint)) {
      const Eigen::Vector3f third = joint.angles[0].axis.cross(joint.angles[1].axis);
      space.ball_starts.push_back(static_cast<int>(space.lower.size()));
      space.ball_sides.push_back(third.dot(joint.angles[2].axis) > 0.0f ? 1.0f : -1.0f);
    }
    for (const JointAngle& angle : joint.angles) {
      space.lower.push_back(angle.lower);
      space.upper.push_back(angle.upper);
      space.deviations.push_back(angle.deviation);
    }
  }
  return space;
}

std::vector<Device>
PoseParticleFilter::Settings::devicesFor(const Device& input) const
{
  return devices.empty() ? std::vector<Device>{input} : devices;
}

std::vector<float>
PoseParticleFilter::Settings::partitionScales() const
{
  const std::vector<SkeletonJoint>& joints = skeleton->getJoints();
  const std::size_t freedoms = skeleton->poseSize() - 1;
  std::vector<int> partition_of(joints.size(), -1);
  std::vector<float> scales(partitions.size() * freedoms, 0.0f);
  const auto move = [&](std::size_t partition, int joint) {
    float* const row = scales.data() + partition * freedoms;
    const int first = joint == 0 ? 0 : skeleton->angleIndex(joint) - 1;
    const int count = joint == 0 ? device::root_freedoms
                                 : static_cast<int>(joints[joint].angles.size());
    for (int i = 0; i < count; ++i)
      row[first + i] = 1.0f;
  };
  for (std::size_t partition = 0; partition < partitions.size(); ++partition)
    for (const int joint : partitions[partition]) {
      move(partition, joint);
      partition_of[joint] = static_cast<int>(partition);
    }
  for (std::size_t joint = 0; joint < joints.size(); ++joint)
    if (partition_of[joint] < 0)
      move(0, static_cast<int>(joint));
  return scales;
}

bool
PoseParticleFilter::Settings::movesRoot(int partition) const
{
  const auto isIn = [](const std::vector<int>& joints) {
    return std::find(joints.begin(), joints.end(), 0) != joints.end();
  };
  // What is in no partition moves with the first.
  return partitions.empty() || isIn(partitions[partition]) ||
         (partition == 0 && std::none_of(partitions.begin(), partitions.end(), isIn));
}

int
PoseParticleFilter::Settings::layersBefore(int partition) const
{
  int first = partition;
  while (first > 0 && partitions[first - 1] == partitions[partition])
    --first;
  return (partition - first) * layers;
}

float
PoseParticleFilter::Settings::exponent(int layer) const
{
  if (!layer_exponents.empty())
    return layer_exponents[layer];
  return std::ldexp(1.0f, layer - layers + 1);
}

void
PoseParticleFilter::Settings::check() const
{
  const bool fits = layer_exponents.empty() ||
                    layer_exponents.size() == static_cast<std::size_t>(layers);
  checkArgument(
      fits, "number of layer exponents", layer_exponents.size(), "one a layer");
  const int joints = static_cast<int>(skeleton->getJoints().size());
  for (const std::vector<int>& partition : partitions)
    for (const int joint : partition)
      checkArgument(joint < joints,
                    "joint of a partition",
                    joint,
                    "the number of a joint of the skeleton");
}

ParticleSet::Step
PoseParticleFilter::Settings::step(int island, int partition, int layer, float dt) const
{
  ParticleSet::Step step;
  step.first = partition == 0 && layer == 0;
  const int depth = layersBefore(partition) + layer;
  if (depth > 0 && layer_noise == LayerNoise::Spread)
    step.renewal = layer_decay;
  step.noise = std::sqrt(dt) * std::pow(layer_decay, float(depth));
  const float wide = movesRoot(partition) ? wide_motion : wide_limb_motion;
  step.wide_noise = depth == 0 ? wide * step.noise : step.noise;
  if (step.first && motion_model == MotionModel::ConstantVelocity)
    step.drift = velocity_damping * dt;
  step.time_step = dt;
  step.scales = partitions.empty() ? -1 : partition;
  step.seed = seedOf(island);
  step.layer = static_cast<std::uint32_t>(partition * layers + layer);
  return step;
}

device::ResamplingTask
PoseParticleFilter::Settings::resamplingTask(int island, int partition, int layer) const
{
  device::ResamplingTask task{};
  task.scheme = schemeOf(resampling);
  // No effective size is as great as this: particles are always drawn.
  const bool always = layers * partitionCount() > 1 || resample_threshold >= 1.0f;
  task.threshold = always ? 2.0f : resample_threshold;
  task.seed = seedOf(island);
  task.layer = static_cast<std::uint32_t>(partition * layers + layer);
  return task;
}

const Skeleton::ConstPtr&
PoseParticleFilter::getSkeleton() const
{
  return settings_->skeleton;
}

void
PoseParticleFilter::setParticleCount(std::size_t count)
{
  checkArgument(count > 0 && count <= max_particle_count,
                "number of particles",
                count,
                "1 to 2^24");
  if (count != settings_->particle_count)
    reset();
  settings_->particle_count = count;
}

std::size_t
PoseParticleFilter::getParticleCount() const
{
  return settings_->particle_count;
}

void
PoseParticleFilter::setSeed(std::uint64_t seed)
{
  settings_->seed = seed;
}

std::uint64_t
PoseParticleFilter::getSeed() const
{
  return settings_->seed;
}

void
PoseParticleFilter::setMotionModel(MotionModel model)
{
  checkEnumerator("motion model", model, MotionModel::ConstantVelocity);
  if (model != settings_->motion_model)
    reset();
  settings_->motion_model = model;
}

MotionModel
PoseParticleFilter::getMotionModel() const
{
  return settings_->motion_model;
}

void
PoseParticleFilter::setVelocityDamping(float damping)
{
  checkShare("velocity damping", damping);
  settings_->velocity_damping = damping;
}

float
PoseParticleFilter::getVelocityDamping() const
{
  return settings_->velocity_damping;
}

void
PoseParticleFilter::setWideMotion(float factor)
{
  setWideLimbMotion(factor);
  settings_->wide_motion = factor;
}

float
PoseParticleFilter::getWideMotion() const
{
  return settings_->wide_motion;
}

void
PoseParticleFilter::setWideLimbMotion(float factor)
{
  checkArgument(factor >= 1.0f && std::isfinite(factor),
                "factor of wide motion",
                factor,
                "a finite number from 1 on");
  settings_->wide_limb_motion = factor;
}

float
PoseParticleFilter::getWideLimbMotion() const
{
  return settings_->wide_limb_motion;
}

void
PoseParticleFilter::setMotionFunction(const MotionFunction& function)
{
  settings_->motion_function = function;
}

float
PoseParticleFilter::getRootTranslationDeviation() const
{
  return settings_->translation_deviation;
}

float
PoseParticleFilter::getRootRotationDeviation() const
{
  return settings_->rotation_deviation;
}

void
PoseParticleFilter::setResampling(Resampling resampling)
{
  checkEnumerator("resampling", resampling, Resampling::Residual);
  settings_->resampling = resampling;
}

Resampling
PoseParticleFilter::getResampling() const
{
  return settings_->resampling;
}

void
PoseParticleFilter::setResampleThreshold(float share)
{
  checkShare("resample threshold", share);
  settings_->resample_threshold = share;
}

float
PoseParticleFilter::getResampleThreshold() const
{
  return settings_->resample_threshold;
}

void
PoseParticleFilter::setLayers(int layers)
{
  checkArgument(layers > 0 && layers <= 1000, "number of layers", layers, "1 to 1000");
  settings_->layers = layers;
}

int
PoseParticleFilter::getLayers() const
{
  return settings_->layers;
}

void
PoseParticleFilter::setLayerDecay(float factor)
{
  checkArgument(factor > 0.0f && factor <= 1.0f,
                "layer decay",
                factor,
                "a number above 0 and at most 1");
  settings_->layer_decay = factor;
}

float
PoseParticleFilter::getLayerDecay() const
{
  return settings_->layer_decay;
}

void
PoseParticleFilter::setLayerNoise(LayerNoise noise)
{
  checkEnumerator("layer noise", noise, LayerNoise::Spread);
  settings_->layer_noise = noise;
}

LayerNoise
PoseParticleFilter::getLayerNoise() const
{
  return settings_->layer_noise;
}

void
PoseParticleFilter::setLayerExponents(const std::vector<float>& exponents)
{
  for (const float exponent : exponents)
    checkNotNegative("layer exponent", exponent);
  settings_->layer_exponents = exponents;
}

const std::vector<float>&
PoseParticleFilter::getLayerExponents() const
{
  return settings_->layer_exponents;
}

void
PoseParticleFilter::setSurvivalRate(float share)
{
  checkArgument(share >= 0.0f && share < 1.0f,
                "survival rate",
                share,
                "a number from 0 to below 1");
  settings_->survival_rate = share;
}

float
PoseParticleFilter::getSurvivalRate() const
{
  return settings_->survival_rate;
}

const std::vector<std::vector<int>>&
PoseParticleFilter::getPartitions() const
{
  return settings_->partitions;
}

void
PoseParticleFilter::setIslands(int count, double margin, int patience)
{
  checkArgument(count >= 1, "number of islands", count, "1 or more");
  checkNotNegative("margin of islands", margin);
  checkArgument(patience >= 1, "patience with islands", patience, "1 or more frames");
  if (count != settings_->islands)
    reset();
  settings_->islands = count;
  settings_->island_margin = margin;
  settings_->island_patience = patience;
}

int
PoseParticleFilter::getIslandCount() const
{
  return settings_->islands;
}

double
PoseParticleFilter::getIslandMargin() const
{
  return settings_->island_margin;
}

int
PoseParticleFilter::getIslandPatience() const
{
  return settings_->island_patience;
}

void
PoseParticleFilter::setDevices(const std::vector<Device>& devices)
{
  checkArgument(!devices.empty(), "number of devices", 0, "1 or more");
  for (const Device& device : devices) {
    if (device.isHost() != devices.front().isHost())
      PCL_THROW_EXCEPTION(BadArgumentException,
                          "a device is "
                              << device.name() << " where the first is "
                              << devices.front().name()
                              << ": expected CUDA devices only, or the host");
    if (device.isCuda() && device.id() >= getCudaEnabledDeviceCount())
      PCL_THROW_EXCEPTION(BadArgumentException,
                          "a device is "
                              << device.name() << ": expected one of this machine's "
                              << getCudaEnabledDeviceCount() << " CUDA devices");
  }
  if (devices != settings_->devices)
    reset();
  settings_->devices = devices;
}

const std::vector<Device>&
PoseParticleFilter::getDevices() const
{
  return settings_->devices;
}

CapsuleLikelihood&
PoseParticleFilter::likelihood()
{
  return settings_->likelihood;
}

const CapsuleLikelihood&
PoseParticleFilter::likelihood() const
{
  return settings_->likelihood;
}

} // namespace pcl::gpu
