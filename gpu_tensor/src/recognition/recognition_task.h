// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/pose_types.h"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/key_sort.h>

struct CUstream_st;

namespace pcl::device {

using gpu::RecognizedObject;
using gpu::TensorFrame;
using gpu::TensorMatch;

/** \brief Deviation of measured depth from a model's, by the depth. */
struct DepthDeviation {
  float constant; ///< metres
  float growth;   ///< with the squared depth, 1/metres

  PCL_GPU_HOST_DEVICE float
  at(float z) const
  {
    return constant + growth * z * z;
  }
};

/** \brief Parameters by which poses are found and objects are chosen. */
struct RecognitionParameters {
  int max_hypotheses;
  RefinementRounds capture; ///< of hypotheses
  PoseRadius same;          ///< moved hypotheses this near are one candidate
  int max_candidates;
  RefinementRounds refinement; ///< of candidates
  PoseRadius group;            ///< of matches that support a candidate
  DepthDeviation deviation;
  float min_visible, min_fit;
  float min_confidence;
  float max_shared; ///< share of a candidate's pixels that others may have claimed
};

/** \brief A grid of the pixels of a scene. */
struct PixelGrid {
  int stride; ///< between the grid's pixels
  int columns, rows;

  /** \param[in] scene that has a grid of at most some 160 columns */
  PCL_GPU_HOST_DEVICE explicit PixelGrid(const CameraCloud& scene)
  : stride(scene.cloud.cols < 320 ? 1 : scene.cloud.cols / 160)
  , columns((scene.cloud.cols + stride - 1) / stride)
  , rows((scene.cloud.rows + stride - 1) / stride)
  {}

  PCL_GPU_HOST_DEVICE int
  placeOf(int x, int y) const
  {
    return y / stride * columns + x / stride;
  }
};

/** \brief A hypothesis that was moved to the scene, or is about to be. */
struct MovedPose {
  ModelPose pose;
  int hypothesis;   ///< number of the one it was
  float preference; ///< see preferenceOf()
};

/** \brief A pose and its judgement. */
struct PoseCandidate {
  ModelPose matched; ///< as a match had it
  ModelPose pose;
  RecognizedObject object; ///< without its model and poses
  float preference;        ///< the best one in a place of the scene becomes an object
  bool accepted;
};

/** \brief Finds objects: from matches to poses that were judged. */
struct RecognitionTask {
  const TensorFrame* frames; ///< of the scene's tensors
  const int* count;
  int max_count;
  const TensorFrame* table_frames; ///< in the models' frames
  const int* labels;               ///< models of the table's tensors
  const TensorMatch* matches;
  int match_count;       ///< of each tensor
  RefinementInput input; ///< models and scene
  RecognitionParameters parameters;
  RecognizedObject* objects; ///< room for max_candidates
  int* object_count;
  PtrStep<int> pixel_objects; ///< of each pixel, -1 for none; may be null
  std::size_t sort_bytes;     ///< scratch memory of the longer sort
  void* scratch;              ///< of RecognitionScratch

  PCL_GPU_HOST_DEVICE int
  hypotheses() const
  {
    return max_count * match_count;
  }

  /** \brief Returns the number of hypotheses that are moved. */
  PCL_GPU_HOST_DEVICE int
  moved() const
  {
    return hypotheses() < parameters.max_hypotheses ? hypotheses()
                                                    : parameters.max_hypotheses;
  }

  /** \brief Returns the number of pixels of the scene. */
  PCL_GPU_HOST_DEVICE std::size_t
  pixels() const
  {
    return std::size_t(input.scene.cloud.rows) * input.scene.cloud.cols;
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

/** \brief Bits of keys that poses are sorted by. */
constexpr int rank_bits = 32;

/** \brief Memory of a run. */
struct RecognitionScratch {
  ModelPose* poses; ///< hypotheses
  float* scores;    ///< of hypotheses: their matches'; 0 for none
  /** \brief How far the scene's surface goes on in its plane, metres; of each pixel of
   * the grid. */
  float* extents;
  KeySort hypotheses; ///< by their ranks
  MovedPose* moved;
  KeySort moved_ranks;
  std::uint32_t* is_peak; ///< of moved hypotheses
  PoseCandidate* candidates;
  int* candidate_count;
  int* pixels; ///< of each candidate's points, row by row: those of inliers, else -1
  int* order;  ///< candidates, the best first; then those that became objects
  int* kept;   ///< whether candidates are accepted; then those that became objects
  std::uint8_t* claimed; ///< of each pixel of the scene
  std::uint64_t* claims; ///< of each pixel of the scene
  std::size_t bytes;     ///< of all

  /** \param[in] memory null to ask for its size */
  RecognitionScratch(const RecognitionTask& task, void* memory)
  {
    const std::size_t most = task.parameters.max_candidates;
    const PixelGrid grid(task.input.scene);
    ScratchPieces pieces(memory);
    poses = pieces.take<ModelPose>(task.hypotheses());
    scores = pieces.take<float>(task.hypotheses());
    extents = pieces.take<float>(std::size_t(grid.columns) * grid.rows);
    hypotheses = keySort(task, task.hypotheses(), pieces);
    moved = pieces.take<MovedPose>(task.moved());
    moved_ranks = keySort(task, task.moved(), pieces);
    is_peak = pieces.take<std::uint32_t>(task.moved());
    candidates = pieces.take<PoseCandidate>(most);
    candidate_count = pieces.take<int>(1);
    pixels = pieces.take<int>(most * task.input.surfaces.max_visible);
    order = pieces.take<int>(most);
    kept = pieces.take<int>(most);
    claimed = pieces.take<std::uint8_t>(task.pixels());
    claims = pieces.take<std::uint64_t>(task.pixel_objects.data ? task.pixels() : 0);
    bytes = pieces.bytes();
  }

private:
  static KeySort
  keySort(const RecognitionTask& task, std::size_t count, ScratchPieces& pieces)
  {
    KeySort sort{};
    sort.count = count;
    sort.bits = rank_bits;
    for (std::uint32_t** array :
         {&sort.keys, &sort.numbers, &sort.other_keys, &sort.other_numbers})
      *array = pieces.take<std::uint32_t>(count);
    sort.scratch = pieces.take<char>(task.sort_bytes);
    return sort;
  }
};

} // namespace pcl::device
