// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/person_evidence.h"

#include "people/depth_picture.h"
#include "people/room_planes.h"
#include "skeleton/body_parts.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/forward_kinematics.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

namespace {

using Eigen::Vector3f;

enum PartGroup { Head, Trunk, Limbs, GroupCount };

PartGroup
groupOf(BodyPart part)
{
  switch (part) {
  case BodyPart::Head:
  case BodyPart::Neck:
    return Head;
  case BodyPart::Pelvis:
  case BodyPart::HipJoint:
  case BodyPart::Trunk:
  case BodyPart::Clavicle:
    return Trunk;
  default:
    return Limbs;
  }
}

/** \brief Areas of the pixels on a group of parts. */
struct GroupAreas {
  float explained = 0.0f;
  float contradicted = 0.0f; ///< something behind the skin, or of the room, is seen
  float other = 0.0f;        ///< hidden or not measured
};

float
share(float part, float of)
{
  return of > 0.0f ? part / of : 0.0f;
}

/** \brief A body in a picture. */
class PersonPicture {
public:
  PersonPicture(const Skeleton::ConstPtr& skeleton,
                const std::vector<float>& pose,
                const PointCloud<PointXYZ>& cloud,
                const PinholeCamera& camera,
                const std::vector<bool>& is_room)
  : cloud_(cloud)
  , camera_(camera)
  , is_room_(is_room)
  , columns_(static_cast<int>(cloud.width))
  , pixel_angle_(1.0f / std::sqrt(camera.fx * camera.fy))
  {
    const std::vector<BodyPart> parts = Body(*skeleton).parts;
    for (const SkeletonCapsule& capsule : skeleton->getCapsules())
      groups_.push_back(groupOf(parts[capsule.joint]));
    ForwardKinematics kinematics;
    kinematics.setSkeleton(skeleton);
    DeviceArray<float> device_pose;
    device_pose.upload(pose);
    DeviceArray<TaperedCapsule> capsules;
    kinematics.computeCapsules(device_pose, capsules);
    CapsuleRayCasterParameters parameters;
    parameters.camera = camera;
    CapsuleRayCaster caster;
    caster.setParameters(parameters);
    DeviceArray2D<float> depth;
    DeviceArray2D<int> ids;
    DeviceArray2D<PointXYZ> normals;
    caster.cast(capsules, depth, ids, normals);
    int columns = 0;
    depth.download(skin_, columns);
    ids.download(ids_, columns);
    normals.download(normals_, columns);
    capsules.download(capsules_);
  }

  PersonEvidence
  evidence()
  {
    PersonEvidence result;
    lookAtSkin(result);
    for (const GroupAreas& group : areas_) {
      result.area += group.explained;
      result.contradicted += group.contradicted;
    }
    const auto fitOf = [&](PartGroup group) {
      const GroupAreas& a = areas_[group];
      return share(a.explained, a.explained + a.contradicted);
    };
    result.head = fitOf(Head);
    result.trunk = fitOf(Trunk);
    result.limbs = fitOf(Limbs);
    for (const PartGroup group : {Head, Trunk}) {
      const GroupAreas& a = areas_[group];
      result.covered = std::max(
          result.covered, share(a.explained, a.explained + a.contradicted + a.other));
    }
    lookAround(result);
    result.relief = reliefOf(cloud_, result.explained);
    result.is_inside = isSpineInside();
    return result;
  }

private:
  void
  lookAtSkin(PersonEvidence& result)
  {
    float cosines = 0.0f, with_normal = 0.0f;
    for (std::size_t i = 0; i < skin_.size(); ++i) {
      if (ids_[i] < 0)
        continue;
      GroupAreas& group = areas_[groups_[ids_[i]]];
      const float side = skin_[i] * pixel_angle_;
      const float area = side * side;
      const float z = cloud_[i].z;
      if (!std::isfinite(z))
        group.other += area;
      else if (std::abs(z - skin_[i]) < explained_distance && !is_room_[i]) {
        group.explained += area;
        result.explained.push_back(static_cast<int>(i));
        const Vector3f normal = normalAt(static_cast<int>(i));
        if (normal.allFinite()) {
          cosines += area * std::abs(normal.dot(normals_[i].getVector3fMap()));
          with_normal += area;
        }
      }
      else if (z > skin_[i] || is_room_[i])
        group.contradicted += area;
      else
        group.other += area;
    }
    result.aligned = share(cosines, with_normal);
  }

  /** \brief Returns the normal of the measured surface; NaN at edges. */
  Vector3f
  normalAt(int pixel) const
  {
    constexpr int apart = 2;
    constexpr float edge = 0.3f;
    const Vector3f none = Vector3f::Constant(std::nanf(""));
    const int column = pixel % columns_, row = pixel / columns_;
    if (column < apart || row < apart || column + apart >= columns_ ||
        row + apart >= static_cast<int>(cloud_.height))
      return none;
    const auto between = [&](int step) -> Vector3f {
      return cloud_[pixel + step].getVector3fMap() -
             cloud_[pixel - step].getVector3fMap();
    };
    const Vector3f across = between(apart), down = between(apart * columns_);
    if (!(across.norm() < edge && down.norm() < edge))
      return none;
    return down.cross(across).normalized();
  }

  /** \brief Compares the depth around the body with that of its outline, some
   * centimetres away. */
  void
  lookAround(PersonEvidence& result) const
  {
    constexpr float width = 0.06f;
    std::vector<int> front;
    std::vector<float> depth = skin_; // that of the nearest skin in the picture
    std::vector<bool> is_reached(skin_.size(), false);
    float middle = 0.0f;
    for (std::size_t i = 0; i < skin_.size(); ++i)
      if (ids_[i] >= 0) {
        front.push_back(static_cast<int>(i));
        is_reached[i] = true;
        middle += skin_[i];
      }
    if (front.empty())
      return;
    middle /= static_cast<float>(front.size());
    const int steps =
        1 + std::max(2, static_cast<int>(std::lround(width / (middle * pixel_angle_))));
    int same = 0, all = 0;
    for (int step = 0; step < steps; ++step) {
      std::vector<int> next;
      for (const int pixel : front)
        forEachNeighbor(cloud_, pixel, [&](int neighbor) {
          if (is_reached[neighbor])
            return;
          is_reached[neighbor] = true;
          depth[neighbor] = depth[pixel];
          next.push_back(neighbor);
          if (step == 0) // edges of depth are a little off
            return;
          const float behind = cloud_[neighbor].z - depth[neighbor];
          const bool hides = behind < -explained_distance;
          same += std::abs(behind) < explained_distance ? 1 : 0;
          all += hides ? 0 : 1;
        });
      front = std::move(next);
    }
    result.goes_on = share(static_cast<float>(same), static_cast<float>(all));
  }

  /** \brief Returns whether most of the head and trunk is between the sides of the
   * picture. */
  bool
  isSpineInside() const
  {
    int inside = 0, all = 0;
    for (std::size_t i = 0; i < capsules_.size(); ++i) {
      if (groups_[i] == Limbs)
        continue;
      const TaperedCapsule& c = capsules_[i];
      const float depth = c.a[2] + c.b[2];
      const float column = camera_.fx * (c.a[0] + c.b[0]) / depth + camera_.cx;
      inside += depth > 0.0f && column > -0.5f && column < columns_ - 0.5f ? 1 : 0;
      ++all;
    }
    return 2 * inside > all;
  }

  const PointCloud<PointXYZ>& cloud_;
  const PinholeCamera& camera_;
  const std::vector<bool>& is_room_;
  int columns_;
  float pixel_angle_;
  std::vector<PartGroup> groups_; ///< of the capsules
  std::vector<TaperedCapsule> capsules_;
  std::vector<float> skin_; ///< depth of the body in each pixel
  std::vector<int> ids_;    ///< of the capsule in each pixel; -1 for none
  std::vector<PointXYZ> normals_;
  GroupAreas areas_[GroupCount];
};

} // namespace

float
PersonEvidence::confidence() const
{
  if (!is_inside)
    return 0.0f;
  // Each number grows from what furniture and walls reach to what people do.
  const auto between = [](float value, float none, float all) {
    return std::clamp((value - none) / (all - none), 0.0f, 1.0f);
  };
  return std::min({between(head, 0.5f, 0.9f),
                   between(trunk, 0.7f, 1.0f),
                   between(limbs, 0.4f, 0.8f),
                   between(covered, 0.25f, 0.75f),
                   between(aligned, 0.7f, 0.82f),
                   between(goes_on, 0.6f, 0.1f),
                   between(relief, 0.01f, 0.03f)});
}

bool
PersonEvidence::isStillSeen() const
{
  constexpr float least_area = 0.03f, least_fit = 0.4f;
  return area > least_area && std::max(head, trunk) > least_fit && limbs > least_fit;
}

PersonEvidence
gatherPersonEvidence(const Skeleton::ConstPtr& skeleton,
                     const std::vector<float>& pose,
                     const PointCloud<PointXYZ>& cloud,
                     const PinholeCamera& camera,
                     const std::vector<bool>& is_room)
{
  return PersonPicture(skeleton, pose, cloud, camera, is_room).evidence();
}

} // namespace pcl::gpu
