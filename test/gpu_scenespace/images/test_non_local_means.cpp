// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/instruction_sets.h"
#include "common/numbers.h"
#include "gpu_scenespace/images/random_images.h"

#include <pcl/gpu/scenespace/non_local_means.h>

#include <gtest/gtest.h>

#include <array>

namespace pcl::gpu::test {

namespace {

class MeansOfSimilarPixels : public DeviceTest {};
class MeansOfSimilarPixelsByInstructionSet : public InstructionSetTest {};

using Levels = std::array<double, 3>;

/** \brief The formula in the class's documentation, in double precision. */
class MeansReference {
public:
  MeansReference(const NonLocalMeans& means,
                 const Image<RGB>& color,
                 const Image<float>& variance)
  : means_(means)
  , color_(color)
  , variance_(variance)
  {}

  Levels
  mean(int v, int u) const
  {
    const float own = variance_.at(v, u);
    if (!(std::isfinite(own) && own > 0.0f))
      return levels(v, u);
    const int reach = means_.getParameters().search_reach;
    const double square = std::pow(double(means_.getParameters().strength), 2);
    Levels sum{};
    double weights = 0.0;
    for (int y = std::max(0, v - reach); y <= std::min(color_.rows - 1, v + reach); ++y)
      for (int x = std::max(0, u - reach); x <= std::min(color_.columns - 1, u + reach);
           ++x) {
        if (!std::isfinite(variance_.at(y, x)))
          continue;
        const double excess = std::max(0.0, distance(v, u, y, x) - 1.0);
        const double weight = std::exp(-excess / square) / variance(y, x);
        const Levels other = levels(y, x);
        for (int i = 0; i < 3; ++i)
          sum[i] += weight * other[i];
        weights += weight;
      }
    return {sum[0] / weights, sum[1] / weights, sum[2] / weights};
  }

private:
  Levels
  levels(int v, int u) const
  {
    const RGB& color = color_.at(std::clamp(v, 0, color_.rows - 1),
                                 std::clamp(u, 0, color_.columns - 1));
    return {double(color.r), double(color.g), double(color.b)};
  }

  double
  variance(int v, int u) const
  {
    const float given = variance_.at(std::clamp(v, 0, color_.rows - 1),
                                     std::clamp(u, 0, color_.columns - 1));
    return std::isfinite(given) ? std::clamp(double(given), 1.0 / 12.0, 1e6) : 1e6;
  }

  double
  distance(int v, int u, int y, int x) const
  {
    const int reach = means_.getParameters().patch_reach;
    double sum = 0.0;
    for (int b = -reach; b <= reach; ++b)
      for (int a = -reach; a <= reach; ++a) {
        const Levels p = levels(v + b, u + a), q = levels(y + b, x + a);
        double square = 0.0;
        for (int i = 0; i < 3; ++i)
          square += (p[i] - q[i]) * (p[i] - q[i]);
        sum += square / (3.0 * (variance(v + b, u + a) + variance(y + b, x + a)));
      }
    return sum / ((2 * reach + 1) * (2 * reach + 1));
  }

  const NonLocalMeans& means_;
  const Image<RGB>& color_;
  const Image<float>& variance_;
};

void
expectMeans(const Image<RGB>& result,
            const NonLocalMeans& means,
            const Image<RGB>& color,
            const Image<float>& variance)
{
  ASSERT_EQ(result.rows, color.rows);
  ASSERT_EQ(result.columns, color.columns);
  const MeansReference reference(means, color, variance);
  for (int v = 0; v < color.rows; ++v)
    for (int u = 0; u < color.columns; ++u) {
      const Levels expected = reference.mean(v, u);
      const RGB& pixel = result.at(v, u);
      ASSERT_NEAR(pixel.r, expected[0], 0.505) << "row " << v << ", column " << u;
      ASSERT_NEAR(pixel.g, expected[1], 0.505) << "row " << v << ", column " << u;
      ASSERT_NEAR(pixel.b, expected[2], 0.505) << "row " << v << ", column " << u;
      ASSERT_EQ(pixel.a, 255) << "row " << v << ", column " << u;
    }
}

Image<RGB>
meansOf(const NonLocalMeans& means,
        const Image<RGB>& color,
        const Image<float>& variance)
{
  DeviceArray2D<RGB> result = poisoned<RGB>(color.rows, color.columns);
  means.compute(uploaded(color), uploaded(variance), result);
  return downloaded(result);
}

Image<RGB>
meansOf(const NonLocalMeans& means, const Image<RGB>& color, float sigma)
{
  DeviceArray2D<RGB> result = poisoned<RGB>(color.rows, color.columns);
  means.compute(uploaded(color), sigma, result);
  return downloaded(result);
}

/** \brief Compares with the formula: noise that varies, and noise that does not. */
void
expectFormula(const NonLocalMeans& means, int rows, int columns, unsigned int seed)
{
  SCOPED_TRACE(::testing::Message() << columns << " x " << rows << ", seed " << seed);
  const float sigma = 12.0f;
  const Image<RGB> color = noisyAreas(rows, columns, sigma, seed);
  const Image<float> variance = randomVariances(rows, columns, sigma, 2.0f, seed);
  expectMeans(meansOf(means, color, variance), means, color, variance);
  const Image<float> same(rows, columns, sigma * sigma);
  expectMeans(meansOf(means, color, sigma), means, color, same);
}

TEST_P(MeansOfSimilarPixels, FollowTheFormula) { expectFormula({}, 61, 83, 1); }

TEST_P(MeansOfSimilarPixelsByInstructionSet, FollowTheFormula)
{
  expectFormula({}, 37, 83, 1);
}

TEST_P(MeansOfSimilarPixelsByInstructionSet, AreTheSameAsOnTheBestOne)
{
  const Image<RGB> color = noisyAreas(37, 83, 15.0f, 2);
  const Image<float> variance = randomVariances(37, 83, 15.0f, 2.0f, 2);
  const Image<RGB> varying = meansOf({}, color, variance);
  const Image<RGB> same = meansOf({}, color, 15.0f);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  EXPECT_TRUE(sameBits(varying, meansOf({}, color, variance)));
  EXPECT_TRUE(sameBits(same, meansOf({}, color, 15.0f)));
}

TEST_P(MeansOfSimilarPixels, FollowTheFormulaInImagesOfAnySize)
{
  for (const int rows : {1, 2, 5, 15, 16, 17, 33})
    for (const int columns : {1, 2, 7, 29, 30, 31, 63, 64, 65})
      expectFormula({}, rows, columns, rows * 100 + columns);
}

TEST_P(MeansOfSimilarPixels, FollowTheFormulaForEveryPatch)
{
  NonLocalMeans means;
  for (int reach = 0; reach <= NonLocalMeansParameters::max_patch_reach; ++reach) {
    change(means, [&](auto& p) { p.patch_reach = reach; });
    expectFormula(means, 35, 67, reach);
  }
}

TEST_P(MeansOfSimilarPixels, FollowTheFormulaForWindowsFromOnePixelToTheLargest)
{
  NonLocalMeans means;
  change(means,
         [&](auto& p) { p.patch_reach = NonLocalMeansParameters::max_patch_reach; });
  for (const int reach : {0, 1, 2, NonLocalMeansParameters::max_search_reach}) {
    change(means, [&](auto& p) { p.search_reach = reach; });
    expectFormula(means, 34, 66, reach);
  }
}

TEST_P(MeansOfSimilarPixels, FollowTheFormulaForAnyStrength)
{
  NonLocalMeans means;
  for (const float strength : {0.01f, 0.4f, 2.0f, 100.0f}) {
    change(means, [&](auto& p) { p.strength = strength; });
    expectFormula(means, 20, 40, 5);
  }
}

TEST_P(MeansOfSimilarPixels, FollowTheFormulaForAnyNoise)
{
  const Image<RGB> color = noisyAreas(25, 40, 30.0f, 6);
  Image<float> variance = randomVariances(25, 40, 30.0f, 2.0f, 6);
  const float others[] = {
      0.0f, -1.0f, 1e-40f, 0.01f, 1e5f, 1e7f, 3e38f, infinity, -infinity, not_a_number};
  std::mt19937 random(6);
  for (float& value : variance.data)
    if (random() % 3 == 0)
      value = others[random() % std::size(others)];
  const NonLocalMeans means;
  expectMeans(meansOf(means, color, variance), means, color, variance);
}

TEST_P(MeansOfSimilarPixels, LeavePixelsAsTheyAreWhoseNoiseIsZeroOrUnknown)
{
  const Image<RGB> color = noisyAreas(20, 40, 10.0f, 7);
  for (const float variance : {0.0f, -3.0f, infinity, -infinity, not_a_number}) {
    const Image<RGB> result =
        meansOf({}, color, Image<float>(color.rows, color.columns, variance));
    for (std::size_t i = 0; i < color.data.size(); ++i)
      ASSERT_EQ(result.data[i].rgba, color.data[i].rgba | 0xff000000u) << "pixel " << i;
  }
}

TEST_P(MeansOfSimilarPixels, DoNotUsePixelsOfUnknownNoise)
{
  Image<RGB> color(9, 9);
  for (RGB& pixel : color.data)
    pixel = RGB(100, 100, 100);
  Image<float> variance(9, 9, 100.0f);
  color.at(4, 4) = RGB(110, 90, 100);
  variance.at(4, 4) = not_a_number;
  const Image<RGB> result = meansOf({}, color, variance);
  const Image<RGB> expected =
      meansOf({}, Image<RGB>(9, 9, RGB(100, 100, 100)), variance);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    const RGB& pixel = i == 4 * 9 + 4 ? color.data[i] : expected.data[i];
    EXPECT_EQ(result.data[i].rgba, pixel.rgba) << "pixel " << i;
  }
}

TEST_P(MeansOfSimilarPixels, AreTheSameForOneVarianceAsForItsDeviation)
{
  const Image<RGB> color = noisyAreas(50, 70, 8.0f, 8);
  const Image<RGB> a = meansOf({}, color, 8.0f);
  const Image<RGB> b = meansOf({}, color, Image<float>(50, 70, 64.0f));
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    ASSERT_NEAR(a.data[i].r, b.data[i].r, 1) << "pixel " << i;
    ASSERT_NEAR(a.data[i].g, b.data[i].g, 1) << "pixel " << i;
    ASSERT_NEAR(a.data[i].b, b.data[i].b, 1) << "pixel " << i;
  }
}

TEST_P(MeansOfSimilarPixels, HaveLittleNoiseLeft)
{
  const float sigma = 10.0f;
  const Image<RGB> clean = noisyAreas(60, 90, 0.0f, 9);
  const Image<RGB> noisy = noisyAreas(60, 90, sigma, 9);
  const Image<RGB> result = meansOf({}, noisy, sigma);
  double before = 0.0, after = 0.0;
  for (std::size_t i = 0; i < clean.data.size(); ++i) {
    before += std::pow(noisy.data[i].g - clean.data[i].g, 2);
    after += std::pow(result.data[i].g - clean.data[i].g, 2);
  }
  EXPECT_LT(after, 0.2 * before);
}

TEST_P(MeansOfSimilarPixels, AreTheSameOnTheHost)
{
  for (unsigned int seed = 1; seed <= 3; ++seed) {
    const Image<RGB> color = noisyAreas(77, 131, 15.0f, seed);
    const Image<float> variance = randomVariances(77, 131, 15.0f, 2.0f, seed);
    NonLocalMeans means;
    change(means, [&](auto& p) { p.patch_reach = seed; });
    const Image<RGB> varying = meansOf(means, color, variance);
    const Image<RGB> same = meansOf(means, color, 15.0f);
    const auto scope = useDevice("host");
    EXPECT_TRUE(sameBits(varying, meansOf(means, color, variance))) << "seed " << seed;
    EXPECT_TRUE(sameBits(same, meansOf(means, color, 15.0f))) << "seed " << seed;
  }
}

TEST_P(MeansOfSimilarPixels, OfNoPixelsAreNone)
{
  DeviceArray2D<RGB> result = poisoned<RGB>(3, 4);
  NonLocalMeans().compute(DeviceArray2D<RGB>(), 1.0f, result);
  EXPECT_TRUE(result.empty());
  result = poisoned<RGB>(3, 4);
  NonLocalMeans().compute(DeviceArray2D<RGB>(), DeviceArray2D<float>(), result);
  EXPECT_TRUE(result.empty());
}

TEST_P(MeansOfSimilarPixels, KeepTheMemoryOfTheirResult)
{
  const DeviceArray2D<RGB> color = uploaded(noisyAreas(20, 30, 5.0f, 1));
  DeviceArray2D<RGB> result = poisoned<RGB>(20, 30);
  const RGB* const memory = result.ptr();
  NonLocalMeans().compute(color, 5.0f, result);
  EXPECT_EQ(result.ptr(), memory);
}

TEST_P(MeansOfSimilarPixels, RejectSettingsThatMakeNoSense)
{
  NonLocalMeans means;
  expectBadArgument("patch reach is -1",
                    [&] { change(means, [&](auto& p) { p.patch_reach = -1; }); });
  expectBadArgument("patch reach is 4",
                    [&] { change(means, [&](auto& p) { p.patch_reach = 4; }); });
  expectBadArgument("search reach is -1",
                    [&] { change(means, [&](auto& p) { p.search_reach = -1; }); });
  expectBadArgument("search reach is 11",
                    [&] { change(means, [&](auto& p) { p.search_reach = 11; }); });
  for (const float strength : {0.0f, -1.0f, infinity, not_a_number})
    expectBadArgument("strength",
                      [&] { change(means, [&](auto& p) { p.strength = strength; }); });
  EXPECT_EQ(means.getParameters().patch_reach, 1);
  EXPECT_EQ(means.getParameters().search_reach, 5);
  EXPECT_EQ(means.getParameters().strength, 0.8f);
}

TEST_P(MeansOfSimilarPixels, RejectArgumentsThatMakeNoSense)
{
  const NonLocalMeans means;
  DeviceArray2D<RGB> color = uploaded(noisyAreas(20, 30, 5.0f, 1));
  DeviceArray2D<RGB> result;
  for (const float sigma : {0.0f, -1.0f, infinity, not_a_number})
    expectBadArgument("sigma", [&] { means.compute(color, sigma, result); });
  const DeviceArray2D<float> variance = poisoned<float>(20, 31);
  expectBadArgument("variance", [&] { means.compute(color, variance, result); });
}

TEST_P(MeansOfSimilarPixels, AreNotWrittenOverTheirInput)
{
  const NonLocalMeans means;
  DeviceArray2D<RGB> color = uploaded(noisyAreas(20, 30, 5.0f, 1));
  DeviceArray2D<float> variance = poisoned<float>(20, 30);
  expectBadArgument("colour", [&] { means.compute(color, 5.0f, color); });
  expectBadArgument("colour", [&] { means.compute(color, variance, color); });
  DeviceArray2D<RGB> same(
      20, 30, reinterpret_cast<RGB*>(variance.ptr()), variance.step());
  expectBadArgument("variance", [&] { means.compute(color, variance, same); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MeansOfSimilarPixels);
PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(MeansOfSimilarPixelsByInstructionSet);

} // namespace

} // namespace pcl::gpu::test
