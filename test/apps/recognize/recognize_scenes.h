// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief A block like the letter L, 0.22 m long, that looks the same in no two poses. */
PolygonMesh
angleMesh();

/** \brief A ring like a torus, 0.22 m wide. */
PolygonMesh
ringMesh();

/** \brief A small camera with a Kinect's resolution. */
PinholeCamera
smallCamera();

/** \brief Where the block is in the scene: in the frame of the camera. */
Pose
angleInScene();

/** \brief What the camera sees of the block and of a wall behind it.
 * \return metres, rows one after the other; NaN where nothing is seen
 */
std::vector<float>
renderScene();

/** \brief What the camera sees of a mesh alone.
 * \param[in] mesh the mesh
 * \param[in] camera_pose camera-to-mesh
 */
std::vector<float>
renderObject(const PolygonMesh& mesh, const Pose& camera_pose);

/** \brief Depth in millimetres; 0 where nothing is seen. */
std::vector<std::uint16_t>
toMillimetres(const std::vector<float>& depth);

/** \brief Writes depth as 16-bit PNG in millimetres.
 * \param[in] path the file
 * \param[in] depth of the small camera
 */
void
writeDepthPng(const std::string& path, const std::vector<float>& depth);

/** \brief Writes depth as an organized cloud.
 * \param[in] path the file
 * \param[in] depth of the small camera
 * \param[in] sensor pose that the file gets
 * \param[in] is_moved points are in the frame that the sensor's pose refers to; else they
 * are in the sensor's
 */
void
writeDepthPcd(const std::string& path,
              const std::vector<float>& depth,
              const Pose& sensor = Pose::Identity(),
              bool is_moved = false);

} // namespace pcl::gpu::test
