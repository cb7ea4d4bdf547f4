// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/communicator.h>
#include <pcl/pcl_exports.h>

#include <mpi.h>

namespace pcl::gpu {

/** \brief Processes that exchange results in host memory through MPI.
 *
 * The program starts and ends MPI:
 * \code
 * MPI_Init(&argc, &argv);
 * {
 *   const auto ranks = std::make_shared<pcl::gpu::MpiCommunicator>();
 *   ...
 * }
 * MPI_Finalize();
 * \endcode
 *
 * A process that fails ends the wait of the others by an error of MPI, or after the
 * timeout. Most launchers kill the others at once; let them live to see the exception,
 * with `mpirun --enable-recovery` of Open MPI. After a CommunicationException
 * MPI_Finalize() may wait forever: end the program by MPI_Abort(), or without either.
 *
 * \ingroup gpu_distributed
 */
class PCL_EXPORTS MpiCommunicator : public Communicator {
public:
  /** \brief Joins processes. All of them make a communicator, in the same order.
   * \param[in] processes those of an MPI communicator, which is duplicated; its error
   * handler gets the errors of MPI while processes join
   * \param[in] timeout longest time that a function waits for the other processes,
   * seconds, above 0
   * \throws pcl::BadArgumentException if MPI has not begun or has ended, \a processes
   * is MPI_COMM_NULL, or \a timeout is not positive
   * \throws CommunicationException if a process failed
   */
  explicit MpiCommunicator(MPI_Comm processes = MPI_COMM_WORLD, float timeout = 60.0f);

  ~MpiCommunicator() override;

  void
  synchronize(const Stream& stream = {}) override;

private:
  void
  doGather(char* all,
           const std::vector<std::size_t>& starts,
           const Stream& stream) override;

  void
  doReduce(void* numbers,
           std::size_t count,
           std::size_t bytes_of_number,
           Reduction reduction,
           const Stream& stream) override;

  void
  doBroadcast(char* bytes, std::size_t count, int root, const Stream& stream) override;

  struct State;
  std::unique_ptr<State> state_;
};

} // namespace pcl::gpu
