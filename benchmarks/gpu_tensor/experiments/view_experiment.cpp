// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_experiments.h"

#include "common/report.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_matching.h>

#include <algorithm>
#include <cstdio>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

/** \brief Thresholds of a row of the table. */
struct MatchRule {
  float least; ///< overlap and coefficient
  MatchRanking ranking;
};

constexpr MatchRule rules[] = {{0.45f, MatchRanking::CorrelationTimesOverlap},
                               {0.45f, MatchRanking::Correlation},
                               {0.4f, MatchRanking::CorrelationTimesOverlap},
                               {0.3f, MatchRanking::CorrelationTimesOverlap}};

struct MatchCounts {
  int right = 0, wrong = 0, none = 0;
  int views_right = 0, views = 0;
};

/** \brief Counts the matches of a view, and whether most are of its object. */
void
countMatches(const std::vector<TensorMatch>& matches,
             const std::vector<int>& labels,
             int object,
             int objects,
             MatchCounts& counts)
{
  std::vector<int> votes(static_cast<std::size_t>(objects), 0);
  for (const TensorMatch& match : matches) {
    if (match.tensor < 0) {
      ++counts.none;
      continue;
    }
    const int label = labels[match.tensor];
    ++votes[label];
    ++(label == object ? counts.right : counts.wrong);
  }
  const auto most = std::max_element(votes.begin(), votes.end());
  ++counts.views;
  counts.views_right += *most > 0 && most - votes.begin() == object ? 1 : 0;
}

Pose
randomPose(Random& random)
{
  std::uniform_real_distribution<float> aside(-0.05f, 0.05f), away(0.8f, 1.0f);
  Pose pose = Pose::Identity();
  pose.linear() = randomRotation(random);
  for (int i = 0; i < 2; ++i)
    pose.translation()[i] = aside(random);
  pose.translation().z() = away(random);
  return pose;
}

} // namespace

void
runViews(const ExperimentOptions& options)
{
  const LearnedObjects objects = learnedObjects(options);
  DepthMapTensorExtraction extraction;
  DepthMapTensorExtractionParameters parameters;
  parameters.surface.projection.camera = kinectCamera();
  parameters.tensors = objects.library->getParameters();
  parameters.tensor_count = options.tensors;
  const TensorTable& table = objects.library->table();
  const std::vector<int> labels = test::downloaded(table.labels());
  MatchCounts counts[std::size(rules)];
  const int object_count = static_cast<int>(objects.meshes.size());
  for (int object = 0; object < object_count; ++object)
    for (int view = 0; view < options.scenes; ++view) {
      const auto number = static_cast<std::uint64_t>(object * options.scenes + view);
      Random random(1000003 * options.seed + number);
      const Pose pose = randomPose(random);
      parameters.seed = number;
      extraction.setParameters(parameters);
      extraction.compute(test::uploaded(
          withKinectNoise(renderedDepth(objects.meshes[object], pose), random)));
      const int tensors = test::downloaded(extraction.tensors().count).at(0);
      for (std::size_t i = 0; i < std::size(rules); ++i) {
        TensorMatching matching;
        TensorMatchingParameters rule;
        rule.min_overlap = rule.min_correlation = rules[i].least;
        rule.min_overlap_voxels = 12;
        rule.ranking = rules[i].ranking;
        matching.setParameters(rule);
        DeviceArray<TensorMatch> device_matches;
        matching.compute(extraction.tensors(), table, device_matches);
        std::vector<TensorMatch> matches = test::downloaded(device_matches);
        matches.resize(static_cast<std::size_t>(tensors));
        countMatches(matches, labels, object, object_count, counts[i]);
      }
    }
  printHeading(
      "| least | best by | right of matched | right of all | no match | views right |");
  for (std::size_t i = 0; i < std::size(rules); ++i) {
    const MatchCounts& c = counts[i];
    const double matched = std::max(c.right + c.wrong, 1);
    const double all = std::max(c.right + c.wrong + c.none, 1);
    std::printf("| %.2f | %s | %.1f %% | %.1f %% | %.1f %% | %d of %d |\n",
                rules[i].least,
                rules[i].ranking == MatchRanking::Correlation ? "coefficient"
                                                              : "coefficient x overlap",
                100.0 * c.right / matched,
                100.0 * c.right / all,
                100.0 * c.none / all,
                c.views_right,
                c.views);
  }
}

} // namespace benchmarks
