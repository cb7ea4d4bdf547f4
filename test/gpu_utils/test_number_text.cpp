// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/number_text.h>

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>

namespace pcl::gpu {
namespace {

struct DecimalComma : std::numpunct<char> {
  char
  do_decimal_point() const override
  {
    return ',';
  }
};

/** \brief Makes a comma the decimal point of streams and, if it can, of C. */
class CommaLocale {
public:
  CommaLocale()
  : streams_(std::locale::global(std::locale(std::locale(), new DecimalComma)))
  , c_(std::setlocale(LC_NUMERIC, nullptr))
  {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
      if (std::setlocale(LC_NUMERIC, name))
        break;
  }

  ~CommaLocale()
  {
    std::locale::global(streams_);
    std::setlocale(LC_NUMERIC, c_.c_str());
  }

private:
  std::locale streams_;
  std::string c_;
};

TEST(NumberText, ReadsNumbers)
{
  EXPECT_EQ(numberOf<float>("0.03"), 0.03f);
  EXPECT_EQ(numberOf<float>("+1.5e+2"), 150.0f);
  EXPECT_EQ(numberOf<double>("-.5"), -0.5);
  EXPECT_EQ(numberOf<double>("5."), 5.0);
  EXPECT_EQ(numberOf<int>("+7"), 7);
  EXPECT_EQ(numberOf<int>("-7"), -7);
  EXPECT_EQ(numberOf<double>("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numberOf<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*numberOf<float>("nan")));
}

TEST(NumberText, RejectsWhatIsNoNumber)
{
  for (const char* text :
       {"", "+", "-", "+-1", "++1", "1x", " 1", "1 ", "1,5", "0x10", "e5"})
    EXPECT_FALSE(numberOf<float>(text)) << text;
  for (const char* text : {"", "1.5", "1e3", "+-1"})
    EXPECT_FALSE(numberOf<int>(text)) << text;
  EXPECT_FALSE(numberOf<unsigned>("-1"));
}

TEST(NumberText, ReadsUpToTheLimits)
{
  using Float = std::numeric_limits<float>;
  for (const float value :
       {Float::max(), Float::lowest(), Float::min(), Float::denorm_min()})
    EXPECT_EQ(numberOf<float>(numberText(value)), value);
  EXPECT_EQ(numberOf<double>("4.9406564584124654e-324"),
            std::numeric_limits<double>::denorm_min());
  EXPECT_FALSE(numberOf<float>("1e39"));
  EXPECT_FALSE(numberOf<float>("1e-60"));
  EXPECT_FALSE(numberOf<double>("1e400"));
  EXPECT_EQ(numberOf<int>("2147483647"), std::numeric_limits<int>::max());
  EXPECT_FALSE(numberOf<int>("2147483648"));
  EXPECT_EQ(numberOf<std::uint64_t>("18446744073709551615"),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(NumberText, ReportsWhereTheNumberEnds)
{
  std::size_t length = 0;
  EXPECT_EQ(readNumber<double>("+1.5G", length), 1.5);
  EXPECT_EQ(length, 4u);
  EXPECT_FALSE(readNumber<double>("G", length));
  EXPECT_EQ(length, 0u);
  EXPECT_FALSE(readNumber<double>("1e999", length));
  EXPECT_EQ(length, 0u);
}

TEST(NumberText, WritesTheShortestText)
{
  EXPECT_EQ(numberText(0.03f), "0.03");
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(525.0f), "525");
  EXPECT_EQ(numberText(-3), "-3");
  EXPECT_EQ(numberText(std::numeric_limits<float>::infinity()), "inf");
}

TEST(NumberText, WritesDigits)
{
  EXPECT_EQ(numberText(0.03f, 9), "0.0299999993");
  EXPECT_EQ(numberText(1.0 / 3.0, 6), "0.333333");
  EXPECT_EQ(numberText(1e6, 6), "1e+06");
  EXPECT_EQ(numberText(250.0, 6), "250");
}

TEST(NumberText, IsTheSameInALocaleWithDecimalComma)
{
  const CommaLocale locale;
  EXPECT_EQ(numberOf<float>("1.5"), 1.5f);
  EXPECT_FALSE(numberOf<float>("1,5"));
  EXPECT_EQ(numberText(1.5), "1.5");
  EXPECT_EQ(numberText(1.5, 6), "1.5");
}

} // namespace
} // namespace pcl::gpu
