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
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief As many lanes as the target has, but no more than half a block has points. */
using RayTag = hn::CappedTag<float, half_points>;
using RayLanes = Lanes<RayTag>;
using NumberTag = hn::Rebind<std::int32_t, RayTag>;

#if HWY_TARGET == HWY_AVX2
/** \brief For each mask of 8 lanes, the numbers of those that are set. */
struct SetLanes {
  alignas(64) std::uint8_t numbers[256][8];

  constexpr SetLanes() : numbers()
  {
    for (int mask = 0; mask < 256; ++mask)
      for (int lane = 0, count = 0; lane < 8; ++lane)
        if (mask >> lane & 1)
          numbers[mask][count++] = static_cast<std::uint8_t>(lane);
  }
};

constexpr SetLanes set_lanes;
#endif

/** \brief Writes the lanes that a mask selects, and then others.
 * \return how many are selected
 */
template <typename Tag>
HWY_INLINE std::size_t
compressStore(Tag tag, hn::Vec<Tag> lanes, hn::Mask<Tag> mask, hn::TFromD<Tag>* to)
{
#if HWY_TARGET == HWY_AVX2
  // hn::CompressStore copies a table of 1 KiB at each call (gcc 12).
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(tag, mask, bits);
  const auto numbers = hn::PromoteTo(
      NumberTag(),
      hn::LoadU(hn::Rebind<std::uint8_t, Tag>(), set_lanes.numbers[bits[0]]));
  hn::StoreU(hn::TableLookupLanes(lanes, hn::IndicesFromVec(tag, numbers)), tag, to);
  return hwy::PopCount(bits[0]);
#else
  return hn::CompressStore(lanes, mask, tag, to);
#endif
}

/** \brief Numbers of a chunk's points, a row for each member. */
struct ChunkRows {
  alignas(64) float points[8][chunk_points];
  alignas(64) float backgrounds[chunk_points];

  HWY_INLINE
  ChunkRows(const Observation& observation, int chunk, float miss_distance)
  {
    const std::size_t first = chunk * std::size_t(chunk_points);
    const ObservedPoint* const from = observation.points + first;
    for (int i = 0; i < chunk_points; ++i) {
      for (int row = 0; row < 8; ++row)
        points[row][i] = reinterpret_cast<const float*>(from + i)[row];
      const float background =
          observation.backgrounds ? observation.backgrounds[first + i] : NAN;
      backgrounds[i] = std::isnan(background) ? miss_distance : background;
    }
  }
};

/** \brief Numbered capsules, as mayReach() sees them: a row for each member. */
class CapsuleRows {
public:
  explicit CapsuleRows(int capsules)
  : stride_(capsules + hn::MaxLanes(RayTag()))
  , rows_(8 * stride_)
  , numbers_(stride_)
  {}

  void
  set(int number, const CapsuleReach<float>& capsule)
  {
    for (int row = 0; row < 8; ++row)
      rows_[row * stride_ + number] = reinterpret_cast<const float*>(&capsule)[row];
    numbers_[number] = number;
    count_ = number + 1;
  }

  /** \brief Selects the capsules that may reach into a cone; all if not culled. */
  HWY_INLINE void
  select(const BundleCone<RayLanes>& cone, bool culled, CapsuleRows& selected) const
  {
    const RayTag tag;
    std::size_t count = 0;
    for (std::size_t first = 0; first < count_; first += hn::Lanes(tag)) {
      const auto mask = reaching(cone, culled, first);
      for (std::size_t row = 0; row < 8 * stride_; row += stride_)
        compressStore(tag,
                      hn::LoadU(tag, rows_.data() + row + first),
                      mask,
                      selected.rows_.data() + row + count);
      count += storeNumbers(mask, first, selected.numbers_.data() + count);
    }
    selected.count_ = count;
  }

  /** \brief Writes the numbers of the capsules that may reach into a cone, and some
   * more; all if not culled.
   * \return how many do
   */
  HWY_INLINE std::size_t
  list(const BundleCone<RayLanes>& cone, bool culled, std::int32_t* numbers) const
  {
    std::size_t count = 0;
    for (std::size_t first = 0; first < count_; first += hn::Lanes(RayTag()))
      count += storeNumbers(reaching(cone, culled, first), first, numbers + count);
    return count;
  }

private:
  HWY_INLINE hn::Mask<RayTag>
  reaching(const BundleCone<RayLanes>& cone, bool culled, std::size_t first) const
  {
    const RayTag tag;
    const hn::Mask<RayTag> exist = hn::FirstN(tag, count_ - first);
    if (!culled)
      return exist;
    const float* const numbers = rows_.data() + first;
    const CapsuleReach<RayLanes> capsules = {load(tag, numbers),
                                             load(tag, numbers + stride_),
                                             load(tag, numbers + 2 * stride_),
                                             load(tag, numbers + 3 * stride_),
                                             load(tag, numbers + 4 * stride_),
                                             load(tag, numbers + 5 * stride_),
                                             load(tag, numbers + 6 * stride_),
                                             load(tag, numbers + 7 * stride_)};
    return hn::And(mayReach(cone, capsules).value, exist);
  }

  HWY_INLINE std::size_t
  storeNumbers(hn::Mask<RayTag> mask, std::size_t first, std::int32_t* to) const
  {
    const NumberTag tag;
    return compressStore(
        tag, hn::LoadU(tag, numbers_.data() + first), hn::RebindMask(tag, mask), to);
  }

  std::size_t stride_;
  std::vector<float> rows_; ///< of CapsuleReach
  std::vector<std::int32_t> numbers_;
  std::size_t count_ = 0;
};

/** \brief Lists of the capsules that reach into each half of the blocks of a chunk. */
class CapsuleLists {
public:
  explicit CapsuleLists(int capsules)
  : all_(capsules)
  , near_(capsules)
  , stride_(capsules + hn::MaxLanes(RayTag()))
  , numbers_(chunk_halves * stride_)
  {}

  /** \brief Lists the capsules of a sample. */
  template <typename Prepared>
  HWY_INLINE void
  list(const SampleTask<Prepared>& task, const Prepared* capsules, int chunk)
  {
    const Observation& observation = task.observation;
    for (int i = 0; i < task.capsules_per_sample; ++i)
      all_.set(i, reachOf(capsules[i], observation.viewpoint));
    std::fill_n(counts_, chunk_halves, 0);
    for (int group = 0; group < chunk_groups; ++group) {
      const RayBundle& bundle =
          observation.groups[chunk * std::size_t(chunk_groups) + group];
      if (!hasPoints(bundle))
        break; // skipped points come last
      all_.select(coneOf<RayLanes>(bundle, task.occluding), task.culled, near_);
      const int first = group * group_halves;
      for (int half = first; half < first + group_halves; ++half) {
        const RayBundle& part =
            observation.halves[chunk * std::size_t(chunk_halves) + half];
        if (hasPoints(part))
          counts_[half] = near_.list(coneOf<RayLanes>(part, task.occluding),
                                     task.culled,
                                     numbers_.data() + half * stride_);
      }
    }
  }

  int
  count(int half) const
  {
    return counts_[half];
  }

  const std::int32_t*
  numbers(int half) const
  {
    return numbers_.data() + half * stride_;
  }

private:
  CapsuleRows all_, near_;
  std::size_t stride_;
  std::vector<std::int32_t> numbers_;
  int counts_[chunk_halves];
};

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
    const auto entry = task.occluding ? enterCapsule<true, true>(rays, prepared, tau)
                                      : enterCapsule<false, true>(rays, prepared, tau);
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
         const CapsuleLists& lists,
         float* lane_sums)
{
  const RayTag tag;
  const Observation& observation = task.observation;
  const std::size_t whole_block = chunk * std::size_t(chunk_blocks) + block;
  const bool is_near = isNearViewpoint(observation.blocks[whole_block]);
  const RayLanes tau(observation.truncation_distance);
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
    const int half = place / half_points;
    for (int i = 0; i < lists.count(half); ++i) {
      const std::size_t number = first_capsule + lists.numbers(half)[i];
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
             CapsuleLists& lists)
{
  const Observation& observation = task.observation;
  const std::size_t first_capsule =
      static_cast<std::size_t>(sample) * task.capsules_per_sample;
  lists.list(task, task.prepared + first_capsule, chunk);
  alignas(64) float lane_sums[block_points] = {};
  double hit_weight = 0.0, hit_background = 0.0;
  for (int block = 0; block < chunk_blocks; ++block) {
    const std::size_t number = chunk * std::size_t(chunk_blocks) + block;
    const RayBundle& bundle = observation.blocks[number];
    if (lists.count(2 * block) + lists.count(2 * block + 1) == 0 ||
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
    CapsuleLists lists(task.capsules_per_sample);
#pragma omp for schedule(dynamic)
    for (long job = 0; job < parts * observation.chunk_count; ++job) {
      const int chunk = static_cast<int>(job / parts);
      const int first = static_cast<int>(job % parts) * samples_at_once;
      const int last = std::min(task.sample_count, first + samples_at_once);
      const ChunkRows rows(observation, chunk, task.miss_distance);
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
