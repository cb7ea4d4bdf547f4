// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regression/host_convolution.cpp"
#include "regression/convolution.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pcl::device {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ChannelTag = hn::CappedTag<float, 16>;
using Channels = hn::Vec<ChannelTag>;

/** \brief Computes two registers of channels of five neighbouring cells. */
HWY_INLINE void
convolveFive(const ConvolutionTask& task, int row, int column, int channel)
{
  const Convolution& layer = task.layer;
  constexpr int cells = 5;
  const ChannelTag tag;
  const auto lanes = static_cast<int>(hn::Lanes(tag));
  const bool has_second = channel + lanes < layer.outputs;
  const int second = has_second ? lanes : 0;
  Channels sums[cells], other_sums[cells];
  for (int i = 0; i < cells; ++i) {
    sums[i] = hn::LoadU(tag, layer.biases + channel);
    other_sums[i] = hn::LoadU(tag, layer.biases + channel + second);
  }
  const int reach = layer.width / 2;
  const float* weights = layer.weights + channel;
  const std::ptrdiff_t step =
      static_cast<std::ptrdiff_t>(layer.stride) * layer.inputs; // to the next cell
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) {
      const float* const from =
          task.input.at(layer.stride * row + y, layer.stride * column + x);
      for (int i = 0; i < layer.inputs; ++i) {
        const Channels weight = hn::LoadU(tag, weights);
        const Channels other_weight = hn::LoadU(tag, weights + second);
        weights += layer.outputs;
        for (int cell = 0; cell < cells; ++cell) {
          const Channels number = hn::Set(tag, from[cell * step + i]);
          sums[cell] = hn::MulAdd(number, weight, sums[cell]);
          other_sums[cell] = hn::MulAdd(number, other_weight, other_sums[cell]);
        }
      }
    }
  for (int cell = 0; cell < cells; ++cell)
    for (int half = 0; half < (has_second ? 2 : 1); ++half) {
      const int place = channel + half * lanes;
      Channels sum = half == 0 ? sums[cell] : other_sums[cell];
      if (task.added.numbers)
        sum = hn::Add(sum, hn::LoadU(tag, task.added.at(row, column + cell) + place));
      if (task.is_rectified)
        sum = hn::Max(sum, hn::Zero(tag));
      hn::StoreU(sum, tag, task.output.at(row, column + cell) + place);
    }
}

void
convolveRow(const ConvolutionTask& task, int row)
{
  const auto step = 2 * static_cast<int>(hn::Lanes(ChannelTag()));
  for (int channel = 0; channel < task.layer.outputs; channel += step)
    for (int column = 0; column < task.output.size; column += 5)
      convolveFive(task, row, column, channel);
}

} // namespace HWY_NAMESPACE
} // namespace pcl::device
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace pcl::device {

HWY_EXPORT(convolveRow);

void
host::convolve(const ConvolutionTask& task)
{
#pragma omp parallel for schedule(static)
  for (int row = 0; row < task.output.size; ++row)
    HWY_DYNAMIC_DISPATCH(convolveRow)(task, row);
}

} // namespace pcl::device

#endif
