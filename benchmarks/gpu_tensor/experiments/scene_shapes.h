// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"

namespace benchmarks {

/** \brief A box about the origin. */
pcl::gpu::test::HostMesh
boxMesh(const Eigen::Vector3f& half_size);

/** \brief A cylinder about the z axis, from z = 0 to its height. */
pcl::gpu::test::HostMesh
cylinderMesh(float radius, float height);

/** \brief Points spread over the surface of a mesh at random, the same ones each time.
 */
std::vector<Eigen::Vector3f>
surfaceSamples(const pcl::gpu::test::HostMesh& mesh, int count);

} // namespace benchmarks
