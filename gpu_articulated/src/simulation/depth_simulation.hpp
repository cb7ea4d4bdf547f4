// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/random.hpp"

#include <pcl/gpu/articulated/depth_noise.h>
#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Layer of the random numbers of simulated sensors; no filter reaches it. */
constexpr std::uint32_t sensor_layer = 0xfffffffeu;

/** \brief Adds a sensor's errors to the pixels of a depth map. */
struct AddDepthNoise {
  Intrinsics camera;
  gpu::DepthNoise noise;
  std::uint64_t outliers; ///< random numbers of 32 bits below are outliers,
  std::uint64_t missing;  ///< those below this, which is no less, are missing
  std::uint32_t frame;
  gpu::PtrStep<const float> depth;
  gpu::PtrStep<float> measured;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float z = depth(row, column);
    float result = NAN;
    if (gpu::isMeasuredDepth(z)) {
      const float x = (column - camera.cx) * camera.inverse_fx;
      const float y = (row - camera.cy) * camera.inverse_fy;
      const RandomBits random = randomBits(noise.seed,
                                           static_cast<std::uint32_t>(column),
                                           static_cast<std::uint32_t>(row),
                                           frame,
                                           sensor_layer);
      result = measuredDepth(z, sqrtf(x * x + y * y + 1.0f), random);
    }
    gpu::PtrStep<float> written = measured;
    written(row, column) = result;
  }

  /** \brief Returns the measurement of a depth. */
  PCL_GPU_HOST_DEVICE float
  measuredDepth(float depth, float ray_length, const RandomBits& random) const
  {
    if (random.v[2] < outliers)
      depth =
          noise.nearest_outlier + uniformDeviate(random.v[3]) *
                                      (noise.farthest_outlier - noise.nearest_outlier);
    else if (random.v[2] < missing)
      return NAN;
    else {
      const float deviation = noise.deviation + noise.deviation_growth * depth * depth;
      depth += deviation / ray_length * normalDeviates(random).value[0];
    }
    if (noise.quantization > 0.0f)
      depth = rintf(depth / noise.quantization) * noise.quantization;
    return depth > 0.0f ? depth : NAN;
  }
};

/** \brief Computes the points of a depth map's pixels in the world. */
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
    if (gpu::isMeasuredDepth(z)) {
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

} // namespace pcl::device
