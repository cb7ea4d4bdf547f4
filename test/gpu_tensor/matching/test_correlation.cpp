// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "matching_reference.h"
#include "matching_scenes.h"

#include <cmath>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Matches and their coefficients, at the limits.

class TensorCorrelation : public DeviceTest {
protected:
  /** \brief Areas in the first voxels of a grid. */
  static Entries
  row(const std::vector<float>& areas)
  {
    Entries entries;
    for (float area : areas)
      entries.emplace_back(static_cast<int>(entries.size()), area);
    return entries;
  }

  /** \brief Areas in the first voxels that rise steadily. */
  static Entries
  ramp(int count)
  {
    Entries entries;
    for (int i = 0; i < count; ++i)
      entries.emplace_back(i, 1.0f + 0.125f * i);
    return entries;
  }

  /** \brief Tensors with the same angle, which keep their numbers in a table. */
  static HostTensors
  tensorsOf(const std::vector<Entries>& all, int grid_size = 4)
  {
    HostTensors tensors = noTensors(grid_size);
    for (const Entries& entries : all)
      addTensor(tensors, 1.0f, entries);
    return tensors;
  }

  /** \brief The best match of one tensor with another. */
  static TensorMatch
  match(const Entries& a,
        const Entries& b,
        const MatchingRules& rules = loose(1),
        int grid_size = 4)
  {
    const HostMatches found =
        matchesOf(rules, tensorsOf({a}, grid_size), tensorsOf({b}, grid_size));
    expectMatches(rules, found);
    return found.matches.at(0);
  }

  static MatchingRules
  withMinCorrelation(float least)
  {
    MatchingRules rules = loose(1);
    rules.min_correlation = least;
    return rules;
  }

  /** \brief Numbers of the matches of the only tensor. */
  static std::vector<int>
  numbersOf(const HostMatches& found)
  {
    std::vector<int> numbers;
    for (const TensorMatch& match : found.matches)
      if (match.tensor >= 0)
        numbers.push_back(match.tensor);
    return numbers;
  }
};

TEST_P(TensorCorrelation, IsThatOfEquationSix)
{
  EXPECT_FLOAT_EQ(match(row({1, 2, 3}), row({1, 3, 2})).correlation, 0.5f);
  EXPECT_FLOAT_EQ(match(row({1, 2, 3}), row({3, 1, 2})).correlation, -0.5f);
  EXPECT_FLOAT_EQ(match(row({1, 2, 3}), row({2, 4, 6})).correlation, 1.0f);
  EXPECT_FLOAT_EQ(match(row({1, 2, 3}), row({9, 8, 7})).correlation, -1.0f);
  EXPECT_NEAR(match(row({1, 2, 3}), row({1, 3, 1})).correlation, 0.0f, 1e-7f);
  EXPECT_FLOAT_EQ(match(row({1, 2, 3, 4}), row({2, 1, 4, 3})).correlation, 0.6f);
}

TEST_P(TensorCorrelation, OfATensorWithItselfIsOne)
{
  for (int grid : {3, 10, 17}) {
    SCOPED_TRACE(grid);
    Families families;
    families.grid_size = grid;
    families.scaled = true;
    const HostTensors tensors = membersOf(families, 60, 1);
    MatchingRules rules = loose(1);
    rules.min_correlation = rules.min_overlap = 1.0f;
    const HostMatches found = matchesOf(rules, tensors, tensors);
    for (int i = 0; i < tensors.size(); ++i) {
      ASSERT_GE(found.matches[i].tensor, 0) << "tensor " << i;
      ASSERT_TRUE(sameTensor(found.table, found.matches[i].tensor, tensors, i));
      ASSERT_EQ(found.matches[i].correlation, 1.0f);
      ASSERT_EQ(found.matches[i].overlap, 1.0f);
    }
  }
}

TEST_P(TensorCorrelation, LeavesOutVoxelsThatOneOfBothHasEmpty)
{
  const Entries other = {{0, 2.0f}, {5, 1.0f}, {9, 4.0f}, {63, 3.0f}};
  const Entries some = {{0, 1.0f}, {1, 7.0f}, {9, 3.0f}, {62, 9.0f}, {63, 2.0f}};
  const TensorMatch found = match(some, other);
  EXPECT_FLOAT_EQ(found.correlation, 1.0f);
  EXPECT_FLOAT_EQ(found.overlap, 0.5f);
}

TEST_P(TensorCorrelation, OfConstantAreasIsZero)
{
  for (int grid : {3, 16, 17, 32})
    for (float area : {1e-6f, 0.1f, 0.7f, 0.96341902f, 1.0f, 1.0f / 3.0f, 29.97f}) {
      SCOPED_TRACE(std::to_string(grid) + " " + std::to_string(area));
      Entries constant, varying;
      for (int voxel = 0; voxel < grid * grid * grid; ++voxel) {
        constant.emplace_back(voxel, area);
        varying.emplace_back(voxel, 1.0f + voxel % 7);
      }
      Entries hardly = constant;
      hardly.back().second = varying.back().second; // outside of the overlap
      constant.pop_back();
      for (const auto& pair : {std::make_pair(constant, varying),
                               std::make_pair(varying, constant),
                               std::make_pair(constant, constant),
                               std::make_pair(constant, hardly)}) {
        const TensorMatch found =
            match(pair.first, pair.second, withMinCorrelation(0.0f), grid);
        EXPECT_EQ(found.tensor, 0);
        EXPECT_EQ(found.correlation, 0.0f);
        EXPECT_EQ(
            match(pair.first, pair.second, withMinCorrelation(1e-6f), grid).tensor, -1);
      }
    }
}

TEST_P(TensorCorrelation, OfTwoVoxelsIsOneOrMinusOne)
{
  EXPECT_EQ(match(row({1, 2}), row({5, 5.5f})).correlation, 1.0f);
  EXPECT_EQ(match(row({1, 2}), row({5.5f, 5})).correlation, -1.0f);
  EXPECT_EQ(match(row({1e-6f, 30}), row({30, 1e-6f})).correlation, -1.0f);
}

TEST_P(TensorCorrelation, NeedsTwoVoxelsAtLeast)
{
  EXPECT_EQ(match(row({1}), row({1})).tensor, -1);
  EXPECT_EQ(match({{0, 1.0f}, {1, 2.0f}}, {{1, 2.0f}, {2, 1.0f}}).tensor, -1);
  EXPECT_EQ(match(row({1, 2}), row({1, 2})).tensor, 0);
}

TEST_P(TensorCorrelation, OfTensorsWithoutEntriesIsNone)
{
  EXPECT_EQ(match({}, {}).tensor, -1);
  EXPECT_EQ(match(ramp(9), {}).tensor, -1);
  EXPECT_EQ(match({}, ramp(9)).tensor, -1);
  EXPECT_EQ(match(ramp(9), {{20, 1.0f}, {21, 2.0f}}).tensor, -1) << "no overlap";
}

TEST_P(TensorCorrelation, AtTheLeastOneMatches)
{
  const Entries some = row({1, 2, 3});
  const std::vector<std::pair<Entries, float>> others = {{row({1, 3, 2}), 0.5f},
                                                         {row({3, 1, 2}), -0.5f},
                                                         {row({2, 4, 6}), 1.0f},
                                                         {row({3, 2, 1}), -1.0f}};
  for (const auto& other : others) {
    SCOPED_TRACE(other.second);
    EXPECT_EQ(match(some, other.first, withMinCorrelation(other.second)).tensor, 0);
    if (other.second < 1.0f) {
      const MatchingRules above =
          withMinCorrelation(std::nextafter(other.second, 2.0f));
      const HostMatches found =
          matchesOf(above, tensorsOf({some}), tensorsOf({other.first}));
      EXPECT_EQ(found.matches.at(0).tensor, -1);
    }
  }
}

TEST_P(TensorCorrelation, AtTheLeastOverlapMatches)
{
  for (int either : {2, 9, 13, 20, 25, 33}) {
    std::vector<Entries> table;
    for (int both = 2; both <= either; ++both)
      table.push_back(ramp(both));
    const HostTensors tensors = tensorsOf({ramp(either)});
    for (int both = 2; both <= either; ++both) {
      MatchingRules rules = loose(32);
      rules.min_overlap = static_cast<float>(both) / static_cast<float>(either);
      std::vector<int> expected;
      for (int i = both; i <= either; ++i)
        expected.push_back(i - 2);
      SCOPED_TRACE(std::to_string(both) + " of " + std::to_string(either));
      EXPECT_EQ(numbersOf(matchesOf(rules, tensors, tensorsOf(table))), expected);
      if (both == either)
        continue;
      rules.min_overlap = std::nextafter(rules.min_overlap, 1.0f);
      expected.erase(expected.begin());
      EXPECT_EQ(numbersOf(matchesOf(rules, tensors, tensorsOf(table))), expected);
    }
  }
}

TEST_P(TensorCorrelation, OfTheLeastNumberOfVoxelsMatches)
{
  std::vector<Entries> table;
  for (int both = 0; both <= 33; ++both)
    table.push_back(ramp(both));
  for (int least : {2, 3, 8, 31, 32, 33, 34, 1000000000}) {
    SCOPED_TRACE(least);
    MatchingRules rules = loose(32);
    rules.min_overlap_voxels = least;
    std::vector<int> expected;
    for (int both = least; both <= 33; ++both)
      expected.push_back(both);
    EXPECT_EQ(numbersOf(matchesOf(rules, tensorsOf({ramp(40)}), tensorsOf(table))),
              expected);
  }
}

TEST_P(TensorCorrelation, OfEqualTensorsTakesTheLowerNumberFirst)
{
  std::vector<Entries> table(2500, row({4, 1, 2, 3}));
  std::vector<int> copies;
  for (int i = 1; i < 2500; i += 61) {
    table[i] = row({1, 2, 3, 4});
    copies.push_back(i);
  }
  ASSERT_GT(copies.size(), 33u);
  for (int count : {1, 2, 5, 32}) {
    SCOPED_TRACE(count);
    const HostMatches found =
        matchesOf(loose(count), tensorsOf({row({1, 2, 3, 4})}), tensorsOf(table));
    EXPECT_EQ(numbersOf(found),
              std::vector<int>(copies.begin(), copies.begin() + count));
  }
}

TEST_P(TensorCorrelation, OfEqualNegativeCoefficientsTakesTheLowerNumberFirst)
{
  std::vector<Entries> table(1100, row({3, 2, 1}));
  table[700] = row({3, 1, 2});
  table[1050] = row({2, 3, 1});
  const HostMatches found =
      matchesOf(loose(4), tensorsOf({row({1, 2, 3})}), tensorsOf(table));
  EXPECT_EQ(numbersOf(found), (std::vector<int>{700, 1050, 0, 1}));
}

TEST_P(TensorCorrelation, DoesNotDependOnTheScaleOfAreas)
{
  const HostTensors tensors = membersOf(Families(), 40, 1);
  const HostTensors table = membersOf(Families(), 50, 2);
  const HostMatches expected = matchesOf(loose(3), tensors, table);
  for (float scale : {2.0f, 0.0009765625f, 1048576.0f}) {
    HostTensors scaled = tensors, scaled_table = table;
    for (std::uint32_t i = tensors.starts[7]; i < tensors.starts[19]; ++i)
      scaled.areas[i] *= scale;
    for (std::uint32_t i = table.starts[3]; i < table.starts[29]; ++i)
      scaled_table.areas[i] *= scale;
    EXPECT_TRUE(
        sameMatches(matchesOf(loose(3), scaled, table).matches, expected.matches));
    EXPECT_TRUE(sameMatches(matchesOf(loose(3), tensors, scaled_table).matches,
                            expected.matches));
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorCorrelation);

} // namespace
