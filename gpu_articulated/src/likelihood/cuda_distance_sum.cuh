// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "likelihood/capsule_ray-inl.h"
#include "likelihood/likelihood_task.h"
#include "likelihood/ray_bundle-inl.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

// The work of a warp on the points of a chunk: each lane has a point of every block.

namespace pcl::device {

/** \brief Blocks of a chunk that the lanes of a warp compare together. */
constexpr int chunk_rounds = chunk_blocks / warp_size;

template <typename T>
__device__ T
loadWhole(const T* from)
{
  static_assert(sizeof(T) % sizeof(float4) == 0, "it is read 16 bytes at a time");
  constexpr int parts = sizeof(T) / sizeof(float4);
  union {
    float4 part[parts];
    T whole;
  } result;
  for (int i = 0; i < parts; ++i)
    result.part[i] = __ldg(reinterpret_cast<const float4*>(from) + i);
  return result.whole;
}

/** \brief Returns the bundle of another lane. */
__device__ inline RayBundle
fromLane(const RayBundle& own, int lane)
{
  const auto from = [lane](float number) {
    return __shfl_sync(all_lanes, number, lane);
  };
  return {from(own.axis_x),
          from(own.axis_y),
          from(own.axis_z),
          from(own.radius),
          from(own.spread),
          from(own.nearest),
          from(own.farthest),
          from(own.weight)};
}

/** \brief The blocks of a chunk that a warp compares.
 * \tparam parted they are a part of the chunk; if not, all of it
 */
template <bool parted>
struct ChunkPart {
  int first_round = 0, end_round = chunk_rounds;
  int blocks = warp_size;         ///< of a round
  int first_block = 0;            ///< of a round
  unsigned int lanes = all_lanes; ///< a bit for each of these blocks

  __device__
  ChunkPart(int number, int parts)
  {
    if constexpr (parted) {
      blocks = chunk_blocks / parts; // a round at most
      const int first = number * blocks;
      first_round = first / warp_size;
      end_round = first_round + 1;
      first_block = first % warp_size;
      lanes = (all_lanes >> (warp_size - blocks)) << first_block;
    }
  }

  /** \brief Returns whether it has the sums of all points of the chunk. */
  __device__ bool
  isFirst() const
  {
    return first_round == 0 && first_block == 0;
  }
};

/** \brief What a ray meets first of the capsules of a sample. */
template <bool occluding>
struct NearestHit {
  float distance; ///< from the observed point

  NearestHit() = default;

  __device__ explicit NearestHit(float truncation_distance)
  : distance(occluding ? endless : truncation_distance)
  {}

  /** \brief Adds the entry into a capsule.
   * \param[in] entry its distance; NaN: none
   * \param[in] length of the ray
   */
  __device__ void
  add(float entry, float length)
  {
    // Of a number and NaN the lesser is the number. Hits behind the viewpoint would be
    // farther than tau, but must not hide anything.
    if constexpr (occluding)
      distance = entry > -length ? fminf(distance, entry) : distance;
    else
      distance = fminf(distance, fabsf(entry));
  }
};

__device__ inline ObservedRay<float>
rayOf(const ObservedPoint& point)
{
  return {point.x,
          point.y,
          point.z,
          point.direction_x,
          point.direction_y,
          point.direction_z};
}

/** \brief Finds what a ray meets first. Double precision decides cases that single
 * precision does not. A separate function, so that the usual case has all registers.
 * \param[in] first the sample's first capsule
 * \param[in] is_near single precision decides nothing
 * \param[in] forEachNumber see DistanceSum::makeSure()
 */
template <bool occluding, typename Prepared, typename ForEachNumber>
__device__ __noinline__ NearestHit<occluding>
carefulHit(const SampleTask<Prepared>& task,
           std::size_t first,
           ObservedPoint point,
           bool is_near,
           ForEachNumber forEachNumber)
{
  NearestHit<occluding> nearest(task.observation.truncation_distance);
  forEachNumber([&](int number) {
    const Prepared capsule = loadWhole(task.prepared + first + number);
    const auto entry = enterCapsule<occluding, true>(
        rayOf(point), capsule, task.observation.truncation_distance);
    const bool is_unsure = entry.margin < 0.0f || is_near || needsExactness(capsule);
    nearest.add(is_unsure ? exactDistance(Vector3{point.x, point.y, point.z},
                                          task.observation.viewpoint,
                                          tapered(task.capsules[first + number]))
                          : entry.distance,
                point.length);
  });
  return nearest;
}

/** \brief Sums the distances of a chunk's points from a sample, block by block.
 * \tparam background the observation has one
 * \tparam culled capsules are near the rays
 */
template <typename Prepared, bool occluding, bool background, bool culled>
class DistanceSum {
public:
  __device__
  DistanceSum(const SampleTask<Prepared>& task, int sample, int chunk)
  : task_(task)
  , capsules_(static_cast<std::size_t>(sample) * task.capsules_per_sample)
  , points_(reinterpret_cast<const char*>(
        task.observation.points + static_cast<std::size_t>(chunk) * chunk_points +
        threadIdx.x % warp_size))
  , bundles_(task.observation.blocks + static_cast<std::size_t>(chunk) * chunk_blocks +
             threadIdx.x % warp_size)
  {}

  __device__ const Prepared*
  capsules() const
  {
    return task_.prepared + capsules_;
  }

  /** \brief Begins a round of blocks.
   * \param[in] round its number
   * \return the calling lane's bundle
   */
  __device__ RayBundle
  beginRound(int round)
  {
    const RayBundle bundle = loadWhole(bundles_ + round * warp_size);
    near_blocks_ = __ballot_sync(all_lanes, isNearViewpoint(bundle));
    hit_blocks_ = 0;
    return bundle;
  }

  /** \brief Returns the bundle of a block of a round. */
  __device__ RayBundle
  bundleOf(int round, int block) const
  {
    const int lane = threadIdx.x % warp_size;
    return loadWhole(bundles_ - lane + round * warp_size + block);
  }

  __device__ void
  endRound(const RayBundle& bundle, int round)
  {
    if ((hit_blocks_ >> threadIdx.x % warp_size & 1u) == 0u)
      return;
    hit_weight_ += bundle.weight;
    if constexpr (background) {
      const Observation& observation = task_.observation;
      const std::ptrdiff_t block = bundles_ - observation.blocks + round * warp_size;
      hit_background_ += observation.block_backgrounds[block].of(task_.squared);
    }
  }

  __device__ void
  beginBlock(int round, int bit)
  {
    const auto block = static_cast<unsigned int>(round * warp_size + bit);
    constexpr unsigned int block_bytes = block_points * sizeof(ObservedPoint);
    point_ = loadWhole(
        reinterpret_cast<const ObservedPoint*>(points_ + block * block_bytes));
    bit_ = 1u << bit;
    nearest_ = NearestHit<occluding>(task_.observation.truncation_distance);
    margin_ = (near_blocks_ & bit_) != 0u ? -1.0f : least_margin_;
  }

  __device__ void
  addCapsule(const Prepared& capsule)
  {
    const auto entry = enterCapsule<occluding, !culled>(
        rayOf(point_), capsule, task_.observation.truncation_distance);
    margin_ = fminf(margin_, entry.margin);
    nearest_.add(entry.distance, point_.length);
  }

  /** \brief Replaces the block's distances by those in double precision, if any is
   * unsure. All lanes must call.
   * \param[in] forEachNumber calls a function with the number of each capsule of the
   * sample that may reach into the block
   */
  template <typename ForEachNumber>
  __device__ void
  makeSure(const ForEachNumber& forEachNumber)
  {
    if (__any_sync(all_lanes, margin_ < 0.0f))
      nearest_ = carefulHit<occluding>(
          task_, capsules_, point_, (near_blocks_ & bit_) != 0u, forEachNumber);
  }

  __device__ void
  endBlock(int round)
  {
    const float tau = task_.observation.truncation_distance;
    const float behind = backgroundOf(round);
    const float nearest = nearest_.distance;
    const float distance = occluding    ? occludingDistance(nearest, behind, tau)
                           : background ? fminf(nearest, fabsf(behind))
                                        : nearest;
    const float missed = background ? fminf(fabsf(behind), tau) : behind;
    // A block of misses counts the same with and without this comparison.
    if (!__any_sync(all_lanes, distance != missed))
      return;
    sum_ = fmaf(point_.weight * (task_.squared ? distance : 1.0f), distance, sum_);
    hit_blocks_ |= bit_;
  }

  /** \brief Reports a capsule of the calling lane that takes double precision, in this
   * block and all that follow. */
  __device__ void
  noticeSpecialCapsule()
  {
    margin_ = least_margin_ = -1.0f;
  }

  /** \brief Returns the sum of the points; in the first lane.
   * \param[in] chunk its number
   * \param[in] is_first the points that are not hit count here, not in another part
   */
  __device__ double
  total(int chunk, bool is_first) const
  {
    const Observation& observation = task_.observation;
    const double miss_distance = task_.miss_distance;
    const double miss = task_.squared ? miss_distance * miss_distance : miss_distance;
    double sum = sum_ - hit_weight_ * miss;
    if constexpr (background)
      sum -= hit_background_;
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync(all_lanes, sum, distance);
    if (!is_first)
      return sum;
    if constexpr (background)
      sum += observation.chunk_backgrounds[chunk].of(task_.squared);
    return sum + observation.chunk_weights[chunk] * miss;
  }

private:
  /** \brief Returns the distance from the calling lane's point of the block on to the
   * background, or that of a ray that meets nothing. */
  __device__ float
  backgroundOf(int round) const
  {
    if constexpr (!background)
      return task_.miss_distance;
    const Observation& observation = task_.observation;
    const int lane = threadIdx.x % warp_size;
    const std::ptrdiff_t block =
        bundles_ - observation.blocks - lane + round * warp_size + lowestBit(bit_);
    const float behind = observation.backgrounds[block * block_points + lane];
    return isnan(behind) ? task_.miss_distance : behind;
  }

  const SampleTask<Prepared>& task_;
  std::size_t capsules_;
  const char* points_; ///< the calling lane's of the first block
  const RayBundle* bundles_;
  ObservedPoint point_;
  NearestHit<occluding> nearest_;
  unsigned int bit_;
  unsigned int near_blocks_ = 0;
  float margin_ = 0.0f;       ///< of the calling lane's point; below 0: unsure
  float least_margin_ = 0.0f; ///< of points of any block
  unsigned int hit_blocks_;
  float sum_ = 0.0f;
  double hit_weight_ = 0.0;
  double hit_background_ = 0.0; ///< with a background
};

} // namespace pcl::device
