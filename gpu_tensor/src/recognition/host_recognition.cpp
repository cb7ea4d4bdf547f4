// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/model_pose.hpp"
#include "recognition/object_choice.hpp"
#include "recognition/plane_extent.hpp"
#include "recognition/pose_search.hpp"

#include <algorithm>

namespace pcl::device::host {

namespace {

void
assignPixels(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const int columns = task.input.scene.cloud.cols, rows = task.input.scene.cloud.rows;
  std::fill_n(scratch.claims, task.pixels(), no_claim);
  const auto claim = [&](int pixel, std::uint64_t own) {
    scratch.claims[pixel] = std::min(scratch.claims[pixel], own);
  };
  for (int i = 0; i < *task.object_count; ++i)
    claimObject(SingleThread(), task, scratch, i, {0, 1}, {0, 1}, claim);
  PtrStep<int> objects = task.pixel_objects;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      objects.ptr(y)[x] = objectOf(scratch.claims[std::size_t(y) * columns + x]);
}

void
findExtents(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const PixelGrid grid(task.input.scene);
#pragma omp parallel for schedule(dynamic, 1)
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      float longest = 0.0f;
      for (int i = 0; i < plane_directions / 2; ++i) {
        const auto reach = [&](int direction) {
          return planeReach(task.input.scene,
                            task.parameters.deviation,
                            grid,
                            column,
                            row,
                            direction);
        };
        longest = std::max(longest, reach(i) + reach(i + plane_directions / 2));
      }
      scratch.extents[row * grid.columns + column] = longest;
    }
}

/** \brief Makes hypotheses, and moves those of the best ranks. */
void
moveHypotheses(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const int hypotheses = task.hypotheses();
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < hypotheses; ++i) {
    makeHypothesis(task, i, scratch);
    rankHypothesis(SingleThread(), task, scratch, i);
  }
  const int moved = task.moved();
  const std::uint32_t* const order = sortByKeys(scratch.hypotheses);
#pragma omp parallel for schedule(dynamic, 16)
  for (int i = 0; i < moved; ++i)
    moveHypothesis(SingleThread(), task, scratch, i, static_cast<int>(order[i]));
}

/** \brief Chooses as candidates those that are better than all others nearby. */
void
chooseCandidates(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const int moved = task.moved();
  const std::uint32_t* const order = sortByKeys(scratch.moved_ranks);
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < moved; ++i) {
    bool is_peak = scratch.scores[scratch.moved[i].hypothesis] > 0.0f;
    for (int j = 0; is_peak && j < moved; ++j)
      is_peak = !overshadows(task, scratch, j, i);
    scratch.is_peak[i] = is_peak;
  }
  int count = 0;
  for (int i = 0; i < moved && count < task.parameters.max_candidates; ++i)
    if (scratch.is_peak[order[i]] != 0)
      scratch.candidates[count++] = candidateOf(scratch, order[i]);
  *scratch.candidate_count = count;
}

} // namespace

void
recognize(const RecognitionTask& task)
{
  const RecognitionScratch scratch(task, task.scratch);
  findExtents(task, scratch);
  moveHypotheses(task, scratch);
  chooseCandidates(task, scratch);
  const int count = *scratch.candidate_count;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < count; ++i)
    scratch.candidates[i] = judgedCandidate(SingleThread(), task, scratch, i);
  std::fill_n(scratch.claimed, task.pixels(), 0);
  chooseObjects(SingleThread(), task, scratch);
  if (task.pixel_objects.data)
    assignPixels(task, scratch);
}

} // namespace pcl::device::host
