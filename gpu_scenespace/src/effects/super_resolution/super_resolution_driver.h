// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/super_resolution/learned_filter.hpp"
#include "effects/super_resolution/super_resolution.hpp"

struct CUstream_st;

namespace pcl::device {

/** \brief Runs steps of super-resolution for each pixel of an image, or each column of
 * sums.
 *
 * One object a device kind; it has no state. All memory lives on the device that is current.
 */
class SuperResolutionDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  run(const EnlargeAcross& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const AddEnlargedDown& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const OwnResidual& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const FrameResidual& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const SumErrors& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const SumLanes& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const BlurAcross& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const EncodeResidual& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const WriteReference& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const AddResidual& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const WriteEstimate& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const ReducePicture& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const SumTapProducts& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const SumGroups& task, int columns, int rows, Queue queue) const = 0;

  virtual void
  run(const EnlargeByFilter& task, int columns, int rows, Queue queue) const = 0;

protected:
  ~SuperResolutionDriver() = default;
};

const SuperResolutionDriver&
hostSuperResolutionDriver();

/** \brief Exists only where the module is built with CUDA. */
const SuperResolutionDriver&
cudaSuperResolutionDriver();

} // namespace pcl::device
