// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/point_types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Numbers of the parts of a scene. */
struct SceneSize {
  std::size_t points = 50'000;
  std::size_t samples = 2000;
  int capsules = 48;       ///< of a sample; more than 48 are those of a second person
  double on_body = 0.3;    ///< share of the points that lie on the body
  float spread = 0.2f;     ///< deviation of the samples' joint angles, radians
  float truncation = 0.1f; ///< tau, metres

  /** \brief Products of points, samples and capsules. */
  double
  pairs() const;

  std::string
  pointsOnBody() const;
};

/** \brief Points that a depth camera at the origin sees, which looks along z: some on
 * the body, with 1 cm of noise, the others on a wall and the floor behind it (y points
 * down).
 * \param[in] size number of points, and the share of them on the body
 * \param[in] body capsules some 3 m before the camera
 */
std::vector<pcl::PointXYZ>
seenPoints(const SceneSize& size, const std::vector<pcl::gpu::Capsule>& body);

/** \brief A person of 48 capsules 3 m before the camera, who is at the origin, as a
 * depth camera sees it: points on the body in its mean pose with 1 cm of noise, the
 * others on a wall and the floor. Samples are the mean pose with noise on all angles.
 *
 * The same size gives the same scene, on any number of threads.
 */
struct BodyScene {
  explicit BodyScene(const SceneSize& size);

  SceneSize size;
  std::vector<pcl::PointXYZ> points;
  std::vector<pcl::gpu::Capsule> capsules;

  /** \brief Three floats a point, as listing 1.2 has them. */
  std::vector<float>
  pointCoordinates() const;
};

/** \brief Compares sums of distances with those of listing 1.2 on a small scene, culled
 * and by brute force, on the current device.
 * \throws std::runtime_error if they differ by more than 1e-4 of the sum
 */
void
checkAgainstListing();

/** \brief Seconds that listing 1.2 takes for a pair, measured on some samples of the
 * scene. */
double
timeListing(const BodyScene& scene, std::size_t samples);

} // namespace benchmarks
