// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/super_resolution/super_resolution_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

/** \brief The driver of a device kind: an executor is all that differs.
 * \tparam MakeExecutor gives the executor of a queue
 */
template <typename MakeExecutor>
class SuperResolutionDriverOn final : public SuperResolutionDriver {
public:
  void
  run(const EnlargeAcross& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const AddEnlargedDown& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const OwnResidual& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const FrameResidual& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const SumErrors& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const SumLanes& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const BlurAcross& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const EncodeResidual& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const WriteReference& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const AddResidual& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const WriteEstimate& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const ReducePicture& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const SumTapProducts& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const SumGroups& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  run(const EnlargeByFilter& task, int columns, int rows, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }
};

} // namespace pcl::device
