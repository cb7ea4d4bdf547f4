// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "regression/convolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace pcl::device;

namespace {

std::mt19937 random_numbers(1);

float
anyNumber()
{
  return std::uniform_real_distribution<float>(-1.0f, 1.0f)(random_numbers);
}

FeatureMap
anyMap(int size, int channels)
{
  FeatureMap map(size, channels);
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      std::generate_n(map.at(row, column), channels, anyNumber);
  return map;
}

Convolution
anyLayer(int inputs, int outputs, int width, int stride)
{
  Convolution layer{inputs, outputs, width, stride, {}, {}};
  layer.weights.resize(static_cast<std::size_t>(width) * width * inputs * outputs);
  layer.biases.resize(outputs);
  std::generate(layer.weights.begin(), layer.weights.end(), anyNumber);
  std::generate(layer.biases.begin(), layer.biases.end(), anyNumber);
  return layer;
}

/** \brief Returns an output before its activation, in double precision. */
double
reference(
    const Convolution& layer, const FeatureMap& input, int row, int column, int output)
{
  double sum = layer.biases[output];
  const int reach = layer.width / 2;
  for (int y = 0; y < layer.width; ++y)
    for (int x = 0; x < layer.width; ++x)
      for (int i = 0; i < layer.inputs; ++i) {
        const int from_row = layer.stride * row + y - reach;
        const int from_column = layer.stride * column + x - reach;
        if (from_row < 0 || from_row >= input.size() || from_column < 0 ||
            from_column >= input.size())
          continue;
        const std::size_t weight =
            ((static_cast<std::size_t>(y) * layer.width + x) * layer.inputs + i) *
                layer.outputs +
            output;
        sum += static_cast<double>(layer.weights[weight]) *
               input.at(from_row, from_column)[i];
      }
  return sum;
}

} // namespace

TEST(Convolutions, AgreeWithDoublePrecision)
{
  struct Case {
    int size, inputs, outputs, width, stride;
  };
  for (const Case& each : {Case{20, 4, 16, 3, 1},
                           Case{20, 16, 32, 3, 2},
                           Case{10, 64, 80, 1, 1},
                           Case{5, 33, 48, 3, 1}})
    for (const bool is_added : {false, true})
      for (const Activation activation : {Activation::None, Activation::Rectified}) {
        const FeatureMap input = anyMap(each.size, each.inputs);
        const Convolution layer =
            anyLayer(each.inputs, each.outputs, each.width, each.stride);
        const FeatureMap added = anyMap(each.size / each.stride, each.outputs);
        const FeatureMap output =
            convolve(layer, input, is_added ? &added : nullptr, activation);
        ASSERT_EQ(output.size(), each.size / each.stride);
        ASSERT_EQ(output.channels(), each.outputs);
        for (int row = 0; row < output.size(); ++row)
          for (int column = 0; column < output.size(); ++column)
            for (int i = 0; i < each.outputs; ++i) {
              double truth = reference(layer, input, row, column, i);
              if (is_added)
                truth += added.at(row, column)[i];
              if (activation == Activation::Rectified)
                truth = std::max(truth, 0.0);
              ASSERT_NEAR(output.at(row, column)[i], truth, 1e-4);
            }
      }
}
