// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/triangulation/cut.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::Cut;
using gpu::ResolutionStatistics;

/** \brief A threshold: a number, or mean + factor * deviation of the frame. A length
 * that depends on the frame is for distance 1 and grows with the distance. */
struct Threshold {
  bool dynamic;
  float value;       ///< the number or the factor
  float least_ratio; ///< a dynamic threshold is at least this times the mean
  float least;       ///< and at least this
};

/** \brief Growth of the lengths that edges are compared with by their distance d. */
struct LengthGrowth {
  float linear;         ///< added to the longest valid edge for each d
  float squared;        ///< and for each d^2
  bool tolerance_grows; ///< the distance tolerance is for d = 1 and grows with d^2
  bool depth_is_distance;
};

struct MeshParameters {
  Cut cut;
  int row_step;
  int column_step;
  float max_squared_cosine; ///< of the angle between edge and line of sight
  float distance_tolerance; ///< up to this length that angle does not matter
  LengthGrowth growth;
  Threshold edge_length;
  Threshold normal_angle;
  bool test_normals;
  float viewpoint[3];
};

/** \brief A cloud to be connected into a mesh. */
struct MeshTask {
  PtrStepSz<const Float4> cloud;
  PtrStepSz<const Float4> normals;        ///< null unless they are tested
  const ResolutionStatistics* statistics; ///< null if no threshold is dynamic
  MeshParameters parameters;
  PtrStep<std::uint8_t> validity;
  int* indices;
  int* polygon_count;
  void* scratch; ///< as many bytes as meshScratchBytes() gives, kept from run to run
};

namespace host {

std::size_t
meshScratchBytes(const MeshTask& task);

void
triangulate(const MeshTask& task);

} // namespace host

namespace cuda {

std::size_t
meshScratchBytes(const MeshTask& task);

void
triangulate(const MeshTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
