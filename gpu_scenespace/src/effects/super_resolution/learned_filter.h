// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/super_resolution/learned_filter.hpp"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/point_types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief A filter that enlarges a picture, learned from the picture itself.
 *
 * Of all filters of 7x7 pixels it is the one that best enlarges means of squares of the
 * picture's pixels to the picture, by least squares; where the picture does not
 * determine it, it is the filter it begins with. Structure recurs at other scales
 * (Glasner et al. 2009), and learning a picture's filters from it at another scale is
 * from Romano et al. 2016.
 */
class LearnedFilter {
public:
  /** \brief Learns the filter of a picture on the current device. Waits.
   * \param[in] picture on the current device
   * \param[in] beginning the filter that enlarges pictures without detail
   */
  void
  learn(const DeviceArray2D<RGB>& picture,
        const device::Enlargement& beginning,
        const Stream& stream);

  /** \brief Enlarges the picture.
   * \param[out] enlarged row by row without gaps
   */
  void
  enlarge(const DeviceArray2D<RGB>& picture,
          device::Float4* enlarged,
          const Stream& stream);

  /** \brief Bytes of device memory. */
  static std::size_t
  estimateMemory(int width, int height, int scale);

private:
  int scale_ = 0;
  Workspace memory_;
  std::vector<std::uint64_t> totals_;
  std::vector<float> weights_;
  MirroredTable<float> weights_table_;
};

} // namespace pcl::gpu
