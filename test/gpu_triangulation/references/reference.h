// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <Eigen/Core>

#include <array>
#include <limits>
#include <vector>

/** \file
 * \brief The module's algorithms as the paper and the headers describe them: brute
 * force, double precision, nothing shared with the library but its plain data types.
 */

namespace pcl::gpu::test {

/** \brief Eq. (1); NaN where there is no measurement. */
double
referenceDisparityDepth(int disparity,
                        double baseline,
                        double focal_length,
                        double offset);

struct ReferenceFilter {
  double sigma_s = 4.5;
  double sigma_r = 0.03;
  double sigma_r_growth = 0.0;
  int radius = 6;
};

/** \brief Eq. (3) on metres; whatever is not finite and positive is no measurement. */
Image<double>
referenceFilter(const Image<double>& depth, const ReferenceFilter& filter);

/** \brief Eq. (2). */
Eigen::Vector3d
referencePoint(double z, int v, int u, const PinholeCamera& camera);

struct ReferenceWindow {
  int radius = 3;
  double max_depth_change_factor = std::numeric_limits<double>::infinity();
  Eigen::Vector3d viewpoint = Eigen::Vector3d::Zero();
};

/** \brief Plane fit to the window around a pixel. */
struct ReferencePlane {
  bool exists = false;
  /** \brief Too close to a threshold or a tie for the answer to be demanded. */
  bool unsure = false;
  /** \brief Too nearly perpendicular to the line of sight for the sign to be
   * demanded. */
  bool sign_unsure = false;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero(); ///< turned to the viewpoint
  double curvature = 0.0;
};

ReferencePlane
referencePlane(const Image<PointXYZ>& cloud,
               int v,
               int u,
               const ReferenceWindow& window);

/** \brief Angle between two vectors of any length, radians. */
double
angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

/** \brief ResolutionStatistics in double precision; population deviations. */
struct ReferenceStatistics {
  double mean_spacing;
  double spacing_deviation;
  double nearest_distance;
  double mean_angle;
  double angle_deviation;
  unsigned int points;
  unsigned int normals;
};

/** \param normals may be empty */
ReferenceStatistics
referenceStatistics(const Image<PointXYZ>& cloud,
                    const Image<PointXYZ>& normals,
                    int neighbors);

struct ReferenceMesh {
  Cut cut = Cut::Left;
  int row_step = 1;
  int column_step = 1;
  double angle_tolerance = 12.5 * 3.14159265358979323846 / 180.0;
  double distance_tolerance = 0.0;
  bool tolerance_is_depth_dependent = false;
  bool depth_is_distance = false;
  /** \brief The limit at distance 0, and what it grows by with the distance. */
  double max_edge_length = std::numeric_limits<double>::infinity();
  double max_edge_length_linear = 0.0;
  double max_edge_length_squared = 0.0;
  /** \brief Longer edges are valid, too, if they continue the surface. */
  bool follows_surface = false;
  double max_normal_angle = std::numeric_limits<double>::infinity();
  Eigen::Vector3d viewpoint = Eigen::Vector3d::Zero();

  /** \brief Takes both thresholds from the frame; see OrganizedTriangulation. */
  void
  setDynamicThresholds(const ReferenceStatistics& statistics,
                       double length_factor = 1.0,
                       double angle_factor = 1.0,
                       double least_ratio = 2.0,
                       double least_angle = 10.0 * 3.14159265358979323846 / 180.0);
};

/** \brief Vertices of a polygon, row-major pixel numbers; the fourth is -1 in
 * triangles. */
using Polygon = std::array<int, 4>;

/** \brief Polygons of one quad of pixels, the upper one first. */
struct ReferenceQuad {
  int row;
  int column;
  /** \brief A test is within 1e-6 of its threshold: the polygons may be others. */
  bool unsure = false;
  std::vector<Polygon> polygons;
};

/** \brief Eq. (5) as the text means it, and algorithm 4.
 * \param normals may be empty: then they are not tested
 */
std::vector<ReferenceQuad>
referenceMesh(const Image<PointXYZ>& cloud,
              const Image<PointXYZ>& normals,
              const ReferenceMesh& mesh);

} // namespace pcl::gpu::test
