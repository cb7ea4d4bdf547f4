// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pair_test.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

// The header's rules for every pair, without the reference; and the points that choose.

class PairRules : public PairTest {
protected:
  static std::vector<PointPair>
  somePairs(const OrientedCloud& cloud, const ReferencePairing& pairing = {})
  {
    PointPairEstimation estimation = estimationOf(pairing);
    return pairsOf(estimation, cloud);
  }

  /** \brief A cloud without points but those that a test puts there. */
  static OrientedCloud
  emptyCloud(int rows, int columns)
  {
    const float none = std::numeric_limits<float>::quiet_NaN();
    const Image<PointXYZ> image(rows, columns, PointXYZ(none, none, none));
    return {image, image};
  }

  /** \brief Places a point whose normal leans to the left or to the right. */
  static void
  place(OrientedCloud& cloud, int column, float x, bool leans_left)
  {
    cloud.points.at(0, column) = {x, 0.0f, 1.0f};
    cloud.normals.at(0, column) = {leans_left ? -0.6f : 0.6f, 0.0f, -0.8f};
  }
};

TEST_P(PairRules, DistancesAndAnglesAreWithinTheirLimits)
{
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = damagedCloud(50, 60, seed);
    for (const PointPair& pair : somePairs(cloud)) {
      const auto position = [&cloud](int number) {
        return cloud.points.data[number].getVector3fMap().cast<double>().eval();
      };
      const auto normal = [&cloud](int number) {
        return cloud.normals.data[number].getVector3fMap().cast<double>().eval();
      };
      const double ratio =
          (position(pair.first) - position(pair.second)).norm() / pixel_distance;
      EXPECT_GE(ratio, 5.0 - 1e-5);
      EXPECT_LE(ratio, 14.0 + 1e-5);
      const double cosine = normal(pair.first).dot(normal(pair.second));
      EXPECT_LE(cosine, std::cos(15.0 / 180.0 * M_PI) + 1e-6);
      EXPECT_LE(std::abs(pair.first / 60 - pair.second / 60), 14);
      EXPECT_LE(std::abs(pair.first % 60 - pair.second % 60), 14);
    }
  }
}

TEST_P(PairRules, NoPairIsThereTwice)
{
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seedText(seed));
    std::set<std::pair<int, int>> seen;
    for (const PointPair& pair : somePairs(damagedCloud(50, 60, seed)))
      EXPECT_TRUE(seen.insert(std::minmax(pair.first, pair.second)).second)
          << pair.first << ", " << pair.second;
  }
}

TEST_P(PairRules, NoPointChoosesMoreThanItMay)
{
  const OrientedCloud cloud = damagedCloud(50, 60, 4);
  for (int most : {1, 2, 3}) {
    ReferencePairing pairing;
    pairing.pairs_per_point = most;
    std::map<int, int> chosen;
    int largest = 0;
    for (const PointPair& pair : somePairs(cloud, pairing))
      largest = std::max(largest, ++chosen[pair.first]);
    EXPECT_EQ(largest, most);
  }
}

TEST_P(PairRules, FirstPointsAscend)
{
  const std::vector<PointPair> pairs = somePairs(damagedCloud(50, 60, 5));
  ASSERT_GT(pairs.size(), 1000u);
  for (std::size_t i = 1; i < pairs.size(); ++i)
    ASSERT_LE(pairs[i - 1].first, pairs[i].first);
}

TEST_P(PairRules, APairThatBothChooseIsListedByTheUpperLeftPoint)
{
  OrientedCloud cloud = emptyCloud(1, 12);
  place(cloud, 2, 0.0f, true);
  place(cloud, 9, 0.02f, false);
  const std::vector<PointPair> pairs = somePairs(cloud);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, 2);
  EXPECT_EQ(pairs[0].second, 9);
}

TEST_P(PairRules, APairThatOnlyTheLowerRightPointChoosesBeginsWithIt)
{
  OrientedCloud cloud = emptyCloud(1, 12);
  // Point 1 has closer partners than point 10, which has point 1 alone.
  place(cloud, 1, 0.0f, true);
  place(cloud, 5, 0.012f, false);
  place(cloud, 6, 0.014f, false);
  place(cloud, 7, 0.016f, false);
  place(cloud, 10, 0.024f, false);
  ReferencePairing pairing;
  const std::vector<PointPair> pairs = somePairs(cloud, pairing);
  const std::vector<PointPair> expected = {{1, 5}, {1, 6}, {1, 7}, {10, 1}};
  expectPairs(expected, pairs);
}

TEST_P(PairRules, OfEquallyClosePartnersTheFirstRowByRowIsChosen)
{
  const OrientedCloud cloud = foldedPlane(41, 40);
  ReferencePairing pairing;
  pairing.resolution = 1.0f / 256.0f;
  PointPairEstimation estimation = estimationOf(pairing);
  expectPairs(referencePairs(cloud, pairing), pairsOf(estimation, cloud));

  // Three steps before the fold: straight on 4 steps behind it is 5 steps away.
  pairing.pairs_per_point = 1;
  const std::vector<PointPair> pairs = somePairs(cloud, pairing);
  const int columns = 40, row = 20;
  std::map<int, int> partner;
  for (const PointPair& pair : pairs)
    partner[pair.first] = pair.second;
  ASSERT_EQ(partner.count(row * columns + 17), 1u);
  // 9 + 16 = 25: behind the fold by 4 in its own row, or by 0 in rows 4 away, which is
  // the fold itself and has the first plane's normal.
  EXPECT_EQ(partner[row * columns + 17], row * columns + 24);
  // In the fold: 9 + 16 = 25 in the rows 3 and 4 above and below, and 25 straight on.
  ASSERT_EQ(partner.count(row * columns + 20), 1u);
  EXPECT_EQ(partner[row * columns + 20], (row - 4) * columns + 23);
}

TEST_P(PairRules, DistancesAtTheLimitsAreWithin)
{
  ReferencePairing pairing;
  pairing.resolution = 1.0f / 256.0f; // a power of two: limits and distances are exact
  for (int steps : {4, 5, 14, 15}) {
    SCOPED_TRACE(steps);
    OrientedCloud cloud = emptyCloud(1, 12);
    place(cloud, 2, 0.0f, true);
    place(cloud, 9, pairing.resolution * static_cast<float>(steps), false);
    const std::size_t expected = steps >= 5 && steps <= 14 ? 1u : 0u;
    EXPECT_EQ(somePairs(cloud, pairing).size(), expected);
  }
}

TEST_P(PairRules, PartnersAtTheEdgeOfTheWindowAreWithin)
{
  for (int columns_apart : {13, 14, 15}) {
    SCOPED_TRACE(columns_apart);
    OrientedCloud cloud = emptyCloud(1, 24);
    place(cloud, 3, 0.0f, true);
    place(cloud, 3 + columns_apart, 0.02f, false);
    EXPECT_EQ(somePairs(cloud).size(), columns_apart <= 14 ? 1u : 0u);
  }
}

TEST_P(PairRules, KeypointsChooseAndTheirPartnersMayBeAnyPoints)
{
  const OrientedCloud cloud = damagedCloud(45, 55, 31);
  for (int every : {2, 7, 50}) {
    SCOPED_TRACE(every);
    std::vector<int> keypoints;
    for (int number = 45 * 55 - 1; number >= 0; number -= every)
      keypoints.push_back(number); // in descending order
    PointPairEstimation estimation = estimationOf({});
    const std::vector<PointPair> expected = referencePairs(cloud, {}, &keypoints);
    EXPECT_GT(expected.size(), 20u);
    expectPairs(expected, pairsOf(estimation, cloud, keypoints));
  }
}

TEST_P(PairRules, KeypointsTwiceCountOnce)
{
  const OrientedCloud cloud = damagedCloud(45, 55, 32);
  const std::vector<int> once = {700, 1300, 900, 1234, 20};
  std::vector<int> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  PointPairEstimation estimation = estimationOf({});
  const std::vector<PointPair> expected = referencePairs(cloud, {}, &once);
  ASSERT_GT(expected.size(), 5u);
  expectPairs(expected, pairsOf(estimation, cloud, twice));
}

TEST_P(PairRules, MoreKeypointsThanPointsAreAllRight)
{
  const OrientedCloud cloud = damagedCloud(20, 30, 33);
  std::vector<int> keypoints;
  for (int i = 0; i < 3000; ++i)
    keypoints.push_back(i % 600);
  PointPairEstimation estimation = estimationOf({});
  expectPairs(referencePairs(cloud, {}), pairsOf(estimation, cloud, keypoints));
}

TEST_P(PairRules, KeypointsOutsideOfTheCloudAreLeftOut)
{
  const OrientedCloud cloud = damagedCloud(45, 55, 34);
  const std::vector<int> inside = {700, 1300, 900};
  std::vector<int> both = {-1, 45 * 55, std::numeric_limits<int>::max()};
  both.insert(both.end(), inside.begin(), inside.end());
  both.push_back(std::numeric_limits<int>::min());
  PointPairEstimation estimation = estimationOf({});
  expectPairs(referencePairs(cloud, {}, &inside), pairsOf(estimation, cloud, both));
}

TEST_P(PairRules, WithoutKeypointsThereAreNoPairs)
{
  PointPairEstimation estimation = estimationOf({});
  EXPECT_TRUE(pairsOf(estimation, bumpyCloud(30, 40, 1), std::vector<int>()).empty());
}

TEST_P(PairRules, KeypointsAreForgottenByTheNextCall)
{
  const OrientedCloud cloud = damagedCloud(45, 55, 35);
  PointPairEstimation estimation = estimationOf({});
  pairsOf(estimation, cloud, std::vector<int>{700, 1300});
  expectPairs(referencePairs(cloud, {}), pairsOf(estimation, cloud));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PairRules);

} // namespace
