// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "pair_test.h"

#include <algorithm>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Selection of the pairs that are kept.

class PairSelections : public PairTest {
protected:
  void
  SetUp() override
  {
    PairTest::SetUp();
    cloud_ = damagedCloud(50, 60, 41);
    estimation_ = estimationOf({});
    all_ = pairsOf(estimation_, cloud_);
  }

  std::vector<PointPair>
  selected()
  {
    return pairsOf(estimation_, cloud_);
  }

  /** \brief Places of pairs in the list of all; expects them to exist and to ascend. */
  std::vector<int>
  placesOf(const std::vector<PointPair>& pairs) const
  {
    std::vector<int> places;
    auto from = all_.begin();
    for (const PointPair& pair : pairs) {
      from = std::find_if(from, all_.end(), [&pair](const PointPair& other) {
        return pair.first == other.first && pair.second == other.second;
      });
      if (from == all_.end()) {
        ADD_FAILURE() << "a pair is none of all, or not in their order, or there twice";
        break;
      }
      places.push_back(static_cast<int>(from++ - all_.begin()));
    }
    return places;
  }

  /** \brief Expects one place in each of as many equal parts of the list of all. */
  void
  expectOneInEachPart(const std::vector<int>& places) const
  {
    const double part = static_cast<double>(all_.size()) / places.size();
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_GT(places[i] + 1.0, part * static_cast<double>(i) - 1e-6);
      EXPECT_LT(places[i], part * static_cast<double>(i + 1) + 1e-6);
    }
  }

  OrientedCloud cloud_;
  PointPairEstimation estimation_;
  std::vector<PointPair> all_;
};

TEST_P(PairSelections, EvenOnesAreSpreadOverTheListOfAll)
{
  const int total = static_cast<int>(all_.size());
  ASSERT_GT(total, 1000);
  for (int count : {1, 2, 7, 200, 999, total - 1}) {
    SCOPED_TRACE(count);
    change(estimation_, [&](auto& p) {
      p.selection = PairSelection::Even;
      p.selected_count = count;
    });
    const std::vector<int> places = placesOf(selected());
    ASSERT_EQ(places.size(), static_cast<std::size_t>(count));
    expectOneInEachPart(places);
    const int step = total / count;
    for (int i = 1; i < count; ++i) {
      EXPECT_GE(places[i] - places[i - 1], step - 1);
      EXPECT_LE(places[i] - places[i - 1], step + 2);
    }
  }
}

TEST_P(PairSelections, RandomOnesAreOneOfEachPart)
{
  const int total = static_cast<int>(all_.size());
  for (std::uint64_t seed : {std::uint64_t(0), std::uint64_t(1), ~std::uint64_t(0)})
    for (int count : {1, 2, 7, 200, 999, total - 1}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(count));
      change(estimation_, [&](auto& p) {
        p.selection = PairSelection::Random;
        p.selected_count = count;
        p.seed = seed;
      });
      const std::vector<int> places = placesOf(selected());
      ASSERT_EQ(places.size(), static_cast<std::size_t>(count));
      expectOneInEachPart(places);
    }
}

TEST_P(PairSelections, TheSameSeedSelectsTheSamePairs)
{
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 200;
    p.seed = 12345;
  });
  const std::vector<PointPair> first = selected();
  EXPECT_TRUE(samePairs(selected(), first));
  PointPairEstimation other = estimationOf({});
  change(other, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 200;
    p.seed = 12345;
  });
  EXPECT_TRUE(samePairs(pairsOf(other, cloud_), first));
}

TEST_P(PairSelections, OtherSeedsSelectOtherPairs)
{
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 200;
    p.seed = 1;
  });
  std::vector<int> former = placesOf(selected());
  for (std::uint64_t seed :
       {std::uint64_t(2), std::uint64_t(3), std::uint64_t(1) << 32}) {
    SCOPED_TRACE(seed);
    change(estimation_, [&](auto& p) {
      p.selection = PairSelection::Random;
      p.selected_count = 200;
      p.seed = seed;
    });
    const std::vector<int> places = placesOf(selected());
    ASSERT_EQ(places.size(), former.size());
    int different = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      different += places[i] != former[i];
    EXPECT_GT(different, 150);
    former = places;
  }
}

TEST_P(PairSelections, RandomOnesReachAllOfEachPart)
{
  const int parts = 4;
  const double part = static_cast<double>(all_.size()) / parts;
  std::vector<double> least(parts, 1.0), most(parts, 0.0), sum(parts, 0.0);
  const int seeds = 80;
  for (int seed = 0; seed < seeds; ++seed) {
    change(estimation_, [&](auto& p) {
      p.selection = PairSelection::Random;
      p.selected_count = parts;
      p.seed = seed;
    });
    const std::vector<int> places = placesOf(selected());
    ASSERT_EQ(places.size(), static_cast<std::size_t>(parts));
    for (int i = 0; i < parts; ++i) {
      const double place = (places[i] + 0.5 - part * i) / part;
      least[i] = std::min(least[i], place);
      most[i] = std::max(most[i], place);
      sum[i] += place;
    }
  }
  for (int i = 0; i < parts; ++i) {
    EXPECT_LT(least[i], 0.1);
    EXPECT_GT(most[i], 0.9);
    // Four standard deviations of the mean of uniform numbers.
    EXPECT_NEAR(sum[i] / seeds, 0.5, 4.0 * 0.2887 / std::sqrt(seeds));
  }
}

TEST_P(PairSelections, OfFewerPairsThanAskedForAreAll)
{
  const int total = static_cast<int>(all_.size());
  for (int count : {total, total + 1, 10 * total, std::numeric_limits<int>::max()}) {
    SCOPED_TRACE(count);
    change(estimation_, [&](auto& p) {
      p.selection = PairSelection::Even;
      p.selected_count = count;
    });
    EXPECT_TRUE(samePairs(selected(), all_));
    change(estimation_, [&](auto& p) {
      p.selection = PairSelection::Random;
      p.selected_count = count;
      p.seed = 5;
    });
    EXPECT_TRUE(samePairs(selected(), all_));
  }
}

TEST_P(PairSelections, OfNoPairsAreNone)
{
  OrientedCloud flat = cloud_;
  for (auto& n : flat.normals.data)
    n = {0.0f, 0.0f, -1.0f};
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 10;
  });
  EXPECT_TRUE(pairsOf(estimation_, flat).empty());
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 10;
    p.seed = 1;
  });
  EXPECT_TRUE(pairsOf(estimation_, flat).empty());
}

TEST_P(PairSelections, OfAllIsBackAfterSelectAll)
{
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 3;
    p.seed = 1;
  });
  EXPECT_EQ(selected().size(), 3u);
  change(estimation_, [&](auto& p) { p.selection = PairSelection::All; });
  EXPECT_TRUE(samePairs(selected(), all_));
}

TEST_P(PairSelections, AreOfTheKeypointsPairs)
{
  std::vector<int> keypoints;
  for (int number = 0; number < 50 * 60; number += 3)
    keypoints.push_back(number);
  all_ = pairsOf(estimation_, cloud_, keypoints);
  ASSERT_GT(all_.size(), 300u);
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 100;
  });
  const auto places = placesOf(pairsOf(estimation_, cloud_, keypoints));
  ASSERT_EQ(places.size(), 100u);
  expectOneInEachPart(places);
}

TEST_P(PairSelections, HaveRoomForAsManyAsWereAskedFor)
{
  change(estimation_, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 100;
  });
  PointPairs pairs;
  estimation_.compute(uploaded(cloud_.points), uploaded(cloud_.normals), {}, pairs);
  EXPECT_EQ(pairs.pairs.size(), 100u);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PairSelections);

} // namespace
