// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/device_surfaces.h"

#include "poses/model_surface.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>

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

DeviceSurfaces::DeviceSurfaces(const std::vector<TensorModel>& host_models)
{
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> host_directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> surfaces;
  std::vector<device::Float4> all_points, all_normals, axes, turns;
  std::vector<std::uint32_t> firsts{0}, numbers, first_places{0}, first_turns{0};
  std::vector<device::ContourPlace> places;
  int max_visible = 0;
  for (const TensorModel& model : host_models) {
    const VisibleSurface surface =
        findVisiblePoints(model.points, host_directions, model.symmetries);
    const Eigen::Vector3f& center = surface.center;
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
    appendContours(surface, host_directions, first_places, places);
    for (const Pose& symmetry : model.symmetries) {
      const Eigen::Quaternionf turn(symmetry.linear());
      turns.push_back({turn.x(), turn.y(), turn.z(), turn.w()});
    }
    first_turns.push_back(static_cast<std::uint32_t>(turns.size()));
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
  symmetry_starts.upload(first_turns);
  symmetries.upload(turns.data(), turns.size());
  view = {models.ptr(),
          points.ptr(),
          normals.ptr(),
          directions.ptr(),
          static_cast<int>(directions.size()),
          starts.ptr(),
          visible.ptr(),
          max_visible,
          contour_starts.ptr(),
          contours.ptr(),
          symmetry_starts.ptr(),
          symmetries.ptr()};
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

} // namespace pcl::gpu
