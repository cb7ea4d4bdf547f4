// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "likelihood/host_comparison.cpp"
#include "likelihood/likelihood_task.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "likelihood/capsule_ray-inl.h"
#include "likelihood/ray_bundle-inl.h"

#include <algorithm>
#include <type_traits>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief As many lanes as the target has, but no more than a block has points. */
using RayTag = hn::CappedTag<float, block_points>;
using RayLanes = Lanes<RayTag>;
/** \brief A register with one bundle. */
using OneTag = hn::CappedTag<float, 1>;

/** \brief Numbers of a chunk's points and blocks, a row for each member. */
struct ChunkRows {
  alignas(64) float points[8][chunk_points];
  alignas(64) float backgrounds[chunk_points];
  alignas(64) float blocks[7][chunk_blocks];

  HWY_INLINE
  ChunkRows(const Observation& observation,
            int chunk,
            bool occluding,
            float miss_distance)
  {
    const std::size_t first = chunk * std::size_t(chunk_points);
    const ObservedPoint* const from = observation.points + first;
    const RayBundle* const bundles =
        observation.blocks + chunk * std::size_t(chunk_blocks);
    for (int i = 0; i < chunk_points; ++i) {
      for (int row = 0; row < 8; ++row)
        points[row][i] = reinterpret_cast<const float*>(from + i)[row];
      const float background =
          observation.backgrounds ? observation.backgrounds[first + i] : NAN;
      backgrounds[i] = std::isnan(background) ? miss_distance : background;
    }
    for (int i = 0; i < chunk_blocks; ++i) {
      for (int row = 0; row < 7; ++row)
        blocks[row][i] = reinterpret_cast<const float*>(bundles + i)[row];
      if (occluding)
        blocks[5][i] = std::min(bundles[i].nearest, 0.0f);
    }
  }
};

template <typename Tag>
HWY_INLINE BundleCone<Lanes<Tag>>
loadCones(Tag tag, const float (&rows)[7][chunk_blocks], int first)
{
  return {load(tag, rows[0] + first),
          load(tag, rows[1] + first),
          load(tag, rows[2] + first),
          load(tag, rows[3] + first),
          load(tag, rows[4] + first),
          load(tag, rows[5] + first),
          load(tag, rows[6] + first)};
}

/** \brief Lists of the capsules that reach into each block of a chunk. */
struct BlockLists {
  explicit BlockLists(int capsules) : numbers(chunk_blocks * std::size_t(capsules)) {}

  HWY_INLINE int&
  at(int block, int place)
  {
    return numbers[place * std::size_t(chunk_blocks) + block];
  }

  int counts[chunk_blocks];
  std::vector<int> numbers;
};

/** \brief Lists the capsules of a sample for every block that they may reach into. */
template <typename Prepared>
HWY_INLINE void
listCapsules(const SampleTask<Prepared>& task,
             const Prepared* capsules,
             const RayBundle& chunk,
             const ChunkRows& rows,
             BlockLists& lists)
{
  const RayTag tag;
  const Vector3 viewpoint = task.observation.viewpoint;
  const auto whole = coneOf<Lanes<OneTag>>(chunk, task.occluding);
  std::fill_n(lists.counts, chunk_blocks, 0);
  for (int number = 0; number < task.capsules_per_sample; ++number) {
    const Prepared& capsule = capsules[number];
    if (task.culled && !anyOf(mayReach(whole, capsule, viewpoint)))
      continue;
    for (int first = 0; first < chunk_blocks; first += hn::Lanes(tag)) {
      std::uint8_t bits[8] = {0xff, 0xff, 0xff, 0xff};
      if (task.culled)
        hn::StoreMaskBits(
            tag,
            mayReach(loadCones(tag, rows.blocks, first), capsule, viewpoint).value,
            bits);
      for (std::size_t i = 0; i < hn::Lanes(tag); ++i)
        if (bits[i / 8] >> i % 8 & 1)
          lists.at(first + i, lists.counts[first + i]++) = number;
    }
  }
}

template <bool occluding, typename Prepared>
HWY_INLINE Entry<RayLanes>
enter(const ObservedRay<RayLanes>& rays,
      const Prepared& capsule,
      float tau,
      bool culled)
{
  return culled ? enterCapsule<occluding, false>(rays, capsule, tau)
                : enterCapsule<occluding, true>(rays, capsule, tau);
}

/** \brief Distances of a register of points from the capsule; NaN for a miss. */
template <typename Prepared>
HWY_INLINE RayLanes
distancesFrom(const SampleTask<Prepared>& task,
              const Prepared& prepared,
              const typename Prepared::Source& capsule,
              const ObservedRay<RayLanes>& rays,
              bool is_near,
              const ObservedPoint* points)
{
  const RayTag tag;
  std::uint8_t bits[8] = {0xff, 0xff, 0xff, 0xff};
  RayLanes distances(0.0f);
  if (!is_near && !needsExactness(prepared)) {
    const float tau = task.observation.truncation_distance;
    const auto entry = task.occluding ? enter<true>(rays, prepared, tau, task.culled)
                                      : enter<false>(rays, prepared, tau, task.culled);
    const auto unsure = entry.margin < RayLanes(0.0f);
    if (HWY_LIKELY(!anyOf(unsure)))
      return entry.distance;
    hn::StoreMaskBits(tag, unsure.value, bits);
    distances = entry.distance;
  }
  alignas(64) float numbers[block_points];
  store(distances, numbers);
  for (std::size_t i = 0; i < hn::Lanes(tag); ++i)
    if (bits[i / 8] >> i % 8 & 1)
      numbers[i] = exactDistance({points[i].x, points[i].y, points[i].z},
                                 task.observation.viewpoint,
                                 tapered(capsule));
  return load(tag, numbers);
}

/** \brief Adds the distances of a block's points to the sums of its lanes.
 * \return true if the capsules change the distance of any point
 */
template <typename Prepared>
HWY_INLINE bool
addBlock(const SampleTask<Prepared>& task,
         std::size_t first_capsule,
         int chunk,
         int block,
         const ChunkRows& rows,
         BlockLists& lists,
         float* lane_sums)
{
  const RayTag tag;
  const Observation& observation = task.observation;
  const std::size_t whole_block = chunk * std::size_t(chunk_blocks) + block;
  const bool is_near = isNearViewpoint(observation.blocks[whole_block]);
  const RayLanes tau(observation.truncation_distance);
  const int count = lists.counts[block];
  bool any = false;
  alignas(64) float distances[block_points];
  for (int first = 0; first < block_points; first += hn::Lanes(tag)) {
    const int place = block * block_points + first;
    const ObservedRay<RayLanes> rays = {load(tag, rows.points[0] + place),
                                        load(tag, rows.points[1] + place),
                                        load(tag, rows.points[2] + place),
                                        load(tag, rows.points[4] + place),
                                        load(tag, rows.points[5] + place),
                                        load(tag, rows.points[6] + place)};
    const ObservedPoint* const points =
        observation.points + whole_block * block_points + first;
    const RayLanes lengths = load(tag, rows.points[7] + place);
    RayLanes nearest = task.occluding ? RayLanes(endless) : tau;
    for (int i = 0; i < count; ++i) {
      const std::size_t number = first_capsule + lists.at(block, i);
      const RayLanes signed_distance = distancesFrom(
          task, task.prepared[number], task.capsules[number], rays, is_near, points);
      // A miss is NaN, which compares as false. Hits behind the viewpoint would be
      // farther than tau, but must not hide anything.
      if (task.occluding)
        nearest = select((signed_distance < nearest) & (signed_distance > -lengths),
                         signed_distance,
                         nearest);
      else
        nearest = select(
            absolute(signed_distance) < nearest, absolute(signed_distance), nearest);
    }
    const RayLanes background = load(tag, rows.backgrounds + place);
    const RayLanes distance =
        task.occluding
            ? occludingDistance(nearest, background, observation.truncation_distance)
            : minimum(nearest, absolute(background));
    store(distance, distances + first);
    const RayLanes miss = minimum(absolute(background), tau);
    any |= anyOf((distance < miss) | (distance > miss));
  }
  if (!any)
    return false;
  for (int first = 0; first < block_points; first += hn::Lanes(tag)) {
    const RayLanes distance = load(tag, distances + first);
    const RayLanes weight = load(tag, rows.points[3] + block * block_points + first);
    const RayLanes factor = task.squared ? distance : RayLanes(1.0f);
    store(mulAdd(weight * factor, distance, load(tag, lane_sums + first)),
          lane_sums + first);
  }
  return true;
}

/** \brief Compares a sample with a chunk, as a warp does on a CUDA device. */
template <typename Prepared>
HWY_INLINE double
compareChunk(const SampleTask<Prepared>& task,
             int sample,
             int chunk,
             const ChunkRows& rows,
             BlockLists& lists)
{
  const Observation& observation = task.observation;
  const std::size_t first_capsule =
      static_cast<std::size_t>(sample) * task.capsules_per_sample;
  listCapsules(
      task, task.prepared + first_capsule, observation.chunks[chunk], rows, lists);
  alignas(64) float lane_sums[block_points] = {};
  double hit_weight = 0.0, hit_background = 0.0;
  for (int block = 0; block < chunk_blocks; ++block) {
    const std::size_t number = chunk * std::size_t(chunk_blocks) + block;
    const RayBundle& bundle = observation.blocks[number];
    if (!hasPoints(bundle) || lists.counts[block] == 0 ||
        !addBlock(task, first_capsule, chunk, block, rows, lists, lane_sums))
      continue;
    hit_weight += bundle.weight;
    if (observation.backgrounds)
      hit_background += observation.block_backgrounds[number].of(task.squared);
  }
  double sums[block_points];
  std::copy_n(lane_sums, block_points, sums);
  for (int distance = block_points / 2; distance > 0; distance /= 2)
    for (int lane = 0; lane < distance; ++lane)
      sums[lane] += sums[lane + distance];
  const double miss = task.miss_distance;
  const double missed = observation.chunk_weights[chunk] - hit_weight;
  double background = -hit_background;
  if (observation.backgrounds)
    background += observation.chunk_backgrounds[chunk].of(task.squared);
  return sums[0] + background + missed * (task.squared ? miss * miss : miss);
}

/** \brief Samples that a thread compares with a chunk at a time. */
constexpr int samples_at_once = 64;

template <typename Prepared>
HWY_ATTR void
compareAllChunks(const SampleTask<Prepared>& task)
{
  const Observation& observation = task.observation;
  const long parts = (task.sample_count + samples_at_once - 1) / samples_at_once;
#pragma omp parallel
  {
    BlockLists lists(task.capsules_per_sample);
#pragma omp for schedule(dynamic)
    for (long job = 0; job < parts * observation.chunk_count; ++job) {
      const int chunk = static_cast<int>(job / parts);
      const int first = static_cast<int>(job % parts) * samples_at_once;
      const int last = std::min(task.sample_count, first + samples_at_once);
      const ChunkRows rows(observation, chunk, task.occluding, task.miss_distance);
      for (int sample = first; sample < last; ++sample)
        task.chunk_sums[static_cast<std::size_t>(sample) * observation.chunk_count +
                        chunk] = compareChunk(task, sample, chunk, rows, lists);
    }
  }
}

HWY_ATTR void
compareCapsules(const SampleTask<PreparedCapsule>& task)
{
  compareAllChunks(task);
}

HWY_ATTR void
compareTaperedCapsules(const SampleTask<PreparedTaperedCapsule>& task)
{
  compareAllChunks(task);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(compareCapsules);
HWY_EXPORT(compareTaperedCapsules);

template <typename Prepared>
void
host::compareSamples(const SampleTask<Prepared>& task)
{
  const std::size_t capsules =
      static_cast<std::size_t>(task.sample_count) * task.capsules_per_sample;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < capsules; ++i)
    task.prepared[i] = prepare(task.capsules[i],
                               task.observation.viewpoint,
                               task.observation.truncation_distance);
  if constexpr (std::is_same_v<Prepared, PreparedCapsule>)
    HWY_DYNAMIC_DISPATCH(compareCapsules)(task);
  else
    HWY_DYNAMIC_DISPATCH(compareTaperedCapsules)(task);
  const int chunks = task.observation.chunk_count;
#pragma omp parallel for schedule(static)
  for (int sample = 0; sample < task.sample_count; ++sample) {
    double sum = 0.0;
    for (int chunk = 0; chunk < chunks; ++chunk)
      sum += task.chunk_sums[static_cast<std::size_t>(sample) * chunks + chunk];
    task.likelihoods[sample] = task.factor * sum;
  }
}

template void
host::compareSamples(const SampleTask<PreparedCapsule>&);
template void
host::compareSamples(const SampleTask<PreparedTaperedCapsule>&);

} // namespace pcl::device
#endif
