// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/convex_polyhedron.h"

#include "gathering/volumes/volumes.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pcl::gpu {

namespace {

constexpr const char* name = "a polyhedron";

// Parts of the largest distance: the move of planes outwards, the distance of points
// that count as on a plane, and the least thickness of a polyhedron.
constexpr double growth = 1e-6, tolerance = 1e-7, least_thickness = 1e-5;

/** \brief The smallest product of three unit normals that determines where their planes
 * meet. */
constexpr double least_product = 1e-9;

/** \brief A plane with a normal of length 1. */
struct Plane {
  Eigen::Vector3d normal;
  double distance;
};

/** \brief A vertex, and a bit for each plane that it lies on. */
struct Corner {
  Eigen::Vector3d point;
  std::uint32_t planes;
};

Plane
unitPlane(const HalfSpace& half_space)
{
  const Eigen::Vector3d normal = half_space.normal.cast<double>();
  const double length = normal.norm(), distance = half_space.distance;
  checkArgument(std::isfinite(length) && length > 0.0,
                "length of a half-space's normal",
                length,
                "a positive number");
  checkArgument(
      std::isfinite(distance), "distance of a half-space", distance, "a finite number");
  return {normal / length, distance / length};
}

/** \brief Planes in other places than those before them, or nearer. */
std::vector<Plane>
differentPlanes(const std::vector<HalfSpace>& half_spaces)
{
  std::vector<Plane> planes;
  for (const HalfSpace& half_space : half_spaces) {
    const Plane plane = unitPlane(half_space);
    const auto same =
        std::find_if(planes.begin(), planes.end(), [&](const Plane& other) {
          return (other.normal - plane.normal).norm() < least_product;
        });
    if (same == planes.end())
      planes.push_back(plane);
    else
      same->distance = std::min(same->distance, plane.distance);
  }
  return planes;
}

/** \brief Rejects planes that leave a direction open. The directions that they leave
 * open are a cone, whose edges are where two of them meet. */
void
checkClosed(const std::vector<Plane>& planes)
{
  const auto isOpen = [&](const Eigen::Vector3d& direction) {
    return std::all_of(planes.begin(), planes.end(), [&](const Plane& plane) {
      return plane.normal.dot(direction) <= least_product;
    });
  };
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Plane& plane : planes)
    spread += plane.normal * plane.normal.transpose();
  bool is_open = !(std::abs(spread.determinant()) > least_product * least_product);
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Eigen::Vector3d line = planes[i].normal.cross(planes[j].normal);
      if (line.norm() > least_product)
        is_open = is_open || isOpen(line.normalized()) || isOpen(-line.normalized());
    }
  checkArgument(!is_open, name, "without end", "half-spaces that close it");
}

/** \brief All points where three planes meet and that lie beyond none, once each. */
std::vector<Corner>
cornersOf(const std::vector<Plane>& planes, double scale)
{
  std::vector<Corner> corners;
  const auto distanceTo = [](const Plane& plane, const Eigen::Vector3d& point) {
    return plane.normal.dot(point) - plane.distance;
  };
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k) {
        Eigen::Matrix3d normals;
        normals << planes[i].normal, planes[j].normal, planes[k].normal;
        if (!(std::abs(normals.determinant()) > least_product))
          continue;
        const Eigen::Vector3d distances(
            planes[i].distance, planes[j].distance, planes[k].distance);
        Corner corner{normals.transpose().inverse() * distances, 0};
        double beyond = 0.0;
        for (std::size_t plane = 0; plane < planes.size(); ++plane) {
          const double distance = distanceTo(planes[plane], corner.point);
          beyond = std::max(beyond, distance);
          if (std::abs(distance) <= tolerance * scale)
            corner.planes |= 1u << plane;
        }
        if (beyond > tolerance * scale)
          continue;
        const auto same =
            std::find_if(corners.begin(), corners.end(), [&](const Corner& other) {
              return (other.point - corner.point).norm() <= tolerance * scale;
            });
        if (same == corners.end())
          corners.push_back(corner);
        else
          same->planes |= corner.planes;
      }
  return corners;
}

/** \brief Rejects polyhedrons without thickness between a plane and the farthest
 * corner. */
void
checkThickness(const std::vector<Plane>& planes,
               const std::vector<Corner>& corners,
               double scale)
{
  bool is_thick = corners.size() >= 4;
  for (const Plane& plane : planes) {
    double thickness = 0.0;
    for (const Corner& corner : corners)
      thickness = std::max(thickness, plane.distance - plane.normal.dot(corner.point));
    is_thick = is_thick && thickness > least_thickness * scale;
  }
  checkArgument(
      is_thick, name, "without contents", "half-spaces with points in common");
}

/** \brief Corners that share two planes are joined. */
ConvexPolyhedron
joined(const std::vector<Corner>& corners)
{
  ConvexPolyhedron polyhedron;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    polyhedron.vertices.push_back(corners[i].point);
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint32_t shared = corners[i].planes & corners[j].planes;
      if (shared & (shared - 1))
        polyhedron.edges.push_back({static_cast<int>(j), static_cast<int>(i)});
    }
  }
  return polyhedron;
}

/** \brief Rejects polyhedrons that a QueryShape has no room for. Half-spaces that are
 * equal within tolerance could lead to it. */
void
checkEdges(const ConvexPolyhedron& polyhedron)
{
  std::vector<int> edges(polyhedron.vertices.size());
  for (const std::array<int, 2>& edge : polyhedron.edges)
    for (const int vertex : edge)
      ++edges[vertex];
  const bool is_sound = edges.size() <= device::max_volume_vertices &&
                        polyhedron.edges.size() <= device::max_volume_edges &&
                        *std::min_element(edges.begin(), edges.end()) >= 3;
  checkArgument(
      is_sound, name, "made of half-spaces that are almost the same", "others");
}

} // namespace

std::vector<HalfSpace>
boxHalfSpaces(const Eigen::Vector3f& half_size)
{
  std::vector<HalfSpace> half_spaces;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0f, 1.0f})
      half_spaces.push_back({sign * Eigen::Vector3f::Unit(axis), half_size[axis]});
  return half_spaces;
}

ConvexPolyhedron
polyhedronAround(const std::vector<HalfSpace>& half_spaces)
{
  static_assert(QueryVolume::max_half_spaces == device::max_half_spaces,
                "a query shape has room for as many");
  checkArgument(half_spaces.size() >= 4 &&
                    half_spaces.size() <= QueryVolume::max_half_spaces,
                "number of half-spaces",
                half_spaces.size(),
                "4 to 16");
  std::vector<Plane> planes = differentPlanes(half_spaces);
  checkClosed(planes);
  double scale = 0.0;
  for (const Plane& plane : planes)
    scale = std::max(scale, std::abs(plane.distance));
  for (Plane& plane : planes)
    plane.distance += growth * scale;
  const std::vector<Corner> corners = cornersOf(planes, scale);
  checkThickness(planes, corners, scale);
  const ConvexPolyhedron polyhedron = joined(corners);
  checkEdges(polyhedron);
  return polyhedron;
}

} // namespace pcl::gpu
