// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "kinematics/kinematics.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device {

namespace {

constexpr int threads = 256;

/** \brief Poses that a block turns at a time, if so many fit into shared memory. */
constexpr int most_poses = 8;

/** \brief Shared memory for transforms; the rest of the 48 KiB of every GPU is for
 * outputs. */
constexpr std::size_t transform_bytes = 32 << 10;

/** \brief Blocks that turn skeletons which do not fit into shared memory. */
constexpr int scratch_blocks = 256;

int
posesPerBlock(const KinematicTree& tree)
{
  const std::size_t fitting =
      transform_bytes / (tree.joint_count * sizeof(JointTransform));
  return static_cast<int>(std::min<std::size_t>(fitting, most_poses));
}

/** \brief Fills the transforms of some poses. */
__device__ void
turnPoses(const KinematicTree& tree,
          const float* poses,
          int count,
          JointTransform* transforms)
{
  const int joints = tree.joint_count;
  for (int i = threadIdx.x; i < count * joints; i += threads) {
    const int pose = i / joints;
    transforms[i] = startTransform(tree.joints[i - pose * joints],
                                   poses + std::size_t(pose) * tree.pose_size);
  }
  for (int depth = 1; depth < tree.depths; ++depth) {
    const int first = tree.depth_starts[depth];
    const int width = tree.depth_starts[depth + 1] - first;
    __syncthreads();
    for (int i = threadIdx.x; i < count * width; i += threads) {
      const int pose = i / width;
      const int joint = first + i - pose * width;
      JointTransform* const of_pose = transforms + pose * joints;
      of_pose[joint] = compose(of_pose[tree.joints[joint].parent], of_pose[joint]);
    }
  }
  __syncthreads();
}

/** \brief Writes the results of 32 threads, one each, word by word: neighbouring
 * threads to neighbouring words. */
template <typename T>
__device__ void
writeTogether(const T& made, T* row, T* outputs, int count)
{
  static_assert(sizeof(T) % sizeof(float) == 0, "copied as words");
  const int lane = threadIdx.x % warp_size;
  row[lane] = made;
  __syncwarp();
  const int words = min(count, warp_size) * static_cast<int>(sizeof(T) / sizeof(float));
  for (int i = lane; i < words; i += warp_size)
    reinterpret_cast<float*>(outputs)[i] = reinterpret_cast<const float*>(row)[i];
  __syncwarp();
}

template <typename Skin>
__global__ void
__launch_bounds__(threads)
    placeSkin(const __grid_constant__ KinematicsTask<Skin> task, int poses_per_block)
{
  using Output = typename Skin::Output;
  extern __shared__ JointTransform shared_transforms[];
  __shared__ Output rows[threads];
  waitForPreviousKernel();
  const KinematicTree& tree = task.tree;
  const int per_pose = Skin::countPerPose(tree);
  JointTransform* const transforms =
      task.scratch ? task.scratch + std::size_t(blockIdx.x) * tree.joint_count
                   : shared_transforms;
  const std::size_t step = std::size_t(gridDim.x) * poses_per_block;
  for (std::size_t first = std::size_t(blockIdx.x) * poses_per_block;
       first < task.count;
       first += step) {
    const std::size_t left = task.count - first;
    const int count = left < poses_per_block ? static_cast<int>(left) : poses_per_block;
    turnPoses(tree, task.poses + first * tree.pose_size, count, transforms);

    const int total = count * per_pose;
    const int warp_start = threadIdx.x / warp_size * warp_size;
    for (int start = warp_start; start < total; start += threads) {
      const int i = start + threadIdx.x % warp_size;
      Output made{};
      if (i < total) {
        const int pose = i / per_pose;
        made =
            Skin::make(tree, transforms + pose * tree.joint_count, i - pose * per_pose);
      }
      writeTogether(made,
                    rows + warp_start,
                    task.outputs + first * per_pose + start,
                    total - start);
    }
    __syncthreads(); // the transforms are those of the next poses from here on
  }
}

} // namespace

std::size_t
cuda::scratchTransforms(const KinematicTree& tree)
{
  return posesPerBlock(tree) > 0 ? 0 : std::size_t(scratch_blocks) * tree.joint_count;
}

template <typename Skin>
void
cuda::turnPoses(const KinematicsTask<Skin>& task, cudaStream_t stream)
{
  const int poses = std::max(posesPerBlock(task.tree), 1);
  std::size_t blocks = (task.count + poses - 1) / poses;
  if (task.scratch)
    blocks = std::min<std::size_t>(blocks, scratch_blocks);
  const std::size_t shared_bytes =
      task.scratch ? 0 : poses * task.tree.joint_count * sizeof(JointTransform);
  const auto grid = static_cast<unsigned int>(blocks);
  launchOverlapping("placeSkin", grid, threads, stream, shared_bytes)(
      &placeSkin<Skin>, task, poses);
}

template void
cuda::turnPoses(const KinematicsTask<PlaceCapsules<gpu::Capsule>>&, cudaStream_t);
template void
cuda::turnPoses(const KinematicsTask<PlaceCapsules<gpu::TaperedCapsule>>&,
                cudaStream_t);
template void
cuda::turnPoses(const KinematicsTask<PlaceJoints>&, cudaStream_t);

} // namespace pcl::device
