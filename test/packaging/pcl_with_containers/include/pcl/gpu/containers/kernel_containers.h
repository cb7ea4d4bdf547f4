// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>

namespace pcl {
namespace gpu {

template <typename T>
struct DevPtr {
  using elem_type = T;
  static const std::size_t elem_size = sizeof(T);
  T* data;
  DevPtr();
  DevPtr(T* data);
  std::size_t
  elemSize() const;
  operator T*();
  operator const T*() const;
};

template <typename T>
struct PtrSz : DevPtr<T> {
  PtrSz();
  PtrSz(T* data, std::size_t size);
  std::size_t size;
};

template <typename T>
struct PtrStep : DevPtr<T> {
  PtrStep();
  PtrStep(T* data, std::size_t step);
  std::size_t step;
  T*
  ptr(int y = 0);
  const T*
  ptr(int y = 0) const;
  T&
  operator()(int y, int x);
  const T&
  operator()(int y, int x) const;
};

template <typename T>
struct PtrStepSz : PtrStep<T> {
  PtrStepSz();
  PtrStepSz(int rows, int cols, T* data, std::size_t step);
  int cols;
  int rows;
};

} // namespace gpu

namespace device {
using pcl::gpu::PtrStep;
using pcl::gpu::PtrStepSz;
using pcl::gpu::PtrSz;
} // namespace device
} // namespace pcl
