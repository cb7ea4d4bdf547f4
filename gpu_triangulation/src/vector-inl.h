// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_VECTOR_INL_H
#undef PCL_GPU_TRIANGULATION_VECTOR_INL_H
#else
#define PCL_GPU_TRIANGULATION_VECTOR_INL_H
#endif

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

template <typename Float>
struct Vector3 {
  Float x, y, z;
};

PCL_GPU_ELEMENT Vector3<float>
vectorOf(Float4 p)
{
  return {p.x, p.y, p.z};
}

template <typename Float>
PCL_GPU_ELEMENT Vector3<Float>
operator-(const Vector3<Float>& a, const Vector3<Float>& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <typename Float>
PCL_GPU_ELEMENT Float
dot(const Vector3<Float>& a, const Vector3<Float>& b)
{
  return mulAdd(a.x, b.x, mulAdd(a.y, b.y, a.z * b.z));
}

/** \brief Eq. (2): the coordinate of column or row \a pixel at depth \a z. */
template <typename Float>
PCL_GPU_ELEMENT Float
projectCoordinate(Float pixel, Float z, Float center, Float inverse_focal_length)
{
  return (pixel - center) * inverse_focal_length * z;
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
