// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_AVERAGES_INL_H) ==                    \
    defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_AVERAGES_INL_H
#undef PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_AVERAGES_INL_H
#else
#define PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_AVERAGES_INL_H
#endif

#include "host_pixel_sums-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Turns points into tangents.
 * \param[in,out] x,y planes
 */
HWY_INLINE void
completeTangents(float* x, float* y, const float* z)
{
  const PixelTag tag;
  const auto tangent = tangentOf(load(tag, x), load(tag, y), load(tag, z));
  store(tangent.x, x);
  store(tangent.y, y);
}

/** \brief The averages of samples that pixels see. */
class PixelAverages {
public:
  using Tag = PixelTag;
  using Number = Lanes<Tag>;
  using Task = AverageTask;
  static constexpr int chunk_blocks = guided_chunk_blocks;
  static constexpr bool is_guided = true;

  enum SamplePlane {
    Red,
    Green,
    Blue,
    GuideRed,
    GuideGreen,
    GuideBlue,
    TangentX,
    TangentY,
    Depth,
    sample_planes
  };

  enum PixelPlane {
    PixelRed,
    PixelGreen,
    PixelBlue,
    PixelX,
    PixelY,
    PixelZ,
    PositionExponent,
    PixelTangentX,
    PixelTangentY,
    SumRed,
    SumGreen,
    SumBlue,
    SumWeight,
    SumDepth,
    SumSquare,
    pixel_planes
  };

  static void
  setSample(const TileSamples& samples, int slot, Planes<float> to)
  {
    *to[Red] = bitsOfColor(samples.color(slot));
    *to[GuideRed] = bitsOfColor(samples.guide(slot));
    *to[TangentX] = samples.x(slot);
    *to[TangentY] = samples.y(slot);
    *to[Depth] = samples.z(slot);
  }

  static HWY_INLINE void
  completeSamples(Planes<float> of)
  {
    completeColors(of[Red], of[Green], of[Blue]);
    completeColors(of[GuideRed], of[GuideGreen], of[GuideBlue]);
    completeTangents(of[TangentX], of[TangentY], of[Depth]);
  }

  static void
  load(const Task& task, int column, int row, const AverageSum& sum, Planes<float> to)
  {
    const AverageReference reference = averageReference(
        task.reference, task.gathering.view, task.exponents, column, row);
    *to[PixelRed] = static_cast<float>(redOf(reference.color));
    *to[PixelGreen] = static_cast<float>(greenOf(reference.color));
    *to[PixelBlue] = static_cast<float>(blueOf(reference.color));
    *to[PixelX] = reference.x;
    *to[PixelY] = reference.y;
    *to[PixelZ] = reference.z;
    *to[PositionExponent] = reference.position_exponent;
    *to[PixelTangentX] = reference.tangent_x;
    *to[PixelTangentY] = reference.tangent_y;
    *to[SumRed] = sum.red;
    *to[SumGreen] = sum.green;
    *to[SumBlue] = sum.blue;
    *to[SumWeight] = sum.weight;
    *to[SumDepth] = sum.depth;
    *to[SumSquare] = sum.square;
  }

  static void
  store(Planes<float> from, AverageSum& sum)
  {
    sum = {*from[SumRed],
           *from[SumGreen],
           *from[SumBlue],
           *from[SumWeight],
           *from[SumDepth],
           *from[SumSquare]};
  }

  HWY_INLINE
  PixelAverages(const Task& task, const Frame& frame, Planes<float> pixels)
  : task_(task)
  , frame_exponent_(frame.weight_exponent)
  , pixels_(pixels)
  {
    for (int i = 0; i < sum_count; ++i)
      sums_[i] = at(pixels, SumRed + i);
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number red = at(sample, Red), green = at(sample, Green),
                 blue = at(sample, Blue), depth = at(sample, Depth),
                 x = at(sample, TangentX), y = at(sample, TangentY);
    const auto exists = red >= 0.0f;
    const Number exponent = similarityExponent(
        squaredLength(at(pixels_, PixelRed) - at(sample, GuideRed),
                      at(pixels_, PixelGreen) - at(sample, GuideGreen),
                      at(pixels_, PixelBlue) - at(sample, GuideBlue)),
        squaredLength(at(pixels_, PixelX) - x * depth,
                      at(pixels_, PixelY) - y * depth,
                      at(pixels_, PixelZ) - depth),
        Number(task_.exponents.color),
        positionExponent(depth,
                         at(pixels_, PixelZ),
                         at(pixels_, PositionExponent),
                         Number(task_.exponents.position_in_front)),
        tangentExponent(x - at(pixels_, PixelTangentX),
                        y - at(pixels_, PixelTangentY),
                        task_.exponents,
                        frame_exponent_));
    const Number weight{hn::IfThenElseZero(exists.value, powerOfTwo(exponent).value)};
    const Number values[] = {red, green, blue, Number(1.0f), depth, weight};
    for (int i = 0; i < sum_count; ++i)
      sums_[i] = fusedMulAdd(weight, values[i], sums_[i]);
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    for (int i = 0; i < sum_count; ++i)
      device::HWY_NAMESPACE::store(sums_[i], to[SumRed + i]);
  }

private:
  static constexpr int sum_count = pixel_planes - SumRed;
  template <typename From>
  static HWY_INLINE Number
  at(From from, int plane)
  {
    return device::HWY_NAMESPACE::load(Tag(), from[plane]);
  }

  const Task& task_;
  Number frame_exponent_;
  Planes<float> pixels_;
  Number sums_[sum_count];
};

/** \brief The layers of depths that pixels see. */
class PixelLayers {
public:
  using Tag = PixelTag;
  using Number = Lanes<Tag>;
  using Task = LayerTask;
  static constexpr int chunk_blocks = device::chunk_blocks;
  static constexpr bool is_guided = false;

  enum SamplePlane { Depth, TangentX, TangentY, sample_planes };

  enum PixelPlane {
    PixelTangentX,
    PixelTangentY,
    LayerDepth,
    LayerWeight = LayerDepth + layer_count,
    pixel_planes = LayerWeight + layer_count
  };

  static void
  setSample(const TileSamples& samples, int slot, Planes<float> to)
  {
    *to[Depth] = samples.z(slot);
    *to[TangentX] = samples.x(slot);
    *to[TangentY] = samples.y(slot);
  }

  static HWY_INLINE void
  completeSamples(Planes<float> of)
  {
    completeTangents(of[TangentX], of[TangentY], of[Depth]);
    // One that single precision has behind the camera is there, too; none is no number.
    const Number depth = at(of, Depth), zero(0.0f);
    const auto exists = absolute(depth) >= zero;
    device::HWY_NAMESPACE::store(select(exists, maximum(depth, zero), Number(-1.0f)),
                                 of[Depth]);
  }

  static void
  load(const Task& task, int column, int row, const LayerSum& sum, Planes<float> to)
  {
    const PixelTangent tangent = pixelTangent(task.gathering.view, column, row);
    *to[PixelTangentX] = tangent.x;
    *to[PixelTangentY] = tangent.y;
    for (int k = 0; k < layer_count; ++k) {
      *to[LayerDepth + k] = sum.depths[k];
      *to[LayerWeight + k] = sum.weights[k];
    }
  }

  static void
  store(Planes<float> from, LayerSum& sum)
  {
    for (int k = 0; k < layer_count; ++k) {
      sum.depths[k] = *from[LayerDepth + k];
      sum.weights[k] = *from[LayerWeight + k];
    }
  }

  HWY_INLINE
  PixelLayers(const Task& task, const Frame& frame, Planes<float> pixels)
  : task_(task)
  , frame_exponent_(frame.weight_exponent)
  , tangent_x_(at(pixels, PixelTangentX))
  , tangent_y_(at(pixels, PixelTangentY))
  {
    for (int k = 0; k < layer_count; ++k) {
      depths_[k] = at(pixels, LayerDepth + k);
      weights_[k] = at(pixels, LayerWeight + k);
    }
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number depth = at(sample, Depth);
    const auto exists = depth >= 0.0f;
    const Number exponent = tangentExponent(at(sample, TangentX) - tangent_x_,
                                            at(sample, TangentY) - tangent_y_,
                                            task_.exponents,
                                            frame_exponent_);
    const Number weight{hn::IfThenElseZero(exists.value, powerOfTwo(exponent).value)};
    addToLayers(depths_, weights_, depth, weight, Number(task_.tolerance));
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    for (int k = 0; k < layer_count; ++k) {
      device::HWY_NAMESPACE::store(depths_[k], to[LayerDepth + k]);
      device::HWY_NAMESPACE::store(weights_[k], to[LayerWeight + k]);
    }
  }

private:
  template <typename From>
  static HWY_INLINE Number
  at(From from, int plane)
  {
    return device::HWY_NAMESPACE::load(Tag(), from[plane]);
  }

  const Task& task_;
  Number frame_exponent_, tangent_x_, tangent_y_;
  Number depths_[layer_count], weights_[layer_count];
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
