// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_SUMS_INL_H) ==                        \
    defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_SUMS_INL_H
#undef PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_SUMS_INL_H
#else
#define PCL_GPU_SCENESPACE_DEVICE_HOST_PIXEL_SUMS_INL_H
#endif

#include "host_tile_pixels-inl.h"
#include "similarity-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using PixelTag = hn::CappedTag<float, 16>;

/** \brief Lets a float hold the bits of a colour, none of which is negative. */
inline float
bitsOfColor(PackedColor color)
{
  float bits;
  color &= color_bits;
  std::memcpy(&bits, &color, sizeof(bits));
  return bits;
}

/** \brief Turns bits of colours into levels; all set into negative ones.
 * \param[in,out] planes of red, which has the bits, green and blue
 */
HWY_INLINE void
completeColors(float* red, float* green, float* blue)
{
  const PixelTag tag;
  const hn::Rebind<int, PixelTag> int_tag;
  const auto bits = hn::BitCast(int_tag, hn::LoadU(tag, red));
  const auto byte = hn::Set(int_tag, 0xff);
  hn::StoreU(hn::ConvertTo(tag, hn::ShiftRight<16>(bits)), tag, red);
  hn::StoreU(hn::ConvertTo(tag, hn::And(hn::ShiftRight<8>(bits), byte)), tag, green);
  hn::StoreU(hn::ConvertTo(tag, hn::And(bits, byte)), tag, blue);
}

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

  static void
  setSample(const TileSamples& samples, int slot, Planes<float> to)
  {
    *to[Red] = bitsOfColor(samples.color(slot));
    *to[X] = samples.x(slot);
    *to[Y] = samples.y(slot);
    *to[Z] = samples.z(slot);
  }

  static HWY_INLINE void
  completeSamples(Planes<float> of)
  {
    completeColors(of[Red], of[Green], of[Blue]);
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
  store(Planes<float> from, ColorSum& sum)
  {
    sum = {*from[SumRed], *from[SumGreen], *from[SumBlue], *from[SumWeight]};
  }

  HWY_INLINE
  PixelSums(const Task& task, const Frame& frame, Planes<float> from)
  : color_exponent_(task.exponents.color)
  , time_exponent_(timeExponent(task.exponents, frame.projection.time))
  , red_(at(from, PixelRed))
  , green_(at(from, PixelGreen))
  , blue_(at(from, PixelBlue))
  , x_(at(from, PixelX))
  , y_(at(from, PixelY))
  , z_(at(from, PixelZ))
  , position_exponent_(at(from, PositionExponent))
  , sum_red_(at(from, SumRed))
  , sum_green_(at(from, SumGreen))
  , sum_blue_(at(from, SumBlue))
  , sum_weight_(at(from, SumWeight))
  {}

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number red = at(sample, Red), green = at(sample, Green),
                 blue = at(sample, Blue);
    const auto exists = red >= 0.0f;
    const Number exponent = similarityExponent(
        squaredLength(red_ - red, green_ - green, blue_ - blue),
        squaredLength(x_ - at(sample, X), y_ - at(sample, Y), z_ - at(sample, Z)),
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
    device::HWY_NAMESPACE::store(sum_red_, to[SumRed]);
    device::HWY_NAMESPACE::store(sum_green_, to[SumGreen]);
    device::HWY_NAMESPACE::store(sum_blue_, to[SumBlue]);
    device::HWY_NAMESPACE::store(sum_weight_, to[SumWeight]);
  }

private:
  template <typename From>
  static HWY_INLINE Number
  at(From from, int plane)
  {
    return device::HWY_NAMESPACE::load(Tag(), from[plane]);
  }

  Number color_exponent_, time_exponent_;
  Number red_, green_, blue_, x_, y_, z_, position_exponent_;
  Number sum_red_, sum_green_, sum_blue_, sum_weight_;
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
