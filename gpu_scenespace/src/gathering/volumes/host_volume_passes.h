// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::device {

/** \brief Runs a pass for every pixel, on all processors. */
inline const auto for_each_pixel =
    [](const char*, int columns, int rows, const auto& pass) {
#pragma omp parallel for schedule(dynamic)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          pass(column, row);
    };

} // namespace pcl::device
