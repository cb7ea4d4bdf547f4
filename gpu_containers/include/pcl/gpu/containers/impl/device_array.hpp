// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>

namespace pcl::gpu {

template <class T>
DeviceArray<T>::DeviceArray() noexcept
{}

template <class T>
DeviceArray<T>::DeviceArray(std::size_t size)
: DeviceMemory(arrayBytes(size, sizeof(T)))
{}

template <class T>
DeviceArray<T>::DeviceArray(T* ptr, std::size_t size)
: DeviceMemory(ptr, arrayBytes(size, sizeof(T)))
{}

template <class T>
void
DeviceArray<T>::create(std::size_t size)
{
  DeviceMemory::create(arrayBytes(size, sizeof(T)));
}

template <class T>
void
DeviceArray<T>::release() noexcept
{
  DeviceMemory::release();
}

template <class T>
void
DeviceArray<T>::copyTo(DeviceArray& other) const
{
  DeviceMemory::copyTo(other);
}

template <class T>
void
DeviceArray<T>::upload(const T* host_ptr, std::size_t size)
{
  DeviceMemory::upload(host_ptr, arrayBytes(size, sizeof(T)));
}

template <class T>
bool
DeviceArray<T>::upload(const T* host_ptr,
                       std::size_t device_begin_offset,
                       std::size_t num_elements)
{
  // Checked in elements, because the products below could overflow.
  if (device_begin_offset > size() || num_elements > size() - device_begin_offset)
    return false;
  return DeviceMemory::upload(
      host_ptr, device_begin_offset * sizeof(T), num_elements * sizeof(T));
}

template <class T>
template <class A>
void
DeviceArray<T>::upload(const std::vector<T, A>& data)
{
  upload(data.data(), data.size());
}

template <class T>
void
DeviceArray<T>::download(T* host_ptr) const
{
  DeviceMemory::download(host_ptr);
}

template <class T>
bool
DeviceArray<T>::download(T* host_ptr,
                         std::size_t device_begin_offset,
                         std::size_t num_elements) const
{
  if (device_begin_offset > size() || num_elements > size() - device_begin_offset)
    return false;
  return DeviceMemory::download(
      host_ptr, device_begin_offset * sizeof(T), num_elements * sizeof(T));
}

template <class T>
template <class A>
void
DeviceArray<T>::download(std::vector<T, A>& data) const
{
  data.resize(size());
  download(data.data());
}

template <class T>
void
DeviceArray<T>::swap(DeviceArray& other_arg) noexcept
{
  DeviceMemory::swap(other_arg);
}

template <class T>
T*
DeviceArray<T>::ptr()
{
  return DeviceMemory::ptr<T>();
}

template <class T>
const T*
DeviceArray<T>::ptr() const
{
  return DeviceMemory::ptr<T>();
}

template <class T>
DeviceArray<T>::operator T*()
{
  return ptr();
}

template <class T>
DeviceArray<T>::operator const T*() const
{
  return ptr();
}

template <class T>
std::size_t
DeviceArray<T>::size() const noexcept
{
  return sizeBytes() / sizeof(T);
}

template <class T>
DeviceArray2D<T>::DeviceArray2D() noexcept
{}

template <class T>
DeviceArray2D<T>::DeviceArray2D(int rows, int cols)
: DeviceMemory2D(rows, rowBytes(cols, sizeof(T)))
{}

template <class T>
DeviceArray2D<T>::DeviceArray2D(int rows, int cols, void* data, std::size_t stepBytes)
: DeviceMemory2D(rows, rowBytes(cols, sizeof(T)), data, stepBytes)
{}

template <class T>
void
DeviceArray2D<T>::create(int rows, int cols)
{
  DeviceMemory2D::create(rows, rowBytes(cols, sizeof(T)));
}

template <class T>
void
DeviceArray2D<T>::release() noexcept
{
  DeviceMemory2D::release();
}

template <class T>
void
DeviceArray2D<T>::copyTo(DeviceArray2D& other) const
{
  DeviceMemory2D::copyTo(other);
}

template <class T>
void
DeviceArray2D<T>::upload(const void* host_ptr,
                         std::size_t host_step,
                         int rows,
                         int cols)
{
  DeviceMemory2D::upload(host_ptr, host_step, rows, rowBytes(cols, sizeof(T)));
}

template <class T>
template <class A>
void
DeviceArray2D<T>::upload(const std::vector<T, A>& data, int cols)
{
  if (data.empty())
    release();
  else
    upload(data.data(), cols * sizeof(T), wholeRows(data.size(), cols), cols);
}

template <class T>
void
DeviceArray2D<T>::download(void* host_ptr, std::size_t host_step) const
{
  DeviceMemory2D::download(host_ptr, host_step);
}

template <class T>
template <class A>
void
DeviceArray2D<T>::download(std::vector<T, A>& data, int& cols) const
{
  cols = this->cols();
  data.resize(static_cast<std::size_t>(rows()) * cols);
  if (!data.empty())
    download(data.data(), cols * sizeof(T));
}

template <class T>
void
DeviceArray2D<T>::swap(DeviceArray2D& other_arg) noexcept
{
  DeviceMemory2D::swap(other_arg);
}

template <class T>
T*
DeviceArray2D<T>::ptr(int y)
{
  return DeviceMemory2D::ptr<T>(y);
}

template <class T>
const T*
DeviceArray2D<T>::ptr(int y) const
{
  return DeviceMemory2D::ptr<T>(y);
}

template <class T>
DeviceArray2D<T>::operator T*()
{
  return ptr();
}

template <class T>
DeviceArray2D<T>::operator const T*() const
{
  return ptr();
}

template <class T>
int
DeviceArray2D<T>::cols() const noexcept
{
  return static_cast<int>(DeviceMemory2D::colsBytes() / sizeof(T));
}

template <class T>
int
DeviceArray2D<T>::rows() const noexcept
{
  return DeviceMemory2D::rows();
}

template <class T>
std::size_t
DeviceArray2D<T>::elem_step() const noexcept
{
  return DeviceMemory2D::step() / sizeof(T);
}

} // namespace pcl::gpu
