// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "regression/joint_network.h"

#include "regression/convolution.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

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

using device::Convolution;
using device::FeatureMap;

/** \brief A layer, and its numbers on a device. */
struct NetworkLayer {
  Convolution layer;
  DeviceArray<float> numbers; ///< weights, then biases
};

/** \brief Reads the layers of the network, one after the other. */
class WeightReader {
public:
  /** \brief Reads a layer to the current device. Weights are 8-bit integers times a
   * scale for each output. */
  NetworkLayer
  next()
  {
    NetworkLayer result;
    Convolution& layer = result.layer;
    for (int* const number :
         {&layer.inputs, &layer.outputs, &layer.width, &layer.stride}) {
      std::int32_t value;
      read(&value, sizeof(value));
      *number = value;
    }
    std::vector<float> scales(layer.outputs), biases(layer.outputs), numbers;
    read(scales.data(), scales.size() * sizeof(float));
    read(biases.data(), biases.size() * sizeof(float));
    const std::size_t count =
        static_cast<std::size_t>(layer.width) * layer.width * layer.inputs;
    numbers.reserve((count + 1) * layer.outputs);
    for (std::size_t i = 0; i < count; ++i)
      for (const float scale : scales)
        numbers.push_back(scale * static_cast<signed char>(*at_++));
    numbers.insert(numbers.end(), biases.begin(), biases.end());
    result.numbers.upload(numbers);
    layer.weights = result.numbers.ptr();
    layer.biases = layer.weights + count * layer.outputs;
    return result;
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

/** \brief Where a network runs. */
struct NetworkRun {
  Device device;
  Stream stream;

  void
  convolve(const NetworkLayer& layer,
           const FeatureMap& input,
           const FeatureMap& output,
           const FeatureMap& added = {},
           bool is_rectified = true) const
  {
    const device::ConvolutionTask task = {
        layer.layer, input, added, output, is_rectified};
    dispatch(device, PCL_GPU_BOTH(convolve), task, stream);
  }
};

/** \brief Two layers whose output is added to their input. */
struct ResidualBlock {
  NetworkLayer first, second;
};

/** \brief The maps of a stage. */
struct StageMaps {
  FeatureMap output;
  FeatureMap between; ///< the layers of a block
};

/** \brief A layer, then residual blocks. */
struct Stage {
  NetworkLayer first;
  std::vector<ResidualBlock> blocks;

  Stage(WeightReader& reader, int block_count) : first(reader.next())
  {
    for (int i = 0; i < block_count; ++i) {
      NetworkLayer a = reader.next();
      blocks.push_back({std::move(a), reader.next()});
    }
  }

  void
  operator()(const NetworkRun& run,
             const FeatureMap& input,
             const StageMaps& maps) const
  {
    run.convolve(first, input, maps.output);
    for (const ResidualBlock& block : blocks) {
      run.convolve(block.first, maps.output, maps.between);
      run.convolve(block.second, maps.between, maps.output, maps.output);
    }
  }
};

/** \brief Memory of feature maps, with their borders. */
class FeatureMaps {
public:
  explicit FeatureMaps(std::size_t floats) : memory_(floats), next_(memory_.ptr()) {}

  FeatureMap
  take(int size, int channels)
  {
    const FeatureMap map = {next_, size, channels};
    next_ += FeatureMap::floats(size, channels);
    return map;
  }

  StageMaps
  takeStage(int size, int channels)
  {
    const FeatureMap output = take(size, channels);
    return {output, take(size, channels)};
  }

  void
  clear(const NetworkRun& run)
  {
    fillAsync(run.device, memory_.ptr(), 0, memory_.sizeBytes(), run.stream);
  }

private:
  DeviceArray<float> memory_;
  float* next_;
};

/** \brief The layers of the network on the current device. */
struct JointNetwork {
  WeightReader reader;
  NetworkLayer start = reader.next();
  Stage halves{reader, 2}, quarters{reader, 3}, eighths{reader, 4}, votes{reader, 2};
  NetworkLayer last = reader.next();
};

/** \brief Returns the network on the current device. It stays there. */
const JointNetwork&
networkOn(const Device& device)
{
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<const JointNetwork>> networks;
  constexpr int host = -1;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& network = networks[device.isHost() ? host : device.id()];
  if (!network)
    network = std::make_unique<const JointNetwork>();
  return *network;
}

/** \brief Returns the mean of the votes for each joint by their weights. */
NetworkAnswer
counted(const FeatureMap& votes)
{
  // Of each joint: the weight's logarithm, an offset, and the error's code.
  constexpr int channels = 5;
  const float cell = picture_span / static_cast<float>(votes.size);
  NetworkAnswer answer;
  for (int joint = 0; joint < regressed_joints; ++joint) {
    float most = -INFINITY;
    for (int row = 0; row < votes.size; ++row)
      for (int column = 0; column < votes.size; ++column)
        most = std::max(most, votes.at(row, column)[channels * joint]);
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    float weights = 0.0f;
    for (int row = 0; row < votes.size; ++row)
      for (int column = 0; column < votes.size; ++column) {
        const float* const vote = votes.at(row, column) + channels * joint;
        const float weight = std::exp(vote[0] - most);
        const float half = 0.5f * static_cast<float>(votes.size - 1);
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
findJoints(const std::vector<float>& picture, const Stream& stream)
{
  const NetworkRun run = {currentDevice(), stream};
  const JointNetwork& network = networkOn(run.device);
  constexpr int half = picture_size / 2, quarter = half / 2, eighth = quarter / 2;
  const int start_channels = network.start.layer.outputs;
  const int half_channels = network.halves.first.layer.outputs;
  const int quarter_channels = network.quarters.first.layer.outputs;
  const int eighth_channels = network.eighths.first.layer.outputs;
  const int vote_channels = network.votes.first.layer.outputs;
  const int last_channels = network.last.layer.outputs;
  const int merged_channels = quarter_channels + eighth_channels;

  FeatureMaps maps(FeatureMap::floats(picture_size, picture_channels + start_channels) +
                   FeatureMap::floats(half, 2 * half_channels) +
                   FeatureMap::floats(quarter,
                                      2 * quarter_channels + merged_channels +
                                          2 * vote_channels + last_channels) +
                   FeatureMap::floats(eighth, 2 * eighth_channels));
  const FeatureMap input = maps.take(picture_size, picture_channels);
  const FeatureMap start = maps.take(picture_size, start_channels);
  const StageMaps halves = maps.takeStage(half, half_channels);
  const StageMaps quarters = maps.takeStage(quarter, quarter_channels);
  const StageMaps eighths = maps.takeStage(eighth, eighth_channels);
  const FeatureMap merged = maps.take(quarter, merged_channels);
  const StageMaps votes = maps.takeStage(quarter, vote_channels);
  const FeatureMap last = maps.take(quarter, last_channels);

  maps.clear(run);
  copyAsync(picture.data(), input.numbers, picture.size() * sizeof(float), stream);
  run.convolve(network.start, input, start);
  network.halves(run, start, halves);
  network.quarters(run, halves.output, quarters);
  network.eighths(run, quarters.output, eighths);
  parallelFor2D(run.device,
                merged_channels,
                quarter * quarter,
                device::MergeMaps{quarters.output, eighths.output, merged},
                stream);
  network.votes(run, merged, votes);
  run.convolve(network.last, votes.output, last, {}, false);

  std::vector<float> numbers(FeatureMap::floats(quarter, last_channels));
  copyAsync(last.numbers, numbers.data(), numbers.size() * sizeof(float), stream);
  stream.synchronize();
  return counted({numbers.data(), quarter, last_channels});
}

} // namespace pcl::gpu
