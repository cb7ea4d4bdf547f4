// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognition_driver.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

namespace pcl::device {

/** \brief The memory of a run, and how much it is. */
struct SizedRecognitionScratch {
  RecognitionScratch scratch;
  std::size_t bytes;
};

/** \param[in] memory null to ask for its size */
inline SizedRecognitionScratch
takeRecognitionScratch(const RecognitionTask& task, void* memory)
{
  const auto hypotheses = static_cast<std::size_t>(task.hypotheses());
  const auto candidates = static_cast<std::size_t>(task.parameters.max_candidates);
  ScratchPieces pieces(memory);
  RecognitionScratch scratch{};
  scratch.poses = pieces.take<ModelPose>(hypotheses);
  scratch.weights = pieces.take<std::uint32_t>(hypotheses);
  scratch.support = pieces.take<std::uint64_t>(hypotheses);
  scratch.is_peak = pieces.take<std::uint32_t>(hypotheses);
  scratch.candidates = pieces.take<PoseCandidate>(candidates);
  scratch.candidate_count = pieces.take<int>(1);
  scratch.pixels = pieces.take<int>(candidates * task.surfaces.max_visible);
  scratch.order = pieces.take<int>(candidates);
  scratch.kept = pieces.take<int>(candidates);
  const std::size_t pixels = std::size_t(task.scene.cloud.rows) * task.scene.cloud.cols;
  scratch.claimed = pieces.take<std::uint8_t>(pixels);
  scratch.claims =
      pieces.take<std::uint64_t>(task.pixel_objects.data ? pixels : std::size_t(0));
  return {scratch, pieces.bytes()};
}

} // namespace pcl::device
