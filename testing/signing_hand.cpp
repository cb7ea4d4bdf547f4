// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/signing_hand.h"

#include "testing/recorded_body.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>

namespace pcl::gpu::test {

namespace {

using Eigen::AngleAxisf;
using Eigen::Quaternionf;
using Eigen::Vector3f;

constexpr float radians = static_cast<float>(M_PI / 180.0);

/** \brief Angles of a finger, degrees: knuckle, its spread, next joints. */
using FingerAngles = std::array<float, 4>;

constexpr FingerAngles straight = {0, 0, 5, 5};
constexpr FingerAngles spread = {0, 12, 5, 5};
constexpr FingerAngles closed = {85, 0, 105, 65};

/** \brief Angles of the thumb, degrees: swing and bend at the carpus, next joints. */
constexpr FingerAngles thumb_out = {-20, -15, 0, 0};
constexpr FingerAngles thumb_on_fist = {12, 8, 50, 40};
constexpr FingerAngles thumb_in_palm = {45, 5, 50, 55};

struct Sign {
  const char* name;
  FingerAngles fingers[5]; ///< from the thumb to the little finger
  /** \brief Of the hand, degrees: to the side of its thumb about the vertical, towards
   * the thumb in the picture, and to the back. */
  float turns[3];
  float wrist[2]; ///< bend and tilt of the wrist, degrees
  Vector3f place; ///< of the wrist, metres
};

const std::vector<Sign>&
allSigns()
{
  static const std::vector<Sign> signs = {
      {"open",
       {thumb_out, spread, {0, 0, 5, 5}, spread, spread},
       {0, 0, 0},
       {0, 0},
       {0.00f, 0.08f, 0.50f}},
      {"fist",
       {thumb_on_fist, closed, closed, closed, closed},
       {15, 0, 5},
       {10, 5},
       {0.03f, 0.04f, 0.40f}},
      {"one",
       {thumb_on_fist, straight, closed, closed, closed},
       {-10, 5, 0},
       {15, 10},
       {0.02f, 0.06f, 0.35f}},
      {"two",
       {thumb_in_palm, {0, 14, 5, 5}, {0, -12, 5, 5}, closed, closed},
       {0, -10, 10},
       {-10, 5},
       {-0.02f, 0.06f, 0.40f}},
      {"three",
       {thumb_out, spread, straight, closed, closed},
       {20, 0, 0},
       {5, 15},
       {-0.06f, 0.09f, 0.55f}},
      {"four",
       {thumb_in_palm, spread, straight, spread, spread},
       {-15, 10, -10},
       {-20, 0},
       {-0.02f, 0.10f, 0.70f}},
      {"L",
       {thumb_out, straight, closed, closed, closed},
       {0, 15, 0},
       {10, 20},
       {0.06f, 0.08f, 0.90f}},
      {"horns",
       {thumb_on_fist, straight, closed, closed, {0, 10, 5, 5}},
       {10, -5, 5},
       {0, -10},
       {0.10f, 0.06f, 0.75f}},
      {"OK",
       {{5, 17, 21, 29}, {54, 0, 46, 28}, straight, spread, spread},
       {-20, 0, 5},
       {-15, 10},
       {0.04f, 0.06f, 0.55f}},
      {"thumb up",
       {thumb_out, closed, closed, closed, closed},
       {-15, -50, 0},
       {10, -20},
       {0.00f, 0.04f, 0.45f}}};
  return signs;
}

const char* const finger_names[] = {"Thumb", "Index", "Middle", "Ring", "Pinky"};

/** \brief Finds the joint of a hand by the end of its name, such as Index1. */
int
jointOf(const Skeleton& hand, const std::string& ending)
{
  const std::string& root = hand.getJoints()[0].name; // "LeftHand"
  return hand.findJoint(root + ending);
}

/** \brief Returns the pose of a sign. Hands of both sides have the same angles. */
std::vector<float>
poseOf(const Sign& sign, const Skeleton& hand, HandSide side)
{
  std::vector<float> pose = hand.restPose();
  const float mirror = side == HandSide::Left ? -1.0f : 1.0f;
  std::copy(sign.place.data(), sign.place.data() + 3, pose.begin());
  pose[0] *= mirror;
  // Fingers up and the palm to the camera, before the turns.
  const Quaternionf turn =
      AngleAxisf(static_cast<float>(M_PI), Vector3f::UnitX()) *
      AngleAxisf(mirror * sign.turns[0] * radians, Vector3f::UnitY()) *
      AngleAxisf(-mirror * sign.turns[1] * radians, Vector3f::UnitZ()) *
      AngleAxisf(-sign.turns[2] * radians, Vector3f::UnitX());
  pose[3] = turn.w();
  pose[4] = turn.x();
  pose[5] = turn.y();
  pose[6] = turn.z();
  for (int finger = 0; finger < 5; ++finger) {
    const int first = jointOf(hand, std::string(finger_names[finger]) + "1");
    std::transform(sign.fingers[finger].begin(),
                   sign.fingers[finger].end(),
                   pose.begin() + hand.angleIndex(first),
                   [](float degrees) { return degrees * radians; });
  }
  const std::string arm = side == HandSide::Left ? "LeftForeArm" : "RightForeArm";
  for (int i = 0; i < 2; ++i)
    pose[hand.angleIndex(hand.findJoint(arm)) + i] = sign.wrist[i] * radians;
  return pose;
}

/** \brief Returns the pose between two poses, at a share of the way. */
std::vector<float>
between(const std::vector<float>& from, const std::vector<float>& to, float share)
{
  std::vector<float> pose(from.size());
  for (std::size_t i = 0; i < pose.size(); ++i)
    pose[i] = (1.0f - share) * from[i] + share * to[i];
  const Quaternionf turn = Quaternionf(from[3], from[4], from[5], from[6])
                               .slerp(share, Quaternionf(to[3], to[4], to[5], to[6]));
  pose[3] = turn.w();
  pose[4] = turn.x();
  pose[5] = turn.y();
  pose[6] = turn.z();
  return pose;
}

/** \brief Returns a hand with the same angles and other sizes. */
Skeleton
otherHand(const Skeleton& hand, std::uint64_t seed)
{
  std::mt19937_64 random(seed);
  const auto factor = [&random] {
    return 0.94f + 0.12f * static_cast<float>(random() % 1000) / 999.0f;
  };
  std::vector<SkeletonJoint> joints = hand.getJoints();
  std::vector<float> stretches(joints.size(), 1.0f); // of a joint's bone
  for (std::size_t i = 1; i < joints.size(); ++i) {
    const float stretch = factor();
    joints[i].offset *= stretch;
    if (joints[i].parent > 0)
      stretches[joints[i].parent] = stretch;
  }
  Skeleton other;
  for (const SkeletonJoint& joint : joints)
    other.addJoint(joint);
  for (SkeletonCapsule capsule : hand.getCapsules()) {
    const float girth = factor();
    capsule.a *= stretches[capsule.joint];
    capsule.b *= stretches[capsule.joint];
    capsule.radius_a *= girth;
    capsule.radius_b *= girth;
    other.addCapsule(capsule);
  }
  return other;
}

} // namespace

SigningHand::SigningHand(const SigningHandOptions& options)
: skeleton_(std::make_shared<Skeleton>(makeHandSkeleton(0.19f, options.side)))
, seen_(options.is_other
            ? std::make_shared<Skeleton>(otherHand(*skeleton_, options.seed))
            : skeleton_)
{
  for (const char* const finger : finger_names)
    for (const char* const number : {"1", "2", "3"})
      if (finger != finger_names[0] || number[0] != '1')
        measured_.push_back(jointOf(*skeleton_, std::string(finger) + number));
  for (const char* const finger : finger_names)
    measured_.push_back(jointOf(*skeleton_, std::string(finger) + "3_end"));
  move(options);
  see(options);
}

std::vector<std::string>
SigningHand::signs()
{
  std::vector<std::string> names;
  for (const Sign& sign : allSigns())
    names.emplace_back(sign.name);
  return names;
}

int
SigningHand::signOf(int frame) const
{
  return signs_[frame];
}

void
SigningHand::move(const SigningHandOptions& options)
{
  const std::vector<Sign>& signs = allSigns();
  motion_.frame_time = 1.0f / options.frame_rate;
  const float period = options.transition + options.hold;
  for (int frame = 0; frame < options.most_frames; ++frame) {
    // The first sign is held only.
    const float time = frame / options.frame_rate + options.transition;
    const int sign = static_cast<int>(time / period);
    if (sign >= static_cast<int>(signs.size()))
      break;
    const float t = std::min(1.0f, (time - sign * period) / options.transition);
    // The way of a hand between two places of rest: of minimum jerk.
    const float share = t * t * t * (10.0f + t * (6.0f * t - 15.0f));
    motion_.poses.push_back(
        between(poseOf(signs[std::max(0, sign - 1)], *seen_, options.side),
                poseOf(signs[sign], *seen_, options.side),
                share));
    signs_.push_back(sign);
  }
}

void
SigningHand::see(const SigningHandOptions& options)
{
  PinholeCamera camera;
  camera.width = options.width;
  camera.height = options.height;
  camera.fx = camera.fy = 525.0f * options.width / 640.0f;
  camera.cx = 0.5f * (options.width - 1);
  camera.cy = 0.5f * (options.height - 1);
  CapsuleRayCaster caster;
  caster.setParameters({camera, Pose::Identity()});
  DepthSensorSimulationParameters parameters;
  parameters.camera = camera;
  parameters.noise.deviation = 0.0f; // the Kinect's instead
  parameters.noise.outlier_fraction = 0.02f;
  parameters.noise.nearest_outlier = 0.2f;
  parameters.noise.farthest_outlier = 1.5f;
  parameters.noise.missing_fraction = 0.02f;
  parameters.noise.seed = options.seed;
  DepthSensorSimulation sensor;
  sensor.setParameters(parameters);
  KinectNoise noise(1.0, options.seed);
  constexpr float wall = 1.3f;
  kinematics_.setSkeleton(seen_);
  points_.resize(frameCount());
  for (int frame = 0; frame < frameCount(); ++frame) {
    DeviceArray<float> pose;
    pose.upload(motion_.poses[frame]);
    DeviceArray<PointXYZ> positions;
    kinematics_.computeJoints(pose, positions);
    std::vector<PointXYZ> joints;
    positions.download(joints);
    joints_.insert(joints_.end(), joints.begin(), joints.end());
    DeviceArray<TaperedCapsule> skin;
    kinematics_.computeCapsules(pose, skin);
    DeviceArray2D<float> depth_map;
    caster.cast(skin, depth_map);
    std::vector<float> depths;
    int columns = 0;
    depth_map.download(depths, columns);
    for (float& depth : depths)
      if (!(depth < wall))
        depth = wall;
    depth_map.upload(noise.apply(depths, columns), columns);
    sensor.addNoise(depth_map, frame, depth_map);
    sensor.computePoints(depth_map, points_[frame]);
  }
  kinematics_.setSkeleton(skeleton_);
}

std::vector<float>
SigningHand::firstPose(std::uint64_t seed) const
{
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> pose = motion_.poses.front();
  for (int axis = 0; axis < 3; ++axis)
    pose[axis] += 0.01f * normal(random);
  for (std::size_t i = Skeleton::root_size; i < pose.size(); ++i)
    pose[i] += 0.1f * normal(random);
  return pose;
}

std::vector<float>
SigningHand::jointErrors(const std::vector<float>& pose, int frame)
{
  return distancesOfJoints(kinematics_, pose, joints_, frame, measured_);
}

SigningErrors
track(SigningHand& hand, PoseParticleFilter& filter, std::uint64_t seed)
{
  setParameter(filter, &PoseParticleFilterParameters::seed, seed);
  filter.initialize(hand.firstPose(seed));
  SigningErrors errors;
  errors.signs.assign(SigningHand::signs().size(), 0.0);
  std::vector<int> frames(errors.signs.size(), 0);
  PoseEstimate estimate;
  const int count = hand.frameCount();
  for (int frame = 0; frame < count; ++frame) {
    const auto start = std::chrono::steady_clock::now();
    filter.processFrame(hand.points(frame), Vector3f::Zero(), hand.frameTime());
    filter.getEstimate(estimate);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    errors.milliseconds += elapsed.count() / count;
    const std::vector<float> distances = hand.jointErrors(estimate.mean, frame);
    double mean = 0.0;
    for (int i = 0; i < SigningHand::counted; ++i)
      mean += distances[i] / SigningHand::counted;
    for (int i = SigningHand::counted; i < static_cast<int>(distances.size()); ++i)
      errors.tips += distances[i] / 5.0 / count;
    errors.frames.push_back(mean);
    errors.mean += mean / count;
    errors.worst_frame = std::max(errors.worst_frame, mean);
    errors.signs[hand.signOf(frame)] += mean;
    ++frames[hand.signOf(frame)];
  }
  for (std::size_t i = 0; i < frames.size(); ++i)
    errors.signs[i] /= std::max(1, frames[i]);
  return errors;
}

} // namespace pcl::gpu::test
