// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../likelihood/view_likelihood.h"
#include "../skeleton/body_parts.h"
#include "fitting/pose_set.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/pose_search.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace pcl::gpu {

namespace {

using Eigen::Quaternionf;
using Eigen::Vector3f;

constexpr int trunk = 0;

/** \brief Points that poses are compared with. */
struct Observation {
  Observation(const std::vector<PointXYZ>& body,
              const std::vector<PointXYZ>& room,
              const Vector3f& viewpoint,
              bool is_whole)
  {
    for (const PointXYZ& point : body)
      if (point.getVector3fMap().allFinite())
        body_points.push_back(point);
    // More points do not make poses better.
    constexpr std::size_t enough = 400;
    const std::size_t step = (body_points.size() + enough - 1) / enough;
    for (std::size_t i = 0; i < body_points.size(); i += step)
      add(body_points[i], nan);
    if (!room.empty()) {
      for (std::size_t i = 0; i < room.size(); i += std::max<std::size_t>(step, 1))
        add(room[i], (room[i].getVector3fMap() - viewpoint).norm());
      return;
    }
    // An empty ray counts half of a point of the body, as in ViewLikelihood.
    const EmptyRays empty = emptyRays(body_points, viewpoint, is_whole);
    const std::size_t ray_step = std::max<std::size_t>(
        1, std::lround(2.0f * static_cast<float>(step) / empty.points_per_ray));
    for (std::size_t i = 0; i < empty.points.size(); i += ray_step) {
      constexpr float behind = 2.0f; // metres: farther than any part of the body
      const Vector3f ray = empty.points[i].getVector3fMap() - viewpoint;
      const Vector3f end = viewpoint + ray * (1.0f + behind / ray.norm());
      add({end.x(), end.y(), end.z()}, (end - viewpoint).norm());
    }
  }

  void
  add(const PointXYZ& point, float background)
  {
    points.push_back(point);
    backgrounds.push_back(background);
  }

  static constexpr float nan = std::numeric_limits<float>::quiet_NaN();

  std::vector<PointXYZ> body_points; ///< all of the body
  std::vector<PointXYZ> points;
  std::vector<float> backgrounds;
};

/** \brief The search of one view. */
class PoseSearch {
public:
  PoseSearch(const Skeleton& skeleton,
             const std::vector<float>& start,
             const Observation& observation,
             const Vector3f& viewpoint,
             const PoseSearchOptions& options,
             const Stream& stream)
  : body_(skeleton)
  , start_(start)
  , viewpoint_(viewpoint)
  , options_(options)
  , stream_(stream)
  {
    findLimbs(skeleton);
    noise_.emplace(skeleton, limbs_, options.seed);
    const auto all = [](int) { return true; };
    bodies_.push_back(bodyOf(skeleton, all));
    for (int limb = 1; limb <= limbCount(); ++limb)
      bodies_.push_back(
          bodyOf(skeleton, [=](int other) { return other == trunk || other == limb; }));
    bodies_.push_back(bodyOf(skeleton, [&](int limb) { return !is_arm_[limb]; }));
    points_.upload(observation.points.data(), observation.points.size());
    backgrounds_.upload(observation.backgrounds);
    constexpr float miss_share = 0.8f; // of the distance of points before the skin
    likelihood_parameters_.sigma = options.sigma;
    likelihood_parameters_.truncation_distance = options.truncation_distance;
    likelihood_parameters_.miss_distance = miss_share * options.truncation_distance;
    likelihood_parameters_.visibility = CapsuleVisibility::Occluding;
    likelihood_.setParameters(likelihood_parameters_);
    likelihood_.setPoints(points_, {}, backgrounds_, viewpoint, stream);
    CapsuleLikelihoodParameters coarse = likelihood_parameters_;
    for (float* const size :
         {&coarse.sigma, &coarse.truncation_distance, &coarse.miss_distance})
      *size *= 2.0f;
    coarse_likelihood_.setParameters(coarse);
    coarse_likelihood_.setPoints(points_, {}, backgrounds_, viewpoint, stream);
  }

  PoseSearchResult
  run()
  {
    const PoseSet trunks = findTrunks();
    PoseSearchResult found =
        follow(combine(trunks, findLimbPoses(trunks, options_.particles)));
    // On a trunk that fits, limbs are found that were not before.
    constexpr int rounds = 2, more = 8;
    for (int round = 0; round < rounds; ++round) {
      PoseSet trunk_found(start_.size());
      trunk_found.add(found.pose);
      PoseSearchResult again = follow(
          combine(trunk_found, findLimbPoses(trunk_found, more * options_.particles)));
      if (again.log_likelihood <= found.log_likelihood)
        break;
      found = std::move(again);
    }
    return found;
  }

private:
  struct PartialBody {
    Skeleton::ConstPtr skeleton;
    ForwardKinematics kinematics;
  };

  int
  limbCount() const
  {
    return static_cast<int>(is_arm_.size()) - 1;
  }

  /** \brief Finds the limb of every joint, from 1. 0: the trunk with the head. */
  void
  findLimbs(const Skeleton& skeleton)
  {
    const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
    limbs_.assign(joints.size(), trunk);
    is_arm_ = {false};
    for (std::size_t i = 1; i < joints.size(); ++i) {
      const BodyPart part = body_.parts[i];
      limbs_[i] = limbs_[joints[i].parent];
      if (limbs_[i] == trunk &&
          (part == BodyPart::UpperArm || part == BodyPart::Thigh)) {
        limbs_[i] = limbCount() + 1;
        is_arm_.push_back(part == BodyPart::UpperArm);
      }
    }
  }

  /** \brief Returns the body with the skin of some limbs. */
  template <typename Has>
  PartialBody
  bodyOf(const Skeleton& skeleton, const Has& has) const
  {
    std::vector<bool> has_skin;
    for (const int limb : limbs_)
      has_skin.push_back(has(limb));
    PartialBody body;
    body.skeleton = withSkinOf(skeleton, has_skin);
    body.kinematics.setSkeleton(body.skeleton);
    return body;
  }

  /** \brief Computes the values of poses: log-likelihoods, with a prior that decides
   * where the points do not. */
  void
  compare(PartialBody& body, PoseSet& poses)
  {
    compareBy(likelihood_, body, poses);
  }

  void
  compareBy(CapsuleLikelihood& likelihood, PartialBody& body, PoseSet& poses)
  {
    if (options_.check_interruption)
      options_.check_interruption();
    poses.values.assign(poses.size(), 0.0);
    const auto capsule_count = static_cast<int>(body.skeleton->getCapsules().size());
    if (capsule_count > 0 && poses.size() > 0) {
      DeviceArray<float> rows;
      rows.upload(poses.numbers);
      body.kinematics.computeCapsules(rows, capsules_, stream_);
      likelihood.compute(capsules_, capsule_count, values_, stream_);
      stream_.synchronize();
      values_.download(poses.values);
    }
    const auto count = static_cast<std::ptrdiff_t>(poses.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i)
      poses.values[i] += noise_->logPrior(poses[i], start_.data());
  }

  /** \brief Makes changed copies of poses, each in its family. The first copy stays as
   * it is.
   * \param[in] poses to be copied
   * \param[in] copies of each, 1 or more
   * \param[in] change a function of a pose, the number of the copy, and the draw
   */
  template <typename Change>
  PoseSet
  copied(const PoseSet& poses, int copies, const Change& change)
  {
    PoseSet result(poses.width);
    result.resize(poses.size() * copies);
    ++round_;
    const auto count = static_cast<std::ptrdiff_t>(result.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t from = i / copies;
      std::copy_n(poses[from], poses.width, result[i]);
      result.families[i] = poses.families[from];
      if (const auto copy = static_cast<int>(i % copies); copy > 0)
        change(result[i], copy, PoseNoise::Draw{round_, static_cast<std::uint32_t>(i)});
    }
    return result;
  }

  Vector3f
  directionOf(const float* pose, const Vector3f& of_body) const
  {
    return orientationOf(pose) * of_body;
  }

  /** \brief Returns the best poses whose trunks differ, each as a family. */
  PoseSet
  differentTrunks(const PoseSet& poses, std::size_t most) const
  {
    constexpr float near = 0.12f, cosine = 0.87f; // metres; of 30 degrees
    PoseSet chosen(poses.width);
    const auto isLike = [&](const float* a, const float* b) {
      return (Vector3f::Map(a) - Vector3f::Map(b)).norm() < near &&
             directionOf(a, body_.forward).dot(directionOf(b, body_.forward)) >
                 cosine &&
             directionOf(a, body_.up).dot(directionOf(b, body_.up)) > cosine;
    };
    for (const std::size_t i : poses.byValue()) {
      bool is_known = false;
      for (std::size_t k = 0; k < chosen.size() && !is_known; ++k)
        is_known = isLike(poses[i], chosen[k]);
      if (!is_known)
        chosen.add(poses, i, static_cast<int>(chosen.size()));
      if (chosen.size() == most)
        break;
    }
    return chosen;
  }

  /** \brief Moves and turns the trunk by its deviations. */
  void
  drawTrunk(float* pose, int copy, const PoseNoise::Draw& draw) const
  {
    const Vector3f normal = noise_->normals(draw, 0);
    const float axis = 2.0f * static_cast<float>(M_PI) * noise_->uniform(draw, 1);
    const float turn = options_.turn_deviation;
    const Vector3f lean_axis =
        std::cos(axis) * body_.left + std::sin(axis) * body_.forward;
    setOrientation(orientationOf(pose) *
                       Eigen::AngleAxisf(turn * normal.x(), lean_axis) *
                       Eigen::AngleAxisf(turn * normal.y(), body_.up),
                   pose);
    Vector3f::Map(pose) += options_.root_deviation * noise_->normals(draw, 3);
    noise_->moveAngles(draw, withoutArms(), copy % 2 == 0 ? 0.4f : 0.15f, pose);
  }

  std::vector<bool>
  withoutArms() const
  {
    std::vector<bool> is_moved = is_arm_;
    is_moved.flip();
    return is_moved;
  }

  std::vector<bool>
  only(int limb) const
  {
    std::vector<bool> is_moved(is_arm_.size(), false);
    is_moved[limb] = true;
    return is_moved;
  }

  /** \brief Finds places and directions of the trunk that explain the points best,
   * with legs and without arms. */
  PoseSet
  findTrunks()
  {
    PartialBody& body = bodies_.back();
    PoseSet poses(start_.size());
    poses.add(start_);
    poses = copied(poses,
                   8 * options_.particles,
                   [&](float* pose, int copy, const PoseNoise::Draw& draw) {
                     drawTrunk(pose, copy, draw);
                   });
    compare(body, poses);
    const struct Round {
      int count;
      float scale;
    } rounds[] = {{256, 0.12f}, {96, 0.08f}, {48, 0.05f}};
    const std::vector<bool> trunk_and_legs = withoutArms(), trunk_only = only(trunk);
    for (const Round& round : rounds) {
      poses = differentTrunks(poses, round.count);
      const int copies = 8 * options_.particles / static_cast<int>(poses.size()) + 1;
      poses = copied(
          poses, copies, [&](float* pose, int copy, const PoseNoise::Draw& draw) {
            constexpr float shares[] = {1.5f, 0.7f, 0.3f};
            const float share = round.scale * shares[copy % 3];
            noise_->moveRoot(draw, 0.5f * share, share, pose);
            noise_->moveAngles(
                draw, copy % 2 == 0 ? trunk_only : trunk_and_legs, share, pose);
          });
      compare(body, poses);
    }
    constexpr std::size_t most_trunks = 8;
    return differentTrunks(poses, most_trunks);
  }

  /** \brief Finds different poses of each limb that agree with the points, for each
   * trunk by itself.
   * \param[in] trunks each in the family of its number
   * \param[in] samples of an arm's pose on each trunk; a leg has fewer
   * \return for each limb, families of the trunks' numbers
   */
  std::vector<PoseSet>
  findLimbPoses(const PoseSet& trunks, int samples)
  {
    std::vector<PoseSet> found(1, PoseSet(trunks.width));
    for (int limb = 1; limb <= limbCount(); ++limb) {
      const std::vector<bool> moved = only(limb);
      const float near = is_arm_[limb] ? 0.7f : 0.25f;
      const float far = is_arm_[limb] ? 1.2f : 0.6f;
      PoseSet poses =
          copied(trunks,
                 (is_arm_[limb] ? 5 : 2) * samples / 5 + 1,
                 [&](float* pose, int copy, const PoseNoise::Draw& draw) {
                   if (copy % 2 == 1)
                     noise_->copyLimb(limb, start_.data(), pose);
                   noise_->moveAngles(draw, moved, copy % 4 < 2 ? near : far, pose);
                 });
      compareBy(coarse_likelihood_, bodies_[limb], poses);
      for (const float scale : {0.2f, 0.1f, 0.05f}) {
        constexpr std::size_t survivors = 20, least_survivors = 160;
        constexpr int copies = 9;
        poses = copied(poses.best(poses.size(),
                                  std::max(survivors, least_survivors / trunks.size())),
                       copies,
                       [&](float* pose, int, const PoseNoise::Draw& draw) {
                         noise_->moveAngles(draw, moved, scale, pose);
                       });
        const bool is_coarse = scale > 0.15f;
        compareBy(is_coarse ? coarse_likelihood_ : likelihood_, bodies_[limb], poses);
      }
      found.push_back(differentLimbs(poses, limb, trunks.size()));
    }
    return found;
  }

  /** \brief Returns the best poses of a limb that differ, some of each family. */
  PoseSet
  differentLimbs(const PoseSet& poses, int limb, std::size_t families) const
  {
    constexpr std::size_t most = 5;
    constexpr float near = 0.25f; // square radians
    PoseSet chosen(poses.width);
    std::vector<std::vector<std::size_t>> of_family(families);
    for (const std::size_t i : poses.byValue()) {
      std::vector<std::size_t>& known = of_family[poses.families[i]];
      const bool is_known =
          std::any_of(known.begin(), known.end(), [&](std::size_t other) {
            return noise_->distanceOfLimb(limb, poses[i], poses[other]) < near;
          });
      if (known.size() == most || is_known)
        continue;
      known.push_back(i);
      chosen.add(poses, i, poses.families[i]);
    }
    return chosen;
  }

  /** \brief Returns all combinations of limbs on each trunk, with their values. */
  PoseSet
  combine(const PoseSet& trunks, const std::vector<PoseSet>& limbs)
  {
    PoseSet poses = trunks;
    for (int limb = 1; limb <= limbCount(); ++limb) {
      PoseSet longer(poses.width);
      for (std::size_t i = 0; i < poses.size(); ++i)
        for (std::size_t k = 0; k < limbs[limb].size(); ++k)
          if (limbs[limb].families[k] == poses.families[i]) {
            longer.add(poses, i, poses.families[i]);
            noise_->copyLimb(limb, limbs[limb][k], longer[longer.size() - 1]);
          }
      poses = std::move(longer);
    }
    compare(bodies_.front(), poses);
    return poses;
  }

  /** \brief Moves all joints of the best bodies together: a particle filter for each
   * direction that they face. */
  PoseSearchResult
  follow(const PoseSet& combined)
  {
    constexpr std::size_t most = 4000, most_of_trunk = 200, most_of_direction = 200;
    const PoseSet poses = combined.best(most, most_of_trunk);
    const auto isLike = [&](std::size_t a, std::size_t b) {
      constexpr float cosine = 0.5f; // of 60 degrees
      return directionOf(poses[a], body_.forward)
                 .dot(directionOf(poses[b], body_.forward)) > cosine;
    };
    std::vector<std::size_t> directions;
    for (std::size_t i = 0; i < poses.size(); ++i)
      if (directions.size() < static_cast<std::size_t>(options_.directions) &&
          std::none_of(directions.begin(), directions.end(), [&](std::size_t other) {
            return isLike(i, other);
          }))
        directions.push_back(i);
    stream_.synchronize();
    // Filters run side by side, each in a queue of its own.
    std::list<Following> following;
    for (const std::size_t direction : directions) {
      PoseSet near(poses.width);
      for (std::size_t i = 0; i < poses.size() && near.size() < most_of_direction; ++i)
        if (isLike(i, direction))
          near.add(poses, i, 0);
      following.emplace_back();
      startFollowing(near, following.back());
    }
    PoseSearchResult best;
    for (Following& one : following) {
      PoseEstimate estimate;
      one.filter.getEstimate(estimate, one.stream);
      PoseSearchResult result = betterOf(estimate.mean, estimate.best);
      if (best.pose.empty() || result.log_likelihood > best.log_likelihood)
        best = std::move(result);
    }
    return best;
  }

  /** \brief A filter and its queue. */
  struct Following {
    Stream stream = Stream::create();
    PoseParticleFilter filter;
  };

  /** \brief Starts a frame of a filter whose particles are near some poses. */
  void
  startFollowing(const PoseSet& poses, Following& following)
  {
    if (options_.check_interruption)
      options_.check_interruption();
    const auto particles = static_cast<std::size_t>(options_.particles);
    const auto copies = static_cast<int>(particles / poses.size() + 1);
    const std::vector<bool> all(is_arm_.size(), true);
    PoseSet rows =
        copied(poses, copies, [&](float* pose, int, const PoseNoise::Draw& draw) {
          noise_->moveRoot(draw, 0.02f, 0.06f, pose);
          noise_->moveAngles(draw, all, 0.08f, pose);
        });
    rows.resize(particles); // those of the best poses come first
    const Skeleton::ConstPtr& skeleton = bodies_.front().skeleton;
    PoseParticleFilterParameters parameters = bodyTrackingParameters(*skeleton);
    parameters.islands = 1;
    parameters.particle_count = options_.particles;
    parameters.seed = options_.seed;
    parameters.rest_pose = start_;
    parameters.max_points = 0;
    parameters.likelihood = likelihood_parameters_;
    following.filter.setSkeleton(skeleton);
    following.filter.setParameters(parameters);
    DeviceArray<float> particle_rows;
    particle_rows.upload(rows.numbers);
    following.filter.initialize(particle_rows, following.stream);
    constexpr float time = 0.1f; // seconds: how far the particles move
    following.filter.processFrame(
        points_, backgrounds_, viewpoint_, time, following.stream);
  }

  /** \brief Returns the mean unless the best pose is much better. */
  PoseSearchResult
  betterOf(const std::vector<float>& mean, const std::vector<float>& best)
  {
    constexpr double much = 3.0; // of the log-likelihood
    PoseSet poses(mean.size());
    poses.add(mean);
    poses.add(best);
    compare(bodies_.front(), poses);
    const std::size_t chosen = poses.values[0] > poses.values[1] - much ? 0 : 1;
    return {poses.pose(chosen), poses.values[chosen]};
  }

  const Body body_;
  const std::vector<float>& start_;
  const Vector3f viewpoint_;
  const PoseSearchOptions& options_;
  const Stream& stream_;
  std::vector<int> limbs_;   ///< of every joint
  std::vector<bool> is_arm_; ///< of every limb
  std::optional<PoseNoise> noise_;
  /** \brief The whole body, the trunk with each limb, the body without arms. */
  std::vector<PartialBody> bodies_;
  DeviceArray<PointXYZ> points_;
  DeviceArray<float> backgrounds_;
  CapsuleLikelihoodParameters likelihood_parameters_;
  CapsuleLikelihood likelihood_;
  CapsuleLikelihood coarse_likelihood_; ///< reaches twice as far
  DeviceArray<TaperedCapsule> capsules_;
  DeviceArray<double> values_;
  std::uint32_t round_ = 0; ///< of random numbers
};

std::vector<PointXYZ>
downloaded(const DeviceArray<PointXYZ>& points)
{
  std::vector<PointXYZ> host(points.size());
  points.download(host.data());
  return host;
}

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
  checkAtLeast("directions", options.directions, 1);
  checkNotNegative("root deviation", options.root_deviation);
  checkNotNegative("turn deviation", options.turn_deviation);
  checkPositive("sigma", options.sigma);
  checkPositive("truncation distance", options.truncation_distance);
  checkRoom(options.room, points);
  const ScopedDevice scope(deviceOf(points));
  stream.synchronize();
  const Observation observation(
      downloaded(points), downloaded(options.room), viewpoint, options.is_whole);
  if (observation.body_points.empty())
    return {pose, 0.0};
  return PoseSearch(skeleton, pose, observation, viewpoint, options, stream).run();
}

} // namespace pcl::gpu
