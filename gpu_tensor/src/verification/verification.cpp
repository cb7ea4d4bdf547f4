// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/verification.h"

#include "verification/model_surface.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

void
append(const std::vector<Eigen::Vector3f>& from, std::vector<device::Float4>& to)
{
  for (const Eigen::Vector3f& v : from)
    to.push_back({v.x(), v.y(), v.z(), 0.0f});
}

/** \brief Appends the contours that a surface has from each direction. */
void
appendContours(const VisibleSurface& surface,
               const std::vector<Eigen::Vector3f>& directions,
               std::vector<std::uint32_t>& firsts,
               std::vector<device::ContourPlace>& places)
{
  constexpr std::size_t most = 64; // of each direction
  for (const std::vector<OutsidePlace>& contour :
       findContours(surface, directions, most)) {
    for (const OutsidePlace& at : contour)
      places.push_back({{at.place.x(), at.place.y(), at.place.z()},
                        {at.inside.x(), at.inside.y(), at.inside.z()},
                        {at.normal.x(), at.normal.y(), at.normal.z()}});
    firsts.push_back(static_cast<std::uint32_t>(places.size()));
  }
}

} // namespace

DeviceSurfaces::DeviceSurfaces(const std::vector<TensorModel>& host_models,
                               bool have_contours)
: have_contours(have_contours)
{
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> host_directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> surfaces;
  std::vector<device::Float4> all_points, all_normals, axes;
  std::vector<std::uint32_t> firsts{0}, numbers, first_places{0};
  std::vector<device::ContourPlace> places;
  int max_visible = 0;
  for (const TensorModel& model : host_models) {
    const VisibleSurface surface = findVisiblePoints(model.points, host_directions);
    const Eigen::Vector3f& center = surface.center;
    centers.push_back(center);
    surfaces.push_back({{center.x(), center.y(), center.z()},
                        static_cast<int>(all_points.size()),
                        surface.spacing,
                        2.0f * surface.radius});
    append(surface.points, all_points);
    append(surface.normals, all_normals);
    for (const std::vector<std::uint32_t>& list : surface.visible) {
      numbers.insert(numbers.end(), list.begin(), list.end());
      firsts.push_back(static_cast<std::uint32_t>(numbers.size()));
      max_visible = std::max(max_visible, static_cast<int>(list.size()));
    }
    if (have_contours)
      appendContours(surface, host_directions, first_places, places);
  }
  append(host_directions, axes);
  models.upload(surfaces.data(), surfaces.size());
  points.upload(all_points.data(), all_points.size());
  normals.upload(all_normals.data(), all_normals.size());
  directions.upload(axes);
  starts.upload(firsts);
  visible.upload(numbers.data(), numbers.size());
  contour_starts.upload(first_places);
  contours.upload(places.data(), places.size());
  view = {models.ptr(),
          points.ptr(),
          normals.ptr(),
          directions.ptr(),
          static_cast<int>(directions.size()),
          starts.ptr(),
          visible.ptr(),
          max_visible,
          have_contours ? contour_starts.ptr() : nullptr,
          contours.ptr()};
}

device::ModelPose
DeviceSurfaces::aboutCenter(int model, const Pose& pose) const
{
  const Eigen::Quaternionf rotation = Eigen::Quaternionf(pose.linear()).normalized();
  const Eigen::Vector3f center = pose * centers[model];
  return {{rotation.x(), rotation.y(), rotation.z(), rotation.w()},
          {center.x(), center.y(), center.z()},
          model};
}

Pose
DeviceSurfaces::ownPose(const device::ModelPose& pose) const
{
  const device::Float4& q = pose.rotation;
  Pose own = Pose::Identity();
  own.linear() = Eigen::Quaternionf(q.w, q.x, q.y, q.z).toRotationMatrix();
  own.translation() = Eigen::Vector3f(pose.center[0], pose.center[1], pose.center[2]) -
                      own.linear() * centers[pose.model];
  return own;
}

void
PoseRefinementParameters::validate() const
{
  checkBetween("rounds of refinement", rounds, 0, max_rounds, "0 to 64");
  checkAtLeast("points of refinement", points, 1);
  checkPositive("first distance of refinement", first_distance);
  checkPositive("last distance of refinement", last_distance);
  checkArgument(last_distance <= first_distance,
                "last distance of refinement",
                last_distance,
                "not more than the first");
}

void
PoseVerificationParameters::validate() const
{
  refinement.validate();
  checkPositive("inlier distance", inlier_distance);
  checkPositive("free distance", free_distance);
}

device::CameraCloud
cameraCloud(const OrganizedCloud& cloud,
            const NormalMap& normals,
            const PinholeCamera& camera)
{
  return {inputView<device::Float4>(cloud), inputView<device::Float4>(normals), camera};
}

device::RefinementRounds
refinementRounds(int rounds,
                 int points,
                 const std::pair<float, float>& distances,
                 const std::pair<float, float>& cosines)
{
  device::RefinementRounds r{};
  r.rounds = rounds;
  r.points = points;
  for (int i = 0; i < rounds; ++i) {
    const float done =
        rounds > 1 ? static_cast<float>(i) / static_cast<float>(rounds - 1) : 1.0f;
    r.gates[i] = distances.first * std::pow(distances.second / distances.first, done);
    r.cosines[i] = cosines.first + done * (cosines.second - cosines.first);
  }
  return r;
}

device::VerificationParameters
inMetres(const PoseVerificationParameters& parameters, float resolution)
{
  device::VerificationParameters p{};
  const PoseRefinementParameters& refinement = parameters.refinement;
  p.refinement = refinementRounds(
      refinement.rounds,
      refinement.points,
      {refinement.first_distance * resolution, refinement.last_distance * resolution},
      {0.5f, 0.766044443f}); // 60 and 40 degrees
  p.tolerance = parameters.inlier_distance * resolution;
  p.free_distance = parameters.free_distance * resolution;
  p.min_cosine = 0.766044443f;
  return p;
}

std::vector<device::PoseFit>
verifyPoses(const device::VerificationInput& input,
            const std::vector<device::ModelPose>& poses,
            Workspace& workspace)
{
  const std::size_t pixels = poses.size() * input.surfaces.max_visible;
  workspace.reserve(Workspace::bytesFor<int>(pixels));
  DeviceArray<device::ModelPose> given;
  given.upload(poses);
  DeviceArray<device::PoseFit> fits(poses.size());
  dispatch(currentDevice(),
           PCL_GPU_BOTH(verify),
           device::VerificationTask{input,
                                    given.ptr(),
                                    static_cast<int>(poses.size()),
                                    fits.ptr(),
                                    workspace.take<int>(pixels)},
           Stream());
  std::vector<device::PoseFit> verified;
  fits.download(verified);
  return verified;
}

} // namespace pcl::gpu
