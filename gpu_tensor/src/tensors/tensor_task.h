// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/task_parts.h"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

namespace pcl::device {

using gpu::PointPair;
using gpu::TensorExtractionParameters;
using gpu::TensorFrame;

/** \brief A mesh over an organized cloud, or of any triangles. */
struct TensorMesh {
  PtrStepSz<const Float4> points; ///< one row if not organized
  PtrStep<const Float4> normals;
  PtrStep<const std::uint8_t> validity; ///< QuadValidity; null if not organized
  const int* triangles;                 ///< null if organized
  int triangle_count;

  PCL_GPU_HOST_DEVICE Float4
  point(int number) const
  {
    return points.ptr(number / points.cols)[number % points.cols];
  }

  PCL_GPU_HOST_DEVICE Float4
  normal(int number) const
  {
    return normals.ptr(number / points.cols)[number % points.cols];
  }
};

/** \brief Computes the tensors of pairs of points. */
struct TensorTask : TensorExtractionParameters {
  TensorMesh mesh;
  const ResolutionStatistics* statistics; ///< null if not needed
  const PointPair* pairs;
  const int* pair_count;
  int max_pairs;
  std::uint32_t room; ///< for entries
  TensorFrame* frames;
  int* count;
  std::uint32_t* starts;
  std::uint16_t* voxels;
  float* areas;
  ScratchMemory scratch;

  /** \brief Returns the size of a voxel, metres. */
  PCL_GPU_HOST_DEVICE float
  voxelSize() const
  {
    return voxel_unit == gpu::LengthUnit::Metres
               ? voxel_size
               : voxel_size * statistics->nearest_distance;
  }

  /** \brief Returns whether triangles have to be connected with the pair. */
  PCL_GPU_HOST_DEVICE bool
  connects() const
  {
    return triangles == gpu::TensorTriangles::Connected;
  }
};

// Areas are added up as whole numbers: the sum does not depend on the order.

/** \brief Whole numbers in one face of a voxel. */
constexpr double area_units = 67108864.0; // 2^26

/** \brief An area as a whole number; at most 32 faces of a voxel, that is, more than
 * any triangle inside it has. */
template <typename Real>
PCL_GPU_HOST_DEVICE std::uint32_t
areaUnits(Real area)
{
  return static_cast<std::uint32_t>(area * Real(area_units) + Real(0.5));
}

PCL_GPU_HOST_DEVICE float
areaOfUnits(std::uint64_t units)
{
  return static_cast<float>(static_cast<double>(units) / area_units);
}

/** \brief Number of voxels of a grid. */
PCL_GPU_HOST_DEVICE int
voxelCount(int grid_size)
{
  return grid_size * grid_size * grid_size;
}

namespace host {

ScratchBytes
tensorScratchBytes(const TensorTask& task);

void
computeTensors(const TensorTask& task);

} // namespace host

namespace cuda {

ScratchBytes
tensorScratchBytes(const TensorTask& task);

void
computeTensors(const TensorTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
