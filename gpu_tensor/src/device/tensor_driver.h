// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/tensor_frame.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::PointPair;
using gpu::PtrStep;
using gpu::PtrStepSz;
using gpu::ResolutionStatistics;
using gpu::TensorFrame;

/** \brief A length: a number, or a multiple of the frame's resolution. */
struct ResolutionMultiple {
  float factor;
  float resolution; ///< 0 for the frame's
};

PCL_GPU_HOST_DEVICE float
resolve(const ResolutionMultiple& multiple, const ResolutionStatistics* statistics)
{
  const float resolution =
      multiple.resolution > 0.0f ? multiple.resolution : statistics->nearest_distance;
  return multiple.factor * resolution;
}

/** \brief Which of all pairs are kept. */
struct PairSelection {
  int count; ///< 0 for all
  bool random;
  std::uint64_t seed;
};

/** \brief What finding pairs needs. */
struct PairTask {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  const ResolutionStatistics* statistics; ///< null if not needed
  const int* keypoints;                   ///< null if all points choose
  int keypoint_count;
  ResolutionMultiple min_distance, max_distance;
  float max_cosine; ///< of the angle between the normals of a pair
  int window_radius;
  int pairs_per_point;
  PairSelection selection;
  PointPair* pairs;
  int* count;
};

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

/** \brief What computing tensors needs. */
struct TensorTask {
  TensorMesh mesh;
  const ResolutionStatistics* statistics; ///< null if not needed
  const PointPair* pairs;
  const int* pair_count;
  int max_pairs;
  int grid_size;
  ResolutionMultiple voxel_size;
  bool connected; ///< only triangles that hang together with the pair
  float min_area;
  std::uint32_t max_entries;
  TensorFrame* frames;
  int* count;
  std::uint32_t* starts;
  std::uint16_t* voxels;
  float* areas;
};

/** \brief How much memory a run needs beside its input and output. */
struct ScratchBytes {
  std::size_t kept;  ///< zero before the first run of a size, and kept from run to run
  std::size_t loose; ///< of any contents
};

struct ScratchMemory {
  void* kept;
  void* loose;
};

/** \brief What the module's API classes ask of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class TensorDriver {
public:
  using Queue = CUstream_st*;

  virtual ScratchBytes
  pairScratchBytes(const PairTask& task) const = 0;

  virtual void
  findPairs(const PairTask& task, const ScratchMemory& scratch, Queue queue) const = 0;

  virtual ScratchBytes
  tensorScratchBytes(const TensorTask& task) const = 0;

  virtual void
  computeTensors(const TensorTask& task,
                 const ScratchMemory& scratch,
                 Queue queue) const = 0;

  /** \brief Sets bytes to zero. */
  virtual void
  clear(void* memory, std::size_t bytes, Queue queue) const = 0;

protected:
  ~TensorDriver() = default;
};

const TensorDriver&
hostTensorDriver();

/** \brief Exists only where the module is built with CUDA. */
const TensorDriver&
cudaTensorDriver();

} // namespace pcl::device
