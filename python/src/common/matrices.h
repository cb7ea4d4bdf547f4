// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Geometry>
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>

#include <optional>
#include <type_traits>

/** \file
 * \brief Vectors and matrices in Python: anything that NumPy makes an array of. Poses
 * are matrices of 4 x 4 numbers.
 */

namespace pcl_gpu_python {

/** \brief A vector or matrix that a function takes, of lists, too. */
template <typename Matrix>
struct MatrixArgument {
  Matrix value;

  operator const Matrix&() const { return value; }
};

/** \brief A pose that a function takes: 4 x 4 numbers. */
using PoseMatrix = MatrixArgument<Eigen::Matrix4f>;

inline Eigen::Isometry3f
poseOf(const PoseMatrix& argument)
{
  Eigen::Isometry3f pose;
  pose.matrix() = argument.value;
  return pose;
}

/** \brief Returns the default of a pose. */
inline PoseMatrix
identityPose()
{
  return {Eigen::Matrix4f::Identity()};
}

/** \brief Reads a vector or matrix.
 * \return false if it is none of that size
 */
template <typename Matrix>
bool
readMatrix(nanobind::handle source, Matrix& matrix)
{
  try {
    const nanobind::object array =
        nanobind::module_::import_("numpy").attr("asarray")(source, "float32");
    return nanobind::try_cast(array, matrix, true);
  }
  catch (nanobind::python_error&) {
    return false;
  }
}

inline bool
readMatrix(nanobind::handle source, Eigen::Isometry3f& pose)
{
  return readMatrix(source, pose.matrix());
}

template <typename Matrix>
bool
readMatrix(nanobind::handle source, std::optional<Matrix>& matrix)
{
  Matrix read;
  const bool is_there = !source.is_none();
  if (is_there && !readMatrix(source, read))
    return false;
  matrix = is_there ? std::make_optional(read) : std::nullopt;
  return true;
}

/** \brief Whether readMatrix() reads values of a type. */
template <typename Value>
constexpr bool is_matrix_v =
    nanobind::detail::is_eigen_v<Value> || std::is_same_v<Value, Eigen::Isometry3f>;

template <typename Value>
constexpr bool is_matrix_v<std::optional<Value>> = is_matrix_v<Value>;

} // namespace pcl_gpu_python

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

template <typename Matrix>
struct type_caster<pcl_gpu_python::MatrixArgument<Matrix>> {
  NB_TYPE_CASTER(pcl_gpu_python::MatrixArgument<Matrix>,
                 const_name("numpy.typing.ArrayLike"))

  bool
  from_python(handle source, std::uint8_t, cleanup_list*) noexcept
  {
    return pcl_gpu_python::readMatrix(source, value.value);
  }

  static handle
  from_cpp(const pcl_gpu_python::MatrixArgument<Matrix>& matrix,
           rv_policy policy,
           cleanup_list* cleanup) noexcept
  {
    return type_caster<Matrix>::from_cpp(matrix.value, policy, cleanup);
  }
};

} // namespace nanobind::detail
