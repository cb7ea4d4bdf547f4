// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <memory>
#include <utility>

/** \file
 * \brief Untyped device memory with reference counting: the classes of PCL's
 * gpu/containers, with these differences:
 *
 * - Memory can also live on the host. It is allocated on the current device
 *   (currentDevice()) and knows where it lives (deviceOf()).
 * - Objects can be moved.
 * - `create(0)` releases the buffer; PCL keeps it. So does an upload of size 0, where
 *   PCL reads the old size from the host.
 * - create() keeps a buffer of the right size only if it lives on the current device.
 * - Failures throw DeviceException or pcl::BadArgumentException; PCL exits the program.
 *   Releasing memory never throws.
 * - Uploads, downloads and copies wait for the device both before they begin and when
 *   they are done, so they see what kernels on any stream have written. PCL waits only
 *   when done.
 *
 * One object may not be changed by two threads at once; copies of it, which share the
 * buffer, may be made, moved and destroyed by any thread.
 */

namespace pcl {
namespace gpu {

/** \brief A buffer of device memory with reference counting.
 *
 * Copies share the buffer; the last one frees it. An object that was moved from is
 * empty. A buffer that the user allocated can be wrapped; it is never freed here.
 * \ingroup gpu_containers
 */
class PCL_EXPORTS DeviceMemory {
public:
  /** \brief Makes an empty buffer. */
  DeviceMemory() noexcept = default;

  /** \brief Allocates a buffer on the current device. Its contents are undefined.
   * \param[in] sizeBytes_arg size in bytes
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  DeviceMemory(std::size_t sizeBytes_arg);

  /** \brief Wraps a buffer that the user allocated and will free.
   * \param[in] ptr_arg the buffer, on any device or on the host
   * \param[in] sizeBytes_arg size in bytes
   * \throws DeviceException if the CUDA runtime does not know where the buffer lives
   */
  DeviceMemory(void* ptr_arg, std::size_t sizeBytes_arg);

  /** \brief Gives the buffer a size on the current device.
   *
   * A buffer of that size that lives there is kept, with its contents. Otherwise the
   * buffer is released and a new one allocated, with undefined contents. The same holds
   * for a wrapped buffer. Size 0 releases the buffer (PCL: keeps it). If the allocation
   * fails, the object is empty.
   *
   * \param[in] sizeBytes_arg size in bytes
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  void
  create(std::size_t sizeBytes_arg);

  /** \brief Releases the buffer, and frees it if no copy shares it. Never throws. */
  void
  release() noexcept
  {
    data_.reset();
  }

  /** \brief Copies the contents. Takes time linear in the size.
   *
   * A destination of another size is created on the device where this memory lives. One
   * of the same size is kept where it is, and the contents are copied between devices
   * if necessary. If this is empty, the destination is released.
   *
   * \param[out] other destination
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  copyTo(DeviceMemory& other) const;

  /** \brief Calls create() and copies host memory into the buffer. Takes time linear in
   * the size. Size 0 releases the buffer (PCL: reads the old size from the host).
   * \param[in] host_ptr_arg host memory
   * \param[in] sizeBytes_arg size in bytes
   * \throws pcl::BadArgumentException if \a host_ptr_arg is null and the size is not 0
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  upload(const void* host_ptr_arg, std::size_t sizeBytes_arg);

  /** \brief Copies host memory into a part of the buffer. Never allocates. Takes time
   * linear in the size.
   * \param[in] host_ptr_arg host memory
   * \param[in] device_begin_byte_offset first byte of the part
   * \param[in] num_bytes number of bytes to copy
   * \return false, and nothing is copied, if the part does not lie in the buffer
   * \throws pcl::BadArgumentException if \a host_ptr_arg is null and the size is not 0
   * \throws DeviceException if the device fails
   */
  bool
  upload(const void* host_ptr_arg,
         std::size_t device_begin_byte_offset,
         std::size_t num_bytes);

  /** \brief Copies the buffer to host memory. Takes time linear in the size.
   * \param[out] host_ptr_arg host memory of at least sizeBytes()
   * \throws pcl::BadArgumentException if \a host_ptr_arg is null and this is not empty
   * \throws DeviceException if the device fails
   */
  void
  download(void* host_ptr_arg) const;

  /** \brief Copies a part of the buffer to host memory. Takes time linear in the size.
   * \param[out] host_ptr_arg host memory of at least \a num_bytes
   * \param[in] device_begin_byte_offset first byte of the part
   * \param[in] num_bytes number of bytes to copy
   * \return false, and nothing is copied, if the part does not lie in the buffer
   * \throws pcl::BadArgumentException if \a host_ptr_arg is null and the size is not 0
   * \throws DeviceException if the device fails
   */
  bool
  download(void* host_ptr_arg,
           std::size_t device_begin_byte_offset,
           std::size_t num_bytes) const;

  /** \brief Exchanges two buffers. Copies nothing.
   * \param[in,out] other_arg memory to exchange with
   */
  void
  swap(DeviceMemory& other_arg) noexcept
  {
    std::swap(*this, other_arg);
  }

  /** \brief Returns the buffer's address.
   * \return the address on its device, null if empty
   */
  template <class T>
  T*
  ptr()
  {
    return static_cast<T*>(data_.get());
  }

  /** \brief Returns the buffer's address.
   * \return the address on its device, null if empty
   */
  template <class T>
  const T*
  ptr() const
  {
    return static_cast<const T*>(data_.get());
  }

  /** \brief Returns a view to pass to a kernel. It owns nothing.
   * \return the buffer and the number of whole elements in it
   */
  template <class U>
  operator PtrSz<U>() const
  {
    return PtrSz<U>(static_cast<U*>(data_.get()), sizeBytes() / sizeof(U));
  }

  /** \brief Returns whether there is no buffer.
   * \return true if no memory is allocated or wrapped
   */
  bool
  empty() const noexcept
  {
    return !data_;
  }

  /** \brief Returns the size of the buffer.
   * \return bytes
   */
  std::size_t
  sizeBytes() const noexcept
  {
    return data_ ? sizeBytes_ : 0;
  }

protected:
  /** \brief Returns the size of an array in bytes.
   * \param[in] count number of elements
   * \param[in] elem_size size of an element in bytes
   * \return the product
   * \throws pcl::BadArgumentException if the product exceeds the address space
   */
  static std::size_t
  arrayBytes(std::size_t count, std::size_t elem_size);

  /** \brief Returns whether a part lies in a buffer; no sum can overflow.
   * \param[in] offset first byte or element of the part
   * \param[in] size bytes or elements of the part
   * \param[in] buffer_size bytes or elements of the buffer
   * \return true if it lies in the buffer
   */
  static bool
  isInside(std::size_t offset, std::size_t size, std::size_t buffer_size)
  {
    return offset <= buffer_size && size <= buffer_size - offset;
  }

private:
  friend PCL_EXPORTS Device
  deviceOf(const DeviceMemory& memory);

  /** \brief Releases the buffer and allocates one.
   * \param[in] size_bytes size, above 0
   * \param[in] place as place_
   */
  void
  allocate(std::size_t size_bytes, int place);

  /** \brief Address on the device; owns nothing if the user allocated the buffer. If
   * null, the other members have no meaning. */
  std::shared_ptr<void> data_;

  /** \brief Size in bytes. */
  std::size_t sizeBytes_ = 0;

  /** \brief Place of the buffer: a CUDA ordinal, or -1 for the host. */
  int place_ = -1;
};

/** \brief A buffer of device memory in rows, each padded to a step that suits the
 * device, with reference counting.
 *
 * Copies share the buffer; the last one frees it. An object that was moved from is
 * empty. A buffer that the user allocated can be wrapped; it is never freed here. CUDA
 * chooses the step on its devices (cudaMallocPitch()); on the host it is a multiple of
 * 64 bytes, as is every row's address.
 * \ingroup gpu_containers
 */
class PCL_EXPORTS DeviceMemory2D {
public:
  /** \brief Makes an empty buffer. */
  DeviceMemory2D() noexcept = default;

  /** \brief Allocates a buffer on the current device. Its contents are undefined.
   * \param[in] rows_arg number of rows
   * \param[in] colsBytes_arg bytes in a row
   * \throws pcl::BadArgumentException if a size is negative
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  DeviceMemory2D(int rows_arg, int colsBytes_arg);

  /** \brief Wraps a buffer that the user allocated and will free.
   * \param[in] rows_arg number of rows
   * \param[in] colsBytes_arg bytes in a row
   * \param[in] data_arg the buffer, on any device or on the host
   * \param[in] step_arg bytes from one row to the next
   * \throws pcl::BadArgumentException if a size is negative
   * \throws DeviceException if the CUDA runtime does not know where the buffer lives
   */
  DeviceMemory2D(int rows_arg, int colsBytes_arg, void* data_arg, std::size_t step_arg);

  /** \brief Gives the buffer a size on the current device.
   *
   * A buffer of that size that lives there is kept, with its contents. Otherwise the
   * buffer is released and a new one allocated, with undefined contents. The same holds
   * for a wrapped buffer. No rows or no columns release the buffer (PCL: keeps it). If
   * the allocation fails, the object is empty.
   *
   * \param[in] rows_arg number of rows
   * \param[in] colsBytes_arg bytes in a row
   * \throws pcl::BadArgumentException if a size is negative
   * \throws DeviceOutOfMemoryException if there is not enough memory
   */
  void
  create(int rows_arg, int colsBytes_arg);

  /** \brief Releases the buffer, and frees it if no copy shares it. Never throws. */
  void
  release() noexcept
  {
    data_.reset();
  }

  /** \brief Copies the contents, row by row. Takes time linear in the size.
   *
   * A destination of another size is created on the device where this memory lives. One
   * of the same size is kept where it is, and the contents are copied between devices
   * if necessary. If this is empty, the destination is released.
   *
   * \param[out] other destination
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  copyTo(DeviceMemory2D& other) const;

  /** \brief Calls create() and copies host memory into the buffer, row by row. Takes
   * time linear in the size. No rows or no columns release the buffer.
   * \param[in] host_ptr_arg host memory
   * \param[in] host_step_arg bytes from one row to the next in host memory
   * \param[in] rows_arg number of rows
   * \param[in] colsBytes_arg bytes in a row
   * \throws pcl::BadArgumentException if a size is negative, \a host_step_arg is less
   * than a row, or \a host_ptr_arg is null and the sizes are not 0
   * \throws DeviceException if there is not enough memory or the device fails
   */
  void
  upload(const void* host_ptr_arg,
         std::size_t host_step_arg,
         int rows_arg,
         int colsBytes_arg);

  /** \brief Copies the buffer to host memory, row by row. Takes time linear in the
   * size.
   * \param[out] host_ptr_arg host memory of at least rows() times \a host_step_arg
   * \param[in] host_step_arg bytes from one row to the next in host memory
   * \throws pcl::BadArgumentException if \a host_step_arg is less than a row, or
   * \a host_ptr_arg is null and this is not empty
   * \throws DeviceException if the device fails
   */
  void
  download(void* host_ptr_arg, std::size_t host_step_arg) const;

  /** \brief Exchanges two buffers. Copies nothing.
   * \param[in,out] other_arg memory to exchange with
   */
  void
  swap(DeviceMemory2D& other_arg) noexcept
  {
    std::swap(*this, other_arg);
  }

  /** \brief Returns the address of a row.
   * \param[in] y_arg index of the row
   * \return the address on the buffer's device
   */
  template <class T>
  T*
  ptr(int y_arg = 0)
  {
    return reinterpret_cast<T*>(static_cast<char*>(data_.get()) + y_arg * step());
  }

  /** \brief Returns the address of a row.
   * \param[in] y_arg index of the row
   * \return the address on the buffer's device
   */
  template <class T>
  const T*
  ptr(int y_arg = 0) const
  {
    return reinterpret_cast<const T*>(static_cast<const char*>(data_.get()) +
                                      y_arg * step());
  }

  /** \brief Returns a view to pass to a kernel. It owns nothing.
   * \return the buffer and its step
   */
  template <class U>
  operator PtrStep<U>() const
  {
    return PtrStep<U>(static_cast<U*>(data_.get()), step());
  }

  /** \brief Returns a view to pass to a kernel. It owns nothing.
   * \return the buffer, its step, its rows and the number of whole elements in a row
   */
  template <class U>
  operator PtrStepSz<U>() const
  {
    return PtrStepSz<U>(rows(),
                        static_cast<int>(colsBytes() / sizeof(U)),
                        static_cast<U*>(data_.get()),
                        step());
  }

  /** \brief Returns whether there is no buffer.
   * \return true if no memory is allocated or wrapped
   */
  bool
  empty() const noexcept
  {
    return !data_;
  }

  /** \brief Returns the size of a row.
   * \return bytes, without padding
   */
  int
  colsBytes() const noexcept
  {
    return data_ ? colsBytes_ : 0;
  }

  /** \brief Returns the number of rows.
   * \return rows
   */
  int
  rows() const noexcept
  {
    return data_ ? rows_ : 0;
  }

  /** \brief Returns the distance from one row to the next.
   * \return bytes (never elements)
   */
  std::size_t
  step() const noexcept
  {
    return data_ ? step_ : 0;
  }

protected:
  /** \brief Returns the size of a row in bytes.
   * \param[in] cols number of elements
   * \param[in] elem_size size of an element in bytes
   * \return the product
   * \throws pcl::BadArgumentException if \a cols is negative or the product does not
   * fit an int
   */
  static int
  rowBytes(int cols, std::size_t elem_size);

  /** \brief Returns the number of whole rows in a host image without padding.
   * \param[in] count number of its elements
   * \param[in] cols elements in a row
   * \return the number of whole rows
   * \throws pcl::BadArgumentException if \a cols is not positive or the rows do not fit
   * an int
   */
  static int
  wholeRows(std::size_t count, int cols);

private:
  friend PCL_EXPORTS Device
  deviceOf(const DeviceMemory2D& memory);

  /** \brief Releases the buffer and allocates one.
   * \param[in] rows number of rows, above 0
   * \param[in] cols_bytes bytes in a row, above 0
   * \param[in] place as place_
   */
  void
  allocate(int rows, int cols_bytes, int place);

  /** \brief Address on the device; owns nothing if the user allocated the buffer. If
   * null, the other members have no meaning. */
  std::shared_ptr<void> data_;

  /** \brief Bytes from one row to the next. */
  std::size_t step_ = 0;

  /** \brief Bytes in a row. */
  int colsBytes_ = 0;

  /** \brief Number of rows. */
  int rows_ = 0;

  /** \brief Place of the buffer: a CUDA ordinal, or -1 for the host. */
  int place_ = -1;
};

} // namespace gpu

namespace device {
using pcl::gpu::DeviceMemory;
using pcl::gpu::DeviceMemory2D;
} // namespace device
} // namespace pcl
