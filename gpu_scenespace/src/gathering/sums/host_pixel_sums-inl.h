// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_PIXEL_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_PIXEL_SUMS_INL_H
#undef PCL_GPU_SCENESPACE_HOST_PIXEL_SUMS_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_PIXEL_SUMS_INL_H
#endif

#include "gathering/sums/host_tile_pixels-inl.h"
#include "gathering/sums/similarity-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using PixelTag = hn::CappedTag<float, 16>;

/** \brief A register full of a plane's numbers. */
template <typename From>
HWY_INLINE Lanes<PixelTag>
planeOf(From planes, int plane)
{
  return load(PixelTag(), planes[plane]);
}

HWY_INLINE void
setPlane(Planes<float> planes, int plane, Lanes<PixelTag> numbers)
{
  store(numbers, planes[plane]);
}

/** \brief A register full of colours. */
struct ColorLevels {
  Lanes<PixelTag> red, green, blue;

  HWY_INLINE explicit ColorLevels(hn::Vec<hn::Rebind<int, PixelTag>> colors)
  : red(level(hn::ShiftRight<16>(colors)))
  , green(level(hn::ShiftRight<8>(colors)))
  , blue(level(colors))
  {}

private:
  static HWY_INLINE hn::Vec<PixelTag>
  level(hn::Vec<hn::Rebind<int, PixelTag>> bits)
  {
    const hn::Rebind<int, PixelTag> int_tag;
    return hn::ConvertTo(PixelTag(), hn::And(bits, hn::Set(int_tag, 0xff)));
  }
};

/** \brief A register full of samples. */
struct PointSamples {
  Lanes<PixelTag> x, y, z;
  hn::Vec<hn::Rebind<int, PixelTag>> colors;

  HWY_INLINE explicit PointSamples(const PointSample* samples)
  {
    hn::Vec<PixelTag> bits;
    hn::LoadInterleaved4(PixelTag(), &samples->x, x.value, y.value, z.value, bits);
    colors = hn::BitCast(hn::Rebind<int, PixelTag>(), bits);
  }
};

/** \brief The weighted sums of samples that pixels see, by eq. (2). */
class PixelSums {
public:
  using Tag = PixelTag;
  using Number = Lanes<Tag>;
  using Task = SumTask;
  static constexpr int chunk_blocks = device::chunk_blocks;
  static constexpr bool is_guided = false;

  enum SamplePlane { Red, Green, Blue, X, Y, Z, sample_planes };

  enum PixelPlane {
    PixelRed,
    PixelGreen,
    PixelBlue,
    PixelX,
    PixelY,
    PixelZ,
    PositionExponent,
    SumRed,
    SumGreen,
    SumBlue,
    SumWeight,
    pixel_planes
  };

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor*,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const PointSamples those(samples);
    const ColorLevels levels(those.colors);
    setPlane(to, Red, select(exists, levels.red, Number(-1.0f)));
    setPlane(to, Green, levels.green);
    setPlane(to, Blue, levels.blue);
    setPlane(to, X, those.x);
    setPlane(to, Y, those.y);
    setPlane(to, Z, those.z);
  }

  static void
  load(const Task& task, int column, int row, const ColorSum& sum, Planes<float> to)
  {
    const Reference reference =
        referenceOf(task.reference, task.gathering.view, task.exponents, column, row);
    *to[PixelRed] = static_cast<float>(redOf(reference.color));
    *to[PixelGreen] = static_cast<float>(greenOf(reference.color));
    *to[PixelBlue] = static_cast<float>(blueOf(reference.color));
    *to[PixelX] = reference.x;
    *to[PixelY] = reference.y;
    *to[PixelZ] = reference.z;
    *to[PositionExponent] = reference.position_exponent;
    *to[SumRed] = sum.red;
    *to[SumGreen] = sum.green;
    *to[SumBlue] = sum.blue;
    *to[SumWeight] = sum.weight;
  }

  static void
  store(Planes<const float> from, ColorSum& sum)
  {
    sum = {*from[SumRed], *from[SumGreen], *from[SumBlue], *from[SumWeight]};
  }

  HWY_INLINE
  PixelSums(const Task& task, const Frame& frame, Planes<float> from)
  : color_exponent_(task.exponents.color)
  , time_exponent_(timeExponent(task.exponents, frame.projection.time))
  , red_(planeOf(from, PixelRed))
  , green_(planeOf(from, PixelGreen))
  , blue_(planeOf(from, PixelBlue))
  , x_(planeOf(from, PixelX))
  , y_(planeOf(from, PixelY))
  , z_(planeOf(from, PixelZ))
  , position_exponent_(planeOf(from, PositionExponent))
  , sum_red_(planeOf(from, SumRed))
  , sum_green_(planeOf(from, SumGreen))
  , sum_blue_(planeOf(from, SumBlue))
  , sum_weight_(planeOf(from, SumWeight))
  {}

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number red = planeOf(sample, Red), green = planeOf(sample, Green),
                 blue = planeOf(sample, Blue);
    const auto exists = red >= 0.0f;
    const Number exponent = similarityExponent(
        squaredLength(red_ - red, green_ - green, blue_ - blue),
        squaredLength(
            x_ - planeOf(sample, X), y_ - planeOf(sample, Y), z_ - planeOf(sample, Z)),
        color_exponent_,
        position_exponent_,
        time_exponent_);
    const Number weight{hn::IfThenElseZero(exists.value, powerOfTwo(exponent).value)};
    sum_weight_ = sum_weight_ + weight;
    sum_red_ = fusedMulAdd(weight, red, sum_red_);
    sum_green_ = fusedMulAdd(weight, green, sum_green_);
    sum_blue_ = fusedMulAdd(weight, blue, sum_blue_);
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    setPlane(to, SumRed, sum_red_);
    setPlane(to, SumGreen, sum_green_);
    setPlane(to, SumBlue, sum_blue_);
    setPlane(to, SumWeight, sum_weight_);
  }

private:
  Number color_exponent_, time_exponent_;
  Number red_, green_, blue_, x_, y_, z_, position_exponent_;
  Number sum_red_, sum_green_, sum_blue_, sum_weight_;
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
