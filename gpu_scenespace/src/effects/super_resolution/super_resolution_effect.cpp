// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/super_resolution/learned_filter.h"
#include "effects/super_resolution/super_resolution.hpp"
#include "frames/resources.h"
#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pcl::gpu {

static_assert(SuperResolutionEffectParameters::max_scale == device::max_scale, "");
static_assert(3.0f * SuperResolutionEffectParameters::max_sigma_smooth <=
                  device::max_blur_reach,
              "");

namespace {

/** \brief Squares of residuals count no more than that of 20 levels: edges at wrong
 * places do not make a frame worse. */
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
    // Of the output pixel's centre, from that of the input pixel.
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

/** \brief Returns the view with a multiple of the pixels along each side. */
SceneView
enlargedView(SceneView view, int scale)
{
  view.camera =
      view.camera.resized(view.camera.width * scale, view.camera.height * scale);
  return view;
}

/** \brief An estimate of a frame with more pixels, and its departures from frames.
 *
 * All calls between begin() and write() are for one output, on the device that was
 * current at begin(). Memory is kept from one output to the next.
 */
class SuperResolutionEstimate {
public:
  /** \brief The most frames whose residuals there is memory for. */
  static constexpr int most_residuals = 8;

  SceneView view;
  /** \brief Depth of the own frame, and the colour of a residual of 0. */
  SceneReference reference;

  /** \brief Begins an output, as yet without an estimate.
   * \param[in] own the output's frame, which must stay until the output is written
   * \param[in] sigma_smooth deviation of the Gaussian whose blur is taken off
   * residuals, pixels of the input; 0: none is
   */
  void
  begin(const SceneFrame& own, int scale, float sigma_smooth, const Stream& stream)
  {
    own_ = &own;
    stream_ = stream;
    scale_ = scale;
    view = enlargedView(own.getView(), scale);
    view.validate();
    enlargement_ = enlargementBy(scale);
    blur_ = blurBy(sigma_smooth);
    columns_ = own.getColor().cols();
    rows_ = own.getColor().rows();
    wide_ = columns_ * scale;
    high_ = rows_ * scale;
    device_ = deviceOf(own.getColor());
    const ScopedDevice scope(device_);
    const std::size_t inputs = std::size_t(columns_) * rows_;
    takePieces(memory_,
               Piece{estimate_, inputs * scale * scale},
               Piece{residual_, inputs},
               Piece{part_, inputs * scale},
               Piece{sums_, std::size_t(columns_) * errorGroups(rows_)},
               Piece{lane_sums_, many_lanes},
               Piece{few_sums_, few_lanes},
               Piece{errors_, most_residuals});
    createOn(device_, reference.color, high_, wide_);
    createOn(device_, reference.depth, high_, wide_);
    forOutput(device::WriteReference{inputView<float>(own.getDepth()),
                                     scale,
                                     outputView<device::PackedColor>(reference.color),
                                     outputView<float>(reference.depth)});
  }

  /** \brief Learns a filter from the own frame. Waits. */
  void
  learnFilter()
  {
    const ScopedDevice scope(device_);
    filter_.learn(own_->getColor(), enlargement_, stream_);
  }

  /** \brief Sets the estimate to the own frame, enlarged.
   * \param[in] learned by the filter that was learned, else by Lanczos's
   */
  void
  enlargeOwn(bool learned)
  {
    const ScopedDevice scope(device_);
    if (learned)
      return filter_.enlarge(own_->getColor(), estimate_, stream_);
    const std::size_t pixels = std::size_t(wide_) * high_;
    fillAsync(device_, estimate_, 0, pixels * sizeof(device::Float4), stream_);
    stepTowardsOwn(); // from 0, it is Lanczos's filter
  }

  /** \brief Adds the differences of the own frame's pixels from the estimate's means,
   * enlarged by Lanczos's filter. */
  void
  stepTowardsOwn()
  {
    const ScopedDevice scope(device_);
    writeOwnResidual();
    run(wide_, rows_, device::EnlargeAcross{enlargement_, residual_, columns_, part_});
    forOutput(device::AddEnlargedDown{enlargement_, part_, wide_, rows_, estimate_});
  }

  /** \brief Returns a frame with the own frame's residuals as colours, until the next
   * residuals are written. */
  SceneFrame::ConstPtr
  ownResidual()
  {
    const ScopedDevice scope(device_);
    writeOwnResidual();
    return encode(*own_, 0);
  }

  /** \brief Finds the departures of frames. Waits.
   * \param[in] frames most_residuals at most, of the own frame's size
   * \param[in,out] errors mean squares of each one's residuals, levels^2, are appended
   */
  void
  measure(const std::vector<SceneFrame::ConstPtr>& frames, std::vector<float>& errors)
  {
    const ScopedDevice scope(device_);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      writeResidual(*frames[i]);
      sumErrors(errors_ + i);
    }
    const std::size_t before = errors.size();
    errors.resize(before + frames.size());
    copyAsync(errors_, errors.data() + before, frames.size() * sizeof(float), stream_);
    stream_.synchronize();
  }

  /** \brief Returns frames with the residuals of others as colours, until the next
   * residuals are written.
   * \param[in] frames most_residuals at most, of the own frame's size
   */
  const std::vector<SceneFrame::ConstPtr>&
  residuals(const std::vector<SceneFrame::ConstPtr>& frames)
  {
    const ScopedDevice scope(device_);
    results_.clear();
    for (const SceneFrame::ConstPtr& frame : frames) {
      writeResidual(*frame);
      results_.push_back(encode(*frame, results_.size()));
    }
    return results_;
  }

  /** \brief Adds a part of averaged residuals. */
  void
  add(const SceneImage& average, float step)
  {
    const ScopedDevice scope(device_);
    forOutput(device::AddResidual{
        inputView<device::PackedColor>(average.color), step, estimate_});
  }

  /** \brief Writes the estimate.
   * \param[in,out] image whose depth holds averages, if there are any
   */
  void
  write(SceneImage& image, bool has_average, float noise) const
  {
    const ScopedDevice scope(device_);
    forOutput(device::WriteEstimate{estimate_,
                                    inputView<float>(reference.depth),
                                    has_average,
                                    noise * noise,
                                    createdPicture(device_, image, high_, wide_)});
  }

  /** \brief Returns bytes of device memory for an output, and for memory shared with
   * frames. */
  static std::size_t
  estimateMemory(const SceneView& output, int scale)
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
    // Depth that is shared with frames outlasts them; their blocks' bounds and the like
    // are less than a byte a pixel.
    const std::size_t residuals =
        most_residuals * inputs * (sizeof(RGB) + sizeof(float) + 1);
    const std::size_t filter =
        LearnedFilter::estimateMemory(input.camera.width, input.camera.height, scale);
    return estimate + filter + reference + residuals + 65536;
  }

private:
  /** \brief Runs a step for each pixel of the input. */
  template <typename Step>
  void
  forInput(const Step& step) const
  {
    parallelFor2D(device_, columns_, rows_, step, stream_);
  }

  /** \brief Runs a step for each pixel of the output. */
  template <typename Step>
  void
  forOutput(const Step& step) const
  {
    parallelFor2D(device_, wide_, high_, step, stream_);
  }

  /** \brief Runs a step for each pixel of an image, or each column of sums. */
  template <typename Step>
  void
  run(int columns, int rows, const Step& step) const
  {
    parallelFor2D(device_, columns, rows, step, stream_);
  }

  /** \brief Writes the own frame's residuals to residual_. */
  void
  writeOwnResidual()
  {
    forInput(device::OwnResidual{inputView<device::PackedColor>(own_->getColor()),
                                 scale_,
                                 estimate_,
                                 residual_});
  }

  /** \brief Writes another frame's residuals to residual_. */
  void
  writeResidual(const SceneFrame& frame)
  {
    const device::Picture picture = pictureOf(frame);
    checkArgument(picture.color.cols == columns_ && picture.color.rows == rows_,
                  "frame of another size than the output's, number",
                  frame.getNumber(),
                  "frames of one size");
    forInput(device::FrameResidual{frameProjection(frame.getView(), view),
                                   picture,
                                   scale_,
                                   estimate_,
                                   wide_,
                                   high_,
                                   residual_});
  }

  /** \brief Takes the mean of the squares of residual_. */
  void
  sumErrors(float* mean)
  {
    const int groups = errorGroups(rows_), count = columns_ * groups;
    run(columns_,
        groups,
        device::SumErrors{residual_, columns_, rows_, largest_square, sums_});
    const auto sumLanes = [&](const device::SumLanes& task) {
      run(task.lanes, 1, task);
    };
    sumLanes({sums_, count, many_lanes, lane_sums_, nullptr});
    sumLanes({lane_sums_, many_lanes, few_lanes, few_sums_, nullptr});
    sumLanes({few_sums_, few_lanes, 1, nullptr, mean});
  }

  /** \brief Encodes residual_ for a place among the frames. */
  SceneFrame::ConstPtr
  encode(const SceneFrame& frame, std::size_t place)
  {
    if (frames_.size() <= place) {
      colors_.resize(place + 1);
      frames_.push_back(std::make_shared<SceneFrame>());
    }
    DeviceArray2D<RGB>& color = colors_[place];
    createOn(device_, color, rows_, columns_);
    if (blur_.reach >= 0)
      forInput(device::BlurAcross{blur_, residual_, columns_, part_});
    forInput(device::EncodeResidual{blur_,
                                    residual_,
                                    part_,
                                    columns_,
                                    rows_,
                                    outputView<device::PackedColor>(color)});
    const SceneView& source = frame.getView();
    frames_[place]->set(color,
                        frame.getDepth(),
                        source.camera,
                        source.pose,
                        frame.getNumber(),
                        stream_);
    return frames_[place];
  }

  Device device_ = currentDevice();
  Stream stream_;
  const SceneFrame* own_ = nullptr;
  int scale_ = 0;
  int columns_ = 0, rows_ = 0; ///< of the input
  int wide_ = 0, high_ = 0;    ///< the same of the output
  device::Enlargement enlargement_{};
  device::BlurWeights blur_{};
  LearnedFilter filter_;
  Workspace memory_;
  device::Float4 *estimate_ = nullptr, *residual_ = nullptr, *part_ = nullptr;
  device::ErrorSum *sums_ = nullptr, *lane_sums_ = nullptr, *few_sums_ = nullptr;
  float* errors_ = nullptr;
  std::vector<DeviceArray2D<RGB>> colors_;
  std::vector<SceneFrame::Ptr> frames_;
  std::vector<SceneFrame::ConstPtr> results_;

public:
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace

struct SuperResolutionEffect::Buffers {
  SuperResolutionEffectParameters settings;
  SceneSpaceAverage average;
  SuperResolutionEstimate estimate;

  /** \brief Begins with the own frame, enlarged, and finds the weights of the others.
   * \param[in] others the window without the own frame
   */
  void
  enlarge(SceneFrameStore& frames, const std::vector<int>& others, const Stream& stream)
  {
    const bool is_learned = settings.filter == EnlargementFilter::Learned;
    const bool is_compared =
        settings.filter == EnlargementFilter::Better && !others.empty();
    if (is_learned || is_compared)
      estimate.learnFilter();
    enlargeBy(is_learned);
    errors.clear();
    if (is_compared || settings.iterations > 0)
      measure(frames, others, errors, stream);
    weighByErrors(frames.getPreparation().noise);
    // Frames that show something else say nothing about the own one.
    constexpr double least_weight = 0.01;
    if (!is_compared ||
        std::accumulate(weights.begin(), weights.end(), 0.0) < least_weight)
      return;
    enlargeBy(true);
    measure(frames, others, other_errors, stream);
    const auto weighted = [&](const std::vector<float>& values) {
      return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
    };
    if (weighted(other_errors) < weighted(errors)) {
      errors.swap(other_errors);
      weighByErrors(frames.getPreparation().noise);
    }
    else
      enlargeBy(false);
  }

  /** \brief Averages the residuals of all frames. */
  void
  averageResiduals(SceneFrameStore& frames,
                   const std::vector<int>& others,
                   SceneImage& image,
                   const Stream& stream)
  {
    average.begin(estimate.view, estimate.reference, stream);
    setSigmaRGB(std::numeric_limits<float>::infinity());
    average.add({estimate.ownResidual()}, {}, stream);
    setSigmaRGB(device::residual_steps * settings.sigma_residual);
    for (const FrameBatch& batch : some(frames, others, weights, stream))
      average.add(estimate.residuals(batch.frames), batch.weights, stream);
    average.finish(image, stream);
  }

private:
  /** \brief Sets the deviation of residuals. */
  void
  setSigmaRGB(float sigma)
  {
    SceneSpaceAverageParameters parameters;
    parameters.sigma_rgb = sigma;
    parameters.sigma_xyz = settings.sigma_xyz;
    parameters.sigma_pixel = settings.sigma_pixel;
    average.setParameters(parameters);
  }

  /** \brief Sets the estimate to the own frame, enlarged. */
  void
  enlargeBy(bool learned)
  {
    estimate.enlargeOwn(learned);
    for (int i = 0; i < settings.own_steps_before; ++i)
      estimate.stepTowardsOwn();
  }

  /** \brief Finds the departures of frames from the estimate, levels^2. */
  void
  measure(SceneFrameStore& frames,
          const std::vector<int>& others,
          std::vector<float>& departures,
          const Stream& stream)
  {
    departures.clear();
    for (const FrameBatch& batch : some(frames, others, {}, stream))
      estimate.measure(batch.frames, departures);
  }

  void
  weighByErrors(double noise)
  {
    const double sigma = settings.sigma_frame_error;
    weights.clear();
    for (const float error : errors) {
      // Both the frame and the estimate have noise.
      const double beyond = std::max(0.0, error - 2.0 * noise * noise);
      weights.push_back(static_cast<float>(std::exp(-0.5 * beyond / (sigma * sigma))));
    }
  }

  /** \brief Returns frames, as many at a time as there is memory for residuals of. */
  static FrameBatches
  some(SceneFrameStore& frames,
       const std::vector<int>& numbers,
       const std::vector<float>& weights,
       const Stream& stream)
  {
    return frames.batches(numbers,
                          weights,
                          stream,
                          FrameContent::Whole,
                          SuperResolutionEstimate::most_residuals);
  }

  std::vector<float> errors, other_errors; ///< of the other frames, levels^2
  std::vector<float> weights;
};

void
SuperResolutionEffectParameters::validate() const
{
  checkBetween<int>("scale", scale, 2, max_scale, "2 to 4");
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(iterations >= 0, "iterations", iterations, "0 or more");
  checkPositive("step", step);
  checkEnumerator("enlargement filter", filter, EnlargementFilter::Better);
  checkArgument(
      own_steps_before >= 0, "own steps before", own_steps_before, "0 or more");
  checkArgument(
      own_steps_behind >= 0, "own steps behind", own_steps_behind, "0 or more");
  checkDeviation("sigma_residual", sigma_residual);
  checkDeviation("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_pixel", sigma_pixel);
  checkDeviation("sigma_frame_error", sigma_frame_error);
  constexpr float most = max_sigma_smooth;
  checkBetween("sigma_smooth", sigma_smooth, 0.0f, most, "0 to 5 pixels");
}

SceneView
SuperResolutionEffect::view(const RGBDVideo& video, int number) const
{
  return enlargedView(SceneSpaceEffect::view(video, number), parameters_.scale);
}

EffectMemory
SuperResolutionEffect::workingMemory(const SceneView& view) const
{
  return {1, 0, 1, SuperResolutionEstimate::estimateMemory(view, parameters_.scale)};
}

void
SuperResolutionEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Buffers& data = buffers_.get();
  const SuperResolutionEffectParameters& settings = data.settings = parameters_;
  const PreparedFrame own = frames.get(number, stream);
  SuperResolutionEstimate& estimate = data.estimate;
  estimate.begin(*own.frame, settings.scale, settings.sigma_smooth, stream);
  std::vector<int> others = frameWindow(frames.getVideo(), number, settings.reach);
  others.erase(std::find(others.begin(), others.end(), number));
  data.enlarge(frames, others, stream);
  for (int i = 0; i < settings.iterations; ++i) {
    data.averageResiduals(frames, others, image, stream);
    estimate.add(image, settings.step);
    for (int j = 0; j < settings.own_steps_behind; ++j)
      estimate.stepTowardsOwn();
  }
  estimate.write(image, settings.iterations > 0, frames.getPreparation().noise);
}

} // namespace pcl::gpu
