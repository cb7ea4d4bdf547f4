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

/** \brief A warp compares a sample with a chunk of points; a block does several samples
 * with one chunk, which then stays in the cache. */
constexpr int warps = 8;
constexpr int threads = warps * warp_size;

/** \brief More capsules than that have no room for the chunk's list of them. */
constexpr int max_listed_capsules = 512;

/** \brief Capsules of a chunk's list whose marks share a word. */
constexpr int word_bits = 32;
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

__device__ BundleCylinder<float>
cylinderOf(const RayBundle& bundle, bool occluding)
{
  // What hides a point may be anywhere before it.
  return {bundle.axis_x,
          bundle.axis_y,
          bundle.axis_z,
          bundle.radius,
          occluding ? fminf(bundle.nearest, 0.0f) : bundle.nearest,
          bundle.farthest};
}

/** \brief Sums the distances of a chunk's points from a sample, block by block. */
template <typename Prepared>
class DistanceSum {
public:
  __device__
  DistanceSum(const SampleTask<Prepared>& task, int sample, int chunk)
  : task_(task)
  , first_capsule_(static_cast<std::size_t>(sample) * task.capsules_per_sample)
  , first_block_(static_cast<std::size_t>(chunk) * chunk_blocks)
  {}

  __device__ const Prepared*
  capsules() const
  {
    return task_.prepared + first_capsule_;
  }

  __device__ void
  beginBlock(int block)
  {
    block_ = first_block_ + block;
    const int lane = threadIdx.x % warp_size;
    point_ = loadWhole(task_.observation.points + block_ * block_points + lane);
    distance_ = task_.observation.truncation_distance;
    nearest_ = distance_;
    const RayBundle& bundle = task_.observation.blocks[block_];
    is_near_ = __ldg(&bundle.least_length) == 0.0f;
  }

  __device__ void
  addCapsule(int number)
  {
    const Prepared capsule = loadWhole(capsules() + number);
    Entry<float, bool> entry;
    if (is_near_ || needsExactness(capsule))
      entry.unsure = true;
    else
      entry = enterCapsule<float, bool>({point_.x,
                                         point_.y,
                                         point_.z,
                                         point_.direction_x,
                                         point_.direction_y,
                                         point_.direction_z},
                                        capsule);
    if (entry.unsure)
      entry.distance = exactDistance(Point3{point_.x, point_.y, point_.z},
                                     task_.observation.viewpoint,
                                     task_.capsules[first_capsule_ + number]);
    // Of a number and NaN these take the number.
    if (task_.rule.occluding)
      nearest_ = fminf(nearest_, entry.distance);
    else
      distance_ = fminf(distance_, fabsf(entry.distance));
  }

  __device__ void
  endBlock()
  {
    const float tau = task_.observation.truncation_distance;
    if (task_.rule.occluding)
      distance_ = fminf(tau, fabsf(nearest_));
    // A block without any hit counts the same whether it was looked at or not.
    if (!__any_sync(all_lanes, distance_ < tau && point_.weight > 0.0f))
      return;
    sum_ =
        fmaf(point_.weight * (task_.rule.squared ? distance_ : 1.0f), distance_, sum_);
    hit_weight_ += __ldg(&task_.observation.blocks[block_].weight);
  }

  /** \brief Of all points of the chunk; in the first lane. */
  __device__ double
  total(double chunk_weight) const
  {
    double sum = sum_;
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync(all_lanes, sum, distance);
    const double tau = task_.observation.truncation_distance;
    return sum + (chunk_weight - hit_weight_) * (task_.rule.squared ? tau * tau : tau);
  }

private:
  const SampleTask<Prepared>& task_;
  std::size_t first_capsule_;
  std::size_t first_block_;
  std::size_t block_;
  ObservedPoint point_;
  float distance_;
  float nearest_;
  bool is_near_;
  float sum_ = 0.0f;
  double hit_weight_ = 0.0;
};

/** \brief Sample and chunk of a warp. */
struct WarpJob {
  int sample;
  int chunk;

  template <typename Prepared>
  __device__
  WarpJob(const SampleTask<Prepared>& task)
  : sample(blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size)
  , chunk(blockIdx.y + blockIdx.z * gridDim.y)
  {
    if (sample >= task.sample_count || chunk >= task.observation.chunk_count)
      sample = -1;
  }
};

template <typename Prepared>
__device__ void
storeTotal(const SampleTask<Prepared>& task, const WarpJob& job, double total)
{
  if (threadIdx.x % warp_size == 0)
    task.chunk_sums[static_cast<std::size_t>(job.sample) *
                        task.observation.chunk_count +
                    job.chunk] = total;
}

__host__ __device__ constexpr std::size_t
listBytes(int capsules)
{
  const std::size_t words = (capsules + word_bits - 1) / word_bits;
  return words * (chunk_blocks * sizeof(unsigned int) + word_bits * sizeof(short));
}

/** \brief Compares by the chunk's list of capsules that reach into it, on which every block
 * has its marks. */
template <typename Prepared>
__global__ void
__launch_bounds__(threads)
    compareListed(const __grid_constant__ SampleTask<Prepared> task)
{
  extern __shared__ unsigned int shared[];
  waitForPreviousKernel();
  const WarpJob job(task);
  if (job.sample < 0)
    return;
  const int lane = threadIdx.x % warp_size;
  unsigned int* const marks =
      shared + threadIdx.x / warp_size *
                   (listBytes(task.capsules_per_sample) / sizeof(unsigned int));
  const int max_words = (task.capsules_per_sample + word_bits - 1) / word_bits;
  auto* const listed =
      reinterpret_cast<unsigned short*>(marks + max_words * chunk_blocks);

  const Observation& observation = task.observation;
  const bool occluding = task.rule.occluding;
  DistanceSum<Prepared> sum(task, job.sample, job.chunk);
  const double chunk_weight = task.chunk_weights[job.chunk];
  int count = 0;
  {
    const auto cylinder =
        cylinderOf(loadWhole(observation.chunks + job.chunk), occluding);
    for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
      const int number = first + lane;
      const bool reaches =
          number < task.capsules_per_sample &&
          mayReach(cylinder, loadWhole(sum.capsules() + number), observation.viewpoint);
      const unsigned int mask = __ballot_sync(all_lanes, reaches);
      if (reaches)
        listed[count + __popc(mask & ((1u << lane) - 1u))] =
            static_cast<unsigned short>(number);
      count += __popc(mask);
    }
  }
  if (count == 0) {
    storeTotal(task, job, sum.total(chunk_weight));
    return;
  }
  __syncwarp();

  unsigned int nonempty[rounds];
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int block = round * warp_size + lane;
    const auto cylinder = cylinderOf(
        loadWhole(observation.blocks +
                  static_cast<std::size_t>(job.chunk) * chunk_blocks + block),
        occluding);
    unsigned int any = 0;
    for (int first = 0; first < count; first += word_bits) {
      unsigned int mark = 0;
      const int here = count - first < word_bits ? count - first : word_bits;
      for (int i = 0; i < here; ++i) {
        const Prepared capsule = loadWhole(sum.capsules() + listed[first + i]);
        mark |= mayReach(cylinder, capsule, observation.viewpoint) ? 1u << i : 0u;
      }
      marks[first / word_bits * chunk_blocks + block] = mark;
      any |= mark;
    }
    nonempty[round] = __ballot_sync(all_lanes, any != 0);
  }
  __syncwarp();

#pragma unroll
  for (int round = 0; round < rounds; ++round)
    for (unsigned int left = nonempty[round]; left != 0; left &= left - 1) {
      const int block = round * warp_size + __ffs(left) - 1;
      sum.beginBlock(block);
      for (int first = 0; first < count; first += word_bits)
        for (unsigned int mark = marks[first / word_bits * chunk_blocks + block];
             mark != 0;
             mark &= mark - 1)
          sum.addCapsule(listed[first + __ffs(mark) - 1]);
      sum.endBlock();
    }
  storeTotal(task, job, sum.total(chunk_weight));
}

/** \brief Compares every block with all capsules, or with those that reach into it. */
template <typename Prepared>
__global__ void
__launch_bounds__(threads) compareAll(const __grid_constant__ SampleTask<Prepared> task)
{
  waitForPreviousKernel();
  const WarpJob job(task);
  if (job.sample < 0)
    return;
  const int lane = threadIdx.x % warp_size;
  const Observation& observation = task.observation;
  DistanceSum<Prepared> sum(task, job.sample, job.chunk);
  for (int block = 0; block < chunk_blocks; ++block) {
    const RayBundle bundle =
        loadWhole(observation.blocks +
                  static_cast<std::size_t>(job.chunk) * chunk_blocks + block);
    if (bundle.radius < 0.0f)
      break;
    const auto cylinder = cylinderOf(bundle, task.rule.occluding);
    sum.beginBlock(block);
    for (int first = 0; first < task.capsules_per_sample; first += warp_size) {
      const int number = first + lane;
      const bool reaches = number < task.capsules_per_sample &&
                           (!task.culled || mayReach(cylinder,
                                                     loadWhole(sum.capsules() + number),
                                                     observation.viewpoint));
      for (unsigned int left = __ballot_sync(all_lanes, reaches); left != 0;
           left &= left - 1)
        sum.addCapsule(first + __ffs(left) - 1);
    }
    sum.endBlock();
  }
  storeTotal(task, job, sum.total(task.chunk_weights[job.chunk]));
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
  // Samples run fastest: blocks that run together look at the same points.
  constexpr int max_grid_rows = 32768;
  const int chunks = task.observation.chunk_count;
  const int rows = chunks < max_grid_rows ? chunks : max_grid_rows;
  const dim3 grid(divideUp(task.sample_count, warps), rows, divideUp(chunks, rows));
  if (task.culled && task.capsules_per_sample <= max_listed_capsules)
    launchOverlapping("compareListed",
                      &compareListed<Prepared>,
                      grid,
                      threads,
                      warps * listBytes(task.capsules_per_sample),
                      stream,
                      task);
  else
    launchOverlapping(
        "compareAll", &compareAll<Prepared>, grid, threads, 0, stream, task);
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
