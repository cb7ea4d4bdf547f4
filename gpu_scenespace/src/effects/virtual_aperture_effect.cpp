// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/picture_mean.h"
#include "effects/view_rendering.h"

#include <pcl/gpu/scenespace/virtual_aperture_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>

#include <cmath>

namespace pcl::gpu {

namespace {

constexpr double pi = 3.14159265358979324;

/** \brief A place on the lens. */
struct LensPlace {
  double x, y;   ///< metres, right and down
  double weight; ///< area that it stands for
};

} // namespace

class VirtualApertureEffect::Implementation {
public:
  float aperture = 0.03f, focus_distance = 2.0f, turn = 0.0f, sigma_xyz = 0.05f;
  int focus_column = -1, focus_row = -1, blades = 0;
  int samples = 64, reach = 6, step = 3;
  ViewRendering rendering;
  ViewSources sources;
  SceneImage picture; ///< through a pinhole
  Workspace memory;   ///< of the sums

  Implementation()
  {
    // The mean of pictures has no jags.
    rendering.average.setSigmaPixel(0.3f);
  }

  /** \brief Sunflower seeds (Vogel 1979), drawn inwards to the sides of a polygon. */
  LensPlace
  place(int number) const
  {
    double distance = 0.5 * aperture * std::sqrt((number + 0.5) / samples);
    const double angle = 2.399963229728653 * number;
    double inwards = 1.0;
    if (blades > 0) {
      const double sector = 2.0 * pi / blades;
      const double in_sector =
          angle - turn - sector * std::floor((angle - turn) / sector);
      inwards = std::cos(0.5 * sector) / std::cos(in_sector - 0.5 * sector);
    }
    distance *= inwards;
    return {distance * std::cos(angle), distance * std::sin(angle), inwards * inwards};
  }

  /** \brief The view of a pinhole, shifted so that what is in focus stays where it is. */
  static SceneView
  pinhole(const SceneView& output, const LensPlace& place, double focus)
  {
    SceneView view = output;
    view.pose.translate(Eigen::Vector3f(
        static_cast<float>(place.x), static_cast<float>(place.y), 0.0f));
    view.camera.cx += static_cast<float>(output.camera.fx * place.x / focus);
    view.camera.cy += static_cast<float>(output.camera.fy * place.y / focus);
    return view;
  }

  /** \brief Metres. */
  float
  focusOf(const SceneFrame& frame, const Stream& stream) const
  {
    if (focus_column < 0)
      return focus_distance;
    const DeviceArray2D<float>& depth = frame.getDepth();
    checkArgument(focus_column < depth.cols(), "column", focus_column, "in the frame");
    checkArgument(focus_row < depth.rows(), "row", focus_row, "in the frame");
    float focus = 0.0f;
    copyAsync(depth.ptr(focus_row) + focus_column, &focus, sizeof(focus), stream);
    stream.synchronize();
    return std::isfinite(focus) && focus > 0.0f ? focus : focus_distance;
  }
};

VirtualApertureEffect::VirtualApertureEffect()
: implementation_(std::make_unique<Implementation>())
{}

VirtualApertureEffect::~VirtualApertureEffect() = default;

void
VirtualApertureEffect::setAperture(float diameter)
{
  checkNotNegative("diameter of the aperture", diameter);
  implementation_->aperture = diameter;
}

float
VirtualApertureEffect::getAperture() const
{
  return implementation_->aperture;
}

void
VirtualApertureEffect::setFocusDistance(float distance)
{
  checkPositive("focus distance", distance);
  implementation_->focus_distance = distance;
}

float
VirtualApertureEffect::getFocusDistance() const
{
  return implementation_->focus_distance;
}

void
VirtualApertureEffect::setFocusPixel(int column, int row)
{
  checkArgument(column >= -1, "column", column, "-1 or more");
  checkArgument(row >= -1 && (row == -1) == (column == -1),
                "row",
                row,
                "-1 where the column is -1, else 0 or more");
  implementation_->focus_column = column;
  implementation_->focus_row = row;
}

int
VirtualApertureEffect::getFocusColumn() const
{
  return implementation_->focus_column;
}

int
VirtualApertureEffect::getFocusRow() const
{
  return implementation_->focus_row;
}

void
VirtualApertureEffect::setBlades(int blades, float turn)
{
  checkArgument(blades == 0 || blades >= 3, "blades", blades, "0, or 3 or more");
  checkArgument(std::isfinite(turn), "turn of the blades", turn, "a finite number");
  implementation_->blades = blades;
  implementation_->turn = turn;
}

int
VirtualApertureEffect::getBlades() const
{
  return implementation_->blades;
}

float
VirtualApertureEffect::getTurn() const
{
  return implementation_->turn;
}

void
VirtualApertureEffect::setLensSamples(int samples)
{
  checkArgument(samples >= 1, "samples of the lens", samples, "1 or more");
  implementation_->samples = samples;
}

int
VirtualApertureEffect::getLensSamples() const
{
  return implementation_->samples;
}

void
VirtualApertureEffect::setReach(int frames)
{
  checkArgument(frames >= 0, "reach", frames, "0 frames or more");
  implementation_->reach = frames;
}

int
VirtualApertureEffect::getReach() const
{
  return implementation_->reach;
}

void
VirtualApertureEffect::setStep(int frames)
{
  checkArgument(frames >= 1, "step", frames, "1 frame or more");
  implementation_->step = frames;
}

int
VirtualApertureEffect::getStep() const
{
  return implementation_->step;
}

void
VirtualApertureEffect::setSigmaXYZ(float sigma)
{
  checkPositive("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
VirtualApertureEffect::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

std::unique_ptr<SceneSpaceEffect>
VirtualApertureEffect::clone() const
{
  auto copy = std::make_unique<VirtualApertureEffect>();
  copy->setAperture(getAperture());
  copy->setFocusDistance(getFocusDistance());
  copy->setFocusPixel(getFocusColumn(), getFocusRow());
  copy->setBlades(getBlades(), getTurn());
  copy->setLensSamples(getLensSamples());
  copy->setReach(getReach());
  copy->setStep(getStep());
  copy->setSigmaXYZ(getSigmaXYZ());
  return copy;
}

EffectMemory
VirtualApertureEffect::workingMemory(const SceneView& view) const
{
  return {1, 1, 4, PictureMean::estimateMemory(view)};
}

void
VirtualApertureEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Implementation& data = *implementation_;
  // Held, it stays while the pinholes take turns.
  const PreparedFrame own = frames.get(number, stream);
  const SceneView& output = own.frame->getView();
  const float focus = data.focusOf(*own.frame, stream);
  data.sources.setWindow(frames.getVideo(), number, data.reach, data.step);
  data.rendering.average.setSigmaXYZ(data.sigma_xyz);
  data.rendering.average.setNoise(frames.getPreparation().noise);
  PictureMean mean(data.memory, *own.frame, focus);
  for (int i = 0; i < data.samples; ++i) {
    const LensPlace place = data.place(i);
    data.rendering.render(frames,
                          Implementation::pinhole(output, place, focus),
                          data.sources,
                          data.picture,
                          stream);
    mean.add(data.picture,
             {static_cast<float>(output.camera.fx * place.x),
              static_cast<float>(output.camera.fy * place.y)},
             static_cast<float>(place.weight),
             stream);
  }
  mean.finish(image, stream);
}

} // namespace pcl::gpu
