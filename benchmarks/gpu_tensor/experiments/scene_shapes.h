// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"

namespace benchmarks {

/** \brief A box about the origin. */
pcl::gpu::test::HostMesh
boxMesh(const Eigen::Vector3f& half_size);

} // namespace benchmarks
