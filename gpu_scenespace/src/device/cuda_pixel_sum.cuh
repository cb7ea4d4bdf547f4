// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "sample_math.hpp"
#include "similarity-inl.h"

namespace pcl {
namespace device {

/** \brief The weighted sum of samples that a pixel sees, and what it compares them with. */
struct PixelSum {
  Reference reference;
  ColorSum sum;

  /** \brief Adds a sample at a point (x, y, z) with a colour as a number and as its
   * components. */
  __device__ void
  add(float4 point,
      PackedColor color,
      float red,
      float green,
      float blue,
      float color_exponent,
      float time_exponent)
  {
    // All products of differences fit into an integer and into a float.
    const unsigned int difference = __vabsdiffu4(color, reference.color);
    const unsigned int square = __dp4a(difference, difference, 0u);
    const float weight = powerOfTwo(similarityExponent(
        static_cast<float>(square),
        squaredLength(
            reference.x - point.x, reference.y - point.y, reference.z - point.z),
        color_exponent,
        reference.position_exponent,
        time_exponent));
    sum.weight += weight;
    sum.red = fmaf(weight, red, sum.red);
    sum.green = fmaf(weight, green, sum.green);
    sum.blue = fmaf(weight, blue, sum.blue);
  }
};

} // namespace device
} // namespace pcl
