// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition.hpp"
#include "effects/view_rendering.h"
#include "frames/resources.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/virtual_aperture_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief A place on the lens. */
struct LensPlace {
  double x, y;   ///< metres, right and down
  double weight; ///< area that it stands for
};

/** \brief Sunflower seeds (Vogel 1979), drawn inwards to the sides of a polygon. */
LensPlace
placeOnLens(const VirtualApertureEffectParameters& lens, int number)
{
  double distance = 0.5 * lens.aperture * std::sqrt((number + 0.5) / lens.lens_samples);
  const double angle = 2.399963229728653 * number;
  double inwards = 1.0;
  if (lens.blades > 0) {
    const double sector = 2.0 * M_PI / lens.blades;
    const double in_sector =
        angle - lens.turn - sector * std::floor((angle - lens.turn) / sector);
    inwards = std::cos(0.5 * sector) / std::cos(in_sector - 0.5 * sector);
  }
  distance *= inwards;
  return {distance * std::cos(angle), distance * std::sin(angle), inwards * inwards};
}

/** \brief The view of a pinhole, shifted so that things in focus stay in place. */
SceneView
pinhole(const SceneView& output, const LensPlace& place, double focus)
{
  SceneView view = output;
  view.pose.translate(
      Eigen::Vector3f(static_cast<float>(place.x), static_cast<float>(place.y), 0.0f));
  view.camera.cx += static_cast<float>(output.camera.fx * place.x / focus);
  view.camera.cy += static_cast<float>(output.camera.fy * place.y / focus);
  return view;
}

/** \brief Metres. */
float
focusOf(const VirtualApertureEffectParameters& lens,
        const SceneFrame& frame,
        const Stream& stream)
{
  if (lens.focus_column < 0)
    return lens.focus_distance;
  const DeviceArray2D<float>& depth = frame.getDepth();
  checkArgument(
      lens.focus_column < depth.cols(), "column", lens.focus_column, "in the frame");
  checkArgument(lens.focus_row < depth.rows(), "row", lens.focus_row, "in the frame");
  float focus = 0.0f;
  copyAsync(
      depth.ptr(lens.focus_row) + lens.focus_column, &focus, sizeof(focus), stream);
  stream.synchronize();
  return std::isfinite(focus) && focus > 0.0f ? focus : lens.focus_distance;
}

} // namespace

struct VirtualApertureEffect::Buffers {
  ViewRendering rendering;
  SceneImage picture; ///< through a pinhole
  Workspace memory;   ///< of the sums
};

void
VirtualApertureEffectParameters::validate() const
{
  checkNotNegative("diameter of the aperture", aperture);
  checkPositive("focus distance", focus_distance);
  checkArgument(focus_column >= -1, "column", focus_column, "-1 or more");
  checkArgument(focus_row >= -1 && (focus_row == -1) == (focus_column == -1),
                "row",
                focus_row,
                "-1 where the column is -1, else 0 or more");
  checkArgument(blades == 0 || blades >= 3, "blades", blades, "0, or 3 or more");
  checkArgument(std::isfinite(turn), "turn of the blades", turn, "a finite number");
  checkArgument(lens_samples >= 1, "samples of the lens", lens_samples, "1 or more");
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(step >= 1, "step", step, "1 frame or more");
  checkPositive("sigma_xyz", sigma_xyz);
}

EffectMemory
VirtualApertureEffect::workingMemory(const SceneView& view) const
{
  EffectMemory memory;
  memory.other = pixelMemory<device::PictureSum>(view);
  return memory;
}

void
VirtualApertureEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Buffers& data = buffers_.get();
  // Held, it stays while the pinholes take turns.
  const PreparedFrame own = frames.get(number, stream);
  const SceneView& output = own.frame->getView();
  const float focus = focusOf(parameters_, *own.frame, stream);
  data.rendering.setWindow(
      frames.getVideo(), number, parameters_.reach, parameters_.step);
  SceneSpaceAverageParameters& average = data.rendering.average;
  average.sigma_rgb = std::numeric_limits<float>::infinity();
  average.sigma_xyz = parameters_.sigma_xyz;
  average.sigma_pixel = 0.3f; // the mean of pictures has no jags
  const Device device = deviceOf(own.frame->getColor());
  const int columns = output.camera.width, rows = output.camera.height;
  data.memory.reserve(pixelMemory<device::PictureSum>(output));
  auto* const sums = data.memory.take<device::PictureSum>(std::size_t(columns) * rows);
  const device::Picture middle = pictureOf(*own.frame);
  for (int i = 0; i < parameters_.lens_samples; ++i) {
    const LensPlace place = placeOnLens(parameters_, i);
    data.rendering.render(frames, pinhole(output, place, focus), data.picture, stream);
    const device::AddPicture step{pictureOf(data.picture),
                                  {middle,
                                   1.0f / focus,
                                   static_cast<float>(output.camera.fx * place.x),
                                   static_cast<float>(output.camera.fy * place.y),
                                   0.03f},
                                  static_cast<float>(place.weight),
                                  i == 0,
                                  sums};
    parallelFor2D(device, columns, rows, step, stream);
  }
  const device::DividePictures division{
      sums, middle, createdPicture(device, image, rows, columns)};
  parallelFor2D(device, columns, rows, division, stream);
}

} // namespace pcl::gpu
