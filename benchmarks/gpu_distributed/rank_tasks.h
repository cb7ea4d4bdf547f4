// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/stream.h>

#include <cstdint>
#include <functional>
#include <string>

namespace benchmarks {

/** \brief Work of all ranks on one problem. */
struct RankTask {
  /** \brief Does the work once, or queues it on the stream. */
  std::function<void()> run;

  /** \brief Returns a checksum of the last run's results, which all ranks have. */
  std::function<std::uint64_t()> checksum;

  pcl::gpu::Stream stream;
  int runs = 100;  ///< in a row, to be timed together
  int repeats = 3; ///< of the measurement, behind one that allocates
};

/** \brief A frame of a particle filter of 65,535 particles. */
RankTask
filterTask(const pcl::gpu::Communicator::Ptr& ranks);

/** \brief Tensors of a scene matched with a library of 200,000, which the ranks divide.
 */
RankTask
matchingTask(const pcl::gpu::Communicator::Ptr& ranks, int tensors_of_scene);

/** \brief A view of two dragons of 56 million triangles each, side by side, of which
 * each rank has a part.
 * \param[in] folder of the meshes
 * \param[in] width columns
 * \param[in] height rows
 */
RankTask
meshTask(const pcl::gpu::Communicator::Ptr& ranks,
         const std::string& folder,
         int width,
         int height);

/** \brief A video in blocks, denoised from memory to memory.
 * \param[in] frames number of its frames
 */
RankTask
videoTask(const pcl::gpu::Communicator::Ptr& ranks, int frames);

} // namespace benchmarks
