// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_UTILS_DEVICE_MISSING_DEPTH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_UTILS_DEVICE_MISSING_DEPTH_INL_H
#undef PCL_GPU_UTILS_DEVICE_MISSING_DEPTH_INL_H
#else
#define PCL_GPU_UTILS_DEVICE_MISSING_DEPTH_INL_H
#endif

#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using gpu::isMeasuredDepth;
using gpu::missing_depth;

#ifndef __CUDACC__
template <typename Tag>
HWY_INLINE LaneMask<Tag>
isMeasuredDepth(Lanes<Tag> depth)
{
  return (depth > 0.0f) & (depth < missing_depth);
}
#endif

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
