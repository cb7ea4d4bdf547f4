// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/composition_driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device {

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
  dropEdges(const DropEdges& task, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), task.columns, task.rows, task);
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

  void
  copyPicture(const CopyPicture& task, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), task.color.cols, task.color.rows, task);
  }

  void
  markDifferences(const MarkDifference& task, Queue queue) const override
  {
    forPixels(task.input, task, queue);
  }

  void
  placeKnown(const PlaceKnown& task, Queue queue) const override
  {
    forPixels(task.input, task, queue);
  }

  void
  fillByPyramid(const PyramidLevel* levels, int count, Queue queue) const override
  {
    const auto executor = MakeExecutor()(queue);
    for (int i = 0; i + 1 < count; ++i)
      parallelFor2D(executor,
                    levels[i + 1].columns,
                    levels[i + 1].rows,
                    PullPixel{levels[i], levels[i + 1]});
    for (int i = count - 2; i >= 0; --i)
      parallelFor2D(executor,
                    levels[i].columns,
                    levels[i].rows,
                    PushPixel{levels[i + 1], levels[i]});
  }

  void
  writeInpainted(const WriteInpainted& task, Queue queue) const override
  {
    forPixels(task.input, task, queue);
  }

  void
  clearMovers(const ClearMovers& task,
              int columns,
              int rows,
              Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), columns, rows, task);
  }

  void
  addMovers(const AddMover& task, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), task.color.cols, task.color.rows, task);
  }

  void
  writeMovers(const WriteMovers& task, Queue queue) const override
  {
    parallelFor2D(MakeExecutor()(queue), task.columns, task.rows, task);
  }

private:
  template <typename Task>
  static void
  forPixels(const InpaintingInput& input, const Task& task, Queue queue)
  {
    parallelFor2D(MakeExecutor()(queue), input.color.cols, input.color.rows, task);
  }
};

} // namespace pcl::device
