// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/verification.h"

#include "verification/model_surface.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
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

} // namespace

DeviceSurfaces::DeviceSurfaces(const std::vector<TensorModel>& host_models,
                               bool have_outlines)
: have_outlines(have_outlines)
{
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> host_directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> surfaces;
  std::vector<device::Float4> all_points, all_normals, all_beside, axes;
  std::vector<std::uint32_t> firsts{0}, numbers;
  int max_visible = 0;
  for (const TensorModel& model : host_models) {
    VisibleSurface surface = findVisiblePoints(model.points, host_directions);
    if (have_outlines)
      findOutline(surface);
    const Eigen::Vector3f& center = surface.center;
    centers.push_back(center);
    surfaces.push_back({{center.x(), center.y(), center.z()},
                        static_cast<int>(all_points.size()),
                        surface.spacing});
    append(surface.points, all_points);
    append(surface.normals, all_normals);
    append(surface.beside, all_beside);
    for (const std::vector<std::uint32_t>& list : surface.visible) {
      numbers.insert(numbers.end(), list.begin(), list.end());
      firsts.push_back(static_cast<std::uint32_t>(numbers.size()));
      max_visible = std::max(max_visible, static_cast<int>(list.size()));
    }
  }
  append(host_directions, axes);
  models.upload(surfaces.data(), surfaces.size());
  points.upload(all_points.data(), all_points.size());
  normals.upload(all_normals.data(), all_normals.size());
  beside.upload(all_beside.data(), all_beside.size());
  directions.upload(axes);
  starts.upload(firsts);
  visible.upload(numbers.data(), numbers.size());
  view = {models.ptr(),
          points.ptr(),
          normals.ptr(),
          beside.ptr(),
          directions.ptr(),
          static_cast<int>(directions.size()),
          starts.ptr(),
          visible.ptr(),
          max_visible};
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

void
PoseVerificationParameters::validate() const
{
  checkBetween("rounds of refinement", rounds, 0, max_rounds, "0 to 64");
  checkAtLeast("points of refinement", points, 1);
  checkPositive("first distance of refinement", first_distance);
  checkPositive("last distance of refinement", last_distance);
  checkArgument(last_distance <= first_distance,
                "last distance of refinement",
                last_distance,
                "not more than the first");
  checkPositive("inlier distance", inlier_distance);
  checkPositive("free distance", free_distance);
  checkBetween("least visible share", min_visible, 0.0f, 1.0f, "0 to 1");
  checkBetween("least fit", min_fit, 0.0f, 1.0f, "0 to 1");
  checkBetween("largest share of violations", max_violations, 0.0f, 1.0f, "0 to 1");
  checkBetween("least spread", min_spread, 0.0f, 0.5f, "0 to 0.5");
  checkAtLeast("least number of inliers", min_inliers, 0);
  checkArgument(std::isfinite(min_confidence),
                "least confidence",
                min_confidence,
                "a finite number");
  checkNotNegative("weight of the support", support_weight);
}

device::CameraCloud
cameraCloud(const OrganizedCloud& cloud,
            const NormalMap& normals,
            const PinholeCamera& camera)
{
  return {inputView<device::Float4>(cloud), inputView<device::Float4>(normals), camera};
}

device::VerificationParameters
inMetres(const PoseVerificationParameters& parameters, float resolution)
{
  device::VerificationParameters p{};
  p.given = parameters;
  for (int i = 0; i < parameters.rounds; ++i) {
    const float done =
        parameters.rounds > 1
            ? static_cast<float>(i) / static_cast<float>(parameters.rounds - 1)
            : 1.0f;
    const float ratio = parameters.last_distance / parameters.first_distance;
    p.gates[i] = parameters.first_distance * std::pow(ratio, done) * resolution;
    p.cosines[i] = std::cos((60.0f - 20.0f * done) * device::pi / 180.0f);
  }
  p.tolerance = parameters.inlier_distance * resolution;
  p.free_distance = parameters.free_distance * resolution;
  p.min_cosine = std::cos(40.0f * device::pi / 180.0f);
  return p;
}

std::vector<RecognizedObject>
verifyPoses(const device::VerificationInput& input,
            const std::vector<device::ModelPose>& poses,
            Workspace& workspace)
{
  const std::size_t pixels = poses.size() * input.surfaces.max_visible;
  workspace.reserve(Workspace::bytesFor<int>(pixels));
  DeviceArray<device::ModelPose> given;
  given.upload(poses);
  DeviceArray<RecognizedObject> objects(poses.size());
  dispatch(currentDevice(),
           PCL_GPU_BOTH(verify),
           device::VerificationTask{input,
                                    given.ptr(),
                                    static_cast<int>(poses.size()),
                                    objects.ptr(),
                                    workspace.take<int>(pixels)},
           Stream());
  std::vector<RecognizedObject> verified;
  objects.download(verified);
  return verified;
}

} // namespace pcl::gpu
