// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#if defined(__CUDACC__)
#define PCL_GPU_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define PCL_GPU_HOST_DEVICE inline
#endif

namespace pcl::device {

/** \brief A point or normal as it lies in memory: pcl::PointXYZ's layout. */
struct alignas(16) Float4 {
  float x, y, z, w;
};

/** \brief The parameters of a PinholeCamera for a pixel, with focal lengths
 * inverted. */
struct Intrinsics {
  float cx, cy, inverse_fx, inverse_fy;
};

/** \brief A rigid transform: rows of the 3x4 matrix. */
struct RigidTransform {
  float m[3][4];
};

} // namespace pcl::device
