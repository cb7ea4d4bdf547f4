// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

namespace pcl::device {

struct Vector3 {
  float x, y, z;
};

PCL_GPU_HOST_DEVICE Vector3
operator+(const Vector3& a, const Vector3& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

PCL_GPU_HOST_DEVICE Vector3
operator-(const Vector3& a, const Vector3& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

PCL_GPU_HOST_DEVICE Vector3
operator*(float a, const Vector3& b)
{
  return {a * b.x, a * b.y, a * b.z};
}

PCL_GPU_HOST_DEVICE float
dot(const Vector3& a, const Vector3& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

PCL_GPU_HOST_DEVICE Vector3
cross(const Vector3& a, const Vector3& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

} // namespace pcl::device
