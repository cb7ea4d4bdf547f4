// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_memory.h>

#include <cstddef>
#include <vector>

/** \file
 * \brief Typed device memory with reference counting: the classes of PCL's
 * gpu/containers. device_memory.h lists the differences.
 */

namespace pcl {
namespace gpu {

/** \brief An array of elements in device memory, with reference counting.
 *
 * Copies share the buffer (see DeviceMemory). Elements are copied as bytes: no
 * constructor or destructor runs.
 * \tparam T element type
 * \ingroup gpu_containers
 */
template <class T>
class DeviceArray : public DeviceMemory {
public:
  /** \brief Element type. */
  using type = T;

  /** \brief Element size in bytes. */
  enum { elem_size = sizeof(T) };

  /** \brief Makes an empty array. */
  DeviceArray() noexcept = default;

  /** \brief Allocates an array on the current device. Its contents are undefined.
   * \param[in] size number of elements
   * \throws pcl::BadArgumentException if the size in bytes exceeds the address space
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  DeviceArray(std::size_t size) : DeviceMemory(arrayBytes(size, sizeof(T))) {}

  /** \brief Wraps an array that the user allocated and will free.
   * \param[in] ptr the array, on any device or on the host
   * \param[in] size number of elements
   * \throws pcl::BadArgumentException if the size in bytes exceeds the address space
   * \throws DeviceException if the CUDA runtime does not know where the array lives
   */
  DeviceArray(T* ptr, std::size_t size) : DeviceMemory(ptr, arrayBytes(size, sizeof(T)))
  {}

  /** \brief Gives the array a size on the current device. Keeps an array of that size
   * that lives there, with its contents. Size 0 releases the array (PCL: keeps it).
   * \param[in] size number of elements
   * \throws pcl::BadArgumentException if the size in bytes exceeds the address space
   * \throws DeviceOutOfMemoryException if there is not enough memory
   * \see DeviceMemory::create()
   */
  void
  create(std::size_t size)
  {
    DeviceMemory::create(arrayBytes(size, sizeof(T)));
  }

  /** \brief Copies the elements. Takes time linear in the size.
   * \param[out] other destination; if its size differs, it is created anew on the
   * device where this array lives
   * \throws DeviceException if there is not enough memory or the device fails
   * \see DeviceMemory::copyTo()
   */
  void
  copyTo(DeviceArray& other) const
  {
    DeviceMemory::copyTo(other);
  }

  /** \brief Calls create() and copies host memory into the array. Takes time linear in
   * the size.
   * \param[in] host_ptr the first element
   * \param[in] size number of elements; 0 empties the array
   * \throws pcl::BadArgumentException if \a host_ptr is null and the size is not 0
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  upload(const T* host_ptr, std::size_t size)
  {
    DeviceMemory::upload(host_ptr, arrayBytes(size, sizeof(T)));
  }

  /** \brief Copies host memory into a part of the array. Never allocates. Takes time
   * linear in the size.
   * \param[in] host_ptr the first element to copy
   * \param[in] device_begin_offset index in the array of the first element
   * \param[in] num_elements number of elements to copy
   * \return false, and nothing is copied, if the part does not lie in the array
   * \throws pcl::BadArgumentException if \a host_ptr is null and the size is not 0
   * \throws DeviceException if the device fails
   */
  bool
  upload(const T* host_ptr, std::size_t device_begin_offset, std::size_t num_elements)
  {
    return isInside(device_begin_offset, num_elements, size()) &&
           DeviceMemory::upload(
               host_ptr, device_begin_offset * sizeof(T), num_elements * sizeof(T));
  }

  /** \brief Calls create() and copies a host vector into the array. Takes time linear
   * in the size. An empty vector empties the array (PCL: undefined).
   * \param[in] data host vector
   * \throws DeviceException if there is not enough memory or the device fails
   */
  template <class A>
  void
  upload(const std::vector<T, A>& data)
  {
    upload(data.data(), data.size());
  }

  /** \brief Copies the array to host memory. Takes time linear in the size.
   * \param[out] host_ptr room for size() elements
   * \throws pcl::BadArgumentException if \a host_ptr is null and this is not empty
   * \throws DeviceException if the device fails
   */
  void
  download(T* host_ptr) const
  {
    DeviceMemory::download(host_ptr);
  }

  /** \brief Copies a part of the array to host memory. Takes time linear in the size.
   * \param[out] host_ptr room for \a num_elements
   * \param[in] device_begin_offset index in the array of the first element
   * \param[in] num_elements number of elements to copy
   * \return false, and nothing is copied, if the part does not lie in the array
   * \throws pcl::BadArgumentException if \a host_ptr is null and the size is not 0
   * \throws DeviceException if the device fails
   */
  bool
  download(T* host_ptr, std::size_t device_begin_offset, std::size_t num_elements) const
  {
    return isInside(device_begin_offset, num_elements, size()) &&
           DeviceMemory::download(
               host_ptr, device_begin_offset * sizeof(T), num_elements * sizeof(T));
  }

  /** \brief Copies the array to a host vector. Takes time linear in the size.
   * \param[out] data host vector, resized to fit
   * \throws DeviceException if the device fails
   */
  template <class A>
  void
  download(std::vector<T, A>& data) const
  {
    data.resize(size());
    download(data.data());
  }

  /** \brief Exchanges two arrays. Copies nothing.
   * \param[in,out] other_arg array to exchange with
   */
  void
  swap(DeviceArray& other_arg) noexcept
  {
    DeviceMemory::swap(other_arg);
  }

  /** \brief Returns the array's address.
   * \return the address on its device, null if empty
   */
  T*
  ptr()
  {
    return DeviceMemory::ptr<T>();
  }

  /** \brief Returns the array's address.
   * \return the address on its device, null if empty
   */
  const T*
  ptr() const
  {
    return DeviceMemory::ptr<T>();
  }

  /** \brief Returns the array's address.
   * \return the address on its device, null if empty
   */
  operator T*() { return ptr(); }

  /** \brief Returns the array's address.
   * \return the address on its device, null if empty
   */
  operator const T*() const { return ptr(); }

  /** \brief Returns the number of elements.
   * \return elements
   */
  std::size_t
  size() const noexcept
  {
    return sizeBytes() / sizeof(T);
  }
};

/** \brief An image of elements in device memory, its rows padded to suit the device,
 * with reference counting.
 *
 * Copies share the buffer (see DeviceMemory2D). Elements are copied as bytes: no
 * constructor or destructor runs.
 * \tparam T element type
 * \ingroup gpu_containers
 */
template <class T>
class DeviceArray2D : public DeviceMemory2D {
public:
  /** \brief Element type. */
  using type = T;

  /** \brief Element size in bytes. */
  enum { elem_size = sizeof(T) };

  /** \brief Makes an empty array. */
  DeviceArray2D() noexcept = default;

  /** \brief Allocates an image on the current device. Its contents are undefined.
   * \param[in] rows number of rows
   * \param[in] cols elements in a row
   * \throws pcl::BadArgumentException if a size is negative or a row exceeds 2 GiB
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  DeviceArray2D(int rows, int cols) : DeviceMemory2D(rows, rowBytes(cols, sizeof(T))) {}

  /** \brief Wraps an image that the user allocated and will free.
   * \param[in] rows number of rows
   * \param[in] cols elements in a row
   * \param[in] data the image, on any device or on the host
   * \param[in] stepBytes bytes from one row to the next
   * \throws pcl::BadArgumentException if a size is negative or a row exceeds 2 GiB
   * \throws DeviceException if the CUDA runtime does not know where the image lives
   */
  DeviceArray2D(int rows, int cols, void* data, std::size_t stepBytes)
  : DeviceMemory2D(rows, rowBytes(cols, sizeof(T)), data, stepBytes)
  {}

  /** \brief Gives the image a size on the current device. Keeps an image of that size
   * that lives there, with its contents. No rows or no columns release the image (PCL:
   * keeps it).
   * \param[in] rows number of rows
   * \param[in] cols elements in a row
   * \throws pcl::BadArgumentException if a size is negative or a row exceeds 2 GiB
   * \throws DeviceOutOfMemoryException if there is not enough memory
   * \see DeviceMemory2D::create()
   */
  void
  create(int rows, int cols)
  {
    DeviceMemory2D::create(rows, rowBytes(cols, sizeof(T)));
  }

  /** \brief Copies the elements. Takes time linear in the size.
   * \param[out] other destination; if its size differs, it is created anew on the
   * device where this image lives
   * \throws DeviceException if there is not enough memory or the device fails
   * \see DeviceMemory2D::copyTo()
   */
  void
  copyTo(DeviceArray2D& other) const
  {
    DeviceMemory2D::copyTo(other);
  }

  /** \brief Calls create() and copies host memory into the image. Takes time linear in
   * the size. No rows or no columns empty the image.
   * \param[in] host_ptr the first element of the first row
   * \param[in] host_step bytes from one row to the next in host memory
   * \param[in] rows number of rows
   * \param[in] cols elements in a row
   * \throws pcl::BadArgumentException if a size is negative, \a host_step is less than
   * a row, or \a host_ptr is null and the sizes are not 0
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  upload(const void* host_ptr, std::size_t host_step, int rows, int cols)
  {
    DeviceMemory2D::upload(host_ptr, host_step, rows, rowBytes(cols, sizeof(T)));
  }

  /** \brief Calls create() and copies a host vector into the image. Takes time linear
   * in the size. An empty vector empties the image (PCL: undefined).
   * \param[in] data the rows, one after the other; an incomplete last row is left out
   * \param[in] cols elements in a row
   * \throws pcl::BadArgumentException if \a cols is not positive and \a data not empty
   * \throws DeviceException if there is not enough memory or the device fails
   */
  template <class A>
  void
  upload(const std::vector<T, A>& data, int cols)
  {
    if (data.empty())
      return release();
    upload(data.data(), cols * sizeof(T), wholeRows(data.size(), cols), cols);
  }

  /** \brief Copies the image to host memory. Takes time linear in the size.
   * \param[out] host_ptr_arg room for rows() times \a host_step_arg
   * \param[in] host_step_arg bytes from one row to the next in host memory
   * \throws pcl::BadArgumentException if \a host_step_arg is less than a row, or
   * \a host_ptr_arg is null and this is not empty
   * \throws DeviceException if the device fails
   */
  using DeviceMemory2D::download;

  /** \brief Copies the image to a host vector, without padding. Takes time linear in
   * the size.
   * \param[out] data host vector, resized to fit
   * \param[out] cols elements in a row
   * \throws DeviceException if the device fails
   */
  template <class A>
  void
  download(std::vector<T, A>& data, int& cols) const
  {
    cols = this->cols();
    data.resize(static_cast<std::size_t>(rows()) * cols);
    if (!data.empty())
      download(data.data(), cols * sizeof(T));
  }

  /** \brief Exchanges two images. Copies nothing.
   * \param[in,out] other_arg image to exchange with
   */
  void
  swap(DeviceArray2D& other_arg) noexcept
  {
    DeviceMemory2D::swap(other_arg);
  }

  /** \brief Returns the address of a row.
   * \param[in] y index of the row
   * \return the address on the image's device
   */
  T*
  ptr(int y = 0)
  {
    return DeviceMemory2D::ptr<T>(y);
  }

  /** \brief Returns the address of a row.
   * \param[in] y index of the row
   * \return the address on the image's device
   */
  const T*
  ptr(int y = 0) const
  {
    return DeviceMemory2D::ptr<T>(y);
  }

  /** \brief Returns the address of the first row.
   * \return the address on the image's device, null if empty
   */
  operator T*() { return ptr(); }

  /** \brief Returns the address of the first row.
   * \return the address on the image's device, null if empty
   */
  operator const T*() const { return ptr(); }

  /** \brief Returns the elements in a row.
   * \return elements, without padding
   */
  int
  cols() const noexcept
  {
    return static_cast<int>(colsBytes() / sizeof(T));
  }

  /** \brief Returns the distance from one row to the next in whole elements.
   * \return step() divided by the element size, rounded down
   */
  std::size_t
  elem_step() const noexcept
  {
    return step() / sizeof(T);
  }
};

} // namespace gpu

namespace device {
using pcl::gpu::DeviceArray;
using pcl::gpu::DeviceArray2D;
} // namespace device
} // namespace pcl
