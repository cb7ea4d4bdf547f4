// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace benchmarks {

/** \brief Least work of a stage in any program. */
struct Work {
  double bytes = 0.0;           ///< inputs read once, outputs written once
  double instructions = 0.0;    ///< fp32 operations, a fused multiply-add is one
  double transcendentals = 0.0; ///< exponentials and square roots
};

/** \brief The least time for some work, microseconds. */
struct Floor {
  double memory = 0.0;
  double arithmetic = 0.0;
  double special = 0.0;

  double
  largest() const;
};

/** \brief Ceilings of one NVIDIA H200 as measured, not as its data sheet has them. */
struct Ceilings {
  double memory = 4.26e12;     ///< bytes/s, device memory
  double cache = 9.5e12;       ///< bytes/s, second-level cache
  double cache_bytes = 48.0e6; ///< bytes that stay in that cache in practice
  double arithmetic = 32.6e12; ///< fp32 lane operations/s
  double special = 4.17e12;    ///< exponentials or square roots/s
};

/** \brief Turns work into time.
 * \param[in] work the work
 * \param[in] working_set bytes that one frame's whole chain touches: up to what stays
 * in the cache, memory is taken at the cache's rate
 */
Floor
floorOf(const Work& work, double working_set, const Ceilings& ceilings = {});

/** \brief Bytes that the whole chain touches. */
double
chainWorkingSet(double pixels, double polygons);

Work
filterWork(double pixels, int radius);

Work
projectionWork(double pixels);

Work
normalWork(double pixels, int radius);

/** \brief Bytes alone: the number of operations depends on the algorithm. */
Work
adaptiveNormalWork(double pixels);

/** \brief Bytes alone, as above. */
Work
flyingPixelWork(double pixels);

Work
resolutionWork(double pixels);

Work
triangulationWork(double pixels, double polygons);

/** \brief All stages; filter and projection as one, so that depth is not read again. */
Work
chainWork(double pixels, double polygons, int filter_radius, int normal_radius);

} // namespace benchmarks
