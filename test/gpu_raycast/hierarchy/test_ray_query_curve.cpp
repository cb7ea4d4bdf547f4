// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/hierarchy_build.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

TEST(RayQueryCurve, PassesThroughAllCellsFromNeighbourToNeighbour)
{
  for (int bits = 1; bits <= 6; ++bits) {
    SCOPED_TRACE(bits);
    const int cells = 1 << bits;
    std::vector<std::array<int, 3>> path(1u << 3 * bits, {-1, -1, -1});
    for (int x = 0; x < cells; ++x)
      for (int y = 0; y < cells; ++y)
        for (int z = 0; z < cells; ++z)
          path.at(pcl::device::curvePosition(x, y, z, bits)) = {x, y, z};
    for (std::size_t i = 0; i < path.size(); ++i) {
      ASSERT_GE(path[i][0], 0) << "no cell at " << i;
      if (i == 0)
        continue;
      int steps = 0;
      for (int axis = 0; axis < 3; ++axis)
        steps += std::abs(path[i][axis] - path[i - 1][axis]);
      ASSERT_EQ(steps, 1) << "before " << i;
    }
  }
}

TEST(RayQueryCurve, FinestCells)
{
  EXPECT_EQ(pcl::device::curvePosition(0, 0, 0, 10), 0u);
  std::uint32_t most = 0;
  for (std::uint32_t corner = 0; corner < 8; ++corner)
    most = std::max(
        most,
        pcl::device::curvePosition(
            corner & 1 ? 1023 : 0, corner & 2 ? 1023 : 0, corner & 4 ? 1023 : 0, 10));
  EXPECT_EQ(most, (1u << 30) - 1) << "the curve ends in a corner";
}
