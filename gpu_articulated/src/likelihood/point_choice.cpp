// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/point_choice.h"

#include "likelihood/likelihood_task.h"
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
  device::ObservationTask& observed = task.all;
  observed.points = reinterpret_cast<const device::Float4*>(all.ptr());
  observed.backgrounds = all_backgrounds.empty() ? nullptr : all_backgrounds.ptr();
  observed.count = all.size();
  observed.observation.viewpoint = {viewpoint.x(), viewpoint.y(), viewpoint.z()};
  observed.whole_rays = true;
  task.capsules = body.ptr();
  task.capsule_count = static_cast<int>(body.size());
  task.chosen_count = count;
  task.chosen = reinterpret_cast<device::Float4*>(points.ptr());
  task.chosen_weights = weights.ptr();
  task.chosen_backgrounds = backgrounds.ptr();
  device::KeySort order{}, choice{};
  char* scratch = nullptr;
  const std::size_t n = all.size();
  takePieces(memory_,
             Piece(order.keys, n),
             Piece(order.numbers, n),
             Piece(order.other_keys, n),
             Piece(order.other_numbers, n),
             Piece(choice.keys, n),
             Piece(choice.numbers, n),
             Piece(choice.other_keys, n),
             Piece(choice.other_numbers, n),
             Piece(task.joined, n),
             Piece(task.joined_weights, n),
             Piece(task.joined_backgrounds, n),
             Piece(scratch, sortScratchBytes(device, n, key_bits)));
  for (device::KeySort* sort : {&order, &choice}) {
    sort->count = n;
    sort->bits = key_bits;
    sort->scratch = scratch;
  }
  observed.keys = order.keys;
  observed.numbers = order.numbers;
  dispatch(device, PCL_GPU_BOTH(makeKeys), observed, stream);
  observed.sorted_numbers = sortByKeys(device, order, stream);
  dispatch(device, PCL_GPU_BOTH(joinNeighbors), task, stream);
  task.keys = choice.keys;
  task.places = choice.numbers;
  dispatch(device, PCL_GPU_BOTH(makeChoiceKeys), task, stream);
  task.sorted_places = sortByKeys(device, choice, stream);
  dispatch(device, PCL_GPU_BOTH(copyChosenPoints), task, stream);
}

std::size_t
PointChoice::estimateMemory(std::size_t all, std::size_t count)
{
  const std::size_t point_bytes = sizeof(PointXYZ) + sizeof(float);
  return all * (8 * sizeof(std::uint32_t) + point_bytes + sizeof(float)) +
         sortScratchBytes(currentDevice(), all, key_bits) + count * point_bytes;
}

} // namespace pcl::gpu
