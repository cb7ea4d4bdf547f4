// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>

#include <string>

namespace pcl::gpu::test {

/** \brief Returns a cube around the origin, of quads that face outwards. */
PolygonMesh
cubeMesh(float side);

/** \brief Writes cubeMesh() as .ply, .obj, .stl or .vtk, by the name. */
void
writeCube(const std::string& path, float side);

} // namespace pcl::gpu::test
