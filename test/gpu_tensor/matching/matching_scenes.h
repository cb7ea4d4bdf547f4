// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_tensor/tensors/host_tensors.h"

#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/tensor/types.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace pcl::gpu::test {

/** \brief Voxels that are not empty, ascending, with their areas. */
using Entries = std::vector<std::pair<int, float>>;

/** \brief No tensors, of a size. */
HostTensors
noTensors(int grid_size);

/** \brief Adds a tensor; the rest of its frame is made from its number. */
void
addTensor(HostTensors& tensors, float angle, const Entries& entries);

/** \brief Adds a tensor of another set as it is. */
void
addTensor(HostTensors& tensors, const HostTensors& from, int number);

/** \brief The entries of a tensor. */
Entries
entriesOf(const HostTensors& tensors, int number);

/** \brief The tensors of those numbers, in that order. */
HostTensors
selected(const HostTensors& tensors, const std::vector<int>& numbers);

/** \brief 0, 1, and so on. */
std::vector<int>
numbersUpTo(int count);

/** \brief Numbers below \a count in a random order. */
std::vector<int>
shuffledNumbers(int count, std::uint32_t seed);

/** \brief Surfaces that come in families: members differ in their areas, and a little
 * in the voxels that they cross. */
struct Families {
  int grid_size = 10;
  int families = 10;
  std::uint32_t seed = 1;
  /** \brief True if each tensor has a scale of its own, from 1e-6 to 30. */
  bool scaled = false;
};

/** \brief Members of random families, with random angles. */
HostTensors
membersOf(const Families& families, int count, std::uint32_t seed);

/** \brief Copies tensors to the current device.
 * \param[in] spare room for so many more tensors, full of nonsense
 */
TensorSet
uploadedTensors(const HostTensors& tensors, int spare = 0);

/** \brief A table of tensors whose labels are 1000 more than their numbers. */
TensorTable
tableOf(const HostTensors& tensors, float bin_width = 0.0872664626f);

} // namespace pcl::gpu::test
