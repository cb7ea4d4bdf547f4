// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <memory>

namespace pcl::gpu {

/** \brief Memory that an algorithm object keeps from call to call.
 *
 * A copy of the object starts with none, so that objects share nothing and need no
 * special members of their own. The type may be incomplete where the object is
 * declared.
 *
 * \tparam T default constructible
 * \ingroup gpu_utils
 */
template <typename T>
class PrivateBuffers {
public:
  /** \brief Makes no buffers yet. */
  PrivateBuffers() = default;

  /** \brief Makes no buffers yet. */
  PrivateBuffers(const PrivateBuffers&) {}

  /** \brief Takes the buffers over. */
  PrivateBuffers(PrivateBuffers&&) noexcept = default;

  /** \brief Gives its own buffers up.
   * \return this
   */
  PrivateBuffers&
  operator=(const PrivateBuffers&)
  {
    buffers_.reset();
    return *this;
  }

  /** \brief Takes the buffers over.
   * \return this
   */
  PrivateBuffers&
  operator=(PrivateBuffers&&) noexcept = default;

  /** \return the buffers; makes them at the first call */
  T&
  get()
  {
    if (!buffers_)
      buffers_ = std::make_shared<T>();
    return *buffers_;
  }

private:
  std::shared_ptr<T> buffers_; ///< of this object alone
};

} // namespace pcl::gpu
