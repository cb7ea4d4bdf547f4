// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief Poses to turn. All arrays live on the device. */
struct KinematicsTask {
  KinematicTree tree;
  const float* poses;
  std::size_t count;
  JointTransform* scratch; ///< as many as the driver asks for
};

/** \brief What gpu::ForwardKinematics asks of a device; it has no state. */
class KinematicsDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Number of the task's scratch transforms, which any step may leave in any state.
   * It depends on the tree alone. */
  virtual std::size_t
  scratchCount(const KinematicTree& tree) const = 0;

  virtual void
  placeCapsules(const KinematicsTask& task,
                gpu::Capsule* capsules,
                Queue queue) const = 0;

  virtual void
  placeCapsules(const KinematicsTask& task,
                gpu::TaperedCapsule* capsules,
                Queue queue) const = 0;

  virtual void
  placeJoints(const KinematicsTask& task, Float4* positions, Queue queue) const = 0;

protected:
  ~KinematicsDriver() = default;
};

const KinematicsDriver&
hostKinematicsDriver();

/** \brief Exists only where the module is built with CUDA. */
const KinematicsDriver&
cudaKinematicsDriver();

} // namespace pcl::device
