// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_scenespace/images/random_images.h"

#include <pcl/gpu/scenespace/depth_filling.h>

#include <gtest/gtest.h>

namespace pcl::gpu::test {

namespace {

class FilledDepth : public DeviceTest {};

/** \brief Depths that are all different, and holes of all kinds of no depth. */
Image<float>
depthWithHoles(int rows, int columns, double missing, unsigned int seed)
{
  const float holes[] = {not_a_number, 0.0f, -1.0f, infinity, -infinity};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> depths(0.5f, 5.0f);
  std::bernoulli_distribution is_missing(missing);
  Image<float> depth(rows, columns);
  for (float& value : depth.data)
    value = is_missing(random) ? holes[random() % std::size(holes)] : depths(random);
  return depth;
}

bool
hasDepth(float depth)
{
  return std::isfinite(depth) && depth > 0.0f;
}

/** \brief A pixel that a hole may get its depth from. */
struct Candidate {
  double cost;
  float depth;
};

/** \brief The nearest pixels with depth, direction by direction. */
std::vector<Candidate>
candidatesOf(const Image<float>& depth, const Image<RGB>& color, int v, int u)
{
  constexpr int directions[8][2] = {
      {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  std::vector<Candidate> candidates;
  for (const auto& direction : directions)
    for (int steps = 1;; ++steps) {
      const int x = u + steps * direction[0], y = v + steps * direction[1];
      if (x < 0 || y < 0 || x >= depth.columns || y >= depth.rows)
        break;
      if (!hasDepth(depth.at(y, x)))
        continue;
      const RGB &a = color.at(v, u), &b = color.at(y, x);
      const double difference = std::sqrt(
          std::pow(a.r - b.r, 2) + std::pow(a.g - b.g, 2) + std::pow(a.b - b.b, 2));
      candidates.push_back(
          {difference + std::hypot(double(x - u), double(y - v)), depth.at(y, x)});
      break;
    }
  return candidates;
}

/** \brief Expects the depth of a candidate that costs no more than any other; rounding
 * may choose between those that cost the same. */
void
expectCheapest(float depth, const std::vector<Candidate>& candidates)
{
  double least = infinity, cost = infinity;
  for (const Candidate& candidate : candidates) {
    least = std::min(least, candidate.cost);
    if (candidate.depth == depth)
      cost = std::min(cost, candidate.cost);
  }
  ASSERT_LE(cost, least * (1.0 + 1e-6));
}

void
expectFilled(const Image<float>& filled,
             const Image<float>& depth,
             const Image<RGB>& color)
{
  ASSERT_EQ(filled.rows, depth.rows);
  ASSERT_EQ(filled.columns, depth.columns);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      SCOPED_TRACE(::testing::Message() << "row " << v << ", column " << u);
      const auto candidates = candidatesOf(depth, color, v, u);
      if (hasDepth(depth.at(v, u)))
        ASSERT_EQ(filled.at(v, u), depth.at(v, u));
      else if (candidates.empty())
        ASSERT_TRUE(std::isnan(filled.at(v, u)));
      else
        ASSERT_NO_FATAL_FAILURE(expectCheapest(filled.at(v, u), candidates));
    }
}

Image<float>
filledDepth(const Image<float>& depth, const Image<RGB>& color)
{
  DeviceArray2D<float> filled = poisoned<float>(depth.rows, depth.columns);
  DepthFilling().compute(uploaded(depth), uploaded(color), filled);
  return downloaded(filled);
}

/** \brief Nine pixels of one colour, of which some have depth. */
float
middleOf(const std::vector<float>& depths)
{
  Image<float> depth(3, 3);
  depth.data = depths;
  return filledDepth(depth, Image<RGB>(3, 3, RGB(50, 60, 70))).at(1, 1);
}

TEST_P(FilledDepth, IsThatOfThePixelThatCostsLeast)
{
  for (const double missing : {0.05, 0.2, 0.5, 0.9, 0.99, 0.999}) {
    SCOPED_TRACE(::testing::Message() << "missing " << missing);
    const Image<float> depth = depthWithHoles(70, 133, missing, 1);
    const Image<RGB> color = noisyAreas(70, 133, 5.0f, 1);
    expectFilled(filledDepth(depth, color), depth, color);
  }
}

TEST_P(FilledDepth, IsThatOfThePixelThatCostsLeastInImagesOfAnySize)
{
  for (const int rows : {1, 2, 3, 31, 32, 33, 65})
    for (const int columns : {1, 2, 3, 31, 32, 33, 64, 65}) {
      SCOPED_TRACE(::testing::Message() << columns << " x " << rows);
      const Image<float> depth = depthWithHoles(rows, columns, 0.7, rows + columns);
      const Image<RGB> color = noisyAreas(rows, columns, 5.0f, rows + columns);
      expectFilled(filledDepth(depth, color), depth, color);
    }
}

TEST_P(FilledDepth, CrossesLargeHoles)
{
  for (const bool is_wide : {false, true}) {
    const int rows = is_wide ? 9 : 300, columns = is_wide ? 300 : 9;
    Image<float> depth(rows, columns, not_a_number);
    const Image<RGB> color = noisyAreas(rows, columns, 5.0f, 2);
    depth.at(0, 0) = 1.0f;
    depth.at(rows - 1, columns - 1) = 2.0f;
    depth.at(rows / 2, columns / 2) = 3.0f;
    expectFilled(filledDepth(depth, color), depth, color);
  }
}

TEST_P(FilledDepth, IsThatOfTheMostSimilarColor)
{
  Image<float> depth(1, 9, not_a_number);
  Image<RGB> color(1, 9, RGB(200, 30, 30));
  depth.at(0, 3) = 1.0f;
  depth.at(0, 8) = 2.0f;
  color.at(0, 3) = RGB(200, 40, 30);
  EXPECT_EQ(filledDepth(depth, color).at(0, 4), 2.0f);
}

TEST_P(FilledDepth, IsThatOfTheFirstDirectionIfSeveralCostTheSame)
{
  const float none = not_a_number;
  EXPECT_EQ(middleOf({6, 4, 7, 2, none, 1, 8, 3, 5}), 1.0f);
  EXPECT_EQ(middleOf({6, 4, 7, 2, none, none, 8, 3, 5}), 2.0f);
  EXPECT_EQ(middleOf({6, 4, 7, none, none, none, 8, 3, 5}), 3.0f);
  EXPECT_EQ(middleOf({6, 4, 7, none, none, none, 8, none, 5}), 4.0f);
  EXPECT_EQ(middleOf({6, none, 7, none, none, none, 8, none, 5}), 5.0f);
  EXPECT_EQ(middleOf({6, none, 7, none, none, none, 8, none, none}), 6.0f);
  EXPECT_EQ(middleOf({none, none, 7, none, none, none, 8, none, none}), 7.0f);
  EXPECT_EQ(middleOf({none, none, none, none, none, none, 8, none, none}), 8.0f);
}

TEST_P(FilledDepth, IsNoneWithoutAnyDepth)
{
  const Image<float> depth = depthWithHoles(40, 70, 1.0, 3);
  const Image<RGB> color = noisyAreas(40, 70, 5.0f, 3);
  for (const float value : filledDepth(depth, color).data)
    ASSERT_TRUE(std::isnan(value));
}

TEST_P(FilledDepth, IsTheDepthItselfWithoutHoles)
{
  const Image<float> depth = depthWithHoles(40, 70, 0.0, 4);
  EXPECT_TRUE(sameBits(filledDepth(depth, noisyAreas(40, 70, 5.0f, 4)), depth));
}

TEST_P(FilledDepth, MayReplaceItsInput)
{
  const Image<float> depth = depthWithHoles(70, 90, 0.6, 5);
  const Image<RGB> color = noisyAreas(70, 90, 5.0f, 5);
  DeviceArray2D<float> map = uploaded(depth);
  DepthFilling().compute(map, uploaded(color), map);
  EXPECT_TRUE(sameBits(downloaded(map), filledDepth(depth, color)));
}

TEST_P(FilledDepth, IsTheSameWithMemoryOfAnotherImage)
{
  DepthFilling filling;
  for (const int size : {90, 20, 55}) {
    const Image<float> depth = depthWithHoles(size, size + 7, 0.6, size);
    const Image<RGB> color = noisyAreas(size, size + 7, 5.0f, size);
    DeviceArray2D<float> filled;
    filling.compute(uploaded(depth), uploaded(color), filled);
    EXPECT_TRUE(sameBits(downloaded(filled), filledDepth(depth, color))) << size;
  }
}

TEST_P(FilledDepth, IsTheSameOnTheHost)
{
  for (unsigned int seed = 1; seed <= 3; ++seed) {
    const Image<float> depth = depthWithHoles(123, 177, 0.3 * seed, seed);
    const Image<RGB> color = noisyAreas(123, 177, 5.0f, seed);
    const Image<float> filled = filledDepth(depth, color);
    const auto scope = useDevice("host");
    EXPECT_TRUE(sameBits(filled, filledDepth(depth, color))) << "seed " << seed;
  }
}

TEST_P(FilledDepth, OfNoPixelsIsNone)
{
  DeviceArray2D<float> filled = poisoned<float>(3, 4);
  DepthFilling().compute(DeviceArray2D<float>(), DeviceArray2D<RGB>(), filled);
  EXPECT_TRUE(filled.empty());
}

TEST_P(FilledDepth, RejectsArgumentsThatMakeNoSense)
{
  DepthFilling filling;
  const DeviceArray2D<float> depth = uploaded(depthWithHoles(20, 30, 0.5, 1));
  const DeviceArray2D<RGB> color = uploaded(noisyAreas(20, 30, 5.0f, 1));
  DeviceArray2D<float> filled;
  expectBadArgument("colour has 30 x 21 pixels", [&] {
    filling.compute(depth, uploaded(noisyAreas(21, 30, 5.0f, 1)), filled);
  });
  expectBadArgument("colour has 0 x 0 pixels",
                    [&] { filling.compute(depth, DeviceArray2D<RGB>(), filled); });
  DeviceArray2D<float> same(
      20, 30, reinterpret_cast<float*>(const_cast<RGB*>(color.ptr())), color.step());
  expectBadArgument("colour", [&] { filling.compute(depth, color, same); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilledDepth);

} // namespace

} // namespace pcl::gpu::test
