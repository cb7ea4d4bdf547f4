// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>

namespace pcl::device {

/** \brief Divider of scratch memory into pieces. Without memory it only adds up their
 * sizes. */
class ScratchPieces {
public:
  explicit ScratchPieces(void* memory) : memory_(static_cast<char*>(memory)) {}

  /** \brief Returns the next piece, aligned to 256 bytes as the memory itself is. */
  template <typename T>
  T*
  take(std::size_t count)
  {
    constexpr std::size_t alignment = 256;
    char* const piece = memory_ ? memory_ + bytes_ : nullptr;
    bytes_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<T*>(piece);
  }

  /** \brief Returns the size of all pieces so far, bytes. */
  std::size_t
  bytes() const
  {
    return bytes_;
  }

private:
  char* memory_;
  std::size_t bytes_ = 0;
};

} // namespace pcl::device
