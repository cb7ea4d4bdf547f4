// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_memory.h>

#include <vector>

namespace pcl {
namespace gpu {

template <typename T>
class PCL_EXPORTS DeviceArray : public DeviceMemory {
public:
  using type = T;
  enum { elem_size = sizeof(T) };
  DeviceArray();
  DeviceArray(std::size_t size);
  DeviceArray(T* data, std::size_t size);
  DeviceArray(const DeviceArray& other);
  DeviceArray&
  operator=(const DeviceArray& other);
  void
  create(std::size_t size);
  void
  release();
  void
  copyTo(DeviceArray& other) const;
  void
  upload(const T* source, std::size_t size);
  bool
  upload(const T* source, std::size_t begin, std::size_t count);
  void
  download(T* target) const;
  bool
  download(T* target, std::size_t begin, std::size_t count) const;
  template <class A>
  void
  upload(const std::vector<T, A>& source);
  template <typename A>
  void
  download(std::vector<T, A>& target) const;
  void
  swap(DeviceArray& other);
  T*
  ptr();
  const T*
  ptr() const;
  operator T*();
  operator const T*() const;
  std::size_t
  size() const;
};

template <typename T>
class PCL_EXPORTS DeviceArray2D : public DeviceMemory2D {
public:
  using type = T;
  enum { elem_size = sizeof(T) };
  DeviceArray2D();
  DeviceArray2D(int rows, int cols);
  DeviceArray2D(int rows, int cols, void* data, std::size_t step);
  DeviceArray2D(const DeviceArray2D& other);
  DeviceArray2D&
  operator=(const DeviceArray2D& other);
  void
  create(int rows, int cols);
  void
  release();
  void
  copyTo(DeviceArray2D& other) const;
  void
  upload(const void* source, std::size_t step, int rows, int cols);
  void
  download(void* target, std::size_t step) const;
  void
  swap(DeviceArray2D& other);
  template <class A>
  void
  upload(const std::vector<T, A>& source, int cols);
  template <class A>
  void
  download(std::vector<T, A>& target, int& cols) const;
  T*
  ptr(int y = 0);
  const T*
  ptr(int y = 0) const;
  operator T*();
  operator const T*() const;
  int
  cols() const;
  int
  rows() const;
  std::size_t
  elem_step() const;
};

} // namespace gpu

namespace device {
using pcl::gpu::DeviceArray;
using pcl::gpu::DeviceArray2D;
} // namespace device
} // namespace pcl
