// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/verification_task.h"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
namespace pcl::device {

using gpu::TensorFrame;
using gpu::TensorMatch;

/** \brief Means of a group of poses that follow the first, each of a smaller radius. */
constexpr int mean_shifts = 2;

/** \brief Parameters by which poses are found and objects are chosen. */
struct RecognitionParameters {
  PoseRadius group[1 + mean_shifts]; ///< of hypotheses, then of mean shifts
  int max_candidates;
  PoseRadius same;  ///< refined poses this near are merged
  float max_shared; ///< share of a candidate's pixels that others may have claimed
};

/** \brief Finds objects: from matches to poses that were judged. */
struct RecognitionTask {
  const TensorFrame* frames; ///< of the scene's tensors
  const int* count;
  int max_count;
  const TensorFrame* table_frames; ///< in the models' frames
  const int* labels;               ///< models of the table's tensors
  const TensorMatch* matches;
  int match_count;                ///< of each tensor
  VerificationInput verification; ///< without a mirror
  RecognitionParameters parameters;
  RecognizedObject* objects; ///< room for max_candidates
  int* object_count;
  PtrStep<int> pixel_objects; ///< of each pixel, -1 for none; may be null
  void* scratch;              ///< of RecognitionScratch

  PCL_GPU_HOST_DEVICE int
  hypotheses() const
  {
    return max_count * match_count;
  }

  /** \brief Returns the number of pixels of the scene. */
  PCL_GPU_HOST_DEVICE std::size_t
  pixels() const
  {
    return std::size_t(verification.scene.cloud.rows) * verification.scene.cloud.cols;
  }

  /** \brief Returns the largest number of tensors of the scene. */
  PCL_GPU_HOST_DEVICE int
  tensors() const
  {
    return max_count == 0 ? 0 : *count < max_count ? *count : max_count;
  }
};

namespace host {

void
recognize(const RecognitionTask& task);

} // namespace host

namespace cuda {

void
recognize(const RecognitionTask& task, CUstream_st* stream);

} // namespace cuda

/** \brief Memory of a run. */
struct RecognitionScratch {
  ModelPose* poses;       ///< hypotheses
  std::uint32_t* weights; ///< of hypotheses
  std::uint64_t* support; ///< of hypotheses
  std::uint32_t* is_peak; ///< of hypotheses
  PoseCandidate* candidates;
  int* candidate_count;
  int* pixels; ///< of each candidate's points, row by row: those of inliers, else -1
  int* order;  ///< candidates, the best first
  int* kept;   ///< those that became objects, in their order
  std::uint8_t* claimed; ///< of each pixel of the scene
  std::uint64_t* claims; ///< of each pixel of the scene
  std::size_t bytes;     ///< of all

  /** \param[in] memory null to ask for its size */
  RecognitionScratch(const RecognitionTask& task, void* memory)
  {
    const std::size_t hypotheses = task.hypotheses();
    const std::size_t most = task.parameters.max_candidates;
    ScratchPieces pieces(memory);
    poses = pieces.take<ModelPose>(hypotheses);
    weights = pieces.take<std::uint32_t>(hypotheses);
    support = pieces.take<std::uint64_t>(hypotheses);
    is_peak = pieces.take<std::uint32_t>(hypotheses);
    candidates = pieces.take<PoseCandidate>(most);
    candidate_count = pieces.take<int>(1);
    pixels = pieces.take<int>(most * task.verification.surfaces.max_visible);
    order = pieces.take<int>(most);
    kept = pieces.take<int>(most);
    claimed = pieces.take<std::uint8_t>(task.pixels());
    claims = pieces.take<std::uint64_t>(task.pixel_objects.data ? task.pixels() : 0);
    bytes = pieces.bytes();
  }
};

} // namespace pcl::device
