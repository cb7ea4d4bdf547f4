// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_ray-inl.h"
#include "cuda_observation.h"
#include "ray_bundle-inl.h"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

namespace pcl {
namespace device {

namespace {
#ifndef WARPS
#define WARPS 4
#endif
#ifndef MINB
#define MINB 8
#endif
#ifndef UNR
#define UNR 1
#endif

/** \brief A warp compares a sample with a chunk of points; a block does several samples
 * with one chunk, which then stays in the cache. */
constexpr int warps = WARPS;
constexpr int threads = warps * warp_size;
/** \brief Of the comparison, whose registers are limited by it. */
constexpr int blocks_per_multiprocessor = MINB;
constexpr int mark_unrolling = UNR;

/** \brief More capsules than that in a chunk are not listed. */
constexpr int max_listed = 64;
constexpr int word_bits = 32;
/** \brief Blocks of a chunk that the lanes of a warp look at together. */
constexpr int rounds = chunk_blocks / warp_size;

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

/** \brief Place of the lowest bit that is set. */
__device__ int
lowestBit(unsigned int bits)
{
  return __ffs(bits) - 1;
}

/** \brief The bundle of another lane. */
__device__ RayBundle
fromLane(const RayBundle& own, int lane)
{
  const auto from = [lane](float number) {
    return __shfl_sync(all_lanes, number, lane);
  };
  return {from(own.axis_x),
          from(own.axis_y),
          from(own.axis_z),
          from(own.radius),
          from(own.nearest),
          from(own.farthest),
          from(own.weight),
          from(own.least_length)};
}

template <bool occluding>
__device__ BundleCylinder<float>
cylinderOf(const RayBundle& bundle)
{
  // What hides a point may be anywhere before it.
  return {bundle.axis_x,
          bundle.axis_y,
          bundle.axis_z,
          bundle.radius,
          occluding ? fminf(bundle.nearest, 0.0f) : bundle.nearest,
          bundle.farthest};
}

/** \brief Sums the distances of a chunk's points from a sample, block by block.
 * \tparam careful whether double precision decides where single is unsure; if not, the sum
 * only tells that there was such a case
 */
template <typename Prepared, bool occluding, bool careful>
class DistanceSum {
public:
  __device__
  DistanceSum(const SampleTask<Prepared>& task, int sample, int chunk)
  : task_(task)
  , capsules_(static_cast<std::size_t>(sample) * task.capsules_per_sample)
  , points_(task.observation.points + static_cast<std::size_t>(chunk) * chunk_points +
            threadIdx.x % warp_size)
  , bundles_(task.observation.blocks + static_cast<std::size_t>(chunk) * chunk_blocks +
             threadIdx.x % warp_size)
  {}

  __device__ const Prepared*
  capsules() const
  {
    return task_.prepared + capsules_;
  }

  /** \brief The calling lane's bundle of the round. */
  __device__ RayBundle
  bundle(int round) const
  {
    return loadWhole(bundles_ + round * warp_size);
  }

  /** \brief Begins a round of blocks.
   * \param[in] bundle the calling lane's
   */
  __device__ void
  beginRound(const RayBundle& bundle)
  {
    const bool is_near = bundle.radius >= 0.0f && bundle.least_length == 0.0f;
    if (careful)
      near_blocks_ = __ballot_sync(all_lanes, is_near);
    else
      margin_ = is_near ? -1.0f : margin_;
    hit_blocks_ = 0;
  }

  __device__ void
  endRound(const RayBundle& bundle)
  {
    if (hit_blocks_ >> threadIdx.x % warp_size & 1u)
      hit_weight_ += bundle.weight;
  }

  __device__ void
  beginBlock(int round, int bit)
  {
    point_ = loadWhole(points_ + (round * warp_size + bit) * block_points);
    nearest_ = task_.observation.truncation_distance;
    bit_ = 1u << bit;
  }

  /** \param[in] number of the capsule in its sample */
  template <typename Number>
  __device__ void
  addCapsule(const Prepared& capsule, const Number& number)
  {
    const auto entry = enterCapsule(ObservedRay<float>{point_.x,
                                                       point_.y,
                                                       point_.z,
                                                       point_.direction_x,
                                                       point_.direction_y,
                                                       point_.direction_z},
                                    capsule,
                                    task_.observation.truncation_distance);
    float distance = entry.distance;
    if constexpr (careful) {
      if (entry.margin < 0.0f || (near_blocks_ & bit_) != 0 || needsExactness(capsule))
        distance = exactDistance(Point3{point_.x, point_.y, point_.z},
                                 task_.observation.viewpoint,
                                 task_.capsules[capsules_ + number()]);
    }
    else
      margin_ = fminf(margin_, entry.margin);
    // Of a number and NaN the lesser is the number. What lies behind the viewpoint would be
    // farther than tau, but it must not hide anything.
    if constexpr (occluding)
      nearest_ = distance > -point_.length ? fminf(nearest_, distance) : nearest_;
    else
      nearest_ = fminf(nearest_, fabsf(distance));
  }

  __device__ void
  endBlock()
  {
    const float tau = task_.observation.truncation_distance;
    const float distance = occluding ? fminf(tau, fabsf(nearest_)) : nearest_;
    // A block without any hit counts the same whether it was looked at or not.
    if (!__any_sync(all_lanes, distance < tau))
      return;
    sum_ = fmaf(point_.weight * (task_.rule.squared ? distance : 1.0f), distance, sum_);
    hit_blocks_ |= bit_;
  }

  /** \brief Says that the calling lane knows of a capsule that takes double precision. */
  __device__ void
  noticeSpecialCapsule()
  {
    margin_ = -1.0f;
  }

  /** \brief Whether double precision is needed. All lanes must call. */
  __device__ bool
  isUnsure() const
  {
    return __any_sync(all_lanes, margin_ < 0.0f);
  }

  /** \brief Of all points of the chunk; in the first lane. */
  __device__ double
  total(double chunk_weight) const
  {
    const double tau = task_.observation.truncation_distance;
    const double miss = task_.rule.squared ? tau * tau : tau;
    double sum = sum_ - hit_weight_ * miss;
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync(all_lanes, sum, distance);
    return sum + chunk_weight * miss;
  }

private:
  const SampleTask<Prepared>& task_;
  std::size_t capsules_;
  const ObservedPoint* points_;
  const RayBundle* bundles_;
  ObservedPoint point_;
  float nearest_;
  unsigned int bit_;
  unsigned int near_blocks_ = 0;
  float margin_ = 0.0f;
  unsigned int hit_blocks_;
  float sum_ = 0.0f;
  double hit_weight_ = 0.0;
};

/** \brief Compares every block with all capsules, or with those that reach into it. */
template <typename Prepared, bool occluding, bool careful>
__device__ void
compareWithAll(const SampleTask<Prepared>& task,
               DistanceSum<Prepared, occluding, careful>& sum)
{
  const int lane = threadIdx.x % warp_size;
  const Point3& viewpoint = task.observation.viewpoint;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const RayBundle own = sum.bundle(round);
    sum.beginRound(own);
    for (unsigned int blocks = __ballot_sync(all_lanes, own.radius >= 0.0f);
         blocks != 0;
         blocks &= blocks - 1) {
      const int bit = lowestBit(blocks);
      sum.beginBlock(round, bit);
      const auto cylinder = cylinderOf<occluding>(fromLane(own, bit));
      for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
        const bool there = first + lane < task.capsules_per_sample;
        const bool reaches =
            there &&
            (!task.culled ||
             mayReach(cylinder, loadWhole(sum.capsules() + first + lane), viewpoint));
        if (reaches && needsExactness(sum.capsules()[first + lane]))
          sum.noticeSpecialCapsule();
        for (unsigned int left = __ballot_sync(all_lanes, reaches); left != 0;
             left &= left - 1) {
          const int number = first + lowestBit(left);
          sum.addCapsule(loadWhole(sum.capsules() + number), [&] { return number; });
        }
      }
      sum.endBlock();
    }
    sum.endRound(own);
  }
}

/** \brief Which capsules of a list reach into a block: a bit for each. */
struct alignas(8) BlockMarks {
  unsigned int lower, upper;
};

/** \brief The capsules of a sample that reach into a chunk, and its blocks' marks on the
 * list. */
template <typename Prepared>
struct ListedCapsules {
  Prepared capsules[max_listed];
  BlockMarks marks[chunk_blocks];
  int numbers[max_listed];
};

/** \brief Lists the capsules that reach into a chunk.
 * \return their number; those beyond max_listed are not listed
 */
template <typename Prepared, bool occluding, bool careful>
__device__ int
listCapsules(const SampleTask<Prepared>& task,
             const RayBundle& chunk,
             DistanceSum<Prepared, occluding, careful>& sum,
             ListedCapsules<Prepared>& list)
{
  const int lane = threadIdx.x % warp_size;
  const auto cylinder = cylinderOf<occluding>(chunk);
  int count = 0;
  for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
    const int number = first + lane;
    const Prepared capsule =
        loadWhole(sum.capsules() + (number < task.capsules_per_sample ? number : 0));
    const bool reaches = number < task.capsules_per_sample &&
                         mayReach(cylinder, capsule, task.observation.viewpoint);
    if (reaches && needsExactness(capsule))
      sum.noticeSpecialCapsule();
    const unsigned int mask = __ballot_sync(all_lanes, reaches);
    const int place = count + __popc(mask & ((1u << lane) - 1u));
    if (reaches && place < max_listed) {
      list.capsules[place] = capsule;
      list.numbers[place] = number;
    }
    count += __popc(mask);
  }
  __syncwarp();
  return count;
}

/** \brief Compares every block with the capsules that reach into it.
 *
 * First every lane marks its blocks' capsules on the chunk's list, then the lanes take the
 * points of a block each.
 */
template <typename Prepared, bool occluding, bool careful>
__device__ void
compareWithListed(const SampleTask<Prepared>& task,
                  ListedCapsules<Prepared>& list,
                  int count,
                  DistanceSum<Prepared, occluding, careful>& sum)
{
  const int lane = threadIdx.x % warp_size;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const RayBundle own = sum.bundle(round);
    sum.beginRound(own);
    const auto cylinder = cylinderOf<occluding>(own);
    BlockMarks marks = {0, 0};
    const int lower_count = count < word_bits ? count : word_bits;
#pragma unroll mark_unrolling
    for (int i = 0; i < lower_count; ++i)
      if (mayReach(cylinder, list.capsules[i], task.observation.viewpoint))
        marks.lower |= 1u << i;
#pragma unroll 1
    for (int i = word_bits; i < count; ++i)
      if (mayReach(cylinder, list.capsules[i], task.observation.viewpoint))
        marks.upper |= 1u << (i - word_bits);
    list.marks[round * warp_size + lane] = marks;
    __syncwarp();
#pragma unroll 1
    for (unsigned int blocks =
             __ballot_sync(all_lanes, (marks.lower | marks.upper) != 0);
         blocks != 0;
         blocks &= blocks - 1) {
      const int bit = lowestBit(blocks);
      sum.beginBlock(round, bit);
      const BlockMarks marks = list.marks[round * warp_size + bit];
      for (unsigned int mark = marks.lower, next = marks.upper, first = 0;;) {
#pragma unroll 1
        for (; mark != 0; mark &= mark - 1) {
          const int place = first + lowestBit(mark);
          sum.addCapsule(list.capsules[place], [&] { return list.numbers[place]; });
        }
        if (next == 0)
          break;
        mark = next;
        next = 0;
        first = word_bits;
      }
      sum.endBlock();
    }
    sum.endRound(own);
  }
}

/** \brief A warp's comparison of a sample with a chunk.
 * \return whether it stored the sum; not if it takes more care
 */
template <typename Prepared, bool occluding, bool culled, bool careful>
__device__ __forceinline__ bool
compare(const SampleTask<Prepared>& task,
        int sample,
        int chunk,
        ListedCapsules<Prepared>& list)
{
  DistanceSum<Prepared, occluding, careful> sum(task, sample, chunk);
  if constexpr (culled) {
    const int count =
        listCapsules(task, loadWhole(task.observation.chunks + chunk), sum, list);
    if (!careful && sum.isUnsure())
      return false;
    if (count > max_listed)
      compareWithAll(task, sum);
    else if (count > 0)
      compareWithListed(task, list, count, sum);
  }
  else
    compareWithAll(task, sum);
  if (!careful && sum.isUnsure())
    return false;
  const double total = sum.total(task.chunk_weights[chunk]);
  if (threadIdx.x % warp_size == 0)
    task.chunk_sums[static_cast<std::size_t>(sample) * task.observation.chunk_count +
                    chunk] = total;
  return true;
}

/** \brief Apart, so that what is seldom needed takes no registers from what always is. */
template <typename Prepared, bool occluding, bool culled>
__device__ __noinline__ void
compareCarefully(const SampleTask<Prepared>& task,
                 int sample,
                 int chunk,
                 ListedCapsules<Prepared>& list)
{
  compare<Prepared, occluding, culled, true>(task, sample, chunk, list);
}

template <typename Prepared, bool occluding, bool culled>
__global__ void
__launch_bounds__(threads, blocks_per_multiprocessor)
    compareKernel(const __grid_constant__ SampleTask<Prepared> task)
{
  __shared__ ListedCapsules<Prepared> lists[warps];
  waitForPreviousKernel();
  const int warp = threadIdx.x / warp_size;
  const int sample = blockIdx.x * warps + warp;
  const int chunk = blockIdx.y + blockIdx.z * gridDim.y;
  if (sample >= task.sample_count || chunk >= task.observation.chunk_count)
    return;
  if (!compare<Prepared, occluding, culled, false>(task, sample, chunk, lists[warp]))
    compareCarefully<Prepared, occluding, culled>(task, sample, chunk, lists[warp]);
}

template <typename Prepared>
__global__ void
__launch_bounds__(threads)
    prepareKernel(const __grid_constant__ SampleTask<Prepared> task)
{
  waitForPreviousKernel();
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  const std::size_t count =
      static_cast<std::size_t>(task.sample_count) * task.capsules_per_sample;
  if (i < count)
    task.prepared[i] = prepare(task.capsules[i],
                               task.observation.viewpoint,
                               task.observation.truncation_distance);
}

/** \brief Adds up the chunks of a sample, a warp each. */
template <typename Prepared>
__global__ void
__launch_bounds__(threads) addChunks(const __grid_constant__ SampleTask<Prepared> task)
{
  waitForPreviousKernel();
  const int sample = blockIdx.x * warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (sample >= task.sample_count)
    return;
  const int chunks = task.observation.chunk_count;
  const double* const sums =
      task.chunk_sums + static_cast<std::size_t>(sample) * chunks;
  double sum = 0.0;
  for (int chunk = lane; chunk < chunks; chunk += warp_size)
    sum += sums[chunk];
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, distance);
  if (lane == 0)
    task.likelihoods[sample] = task.factor * sum;
}

template <typename Prepared, bool occluding>
void
compareSamples(const SampleTask<Prepared>& task, cudaStream_t stream)
{
  // Samples run fastest: blocks that run together look at the same points.
  constexpr int max_grid_rows = 32768;
  const int chunks = task.observation.chunk_count;
  const int rows = chunks < max_grid_rows ? chunks : max_grid_rows;
  const dim3 grid(divideUp(task.sample_count, warps), rows, divideUp(chunks, rows));
  const auto kernel = task.culled ? &compareKernel<Prepared, occluding, true>
                                  : &compareKernel<Prepared, occluding, false>;
  launchOverlapping("compareKernel", kernel, grid, threads, 0, stream, task);
}

template <typename Prepared>
void
computeSamples(const SampleTask<Prepared>& task, cudaStream_t stream)
{
  const std::size_t capsules =
      static_cast<std::size_t>(task.sample_count) * task.capsules_per_sample;
  launchOverlapping("prepareKernel",
                    &prepareKernel<Prepared>,
                    static_cast<unsigned int>((capsules + threads - 1) / threads),
                    threads,
                    0,
                    stream,
                    task);
  if (task.observation.chunk_count > 0) {
    if (task.rule.occluding)
      compareSamples<Prepared, true>(task, stream);
    else
      compareSamples<Prepared, false>(task, stream);
  }
  launchOverlapping("addChunks",
                    &addChunks<Prepared>,
                    divideUp(task.sample_count, warps),
                    threads,
                    0,
                    stream,
                    task);
}

class CudaLikelihoodDriver : public LikelihoodDriver {
public:
  void
  makeKeys(const ObservationTask& task, Queue queue) const override
  {
    cuda::makeKeys(task, queue);
  }

  std::size_t
  sortScratchBytes(std::size_t count) const override
  {
    return cuda::sortScratchBytes(count);
  }

  const std::uint32_t*
  sort(const ObservationTask& task, void* scratch, Queue queue) const override
  {
    return cuda::sort(task, scratch, queue);
  }

  void
  observe(const ObservationTask& task,
          const std::uint32_t* sorted_numbers,
          Queue queue) const override
  {
    cuda::observe(task, sorted_numbers, queue);
  }

  void
  compute(const SampleTask<PreparedCapsule>& task, Queue queue) const override
  {
    computeSamples(task, queue);
  }

  void
  compute(const SampleTask<PreparedTaperedCapsule>& task, Queue queue) const override
  {
    computeSamples(task, queue);
  }
};

} // namespace

const LikelihoodDriver&
cudaLikelihoodDriver()
{
  static const CudaLikelihoodDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
