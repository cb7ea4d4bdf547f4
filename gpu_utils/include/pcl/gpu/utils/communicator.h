// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace pcl::gpu {

/** \brief Failure of processes that work together: one of them failed or is late, or
 * the connection to it broke.
 * \ingroup gpu_utils
 */
class PCL_EXPORTS CommunicationException : public PCLException {
public:
  /** \brief Describes a failure.
   * \param[in] message the failure, in words
   * \param[in] file_name source file that detected it, or null
   * \param[in] function_name function that detected it, or null
   * \param[in] line_number line that detected it, or 0
   */
  CommunicationException(const std::string& message,
                         const char* file_name = nullptr,
                         const char* function_name = nullptr,
                         unsigned line_number = 0);

  /** \brief Destroys the exception. Out of line, so that all libraries of a program
   * share one type. */
  ~CommunicationException() noexcept override;
};

/** \brief Operation that joins the numbers of all ranks.
 * \ingroup gpu_utils
 */
enum class Reduction {
  Sum, ///< modulo 2^32 or 2^64
  Min  ///< the least number
};

/** \brief Processes that work on one task together, and exchange their results.
 *
 * Each process has a rank and a device. All of them call the same functions in the same
 * order, with the same sizes. If one does not call a function, the others get an
 * exception. Only whole numbers are added, since the sum of other numbers would depend
 * on the number of processes.
 *
 * Functions join a stream: on a CUDA device they return when their work is queued, on
 * the host when it is done. If a process fails, the others wait for it no longer than
 * the time that they were made with. From then on their work has no meaning, and
 * synchronize() and all other functions throw. Make another communicator to go on.
 *
 * MpiCommunicator works on hosts, NcclCommunicator on CUDA devices. One thread at a
 * time uses a communicator.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS Communicator {
public:
  using Ptr = std::shared_ptr<Communicator>; ///< shared by all users of a process

  virtual ~Communicator();

  Communicator(const Communicator&) = delete;
  Communicator&
  operator=(const Communicator&) = delete;

  /** \return the number of this process, from 0 on */
  int
  rank() const
  {
    return rank_;
  }

  /** \return the number of processes */
  int
  size() const
  {
    return size_;
  }

  /** \return the device whose memory the functions take */
  const Device&
  device() const
  {
    return device_;
  }

  /** \brief Cuts things into a run for each rank, as even as possible.
   * \param[in] count number of things
   * \return the first thing of each rank, and \a count behind them
   */
  std::vector<std::size_t>
  shares(std::size_t count) const;

  /** \brief Gathers a part of an array from each rank, so that all ranks have all of
   * it.
   * \param[in,out] all the array, with this rank's part in its place
   * \param[in] starts the first element of each rank's part, ascending, and the size of
   * \a all behind them; as shares() returns them, or others
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there are not rank + 1 ascending \a starts
   * \throws CommunicationException if a process failed
   */
  template <typename T>
  void
  allGather(T* all, std::vector<std::size_t> starts, const Stream& stream = {})
  {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    for (std::size_t& start : starts)
      start *= sizeof(T);
    gatherBytes(reinterpret_cast<char*>(all), starts, stream);
  }

  /** \brief Joins the numbers that all ranks have at the same place of an array.
   * \param[in,out] numbers the array; all ranks get the same
   * \param[in] count number of elements
   * \param[in] reduction operation that joins them
   * \param[in] stream the queue to join
   * \throws CommunicationException if a process failed
   */
  template <typename T>
  void
  allReduce(T* numbers,
            std::size_t count,
            Reduction reduction,
            const Stream& stream = {})
  {
    static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>,
                  "only whole numbers give the same result for any number of ranks");
    reduceNumbers(numbers, count, sizeof(T), reduction, stream);
  }

  /** \brief Copies an array of one rank to all others.
   * \param[in,out] values the array
   * \param[in] count number of elements
   * \param[in] root the rank that has them
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no such rank
   * \throws CommunicationException if a process failed
   */
  template <typename T>
  void
  broadcast(T* values, std::size_t count, int root, const Stream& stream = {})
  {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    broadcastBytes(reinterpret_cast<char*>(values), count * sizeof(T), root, stream);
  }

  /** \brief Waits until the work of a stream is done, as Stream::synchronize() does,
   * but not for a process that failed.
   * \param[in] stream the queue that other functions joined
   * \throws CommunicationException if a process failed
   * \throws DeviceException if the device failed
   */
  virtual void
  synchronize(const Stream& stream = {}) = 0;

protected:
  /** \brief Describes this process.
   * \param[in] rank number of the process
   * \param[in] size number of processes
   * \param[in] device the device whose memory the functions take
   */
  Communicator(int rank, int size, const Device& device);

private:
  virtual void
  doGather(char* all, const std::vector<std::size_t>& starts, const Stream& stream) = 0;

  virtual void
  doReduce(void* numbers,
           std::size_t count,
           std::size_t bytes_of_number,
           Reduction reduction,
           const Stream& stream) = 0;

  virtual void
  doBroadcast(char* bytes, std::size_t count, int root, const Stream& stream) = 0;

  void
  gatherBytes(char* all, const std::vector<std::size_t>& starts, const Stream& stream);

  void
  reduceNumbers(void* numbers,
                std::size_t count,
                std::size_t bytes_of_number,
                Reduction reduction,
                const Stream& stream);

  void
  broadcastBytes(char* bytes, std::size_t count, int root, const Stream& stream);

  int rank_;
  int size_;
  Device device_;
};

} // namespace pcl::gpu
