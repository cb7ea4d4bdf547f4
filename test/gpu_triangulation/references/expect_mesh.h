// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "reference.h"

#include <pcl/gpu/triangulation/organized_triangulation.h>

#include <vector>

namespace pcl::gpu::test {

/** \brief The polygons of a mesh in their order; checks that count and room agree. */
std::vector<Polygon>
polygonsOf(const OrganizedMesh& mesh);

/** \brief A polygon turned so that its least vertex comes first: two polygons that run
 * around the same vertices the same way become equal. */
Polygon
canonical(Polygon polygon);

/** \brief Expects the reference's polygons in row-major order of their quads, the upper
 * before the lower, and a validity mask that says the same as the list. Quads that have
 * a test close to its threshold may have others.
 * \return the share of quads that were too close to decide
 */
double
expectMesh(const std::vector<ReferenceQuad>& expected,
           const OrganizedMesh& mesh,
           const ReferenceMesh& parameters,
           int rows,
           int columns);

/** \brief An output mesh that is not empty and holds nonsense. */
OrganizedMesh
poisonedMesh(int rows, int columns);

} // namespace pcl::gpu::test
