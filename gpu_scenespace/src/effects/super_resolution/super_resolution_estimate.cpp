// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/super_resolution_estimate.h"

#include "frames/resources.h"
#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Squares of residuals count no more than that of 20 levels: edges at wrong places do
 * not show how good a frame is. */
constexpr float largest_square = 400.0f;

/** \brief Lanes that a list of sums is added up by, first and then. */
constexpr int many_lanes = 1024, few_lanes = 32;

int
errorGroups(int rows)
{
  return (rows + device::error_rows - 1) / device::error_rows;
}

double
lanczos(double x)
{
  constexpr double pi = 3.14159265358979324, lobes = device::lanczos_taps / 2;
  if (x == 0.0)
    return 1.0;
  if (std::abs(x) >= lobes)
    return 0.0;
  return lobes * std::sin(pi * x) * std::sin(pi * x / lobes) / (pi * pi * x * x);
}

device::Enlargement
enlargementBy(int scale)
{
  device::Enlargement result{};
  result.scale = scale;
  for (int place = 0; place < scale; ++place) {
    // Where the output pixel's centre is, from that of the input pixel.
    const double offset = (place + 0.5) / scale - 0.5;
    result.first[place] =
        static_cast<int>(std::floor(offset)) + 1 - device::lanczos_taps / 2;
    double weights[device::lanczos_taps], sum = 0.0;
    for (int i = 0; i < device::lanczos_taps; ++i)
      sum += weights[i] = lanczos(offset - (result.first[place] + i));
    for (int i = 0; i < device::lanczos_taps; ++i)
      result.weights[place][i] = static_cast<float>(weights[i] / sum);
  }
  return result;
}

device::BlurWeights
blurBy(float sigma)
{
  device::BlurWeights result{};
  result.reach = sigma > 0.0f ? static_cast<int>(std::ceil(3.0f * sigma)) : -1;
  double sum = 0.0;
  for (int i = -result.reach; i <= result.reach; ++i)
    sum += std::exp(-0.5 * i * i / (double(sigma) * sigma));
  for (int i = 0; i <= result.reach; ++i)
    result.weights[i] =
        static_cast<float>(std::exp(-0.5 * i * i / (double(sigma) * sigma)) / sum);
  return result;
}

} // namespace

SceneView
enlargedView(SceneView view, int scale)
{
  view.camera =
      view.camera.resized(view.camera.width * scale, view.camera.height * scale);
  return view;
}

void
SuperResolutionEstimate::begin(const SceneFrame& own,
                               int scale,
                               float sigma_smooth,
                               const Stream& stream)
{
  own_ = &own;
  scale_ = scale;
  view_ = enlargedView(own_->getView(), scale);
  view_.validate();
  enlargement_ = enlargementBy(scale);
  blur_ = blurBy(sigma_smooth);
  columns_ = own_->getColor().cols();
  rows_ = own_->getColor().rows();
  wide_ = columns_ * scale_;
  high_ = rows_ * scale_;
  device_ = deviceOf(own_->getColor());
  const ScopedDevice scope(device_);
  reserve();
  createOn(device_, reference_color_, high_, wide_);
  createOn(device_, reference_depth_, high_, wide_);
  run(device::WriteReference{own_->getDepth().ptr(),
                             strideOf(own_->getDepth()),
                             scale_,
                             packedColors(reference_color_),
                             reference_depth_.ptr(),
                             strideOf(reference_color_),
                             strideOf(reference_depth_)},
      wide_,
      high_,
      stream);
}

void
SuperResolutionEstimate::reserve()
{
  const std::size_t inputs = std::size_t(columns_) * rows_;
  const std::size_t outputs = inputs * scale_ * scale_;
  const std::size_t sums = std::size_t(columns_) * errorGroups(rows_);
  memory_.reserve(Workspace::bytesFor<device::Float4>(outputs) +
                  Workspace::bytesFor<device::Float4>(inputs) +
                  Workspace::bytesFor<device::Float4>(inputs * scale_) +
                  Workspace::bytesFor<device::ErrorSum>(sums) +
                  Workspace::bytesFor<device::ErrorSum>(many_lanes) +
                  Workspace::bytesFor<device::ErrorSum>(few_lanes) +
                  Workspace::bytesFor<float>(most_residuals));
  estimate_ = memory_.take<device::Float4>(outputs);
  residual_ = memory_.take<device::Float4>(inputs);
  part_ = memory_.take<device::Float4>(inputs * scale_);
  sums_ = memory_.take<device::ErrorSum>(sums);
  lane_sums_ = memory_.take<device::ErrorSum>(many_lanes);
  few_sums_ = memory_.take<device::ErrorSum>(few_lanes);
  errors_ = memory_.take<float>(most_residuals);
}

void
SuperResolutionEstimate::learnFilter(const Stream& stream)
{
  const ScopedDevice scope(device_);
  filter_.learn(own_->getColor(), enlargement_, stream);
}

void
SuperResolutionEstimate::enlargeOwn(bool learned, const Stream& stream)
{
  const ScopedDevice scope(device_);
  if (learned) {
    filter_.enlarge(own_->getColor(), estimate_, stream);
    return;
  }
  const std::size_t pixels = std::size_t(wide_) * high_;
  fillAsync(device_, estimate_, 0, pixels * sizeof(device::Float4), stream);
  stepTowardsOwn(stream); // from 0, it is Lanczos's filter
}

void
SuperResolutionEstimate::stepTowardsOwn(const Stream& stream)
{
  const ScopedDevice scope(device_);
  writeOwnResidual(stream);
  run(device::EnlargeAcross{enlargement_, residual_, columns_, part_},
      wide_,
      rows_,
      stream);
  run(device::AddEnlargedDown{enlargement_, part_, wide_, rows_, estimate_},
      wide_,
      high_,
      stream);
}

SceneFrame::ConstPtr
SuperResolutionEstimate::ownResidual(const Stream& stream)
{
  const ScopedDevice scope(device_);
  writeOwnResidual(stream);
  return encode(*own_, 0, stream);
}

void
SuperResolutionEstimate::measure(const std::vector<SceneFrame::ConstPtr>& frames,
                                 std::vector<float>& errors,
                                 const Stream& stream)
{
  const ScopedDevice scope(device_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    writeResidual(*frames[i], stream);
    sumErrors(errors_ + i, stream);
  }
  const std::size_t before = errors.size();
  errors.resize(before + frames.size());
  copyAsync(errors_, errors.data() + before, frames.size() * sizeof(float), stream);
  stream.synchronize();
}

const std::vector<SceneFrame::ConstPtr>&
SuperResolutionEstimate::residuals(const std::vector<SceneFrame::ConstPtr>& frames,
                                   const Stream& stream)
{
  const ScopedDevice scope(device_);
  results_.clear();
  for (const SceneFrame::ConstPtr& frame : frames) {
    writeResidual(*frame, stream);
    results_.push_back(encode(*frame, results_.size(), stream));
  }
  return results_;
}

void
SuperResolutionEstimate::writeOwnResidual(const Stream& stream)
{
  const DeviceArray2D<RGB>& color = own_->getColor();
  run(
      device::OwnResidual{
          packedColors(color), strideOf(color), columns_, scale_, estimate_, residual_},
      columns_,
      rows_,
      stream);
}

void
SuperResolutionEstimate::writeResidual(const SceneFrame& frame, const Stream& stream)
{
  const DeviceArray2D<RGB>& color = frame.getColor();
  const bool fits = color.cols() == columns_ && color.rows() == rows_;
  checkArgument(fits,
                "frame of another size than the output's, number",
                frame.getNumber(),
                "frames of one size");
  const SceneView& source = frame.getView();
  const DeviceArray2D<float>& depth = frame.getDepth();
  run(device::FrameResidual{frameProjection(source.camera, source.pose, view_),
                            packedColors(color),
                            depth.ptr(),
                            strideOf(color),
                            strideOf(depth),
                            columns_,
                            scale_,
                            estimate_,
                            wide_,
                            high_,
                            residual_},
      columns_,
      rows_,
      stream);
}

void
SuperResolutionEstimate::sumErrors(float* mean, const Stream& stream)
{
  const int groups = errorGroups(rows_), count = columns_ * groups;
  run(device::SumErrors{residual_, columns_, rows_, largest_square, sums_},
      columns_,
      groups,
      stream);
  const auto sumLanes = [&](const device::SumLanes& task) {
    run(task, task.lanes, 1, stream);
  };
  sumLanes({sums_, count, many_lanes, lane_sums_, nullptr});
  sumLanes({lane_sums_, many_lanes, few_lanes, few_sums_, nullptr});
  sumLanes({few_sums_, few_lanes, 1, nullptr, mean});
}

SceneFrame::ConstPtr
SuperResolutionEstimate::encode(const SceneFrame& frame,
                                std::size_t place,
                                const Stream& stream)
{
  if (frames_.size() <= place) {
    colors_.resize(place + 1);
    frames_.push_back(std::make_shared<SceneFrame>());
  }
  DeviceArray2D<RGB>& color = colors_[place];
  createOn(device_, color, rows_, columns_);
  if (blur_.reach >= 0)
    run(device::BlurAcross{blur_, residual_, columns_, part_}, columns_, rows_, stream);
  run(device::EncodeResidual{blur_,
                             residual_,
                             part_,
                             columns_,
                             rows_,
                             packedColors(color),
                             strideOf(color)},
      columns_,
      rows_,
      stream);
  const SceneView& view = frame.getView();
  frames_[place]->set(
      color, frame.getDepth(), view.camera, view.pose, frame.getNumber(), stream);
  return frames_[place];
}

void
SuperResolutionEstimate::add(const SceneImage& average,
                             float step,
                             const Stream& stream)
{
  const ScopedDevice scope(device_);
  run(
      device::AddResidual{
          packedColors(average.color), strideOf(average.color), wide_, step, estimate_},
      wide_,
      high_,
      stream);
}

void
SuperResolutionEstimate::write(SceneImage& image,
                               bool has_average,
                               float noise,
                               const Stream& stream) const
{
  const ScopedDevice scope(device_);
  createOn(device_, image, high_, wide_);
  run(device::WriteEstimate{estimate_,
                            wide_,
                            reference_depth_.ptr(),
                            has_average,
                            noise * noise,
                            packedColors(image.color),
                            image.depth.ptr(),
                            image.variance.ptr(),
                            strideOf(reference_depth_),
                            strideOf(image.color),
                            strideOf(image.depth),
                            strideOf(image.variance)},
      wide_,
      high_,
      stream);
}

std::size_t
SuperResolutionEstimate::estimateMemory(const SceneView& output, int scale)
{
  SceneView input = output;
  input.camera.width = (output.camera.width + scale - 1) / scale;
  input.camera.height = (output.camera.height + scale - 1) / scale;
  const std::size_t inputs = paddedPixels(input.camera.width, input.camera.height),
                    outputs = paddedPixels(output.camera.width, output.camera.height);
  const std::size_t sums =
      std::size_t(input.camera.width) * errorGroups(input.camera.height);
  const std::size_t estimate =
      (outputs + inputs * (1 + scale)) * sizeof(device::Float4) +
      (sums + many_lanes + few_lanes) * sizeof(device::ErrorSum);
  const std::size_t reference = outputs * (sizeof(RGB) + sizeof(float));
  // Depth that is shared with frames outlasts them; their blocks' bounds and the like are less
  // than a byte a pixel.
  const std::size_t residuals =
      most_residuals * inputs * (sizeof(RGB) + sizeof(float) + 1);
  const std::size_t filter =
      LearnedFilter::estimateMemory(input.camera.width, input.camera.height, scale);
  return estimate + filter + reference + residuals + 65536;
}

} // namespace pcl::gpu
