// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

namespace pcl::gpu::test {

/** \brief The largest of many errors and where it is; NaN is larger than all. */
struct Worst {
  double error = 0.0;
  int row = -1;
  int column = -1;
  long compared = 0;

  void
  see(double new_error, int v, int u)
  {
    ++compared;
    if (std::isnan(error) || !(std::isnan(new_error) || new_error > error))
      return;
    error = new_error;
    row = v;
    column = u;
  }
};

inline std::ostream&
operator<<(std::ostream& stream, const Worst& worst)
{
  return stream << "at row " << worst.row << ", column " << worst.column << ", of "
                << worst.compared << " pixels";
}

/** \brief Expects the same numbers to a relative tolerance, and NaN at the same
 * pixels. */
template <typename Expected>
void
expectClose(const Image<Expected>& expected,
            const Image<float>& actual,
            double tolerance)
{
  ASSERT_EQ(actual.rows, expected.rows);
  ASSERT_EQ(actual.columns, expected.columns);
  Worst worst;
  for (int v = 0; v < expected.rows; ++v)
    for (int u = 0; u < expected.columns; ++u) {
      const double e = expected.at(v, u);
      const double a = actual.at(v, u);
      ASSERT_EQ(std::isnan(a), std::isnan(e)) << "row " << v << ", column " << u;
      if (!std::isnan(e))
        worst.see(std::abs(a - e) / std::abs(e), v, u);
    }
  EXPECT_LE(worst.error, tolerance) << worst;
}

} // namespace pcl::gpu::test
