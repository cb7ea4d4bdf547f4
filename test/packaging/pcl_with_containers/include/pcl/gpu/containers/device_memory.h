// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/pcl_exports.h>

namespace pcl {
namespace gpu {

class PCL_EXPORTS DeviceMemory {
public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(std::size_t size_bytes);
  DeviceMemory(void* data, std::size_t size_bytes);
  DeviceMemory(const DeviceMemory& other);
  DeviceMemory&
  operator=(const DeviceMemory& other);
  void
  create(std::size_t size_bytes);
  void
  release();
  void
  copyTo(DeviceMemory& other) const;
  void
  upload(const void* source, std::size_t size_bytes);
  bool
  upload(const void* source, std::size_t begin, std::size_t bytes);
  void
  download(void* target) const;
  bool
  download(void* target, std::size_t begin, std::size_t bytes) const;
  void
  swap(DeviceMemory& other);
  template <typename T>
  T*
  ptr();
  template <typename T>
  const T*
  ptr() const;
  template <typename U>
  operator PtrSz<U>() const;
  bool
  empty() const;
  std::size_t
  sizeBytes() const;
};

class PCL_EXPORTS DeviceMemory2D {
public:
  DeviceMemory2D();
  ~DeviceMemory2D();
  DeviceMemory2D(int rows, int cols_bytes);
  DeviceMemory2D(int rows, int cols_bytes, void* data, std::size_t step);
  DeviceMemory2D(const DeviceMemory2D& other);
  DeviceMemory2D&
  operator=(const DeviceMemory2D& other);
  void
  create(int rows, int cols_bytes);
  void
  release();
  void
  copyTo(DeviceMemory2D& other) const;
  void
  upload(const void* source, std::size_t step, int rows, int cols_bytes);
  void
  download(void* target, std::size_t step) const;
  void
  swap(DeviceMemory2D& other);
  template <typename T>
  T*
  ptr(int y = 0);
  template <typename T>
  const T*
  ptr(int y = 0) const;
  template <typename U>
  operator PtrStep<U>() const;
  template <typename U>
  operator PtrStepSz<U>() const;
  bool
  empty() const;
  int
  colsBytes() const;
  int
  rows() const;
  std::size_t
  step() const;
};

} // namespace gpu

namespace device {
using pcl::gpu::DeviceMemory;
using pcl::gpu::DeviceMemory2D;
} // namespace device
} // namespace pcl
