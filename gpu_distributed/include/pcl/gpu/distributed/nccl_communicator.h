// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/communicator.h>
#include <pcl/pcl_exports.h>

#include <array>

namespace pcl::gpu {

/** \brief Name of a group of processes. One of them makes it and sends it to the
 * others.
 * \ingroup gpu_distributed
 */
using NcclGroupId = std::array<char, 128>;

/** \brief Processes, each with a CUDA device of its own, that exchange results in
 * device memory through NCCL: over NVLink, PCIe or the network.
 *
 * \code
 * pcl::gpu::MpiCommunicator hosts;
 * pcl::gpu::setDevice(number_on_this_host);
 * const auto ranks = std::make_shared<pcl::gpu::NcclCommunicator>(hosts);
 * \endcode
 *
 * Functions queue their work and return; the first of a kind may wait for the others
 * while NCCL connects to them, no longer than the timeout. A thread watches the work:
 * if an exchange lasts longer than the timeout, from the moment that the stream comes
 * to it, or NCCL reports an error, the thread aborts all exchanges. The stream then
 * goes on with undefined results, and the next function throws. Streams that CUDA
 * captures into a graph are refused, since nothing could watch the graph.
 *
 * \ingroup gpu_distributed
 */
class PCL_EXPORTS NcclCommunicator : public Communicator {
public:
  /** \brief Makes the name of a new group.
   * \return the name
   * \throws CommunicationException if NCCL fails
   */
  static NcclGroupId
  makeGroupId();

  /** \brief Joins processes, each with its current device. All of them call it.
   * \param[in] rank number of this process
   * \param[in] size number of processes
   * \param[in] id name of the group, the same in all processes
   * \param[in] timeout longest time that a function waits for the other processes,
   * seconds, above 0
   * \throws pcl::BadArgumentException if the current device is the host, or another
   * argument is wrong
   * \throws CommunicationException if a process failed, or two have the same device
   */
  NcclCommunicator(int rank, int size, const NcclGroupId& id, float timeout = 60.0f);

  /** \brief Joins the processes of a communicator, each with its current device. All of
   * them call it.
   * \param[in] hosts sends the name of the group; works on the host
   * \param[in] timeout as above
   * \throws as above
   */
  explicit NcclCommunicator(Communicator& hosts, float timeout = 60.0f);

  /** \brief Waits until all exchanges are done and the other processes leave, too, no
   * longer than the timeout for each. */
  ~NcclCommunicator() override;

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
