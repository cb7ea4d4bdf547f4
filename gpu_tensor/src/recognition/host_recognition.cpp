// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition/object_choice.hpp"
#include "recognition/pose_grouping.hpp"
#include "verification/model_pose.hpp"

#include <algorithm>

namespace pcl::device::host {

namespace {

void
assignPixels(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const int columns = task.verification.scene.cloud.cols,
            rows = task.verification.scene.cloud.rows;
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
findPeaks(const RecognitionTask& task, const RecognitionScratch& scratch)
{
  const int hypotheses = task.hypotheses();
  const int tensors = task.tensors();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < hypotheses; ++i)
    makeHypothesis(task, i, scratch);
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < hypotheses; ++i) {
    std::uint64_t support = 0;
    if (scratch.weights[i] > 0)
      for (int tensor = 0; tensor < tensors; ++tensor)
        support += agreeingWeight(task, scratch, scratch.poses[i], tensor);
    scratch.support[i] = support;
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < hypotheses; ++i) {
    bool is_peak = scratch.weights[i] > 0;
    for (int j = 0; is_peak && j < hypotheses; ++j)
      is_peak = !overshadows(task, scratch, j, i);
    scratch.is_peak[i] = is_peak;
  }
  // From here on a list of the peaks.
  std::uint32_t* const peaks = scratch.is_peak;
  int peak_count = 0;
  for (int i = 0; i < hypotheses; ++i)
    if (scratch.is_peak[i] != 0)
      peaks[peak_count++] = static_cast<std::uint32_t>(i);
  const int count = std::min(peak_count, task.parameters.max_candidates);
  std::partial_sort(
      peaks, peaks + count, peaks + peak_count, [&](std::uint32_t a, std::uint32_t b) {
        return hasMoreSupport(scratch, static_cast<int>(a), static_cast<int>(b));
      });
  for (int i = 0; i < count; ++i) {
    scratch.candidates[i] = {};
    scratch.candidates[i].grouped = scratch.poses[peaks[i]];
    scratch.candidates[i].weight = scratch.support[peaks[i]];
  }
  *scratch.candidate_count = count;
}

} // namespace

void
recognize(const RecognitionTask& task)
{
  const RecognitionScratch scratch(task, task.scratch);
  findPeaks(task, scratch);
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
