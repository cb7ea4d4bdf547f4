// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "pair_test.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

// Pairs and their order: those of all points against all.

class PairsOfAllPoints : public PairTest {};

TEST_P(PairsOfAllPoints, EqualBruteForceOnDamagedClouds)
{
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const int rows = 40 + static_cast<int>(7 * seed);
    const int columns = 90 - static_cast<int>(5 * seed);
    const OrientedCloud cloud = damagedCloud(rows, columns, seed);
    EXPECT_GT(expectReference(cloud, {}), 1000u) << "there was nothing to compare";
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceForAllWindowsAndNumbersOfPairs)
{
  const OrientedCloud cloud = damagedCloud(35, 75, 11);
  for (int radius : {1, 2, 3, 7, 8, 14, 64})
    for (int pairs_per_point : {1, 2, 3}) {
      SCOPED_TRACE("radius " + std::to_string(radius) + ", " +
                   std::to_string(pairs_per_point) + " a point");
      ReferencePairing pairing;
      pairing.window_radius = radius;
      pairing.pairs_per_point = pairs_per_point;
      // Distances that such windows hold.
      const float least = radius < 5 ? 0.5f * static_cast<float>(radius) : 5.0f;
      pairing.least_distance = least;
      pairing.largest_distance = std::max(2.0f * least, static_cast<float>(radius));
      EXPECT_GT(expectReference(cloud, pairing), 50u);
    }
}

TEST_P(PairsOfAllPoints, EqualBruteForceAroundTheSizesOfCells)
{
  const int sizes[] = {1, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33};
  std::size_t found = 0;
  std::uint32_t seed = 100;
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(sizeText(rows, columns) + ", " + seedText(++seed));
      found += expectReference(damagedCloud(rows, columns, seed), {});
    }
  EXPECT_GT(found, 3000u);
}

TEST_P(PairsOfAllPoints, EqualBruteForceInLongStrips)
{
  for (bool upright : {false, true}) {
    SCOPED_TRACE(upright);
    const int rows = upright ? 3001 : 1, columns = upright ? 1 : 3001;
    EXPECT_GT(expectReference(damagedCloud(rows, columns, 3), {}), 100u);
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceForOtherDistances)
{
  const OrientedCloud cloud = damagedCloud(45, 61, 21);
  const float limits[][2] = {
      {0.1f, 2.0f}, {1.0f, 30.0f}, {8.0f, 8.1f}, {6.0f, 6.0f}, {13.0f, 1e6f}};
  for (const auto& limit : limits) {
    SCOPED_TRACE(limit[0]);
    ReferencePairing pairing;
    pairing.least_distance = limit[0];
    pairing.largest_distance = limit[1];
    expectReference(cloud, pairing);
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceWherePointsAreAsCloseAsAllowed)
{
  const OrientedCloud cloud = bumpyCloud(24, 40, 31);
  const auto place = [&](int row, int column) {
    return cloud.points
        .data[static_cast<std::size_t>(row * cloud.points.columns + column)]
        .getVector3fMap();
  };
  for (int column = 4; column < 36; column += 5) {
    const float distance = (place(12, column) - place(7, column + 2)).norm();
    ReferencePairing pairing;
    const float least = distance / pairing.resolution;
    for (float limit :
         {std::nextafter(least, 0.0f), least, std::nextafter(least, 100.0f)}) {
      SCOPED_TRACE(limit);
      pairing.least_distance = limit;
      EXPECT_GT(expectReference(cloud, pairing), 100u);
    }
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceForOtherAngles)
{
  const OrientedCloud cloud = damagedCloud(45, 61, 22);
  for (float angle : {0.001f, 0.02f, 0.5f, 1.2f, 1.6f, 2.5f, 3.14f}) {
    SCOPED_TRACE(angle);
    ReferencePairing pairing;
    pairing.least_angle = angle;
    const std::size_t found = expectReference(cloud, pairing);
    EXPECT_EQ(found > 100u, angle < 2.0f);
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceWithNormalsOfAllDirections)
{
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seedText(seed));
    OrientedCloud cloud = bumpyCloud(41, 67, seed);
    for (std::size_t i = 0; i < cloud.normals.data.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      cloud.normals.data[i].getVector3fMap() =
          randomRotation(seed * 10000 + number).col(0).cast<float>();
    }
    for (float angle : {0.26f, 1.5f, 2.8f}) {
      ReferencePairing pairing;
      pairing.least_angle = angle;
      EXPECT_GT(expectReference(cloud, pairing), 100u);
    }
  }
}

TEST_P(PairsOfAllPoints, EqualBruteForceFarFromTheOrigin)
{
  const OrientedCloud cloud = moved(
      damagedCloud(45, 61, 23), randomRotation(5), Eigen::Vector3d(40.0, -300.0, 80.0));
  EXPECT_GT(expectReference(cloud, {}), 500u);
}

TEST_P(PairsOfAllPoints, EqualBruteForceInAnyUnitOfLength)
{
  for (float scale : {1e-5f, 1e-2f, 1e3f, 1e6f}) {
    SCOPED_TRACE(scale);
    OrientedCloud cloud = damagedCloud(45, 61, 25);
    for (PointXYZ& point : cloud.points.data)
      point.getVector3fMap() *= scale;
    ReferencePairing pairing;
    pairing.resolution *= scale;
    EXPECT_GT(expectReference(cloud, pairing), 500u);
  }
}

TEST_P(PairsOfAllPoints, TakeTheResolutionFromTheStatistics)
{
  const OrientedCloud cloud = bumpyCloud(60, 70, 24);
  const auto statistics = statisticsOf(cloud);
  ReferencePairing pairing;
  pairing.resolution = downloaded(statistics).at(0).nearest_distance;
  ASSERT_GT(pairing.resolution, 0.0f);
  PointPairEstimation estimation;
  const std::vector<PointPair> expected = referencePairs(cloud, pairing);
  EXPECT_GT(expected.size(), 300u);
  expectPairs(expected, pairsOf(estimation, cloud, statistics));
}

TEST_P(PairsOfAllPoints, PreferTheResolutionThatIsSet)
{
  const OrientedCloud cloud = damagedCloud(40, 50, 25);
  ReferencePairing pairing;
  pairing.resolution = 0.0015f;
  PointPairEstimation estimation = estimationOf(pairing);
  EXPECT_EQ(estimation.getParameters().resolution, 0.0015f);
  expectPairs(referencePairs(cloud, pairing),
              pairsOf(estimation, cloud, statisticsOf(cloud)));
}

TEST_P(PairsOfAllPoints, AreNoneWhereNoResolutionCanBeMeasured)
{
  OrientedCloud cloud = bumpyCloud(30, 40, 1);
  for (PointXYZ& p : cloud.points.data)
    p.getVector3fMap().setConstant(std::numeric_limits<float>::quiet_NaN());
  PointPairEstimation estimation;
  EXPECT_TRUE(pairsOf(estimation, cloud, statisticsOf(cloud)).empty());
}

TEST_P(PairsOfAllPoints, AreNoneOnAPlane)
{
  OrientedCloud cloud = bumpyCloud(60, 70, 2);
  for (std::size_t i = 0; i < cloud.points.data.size(); ++i) {
    cloud.points.data[i].z = 1.0f;
    cloud.normals.data[i] = {0.0f, 0.0f, -1.0f};
  }
  PointPairEstimation estimation = estimationOf({});
  EXPECT_TRUE(pairsOf(estimation, cloud).empty());
}

TEST_P(PairsOfAllPoints, AreNoneInAnEmptyCloud)
{
  PointPairEstimation estimation = estimationOf({});
  PointPairs pairs = poisonedPairs();
  estimation.compute({}, {}, {}, pairs);
  ASSERT_EQ(pairs.count.size(), 1u);
  EXPECT_EQ(downloaded(pairs.count)[0], 0);
}

TEST_P(PairsOfAllPoints, AreNoneInACloudOfOnePoint)
{
  PointPairEstimation estimation = estimationOf({});
  EXPECT_TRUE(pairsOf(estimation, bumpyCloud(1, 1, 1)).empty());
}

TEST_P(PairsOfAllPoints, AreNoneWhereAllNormalsAreMissing)
{
  OrientedCloud cloud = bumpyCloud(30, 40, 3);
  for (PointXYZ& n : cloud.normals.data)
    n.getVector3fMap().setConstant(std::numeric_limits<float>::quiet_NaN());
  PointPairEstimation estimation = estimationOf({});
  EXPECT_TRUE(pairsOf(estimation, cloud).empty());
}

TEST_P(PairsOfAllPoints, ComeWithRoomForAllThatCanBe)
{
  PointPairEstimation estimation = estimationOf({});
  PointPairs pairs = poisonedPairs();
  const OrientedCloud cloud = bumpyCloud(20, 30, 4);
  estimation.compute(uploaded(cloud.points), uploaded(cloud.normals), {}, pairs);
  EXPECT_EQ(pairs.pairs.size(), 3u * 20 * 30);
}

TEST_P(PairsOfAllPoints, AreTheSameOnEveryRun)
{
  PointPairEstimation estimation = estimationOf({});
  const OrientedCloud large = damagedCloud(70, 80, 5), small = damagedCloud(20, 30, 6);
  const std::vector<PointPair> of_large = pairsOf(estimation, large);
  const std::vector<PointPair> of_small = pairsOf(estimation, small);
  EXPECT_GT(of_small.size(), 50u);
  for (int run = 0; run < 5; ++run) {
    EXPECT_TRUE(samePairs(pairsOf(estimation, large), of_large));
    EXPECT_TRUE(samePairs(pairsOf(estimation, small), of_small));
  }
}

TEST_P(PairsOfAllPoints, OfDifferentCloudsInTurnEqualBruteForce)
{
  const OrientedCloud clouds[] = {damagedCloud(70, 80, 15),
                                  damagedCloud(70, 80, 16),
                                  bumpyCloud(70, 80, 17),
                                  damagedCloud(80, 70, 18)};
  PointPairEstimation estimation = estimationOf({});
  for (int run = 0; run < 3; ++run)
    for (const OrientedCloud& cloud : clouds) {
      SCOPED_TRACE(run);
      expectPairs(referencePairs(cloud, {}), pairsOf(estimation, cloud));
    }
}

TEST_P(PairsOfAllPoints, OfACopyAreTheSame)
{
  PointPairEstimation estimation = estimationOf({});
  const OrientedCloud cloud = damagedCloud(50, 60, 7);
  const std::vector<PointPair> pairs = pairsOf(estimation, cloud);
  PointPairEstimation copy = estimation;
  EXPECT_TRUE(samePairs(pairsOf(copy, cloud), pairs));
  EXPECT_TRUE(samePairs(pairsOf(estimation, cloud), pairs));
}

TEST_P(PairsOfAllPoints, OfAnAssignedEstimationEqualBruteForce)
{
  const OrientedCloud clouds[] = {damagedCloud(70, 80, 26), damagedCloud(50, 60, 27)};
  PointPairEstimation large = estimationOf({}), small = estimationOf({});
  for (int run = 0; run < 3; ++run) {
    pairsOf(large, clouds[0]);
    pairsOf(small, clouds[1]);
  }
  large = small;
  for (const OrientedCloud* cloud : {&clouds[1], &clouds[0], &clouds[1]})
    expectPairs(referencePairs(*cloud, {}), pairsOf(large, *cloud));
}

TEST_P(PairsOfAllPoints, LeaveTheInputAsItIs)
{
  const OrientedCloud cloud = damagedCloud(50, 60, 8);
  const OrganizedCloud points = uploaded(cloud.points);
  const NormalMap normals = uploaded(cloud.normals);
  PointPairEstimation estimation = estimationOf({});
  PointPairs pairs;
  estimation.compute(points, normals, {}, pairs);
  EXPECT_TRUE(sameBits(downloaded(points), cloud.points));
  EXPECT_TRUE(sameBits(downloaded(normals), cloud.normals));
}

TEST_P(PairsOfAllPoints, JoinAStream)
{
  const Stream stream = Stream::create();
  const OrientedCloud cloud = damagedCloud(50, 60, 9);
  const OrganizedCloud points = uploaded(cloud.points);
  const NormalMap normals = uploaded(cloud.normals);
  PointPairEstimation estimation = estimationOf({});
  PointPairs pairs = poisonedPairs();
  Stream().synchronize(); // which the other stream does not wait for
  estimation.compute(points, normals, {}, pairs, stream);
  stream.synchronize();
  expectPairs(referencePairs(cloud, {}), downloadedPairs(pairs));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PairsOfAllPoints);

} // namespace
