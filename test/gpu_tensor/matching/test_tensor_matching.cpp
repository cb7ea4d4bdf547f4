// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "matching_reference.h"
#include "matching_scenes.h"

#include <algorithm>
#include <limits>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// All matches, and no others, in their order.

class TensorMatches : public DeviceTest {
protected:
  /** \brief Matches members of the same families.
   * \return how many matches there are */
  static int
  matchMembers(const MatchingRules& rules,
               const Families& families,
               int tensors,
               int table)
  {
    SCOPED_TRACE(std::to_string(tensors) + " tensors, table of " +
                 std::to_string(table));
    return expectMatches(rules,
                         matchesOf(rules,
                                   membersOf(families, tensors, 100 + tensors),
                                   membersOf(families, table, 200 + table)));
  }

  static Families
  familiesOf(int grid_size, int families = 10)
  {
    Families result;
    result.grid_size = grid_size;
    result.families = families;
    return result;
  }
};

TEST_P(TensorMatches, AreThoseOfAllPairs)
{
  EXPECT_GT(matchMembers(MatchingRules(), familiesOf(10), 100, 150), 60);
}

TEST_P(TensorMatches, OfTablesOfAnySize)
{
  for (int block : {8, 32, 128, 256, 1024, 8192})
    for (int size : {block - 1, block, block + 1})
      EXPECT_GT(matchMembers(loose(3), familiesOf(4), 5, size), 10);
  EXPECT_GT(matchMembers(loose(1), familiesOf(4), 5, 1), 0);
}

TEST_P(TensorMatches, OfAnyNumberOfTensors)
{
  for (int block : {2, 8, 16, 64, 200, 4096})
    for (int count : {block - 1, block, block + 1})
      EXPECT_GT(matchMembers(loose(2), familiesOf(4), count, 33), count);
}

TEST_P(TensorMatches, OfManyTensorsWithLargeGrids)
{
  EXPECT_GT(matchMembers(MatchingRules(), familiesOf(17), 4100, 3), 100);
}

TEST_P(TensorMatches, OfAnyGrid)
{
  for (int grid : {2, 3, 6, 7, 10, 15, 16, 17, 32}) {
    SCOPED_TRACE(grid);
    EXPECT_GT(matchMembers(loose(5), familiesOf(grid, 4), 21, 43), 100);
  }
}

TEST_P(TensorMatches, InAnyNumber)
{
  for (int count : {1, 2, 5, 31, 32}) {
    SCOPED_TRACE(count);
    EXPECT_GT(matchMembers(loose(count), familiesOf(6, 3), 40, 300), 39 * count);
  }
}

TEST_P(TensorMatches, OfManyThatResembleEachOther)
{
  EXPECT_EQ(matchMembers(loose(32), familiesOf(4, 1), 7, 3000), 7 * 32);
}

TEST_P(TensorMatches, OfManyPairs)
{
  for (int count : {1, 5, 32}) {
    SCOPED_TRACE(count);
    EXPECT_EQ(matchMembers(loose(count), familiesOf(4), 90, 6000), 90 * count);
  }
  MatchingRules rules;
  rules.match_count = 4;
  EXPECT_GT(matchMembers(rules, familiesOf(10), 90, 6000), 90);
  Families scaled = familiesOf(10, 3);
  scaled.scaled = true;
  EXPECT_GT(matchMembers(rules, scaled, 90, 6000), 90);
}

TEST_P(TensorMatches, OfLargeTables)
{
  for (int size : {8000, 17000, 66000}) {
    SCOPED_TRACE(size);
    EXPECT_EQ(matchMembers(loose(5), familiesOf(4), 33, size), 33 * 5);
  }
}

TEST_P(TensorMatches, AreFewerThanWanted)
{
  MatchingRules rules;
  rules.match_count = 32;
  const int count = matchMembers(rules, familiesOf(10, 8), 60, 70);
  EXPECT_GT(count, 60);
  EXPECT_LT(count, 60 * 31);
}

TEST_P(TensorMatches, OfStricterRulesAreFewer)
{
  MatchingRules rules = loose(8);
  int former = std::numeric_limits<int>::max();
  for (float least : {-1.0f, -0.5f, 0.0f, 0.3f, 0.8f, 0.97f}) {
    SCOPED_TRACE(least);
    rules.min_correlation = least;
    rules.min_overlap = 0.05f + 0.4f * (1.0f + least);
    rules.min_overlap_voxels = 2 + static_cast<int>(20.0f * (1.0f + least));
    const int count = matchMembers(rules, familiesOf(10, 6), 50, 80);
    EXPECT_LE(count, former);
    former = count;
  }
}

TEST_P(TensorMatches, OfAreasOfAnyScale)
{
  Families families = familiesOf(10);
  families.scaled = true;
  MatchingRules rules;
  rules.match_count = 4;
  EXPECT_GT(matchMembers(rules, families, 70, 90), 70);
}

TEST_P(TensorMatches, OfAreasThatDifferByOrdersOfMagnitude)
{
  const auto spread = [](HostTensors tensors) {
    for (std::size_t i = 0; i < tensors.areas.size(); ++i)
      tensors.areas[i] *= i % 3 == 0 ? 1e-6f : i % 5 == 0 ? 30.0f : 1.0f;
    return tensors;
  };
  const MatchingRules rules = loose(4);
  const HostMatches found = matchesOf(rules,
                                      spread(membersOf(familiesOf(10, 3), 30, 1)),
                                      spread(membersOf(familiesOf(10, 3), 40, 2)));
  EXPECT_GT(expectMatches(rules, found), 60);
}

TEST_P(TensorMatches, OfAreasThatHardlyVary)
{
  const auto flat = [](HostTensors tensors) {
    for (float& area : tensors.areas)
      area = 1.0f + 1e-3f * area;
    return tensors;
  };
  MatchingRules rules;
  rules.match_count = 3;
  const HostMatches found = matchesOf(rules,
                                      flat(membersOf(familiesOf(10, 3), 30, 1)),
                                      flat(membersOf(familiesOf(10, 3), 40, 2)));
  EXPECT_GT(expectMatches(rules, found), 30);
}

TEST_P(TensorMatches, OfNeighboringBins)
{
  for (float width : {0.02f, 0.0872664626f, 0.5f, 3.14159274f})
    for (int bins : {-1, 0, 1, 2, 5, 200}) {
      SCOPED_TRACE(std::to_string(width) + ", bins " + std::to_string(bins));
      MatchingRules rules = loose(4);
      rules.bin_width = width;
      rules.neighbor_bins = bins;
      EXPECT_GE(matchMembers(rules, familiesOf(4, 3), 70, 300), 50);
    }
}

TEST_P(TensorMatches, OfNeighboringBinsAtBothEndsAndBetweenEmptyOnes)
{
  const HostTensors members = membersOf(familiesOf(4, 2), 60, 4);
  HostTensors table = members, tensors = members;
  for (int i = 0; i < 60; ++i) {
    constexpr float angles[] = {0.0f, 0.05f, 3.14159274f, 1.5f, 3.08f, 0.3f};
    table.frames[i].angle = angles[i % 6];
    tensors.frames[i].angle = 0.0523f * i;
  }
  tensors.frames[0].angle = 3.14159274f;
  for (int bins : {0, 1, 2, 30}) {
    SCOPED_TRACE(bins);
    MatchingRules rules = loose(4);
    rules.neighbor_bins = bins;
    EXPECT_GT(expectMatches(rules, matchesOf(rules, tensors, table)), 20);
  }
}

TEST_P(TensorMatches, OfMoreNeighboringBinsThanThereCanBeAreThoseOfAll)
{
  const HostTensors tensors = membersOf(familiesOf(4, 3), 30, 1);
  const HostTensors table = membersOf(familiesOf(4, 3), 80, 2);
  MatchingRules rules = loose(3);
  const HostMatches all = matchesOf(rules, tensors, table);
  for (int bins : {37, 4000, std::numeric_limits<int>::max()}) {
    SCOPED_TRACE(bins);
    rules.neighbor_bins = bins;
    EXPECT_TRUE(sameMatches(matchesOf(rules, tensors, table).matches, all.matches));
  }
}

TEST_P(TensorMatches, OfABinWidthThatIsSetLaterNeedANewTable)
{
  const HostTensors members = membersOf(familiesOf(4, 3), 100, 1);
  const TensorSet tensors = uploadedTensors(members);
  TensorTable table = tableOf(members, 0.1f);
  TensorMatching matching;
  MatchingRules rules = loose(3);
  rules.neighbor_bins = 1;
  setRules(matching, rules);
  const auto former = matchesOf(matching, tensors, table);
  change(table, [&](auto& p) { p.bin_width = 0.7f; });
  EXPECT_TRUE(sameMatches(matchesOf(matching, tensors, table), former));
  table.build(tensors, uploaded(numbersUpTo(100)));
  EXPECT_FALSE(sameMatches(matchesOf(matching, tensors, table), former));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorMatches);

void
expectAlike(const std::vector<TensorMatch>& cuda, const std::vector<TensorMatch>& host)
{
  ASSERT_EQ(cuda.size(), host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    EXPECT_EQ(cuda[i].tensor, host[i].tensor);
    EXPECT_EQ(cuda[i].overlap, host[i].overlap);
    EXPECT_NEAR(cuda[i].correlation, host[i].correlation, 1e-6);
  }
}

TEST(matches_on_host_and_cuda, AreAlike)
{
  const auto on = [](const std::string& device) {
    const auto scope = useDevice(device);
    MatchingRules rules;
    rules.match_count = 5;
    return matchesOf(
        rules, membersOf(Families(), 150, 1), membersOf(Families(), 250, 2));
  };
  const HostMatches cuda = on("cuda"), host = on("host");
  EXPECT_TRUE(sameTensors(cuda.table, host.table));
  expectAlike(cuda.matches, host.matches);
}

TEST(matches_on_host_and_cuda, OfManyPairsAreAlike)
{
  for (const MatchRanking ranking :
       {MatchRanking::Correlation, MatchRanking::CorrelationTimesOverlap})
    for (int count : {1, 7}) {
      SCOPED_TRACE(count);
      const auto on = [&](const std::string& device) {
        const auto scope = useDevice(device);
        MatchingRules rules;
        rules.match_count = count;
        TensorMatching matching;
        setRules(matching, rules);
        change(matching, [&](auto& p) { p.ranking = ranking; });
        return matchesOf(matching,
                         uploadedTensors(membersOf(Families(), 90, 1)),
                         tableOf(membersOf(Families(), 6000, 2), rules.bin_width));
      };
      expectAlike(on("cuda"), on("host"));
    }
}

} // namespace
