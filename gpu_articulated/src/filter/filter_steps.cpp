// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter_steps.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Returns whether three angles about perpendicular axes are one rotation,
 * equally free in all directions. */
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

bool
movesRoot(const std::vector<std::vector<int>>& partitions, int partition)
{
  const auto isIn = [](const std::vector<int>& joints) {
    return std::find(joints.begin(), joints.end(), 0) != joints.end();
  };
  // Joints of no partition move with the first.
  return partitions.empty() || isIn(partitions[partition]) ||
         (partition == 0 && std::none_of(partitions.begin(), partitions.end(), isIn));
}

/** \brief Returns the number of steps right before a step that move the same
 * joints. */
int
stepsBefore(const PoseParticleFilterParameters& parameters, int number)
{
  const std::vector<std::vector<int>>& partitions = parameters.partitions;
  const int partition = number / parameters.layers;
  int first = partition;
  while (first > 0 && partitions[first - 1] == partitions[partition])
    --first;
  return number - first * parameters.layers;
}

} // namespace

void
PoseParticleFilterParameters::validate() const
{
  checkArgument(particle_count > 0 && particle_count <= max_particle_count,
                "number of particles",
                particle_count,
                "1 to 2^24");
  checkEnumerator("motion model", motion_model, MotionModel::ConstantVelocity);
  checkBetween(
      "velocity damping", velocity_damping, 0.0f, 1.0f, "a number from 0 to 1");
  for (const float factor : {wide_motion, wide_limb_motion})
    checkArgument(factor >= 1.0f && std::isfinite(factor),
                  "factor of wide motion",
                  factor,
                  "a finite number from 1 on");
  checkNotNegative("deviation of the root's translation", root_translation_deviation);
  checkNotNegative("deviation of the root's rotation", root_rotation_deviation);
  checkEnumerator("resampling", resampling, Resampling::Residual);
  checkBetween(
      "resample threshold", resample_threshold, 0.0f, 1.0f, "a number from 0 to 1");
  checkBetween("number of layers", layers, 1, 1000, "1 to 1000");
  checkArgument(layer_decay > 0.0f && layer_decay <= 1.0f,
                "layer decay",
                layer_decay,
                "a number above 0 and at most 1");
  checkEnumerator("layer noise", layer_noise, LayerNoise::Spread);
  for (const float exponent : layer_exponents)
    checkNotNegative("layer exponent", exponent);
  checkArgument(survival_rate >= 0.0f && survival_rate < 1.0f,
                "survival rate",
                survival_rate,
                "a number from 0 to below 1");
  for (const std::vector<int>& partition : partitions)
    for (const int joint : partition)
      checkArgument(joint >= 0, "joint of a partition", joint, "the number of a joint");
  for (const float number : rest_pose)
    checkArgument(std::isfinite(number), "number of the rest pose", number, "finite");
  checkNotNegative("rest rate", rest_rate);
  checkArgument(proposal_share >= 1e-6f && proposal_share <= 1.0f,
                "share of proposals",
                proposal_share,
                "a number from 1e-6 to 1");
  checkAtLeast("number of islands", islands, 1);
  checkNotNegative("margin of islands", island_margin);
  checkAtLeast("patience with islands", island_patience, 1);
  likelihood.validate();
}

PoseLimits
poseLimits(const PoseParticleFilterParameters& parameters, const Skeleton& skeleton)
{
  PoseLimits limits;
  limits.deviations.assign(3, parameters.root_translation_deviation);
  limits.deviations.insert(
      limits.deviations.end(), 3, parameters.root_rotation_deviation);
  for (const SkeletonJoint& joint : skeleton.getJoints()) {
    if (isBallJoint(joint)) {
      const Eigen::Vector3f third = joint.angles[0].axis.cross(joint.angles[1].axis);
      limits.ball_starts.push_back(static_cast<int>(limits.lower.size()));
      limits.ball_sides.push_back(third.dot(joint.angles[2].axis) > 0.0f ? 1.0f
                                                                         : -1.0f);
    }
    for (const JointAngle& angle : joint.angles) {
      limits.lower.push_back(angle.lower);
      limits.upper.push_back(angle.upper);
      limits.deviations.push_back(angle.deviation);
    }
  }
  return limits;
}

std::vector<float>
partitionScales(const PoseParticleFilterParameters& parameters,
                const Skeleton& skeleton)
{
  const std::vector<std::vector<int>>& partitions = parameters.partitions;
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  const std::size_t freedoms = skeleton.poseSize() - 1;
  std::vector<bool> is_placed(joints.size(), false);
  std::vector<float> scales(partitions.size() * freedoms, 0.0f);
  const auto move = [&](std::size_t partition, int joint) {
    float* const row = scales.data() + partition * freedoms;
    const int first = joint == 0 ? 0 : skeleton.angleIndex(joint) - 1;
    const int count = joint == 0 ? device::root_freedoms
                                 : static_cast<int>(joints[joint].angles.size());
    std::fill_n(row + first, count, 1.0f);
  };
  for (std::size_t partition = 0; partition < partitions.size(); ++partition)
    for (const int joint : partitions[partition]) {
      move(partition, joint);
      is_placed[joint] = true;
    }
  for (std::size_t joint = 0; joint < joints.size(); ++joint)
    if (!is_placed[joint])
      move(0, static_cast<int>(joint));
  return scales;
}

void
checkFit(const PoseParticleFilterParameters& parameters, const Skeleton& skeleton)
{
  const std::size_t exponents = parameters.layer_exponents.size();
  checkArgument(exponents == 0 || exponents == std::size_t(parameters.layers),
                "number of layer exponents",
                exponents,
                "one a layer");
  const std::size_t rest = parameters.rest_pose.size();
  checkArgument(rest == 0 || rest == std::size_t(skeleton.poseSize()),
                "size of the rest pose",
                rest,
                "that of the skeleton's poses");
  const int joints = static_cast<int>(skeleton.getJoints().size());
  for (const std::vector<int>& partition : parameters.partitions)
    for (const int joint : partition)
      checkArgument(joint < joints,
                    "joint of a partition",
                    joint,
                    "the number of a joint of the skeleton");
}

FilterStep
stepOf(const PoseParticleFilterParameters& parameters, int island, int number, float dt)
{
  const int partition = number / parameters.layers, layer = number % parameters.layers;
  FilterStep step;
  device::MoveTask& task = step.move;
  task.first = number == 0;
  task.proposal_step =
      static_cast<std::uint32_t>(std::ceil(1.0f / parameters.proposal_share));
  const int depth = stepsBefore(parameters, number);
  task.noise = std::sqrt(dt) * std::pow(parameters.layer_decay, float(depth));
  const float wide = movesRoot(parameters.partitions, partition)
                         ? parameters.wide_motion
                         : parameters.wide_limb_motion;
  task.wide_noise = depth == 0 ? wide * task.noise : task.noise;
  step.returns = depth == 0 && !parameters.rest_pose.empty();
  task.rest_share = std::min(1.0f, parameters.rest_rate * dt);
  if (depth > 0 && parameters.layer_noise == LayerNoise::Spread) {
    // The difference of two particles has twice their covariance.
    const float renewal = parameters.layer_decay;
    task.from_spread = true;
    task.pull = 1.0f - std::sqrt(1.0f - renewal * renewal);
    task.noise = renewal * std::sqrt(0.5f);
  }
  if (task.first && parameters.motion_model == MotionModel::ConstantVelocity)
    task.drift = parameters.velocity_damping * dt;
  task.time_step = dt;
  step.scales = parameters.partitions.empty() ? -1 : partition;
  device::WeighTask& weigh = step.weigh;
  weigh.survival_rate = parameters.survival_rate;
  weigh.exponent = parameters.layer_exponents.empty()
                       ? std::ldexp(1.0f, layer - parameters.layers + 1)
                       : parameters.layer_exponents[layer];
  weigh.scheme = static_cast<device::ResamplingScheme>(parameters.resampling);
  // No effective size is as great as 2: particles are always drawn.
  const bool always = parameters.layers * partitionCount(parameters) > 1 ||
                      parameters.resample_threshold >= 1.0f;
  weigh.threshold = always ? 2.0f : parameters.resample_threshold;
  weigh.seed = task.seed = seedOf(parameters, island);
  weigh.layer = task.layer = static_cast<std::uint32_t>(number);
  return step;
}

} // namespace pcl::gpu
