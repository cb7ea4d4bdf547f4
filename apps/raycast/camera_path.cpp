// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "camera_path.h"

#include "../common/command_line/errors.h"
#include "../common/files/pose_file.h"

#include <pcl/common/angles.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Points = std::vector<Eigen::Vector3f>;

// Room between the meshes and the image's border, and for what a deformation adds.
constexpr float margin = 1.08f;
constexpr float margin_of_deformation = 1.25f;

Points
pointsInWorld(const std::vector<InputMesh>& meshes)
{
  Points points;
  for (const InputMesh& mesh : meshes)
    for (const Eigen::Vector3f& corner : mesh.corners)
      points.push_back(mesh.pose * corner);
  return points;
}

/** \brief Returns the slopes x / z and y / z up to which an image shows all directions.
 */
Eigen::Vector2f
halfSlopes(const PinholeCamera& camera)
{
  return {std::min(camera.cx + 0.5f, camera.width - 0.5f - camera.cx) / camera.fx,
          std::min(camera.cy + 0.5f, camera.height - 0.5f - camera.cy) / camera.fy};
}

/** \brief Returns the distance from a target at which a camera sees all points.
 * \param[in] pose pose at the target, with the camera's orientation
 */
float
distanceToSeeAll(const Points& points, const Pose& pose, const Eigen::Vector2f& slopes)
{
  float distance = 0.0f;
  const Pose to_camera = pose.inverse();
  for (const Eigen::Vector3f& point : points) {
    const Eigen::Vector3f p = to_camera * point;
    const Eigen::Vector2f needed = p.head<2>().cwiseAbs().cwiseQuotient(slopes);
    distance = std::max(distance, needed.maxCoeff() - p.z());
  }
  return distance;
}

/** \brief Returns half the width and height of a parallel projection of all points. */
Eigen::Vector2f
halfSize(const Points& points, const Pose& pose)
{
  Eigen::Vector2f size = Eigen::Vector2f::Zero();
  const Pose to_camera = pose.inverse();
  for (const Eigen::Vector3f& point : points)
    size = size.cwiseMax((to_camera * point).head<2>().cwiseAbs());
  return size;
}

PinholeCamera
pinhole(const RaycastOptions& options)
{
  PinholeCamera camera = options.intrinsics.value_or(PinholeCamera::fromFieldOfView(
      deg2rad(options.field_of_view), options.size.width, options.size.height));
  camera.width = options.size.width;
  camera.height = options.size.height;
  return camera;
}

/** \brief Finds poses from which the camera sees all meshes. */
class Placement {
public:
  Placement(const RaycastOptions& options, const std::vector<InputMesh>& meshes)
  : options_(options)
  , points_(pointsInWorld(meshes))
  , slopes_(halfSlopes(pinhole(options)))
  {
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& point : points_)
      box.extend(point);
    target_ = options.target.value_or(box.center());
    smallest_ = std::max(0.5f * box.sizes().norm(), 1e-6f);
    // A camera whose axis is outside its image does not see the target.
    slopes_ = slopes_.cwiseMax(0.05f);
  }

  std::vector<Pose>
  poses() const
  {
    if (!options_.pose.empty())
      return std::vector<Pose>(options_.frames, readPose(options_.pose));
    const Eigen::Vector3f up = options_.up.normalized();
    Eigen::Vector3f away = direction(up);
    std::vector<Eigen::Vector3f> directions;
    for (int i = 0; i < options_.frames; ++i) {
      const float angle =
          options_.orbit ? static_cast<float>(2.0 * M_PI * i / options_.frames) : 0.0f;
      directions.push_back(Eigen::AngleAxisf(angle, up) * away);
    }
    const float distance =
        options_.eye ? (*options_.eye - target_).norm() : distanceFor(directions);
    std::vector<Pose> result;
    for (const Eigen::Vector3f& at : directions)
      result.push_back(lookAt(target_ + distance * at, target_, up));
    return result;
  }

  /** \brief Returns the pixels for every metre with which all meshes fit. */
  float
  scaleFor(const std::vector<Pose>& poses) const
  {
    float scale = 1e6f;
    for (const Pose& pose : poses) {
      const Eigen::Vector2f size = growth() * halfSize(points_, pose);
      const Eigen::Vector2f pixels(0.5f * options_.size.width,
                                   0.5f * options_.size.height);
      scale = std::min(scale, pixels.cwiseQuotient(size.cwiseMax(1e-6f)).minCoeff());
    }
    return scale;
  }

private:
  /** \brief Returns the direction from the target to the camera. */
  Eigen::Vector3f
  direction(const Eigen::Vector3f& up) const
  {
    if (options_.eye) {
      if (*options_.eye == target_)
        throw InputError("--eye: is the target: expected a place apart from it");
      return (*options_.eye - target_).normalized();
    }
    // From the front (z, or whatever is level then), the right and above.
    Eigen::Vector3f front = Eigen::Vector3f::UnitZ();
    front -= front.dot(up) * up;
    if (front.norm() < 0.1f)
      front = -Eigen::Vector3f::UnitY();
    const Eigen::Vector3f right = up.cross(front).normalized();
    return (front.normalized() + 0.5f * right + 0.4f * up).normalized();
  }

  float
  distanceFor(const std::vector<Eigen::Vector3f>& directions) const
  {
    float distance = smallest_;
    for (const Eigen::Vector3f& at : directions) {
      const Pose turned = lookAt(target_ + at, target_, options_.up);
      Pose pose = turned;
      pose.translation() = target_;
      distance =
          std::max(distance, distanceToSeeAll(points_, pose, slopes_ / growth()));
    }
    return distance;
  }

  float
  growth() const
  {
    return margin * (options_.deformation ? margin_of_deformation : 1.0f);
  }

  const RaycastOptions& options_;
  Points points_;
  Eigen::Vector2f slopes_;
  Eigen::Vector3f target_;
  float smallest_ = 0.0f;
};

} // namespace

std::vector<CameraView>
placeCameras(const RaycastOptions& options, const std::vector<InputMesh>& meshes)
{
  const Placement placement(options, meshes);
  const std::vector<Pose> poses = placement.poses();
  std::vector<CameraView> views;
  if (!options.orthographic) {
    for (const Pose& pose : poses)
      views.emplace_back(pinhole(options), pose);
    return views;
  }
  OrthographicCamera camera;
  camera.scale_x = camera.scale_y =
      *options.orthographic > 0.0f ? *options.orthographic : placement.scaleFor(poses);
  camera.cx = 0.5f * static_cast<float>(options.size.width - 1);
  camera.cy = 0.5f * static_cast<float>(options.size.height - 1);
  camera.width = options.size.width;
  camera.height = options.size.height;
  for (const Pose& pose : poses)
    views.emplace_back(camera, pose);
  return views;
}

} // namespace pcl::gpu::apps
