// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "matching_reference.h"
#include "matching_scenes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Pairs are dropped by bounds of their overlap and of their coefficient: never one of
// the best, for any areas.

constexpr double score_tolerance = 2e-6;

/** \brief Areas of entries, by their number and their place. */
using Areas = std::function<double(std::mt19937&, int)>;

class MatchingBounds : public DeviceTest {
protected:
  static constexpr int grid_size = 10, voxels = 1000;

  static double
  uniform(std::mt19937& random)
  {
    return std::uniform_real_distribution<double>(0.0, 1.0)(random);
  }

  static double
  scoreOf(MatchRanking ranking, const Resemblance& pair)
  {
    return ranking == MatchRanking::Correlation
               ? pair.coefficient
               : pair.coefficient * pair.both / pair.either;
  }

  /** \brief Compares the matches of one tensor with the scores of all pairs.
   * \return how many there are
   */
  static int
  expectBest(const MatchingRules& rules,
             MatchRanking ranking,
             const HostMatches& found,
             int tensor)
  {
    std::vector<double> scores;
    for (int other = 0; other < found.table.size(); ++other) {
      const Resemblance pair =
          referenceResemblance(found.tensors, tensor, found.table, other);
      const float overlap =
          static_cast<float>(pair.both) / static_cast<float>(pair.either);
      if (pair.both >= rules.min_overlap_voxels && overlap >= rules.min_overlap &&
          pair.coefficient >= rules.min_correlation + score_tolerance)
        scores.push_back(scoreOf(ranking, pair));
    }
    std::sort(scores.begin(), scores.end(), std::greater<double>());
    std::set<int> numbers;
    for (int k = 0; k < rules.match_count; ++k) {
      const TensorMatch& match = found.matches[tensor * rules.match_count + k];
      if (match.tensor < 0) {
        EXPECT_LE(scores.size(), static_cast<std::size_t>(k)) << "a match is missing";
        break;
      }
      const Resemblance pair =
          referenceResemblance(found.tensors, tensor, found.table, match.tensor);
      EXPECT_NEAR(match.correlation, pair.coefficient, score_tolerance);
      if (k < static_cast<int>(scores.size())) {
        EXPECT_NEAR(scoreOf(ranking, pair), scores[k], score_tolerance)
            << "place " << k << " of tensor " << tensor;
      }
      EXPECT_TRUE(numbers.insert(match.tensor).second) << "twice the same match";
    }
    return static_cast<int>(numbers.size());
  }

  /** \brief Finds matches in each ranking, and compares them with those of all pairs.
   * \return the fewest in one ranking
   */
  static int
  expectBest(const MatchingRules& rules,
             const HostTensors& tensors,
             const HostTensors& table)
  {
    int fewest = tensors.size() * rules.match_count;
    for (const MatchRanking ranking :
         {MatchRanking::Correlation, MatchRanking::CorrelationTimesOverlap}) {
      TensorMatching matching;
      setRules(matching, rules);
      change(matching, [&](auto& p) { p.ranking = ranking; });
      const TensorTable built = tableOf(table, rules.bin_width);
      const HostMatches found = {tensors,
                                 downloadedTensors(built.tensors()),
                                 matchesOf(matching, uploadedTensors(tensors), built)};
      int count = 0;
      for (int tensor = 0; tensor < tensors.size() && !HasFailure(); ++tensor)
        count += expectBest(rules, ranking, found, tensor);
      fewest = std::min(fewest, count);
    }
    return fewest;
  }

  /** \brief Members of families that have their voxels, and areas of another kind. */
  static HostTensors
  membersWith(const Areas& areas, int count, std::uint32_t seed)
  {
    Families families;
    families.families = 4;
    HostTensors tensors = membersOf(families, count, seed);
    std::mt19937 random(seed);
    for (int tensor = 0; tensor < count; ++tensor)
      for (std::uint32_t i = tensors.starts[tensor]; i < tensors.starts[tensor + 1];
           ++i)
        tensors.areas[i] = static_cast<float>(areas(random, tensors.voxels[i]));
    return tensors;
  }

  static int
  expectBestWith(const MatchingRules& rules, const Areas& areas)
  {
    return expectBest(rules, membersWith(areas, 12, 1), membersWith(areas, 600, 2));
  }

  static MatchingRules
  ruleOf(int match_count, float min_correlation, float min_overlap = 0.2f)
  {
    MatchingRules rules = loose(match_count);
    rules.min_correlation = min_correlation;
    rules.min_overlap = min_overlap;
    return rules;
  }

  /** \brief Value of an area in all tensors, but for noise. */
  static double
  pattern(int voxel)
  {
    return 0.5 + 0.5 * std::sin(0.7 * voxel) * std::cos(0.013 * voxel);
  }
};

TEST_P(MatchingBounds, KeepTheBestOfMembers)
{
  for (int count : {1, 3, 32})
    for (float least : {-1.0f, 0.0f, 0.45f}) {
      SCOPED_TRACE(std::to_string(count) + " above " + std::to_string(least));
      Families families;
      families.families = 3;
      EXPECT_GE(expectBest(ruleOf(count, least),
                           membersOf(families, 12, 1),
                           membersOf(families, 600, 2)),
                12);
    }
}

TEST_P(MatchingBounds, KeepTheBestWhereAreasHardlyVary)
{
  for (double range : {2e-3, 0.02, 0.0499, 0.05, 0.0501, 0.06, 0.3}) {
    SCOPED_TRACE(range);
    const auto areas = [range](std::mt19937& random, int voxel) {
      return 1.0 - range * (0.5 * pattern(voxel) + 0.5 * uniform(random));
    };
    EXPECT_GE(expectBestWith(ruleOf(3, 0.1f), areas), 12);
  }
}

TEST_P(MatchingBounds, KeepTheBestWhereOneAreaIsMuchLarger)
{
  for (double largest : {10.0, 100.0, 250.0, 1e3, 1e6}) {
    SCOPED_TRACE(largest);
    const auto areas = [largest](std::mt19937& random, int voxel) {
      const double noise = uniform(random);
      return noise < 0.01 ? largest : 0.1 + 0.6 * pattern(voxel) + 0.4 * noise;
    };
    EXPECT_GE(expectBestWith(ruleOf(3, 0.0f), areas), 12);
  }
}

TEST_P(MatchingBounds, KeepTheBestWhereMostAreasAreEqual)
{
  const auto areas = [](std::mt19937& random, int voxel) {
    return voxel % 11 == 0 && uniform(random) < 0.7 ? 1.0 + pattern(voxel) : 0.5;
  };
  EXPECT_GE(expectBestWith(ruleOf(3, 0.0f), areas), 12);
}

TEST_P(MatchingBounds, KeepTheBestOfNearlyEqualTensors)
{
  for (double noise : {1e-1, 1e-2, 3e-3}) {
    SCOPED_TRACE(noise);
    const auto areas = [noise](std::mt19937& random, int voxel) {
      return 0.1 + pattern(voxel) + noise * uniform(random);
    };
    EXPECT_GE(expectBestWith(ruleOf(5, 0.9f), areas), 12);
  }
}

TEST_P(MatchingBounds, KeepTheBestAtAnyScale)
{
  Families families;
  families.families = 3;
  HostTensors tensors = membersOf(families, 12, 1), table = membersOf(families, 600, 2);
  const auto scale = [](HostTensors& some) {
    for (int tensor = 0; tensor < some.size(); ++tensor)
      for (std::uint32_t i = some.starts[tensor]; i < some.starts[tensor + 1]; ++i)
        some.areas[i] *= static_cast<float>(std::pow(10.0, tensor % 9 * 6 - 30));
  };
  scale(tensors);
  scale(table);
  EXPECT_GE(expectBest(ruleOf(4, 0.2f), tensors, table), 12);
}

TEST_P(MatchingBounds, KeepOverlapsOfFewVoxels)
{
  std::mt19937 random(3);
  const auto sparse = [&random](int count) {
    HostTensors tensors = noTensors(grid_size);
    for (int i = 0; i < count; ++i) {
      std::set<int> some;
      while (static_cast<int>(some.size()) < 3 + i % 30)
        some.insert(static_cast<int>(uniform(random) * 60.0) * 16 + 5);
      Entries entries;
      for (int voxel : some)
        entries.emplace_back(voxel, static_cast<float>(0.05 + uniform(random)));
      addTensor(tensors, 1.0f, entries);
    }
    return tensors;
  };
  const HostTensors tensors = sparse(30), table = sparse(500);
  EXPECT_GT(expectBest(ruleOf(32, -1.0f, 0.01f), tensors, table), 800);
}

TEST_P(MatchingBounds, KeepOverlapsAtTheLeastOnes)
{
  std::mt19937 random(4);
  const auto run = [&random](int first, int length) {
    Entries entries;
    for (int voxel = first; voxel < first + length; ++voxel)
      entries.emplace_back(voxel, static_cast<float>(0.05 + uniform(random)));
    return entries;
  };
  HostTensors tensors = noTensors(grid_size), table = noTensors(grid_size);
  for (int length : {9, 20, 58, 290, 1000})
    addTensor(tensors, 1.0f, run(0, length));
  for (int first = 0; first < 60; ++first)
    for (int length : {9, 20, 29, 58, 145, 290, 700})
      addTensor(table, 1.0f, run(first, length));
  for (float least : {0.25f, 0.45f, 0.5f, 1.0f / 3.0f, 1.0f}) {
    SCOPED_TRACE(least);
    EXPECT_GE(expectBest(ruleOf(32, -1.0f, least), tensors, table), 3);
  }
}

TEST_P(MatchingBounds, KeepTheFirstOfEqualMatches)
{
  Families families;
  families.families = 2;
  const HostTensors members = membersOf(families, 3, 1);
  HostTensors table = noTensors(grid_size);
  for (int i = 0; i < 900; ++i)
    addTensor(table, 1.0f, entriesOf(members, i % 3));
  for (const MatchRanking ranking :
       {MatchRanking::Correlation, MatchRanking::CorrelationTimesOverlap})
    for (int count : {1, 2, 32}) {
      SCOPED_TRACE(count);
      TensorMatching matching;
      setRules(matching, ruleOf(count, 0.2f));
      change(matching, [&](auto& p) { p.ranking = ranking; });
      const auto matches =
          matchesOf(matching, uploadedTensors(members), tableOf(table));
      for (int i = 0; i < 3 * count; ++i) {
        EXPECT_EQ(matches[i].tensor, i % count * 3 + i / count);
        EXPECT_EQ(matches[i].correlation, 1.0f);
      }
    }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MatchingBounds);

} // namespace
