// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pair_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu::test {

namespace {

bool
isFinite(const PointXYZ& p)
{
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/** \brief The closest points that a point may be paired with, the closest first. */
std::vector<int>
choiceOf(const OrientedCloud& cloud, const ReferencePairing& pairing, int v, int u)
{
  const float least = pairing.least_distance * pairing.resolution;
  const float most = pairing.largest_distance * pairing.resolution;
  const float largest_cosine = std::cos(pairing.least_angle);
  const PointXYZ& p = cloud.points.at(v, u);
  const PointXYZ& n = cloud.normals.at(v, u);
  std::vector<std::pair<float, int>> partners; // squared distance, number
  const int radius = pairing.window_radius;
  const int rows = cloud.points.rows, columns = cloud.points.columns;
  for (int y = std::max(v - radius, 0); y <= std::min(v + radius, rows - 1); ++y)
    for (int x = std::max(u - radius, 0); x <= std::min(u + radius, columns - 1); ++x) {
      const PointXYZ& q = cloud.points.at(y, x);
      const PointXYZ& m = cloud.normals.at(y, x);
      if (!isFinite(q) || !isFinite(m))
        continue;
      const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
      const float squared_distance = dx * dx + dy * dy + dz * dz;
      const float cosine = n.x * m.x + n.y * m.y + n.z * m.z;
      if (squared_distance >= least * least && squared_distance <= most * most &&
          cosine <= largest_cosine)
        partners.emplace_back(squared_distance, y * columns + x);
    }
  std::sort(partners.begin(), partners.end());
  std::vector<int> chosen;
  for (const auto& partner : partners)
    if (static_cast<int>(chosen.size()) < pairing.pairs_per_point)
      chosen.push_back(partner.second);
  return chosen;
}

} // namespace

std::vector<PointPair>
referencePairs(const OrientedCloud& cloud,
               const ReferencePairing& pairing,
               const std::vector<int>* keypoints)
{
  const int rows = cloud.points.rows, columns = cloud.points.columns;
  const int count = rows * columns;
  std::vector<std::vector<int>> choices(count);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      const int number = v * columns + u;
      const bool asked =
          !keypoints || std::count(keypoints->begin(), keypoints->end(), number) > 0;
      if (asked && isFinite(cloud.points.at(v, u)) && isFinite(cloud.normals.at(v, u)))
        choices[number] = choiceOf(cloud, pairing, v, u);
    }
  std::vector<PointPair> pairs;
  for (int number = 0; number < count; ++number)
    for (int partner : choices[number]) {
      const std::vector<int>& others = choices[partner];
      const bool chosen_by_both =
          std::find(others.begin(), others.end(), number) != others.end();
      if (!chosen_by_both || number < partner)
        pairs.push_back({number, partner});
    }
  return pairs;
}

void
expectPairs(const std::vector<PointPair>& expected,
            const std::vector<PointPair>& actual)
{
  EXPECT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    ASSERT_EQ(expected[i].first, actual[i].first) << "pair " << i;
    ASSERT_EQ(expected[i].second, actual[i].second) << "pair " << i;
  }
}

} // namespace pcl::gpu::test
