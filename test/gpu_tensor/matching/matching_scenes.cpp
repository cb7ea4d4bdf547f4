// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching_scenes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

namespace pcl::gpu::test {

namespace {

double
uniform(std::mt19937& random, double low, double high)
{
  return std::uniform_real_distribution<double>(low, high)(random);
}

/** \brief A curved surface that crosses one voxel of nearly every column. */
Entries
surface(int grid_size, std::mt19937& random)
{
  const double middle = 0.5 * (grid_size - 1), height = uniform(random, 0.3, 0.6);
  const double slope_x = uniform(random, -0.3, 0.3),
               slope_y = uniform(random, -0.3, 0.3);
  const double bend = uniform(random, -0.5, 0.5) / grid_size;
  Entries entries;
  for (int y = 0; y < grid_size; ++y)
    for (int x = 0; x < grid_size; ++x) {
      const double dx = x - middle, dy = y - middle;
      const int z = static_cast<int>(std::floor(height * grid_size + slope_x * dx +
                                                slope_y * dy + bend * dx * dy));
      const float area = static_cast<float>(uniform(random, 0.05, 1.5));
      if (z >= 0 && z < grid_size)
        entries.emplace_back((z * grid_size + y) * grid_size + x, area);
    }
  return entries;
}

/** \brief The surface as another view would see it. */
Entries
member(const Entries& base, int voxels, double scale, std::mt19937& random)
{
  const double noise = uniform(random, 0.0, 0.8), missing = uniform(random, 0.0, 0.3);
  Entries entries;
  for (const std::pair<int, float>& entry : base) {
    const double other = uniform(random, 0.05, 1.5);
    const double area = scale * ((1.0 - noise) * entry.second + noise * other);
    if (uniform(random, 0.0, 1.0) >= missing)
      entries.emplace_back(entry.first, static_cast<float>(area));
    else if (other < 0.5)
      entries.emplace_back((entry.first + 1) % voxels, static_cast<float>(area));
  }
  std::sort(entries.begin(), entries.end());
  const auto same_voxel = [](const auto& a, const auto& b) {
    return a.first == b.first;
  };
  entries.erase(std::unique(entries.begin(), entries.end(), same_voxel), entries.end());
  return entries;
}

} // namespace

HostTensors
noTensors(int grid_size)
{
  HostTensors tensors;
  tensors.grid_size = grid_size;
  tensors.starts = {0};
  return tensors;
}

void
addTensor(HostTensors& tensors, float angle, const Entries& entries)
{
  TensorFrame frame;
  const int number = tensors.size();
  for (int axis = 0; axis < 3; ++axis) {
    frame.x_axis[axis] = number + 0.125f * axis;
    frame.y_axis[axis] = number + 0.25f * axis;
    frame.z_axis[axis] = number + 0.375f * axis;
    frame.origin[axis] = number + 0.5f * axis;
  }
  frame.voxel_size = 0.01f;
  frame.angle = angle;
  frame.first = 2 * number;
  frame.second = 3 * number;
  tensors.frames.push_back(frame);
  for (const std::pair<int, float>& entry : entries) {
    tensors.voxels.push_back(static_cast<std::uint16_t>(entry.first));
    tensors.areas.push_back(entry.second);
  }
  tensors.starts.push_back(static_cast<std::uint32_t>(tensors.areas.size()));
}

void
addTensor(HostTensors& tensors, const HostTensors& from, int number)
{
  addTensor(tensors, from.frames[number].angle, entriesOf(from, number));
  tensors.frames.back() = from.frames[number];
}

Entries
entriesOf(const HostTensors& tensors, int number)
{
  Entries entries;
  for (std::uint32_t i = tensors.starts[number]; i < tensors.starts[number + 1]; ++i)
    entries.emplace_back(tensors.voxels[i], tensors.areas[i]);
  return entries;
}

HostTensors
selected(const HostTensors& tensors, const std::vector<int>& numbers)
{
  HostTensors result = noTensors(tensors.grid_size);
  for (int number : numbers)
    addTensor(result, tensors, number);
  return result;
}

std::vector<int>
numbersUpTo(int count)
{
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<int>
shuffledNumbers(int count, std::uint32_t seed)
{
  std::vector<int> numbers = numbersUpTo(count);
  std::mt19937 random(seed);
  std::shuffle(numbers.begin(), numbers.end(), random);
  return numbers;
}

HostTensors
membersOf(const Families& families, int count, std::uint32_t seed)
{
  std::vector<Entries> bases;
  for (int i = 0; i < families.families; ++i) {
    std::mt19937 random(1000 * families.seed + i);
    bases.push_back(surface(families.grid_size, random));
  }
  std::mt19937 random(seed);
  const int voxels = families.grid_size * families.grid_size * families.grid_size;
  HostTensors tensors = noTensors(families.grid_size);
  for (int i = 0; i < count; ++i) {
    const Entries& base = bases[random() % bases.size()];
    const double scale =
        families.scaled ? std::pow(10.0, uniform(random, -6.0, 1.3)) : 1.0;
    const float angle = static_cast<float>(uniform(random, 0.0, 3.14159));
    addTensor(tensors, angle, member(base, voxels, scale, random));
  }
  return tensors;
}

TensorSet
uploadedTensors(const HostTensors& tensors, int spare)
{
  HostTensors roomy = tensors;
  TensorFrame frame;
  std::memset(&frame, 0xC5, sizeof(frame));
  roomy.frames.insert(roomy.frames.end(), spare, frame);
  roomy.starts.insert(roomy.starts.end(), spare, 0xC5C5C5C5u);
  roomy.voxels.insert(roomy.voxels.end(), spare, 0xC5C5);
  roomy.areas.insert(roomy.areas.end(), spare, -1e9f);
  TensorSet set;
  set.grid_size = tensors.grid_size;
  set.frames = uploaded(roomy.frames);
  set.count = uploaded(std::vector<int>{tensors.size()});
  set.starts = uploaded(roomy.starts);
  set.voxels = uploaded(roomy.voxels);
  set.areas = uploaded(roomy.areas);
  return set;
}

TensorTable
tableOf(const HostTensors& tensors, float bin_width)
{
  std::vector<int> labels = numbersUpTo(tensors.size());
  for (int& label : labels)
    label += 1000;
  TensorTable table;
  table.setBinWidth(bin_width);
  table.build(uploadedTensors(tensors), uploaded(labels));
  return table;
}

} // namespace pcl::gpu::test
