// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "regression/convolution.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace pcl::device;
using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class Convolutions : public DeviceTest {};

std::mt19937 random_numbers(1);

float
anyNumber()
{
  return std::uniform_real_distribution<float>(-1.0f, 1.0f)(random_numbers);
}

/** \brief A map on the current device, and its numbers on the host. */
class TestMap {
public:
  TestMap(int size, int channels)
  : numbers_(FeatureMap::floats(size, channels), 0.0f)
  , size_(size)
  , channels_(channels)
  {
    upload();
  }

  FeatureMap
  onHost()
  {
    return {numbers_.data(), size_, channels_};
  }

  FeatureMap
  onDevice()
  {
    return {memory_.ptr(), size_, channels_};
  }

  void
  upload()
  {
    memory_.upload(numbers_);
  }

  void
  download()
  {
    memory_.download(numbers_);
  }

private:
  std::vector<float> numbers_;
  DeviceArray<float> memory_;
  int size_, channels_;
};

TestMap
anyMap(int size, int channels)
{
  TestMap map(size, channels);
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      std::generate_n(map.onHost().at(row, column), channels, anyNumber);
  map.upload();
  return map;
}

/** \brief A layer of any numbers on the current device. */
class TestLayer {
public:
  TestLayer(int inputs, int outputs, int width, int stride)
  : weights_(static_cast<std::size_t>(width) * width * inputs * outputs)
  , biases_(outputs)
  , sizes_{inputs, outputs, width, stride, nullptr, nullptr}
  {
    std::generate(weights_.begin(), weights_.end(), anyNumber);
    std::generate(biases_.begin(), biases_.end(), anyNumber);
    device_weights_.upload(weights_);
    device_biases_.upload(biases_);
  }

  Convolution
  onHost() const
  {
    return with(weights_.data(), biases_.data());
  }

  Convolution
  onDevice() const
  {
    return with(device_weights_.ptr(), device_biases_.ptr());
  }

private:
  Convolution
  with(const float* weights, const float* biases) const
  {
    Convolution layer = sizes_;
    layer.weights = weights;
    layer.biases = biases;
    return layer;
  }

  std::vector<float> weights_, biases_;
  DeviceArray<float> device_weights_, device_biases_;
  Convolution sizes_;
};

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
        if (from_row < 0 || from_row >= input.size || from_column < 0 ||
            from_column >= input.size)
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

TEST_P(Convolutions, AgreeWithDoublePrecision)
{
  struct Case {
    int size, inputs, outputs, width, stride;
  };
  for (const Case& each : {Case{20, 4, 16, 3, 1},
                           Case{20, 16, 32, 3, 2},
                           Case{10, 64, 80, 1, 1},
                           Case{5, 36, 48, 3, 1}})
    for (const bool is_added : {false, true})
      for (const bool is_rectified : {false, true}) {
        const TestLayer layer(each.inputs, each.outputs, each.width, each.stride);
        const int size = each.size / each.stride;
        TestMap input = anyMap(each.size, each.inputs);
        TestMap added = anyMap(size, each.outputs), output(size, each.outputs);
        const ConvolutionTask task = {layer.onDevice(),
                                      input.onDevice(),
                                      is_added ? added.onDevice() : FeatureMap{},
                                      output.onDevice(),
                                      is_rectified};
        dispatch(device(), PCL_GPU_BOTH(convolve), task, Stream());
        output.download();
        for (int row = 0; row < size; ++row)
          for (int column = 0; column < size; ++column)
            for (int i = 0; i < each.outputs; ++i) {
              double truth = reference(layer.onHost(), input.onHost(), row, column, i);
              if (is_added)
                truth += added.onHost().at(row, column)[i];
              if (is_rectified)
                truth = std::max(truth, 0.0);
              ASSERT_NEAR(output.onHost().at(row, column)[i], truth, 1e-4);
            }
      }
}

TEST_P(Convolutions, MergeMapsOfTwoSizes)
{
  TestMap fine = anyMap(10, 8), coarse = anyMap(5, 4), output(10, 12);
  parallelFor2D(device(),
                12,
                10 * 10,
                MergeMaps{fine.onDevice(), coarse.onDevice(), output.onDevice()},
                Stream());
  output.download();
  for (int row = 0; row < 10; ++row)
    for (int column = 0; column < 10; ++column) {
      const float* const cell = output.onHost().at(row, column);
      EXPECT_TRUE(std::equal(cell, cell + 8, fine.onHost().at(row, column)));
      EXPECT_TRUE(
          std::equal(cell + 8, cell + 12, coarse.onHost().at(row / 2, column / 2)));
    }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Convolutions);
