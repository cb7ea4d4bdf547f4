// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "meshes.h"

#include <pcl/gpu/raycast/camera_view.h>

#include <string>

namespace benchmarks {

/** \brief A mesh, and a camera that looks at it. */
struct Case {
  const HostMesh& mesh;
  int width;
  int height;
  double span; ///< part of the window that the mesh takes

  pcl::gpu::CameraView
  view() const;
};

/** \brief Returns the position of the light of all shadows: before the mesh, above the
 * camera. */
Eigen::Vector3f
lightPosition();

// The functions below print cells of a row of a Markdown table, each ending in " |".

/** \brief Both methods of MeshRayCaster: hits, a sum over all ids, and time. */
void
printFrame(const Case& test, const CudaTimer& timer, const pcl::gpu::Stream& stream);

/** \brief MeshRayQuery: the build, rays from the camera through the points that it
 * sees, and from these to a light. */
void
printQueries(const Case& test, const CudaTimer& timer, const pcl::gpu::Stream& stream);

/** \brief MeshRenderer: a picture with and without shadows, mirrors, ambient
 * occlusion. */
void
printPictures(const Case& test, const CudaTimer& timer, const pcl::gpu::Stream& stream);

/** \brief Shadow rays by the paper's line drawing in the frame's grid, and by the
 * hierarchy: to the light of all tables, which the image does not show, and to one that
 * it does.
 * \throws std::runtime_error if their answers differ
 */
void
printShadows(const Case& test, const CudaTimer& timer, const pcl::gpu::Stream& stream);

/** \brief Prints the paper's tables 1 and 3: tests and time by view and slabs. */
void
printSlabs(const HostMesh& dragon,
           const CudaTimer& timer,
           const pcl::gpu::Stream& stream);

} // namespace benchmarks
