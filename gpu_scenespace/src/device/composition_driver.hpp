// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "composition_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl {
namespace device {

/** \brief The driver of a device kind: an executor is all that differs.
 * \tparam MakeExecutor gives the executor of a queue
 */
template <typename MakeExecutor>
class CompositionDriverOn final : public CompositionDriver {
public:
  void
  maskDepth(const MaskDepth& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  addPicture(const AddPicture& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  dividePictures(const DividePictures& task,
                 int columns,
                 int rows,
                 Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  fillHoles(const FillHoles& task, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), task.columns, task.rows, task);
  }
};

} // namespace device
} // namespace pcl
