// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/bin_split.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Parameters of a TensorTable.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorTableParameters {
  /** \brief Width of a bin of angles, radians, 0.001 to pi; 5 degrees. Bins count from
   * 0. The last one includes pi, and a rest of less than a thousandth of a bin. */
  float bin_width = 0.0872664626f;

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief A hash table of tensors in device memory, keyed by the angle between their
 * normals (Orts-Escolano et al. 2014, section 2.4).
 *
 * The tensors are sorted by the bins of their angles; those of a bin keep their order.
 * The tensors of neighbouring bins are thus neighbours. Each has a label of the
 * caller's, such as its model.
 *
 * The table of a library that is divided among ranks (TensorLibrary::setCommunicator())
 * is a part of the whole table: it has some of the tensors, in the whole table's order.
 * A table that build() makes is whole.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorTable : public Parameterized<TensorTableParameters> {
public:
  /** \return the width of the bins of the table, radians; may differ from a parameter
   * that was set later */
  float
  usedBinWidth() const
  {
    return used_bin_width_;
  }

  /** \brief Makes the table, on the device where the tensors are. Waits for the stream.
   *
   * O(tensors + entries).
   * \param[in] tensors any number, with all of their entries
   * \param[in] labels one for each, in the same order
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there are fewer labels than tensors, inputs
   * are on different devices, or entries were lost when the tensors were computed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  build(const TensorSet& tensors,
        const DeviceArray<int>& labels,
        const Stream& stream = {});

  /** \return the number of tensors */
  int
  size() const
  {
    return static_cast<int>(tensors_.frames.size());
  }

  /** \return the tensors in their new order, without spare room */
  const TensorSet&
  tensors() const
  {
    return tensors_;
  }

  /** \return the label of every tensor */
  const DeviceArray<int>&
  labels() const
  {
    return labels_;
  }

  /** \return the place that every tensor had when the table was made */
  const DeviceArray<std::uint32_t>&
  formerPlaces() const
  {
    return former_places_;
  }

  /** \return place of every bin's first tensor, and the number of all tensors */
  const DeviceArray<std::uint32_t>&
  binStarts() const
  {
    return bins_.starts;
  }

  /** \return one bit a voxel, set if it is not empty, for every tensor
   * getOccupancyWords() words */
  const DeviceArray<std::uint32_t>&
  occupancy() const
  {
    return occupancy_;
  }

  /** \brief Returns the words of occupancy() that a tensor has.
   * \param[in] grid_size voxels along each axis
   * \return a multiple of 8
   */
  static int
  getOccupancyWords(int grid_size);

  /** \return the frames of all tensors of the whole table; TensorMatch::tensor counts
   * them */
  const DeviceArray<TensorFrame>&
  wholeFrames() const
  {
    return whole_frames_;
  }

  /** \return the labels of all tensors of the whole table */
  const DeviceArray<int>&
  wholeLabels() const
  {
    return whole_labels_;
  }

private:
  friend class TensorLibrary;
  friend class TensorMatching;

  float used_bin_width_ = TensorTableParameters().bin_width;
  TensorSet tensors_;
  DeviceArray<int> labels_;
  DeviceArray<std::uint32_t> former_places_;
  SplitBins bins_;
  DeviceArray<std::uint32_t> occupancy_;
  DeviceArray<char> coarse_; ///< coarse tensors, in the device's own layout
  /** \brief Numbers of the part's tensors in the whole table. */
  DeviceArray<std::uint32_t> whole_numbers_;
  DeviceArray<TensorFrame> whole_frames_;
  DeviceArray<int> whole_labels_;
  /** \brief Of the ranks that have parts; null if the table is whole. */
  Communicator::Ptr communicator_;
};

} // namespace pcl::gpu
