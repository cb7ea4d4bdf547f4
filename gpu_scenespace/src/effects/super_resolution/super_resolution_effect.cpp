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

/** \brief The most frames whose residuals there is memory for. */
constexpr int most_residuals = 8;

int
errorGroups(int rows)
{
  return (rows + device::error_rows - 1) / device::error_rows;
}

double
lanczos(double x)
{
  constexpr double lobes = device::lanczos_taps / 2;
  if (x == 0.0)
    return 1.0;
  if (std::abs(x) >= lobes)
    return 0.0;
  return lobes * std::sin(M_PI * x) * std::sin(M_PI * x / lobes) /
         (M_PI * M_PI * x * x);
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

/** \brief Returns bytes of device memory for an output, and for memory shared with
 * frames. */
std::size_t
estimateMemory(const SceneView& output, int scale)
{
  const int width = (output.camera.width + scale - 1) / scale,
            height = (output.camera.height + scale - 1) / scale;
  const std::size_t inputs = paddedPixels(width, height),
                    outputs = paddedPixels(output.camera.width, output.camera.height);
  const std::size_t sums = std::size_t(width) * errorGroups(height);
  const std::size_t estimate =
      (outputs + inputs * (1 + scale)) * sizeof(device::Float4) +
      (sums + many_lanes + few_lanes) * sizeof(device::ErrorSum);
  const std::size_t reference = outputs * (sizeof(RGB) + sizeof(float));
  // Depth that is shared with frames outlasts them; their blocks' bounds and the like
  // are less than a byte a pixel.
  const std::size_t residuals =
      most_residuals * inputs * (sizeof(RGB) + sizeof(float) + 1);
  const std::size_t filter = LearnedFilter::estimateMemory(width, height, scale);
  return estimate + filter + reference + residuals + 65536;
}

} // namespace

/** \brief An estimate of a frame with more pixels, and its departures from frames.
 *
 * All calls between begin() and write() are for one output, on the current device.
 * Memory is kept from one output to the next.
 */
struct SuperResolutionEffect::Buffers {
  /** \brief Begins an output, as yet without an estimate.
   * \param[in] parameters of the effect
   * \param[in] frames,own_frame the input and the output's frame, which must stay until
   * the output is written
   * \param[in] output_stream the queue to join
   */
  void
  begin(const SuperResolutionEffectParameters& parameters,
        SceneFrameStore& frames,
        const SceneFrame& own_frame,
        const Stream& output_stream)
  {
    settings = parameters;
    store = &frames;
    own = &own_frame;
    stream = output_stream;
    const int scale = settings.scale, number = own->getNumber();
    others = frameWindow(frames.getVideo(), number, settings.reach);
    others.erase(std::find(others.begin(), others.end(), number));
    view = enlargedView(own->getView(), scale);
    view.validate();
    enlargement = enlargementBy(scale);
    blur = blurBy(settings.sigma_smooth);
    columns = own->getColor().cols();
    rows = own->getColor().rows();
    wide = columns * scale;
    high = rows * scale;
    output_device = deviceOf(own->getColor());
    const std::size_t inputs = std::size_t(columns) * rows;
    takePieces(memory,
               Piece{estimate, inputs * scale * scale},
               Piece{residual, inputs},
               Piece{part, inputs * scale},
               Piece{sums, std::size_t(columns) * errorGroups(rows)},
               Piece{lane_sums, many_lanes},
               Piece{few_sums, few_lanes},
               Piece{mean_squares, most_residuals});
    createOn(output_device, reference.color, high, wide);
    createOn(output_device, reference.depth, high, wide);
    run(wide,
        high,
        device::WriteReference{inputView<float>(own->getDepth()),
                               scale,
                               outputView<device::PackedColor>(reference.color),
                               outputView<float>(reference.depth)});
  }

  /** \brief Sets the estimate to the own frame, enlarged, and finds the weights of the
   * others. Waits. */
  void
  enlarge()
  {
    const bool is_learned = settings.filter == EnlargementFilter::Learned;
    const bool is_compared =
        settings.filter == EnlargementFilter::Better && !others.empty();
    if (is_learned || is_compared)
      filter.learn(own->getColor(), enlargement, stream);
    enlargeBy(is_learned);
    errors.clear();
    if (is_compared || settings.iterations > 0)
      measure(errors);
    weighByErrors();
    // Frames that show something else say nothing about the own one.
    constexpr double least_weight = 0.01;
    if (!is_compared ||
        std::accumulate(weights.begin(), weights.end(), 0.0) < least_weight)
      return;
    enlargeBy(true);
    measure(other_errors);
    const auto weighted = [&](const std::vector<float>& values) {
      return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
    };
    if (weighted(other_errors) < weighted(errors)) {
      errors.swap(other_errors);
      weighByErrors();
    }
    else
      enlargeBy(false);
  }

  /** \brief Adds a part of the average of all frames' residuals.
   * \param[out] image the average
   */
  void
  addResiduals(SceneImage& image)
  {
    average.begin(view, reference, stream);
    setSigmaRGB(std::numeric_limits<float>::infinity());
    writeOwnResidual();
    average.add({encode(*own, 0)}, {}, stream);
    setSigmaRGB(device::residual_steps * settings.sigma_residual);
    for (const FrameBatch& batch : someOthers(weights)) {
      std::vector<SceneFrame::ConstPtr> residuals;
      for (const SceneFrame::ConstPtr& frame : batch.frames) {
        writeResidual(*frame);
        residuals.push_back(encode(*frame, residuals.size()));
      }
      average.add(residuals, batch.weights, stream);
    }
    average.finish(image, stream);
    run(wide,
        high,
        device::AddResidual{
            inputView<device::PackedColor>(image.color), settings.step, estimate});
  }

  /** \brief Adds the differences of the own frame's pixels from the estimate's means,
   * enlarged by Lanczos's filter. */
  void
  stepTowardsOwn()
  {
    writeOwnResidual();
    run(wide, rows, device::EnlargeAcross{enlargement, residual, columns, part});
    run(wide, high, device::AddEnlargedDown{enlargement, part, wide, rows, estimate});
  }

  /** \brief Writes the estimate.
   * \param[in,out] image whose depth holds averages, if residuals were added
   */
  void
  write(SceneImage& image) const
  {
    const float noise = store->getPreparation().noise;
    run(wide,
        high,
        device::WriteEstimate{estimate,
                              inputView<float>(reference.depth),
                              settings.iterations > 0,
                              noise * noise,
                              createdPicture(output_device, image, high, wide)});
  }

private:
  /** \brief Runs a step for each pixel of an image, or each column of sums. */
  template <typename Step>
  void
  run(int step_columns, int step_rows, const Step& step) const
  {
    parallelFor2D(output_device, step_columns, step_rows, step, stream);
  }

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

  /** \brief Sets the estimate to the own frame, enlarged.
   * \param[in] learned by the filter that was learned, else by Lanczos's
   */
  void
  enlargeBy(bool learned)
  {
    if (learned)
      filter.enlarge(own->getColor(), estimate, stream);
    else {
      const std::size_t pixels = std::size_t(wide) * high;
      fillAsync(output_device, estimate, 0, pixels * sizeof(device::Float4), stream);
      stepTowardsOwn(); // from 0, it is Lanczos's filter
    }
    for (int i = 0; i < settings.own_steps_before; ++i)
      stepTowardsOwn();
  }

  /** \brief Finds the departures of the other frames from the estimate: means of their
   * residuals' squares, levels^2. Waits. */
  void
  measure(std::vector<float>& departures)
  {
    departures.resize(others.size());
    for (const FrameBatch& batch : someOthers({})) {
      for (std::size_t i = 0; i < batch.frames.size(); ++i) {
        writeResidual(*batch.frames[i]);
        sumErrors(mean_squares + i);
      }
      copyAsync(mean_squares,
                departures.data() + batch.first,
                batch.frames.size() * sizeof(float),
                stream);
      stream.synchronize();
    }
  }

  void
  weighByErrors()
  {
    const double noise = store->getPreparation().noise;
    const double sigma = settings.sigma_frame_error;
    weights.clear();
    for (const float error : errors) {
      // Both the frame and the estimate have noise.
      const double beyond = std::max(0.0, error - 2.0 * noise * noise);
      weights.push_back(static_cast<float>(std::exp(-0.5 * beyond / (sigma * sigma))));
    }
  }

  /** \brief Returns the other frames, as many at a time as there is memory for
   * residuals of. */
  FrameBatches
  someOthers(const std::vector<float>& their_weights) const
  {
    return store->batches(
        others, their_weights, stream, FrameContent::Whole, most_residuals);
  }

  /** \brief Writes the own frame's residuals to residual. */
  void
  writeOwnResidual()
  {
    run(columns,
        rows,
        device::OwnResidual{inputView<device::PackedColor>(own->getColor()),
                            settings.scale,
                            estimate,
                            residual});
  }

  /** \brief Writes another frame's residuals to residual. */
  void
  writeResidual(const SceneFrame& frame)
  {
    const device::Picture picture = pictureOf(frame);
    checkArgument(picture.color.cols == columns && picture.color.rows == rows,
                  "frame of another size than the output's, number",
                  frame.getNumber(),
                  "frames of one size");
    const SceneView& source = frame.getView();
    run(columns,
        rows,
        device::FrameResidual{frameProjection(source, view),
                              picture,
                              settings.scale,
                              estimate,
                              wide,
                              high,
                              residual});
  }

  /** \brief Takes the mean of the squares of residual. */
  void
  sumErrors(float* mean)
  {
    const int groups = errorGroups(rows), count = columns * groups;
    run(columns,
        groups,
        device::SumErrors{residual, columns, rows, largest_square, sums});
    const auto sumLanes = [&](const device::SumLanes& task) {
      run(task.lanes, 1, task);
    };
    sumLanes({sums, count, many_lanes, lane_sums, nullptr});
    sumLanes({lane_sums, many_lanes, few_lanes, few_sums, nullptr});
    sumLanes({few_sums, few_lanes, 1, nullptr, mean});
  }

  /** \brief Encodes residual.
   * \param[in] frame whose residuals they are
   * \param[in] place among the frames with residuals
   * \return a frame with residuals as colours, until the next ones have its place
   */
  SceneFrame::ConstPtr
  encode(const SceneFrame& frame, std::size_t place)
  {
    if (residual_frames.size() <= place) {
      colors.resize(place + 1);
      residual_frames.push_back(std::make_shared<SceneFrame>());
    }
    DeviceArray2D<RGB>& color = colors[place];
    createOn(output_device, color, rows, columns);
    if (blur.reach >= 0)
      run(columns, rows, device::BlurAcross{blur, residual, columns, part});
    run(columns,
        rows,
        device::EncodeResidual{blur,
                               residual,
                               part,
                               columns,
                               rows,
                               outputView<device::PackedColor>(color)});
    const SceneView& source = frame.getView();
    residual_frames[place]->set(
        color, frame.getDepth(), source.camera, source.pose, frame.getNumber(), stream);
    return residual_frames[place];
  }

  SuperResolutionEffectParameters settings;
  SceneFrameStore* store = nullptr;
  const SceneFrame* own = nullptr;
  std::vector<int> others; ///< the window without the own frame
  Device output_device = currentDevice();
  Stream stream;
  SceneView view;
  int columns = 0, rows = 0; ///< of the input
  int wide = 0, high = 0;    ///< the same of the output
  device::Enlargement enlargement{};
  device::BlurWeights blur{};
  LearnedFilter filter;
  Workspace memory;
  device::Float4 *estimate = nullptr, *residual = nullptr, *part = nullptr;
  device::ErrorSum *sums = nullptr, *lane_sums = nullptr, *few_sums = nullptr;
  float* mean_squares = nullptr;
  /** \brief Depth of the own frame, and the colour of a residual of 0. */
  SceneReference reference;
  SceneSpaceAverage average;
  std::vector<DeviceArray2D<RGB>> colors; ///< of residual_frames
  std::vector<SceneFrame::Ptr> residual_frames;
  std::vector<float> errors, other_errors; ///< of the other frames, levels^2
  std::vector<float> weights;              ///< of the other frames
};

void
SuperResolutionEffectParameters::validate() const
{
  checkBetween<int>("scale", scale, 2, max_scale, "2 to 4");
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(iterations >= 0, "iterations", iterations, "0 or more");
  checkPositive("step", step);
  checkEnumerator("enlargement filter", filter, EnlargementFilter::Better);
  checkAtLeast("own steps before", own_steps_before, 0);
  checkAtLeast("own steps behind", own_steps_behind, 0);
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
  EffectMemory memory;
  memory.surfaces = 0;
  memory.images = 1;
  memory.other = estimateMemory(view, parameters_.scale);
  return memory;
}

void
SuperResolutionEffect::compute(SceneFrameStore& frames,
                               int number,
                               SceneImage& image,
                               const Stream& stream)
{
  Buffers& data = buffers_.get();
  const PreparedFrame own = frames.get(number, stream);
  const ScopedDevice scope(deviceOf(own.frame->getColor()));
  data.begin(parameters_, frames, *own.frame, stream);
  data.enlarge();
  for (int i = 0; i < parameters_.iterations; ++i) {
    data.addResiduals(image);
    for (int j = 0; j < parameters_.own_steps_behind; ++j)
      data.stepTowardsOwn();
  }
  data.write(image);
}

} // namespace pcl::gpu
