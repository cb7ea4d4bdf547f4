// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"
#include "joint_places.h"
#include "pose_check.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <cstddef>
#include <memory>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

/** \brief Places on a body. */
enum class Place {
  Joint,  ///< where the bone of a part begins
  Middle, ///< of the skin on that joint
  Head,   ///< a point on the head
  Neck,   ///< between the shoulders
  Torso   ///< between shoulders and hips; without legs, the pelvis
};

/** \brief A joint of a convention. */
struct ConventionRow {
  const char* name;
  Place place;
  BodyPart part = BodyPart::Unknown;
  int side = 0; ///< 1: left, -1: right
  /** \brief Of a point on the head: to the left of the middle, above the chin and in
   * front of the back of the head. Shares of the head's height from chin to crown. */
  float share[3] = {};
};

const std::vector<ConventionRow> itop_rows = {
    {"Head", Place::Middle, BodyPart::Head},
    {"Neck", Place::Neck},
    {"R Shoulder", Place::Joint, BodyPart::UpperArm, -1},
    {"L Shoulder", Place::Joint, BodyPart::UpperArm, 1},
    {"R Elbow", Place::Joint, BodyPart::Forearm, -1},
    {"L Elbow", Place::Joint, BodyPart::Forearm, 1},
    {"R Hand", Place::Middle, BodyPart::Hand, -1},
    {"L Hand", Place::Middle, BodyPart::Hand, 1},
    {"Torso", Place::Torso},
    {"R Hip", Place::Joint, BodyPart::Thigh, -1},
    {"L Hip", Place::Joint, BodyPart::Thigh, 1},
    {"R Knee", Place::Joint, BodyPart::Calf, -1},
    {"L Knee", Place::Joint, BodyPart::Calf, 1},
    {"R Foot", Place::Middle, BodyPart::Foot, -1},
    {"L Foot", Place::Middle, BodyPart::Foot, 1}};

// Average heads are 0.23 m high. Pupils are 0.063 m apart (Dodgson 2004), halfway
// between chin and crown and 0.02 m behind the forehead. Ears are 0.145 m apart.
const std::vector<ConventionRow> coco_rows = {
    {"nose", Place::Head, BodyPart::Head, 0, {0.0f, 0.36f, 0.95f}},
    {"left_eye", Place::Head, BodyPart::Head, 0, {0.137f, 0.5f, 0.82f}},
    {"right_eye", Place::Head, BodyPart::Head, 0, {-0.137f, 0.5f, 0.82f}},
    {"left_ear", Place::Head, BodyPart::Head, 0, {0.315f, 0.44f, 0.43f}},
    {"right_ear", Place::Head, BodyPart::Head, 0, {-0.315f, 0.44f, 0.43f}},
    {"left_shoulder", Place::Joint, BodyPart::UpperArm, 1},
    {"right_shoulder", Place::Joint, BodyPart::UpperArm, -1},
    {"left_elbow", Place::Joint, BodyPart::Forearm, 1},
    {"right_elbow", Place::Joint, BodyPart::Forearm, -1},
    {"left_wrist", Place::Joint, BodyPart::Hand, 1},
    {"right_wrist", Place::Joint, BodyPart::Hand, -1},
    {"left_hip", Place::Joint, BodyPart::Thigh, 1},
    {"right_hip", Place::Joint, BodyPart::Thigh, -1},
    {"left_knee", Place::Joint, BodyPart::Calf, 1},
    {"right_knee", Place::Joint, BodyPart::Calf, -1},
    {"left_ankle", Place::Joint, BodyPart::Foot, 1},
    {"right_ankle", Place::Joint, BodyPart::Foot, -1}};

/** \brief Finds the joints of conventions on a body. */
class PlaceFinder {
public:
  explicit PlaceFinder(const Skeleton& skeleton) : skeleton_(skeleton), body_(skeleton)
  {
    // Frames of joints are parallel when all angles are 0.
    directions_.row(0) = body_.left;
    directions_.row(1) = body_.up;
    directions_.row(2) = body_.forward;
  }

  /** \brief Returns the points whose mean is a joint of a convention; none if the body
   * has no such joint. */
  std::vector<FixedPoint>
  pointsOf(const ConventionRow& row) const
  {
    if (row.place == Place::Torso)
      return torso();
    if (row.place == Place::Neck)
      return pair(BodyPart::UpperArm);
    const int joint = find(row.part, row.side);
    if (joint < 0 || row.place == Place::Joint)
      return pointsOn({joint});
    const Eigen::AlignedBox3f skin = skinOn(joint);
    if (skin.isEmpty())
      return row.place == Place::Head ? std::vector<FixedPoint>() : pointsOn({joint});
    Vector3f place = skin.center();
    if (row.place == Place::Head) {
      const float height = skin.sizes().y();
      place = height * Vector3f(row.share) +
              Vector3f(skin.center().x(), skin.min().y(), skin.min().z());
    }
    return {{joint, directions_.transpose() * place}};
  }

private:
  /** \brief Returns the first joint of a part; -1 if there is none. */
  int
  find(BodyPart part, int side) const
  {
    for (std::size_t i = 0; i < body_.parts.size(); ++i)
      if (body_.parts[i] == part && body_.sides[i] == side)
        return static_cast<int>(i);
    return -1;
  }

  /** \brief Returns the places of joints; none if one of them is -1. */
  static std::vector<FixedPoint>
  pointsOn(const std::vector<int>& joints)
  {
    std::vector<FixedPoint> points;
    for (const int joint : joints) {
      if (joint < 0)
        return {};
      points.push_back({joint, Vector3f::Zero()});
    }
    return points;
  }

  std::vector<FixedPoint>
  pair(BodyPart part) const
  {
    return pointsOn({find(part, 1), find(part, -1)});
  }

  std::vector<FixedPoint>
  torso() const
  {
    std::vector<FixedPoint> points = pair(BodyPart::UpperArm);
    std::vector<FixedPoint> low = pair(BodyPart::Thigh);
    if (low.empty()) {
      const int pelvis = find(BodyPart::Pelvis, 0);
      low = pointsOn({pelvis, pelvis});
    }
    if (points.empty() || low.empty())
      return {};
    points.insert(points.end(), low.begin(), low.end());
    return points;
  }

  /** \brief Returns the extent of the skin on a joint to the left, upward and forward
   * from it. */
  Eigen::AlignedBox3f
  skinOn(int joint) const
  {
    Eigen::AlignedBox3f box;
    for (const SkeletonCapsule& capsule : skeleton_.getCapsules()) {
      if (capsule.joint != joint)
        continue;
      const auto extend = [&](const Vector3f& end, float radius) {
        const Vector3f place = directions_ * end, size = Vector3f::Constant(radius);
        box.extend(Eigen::AlignedBox3f(place - size, place + size));
      };
      extend(capsule.a, capsule.radius_a);
      extend(capsule.b, capsule.radius_b);
    }
    return box;
  }

  const Skeleton& skeleton_;
  const Body body_;
  Eigen::Matrix3f directions_; ///< left, up and forward
};

const std::vector<ConventionRow>&
rowsOf(JointConvention convention)
{
  return convention == JointConvention::Itop ? itop_rows : coco_rows;
}

/** \brief Returns the positions of the points that a skeleton carries, in a pose. */
std::vector<Vector3f>
positionsOf(const Skeleton::ConstPtr& carrier, const std::vector<float>& pose)
{
  if (carrier->getCapsules().empty())
    return {};
  ForwardKinematics kinematics;
  kinematics.setSkeleton(carrier);
  DeviceArray<float> uploaded;
  uploaded.upload(pose);
  DeviceArray<Capsule> capsules;
  kinematics.computeCapsules(uploaded, capsules);
  std::vector<Capsule> downloaded;
  capsules.download(downloaded);
  std::vector<Vector3f> positions;
  for (const Capsule& capsule : downloaded)
    positions.emplace_back(Vector3f::Map(capsule.a));
  return positions;
}

} // namespace

std::vector<std::vector<FixedPoint>>
placesOfJoints(JointConvention convention, const Skeleton& skeleton)
{
  const PlaceFinder finder(skeleton);
  std::vector<std::vector<FixedPoint>> places;
  for (const ConventionRow& row : rowsOf(convention))
    places.push_back(finder.pointsOf(row));
  return places;
}

std::vector<std::string>
namesOfJoints(JointConvention convention)
{
  std::vector<std::string> names;
  for (const ConventionRow& row : rowsOf(convention))
    names.emplace_back(row.name);
  return names;
}

Skeleton::Ptr
carrierOf(const std::vector<std::vector<FixedPoint>>& places, const Skeleton& skeleton)
{
  // Kinematics carry capsules along: here, the points.
  auto carrier = std::make_shared<Skeleton>();
  for (const SkeletonJoint& joint : skeleton.getJoints())
    carrier->addJoint(joint);
  for (const std::vector<FixedPoint>& points : places)
    for (const FixedPoint& point : points) {
      SkeletonCapsule capsule;
      capsule.joint = point.joint;
      capsule.a = capsule.b = point.position;
      carrier->addCapsule(capsule);
    }
  return carrier;
}

std::vector<NamedJoint>
nameJoints(JointConvention convention,
           const Skeleton& skeleton,
           const std::vector<float>& pose,
           const std::vector<JointEstimate>& estimates)
{
  checkEnumerator("convention", convention, JointConvention::Coco);
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  checkPose("the pose", pose, skeleton.poseSize());
  checkArgument(estimates.empty() || estimates.size() == skeleton.getJoints().size(),
                "number of estimates",
                estimates.size(),
                "one for every joint of the skeleton, or none");
  const std::vector<ConventionRow>& rows = rowsOf(convention);
  const std::vector<std::vector<FixedPoint>> places =
      placesOfJoints(convention, skeleton);
  const std::vector<Vector3f> positions =
      positionsOf(carrierOf(places, skeleton), pose);

  std::vector<NamedJoint> joints;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    NamedJoint& joint = joints.emplace_back();
    joint.name = rows[i].name;
    const std::vector<FixedPoint>& own = places[i];
    if (own.empty())
      continue;
    const float share = 1.0f / static_cast<float>(own.size());
    joint.position.setZero();
    if (!estimates.empty())
      joint.deviation = 0.0f;
    for (const FixedPoint& point : own) {
      joint.position += share * positions[next++];
      if (!estimates.empty())
        joint.deviation += share * estimates[point.joint].deviation;
    }
  }
  return joints;
}

} // namespace pcl::gpu
