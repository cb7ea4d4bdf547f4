// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "host_frames.h"
#include "normal_error.h"

#include <functional>
#include <memory>
#include <string>

namespace benchmarks {

/** \brief The window that all competitors get where they have one: 7 x 7. */
constexpr int window_radius = 3;

/** \brief The exact filters' standard deviations. */
constexpr float sigma_pixels = 4.5f;
constexpr float sigma_metres = 0.03f;

/** \brief Points and normals that a case left behind. */
struct CloudAndNormals {
  VectorMap points;
  VectorMap normals;
};

/** \brief One competitor at one stage of one frame. */
struct HostCase {
  /** \brief "chain", "flying pixels", "filter", "projection", "normals", "resolution",
   * "mesh". */
  std::string stage;
  std::string name; ///< whose and what, for the table; ours start with "ours"
  std::function<void()> prepare; ///< before every run, not timed; may be empty
  std::function<void()> run;     ///< the work to time
  std::function<CloudAndNormals()> result; ///< of the last run; empty if it has none
};

/** \brief Registers a case as the benchmark "frame/stage/name".
 *
 * Counters: min_ms and median_ms over its runs; with a result, the normals' error
 * against a float64 PCA of the very points that the case took its normals from:
 * error_deg, error_median_deg, kept.
 */
void
addCase(const Frame& frame, HostCase host_case);

/** \brief Adds this library's classes, and its wrappers with PCL's interface. */
void
addOurCases(const std::shared_ptr<const Frame>& frame);

/** \brief Adds PCL's classes.
 * \param[in] frame their input
 * \param[in] threads for those that have threads
 */
void
addPclCases(const std::shared_ptr<const Frame>& frame, int threads);

/** \brief Adds OpenCV's functions; nothing in a build without OpenCV.
 * \param[in] frame their input
 * \param[in] threads for all of them
 */
void
addOpenCvCases(const std::shared_ptr<const Frame>& frame, int threads);

} // namespace benchmarks
