// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Geometry>
#include <nanobind/eigen/dense.h>

/** \file
 * \brief Poses are matrices of 4 x 4 numbers in Python.
 */

namespace nanobind::detail {

template <>
struct type_caster<Eigen::Isometry3f> {
  using Matrix = type_caster<Eigen::Matrix4f>;
  NB_TYPE_CASTER(Eigen::Isometry3f, Matrix::Name)

  bool
  from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept
  {
    Matrix matrix;
    if (!matrix.from_python(source, flags, cleanup))
      return false;
    value.matrix() = matrix.value;
    return true;
  }

  static handle
  from_cpp(const Eigen::Isometry3f& pose, rv_policy, cleanup_list* cleanup) noexcept
  {
    return Matrix::from_cpp(Eigen::Matrix4f(pose.matrix()), rv_policy::move, cleanup);
  }
};

} // namespace nanobind::detail
