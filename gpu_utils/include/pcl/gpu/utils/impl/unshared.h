// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu::detail {

/** \brief Something that an object keeps from call to call and that is not copied with
 * it: the copy starts with a new one. */
template <typename T>
class Unshared {
public:
  Unshared() = default;
  Unshared(const Unshared&) {}
  Unshared(Unshared&&) = default;
  ~Unshared() = default;

  Unshared&
  operator=(const Unshared&)
  {
    return *this;
  }

  Unshared&
  operator=(Unshared&&) = default;

  T value{}; ///< the thing
};

} // namespace pcl::gpu::detail
