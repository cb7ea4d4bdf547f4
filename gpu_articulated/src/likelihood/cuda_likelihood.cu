// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/cuda_distance_sum.cuh"

#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device {

namespace {

/** \brief A warp compares a sample with a chunk of points; a block does several samples
 * with one chunk, which then stays in the cache. */
constexpr int warps = 4;
constexpr int threads = warps * warp_size;
/** \brief Blocks of the comparison; limits its registers. */
constexpr int blocks_per_multiprocessor = 8;

/** \brief Capsules of a chunk beyond this number are not listed. */
constexpr int max_listed = 64;
constexpr int word_bits = 32;
/** \brief Returns an address in shared memory that stays in a register. Otherwise the
 * compiler computes it again for every use. */
__device__ unsigned int
sharedAddress(const void* memory)
{
  auto address = static_cast<unsigned int>(__cvta_generic_to_shared(memory));
  asm volatile("" : "+r"(address));
  return address;
}

/** \brief Reads memory that was written before the last barrier. */
template <typename T>
__device__ T
loadShared(unsigned int address)
{
  constexpr int parts = sizeof(T) / sizeof(float4);
  union {
    float4 part[parts];
    T whole;
  } result;
  for (int i = 0; i < parts; ++i)
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(result.part[i].x),
                   "=f"(result.part[i].y),
                   "=f"(result.part[i].z),
                   "=f"(result.part[i].w)
                 : "r"(address + i * static_cast<unsigned int>(sizeof(float4))));
  return result.whole;
}

/** \brief The numbers of all capsules of a sample. */
struct AllCapsules {
  int count;

  template <typename Function>
  __device__ void
  operator()(const Function& function) const
  {
#pragma unroll 1
    for (int number = 0; number < count; ++number)
      function(number);
  }
};

/** \brief Compares every block with all capsules, or with those that reach into it. */
template <typename Prepared, bool occluding, bool background, bool culled, bool parted>
__device__ void
compareWithAll(const SampleTask<Prepared>& task,
               const ChunkPart<parted>& part,
               DistanceSum<Prepared, occluding, background, culled>& sum)
{
  const int lane = threadIdx.x % warp_size;
  const Vector3& viewpoint = task.observation.viewpoint;
#pragma unroll 1
  for (int round = part.first_round; round < part.end_round; ++round) {
    const RayBundle own = sum.beginRound(round);
    for (unsigned int blocks = __ballot_sync(all_lanes, hasPoints(own)) & part.lanes;
         blocks != 0;
         blocks &= blocks - 1) {
      const int bit = lowestBit(blocks);
      sum.beginBlock(round, bit);
      const auto cone = coneOf<float>(fromLane(own, bit), occluding);
      for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
        const bool there = first + lane < task.capsules_per_sample;
        const bool reaches =
            there &&
            (!task.culled ||
             mayReach(cone,
                      reachOf(loadWhole(sum.capsules() + first + lane), viewpoint)));
        if (reaches && needsExactness(sum.capsules()[first + lane]))
          sum.noticeSpecialCapsule();
        for (unsigned int left = __ballot_sync(all_lanes, reaches); left != 0;
             left &= left - 1) {
          const int number = first + lowestBit(left);
          sum.addCapsule(loadWhole(sum.capsules() + number));
        }
      }
      sum.makeSure(AllCapsules{task.capsules_per_sample});
      sum.endBlock(round);
    }
    sum.endRound(own, round);
  }
}

/** \brief The capsules of a list that reach into a block: a bit for each. */
struct alignas(8) BlockMarks {
  unsigned int lower, upper;
};

__device__ BlockMarks
loadMarks(unsigned int shared_address)
{
  BlockMarks marks;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(marks.lower), "=r"(marks.upper)
               : "r"(shared_address));
  return marks;
}

/** \brief The capsules of a sample that reach into a chunk, and its blocks' marks on
 * the list. */
template <typename Prepared>
struct ListedCapsules {
  Prepared capsules[max_listed];
  BlockMarks marks[chunk_blocks];
  int numbers[max_listed];
};

/** \brief The numbers of the marked capsules of a list. */
struct MarkedCapsules {
  const int* numbers; ///< of the list
  BlockMarks marks;

  template <typename Function>
  __device__ void
  operator()(const Function& function) const
  {
#pragma unroll 1
    for (unsigned int left = marks.lower; left != 0; left &= left - 1)
      function(numbers[lowestBit(left)]);
#pragma unroll 1
    for (unsigned int left = marks.upper; left != 0; left &= left - 1)
      function(numbers[word_bits + lowestBit(left)]);
  }
};

/** \brief Lists the capsules that reach into a chunk.
 * \return their number; those beyond max_listed are not listed
 */
template <typename Prepared, bool occluding, bool background, bool culled>
__device__ int
listCapsules(const SampleTask<Prepared>& task,
             const RayBundle& chunk,
             DistanceSum<Prepared, occluding, background, culled>& sum,
             ListedCapsules<Prepared>& list)
{
  const int lane = threadIdx.x % warp_size;
  const auto cone = coneOf<float>(chunk, occluding);
  int count = 0;
  for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
    const int number = first + lane;
    const Prepared capsule =
        loadWhole(sum.capsules() + (number < task.capsules_per_sample ? number : 0));
    const bool reaches = number < task.capsules_per_sample &&
                         mayReach(cone, reachOf(capsule, task.observation.viewpoint));
    if (reaches && needsExactness(capsule))
      sum.noticeSpecialCapsule();
    const unsigned int mask = __ballot_sync(all_lanes, reaches);
    const int place = count + lanesBefore(mask, lane);
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
 * First every lane marks the capsules of a block on the chunk's list; of a part,
 * several lanes share a block. Then the lanes take the points of a block each.
 */
template <typename Prepared, bool occluding, bool background, bool culled, bool parted>
__device__ void
compareWithListed(const SampleTask<Prepared>& task,
                  const ChunkPart<parted>& part,
                  ListedCapsules<Prepared>& list,
                  int count,
                  DistanceSum<Prepared, occluding, background, culled>& sum)
{
  const int lane = threadIdx.x % warp_size;
  const unsigned int capsules_address = sharedAddress(list.capsules);
  const unsigned int marks_address = sharedAddress(list.marks);
#pragma unroll 1
  for (int round = part.first_round; round < part.end_round; ++round) {
    const RayBundle own = sum.beginRound(round);
    const int marked = parted ? part.first_block + lane % part.blocks : lane;
    const int sharing = parted ? warp_size / part.blocks : 1;
    const int share = parted ? lane / part.blocks : 0;
    const auto cone =
        coneOf<float>(parted ? sum.bundleOf(round, marked) : own, occluding);
    BlockMarks marks = {0, 0};
    const int lower_count = count < word_bits ? count : word_bits;
#pragma unroll 1
    for (int i = share; i < lower_count; i += sharing)
      if (mayReach(cone,
                   reachOf(loadShared<Prepared>(
                               capsules_address +
                               i * static_cast<unsigned int>(sizeof(Prepared))),
                           task.observation.viewpoint)))
        marks.lower |= 1u << i;
#pragma unroll 1
    for (int i = word_bits + share; i < count; i += sharing)
      if (mayReach(cone, reachOf(list.capsules[i], task.observation.viewpoint)))
        marks.upper |= 1u << (i - word_bits);
    if constexpr (parted)
      for (int distance = part.blocks; distance < warp_size; distance *= 2) {
        marks.lower |= __shfl_xor_sync(all_lanes, marks.lower, distance);
        marks.upper |= __shfl_xor_sync(all_lanes, marks.upper, distance);
      }
    list.marks[round * warp_size + marked] = marks;
    __syncwarp();
#pragma unroll 1
    for (unsigned int blocks =
             __ballot_sync(all_lanes, (marks.lower | marks.upper) != 0) & part.lanes;
         blocks != 0;
         blocks &= blocks - 1) {
      const int bit = lowestBit(blocks);
      sum.beginBlock(round, bit);
      const auto block = static_cast<unsigned int>(round * warp_size + bit);
      const BlockMarks marks = loadMarks(
          marks_address + block * static_cast<unsigned int>(sizeof(BlockMarks)));
      unsigned int address = capsules_address;
      for (unsigned int mark = marks.lower, next = marks.upper;;) {
#pragma unroll 1
        for (; mark != 0; mark &= mark - 1)
          sum.addCapsule(loadShared<Prepared>(
              address + lowestBit(mark) * static_cast<unsigned int>(sizeof(Prepared))));
        if (next == 0)
          break;
        mark = next;
        next = 0;
        address += word_bits * static_cast<unsigned int>(sizeof(Prepared));
      }
      sum.makeSure(MarkedCapsules{list.numbers, marks});
      sum.endBlock(round);
    }
    sum.endRound(own, round);
  }
}

/** \brief Compares a sample with a part of a chunk, as the work of a warp.
 * \param[out] stored gets the sum
 */
template <typename Prepared, bool occluding, bool background, bool culled, bool parted>
__device__ __forceinline__ void
compare(const SampleTask<Prepared>& task,
        int sample,
        int chunk,
        const ChunkPart<parted>& part,
        double& stored,
        ListedCapsules<Prepared>& list)
{
  DistanceSum<Prepared, occluding, background, culled> sum(task, sample, chunk);
  if constexpr (culled) {
    const int count =
        listCapsules(task, loadWhole(task.observation.chunks + chunk), sum, list);
    if (count > max_listed)
      compareWithAll(task, part, sum);
    else if (count > 0)
      compareWithListed(task, part, list, count, sum);
  }
  else
    compareWithAll(task, part, sum);
  const double total = sum.total(chunk, part.isFirst());
  if (threadIdx.x % warp_size == 0)
    stored = total;
}

template <typename Prepared, bool occluding, bool background, bool culled, bool parted>
__global__ void
__launch_bounds__(threads, blocks_per_multiprocessor)
    compareKernel(const __grid_constant__ SampleTask<Prepared> task)
{
  __shared__ ListedCapsules<Prepared> lists[warps];
  waitForPreviousKernel();
  const int warp = threadIdx.x / warp_size;
  const int sample = blockIdx.x * warps + warp;
  const int row = blockIdx.y + blockIdx.z * gridDim.y;
  const int parts = parted ? task.chunk_parts : 1;
  const int rows = task.observation.chunk_count * parts;
  if (sample >= task.sample_count || row >= rows)
    return;
  const int chunk = parted ? row / parts : row;
  const ChunkPart<parted> part(row - chunk * parts, parts);
  double& stored = task.chunk_sums[static_cast<std::size_t>(sample) * rows + row];
  compare<Prepared, occluding, background, culled>(
      task, sample, chunk, part, stored, lists[warp]);
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
  const int chunks = task.observation.chunk_count * task.chunk_parts;
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

template <typename Prepared, bool occluding, bool background, bool parted>
void
compareChunks(const SampleTask<Prepared>& task, cudaStream_t stream)
{
  // Samples run fastest: blocks that run together look at the same points.
  constexpr int max_grid_rows = 32768;
  const int sums = task.observation.chunk_count * task.chunk_parts;
  const int rows = sums < max_grid_rows ? sums : max_grid_rows;
  const dim3 grid(divideUp(task.sample_count, warps), rows, divideUp(sums, rows));
  const auto kernel =
      task.culled ? &compareKernel<Prepared, occluding, background, true, parted>
                  : &compareKernel<Prepared, occluding, background, false, parted>;
  launchOverlapping("compare", grid, threads, stream)(kernel, task);
}

template <typename Prepared, bool occluding, bool background>
void
compareParts(const SampleTask<Prepared>& task, cudaStream_t stream)
{
  const auto compare = task.chunk_parts > 1
                           ? &compareChunks<Prepared, occluding, background, true>
                           : &compareChunks<Prepared, occluding, background, false>;
  compare(task, stream);
}

} // namespace

template <typename Prepared>
void
cuda::compareSamples(const SampleTask<Prepared>& task, cudaStream_t stream)
{
  const std::size_t capsules =
      static_cast<std::size_t>(task.sample_count) * task.capsules_per_sample;
  const auto blocks = static_cast<unsigned int>((capsules + threads - 1) / threads);
  launchOverlapping("prepare", blocks, threads, stream)(&prepareKernel<Prepared>, task);
  if (task.observation.chunk_count > 0) {
    const bool has_background = task.observation.backgrounds != nullptr;
    const auto compare = task.occluding
                             ? (has_background ? &compareParts<Prepared, true, true>
                                               : &compareParts<Prepared, true, false>)
                             : (has_background ? &compareParts<Prepared, false, true>
                                               : &compareParts<Prepared, false, false>);
    compare(task, stream);
  }
  const unsigned int warp_blocks = divideUp(task.sample_count, warps);
  launchOverlapping("addChunks", warp_blocks, threads, stream)(&addChunks<Prepared>,
                                                               task);
}

template void
cuda::compareSamples(const SampleTask<PreparedCapsule>&, cudaStream_t);
template void
cuda::compareSamples(const SampleTask<PreparedTaperedCapsule>&, cudaStream_t);

} // namespace pcl::device
