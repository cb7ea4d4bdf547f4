// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/denoising/light_differences.hpp"

#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>
#include <pcl/gpu/utils/parameterized.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

// A sigma_rgb of 0 stands for these: see DenoisingEffectParameters. Guides have less
// noise than frames, hence less than once the noise.
constexpr float sigma_rgb_of_noise = 0.7f;
constexpr float least_sigma_rgb = 14.0f;

} // namespace

struct DenoisingEffect::Buffers {
  SceneSpaceAverage average;
  CollaborativeFilter last_filter;
  DeviceArray2D<RGB> average_color;
  Workspace cells;

  /** \brief Gives the average the light of the frame. */
  void
  addLight(const DeviceArray2D<RGB>& frame, float noise, const Stream& stream)
  {
    const Device device = deviceOf(frame);
    const int columns = device::cellsAlong(frame.cols()),
              rows = device::cellsAlong(frame.rows());
    device::CellSum* sums;
    device::LightDifference* means;
    const std::size_t count = std::size_t(columns) * rows;
    takePieces(cells, Piece{sums, count}, Piece{means, count});
    parallelFor2D(device,
                  columns,
                  rows,
                  device::SumDifferences{inputView<device::PackedColor>(frame),
                                         inputView<device::PackedColor>(average_color),
                                         sums,
                                         columns},
                  stream);
    parallelFor2D(device,
                  columns,
                  rows,
                  device::SmoothDifferences{sums, means, columns, rows, noise * noise},
                  stream);
    parallelFor2D(
        device,
        frame.cols(),
        frame.rows(),
        device::AddDifferences{
            means, columns, rows, outputView<device::PackedColor>(average_color)},
        stream);
  }
};

void
DenoisingEffectParameters::validate() const
{
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkNotNegative("sigma_rgb", sigma_rgb);
  checkPositive("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_frame", sigma_frame);
}

EffectMemory
DenoisingEffect::workingMemory(const SceneView& view) const
{
  EffectMemory memory;
  memory.surfaces = 0;
  memory.images = 2; // the average, and the result
  memory.other =
      CollaborativeFilter::estimateMemory(view.camera.width, view.camera.height);
  return memory;
}

void
DenoisingEffect::compute(SceneFrameStore& frames,
                         int number,
                         SceneImage& image,
                         const Stream& stream)
{
  Buffers& data = buffers_.get();
  const float noise = frames.getPreparation().noise;
  SceneSpaceAverageParameters average_parameters;
  average_parameters.sigma_rgb =
      parameters_.sigma_rgb > 0.0f
          ? parameters_.sigma_rgb
          : std::max(least_sigma_rgb, sigma_rgb_of_noise * noise);
  average_parameters.sigma_xyz = parameters_.sigma_xyz;
  if (noise > 0.0f)
    average_parameters.noise = noise;
  data.average.setParameters(average_parameters);
  const PreparedFrame own = frames.get(number, stream);
  data.average.begin(
      own.frame->getView(), {own.frame->getGuide(), own.frame->getDepth()}, stream);
  const std::vector<int> window =
      frameWindow(frames.getVideo(), number, parameters_.reach);
  const std::vector<float> weights =
      timeWeights(window, number, parameters_.sigma_frame);
  for (const FrameBatch& batch : frames.batches(window, weights, stream))
    data.average.add(batch.frames, batch.weights, stream);
  if (noise == 0.0f)
    return data.average.finish(image, stream);
  image.color.swap(data.average_color);
  data.average.finish(image, stream);
  image.color.swap(data.average_color);
  data.addLight(own.frame->getColor(), noise, stream);
  setParameter(data.last_filter, &CollaborativeFilterParameters::clipped_noise, noise);
  data.last_filter.compute(data.average_color, image.variance, image.color, stream);
}

} // namespace pcl::gpu
