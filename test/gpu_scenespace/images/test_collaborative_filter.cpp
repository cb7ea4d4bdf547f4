// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/instruction_sets.h"
#include "common/numbers.h"
#include "gpu_scenespace/images/random_images.h"

#include <pcl/gpu/scenespace/collaborative_filter.h>

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace pcl::gpu::test {

namespace {

class FilteredBlocks : public DeviceTest {};
class FilteredBlocksByInstructionSet : public InstructionSetTest {};

/** \brief The method in the class's documentation, in double precision. */
class Reference {
public:
  using Levels = std::array<double, 3>;

  Reference(const CollaborativeFilterParameters& parameters,
            const Image<RGB>& color,
            const Image<float>& variance)
  : parameters_(parameters)
  , color_(color)
  , variance_(variance)
  , height_(std::max(side, color.rows))
  , width_(std::max(side, color.columns))
  {}

  Image<RGB>
  filtered() const
  {
    return pass(pass(color_));
  }

private:
  static constexpr int side = 8, step = 4;
  using Block = std::array<double, side * side>;

  struct Place {
    double distance;
    int row, column;
  };

  template <typename T>
  static const T&
  nearest(const Image<T>& image, int row, int column)
  {
    return image.at(std::min(row, image.rows - 1), std::min(column, image.columns - 1));
  }

  static Levels
  planesOf(const RGB& pixel)
  {
    const double r = pixel.r, g = pixel.g, b = pixel.b;
    return {r + g + b, r - b, r - 2.0 * g + b};
  }

  double
  meanVariance(int row, int column) const
  {
    double sum = 0.0;
    for (int i = 0; i < side * side; ++i) {
      const float given = nearest(variance_, row + i / side, column + i % side);
      sum += std::isfinite(given) ? std::clamp(double(given), 1.0 / 12.0, 1e6) : 1e6;
    }
    return sum / (side * side);
  }

  std::vector<Place>
  groupOf(const Image<RGB>& compared, int row, int column) const
  {
    const int reach = parameters_.search_reach;
    std::vector<Place> places;
    for (int y = std::max(0, row - reach); y <= std::min(height_ - side, row + reach);
         ++y)
      for (int x = std::max(0, column - reach);
           x <= std::min(width_ - side, column + reach);
           ++x) {
        double sum = 0.0;
        for (int i = 0; i < side * side; ++i) {
          const int v = i / side, u = i % side;
          sum += std::pow(planesOf(nearest(compared, row + v, column + u))[0] -
                              planesOf(nearest(compared, y + v, x + u))[0],
                          2);
        }
        const double distance = sum / (meanVariance(row, column) + meanVariance(y, x));
        places.push_back({y == row && x == column ? -1.0 : distance, y, x});
      }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return a.distance < b.distance;
    });
    places.resize(std::min<std::size_t>(places.size(), parameters_.group_size));
    return places;
  }

  static double
  cosine(int k, int i)
  {
    return std::sqrt((k == 0 ? 1.0 : 2.0) / side) *
           std::cos(M_PI * (2 * i + 1) * k / (2 * side));
  }

  static Block
  transformed(const Block& block, bool is_back)
  {
    Block result{};
    for (int i = 0; i < side * side; ++i)
      for (int k = 0; k < side * side; ++k)
        result[i] +=
            block[k] * (is_back
                            ? cosine(k / side, i / side) * cosine(k % side, i % side)
                            : cosine(i / side, k / side) * cosine(i % side, k % side));
    return result;
  }

  Image<RGB>
  pass(const Image<RGB>& compared) const
  {
    struct Sum {
      Levels levels{}, weights{};
    };
    Image<Sum> sums(height_, width_);
    for (const int row : firstOf(height_))
      for (const int column : firstOf(width_)) {
        const std::vector<Place> group = groupOf(compared, row, column);
        double variance = 0.0;
        for (const Place& place : group)
          variance += meanVariance(place.row, place.column) / group.size();
        for (int plane = 0; plane < 3; ++plane)
          addBlock(group, variance, plane, row, column, sums);
      }
    Image<RGB> result(color_.rows, color_.columns);
    for (int v = 0; v < color_.rows; ++v)
      for (int u = 0; u < color_.columns; ++u) {
        const Sum& sum = sums.at(v, u);
        const double s = sum.levels[0] / sum.weights[0] / 3.0,
                     d = sum.levels[1] / sum.weights[1] / 2.0,
                     e = sum.levels[2] / sum.weights[2] / 6.0;
        const auto rounded = [](double level) {
          return static_cast<std::uint8_t>(
              std::floor(std::clamp(level, 0.0, 255.0) + 0.5));
        };
        result.at(v, u) =
            RGB(rounded(s + d + e), rounded(s - 2.0 * e), rounded(s - d + e));
      }
    return result;
  }

  template <typename Sums>
  void
  addBlock(const std::vector<Place>& group,
           double variance,
           int plane,
           int row,
           int column,
           Sums& sums) const
  {
    const double size = group.size(), square = std::pow(parameters_.threshold, 2);
    const double plane_variance = plane == 0 ? 3.0 : plane == 1 ? 2.0 : 6.0;
    Block mean{}, difference{};
    for (int i = 0; i < side * side; ++i) {
      const auto level = [&](int y, int x) {
        return planesOf(nearest(color_, y + i / side, x + i % side))[plane];
      };
      for (const Place& place : group)
        mean[i] += level(place.row, place.column) / size;
      difference[i] = level(row, column) - mean[i];
    }
    mean = transformed(mean, false);
    difference = transformed(difference, false);
    int kept_mean = 0, kept_difference = 0;
    for (int i = 0; i < side * side; ++i) {
      const bool is_mean =
          mean[i] * mean[i] > square * plane_variance * variance / size;
      const bool is_difference =
          size > 1.0 && difference[i] * difference[i] > square * plane_variance *
                                                            meanVariance(row, column) *
                                                            (1.0 - 1.0 / size);
      kept_mean += is_mean;
      kept_difference += is_difference;
      mean[i] = (is_mean ? mean[i] : 0.0) + (is_difference ? difference[i] : 0.0);
    }
    const Block levels = transformed(mean, true);
    const double weight = 1.0 / (1.0 + kept_mean + size * kept_difference);
    for (int i = 0; i < side * side; ++i) {
      auto& sum = sums.at(row + i / side, column + i % side);
      sum.levels[plane] += weight * levels[i];
      sum.weights[plane] += weight;
    }
  }

  static std::vector<int>
  firstOf(int pixels)
  {
    std::vector<int> first;
    for (int i = 0; i < pixels - side; i += step)
      first.push_back(i);
    first.push_back(pixels - side);
    return first;
  }

  CollaborativeFilterParameters parameters_;
  const Image<RGB>& color_;
  const Image<float>& variance_;
  int height_, width_; ///< with the columns and rows that blocks see beyond the image
};

Image<RGB>
filtered(CollaborativeFilter filter,
         const Image<RGB>& color,
         const Image<float>& variance)
{
  DeviceArray2D<RGB> result = poisoned<RGB>(color.rows, color.columns);
  filter.compute(uploaded(color), uploaded(variance), result);
  return downloaded(result);
}

void
expectMethod(const CollaborativeFilter& filter,
             int rows,
             int columns,
             unsigned int seed)
{
  SCOPED_TRACE(::testing::Message() << columns << " x " << rows << ", seed " << seed);
  const Image<RGB> color = noisyAreas(rows, columns, 6.0f, seed);
  const Image<float> variance = randomVariances(rows, columns, 6.0f, 1.0f, seed);
  const Image<RGB> result = filtered(filter, color, variance);
  const Image<RGB> expected =
      Reference(filter.getParameters(), color, variance).filtered();
  ASSERT_EQ(result.rows, rows);
  ASSERT_EQ(result.columns, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      const RGB &a = result.at(v, u), &b = expected.at(v, u);
      // Levels between two whole ones may be rounded to either.
      ASSERT_NEAR(a.r, b.r, 1) << "row " << v << ", column " << u;
      ASSERT_NEAR(a.g, b.g, 1) << "row " << v << ", column " << u;
      ASSERT_NEAR(a.b, b.b, 1) << "row " << v << ", column " << u;
      ASSERT_EQ(a.a, 255) << "row " << v << ", column " << u;
    }
}

TEST_P(FilteredBlocks, FollowTheMethod) { expectMethod({}, 29, 38, 1); }

TEST_P(FilteredBlocksByInstructionSet, FollowTheMethod) { expectMethod({}, 18, 27, 2); }

TEST_P(FilteredBlocksByInstructionSet, AreTheSameAsOnTheBestOne)
{
  const Image<RGB> color = noisyAreas(37, 83, 15.0f, 2);
  const Image<float> variance = randomVariances(37, 83, 15.0f, 1.0f, 2);
  const Image<RGB> result = filtered({}, color, variance);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  EXPECT_TRUE(sameBits(result, filtered({}, color, variance)));
}

TEST_P(FilteredBlocks, FollowTheMethodInImagesOfAnySize)
{
  for (const int rows : {1, 7, 8, 9, 12, 13})
    for (const int columns : {1, 2, 8, 9, 11, 12, 17})
      expectMethod({}, rows, columns, rows * 100 + columns);
}

TEST_P(FilteredBlocks, FollowTheMethodForAnyParameters)
{
  using Parameters = CollaborativeFilterParameters;
  CollaborativeFilter filter;
  for (const int size : {1, 2, Parameters::max_group_size})
    for (const int reach : {0, 1, Parameters::max_search_reach}) {
      change(filter, [&](auto& p) {
        p.group_size = size;
        p.search_reach = reach;
        p.threshold = 1.0f + size / 4.0f;
      });
      expectMethod(filter, 17, 21, size * 100 + reach);
    }
}

TEST_P(FilteredBlocks, CountUnknownVariancesAsTheLargest)
{
  const Image<RGB> color = noisyAreas(21, 30, 6.0f, 3);
  Image<float> given = randomVariances(21, 30, 6.0f, 1.0f, 3), counted = given;
  const float others[] = {infinity, -infinity, not_a_number, 1e7f, 0.0f, -1.0f};
  const float count_as[] = {1e6f, 1e6f, 1e6f, 1e6f, 1.0f / 12.0f, 1.0f / 12.0f};
  for (std::size_t i = 0; i < std::size(others); ++i) {
    given.data[100 * i + 5] = others[i];
    counted.data[100 * i + 5] = count_as[i];
  }
  EXPECT_TRUE(sameBits(filtered({}, color, given), filtered({}, color, counted)));
}

TEST_P(FilteredBlocks, ShowALineThatIsFainterThanTheNoise)
{
  constexpr float sigma = 3.0f, contrast = 4.0f;
  constexpr int size = 96;
  std::mt19937 random(4);
  std::normal_distribution<float> errors(100.0f, sigma);
  Image<RGB> color(size, size);
  const auto isLine = [](int v, int u) { return std::abs(u - v) <= 1; };
  for (int v = 0; v < size; ++v)
    for (int u = 0; u < size; ++u) {
      const auto level = [&] {
        return static_cast<std::uint8_t>(
            std::lround(errors(random) + (isLine(v, u) ? contrast : 0.0f)));
      };
      color.at(v, u) = RGB(level(), level(), level());
    }
  const Image<RGB> result =
      filtered({}, color, Image<float>(size, size, sigma * sigma));
  double line = 0.0, line_pixels = 0.0, flat = 0.0, square = 0.0, flat_pixels = 0.0;
  for (int v = 8; v < size - 8; ++v)
    for (int u = 8; u < size - 8; ++u) {
      const double level = result.at(v, u).g;
      if (isLine(v, u)) {
        line += level;
        ++line_pixels;
      }
      else if (std::abs(u - v) > 10) {
        flat += level;
        square += level * level;
        ++flat_pixels;
      }
    }
  flat /= flat_pixels;
  EXPECT_GT(line / line_pixels - flat, 0.8 * contrast);
  EXPECT_LT(std::sqrt(square / flat_pixels - flat * flat), 0.35 * sigma);
}

TEST_P(FilteredBlocks, AreLevelsThatClippedOnesAreMeansOf)
{
  constexpr float sigma = 20.0f;
  // The mean of a normal distribution with this deviation about 255, clipped, and that
  // about 0: off by sigma / sqrt(2 pi).
  const auto off = static_cast<int>(std::lround(sigma / std::sqrt(2.0 * M_PI)));
  CollaborativeFilter filter;
  change(filter, [&](auto& p) { p.clipped_noise = sigma; });
  const Image<float> variance(16, 16, 1.0f);
  const auto levelOf = [&](int level) {
    const RGB pixel(level, level, level);
    return int(filtered(filter, Image<RGB>(16, 16, pixel), variance).at(8, 8).g);
  };
  EXPECT_NEAR(levelOf(255 - off), 255, 1);
  EXPECT_NEAR(levelOf(off), 0, 1);
  EXPECT_EQ(levelOf(255), 255);
  EXPECT_EQ(levelOf(0), 0);
  EXPECT_EQ(levelOf(128), 128);
}

TEST_P(FilteredBlocks, AreTheSameOnTheHost)
{
  for (unsigned int seed = 1; seed <= 3; ++seed) {
    const Image<RGB> color = noisyAreas(77, 131, 15.0f, seed);
    const Image<float> variance = randomVariances(77, 131, 15.0f, 1.0f, seed);
    const Image<RGB> result = filtered({}, color, variance);
    const auto scope = useDevice("host");
    EXPECT_TRUE(sameBits(result, filtered({}, color, variance))) << "seed " << seed;
  }
}

TEST_P(FilteredBlocks, OfNoPixelsAreNone)
{
  DeviceArray2D<RGB> result = poisoned<RGB>(3, 4);
  CollaborativeFilter().compute(DeviceArray2D<RGB>(), DeviceArray2D<float>(), result);
  EXPECT_TRUE(result.empty());
}

TEST_P(FilteredBlocks, RejectSettingsThatMakeNoSense)
{
  CollaborativeFilter filter;
  for (const int size : {0, 17})
    expectBadArgument("group size",
                      [&] { change(filter, [&](auto& p) { p.group_size = size; }); });
  for (const int reach : {-1, 11})
    expectBadArgument("search reach", [&] {
      change(filter, [&](auto& p) { p.search_reach = reach; });
    });
  for (const float value : {-1.0f, infinity, not_a_number}) {
    expectBadArgument("threshold",
                      [&] { change(filter, [&](auto& p) { p.threshold = value; }); });
    expectBadArgument("clipped noise", [&] {
      change(filter, [&](auto& p) { p.clipped_noise = value; });
    });
  }
}

TEST_P(FilteredBlocks, AreNotWrittenOverTheirInput)
{
  CollaborativeFilter filter;
  DeviceArray2D<RGB> color = uploaded(noisyAreas(20, 30, 5.0f, 1)), result;
  DeviceArray2D<float> variance = poisoned<float>(20, 30);
  expectBadArgument("colour", [&] { filter.compute(color, variance, color); });
  DeviceArray2D<RGB> same(
      20, 30, reinterpret_cast<RGB*>(variance.ptr()), variance.step());
  expectBadArgument("variance", [&] { filter.compute(color, variance, same); });
  expectBadArgument("variance",
                    [&] { filter.compute(color, poisoned<float>(20, 31), result); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilteredBlocks);
PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(FilteredBlocksByInstructionSet);

} // namespace

} // namespace pcl::gpu::test
