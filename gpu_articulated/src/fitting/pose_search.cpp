// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../likelihood/view_likelihood.h"
#include "../skeleton/body_parts.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/pose_search.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <utility>

namespace pcl::gpu {

namespace {

constexpr int trunk = 0;

/** \brief Returns the number of every joint's limb, from 1. 0: the trunk with the
 * head. */
std::vector<int>
limbsOf(const Skeleton& skeleton)
{
  const std::vector<BodyPart> parts = Body(skeleton).parts;
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  std::vector<int> limbs(joints.size(), trunk);
  int count = 0;
  for (std::size_t i = 1; i < joints.size(); ++i) {
    limbs[i] = limbs[joints[i].parent];
    if (limbs[i] == trunk &&
        (parts[i] == BodyPart::UpperArm || parts[i] == BodyPart::Thigh))
      limbs[i] = ++count;
  }
  return limbs;
}

struct PoseSearch {
  /** \brief Searches the trunk, then limb by limb, in every second run in reverse
   * order. */
  PoseSearchResult
  run(std::vector<float> pose, int number)
  {
    PoseSearchResult result{std::move(pose), 0.0};
    const int limb_count = *std::max_element(limbs.begin(), limbs.end());
    std::vector<bool> is_found(limb_count + 1, false);
    for (int i = 0; i <= limb_count; ++i) {
      const int limb = i > 0 && number % 2 == 1 ? limb_count + 1 - i : i;
      is_found[limb] = true;
      result = searchLimb(result.pose, is_found, limb, number);
    }
    return result;
  }

  /** \brief Returns the body without the limbs that are not found yet. Only one limb
   * moves. */
  Skeleton::Ptr
  bodyFor(const std::vector<bool>& is_found, int limb) const
  {
    auto body = std::make_shared<Skeleton>();
    for (std::size_t i = 0; i < limbs.size(); ++i) {
      SkeletonJoint joint = skeleton.getJoints()[i];
      if (limbs[i] != limb)
        for (JointAngle& angle : joint.angles)
          angle.deviation = 0.0f;
      body->addJoint(joint);
    }
    for (const SkeletonCapsule& capsule : skeleton.getCapsules())
      if (is_found[limbs[capsule.joint]])
        body->addCapsule(capsule);
    return body;
  }

  /** \brief Returns deviations of the first guesses. Trunks move as far as in a second,
   * limbs anywhere within their limits. */
  std::vector<float>
  firstDeviations(const Skeleton& body, int limb) const
  {
    std::vector<float> deviations(6, 0.0f);
    if (limb == trunk) {
      std::fill_n(deviations.begin(), 3, options.root_deviation);
      std::fill_n(deviations.begin() + 3, 3, options.turn_deviation);
    }
    for (const SkeletonJoint& joint : body.getJoints())
      for (const JointAngle& angle : joint.angles) {
        constexpr float most = 2.0f;
        const float range = std::min(most, 0.5f * (angle.upper - angle.lower));
        deviations.push_back(limb == trunk || angle.deviation <= 0.0f ? angle.deviation
                                                                      : range);
      }
    return deviations;
  }

  /** \brief Adds the log-likelihoods of angles, about those of a few points: they
   * decide where the points do not. */
  void
  addPrior(const DeviceArray<float>& poses,
           const std::vector<float>& deviations,
           std::vector<double>& values) const
  {
    std::vector<float> numbers;
    poses.download(numbers);
    const std::size_t size = start.size();
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t k = Skeleton::root_size; k < size; ++k)
        if (const float deviation = deviations[k - 1]; deviation > 0.0f) {
          constexpr double share = 0.3; // of the range that is searched
          const double change =
              (numbers[i * size + k] - start[k]) / (share * deviation);
          values[i] -= 0.5 * change * change;
        }
  }

  PoseSearchResult
  searchLimb(const std::vector<float>& pose,
             const std::vector<bool>& is_found,
             int limb,
             int number)
  {
    const Skeleton::Ptr body = bodyFor(is_found, limb);
    const auto capsule_count = static_cast<int>(body->getCapsules().size());
    if (capsule_count == 0)
      return {pose, 0.0};
    kinematics.setSkeleton(body);
    PoseParticleFilter filter;
    filter.setSkeleton(body);
    PoseParticleFilterParameters parameters;
    parameters.particle_count = options.particles;
    parameters.seed = options.seed + 1000u * static_cast<unsigned>(number) +
                      static_cast<unsigned>(limb);
    parameters.layers = options.layers;
    parameters.layer_noise = LayerNoise::Spread;
    parameters.survival_rate = 0.1f;
    const bool moves = limb == trunk;
    parameters.root_translation_deviation = moves ? 0.2f * options.root_deviation : 0;
    parameters.root_rotation_deviation = moves ? 0.2f * options.turn_deviation : 0;
    filter.setParameters(parameters);
    const std::vector<float> deviations = firstDeviations(*body, limb);
    filter.initialize(pose, deviations, stream);
    const auto likelihood = [&](const DeviceArray<float>& poses,
                                DeviceArray<double>& log_likelihoods,
                                const Stream& queue) {
      kinematics.computeCapsules(poses, capsules, queue);
      std::vector<double> values = view.compute(capsules, capsule_count);
      addPrior(poses, deviations, values);
      log_likelihoods.upload(values.data(), values.size());
    };
    filter.processFrame(likelihood, 0.1f, stream);
    PoseEstimate estimate;
    filter.getEstimate(estimate, stream);
    return {estimate.best, estimate.best_log_likelihood};
  }

  const Skeleton& skeleton;
  const std::vector<float>& start;
  const PoseSearchOptions& options;
  const Stream& stream;
  std::vector<int> limbs;
  ViewLikelihood view{};
  ForwardKinematics kinematics{};
  DeviceArray<TaperedCapsule> capsules{};
};

} // namespace

PoseSearchResult
searchPose(const Skeleton& skeleton,
           const std::vector<float>& pose,
           const DeviceArray<PointXYZ>& points,
           const Eigen::Vector3f& viewpoint,
           const PoseSearchOptions& options,
           const Stream& stream)
{
  checkView(skeleton, pose, points, viewpoint);
  checkAtLeast("particles", options.particles, 1);
  checkAtLeast("layers", options.layers, 1);
  checkAtLeast("runs", options.runs, 1);
  checkNotNegative("root deviation", options.root_deviation);
  checkNotNegative("turn deviation", options.turn_deviation);
  checkPositive("sigma", options.sigma);
  checkPositive("truncation distance", options.truncation_distance);
  checkRoom(options.room, points);
  const ScopedDevice scope(deviceOf(points));
  PoseSearch search{skeleton, pose, options, stream, limbsOf(skeleton)};
  search.view.observe(
      points, options.room, viewpoint, options.is_whole, options.sigma, stream);
  search.view.setTruncationDistance(options.truncation_distance);
  PoseSearchResult best;
  for (int run = 0; run < options.runs; ++run) {
    PoseSearchResult result = search.run(pose, run);
    if (run == 0 || result.log_likelihood > best.log_likelihood)
      best = std::move(result);
  }
  return best;
}

} // namespace pcl::gpu
