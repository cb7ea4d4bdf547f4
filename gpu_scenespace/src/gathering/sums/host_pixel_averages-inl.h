// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_PIXEL_AVERAGES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_PIXEL_AVERAGES_INL_H
#undef PCL_GPU_SCENESPACE_HOST_PIXEL_AVERAGES_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_PIXEL_AVERAGES_INL_H
#endif

#include "gathering/sums/host_pixel_sums-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

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

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor* guides,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const hn::Rebind<int, Tag> int_tag;
    const PointSamples those(samples);
    const ColorLevels levels(those.colors);
    setPlane(to, Red, select(exists, levels.red, Number(-1.0f)));
    setPlane(to, Green, levels.green);
    setPlane(to, Blue, levels.blue);
    const ColorLevels guide(hn::LoadU(int_tag, reinterpret_cast<const int*>(guides)));
    setPlane(to, GuideRed, guide.red);
    setPlane(to, GuideGreen, guide.green);
    setPlane(to, GuideBlue, guide.blue);
    const auto tangent = tangentOf(those.x, those.y, those.z);
    setPlane(to, TangentX, tangent.x);
    setPlane(to, TangentY, tangent.y);
    setPlane(to, Depth, those.z);
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
  store(Planes<const float> from, AverageSum& sum)
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
      sums_[i] = planeOf(pixels, SumRed + i);
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number red = planeOf(sample, Red), green = planeOf(sample, Green),
                 blue = planeOf(sample, Blue), depth = planeOf(sample, Depth),
                 x = planeOf(sample, TangentX), y = planeOf(sample, TangentY);
    const auto exists = red >= 0.0f;
    const Number exponent = similarityExponent(
        squaredLength(planeOf(pixels_, PixelRed) - planeOf(sample, GuideRed),
                      planeOf(pixels_, PixelGreen) - planeOf(sample, GuideGreen),
                      planeOf(pixels_, PixelBlue) - planeOf(sample, GuideBlue)),
        squaredLength(planeOf(pixels_, PixelX) - x * depth,
                      planeOf(pixels_, PixelY) - y * depth,
                      planeOf(pixels_, PixelZ) - depth),
        Number(task_.exponents.color),
        positionExponent(depth,
                         planeOf(pixels_, PixelZ),
                         planeOf(pixels_, PositionExponent),
                         Number(task_.exponents.position_in_front)),
        tangentExponent(x - planeOf(pixels_, PixelTangentX),
                        y - planeOf(pixels_, PixelTangentY),
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
      setPlane(to, SumRed + i, sums_[i]);
  }

private:
  static constexpr int sum_count = pixel_planes - SumRed;
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

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor*,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const PointSamples those(samples);
    const auto tangent = tangentOf(those.x, those.y, those.z);
    setPlane(to, TangentX, tangent.x);
    setPlane(to, TangentY, tangent.y);
    // One that single precision has behind the camera is there, too.
    setPlane(to, Depth, select(exists, maximum(those.z, Number(0.0f)), Number(-1.0f)));
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
  store(Planes<const float> from, LayerSum& sum)
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
  , tangent_x_(planeOf(pixels, PixelTangentX))
  , tangent_y_(planeOf(pixels, PixelTangentY))
  {
    for (int k = 0; k < layer_count; ++k) {
      depths_[k] = planeOf(pixels, LayerDepth + k);
      weights_[k] = planeOf(pixels, LayerWeight + k);
    }
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number depth = planeOf(sample, Depth);
    const auto exists = depth >= 0.0f;
    const Number exponent = tangentExponent(planeOf(sample, TangentX) - tangent_x_,
                                            planeOf(sample, TangentY) - tangent_y_,
                                            task_.exponents,
                                            frame_exponent_);
    const Number weight{hn::IfThenElseZero(exists.value, powerOfTwo(exponent).value)};
    addToLayers(depths_, weights_, depth, weight, Number(task_.tolerance));
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    for (int k = 0; k < layer_count; ++k) {
      setPlane(to, LayerDepth + k, depths_[k]);
      setPlane(to, LayerWeight + k, weights_[k]);
    }
  }

private:
  const Task& task_;
  Number frame_exponent_, tangent_x_, tangent_y_;
  Number depths_[layer_count], weights_[layer_count];
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
