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

  int
  channels() const
  {
    return first.layer.outputs;
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

/** \brief Takes feature maps, with their borders, out of one array. */
class FeatureMaps {
public:
  explicit FeatureMaps(float* memory) : next_(memory) {}

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

private:
  float* next_;
};

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

/** \brief The network on a device, with memory for one picture at a time. */
class JointNetwork {
public:
  /** \brief Reads the layers to a device, which is the current one. */
  explicit JointNetwork(const Device& device) : device_(device)
  {
    fillAsync(device, memory_.ptr(), 0, memory_.sizeBytes(), {});
    Stream().synchronize();
  }

  /** \brief Finds joints: see findJoints(). Threads wait for each other. */
  NetworkAnswer
  find(const std::vector<float>& picture, const Stream& stream)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const NetworkRun run = {device_, stream};
    copyAsync(picture.data(), input_.numbers, picture.size() * sizeof(float), stream);
    run.convolve(start_, input_, start_map_);
    halves_(run, start_map_, half_maps_);
    quarters_(run, half_maps_.output, quarter_maps_);
    eighths_(run, quarter_maps_.output, eighth_maps_);
    parallelFor2D(device_,
                  merged_.channels,
                  quarter * quarter,
                  device::MergeMaps{quarter_maps_.output, eighth_maps_.output, merged_},
                  stream);
    votes_(run, merged_, vote_maps_);
    run.convolve(last_, vote_maps_.output, last_map_, {}, false);

    std::vector<float> numbers(FeatureMap::floats(quarter, last_map_.channels));
    copyAsync(
        last_map_.numbers, numbers.data(), numbers.size() * sizeof(float), stream);
    stream.synchronize();
    return counted({numbers.data(), quarter, last_map_.channels});
  }

private:
  static constexpr int half = picture_size / 2, quarter = half / 2,
                       eighth = quarter / 2;

  std::size_t
  floatsOfMaps() const
  {
    return FeatureMap::floats(picture_size, picture_channels + start_.layer.outputs) +
           FeatureMap::floats(half, 2 * halves_.channels()) +
           FeatureMap::floats(quarter,
                              3 * quarters_.channels() + eighths_.channels() +
                                  2 * votes_.channels() + last_.layer.outputs) +
           FeatureMap::floats(eighth, 2 * eighths_.channels());
  }

  const Device device_;
  std::mutex mutex_;
  WeightReader reader_;
  const NetworkLayer start_ = reader_.next();
  const Stage halves_{reader_, 2}, quarters_{reader_, 3}, eighths_{reader_, 4},
      votes_{reader_, 2};
  const NetworkLayer last_ = reader_.next();
  DeviceArray<float> memory_{floatsOfMaps()}; ///< of the maps; borders stay 0
  FeatureMaps maps_{memory_.ptr()};
  const FeatureMap input_ = maps_.take(picture_size, picture_channels);
  const FeatureMap start_map_ = maps_.take(picture_size, start_.layer.outputs);
  const StageMaps half_maps_ = maps_.takeStage(half, halves_.channels());
  const StageMaps quarter_maps_ = maps_.takeStage(quarter, quarters_.channels());
  const StageMaps eighth_maps_ = maps_.takeStage(eighth, eighths_.channels());
  const FeatureMap merged_ =
      maps_.take(quarter, quarters_.channels() + eighths_.channels());
  const StageMaps vote_maps_ = maps_.takeStage(quarter, votes_.channels());
  const FeatureMap last_map_ = maps_.take(quarter, last_.layer.outputs);
};

/** \brief Returns the network on the current device. It stays there. */
JointNetwork&
networkOn(const Device& device)
{
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<JointNetwork>> networks;
  constexpr int host = -1;
  const std::lock_guard<std::mutex> lock(mutex);
  auto& network = networks[device.isHost() ? host : device.id()];
  if (!network)
    network = std::make_unique<JointNetwork>(device);
  return *network;
}

} // namespace

NetworkAnswer
findJoints(const std::vector<float>& picture, const Stream& stream)
{
  return networkOn(currentDevice()).find(picture, stream);
}

} // namespace pcl::gpu
