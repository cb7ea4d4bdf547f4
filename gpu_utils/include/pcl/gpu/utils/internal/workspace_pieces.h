// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/workspace.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief A piece of scratch memory. */
template <typename T>
struct Piece {
  /** \brief Describes a piece.
   * \param[out] memory set by takePieces()
   * \param[in] count number of elements
   */
  Piece(T*& memory, std::size_t count) : memory(memory), count(count) {}

  T*& memory;        ///< set by takePieces()
  std::size_t count; ///< elements
};

/** \brief Starts a run, and divides a workspace into pieces.
 * \param[in,out] workspace gets memory for all pieces on the current device
 * \param[in] pieces in the order of their memory
 * \throws DeviceException if memory runs out
 */
template <typename... T>
void
takePieces(Workspace& workspace, const Piece<T>&... pieces)
{
  workspace.reserve((Workspace::bytesFor<T>(pieces.count) + ...));
  ((pieces.memory = workspace.take<T>(pieces.count)), ...);
}

} // namespace pcl::gpu
