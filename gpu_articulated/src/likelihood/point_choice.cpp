// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/point_choice.h"

#include "likelihood/point_choice.hpp"

#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/key_sort.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

namespace pcl::gpu {

namespace {

constexpr int key_bits = 32;

} // namespace

void
PointChoice::choose(const DeviceArray<PointXYZ>& all,
                    const DeviceArray<float>& all_backgrounds,
                    const Eigen::Vector3f& viewpoint,
                    const DeviceArray<TaperedCapsule>& body,
                    std::size_t count,
                    const Stream& stream)
{
  const Device device = deviceOf(all);
  createOn(device, points, count);
  createOn(device, weights, count);
  createOn(device, backgrounds, all_backgrounds.empty() ? 0 : count);
  device::PointChoiceTask task{};
  task.points = reinterpret_cast<const device::Float4*>(all.ptr());
  task.backgrounds = all_backgrounds.empty() ? nullptr : all_backgrounds.ptr();
  task.count = all.size();
  task.viewpoint = {viewpoint.x(), viewpoint.y(), viewpoint.z()};
  task.capsules = body.ptr();
  task.capsule_count = static_cast<int>(body.size());
  task.chosen_count = count;
  task.chosen_points = reinterpret_cast<device::Float4*>(points.ptr());
  task.chosen_weights = weights.ptr();
  task.chosen_backgrounds = backgrounds.ptr();
  device::KeySort sort{};
  sort.count = all.size();
  sort.bits = key_bits;
  char* scratch = nullptr;
  takePieces(sorting_,
             Piece(sort.keys, sort.count),
             Piece(sort.numbers, sort.count),
             Piece(sort.other_keys, sort.count),
             Piece(sort.other_numbers, sort.count),
             Piece(scratch, sortScratchBytes(device, sort.count, sort.bits)));
  sort.scratch = scratch;
  task.keys = sort.keys;
  task.numbers = sort.numbers;
  dispatch(device, PCL_GPU_BOTH(makeChoiceKeys), task, stream);
  task.sorted_numbers = sortByKeys(device, sort, stream);
  dispatch(device, PCL_GPU_BOTH(copyChosenPoints), task, stream);
}

std::size_t
PointChoice::estimateMemory(std::size_t all, std::size_t count)
{
  return 4 * all * sizeof(std::uint32_t) +
         sortScratchBytes(currentDevice(), all, key_bits) +
         count * (sizeof(PointXYZ) + sizeof(float));
}

} // namespace pcl::gpu
