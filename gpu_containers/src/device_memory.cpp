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
#include <utility>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace pcl::gpu {
namespace {

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

void
free(void* data, int place) noexcept
{
  if (place == runtime::host)
    ::operator delete(data, host_alignment);
  else
    runtime::free(data, place);
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

void
copy(void* to, int to_place, const void* from, int from_place, std::size_t bytes)
{
  if (bytes == 0 || to == from)
    return;
  checkNotNull("source", from, bytes);
  checkNotNull("destination", to, bytes);
  if (to_place == runtime::host && from_place == runtime::host)
    std::memmove(to, from, bytes);
  else
    runtime::copy(to, to_place, from, from_place, bytes);
}

void
copyRows(void* to,
         std::size_t to_step,
         int to_place,
         const void* from,
         std::size_t from_step,
         int from_place,
         int row_bytes,
         int rows)
{
  const std::size_t bytes = static_cast<std::size_t>(rows) * row_bytes;
  if (bytes == 0 || to == from)
    return;
  checkNotNull("source", from, bytes);
  checkNotNull("destination", to, bytes);
  if (to_place != runtime::host || from_place != runtime::host)
    return runtime::copyRows(
        to, to_step, to_place, from, from_step, from_place, row_bytes, rows);
  for (int y = 0; y < rows; ++y)
    std::memmove(static_cast<char*>(to) + y * to_step,
                 static_cast<const char*>(from) + y * from_step,
                 row_bytes);
}

void
checkNotNegative(const char* name, int value)
{
  if (value < 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        name << " is " << value << ": expected 0 or more");
}

/** \brief Returns whether bytes behind an offset are in a buffer. */
bool
isInside(std::size_t offset, std::size_t bytes, std::size_t buffer_bytes)
{
  return offset <= buffer_bytes && bytes <= buffer_bytes - offset;
}

void
checkHostStep(std::size_t step, int row_bytes)
{
  if (step < static_cast<std::size_t>(row_bytes))
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "host_step is " << step << ": expected at least the "
                                        << row_bytes << " bytes of a row");
}

/** \brief Drops one reference to a buffer; the last one frees it. */
void
leave(std::atomic<int>* refcount, void* data, int place) noexcept
{
  if (refcount && refcount->fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete refcount;
    free(data, place);
  }
}

void
join(std::atomic<int>* refcount) noexcept
{
  if (refcount)
    refcount->fetch_add(1, std::memory_order_relaxed);
}

} // namespace

DeviceMemory::DeviceMemory() noexcept
: data_(nullptr)
, sizeBytes_(0)
, refcount_(nullptr)
, place_(runtime::host)
{}

DeviceMemory::~DeviceMemory() { release(); }

DeviceMemory::DeviceMemory(std::size_t sizeBytes_arg) : DeviceMemory()
{
  create(sizeBytes_arg);
}

DeviceMemory::DeviceMemory(void* ptr_arg, std::size_t sizeBytes_arg)
: data_(ptr_arg)
, sizeBytes_(sizeBytes_arg)
, refcount_(nullptr)
, place_(placeOf(ptr_arg))
{}

DeviceMemory::DeviceMemory(const DeviceMemory& other_arg) noexcept
: data_(other_arg.data_)
, sizeBytes_(other_arg.sizeBytes_)
, refcount_(other_arg.refcount_)
, place_(other_arg.place_)
{
  join(refcount_);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other_arg) noexcept : DeviceMemory()
{
  swap(other_arg);
}

DeviceMemory&
DeviceMemory::operator=(const DeviceMemory& other_arg) noexcept
{
  DeviceMemory(other_arg).swap(*this);
  return *this;
}

DeviceMemory&
DeviceMemory::operator=(DeviceMemory&& other_arg) noexcept
{
  DeviceMemory(std::move(other_arg)).swap(*this);
  return *this;
}

void
DeviceMemory::create(std::size_t sizeBytes_arg)
{
  if (sizeBytes_arg == 0)
    return release();
  const int place = runtime::currentPlace();
  if (!data_ || sizeBytes_ != sizeBytes_arg || place_ != place)
    allocate(sizeBytes_arg, place);
}

void
DeviceMemory::release() noexcept
{
  leave(refcount_, data_, place_);
  data_ = nullptr;
  sizeBytes_ = 0;
  refcount_ = nullptr;
}

void
DeviceMemory::copyTo(DeviceMemory& other) const
{
  if (empty())
    return other.release();
  if (other.empty() || other.sizeBytes_ != sizeBytes_)
    other.allocate(sizeBytes_, place_);
  copy(other.data_, other.place_, data_, place_, sizeBytes_);
}

void
DeviceMemory::upload(const void* host_ptr_arg, std::size_t sizeBytes_arg)
{
  checkNotNull("source", host_ptr_arg, sizeBytes_arg);
  create(sizeBytes_arg);
  copy(data_, place_, host_ptr_arg, runtime::host, sizeBytes_);
}

bool
DeviceMemory::upload(const void* host_ptr_arg,
                     std::size_t device_begin_byte_offset,
                     std::size_t num_bytes)
{
  if (!isInside(device_begin_byte_offset, num_bytes, sizeBytes_))
    return false;
  copy(static_cast<char*>(data_) + device_begin_byte_offset,
       place_,
       host_ptr_arg,
       runtime::host,
       num_bytes);
  return true;
}

void
DeviceMemory::download(void* host_ptr_arg) const
{
  copy(host_ptr_arg, runtime::host, data_, place_, sizeBytes_);
}

bool
DeviceMemory::download(void* host_ptr_arg,
                       std::size_t device_begin_byte_offset,
                       std::size_t num_bytes) const
{
  if (!isInside(device_begin_byte_offset, num_bytes, sizeBytes_))
    return false;
  copy(host_ptr_arg,
       runtime::host,
       static_cast<const char*>(data_) + device_begin_byte_offset,
       place_,
       num_bytes);
  return true;
}

void
DeviceMemory::swap(DeviceMemory& other_arg) noexcept
{
  std::swap(data_, other_arg.data_);
  std::swap(sizeBytes_, other_arg.sizeBytes_);
  std::swap(refcount_, other_arg.refcount_);
  std::swap(place_, other_arg.place_);
}

bool
DeviceMemory::empty() const noexcept
{
  return !data_;
}

std::size_t
DeviceMemory::sizeBytes() const noexcept
{
  return sizeBytes_;
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
  std::unique_ptr<std::atomic<int>> refcount(new std::atomic<int>(1));
  data_ = place == runtime::host ? allocateHost(size_bytes)
                                 : runtime::allocate(size_bytes, place);
  sizeBytes_ = size_bytes;
  refcount_ = refcount.release();
  place_ = place;
}

DeviceMemory2D::DeviceMemory2D() noexcept
: data_(nullptr)
, step_(0)
, colsBytes_(0)
, rows_(0)
, refcount_(nullptr)
, place_(runtime::host)
{}

DeviceMemory2D::~DeviceMemory2D() { release(); }

DeviceMemory2D::DeviceMemory2D(int rows_arg, int colsBytes_arg) : DeviceMemory2D()
{
  create(rows_arg, colsBytes_arg);
}

DeviceMemory2D::DeviceMemory2D(int rows_arg,
                               int colsBytes_arg,
                               void* data_arg,
                               std::size_t step_arg)
: data_(data_arg)
, step_(step_arg)
, colsBytes_(colsBytes_arg)
, rows_(rows_arg)
, refcount_(nullptr)
, place_(placeOf(data_arg))
{
  checkNotNegative("rows", rows_arg);
  checkNotNegative("colsBytes", colsBytes_arg);
}

DeviceMemory2D::DeviceMemory2D(const DeviceMemory2D& other_arg) noexcept
: data_(other_arg.data_)
, step_(other_arg.step_)
, colsBytes_(other_arg.colsBytes_)
, rows_(other_arg.rows_)
, refcount_(other_arg.refcount_)
, place_(other_arg.place_)
{
  join(refcount_);
}

DeviceMemory2D::DeviceMemory2D(DeviceMemory2D&& other_arg) noexcept : DeviceMemory2D()
{
  swap(other_arg);
}

DeviceMemory2D&
DeviceMemory2D::operator=(const DeviceMemory2D& other_arg) noexcept
{
  DeviceMemory2D(other_arg).swap(*this);
  return *this;
}

DeviceMemory2D&
DeviceMemory2D::operator=(DeviceMemory2D&& other_arg) noexcept
{
  DeviceMemory2D(std::move(other_arg)).swap(*this);
  return *this;
}

void
DeviceMemory2D::create(int rows_arg, int colsBytes_arg)
{
  checkNotNegative("rows", rows_arg);
  checkNotNegative("colsBytes", colsBytes_arg);
  if (rows_arg == 0 || colsBytes_arg == 0)
    return release();
  const int place = runtime::currentPlace();
  if (!data_ || rows_ != rows_arg || colsBytes_ != colsBytes_arg || place_ != place)
    allocate(rows_arg, colsBytes_arg, place);
}

void
DeviceMemory2D::release() noexcept
{
  leave(refcount_, data_, place_);
  data_ = nullptr;
  step_ = 0;
  colsBytes_ = 0;
  rows_ = 0;
  refcount_ = nullptr;
}

void
DeviceMemory2D::copyTo(DeviceMemory2D& other) const
{
  if (empty())
    return other.release();
  if (other.empty() || other.rows_ != rows_ || other.colsBytes_ != colsBytes_)
    other.allocate(rows_, colsBytes_, place_);
  copyRows(
      other.data_, other.step_, other.place_, data_, step_, place_, colsBytes_, rows_);
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
  copyRows(data_,
           step_,
           place_,
           host_ptr_arg,
           host_step_arg,
           runtime::host,
           colsBytes_,
           rows_);
}

void
DeviceMemory2D::download(void* host_ptr_arg, std::size_t host_step_arg) const
{
  checkHostStep(host_step_arg, colsBytes_);
  copyRows(host_ptr_arg,
           host_step_arg,
           runtime::host,
           data_,
           step_,
           place_,
           colsBytes_,
           rows_);
}

void
DeviceMemory2D::swap(DeviceMemory2D& other_arg) noexcept
{
  std::swap(data_, other_arg.data_);
  std::swap(step_, other_arg.step_);
  std::swap(colsBytes_, other_arg.colsBytes_);
  std::swap(rows_, other_arg.rows_);
  std::swap(refcount_, other_arg.refcount_);
  std::swap(place_, other_arg.place_);
}

bool
DeviceMemory2D::empty() const noexcept
{
  return !data_;
}

int
DeviceMemory2D::colsBytes() const noexcept
{
  return colsBytes_;
}

int
DeviceMemory2D::rows() const noexcept
{
  return rows_;
}

std::size_t
DeviceMemory2D::step() const noexcept
{
  return step_;
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
  std::unique_ptr<std::atomic<int>> refcount(new std::atomic<int>(1));
  std::size_t step = 0;
  if (place == runtime::host) {
    step =
        (cols_bytes + host_row_alignment - 1) / host_row_alignment * host_row_alignment;
    data_ = allocateHost(rows * step);
  }
  else
    data_ = runtime::allocateRows(rows, cols_bytes, place, step);
  step_ = step;
  colsBytes_ = cols_bytes;
  rows_ = rows;
  refcount_ = refcount.release();
  place_ = place;
}

} // namespace pcl::gpu
