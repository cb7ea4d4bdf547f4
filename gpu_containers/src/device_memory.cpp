// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_runtime_calls.h"
#include "thread_device.h"

#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/containers/device_memory.h>

#include <cstring>
#include <limits>
#include <memory>
#include <new>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace pcl::gpu {
namespace {

using runtime::Rows;

/** \brief Alignment of host memory: that of cudaMalloc(), because code relies on it. */
constexpr std::align_val_t host_alignment{256};
/** \brief Alignment of rows of host memory, bytes: a cache line. */
constexpr std::size_t host_row_alignment = 64;

std::size_t
freeHostBytes()
{
#if defined(_SC_AVPHYS_PAGES)
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
#else
  return 0;
#endif
}

void*
allocateHost(std::size_t bytes)
{
  void* data = ::operator new(bytes, host_alignment, std::nothrow);
  if (!data)
    throw DeviceOutOfMemoryException(Device::host(), bytes, freeHostBytes());
  return data;
}

/** \brief Returns memory that its last copy frees. */
std::shared_ptr<void>
owned(void* data, int place)
{
  return {data, [place](void* memory) {
            if (place == runtime::host)
              ::operator delete(memory, host_alignment);
            else
              runtime::free(memory, place);
          }};
}

/** \brief Returns the place of a buffer that the user allocated. */
int
placeOf(const void* pointer)
{
  return pointer ? runtime::placeOf(pointer) : runtime::host;
}

void
checkNotNull(const char* name, const void* pointer, std::size_t bytes)
{
  if (!pointer && bytes > 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        name << " is null: expected memory of " << bytes << " bytes");
}

/** \brief Returns host memory of the user, as source or as destination. */
Rows
hostRows(const void* data, std::size_t step)
{
  return {const_cast<void*>(data), step, runtime::host};
}

void
copyRows(const Rows& to, const Rows& from, std::size_t row_bytes, std::size_t rows)
{
  const std::size_t bytes = rows * row_bytes;
  if (bytes == 0 || to.data == from.data)
    return;
  checkNotNull("source", from.data, bytes);
  checkNotNull("destination", to.data, bytes);
  if (to.place != runtime::host || from.place != runtime::host)
    return runtime::copy(to, from, row_bytes, rows);
  for (std::size_t y = 0; y < rows; ++y)
    std::memmove(static_cast<char*>(to.data) + y * to.step,
                 static_cast<const char*>(from.data) + y * from.step,
                 row_bytes);
}

void
checkNotNegative(const char* name, int value)
{
  if (value < 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        name << " is " << value << ": expected 0 or more");
}

void
checkHostStep(std::size_t step, int row_bytes)
{
  if (step < static_cast<std::size_t>(row_bytes))
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "host_step is " << step << ": expected at least the "
                                        << row_bytes << " bytes of a row");
}

} // namespace

DeviceMemory::DeviceMemory(std::size_t sizeBytes_arg) { create(sizeBytes_arg); }

DeviceMemory::DeviceMemory(void* ptr_arg, std::size_t sizeBytes_arg)
: data_(std::shared_ptr<void>(), ptr_arg)
, sizeBytes_(sizeBytes_arg)
, place_(placeOf(ptr_arg))
{}

void
DeviceMemory::create(std::size_t sizeBytes_arg)
{
  if (sizeBytes_arg == 0)
    return release();
  const int place = runtime::currentPlace();
  if (sizeBytes() != sizeBytes_arg || place_ != place)
    allocate(sizeBytes_arg, place);
}

void
DeviceMemory::copyTo(DeviceMemory& other) const
{
  if (empty())
    return other.release();
  if (other.sizeBytes() != sizeBytes_)
    other.allocate(sizeBytes_, place_);
  copyRows({other.data_.get(), sizeBytes_, other.place_},
           {data_.get(), sizeBytes_, place_},
           sizeBytes_,
           1);
}

void
DeviceMemory::upload(const void* host_ptr_arg, std::size_t sizeBytes_arg)
{
  checkNotNull("source", host_ptr_arg, sizeBytes_arg);
  create(sizeBytes_arg);
  upload(host_ptr_arg, 0, sizeBytes_arg);
}

bool
DeviceMemory::upload(const void* host_ptr_arg,
                     std::size_t device_begin_byte_offset,
                     std::size_t num_bytes)
{
  if (!isInside(device_begin_byte_offset, num_bytes, sizeBytes()))
    return false;
  copyRows({ptr<char>() + device_begin_byte_offset, num_bytes, place_},
           hostRows(host_ptr_arg, num_bytes),
           num_bytes,
           1);
  return true;
}

void
DeviceMemory::download(void* host_ptr_arg) const
{
  download(host_ptr_arg, 0, sizeBytes());
}

bool
DeviceMemory::download(void* host_ptr_arg,
                       std::size_t device_begin_byte_offset,
                       std::size_t num_bytes) const
{
  if (!isInside(device_begin_byte_offset, num_bytes, sizeBytes()))
    return false;
  copyRows(
      hostRows(host_ptr_arg, num_bytes),
      {static_cast<char*>(data_.get()) + device_begin_byte_offset, num_bytes, place_},
      num_bytes,
      1);
  return true;
}

std::size_t
DeviceMemory::arrayBytes(std::size_t count, std::size_t elem_size)
{
  if (count > std::numeric_limits<std::size_t>::max() / elem_size)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "size is " << count << ": that many elements of " << elem_size
                                   << " bytes exceed the address space");
  return count * elem_size;
}

void
DeviceMemory::allocate(std::size_t size_bytes, int place)
{
  release();
  data_ = owned(place == runtime::host ? allocateHost(size_bytes)
                                       : runtime::allocate(size_bytes, place),
                place);
  sizeBytes_ = size_bytes;
  place_ = place;
}

DeviceMemory2D::DeviceMemory2D(int rows_arg, int colsBytes_arg)
{
  create(rows_arg, colsBytes_arg);
}

DeviceMemory2D::DeviceMemory2D(int rows_arg,
                               int colsBytes_arg,
                               void* data_arg,
                               std::size_t step_arg)
: data_(std::shared_ptr<void>(), data_arg)
, step_(step_arg)
, colsBytes_(colsBytes_arg)
, rows_(rows_arg)
, place_(placeOf(data_arg))
{
  checkNotNegative("rows", rows_arg);
  checkNotNegative("colsBytes", colsBytes_arg);
}

void
DeviceMemory2D::create(int rows_arg, int colsBytes_arg)
{
  checkNotNegative("rows", rows_arg);
  checkNotNegative("colsBytes", colsBytes_arg);
  if (rows_arg == 0 || colsBytes_arg == 0)
    return release();
  const int place = runtime::currentPlace();
  if (rows() != rows_arg || colsBytes() != colsBytes_arg || place_ != place)
    allocate(rows_arg, colsBytes_arg, place);
}

void
DeviceMemory2D::copyTo(DeviceMemory2D& other) const
{
  if (empty())
    return other.release();
  if (other.rows() != rows_ || other.colsBytes() != colsBytes_)
    other.allocate(rows_, colsBytes_, place_);
  copyRows({other.data_.get(), other.step_, other.place_},
           {data_.get(), step_, place_},
           colsBytes_,
           rows_);
}

void
DeviceMemory2D::upload(const void* host_ptr_arg,
                       std::size_t host_step_arg,
                       int rows_arg,
                       int colsBytes_arg)
{
  checkNotNegative("rows", rows_arg);
  checkNotNegative("colsBytes", colsBytes_arg);
  checkHostStep(host_step_arg, colsBytes_arg);
  checkNotNull(
      "source", host_ptr_arg, static_cast<std::size_t>(rows_arg) * colsBytes_arg);
  create(rows_arg, colsBytes_arg);
  copyRows({data_.get(), step_, place_},
           hostRows(host_ptr_arg, host_step_arg),
           colsBytes(),
           rows());
}

void
DeviceMemory2D::download(void* host_ptr_arg, std::size_t host_step_arg) const
{
  checkHostStep(host_step_arg, colsBytes());
  copyRows(hostRows(host_ptr_arg, host_step_arg),
           {data_.get(), step_, place_},
           colsBytes(),
           rows());
}

int
DeviceMemory2D::rowBytes(int cols, std::size_t elem_size)
{
  checkNotNegative("cols", cols);
  if (static_cast<std::size_t>(cols) > std::numeric_limits<int>::max() / elem_size)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "cols is " << cols << ": a row of that many elements of "
                                   << elem_size << " bytes exceeds 2 GiB");
  return static_cast<int>(cols * elem_size);
}

int
DeviceMemory2D::wholeRows(std::size_t count, int cols)
{
  if (cols <= 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "cols is " << cols << ": expected more than 0");
  const std::size_t rows = count / cols;
  if (rows > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "rows is " << rows << ": expected no more than fit an int");
  return static_cast<int>(rows);
}

void
DeviceMemory2D::allocate(int rows, int cols_bytes, int place)
{
  release();
  if (place == runtime::host) {
    step_ =
        (cols_bytes + host_row_alignment - 1) / host_row_alignment * host_row_alignment;
    data_ = owned(allocateHost(rows * step_), place);
  }
  else
    data_ = owned(runtime::allocateRows(rows, cols_bytes, place, step_), place);
  colsBytes_ = cols_bytes;
  rows_ = rows;
  place_ = place;
}

} // namespace pcl::gpu
