// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cast_test.h"
#include "embree_reference.h"

namespace pcl::gpu::test {

/** \brief Agreement of a cast with Embree; counts of pixels. */
struct Agreement {
  long rays = 0;
  long one_misses = 0;     ///< one of the two hits and the other does not
  long other_triangle = 0; ///< both hit, not the same triangle
  long other_depth = 0;    ///< same triangle, depths differ by more than 1e-5 of them
};

inline Answer
answerOf(const CastResult& result, int y, int x)
{
  return {result.triangles.at(y, x), result.depth.at(y, x)};
}

/** \brief Expects that float64 brute force admits the answers of all pixels. */
inline void
expectAdmitted(const ReferenceCast& reference, const CastResult& result)
{
  ASSERT_EQ(result.triangles.rows, reference.view().getHeight());
  ASSERT_EQ(result.triangles.columns, reference.view().getWidth());
  int refused = 0;
  for (int y = 0; y < result.triangles.rows; ++y)
    for (int x = 0; x < result.triangles.columns; ++x) {
      const Answer answer = answerOf(result, y, x);
      ASSERT_EQ(answer.id < 0, std::isnan(answer.depth)) << "row " << y << ", " << x;
      if (!reference.admits(answer, x, y) && ++refused <= 3)
        ADD_FAILURE() << "row " << y << ", column " << x << ": " << answer;
    }
  EXPECT_EQ(refused, 0);
}

/** \brief Expects that every pixel which Embree answers otherwise is one where float64
 * brute force admits the answer, and counts those pixels. */
inline void
expectAsEmbree(const ReferenceCast& reference,
               const CastResult& result,
               Agreement& agreement)
{
  const Image<Answer> expected = castByEmbree(reference);
  ASSERT_EQ(result.triangles.rows, expected.rows);
  ASSERT_EQ(result.triangles.columns, expected.columns);
  int refused = 0;
  for (int y = 0; y < expected.rows; ++y)
    for (int x = 0; x < expected.columns; ++x) {
      ++agreement.rays;
      const Answer answer = answerOf(result, y, x);
      const Answer& other = expected.at(y, x);
      if ((answer.id < 0) != (other.id < 0))
        ++agreement.one_misses;
      else if (answer.id != other.id)
        ++agreement.other_triangle;
      else if (answer.id >= 0 &&
               std::abs(answer.depth - other.depth) > 1e-5 * other.depth)
        ++agreement.other_depth;
      else
        continue;
      if (!reference.admits(answer, x, y) && ++refused <= 3)
        ADD_FAILURE() << "row " << y << ", column " << x << ": " << answer
                      << ", but Embree: " << other;
    }
  EXPECT_EQ(refused, 0);
}

} // namespace pcl::gpu::test
