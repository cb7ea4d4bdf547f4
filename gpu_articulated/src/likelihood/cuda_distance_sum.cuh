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
  unsigned int lanes = all_lanes; ///< blocks of a round

  __device__
  ChunkPart(int number, int parts)
  {
    if constexpr (parted) {
      const int blocks = chunk_blocks / parts; // a round at most
      const int first = number * blocks;
      first_round = first / warp_size;
      end_round = first_round + 1;
      lanes = (all_lanes >> (warp_size - blocks)) << first % warp_size;
    }
  }

  /** \brief Returns whether it has the sums of all points of the chunk. */
  __device__ bool
  isFirst() const
  {
    return !parted || (first_round == 0 && (lanes & 1u) != 0u);
  }
};

/** \brief Sums the distances of a chunk's points from a sample, block by block.
 * \tparam background the observation has one
 * \tparam culled capsules are near the rays
 * \tparam careful double precision decides cases that single precision does not; if
 * not, the sum only reports such a case
 */
template <typename Prepared, bool occluding, bool background, bool culled, bool careful>
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
    const bool is_near = isNearViewpoint(bundle);
    if (careful)
      near_blocks_ = __ballot_sync(all_lanes, is_near);
    else
      margin_ = is_near ? -1.0f : margin_;
    hit_blocks_ = 0;
    return bundle;
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
    nearest_ = occluding ? endless : task_.observation.truncation_distance;
    bit_ = 1u << bit;
  }

  /** \param[in] number of the capsule in its sample */
  template <typename Number>
  __device__ void
  addCapsule(const Prepared& capsule, const Number& number)
  {
    const float tau = task_.observation.truncation_distance;
    const ObservedRay<float> ray = {point_.x,
                                    point_.y,
                                    point_.z,
                                    point_.direction_x,
                                    point_.direction_y,
                                    point_.direction_z};
    const auto entry = enterCapsule<occluding, !culled>(ray, capsule, tau);
    float distance = entry.distance;
    if constexpr (careful) {
      if (entry.margin < 0.0f || (near_blocks_ & bit_) != 0 || needsExactness(capsule))
        distance = exactDistance(Vector3{point_.x, point_.y, point_.z},
                                 task_.observation.viewpoint,
                                 tapered(task_.capsules[capsules_ + number()]));
    }
    else
      margin_ = fminf(margin_, entry.margin);
    // Of a number and NaN the lesser is the number. Hits behind the viewpoint would be
    // farther than tau, but must not hide anything.
    if constexpr (occluding)
      nearest_ = distance > -point_.length ? fminf(nearest_, distance) : nearest_;
    else
      nearest_ = fminf(nearest_, fabsf(distance));
  }

  __device__ void
  endBlock(int round)
  {
    const float tau = task_.observation.truncation_distance;
    const float behind = backgroundOf(round);
    const float distance = occluding    ? occludingDistance(nearest_, behind, tau)
                           : background ? fminf(nearest_, fabsf(behind))
                                        : nearest_;
    const float missed = background ? fminf(fabsf(behind), tau) : behind;
    // A block of misses counts the same with and without this comparison.
    if (!__any_sync(all_lanes, distance != missed))
      return;
    sum_ = fmaf(point_.weight * (task_.squared ? distance : 1.0f), distance, sum_);
    hit_blocks_ |= bit_;
  }

  /** \brief Reports a capsule of the calling lane that takes double precision. */
  __device__ void
  noticeSpecialCapsule()
  {
    margin_ = -1.0f;
  }

  /** \brief Returns whether double precision is needed. All lanes must call. */
  __device__ bool
  isUnsure() const
  {
    return __any_sync(all_lanes, margin_ < 0.0f);
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
  float nearest_;
  unsigned int bit_;
  unsigned int near_blocks_ = 0;
  float margin_ = 0.0f;
  unsigned int hit_blocks_;
  float sum_ = 0.0f;
  double hit_weight_ = 0.0;
  double hit_background_ = 0.0; ///< with a background
};

} // namespace pcl::device
