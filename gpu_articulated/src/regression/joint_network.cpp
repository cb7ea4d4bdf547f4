// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "regression/joint_network.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

// The file of weights becomes a part of the library.
asm(".section .rodata\n"
    ".global pcl_gpu_joint_weights\n"
    ".balign 16\n"
    "pcl_gpu_joint_weights:\n"
    ".incbin \"" PCL_GPU_JOINT_WEIGHTS "\"\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden"))) const char pcl_gpu_joint_weights[];

namespace pcl::gpu {

namespace {

using device::Activation;
using device::Convolution;
using device::convolve;
using device::FeatureMap;

/** \brief Reads the layers of the network, one after the other. */
class WeightReader {
public:
  /** \brief Reads a layer. Weights are 8-bit integers times a scale for each output. */
  Convolution
  next()
  {
    Convolution layer;
    for (int* const number :
         {&layer.inputs, &layer.outputs, &layer.width, &layer.stride}) {
      std::int32_t value;
      read(&value, sizeof(value));
      *number = value;
    }
    std::vector<float> scales(layer.outputs);
    read(scales.data(), scales.size() * sizeof(float));
    layer.biases.resize(layer.outputs);
    read(layer.biases.data(), scales.size() * sizeof(float));
    const std::size_t count =
        static_cast<std::size_t>(layer.width) * layer.width * layer.inputs;
    layer.weights.reserve(count * layer.outputs);
    for (std::size_t i = 0; i < count; ++i)
      for (const float scale : scales)
        layer.weights.push_back(scale * static_cast<signed char>(*at_++));
    return layer;
  }

private:
  void
  read(void* to, std::size_t bytes)
  {
    std::memcpy(to, at_, bytes);
    at_ += bytes;
  }

  const char* at_ = pcl_gpu_joint_weights;
};

/** \brief Two layers whose output is added to their input. */
struct ResidualBlock {
  Convolution first, second;

  FeatureMap
  operator()(const FeatureMap& input) const
  {
    return convolve(second, convolve(first, input), &input);
  }
};

/** \brief A layer, then residual blocks. */
struct Stage {
  Convolution first;
  std::vector<ResidualBlock> blocks;

  Stage(WeightReader& reader, int block_count) : first(reader.next())
  {
    for (int i = 0; i < block_count; ++i) {
      Convolution a = reader.next();
      blocks.push_back({std::move(a), reader.next()});
    }
  }

  FeatureMap
  operator()(const FeatureMap& input) const
  {
    FeatureMap map = convolve(first, input);
    for (const ResidualBlock& block : blocks)
      map = block(map);
    return map;
  }
};

/** \brief Returns the channels of a map, and behind them those of another of half the
 * size. */
FeatureMap
merged(const FeatureMap& fine, const FeatureMap& coarse)
{
  FeatureMap map(fine.size(), fine.channels() + coarse.channels());
  for (int row = 0; row < fine.size(); ++row)
    for (int column = 0; column < fine.size(); ++column) {
      float* const cell =
          std::copy_n(fine.at(row, column), fine.channels(), map.at(row, column));
      std::copy_n(coarse.at(row / 2, column / 2), coarse.channels(), cell);
    }
  return map;
}

struct JointNetwork {
  WeightReader reader;
  Convolution start = reader.next();
  Stage halves{reader, 2}, quarters{reader, 3}, eighths{reader, 4}, votes{reader, 2};
  Convolution last = reader.next();
};

/** \brief Returns the mean of the votes for each joint by their weights. */
NetworkAnswer
counted(const FeatureMap& votes)
{
  // Of each joint: the weight's logarithm, an offset, and the error's code.
  constexpr int channels = 5;
  const float cell = picture_span / static_cast<float>(votes.size());
  NetworkAnswer answer;
  for (int joint = 0; joint < regressed_joints; ++joint) {
    float most = -INFINITY;
    for (int row = 0; row < votes.size(); ++row)
      for (int column = 0; column < votes.size(); ++column)
        most = std::max(most, votes.at(row, column)[channels * joint]);
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    float weights = 0.0f;
    for (int row = 0; row < votes.size(); ++row)
      for (int column = 0; column < votes.size(); ++column) {
        const float* const vote = votes.at(row, column) + channels * joint;
        const float weight = std::exp(vote[0] - most);
        const float half = 0.5f * static_cast<float>(votes.size() - 1);
        const Eigen::Vector4f place(static_cast<float>(column) - half,
                                    half - static_cast<float>(row),
                                    0.0f,
                                    0.0f);
        sum += weight * (cell * place + Eigen::Vector4f::Map(vote + 1));
        weights += weight;
      }
    sum /= weights;
    answer.places[joint] = sum.head<3>();
    constexpr float least_error = 1e-3f; // metres
    answer.errors[joint] = least_error + std::log1p(std::exp(sum[3]));
  }
  return answer;
}

} // namespace

NetworkAnswer
findJoints(const FeatureMap& picture)
{
  static const JointNetwork network;
  const FeatureMap quarters =
      network.quarters(network.halves(convolve(network.start, picture)));
  const FeatureMap votes = network.votes(merged(quarters, network.eighths(quarters)));
  return counted(convolve(network.last, votes, nullptr, Activation::None));
}

} // namespace pcl::gpu
