// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/sample_sets_view.hpp>

struct CUstream_st;

namespace pcl::gpu::test {

/** \brief A filter as a user writes one: the nearest sample of each set. */
struct NearestSample {
  float* depths; ///< of points, metres; 0 for none
  int* colors;   ///< red << 16 | green << 8 | blue
  int* numbers;  ///< frame << 16 | row << 8 | column
  int stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row, const device::SampleSetView& set) const
  {
    const int pixel = row * stride + column;
    depths[pixel] = 0.0f;
    for (int i = 0; i < set.size(); ++i) {
      const device::SetSample sample = set[i];
      if (depths[pixel] > 0.0f && sample.z >= depths[pixel])
        continue;
      depths[pixel] = sample.z;
      colors[pixel] = sample.red << 16 | sample.green << 8 | sample.blue;
      numbers[pixel] = sample.frame << 16 | sample.row << 8 | sample.column;
    }
  }
};

/** \brief Filters sets in memory of a CUDA device; only in a build with CUDA. */
void
filterOnCuda(const device::SampleSetsView& sets,
             const NearestSample& filter,
             CUstream_st* stream);

} // namespace pcl::gpu::test
