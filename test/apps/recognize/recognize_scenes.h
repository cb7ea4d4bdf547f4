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

/** \brief Returns a block like the letter L, 0.22 m long, without symmetries. */
PolygonMesh
angleMesh();

/** \brief Returns a ring like a torus, 0.22 m wide. */
PolygonMesh
ringMesh();

/** \brief Returns a mesh whose coordinates are multiplied by a factor. */
PolygonMesh
scaledMesh(PolygonMesh mesh, float factor);

/** \brief Returns a small camera with a Kinect's resolution. */
PinholeCamera
smallCamera();

/** \brief Returns the pose of the block in the camera's frame. */
Pose
angleInScene();

/** \brief Returns the camera's view of the block and of a wall behind it.
 * \return metres, rows one after the other; NaN where nothing is seen
 */
std::vector<float>
renderScene();

/** \brief Returns the camera's view of a mesh alone.
 * \param[in] mesh the mesh
 * \param[in] camera_pose camera-to-mesh
 */
std::vector<float>
renderObject(const PolygonMesh& mesh, const Pose& camera_pose);

/** \brief Returns depth in millimetres; 0 for nothing. */
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
 * \param[in] is_moved points are in the frame that the sensor's pose refers to; else
 * they are in the sensor's
 */
void
writeDepthPcd(const std::string& path,
              const std::vector<float>& depth,
              const Pose& sensor = Pose::Identity(),
              bool is_moved = false);

} // namespace pcl::gpu::test
