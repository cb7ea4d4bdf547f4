// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/trigonometry.hpp>
#include <pcl/gpu/utils/device/types.hpp>

#include <Random123/philox.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl {
namespace device {

/** \brief gpu::DepthNoise with its fractions as parts of 2^32. */
struct DepthErrors {
  float deviation, deviation_growth;
  std::uint64_t outliers; ///< random numbers below are outliers,
  std::uint64_t missing;  ///< those below this, which is no less, are missing
  float nearest_outlier, farthest_outlier;
  float quantization;
  std::uint32_t key[2];
};

/** \brief Within 0 and 1, neither of them. */
PCL_GPU_HOST_DEVICE float
uniformNumber(std::uint32_t random)
{
  return (static_cast<float>(random >> 9) + 0.5f) * 0x1p-23f;
}

/** \brief A number of the standard normal distribution (Box and Muller 1958). */
PCL_GPU_HOST_DEVICE float
normalNumber(std::uint32_t a, std::uint32_t b)
{
  return sqrtf(-2.0f * logf(uniformNumber(a))) * cosine(2.0f * pi * uniformNumber(b));
}

/** \brief What a sensor measures instead of a depth. */
PCL_GPU_HOST_DEVICE float
measuredDepth(float depth,
              float ray_length,
              const r123::Philox4x32::ctr_type& random,
              const DepthErrors& errors)
{
  if (random[2] < errors.outliers)
    depth =
        errors.nearest_outlier +
        uniformNumber(random[3]) * (errors.farthest_outlier - errors.nearest_outlier);
  else if (random[2] < errors.missing)
    return NAN;
  else {
    const float deviation = errors.deviation + errors.deviation_growth * depth * depth;
    depth += deviation / ray_length * normalNumber(random[0], random[1]);
  }
  if (errors.quantization > 0.0f)
    depth = rintf(depth / errors.quantization) * errors.quantization;
  return depth > 0.0f ? depth : NAN;
}

/** \brief Adds a sensor's errors to the pixels of a depth map. */
struct AddDepthNoise {
  Intrinsics camera;
  DepthErrors errors;
  std::uint32_t frame;
  gpu::PtrStep<const float> depth;
  gpu::PtrStep<float> measured;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float z = depth(row, column);
    float result = NAN;
    if (z > 0.0f && z < INFINITY) {
      const float x = (column - camera.cx) * camera.inverse_fx;
      const float y = (row - camera.cy) * camera.inverse_fy;
      const r123::Philox4x32::ctr_type counter = {{static_cast<std::uint32_t>(column),
                                                   static_cast<std::uint32_t>(row),
                                                   frame,
                                                   0}};
      const r123::Philox4x32::key_type key = {{errors.key[0], errors.key[1]}};
      result = measuredDepth(
          z, sqrtf(x * x + y * y + 1.0f), r123::Philox4x32()(counter, key), errors);
    }
    gpu::PtrStep<float> written = measured;
    written(row, column) = result;
  }
};

/** \brief Computes where the pixels of a depth map are in the world. */
struct ProjectDepth {
  Intrinsics camera;
  RigidTransform pose; ///< camera-to-world
  int columns;
  gpu::PtrStep<const float> depth;
  Float4* points;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float z = depth(row, column);
    Float4 point = {NAN, NAN, NAN, 1.0f};
    if (z > 0.0f && z < INFINITY) {
      const float x = (column - camera.cx) * camera.inverse_fx * z;
      const float y = (row - camera.cy) * camera.inverse_fy * z;
      const auto& m = pose.m;
      point = {m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3],
               m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3],
               m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3],
               1.0f};
    }
    points[static_cast<std::size_t>(row) * columns + column] = point;
  }
};

} // namespace device
} // namespace pcl
