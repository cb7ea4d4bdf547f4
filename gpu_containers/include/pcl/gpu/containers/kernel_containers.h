// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>

/** \file
 * \brief Views of device memory that a kernel takes by value: a pointer with a size, or
 * with a step from row to row. They own nothing and check nothing.
 */

#if defined(__CUDACC__)
#define __PCL_GPU_HOST_DEVICE__ __host__ __device__ __forceinline__
#else
#define __PCL_GPU_HOST_DEVICE__
#endif

namespace pcl {
namespace gpu {

/** \brief A typed device pointer.
 * \ingroup gpu_containers
 */
template <typename T>
struct DevPtr {
  /** \brief Type of an element. */
  using elem_type = T;

  /** \brief Size of an element in bytes. */
  static constexpr std::size_t elem_size = sizeof(elem_type);

  /** \brief The first element. */
  T* data;

  /** \brief Makes a null pointer. */
  __PCL_GPU_HOST_DEVICE__
  DevPtr() : data(nullptr) {}

  /** \brief Points to given memory.
   * \param[in] data_arg the first element
   */
  __PCL_GPU_HOST_DEVICE__
  DevPtr(T* data_arg) : data(data_arg) {}

  /** \brief Returns the size of an element.
   * \return bytes
   */
  __PCL_GPU_HOST_DEVICE__ std::size_t
  elemSize() const
  {
    return elem_size;
  }

  /** \brief Returns the plain pointer.
   * \return the first element
   */
  __PCL_GPU_HOST_DEVICE__
  operator T*() { return data; }

  /** \brief Returns the plain pointer.
   * \return the first element
   */
  __PCL_GPU_HOST_DEVICE__
  operator const T*() const { return data; }
};

/** \brief A device pointer and the number of elements behind it.
 * \ingroup gpu_containers
 */
template <typename T>
struct PtrSz : public DevPtr<T> {
  /** \brief Makes an empty view. */
  __PCL_GPU_HOST_DEVICE__
  PtrSz() : size(0) {}

  /** \brief Points to given memory.
   * \param[in] data_arg the first element
   * \param[in] size_arg number of elements
   */
  __PCL_GPU_HOST_DEVICE__
  PtrSz(T* data_arg, std::size_t size_arg) : DevPtr<T>(data_arg), size(size_arg) {}

  /** \brief Number of elements. */
  std::size_t size;
};

/** \brief A device pointer to the rows of an image.
 * \ingroup gpu_containers
 */
template <typename T>
struct PtrStep : public DevPtr<T> {
  /** \brief Makes an empty view. */
  __PCL_GPU_HOST_DEVICE__
  PtrStep() : step(0) {}

  /** \brief Points to given memory.
   * \param[in] data_arg the first element of the first row
   * \param[in] step_arg bytes from one row to the next
   */
  __PCL_GPU_HOST_DEVICE__
  PtrStep(T* data_arg, std::size_t step_arg) : DevPtr<T>(data_arg), step(step_arg) {}

  /** \brief Bytes (never elements) from one row to the next. */
  std::size_t step;

  /** \brief Returns the address of a row.
   * \param[in] y index of the row
   * \return the row's first element
   */
  __PCL_GPU_HOST_DEVICE__ T*
  ptr(int y = 0)
  {
    return (T*)((char*)DevPtr<T>::data + y * step);
  }

  /** \brief Returns the address of a row.
   * \param[in] y index of the row
   * \return the row's first element
   */
  __PCL_GPU_HOST_DEVICE__ const T*
  ptr(int y = 0) const
  {
    return (const T*)((const char*)DevPtr<T>::data + y * step);
  }

  /** \brief Returns an element.
   * \param[in] y index of the row
   * \param[in] x index in the row
   * \return the element
   */
  __PCL_GPU_HOST_DEVICE__ T&
  operator()(int y, int x)
  {
    return ptr(y)[x];
  }

  /** \brief Returns an element.
   * \param[in] y index of the row
   * \param[in] x index in the row
   * \return the element
   */
  __PCL_GPU_HOST_DEVICE__ const T&
  operator()(int y, int x) const
  {
    return ptr(y)[x];
  }
};

/** \brief A device pointer to the rows of an image, and its size.
 * \ingroup gpu_containers
 */
template <typename T>
struct PtrStepSz : public PtrStep<T> {
  /** \brief Makes an empty view. */
  __PCL_GPU_HOST_DEVICE__
  PtrStepSz() : cols(0), rows(0) {}

  /** \brief Points to given memory.
   * \param[in] rows_arg number of rows
   * \param[in] cols_arg elements in a row
   * \param[in] data_arg the first element of the first row
   * \param[in] step_arg bytes from one row to the next
   */
  __PCL_GPU_HOST_DEVICE__
  PtrStepSz(int rows_arg, int cols_arg, T* data_arg, std::size_t step_arg)
  : PtrStep<T>(data_arg, step_arg)
  , cols(cols_arg)
  , rows(rows_arg)
  {}

  /** \brief Elements in a row. */
  int cols;

  /** \brief Number of rows. */
  int rows;
};

} // namespace gpu

namespace device {
using pcl::gpu::PtrStep;
using pcl::gpu::PtrStepSz;
using pcl::gpu::PtrSz;
} // namespace device
} // namespace pcl

#undef __PCL_GPU_HOST_DEVICE__
