// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <cstdint>

namespace benchmarks {

constexpr std::uint64_t empty_checksum = 14695981039346656037u;

/** \brief Adds values to a checksum: FNV-1a over their 32-bit words. */
template <typename T>
std::uint64_t
checksumOf(const T* values, std::size_t count, std::uint64_t sum = empty_checksum)
{
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0, "values are read as words");
  const auto* const words = reinterpret_cast<const std::uint32_t*>(values);
  for (std::size_t i = 0; i < count * sizeof(T) / sizeof(std::uint32_t); ++i)
    sum = (sum ^ words[i]) * 1099511628211u;
  return sum;
}

} // namespace benchmarks
