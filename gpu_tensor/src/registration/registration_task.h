// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/pose_types.h"

#include <pcl/gpu/tensor/tensor_elements.h>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

/** \brief The nearest point of a surface in each cell of a grid about it. */
struct SurfaceGrid {
  float lower[3]; ///< corner of the first cell, metres
  float cell;     ///< width of a cell, metres
  int size[3];    ///< cells along x, y and z
  /** \brief Number of the point that is nearest to the cell's middle, -1 for none
   * within reach; x changes fastest. */
  const int* nearest;

  PCL_GPU_HOST_DEVICE std::size_t
  cells() const
  {
    return std::size_t(size[0]) * size[1] * size[2];
  }
};

/** \brief A camera's depth map. */
struct MeasuredDepth {
  PtrStepSz<const float> depth; ///< metres, NaN for none; data is null without a camera
  PinholeCamera camera;
};

/** \brief The surface of a cloud: points that are spread evenly, in a random order. */
struct ScannedSurface {
  const Float4* points; ///< about the centre
  /** \brief Unit normals. Those of a camera's view face the camera, others either
   * side. */
  const Float4* normals;
  int count;
  float center[3]; ///< in the frame of the cloud, or of the camera
  SurfaceGrid grid;
  MeasuredDepth seen; ///< by the camera in the origin
};

/** \brief Fills a grid. */
struct GridTask {
  const Float4* points;
  int count;
  float center[3];
  SurfaceGrid grid;    ///< without \a nearest
  int reach;           ///< cells up to which points are found
  std::uint64_t* keys; ///< scratch: one for each cell
  int* nearest;
};

/** \brief Lengths by which surfaces are compared, metres, and cosines. */
struct OverlapParameters {
  float tolerance;  ///< of points that lie on a surface
  float lateral;    ///< distance along the surface to a point's neighbour, at most
  float min_cosine; ///< between the normals
  bool is_oriented; ///< whether the normals of both surfaces say which side was seen
};

/** \brief A hypothesis: a pose, and how well it fits. */
struct RankedPose {
  ModelPose pose; ///< model is -1 for none
  float rank;     ///< the larger, the better
};

/** \brief A pose that was judged by all points. */
struct JudgedPose {
  ModelPose pose;
  float fit;     ///< see ViewAlignment::fit
  float overlap; ///< share of the points on the other surface, mean of both ways
  float support; ///< see supportOf()
  int inliers;   ///< points on the other surface, the fewer of both ways
};

/** \brief Looks for a surface in another one. */
struct RegistrationTask {
  ScannedSurface source, target;
  const gpu::TensorFrame* frames;        ///< of the source's tensors
  int tensors;                           ///< of the source
  const gpu::TensorFrame* target_frames; ///< of the table's tensors
  const gpu::TensorMatch* matches;
  int match_count; ///< of each tensor
  OverlapParameters overlap;
  float support_distance; ///< of frames' origins that agree, metres
  RefinementRounds capture, refinement;
};

/** \brief Works on poses of the source in the target's frame. */
template <typename PoseT>
struct PoseTask : RegistrationTask {
  PoseT* poses;
  int count;
};

namespace host {

void
fillGrid(const GridTask& task);

/** \brief Makes the poses of all matches, tensors times match_count of them, and ranks
 * them. */
void
rankPoses(const PoseTask<RankedPose>& task);

/** \brief Moves poses to the target's surface, and ranks them again. */
void
capturePoses(const PoseTask<RankedPose>& task);

/** \brief Moves poses to their places, and judges them. */
void
judgePoses(const PoseTask<JudgedPose>& task);

} // namespace host

namespace cuda {

void
fillGrid(const GridTask& task, CUstream_st* stream);

void
rankPoses(const PoseTask<RankedPose>& task, CUstream_st* stream);

void
capturePoses(const PoseTask<RankedPose>& task, CUstream_st* stream);

void
judgePoses(const PoseTask<JudgedPose>& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
