// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_PROJECTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_PROJECTION_INL_H
#undef PCL_GPU_TRIANGULATION_PROJECTION_INL_H
#else
#define PCL_GPU_TRIANGULATION_PROJECTION_INL_H
#endif

#include <pcl/gpu/utils/internal/device/element_math.hpp>

#ifndef __CUDACC__
#include <pcl/gpu/utils/internal/device/lanes-inl.h>
#endif

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Eq. (2): the coordinate of column or row \a pixel at depth \a z. */
template <typename Float>
PCL_GPU_ELEMENT Float
projectCoordinate(Float pixel, Float z, Float center, Float inverse_focal_length)
{
  return (pixel - center) * inverse_focal_length * z;
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
