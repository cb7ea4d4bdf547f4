// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/likelihood_task.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/key_sort.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

namespace pcl::gpu {

static_assert(sizeof(Capsule) == 28, "seven floats, without a gap");
static_assert(sizeof(PointXYZ) == sizeof(device::Float4), "a point is four floats");

namespace {

std::size_t
chunksOf(std::size_t points)
{
  return (points + device::chunk_points - 1) / device::chunk_points;
}

/** \brief Cuts memory into the arrays of an observation.
 * \return bytes of all of them
 */
std::size_t
layOut(void* memory,
       const Device& device,
       std::size_t chunks,
       bool has_background,
       device::Observation& observation)
{
  device::ScratchPieces pieces(memory);
  observation.points =
      pieces.take<device::ObservedPoint>(chunks * device::chunk_points);
  observation.blocks = pieces.take<device::RayBundle>(chunks * device::chunk_blocks);
  observation.groups = observation.halves = observation.chunks = nullptr;
  if (device.isHost()) {
    observation.groups = pieces.take<device::RayBundle>(chunks * device::chunk_groups);
    observation.halves = pieces.take<device::RayBundle>(chunks * device::chunk_halves);
  }
  else {
    observation.chunks = pieces.take<device::RayBundle>(chunks);
  }
  observation.chunk_weights = pieces.take<double>(chunks);
  observation.backgrounds = nullptr;
  if (has_background) {
    observation.backgrounds = pieces.take<float>(chunks * device::chunk_points);
    observation.block_backgrounds =
        pieces.take<device::BackgroundSums>(chunks * device::chunk_blocks);
    observation.chunk_backgrounds = pieces.take<device::BackgroundSums>(chunks);
  }
  return pieces.bytes();
}

/** \brief Returns the numbers of an array that has one for every point. */
const float*
onePerPoint(const char* name,
            const DeviceArray<float>& numbers,
            const DeviceArray<PointXYZ>& points)
{
  checkArgument(numbers.size() == points.size(),
                (std::string("number of ") + name).c_str(),
                numbers.size(),
                "one for every point");
  if (!points.empty())
    checkDevice(name, numbers, "points", deviceOf(points));
  return numbers.ptr();
}

void
checkHasPoints(bool has_points)
{
  checkArgument(has_points, "observation", "not set", "setPoints() before");
}

/** \brief Returns the parts that chunks are compared in: of few points, more warps can
 * run at a time. Does not depend on the samples, which several devices may share. */
int
partsOf(const Device& device, std::size_t chunks)
{
  if (device.isHost())
    return 1;
  constexpr std::size_t few = 1, some = 4, many = 16;
  if (chunks <= few)
    return 8;
  if (chunks <= some)
    return 4;
  return chunks <= many ? 2 : 1;
}

/** \brief Bytes of scratch memory that a sample takes. */
template <typename Prepared>
std::size_t
sampleBytes(std::size_t sums, int capsules)
{
  return capsules * sizeof(Prepared) + sums * sizeof(double);
}

/** \brief Samples that are computed at a time. */
template <typename Prepared>
std::size_t
samplesAtOnce(std::size_t limit, std::size_t samples, std::size_t sums, int capsules)
{
  constexpr std::size_t most = 1u << 24;
  const std::size_t fitting = limit / sampleBytes<Prepared>(sums, capsules);
  return std::min({std::max<std::size_t>(fitting, 1), samples, most});
}

} // namespace

/** \brief Memory that stays from one call to the next. */
struct CapsuleLikelihood::Buffers {
  Workspace arrays; ///< of the observation
  Workspace sorting;
  Workspace samples;
  bool has_points = false;
  Device device = Device::host();
  std::size_t point_count = 0;
  device::Observation observation{};
};

void
CapsuleLikelihoodParameters::validate() const
{
  checkPositive("sigma", sigma);
  checkPositive("truncation distance", truncation_distance);
  checkEnumerator("distance", distance, CapsuleDistance::Absolute);
  checkEnumerator("visibility", visibility, CapsuleVisibility::Occluding);
  checkArgument(miss_distance >= 0.0f,
                "miss distance",
                miss_distance,
                "zero or a positive number");
  checkEnumerator("search", search, CapsuleSearch::BruteForce);
}

void
CapsuleLikelihood::setPoints(const DeviceArray<PointXYZ>& points,
                             const Eigen::Vector3f& viewpoint,
                             const Stream& stream)
{
  observe(points, nullptr, nullptr, viewpoint, stream);
}

void
CapsuleLikelihood::setPoints(const DeviceArray<PointXYZ>& points,
                             const DeviceArray<float>& weights,
                             const Eigen::Vector3f& viewpoint,
                             const Stream& stream)
{
  observe(points, onePerPoint("weights", weights, points), nullptr, viewpoint, stream);
}

void
CapsuleLikelihood::setPoints(const DeviceArray<PointXYZ>& points,
                             const DeviceArray<float>& weights,
                             const DeviceArray<float>& backgrounds,
                             const Eigen::Vector3f& viewpoint,
                             const Stream& stream)
{
  observe(points,
          weights.empty() ? nullptr : onePerPoint("weights", weights, points),
          onePerPoint("backgrounds", backgrounds, points),
          viewpoint,
          stream);
}

void
CapsuleLikelihood::observe(const DeviceArray<PointXYZ>& points,
                           const float* weights,
                           const float* backgrounds,
                           const Eigen::Vector3f& viewpoint,
                           const Stream& stream)
{
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite coordinates");
  constexpr std::size_t most =
      std::numeric_limits<std::int32_t>::max() - device::chunk_points;
  checkArgument(
      points.size() <= most, "number of points", points.size(), "less than 2^31");
  const Device device = points.empty() ? currentDevice() : deviceOf(points);

  const ScopedDevice scope(device);
  Buffers& buffers = buffers_.get();
  buffers.has_points = false;
  buffers.point_count = 0;
  device::ObservationTask task{};
  task.points = reinterpret_cast<const device::Float4*>(points.ptr());
  task.weights = weights;
  task.backgrounds = backgrounds;
  task.count = points.size();
  task.observation.viewpoint = {viewpoint.x(), viewpoint.y(), viewpoint.z()};
  task.observation.truncation_distance = parameters_.truncation_distance;
  // Affects only speed and last digits: visibility may still change.
  task.whole_rays = parameters_.visibility == CapsuleVisibility::Occluding;
  const std::size_t chunks = chunksOf(points.size());
  task.observation.chunk_count = static_cast<int>(chunks);
  const std::size_t bytes =
      layOut(nullptr, device, chunks, backgrounds != nullptr, task.observation);
  buffers.arrays.reserve(bytes);
  // An array may have memory and yet no points.
  if (points.size() > 0) {
    layOut(buffers.arrays.take<char>(bytes),
           device,
           chunks,
           backgrounds != nullptr,
           task.observation);
    device::KeySort sort{};
    sort.count = points.size();
    sort.bits = 32;
    const std::size_t sort_bytes = sortScratchBytes(device, sort.count, sort.bits);
    buffers.sorting.reserve(4 * Workspace::bytesFor<std::uint32_t>(sort.count) +
                            Workspace::bytesFor<char>(sort_bytes));
    task.keys = sort.keys = buffers.sorting.take<std::uint32_t>(sort.count);
    task.numbers = sort.numbers = buffers.sorting.take<std::uint32_t>(sort.count);
    sort.other_keys = buffers.sorting.take<std::uint32_t>(sort.count);
    sort.other_numbers = buffers.sorting.take<std::uint32_t>(sort.count);
    sort.scratch = buffers.sorting.take<char>(sort_bytes);
    dispatch(device, PCL_GPU_BOTH(makeKeys), task, stream);
    task.sorted_numbers = sortByKeys(device, sort, stream);
    dispatch(device, PCL_GPU_BOTH(observe), task, stream);
  }
  buffers.observation = task.observation;
  buffers.point_count = task.count;
  buffers.device = device;
  buffers.has_points = true;
}

void
CapsuleLikelihood::shareObservation(const CapsuleLikelihood& other)
{
  const Buffers& others = other.buffers_.get();
  checkHasPoints(others.has_points);
  Buffers& buffers = buffers_.get();
  buffers.has_points = true;
  buffers.device = others.device;
  buffers.point_count = others.point_count;
  buffers.observation = others.observation;
}

std::size_t
CapsuleLikelihood::countSkippedPoints(const Stream& stream) const
{
  const Buffers& buffers = buffers_.get();
  const ScopedDevice scope(buffers.device);
  stream.synchronize();
  // They come last.
  std::size_t begin = 0, end = buffers.point_count;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    device::ObservedPoint point;
    DeviceArray<device::ObservedPoint>(buffers.observation.points + middle, 1)
        .download(&point);
    if (point.weight > 0.0f)
      begin = middle + 1;
    else
      end = middle;
  }
  return buffers.point_count - begin;
}

template <typename T>
void
CapsuleLikelihood::compute(const DeviceArray<T>& capsules,
                           int capsules_per_sample,
                           DeviceArray<double>& log_likelihoods,
                           const Stream& stream)
{
  using Prepared = std::conditional_t<std::is_same_v<T, Capsule>,
                                      device::PreparedCapsule,
                                      device::PreparedTaperedCapsule>;
  Buffers& buffers = buffers_.get();
  checkHasPoints(buffers.has_points);
  checkAtLeast("capsules per sample", capsules_per_sample, 1);
  checkArgument(capsules.size() % capsules_per_sample == 0,
                "number of capsules",
                capsules.size(),
                "a multiple of the capsules per sample");
  checkDevice("capsules", capsules, "the observation", buffers.device);
  const ScopedDevice scope(buffers.device);
  const std::size_t samples = capsules.size() / capsules_per_sample;
  createOn(buffers.device, log_likelihoods, samples);
  if (samples == 0)
    return;

  device::SampleTask<Prepared> task{};
  const std::size_t chunks = buffers.observation.chunk_count;
  task.chunk_parts = partsOf(buffers.device, chunks);
  const std::size_t sums = chunks * task.chunk_parts;
  const std::size_t at_once = samplesAtOnce<Prepared>(
      parameters_.scratch_limit, samples, sums, capsules_per_sample);
  takePieces(buffers.samples,
             Piece(task.prepared, at_once * capsules_per_sample),
             Piece(task.chunk_sums, at_once * sums));
  task.observation = buffers.observation;
  task.squared = parameters_.distance == CapsuleDistance::Squared;
  task.occluding = parameters_.visibility == CapsuleVisibility::Occluding;
  task.miss_distance = task.observation.truncation_distance;
  if (task.occluding)
    task.miss_distance = std::min(parameters_.miss_distance, task.miss_distance);
  task.culled = parameters_.search == CapsuleSearch::Culled;
  task.capsules_per_sample = capsules_per_sample;
  task.factor = -0.5 / (static_cast<double>(parameters_.sigma) * parameters_.sigma);
  for (std::size_t first = 0; first < samples; first += at_once) {
    task.sample_count = static_cast<int>(std::min(at_once, samples - first));
    task.capsules = capsules.ptr() + first * capsules_per_sample;
    task.likelihoods = log_likelihoods.ptr() + first;
    dispatch(buffers.device, PCL_GPU_BOTH(compareSamples<Prepared>), task, stream);
  }
}

template PCL_EXPORTS void
CapsuleLikelihood::compute(const DeviceArray<Capsule>&,
                           int,
                           DeviceArray<double>&,
                           const Stream&);
template PCL_EXPORTS void
CapsuleLikelihood::compute(const DeviceArray<TaperedCapsule>&,
                           int,
                           DeviceArray<double>&,
                           const Stream&);

std::size_t
CapsuleLikelihood::estimateMemory(std::size_t points,
                                  std::size_t samples,
                                  int capsules_per_sample) const
{
  checkAtLeast("capsules per sample", capsules_per_sample, 1);
  using Prepared = device::PreparedTaperedCapsule;
  const std::size_t chunks = chunksOf(points);
  const std::size_t sums = chunks * partsOf(currentDevice(), chunks);
  device::Observation observation;
  const std::size_t at_once = samplesAtOnce<Prepared>(
      parameters_.scratch_limit, samples, sums, capsules_per_sample);
  const std::size_t sort_bytes = sortScratchBytes(currentDevice(), points, 32);
  return layOut(nullptr, currentDevice(), chunks, false, observation) +
         4 * points * sizeof(std::uint32_t) + sort_bytes +
         at_once * sampleBytes<Prepared>(sums, capsules_per_sample);
}

} // namespace pcl::gpu
