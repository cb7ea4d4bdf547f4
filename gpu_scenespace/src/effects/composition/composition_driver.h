// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/composition.hpp"
#include "effects/composition/inpainting.hpp"
#include "effects/composition/mover_layers.hpp"

struct CUstream_st;

namespace pcl::device {

/** \brief Puts images together pixel by pixel.
 *
 * One object a device kind; it has no state. All memory lives on the device that is current.
 */
class CompositionDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  maskDepth(const MaskDepth& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  dropEdges(const DropEdges& task, Queue queue) const = 0;

  virtual void
  addPicture(const AddPicture& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  dividePictures(const DividePictures& task,
                 int columns,
                 int rows,
                 Queue queue) const = 0;

  virtual void
  fillHoles(const FillHoles& task, Queue queue) const = 0;

  virtual void
  copyPicture(const CopyPicture& task, Queue queue) const = 0;

  virtual void
  markDifferences(const MarkDifference& task, Queue queue) const = 0;

  virtual void
  placeKnown(const PlaceKnown& task, Queue queue) const = 0;

  /** \brief Fills the holes of the lowest level.
   * \param[in] levels from the lowest one, which is of the picture's size, to one of a pixel
   */
  virtual void
  fillByPyramid(const PyramidLevel* levels, int count, Queue queue) const = 0;

  virtual void
  writeInpainted(const WriteInpainted& task, Queue queue) const = 0;

  virtual void
  clearMovers(const ClearMovers& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  addMovers(const AddMover& task, Queue queue) const = 0;

  virtual void
  writeMovers(const WriteMovers& task, Queue queue) const = 0;

protected:
  ~CompositionDriver() = default;
};

const CompositionDriver&
hostCompositionDriver();

/** \brief Exists only where the module is built with CUDA. */
const CompositionDriver&
cudaCompositionDriver();

} // namespace pcl::device
