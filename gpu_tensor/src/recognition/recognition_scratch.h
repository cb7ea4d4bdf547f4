// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognition/recognition_task.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

namespace pcl::device {

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
    const auto hypothesis_count = static_cast<std::size_t>(task.hypotheses());
    const auto most = static_cast<std::size_t>(task.parameters.max_candidates);
    ScratchPieces pieces(memory);
    poses = pieces.take<ModelPose>(hypothesis_count);
    weights = pieces.take<std::uint32_t>(hypothesis_count);
    support = pieces.take<std::uint64_t>(hypothesis_count);
    is_peak = pieces.take<std::uint32_t>(hypothesis_count);
    candidates = pieces.take<PoseCandidate>(most);
    candidate_count = pieces.take<int>(1);
    pixels = pieces.take<int>(most * task.verification.surfaces.max_visible);
    order = pieces.take<int>(most);
    kept = pieces.take<int>(most);
    claimed = pieces.take<std::uint8_t>(task.pixels());
    claims = pieces.take<std::uint64_t>(task.pixel_objects.data ? task.pixels() : 0);
    bytes = pieces.bytes();
  }

  RecognitionScratch() = default;
};

} // namespace pcl::device
