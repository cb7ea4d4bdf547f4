// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching_reference.h"
#include "common/change_parameters.h"

#include "matching_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

namespace pcl::gpu::test {

namespace {

double
mean(const std::vector<double>& values)
{
  double sum = 0.0;
  for (double value : values)
    sum += value;
  return sum / values.size();
}

bool
varies(const std::vector<double>& values)
{
  return std::any_of(values.begin(), values.end(), [&values](double value) {
    return value != values.front();
  });
}

double
coefficientOf(const std::vector<double>& p, const std::vector<double>& q)
{
  if (p.empty() || !varies(p) || !varies(q))
    return 0.0;
  const double mean_p = mean(p), mean_q = mean(q);
  double pp = 0.0, qq = 0.0, pq = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    pp += (p[i] - mean_p) * (p[i] - mean_p);
    qq += (q[i] - mean_q) * (q[i] - mean_q);
    pq += (p[i] - mean_p) * (q[i] - mean_q);
  }
  return pq / (std::sqrt(pp) * std::sqrt(qq));
}

/** \brief The bin of an angle; pi, also if rounded, is in the last whole bin. */
int
binOf(float angle, float width)
{
  const double bins = std::ceil(3.14159265358979 / static_cast<double>(width) - 1e-3);
  return static_cast<int>(
      std::min(static_cast<double>(angle) / static_cast<double>(width), bins - 1.0));
}

/** \brief Numbers of the table with their coefficients, where the overlap is enough. */
std::map<int, Resemblance>
candidatesOf(const MatchingRules& rules, const HostMatches& found, int tensor)
{
  std::map<int, Resemblance> candidates;
  for (int other = 0; other < found.table.size(); ++other) {
    const int distance =
        std::abs(binOf(found.tensors.frames[tensor].angle, rules.bin_width) -
                 binOf(found.table.frames[other].angle, rules.bin_width));
    if (rules.neighbor_bins >= 0 && distance > rules.neighbor_bins)
      continue;
    const Resemblance pair =
        referenceResemblance(found.tensors, tensor, found.table, other);
    if (pair.both >= rules.min_overlap_voxels &&
        static_cast<float>(pair.both) / static_cast<float>(pair.either) >=
            rules.min_overlap)
      candidates[other] = pair;
  }
  return candidates;
}

/** \brief Compares the matches of one tensor; false at the first that is wrong. */
bool
areMatches(const MatchingRules& rules,
           const std::map<int, Resemblance>& candidates,
           const TensorMatch* matches)
{
  std::vector<double> best;
  for (const auto& candidate : candidates)
    best.push_back(candidate.second.coefficient);
  std::sort(best.begin(), best.end(), std::greater<double>());
  for (int k = 0; k < rules.match_count; ++k) {
    const TensorMatch& match = matches[k];
    const double expected = k < static_cast<int>(best.size())
                                ? best[k]
                                : -std::numeric_limits<double>::max();
    if (match.tensor == -1) {
      EXPECT_LT(expected, rules.min_correlation + coefficient_tolerance)
          << "match " << k << " is missing";
      for (int later = k; later < rules.match_count; ++later)
        EXPECT_EQ(matches[later].tensor, -1) << "a match behind none";
      break;
    }
    if (candidates.count(match.tensor) == 0) {
      ADD_FAILURE() << "match " << k << " is " << match.tensor
                    << ", which does not overlap enough";
      return false;
    }
    const Resemblance& pair = candidates.at(match.tensor);
    EXPECT_NEAR(match.correlation, pair.coefficient, coefficient_tolerance);
    EXPECT_NEAR(match.correlation, expected, coefficient_tolerance)
        << "place " << k << " belongs to a better one";
    EXPECT_EQ(match.overlap,
              static_cast<float>(pair.both) / static_cast<float>(pair.either));
    EXPECT_GE(match.correlation, rules.min_correlation);
    if (k > 0) {
      const TensorMatch& before = matches[k - 1];
      EXPECT_TRUE(
          before.correlation > match.correlation ||
          (before.correlation == match.correlation && before.tensor < match.tensor))
          << "place " << k << " comes too late";
    }
  }
  return !testing::Test::HasFailure();
}

} // namespace

Resemblance
referenceResemblance(const HostTensors& a, int i, const HostTensors& b, int j)
{
  std::vector<double> p, q;
  std::uint32_t at = a.starts[i], bt = b.starts[j];
  while (at < a.starts[i + 1] && bt < b.starts[j + 1]) {
    if (a.voxels[at] == b.voxels[bt]) {
      p.push_back(a.areas[at++]);
      q.push_back(b.areas[bt++]);
    }
    else if (a.voxels[at] < b.voxels[bt])
      ++at;
    else
      ++bt;
  }
  Resemblance result;
  result.both = static_cast<int>(p.size());
  result.either = static_cast<int>(a.starts[i + 1] - a.starts[i] + b.starts[j + 1] -
                                   b.starts[j] - p.size());
  result.coefficient = coefficientOf(p, q);
  return result;
}

MatchingRules
loose(int match_count)
{
  MatchingRules rules;
  rules.match_count = match_count;
  rules.min_correlation = -1.0f;
  rules.min_overlap = 0.05f;
  rules.min_overlap_voxels = 2;
  return rules;
}

void
setRules(TensorMatching& matching, const MatchingRules& rules)
{
  change(matching, [&](auto& p) { p.match_count = rules.match_count; });
  change(matching, [&](auto& p) { p.min_correlation = rules.min_correlation; });
  change(matching, [&](auto& p) { p.min_overlap = rules.min_overlap; });
  change(matching, [&](auto& p) { p.min_overlap_voxels = rules.min_overlap_voxels; });
  change(matching, [&](auto& p) { p.neighbor_bins = rules.neighbor_bins; });
}

std::vector<TensorMatch>
matchesOf(TensorMatching& matching, const TensorSet& tensors, const TensorTable& table)
{
  TensorMatch nonsense;
  std::memset(&nonsense, 0xC5, sizeof(nonsense));
  const std::size_t room = tensors.frames.size() * matching.getParameters().match_count;
  DeviceArray<TensorMatch> matches = uploaded(std::vector<TensorMatch>(room, nonsense));
  matching.compute(tensors, table, matches);
  EXPECT_EQ(matches.size(), room);
  return downloaded(matches);
}

HostMatches
matchesOf(const MatchingRules& rules,
          const HostTensors& tensors,
          const HostTensors& table)
{
  TensorMatching matching;
  setRules(matching, rules);
  const TensorTable built = tableOf(table, rules.bin_width);
  return {tensors,
          downloadedTensors(built.tensors()),
          matchesOf(matching, uploadedTensors(tensors), built)};
}

int
expectMatches(const MatchingRules& rules, const HostMatches& found)
{
  const std::size_t room = found.tensors.frames.size() * rules.match_count;
  if (found.matches.size() < room) {
    ADD_FAILURE() << found.matches.size() << " matches instead of " << room;
    return 0;
  }
  for (int tensor = 0; tensor < found.tensors.size(); ++tensor)
    if (!areMatches(rules,
                    candidatesOf(rules, found, tensor),
                    found.matches.data() + std::size_t(tensor) * rules.match_count)) {
      ADD_FAILURE() << "matches of tensor " << tensor;
      return 0;
    }
  return static_cast<int>(
      std::count_if(found.matches.begin(),
                    found.matches.begin() + room,
                    [](const TensorMatch& match) { return match.tensor >= 0; }));
}

bool
sameMatches(const std::vector<TensorMatch>& a, const std::vector<TensorMatch>& b)
{
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

} // namespace pcl::gpu::test
