// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace pcl::gpu {

/** \brief Bins of a list of elements that has been split.
 * \ingroup gpu_utils
 */
struct SplitBins {
  DeviceArray<std::uint32_t> counts; ///< histogram: the number of elements of every bin
  /** \brief Place of every bin's first element in the list, and the list's length. */
  DeviceArray<std::uint32_t> starts;
};

/** \brief Split of a list: puts its elements into the order of their bins.
 *
 * The split of Patidar and Narayanan 2008, section 4, for any payload. The elements of
 * a bin stay in their former order. Results have the paper's layout: one list in which
 * the bins follow each other, with the histogram and the bins' starts beside it.
 *
 * Splitting by several keys, the paper's multi-level split, is a split() by the first
 * and a segmentedSplit() by each further one, whose segments are the bins so far.
 *
 * Keys are numbers of bins and are not checked. If a key is no such number, the list is
 * still a permutation, but its bins' counts and starts are undefined and may differ
 * from run to run.
 *
 * Lists have fewer than 2^31 elements. O(elements * log(bins)). The result is the same,
 * bit for bit, on every run. Neither allocates nor waits in steady state.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS BinSplit {
public:
  /** \brief The largest number of bins of a list. */
  static constexpr std::uint32_t max_bins = 2048u * 2048u;

  /** \brief Sets the number of bins that an element can belong to.
   * \param[in] bins 1 (the default) to max_bins
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setNumberOfBins(std::uint32_t bins);

  /** \return the number of bins that an element can belong to */
  std::uint32_t
  getNumberOfBins() const
  {
    return bins_;
  }

  /** \brief Splits elements that consist of a key only.
   * \param[in] keys the bin of every element
   * \param[out] split_keys the keys in their new order; not \a keys itself
   * \param[out] bins the bins of the list
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there are too many elements, or an output is
   * an input or another output
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  split(const DeviceArray<std::uint32_t>& keys,
        DeviceArray<std::uint32_t>& split_keys,
        SplitBins& bins,
        const Stream& stream = {});

  /** \brief Splits elements that have a key and a payload.
   * \tparam T any type that may be copied byte by byte
   * \param[in] keys the bin of every element
   * \param[in] payload the payload of every element
   * \param[out] split_keys the keys in their new order; not \a keys itself
   * \param[out] split_payload the payload in its new order; not \a payload itself
   * \param[out] bins the bins of the list
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, the inputs live on different
   * devices, there are too many elements, or an output is an input or
   * another output
   * \throws DeviceException if the device fails or runs out of memory
   */
  template <typename T>
  void
  split(const DeviceArray<std::uint32_t>& keys,
        const DeviceArray<T>& payload,
        DeviceArray<std::uint32_t>& split_keys,
        DeviceArray<T>& split_payload,
        SplitBins& bins,
        const Stream& stream = {})
  {
    checkOutputs({&keys, &payload}, {&split_keys, &split_payload}, bins);
    static_assert(std::is_trivially_copyable<T>::value, "payload is copied by bytes");
    const Payload bytes = preparePayload(keys, payload, sizeof(T), split_payload);
    splitBytes(keys, nullptr, bytes, split_keys, bins, stream);
  }

  /** \brief Splits every segment of a list by itself.
   *
   * The segments stay where they are; the bins of each follow each other within it. All
   * bins together count as segments times getNumberOfBins().
   * \tparam T any type that may be copied byte by byte
   * \param[in] keys the bin of every element in its segment
   * \param[in] segment_starts place of every segment's first element, and the list's
   * length; in ascending order
   * \param[in] payload the payload of every element
   * \param[out] split_keys the bin of every element in the list, in their new order:
   * segment * getNumberOfBins() + key; not \a keys itself
   * \param[out] split_payload the payload in its new order; not \a payload itself
   * \param[out] bins the bins of all segments
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as split(), if \a segment_starts is empty, or if
   * there are more than max_bins bins in all
   * \throws DeviceException if the device fails or runs out of memory
   */
  template <typename T>
  void
  segmentedSplit(const DeviceArray<std::uint32_t>& keys,
                 const DeviceArray<std::uint32_t>& segment_starts,
                 const DeviceArray<T>& payload,
                 DeviceArray<std::uint32_t>& split_keys,
                 DeviceArray<T>& split_payload,
                 SplitBins& bins,
                 const Stream& stream = {})
  {
    checkOutputs(
        {&keys, &payload, &segment_starts}, {&split_keys, &split_payload}, bins);
    static_assert(std::is_trivially_copyable<T>::value, "payload is copied by bytes");
    const Payload bytes = preparePayload(keys, payload, sizeof(T), split_payload);
    splitBytes(keys, &segment_starts, bytes, split_keys, bins, stream);
  }

  /** \brief Splits elements that each belong to any number of bins.
   * \param[in] key_starts for every element the place of its first key in \a keys, and
   * the number of keys; in ascending order
   * \param[in] keys the bins of the first element, of the second, and so on
   * \param[out] split_keys the keys in their new order; not \a keys itself
   * \param[out] split_elements the number of the element of every key, ascending within
   * a bin
   * \param[out] bins the bins of both lists
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if \a key_starts is empty, the inputs live on
   * different devices, there are too many keys, or an output is an input or another
   * output
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  multiSplit(const DeviceArray<std::uint32_t>& key_starts,
             const DeviceArray<std::uint32_t>& keys,
             DeviceArray<std::uint32_t>& split_keys,
             DeviceArray<std::uint32_t>& split_elements,
             SplitBins& bins,
             const Stream& stream = {});

private:
  /** \brief A payload as bytes; 0 bytes if there is none. */
  struct Payload {
    const void* from;
    void* to;
    std::size_t bytes; ///< of one element
  };

  /** \brief Checks a payload, and gives its output the payload's size. */
  static Payload
  preparePayload(const DeviceArray<std::uint32_t>& keys,
                 const DeviceMemory& payload,
                 std::size_t element_bytes,
                 DeviceMemory& split_payload);

  /** \brief Checks that no output is an input or another output. */
  static void
  checkOutputs(std::initializer_list<const DeviceMemory*> inputs,
               std::initializer_list<const DeviceMemory*> outputs,
               const SplitBins& bins);

  void
  splitBytes(const DeviceArray<std::uint32_t>& keys,
             const DeviceArray<std::uint32_t>* segment_starts,
             const Payload& payload,
             DeviceArray<std::uint32_t>& split_keys,
             SplitBins& bins,
             const Stream& stream);

  std::uint32_t bins_ = 1;
  Workspace workspace_;
  Workspace element_memory_; // of multiSplit(), beside what split() takes
};

} // namespace pcl::gpu
