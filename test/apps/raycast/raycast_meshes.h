// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>

#include <string>

namespace pcl::gpu::test {

/** \brief A cube around the origin whose sides are quads that face outwards. */
PolygonMesh
cubeMesh(float side);

/** \brief Writes that as .ply, .obj, .stl or .vtk, by the name. */
void
writeCube(const std::string& path, float side);

} // namespace pcl::gpu::test
