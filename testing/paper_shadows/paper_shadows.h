// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy.h"
#include "testing/paper_shadows/paper_shadows.hpp"
#include "visibility/visibility.h"

#include <pcl/gpu/containers/device_array.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pcl::gpu::test {

/** \brief Grid of a camera on a CUDA device, for shadow rays after algorithm 4 of
 * Patidar and Narayanan 2008; see paper_shadows.hpp. */
class PaperShadows {
public:
  /** \brief Allocates.
   * \param[in] task one view of a pinhole camera; its host arrays must stay
   * \param[in] grid all but the lists and the longest side; its world's array must stay
   * \param[in] in_camera the world's triangles in the camera's frame, on the device
   */
  PaperShadows(const device::CastTask& task,
               const ShadowGrid& grid,
               const device::WorldTriangles& in_camera);

  /** \brief Makes the grid, as every frame does; neither allocates nor waits. */
  void
  makeGrid(cudaStream_t stream);

  /** \brief After makeGrid(): puts the lists in order and finds the longest side, which
   * frames do without. Allocates and waits.
   * \return number of entries of all lists
   */
  std::size_t
  prepareRays(cudaStream_t stream);

  /** \brief Finds whether rays hit anything; neither allocates nor waits.
   * \param[in] task rays, and a hierarchy of the same triangles; answers are 1 if a ray
   * hits something, else 0
   * \param[in,out] went_on null, or is increased by the number of rays that had to go
   * on through the hierarchy
   */
  void
  testOcclusion(const device::QueryTask& task,
                unsigned int* went_on,
                cudaStream_t stream) const;

private:
  device::CastTask task_;
  ShadowGrid grid_;
  device::WorldTriangles in_camera_;
  pcl::gpu::DeviceArray<char> scratch_;
  pcl::gpu::DeviceArray<unsigned int> starts_;
  pcl::gpu::DeviceArray<device::TileEntry> entries_;
};

} // namespace pcl::gpu::test
