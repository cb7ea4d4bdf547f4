// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"

#include <string>

namespace pcl::gpu::test {

/** \brief A scene on the current device that shows one mesh once. */
MeshScene::Ptr
sceneOf(const HostMesh& mesh, const Pose& pose = Pose::Identity());

/** \brief One triangle. */
HostMesh
triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);

/** \brief A rectangle across the camera's z axis, of two triangles that face the
 * camera. */
HostMesh
wall(float left, float right, float top, float bottom, float z);

/** \brief A closed sphere with the normals of its vertices: 20 * 4^subdivisions
 * triangles, counterclockwise from outside. */
HostMesh
icosphere(int subdivisions, float radius, const Eigen::Vector3f& center);

/** \brief A closed sphere around the origin of radius 1: 8 * 4^subdivisions triangles,
 * counterclockwise from outside. The first six vertices lie on the axes. */
HostMesh
octasphere(int subdivisions);

/** \brief The surface of the cube from -1 to 1, each face a grid of cells^2 squares
 * that are cut in two; closed, counterclockwise from outside. */
HostMesh
gridCube(int cells);

/** \brief Random triangles before, around and behind a camera of slopes about -1 to 1:
 * plain, degenerate, duplicate, huge, tiny, axis-aligned and coplanar ones, slivers,
 * and such as cross the camera's plane. */
HostMesh
randomSoup(unsigned int seed, int triangles);

/** \brief Random rotation and translation. */
Pose
randomPose(unsigned int seed, float distance);

/** \brief A mesh of the test data, PLY or xz-compressed PLY; skips the test without. */
HostMesh
loadMesh(const std::string& name);

} // namespace pcl::gpu::test
