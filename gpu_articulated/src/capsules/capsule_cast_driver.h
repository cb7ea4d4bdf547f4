// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsule_cast.hpp"

struct CUstream_st;

namespace pcl::device {

/** \brief What gpu::CapsuleRayCaster asks of a device; it has no state. */
class CapsuleCastDriver {
public:
  /** \brief Casts the rays of all pixels; there is one at least. */
  virtual void
  cast(const CapsuleCastTask& task, CUstream_st* queue) const = 0;

protected:
  ~CapsuleCastDriver() = default;
};

const CapsuleCastDriver&
hostCapsuleCastDriver();

/** \brief Exists only where the module is built with CUDA. */
const CapsuleCastDriver&
cudaCapsuleCastDriver();

} // namespace pcl::device
