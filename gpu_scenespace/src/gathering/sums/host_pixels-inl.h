// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#undef PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#endif

#include "gathering/sums/host_tile_pixels-inl.h"
#include "gathering/sums/pixel_sums-inl.h"

#include <cstring>

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

/** \brief Three planes of colours. */
template <typename From>
HWY_INLINE Levels<Lanes<PixelTag>>
levelPlanes(From planes, int first)
{
  return {
      planeOf(planes, first), planeOf(planes, first + 1), planeOf(planes, first + 2)};
}

HWY_INLINE void
setLevelPlanes(Planes<float> planes, int first, const Levels<Lanes<PixelTag>>& levels)
{
  setPlane(planes, first, levels.red);
  setPlane(planes, first + 1, levels.green);
  setPlane(planes, first + 2, levels.blue);
}

using PackedLanes = hn::Vec<hn::Rebind<int, PixelTag>>;

HWY_INLINE hn::Vec<PixelTag>
lowestLevel(PackedLanes bits)
{
  const hn::Rebind<int, PixelTag> int_tag;
  return hn::ConvertTo(PixelTag(), hn::And(bits, hn::Set(int_tag, 0xff)));
}

/** \brief A register full of colours. */
HWY_INLINE Levels<Lanes<PixelTag>>
levelsOf(PackedLanes colors)
{
  return {lowestLevel(hn::ShiftRight<16>(colors)),
          lowestLevel(hn::ShiftRight<8>(colors)),
          lowestLevel(colors)};
}

/** \brief A register full of samples. */
struct PointSamples {
  Lanes<PixelTag> x, y, z;
  PackedLanes colors;

  HWY_INLINE explicit PointSamples(const PointSample* samples)
  {
    hn::Vec<PixelTag> bits;
    hn::LoadInterleaved4(PixelTag(), &samples->x, x.value, y.value, z.value, bits);
    colors = hn::BitCast(hn::Rebind<int, PixelTag>(), bits);
  }
};

/** \brief A register full of pixels that weighted samples are added to.
 * \tparam Sum as WeightedTask has it
 */
template <typename Sum>
class WeightedPixels {
  using Number = Lanes<PixelTag>;
  using Pixel = WeightedPixel<Number, Levels<Number>, Sum>;
  static constexpr bool is_centered = Pixel::is_centered;

  // Planes of samples: levels; guides, tangents and depths where the centre counts, else
  // points. Planes of pixels: references, then sums.
  enum { Guide = 3, TangentX = 6, TangentY, Depth, Point = 3 };
  enum { X = 3, Y, Z, PositionExponent, PixelTangent };
  static constexpr int reference_planes = is_centered ? 9 : 7;
  static constexpr int sum_planes = sizeof(Sum) / sizeof(float);

public:
  using Tag = PixelTag;
  using Task = WeightedTask<Sum>;
  static constexpr bool is_guided = is_centered;
  static constexpr int chunk_blocks =
      is_guided ? guided_chunk_blocks : device::chunk_blocks;
  static constexpr int sample_planes = is_centered ? 9 : 6;
  static constexpr int pixel_planes = reference_planes + sum_planes;

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor* guides,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const PointSamples those(samples);
    Levels<Number> levels = levelsOf(those.colors);
    levels.red = select(exists, levels.red, Number(-1.0f));
    setLevelPlanes(to, 0, levels);
    if constexpr (is_centered) {
      const hn::Rebind<int, Tag> int_tag;
      setLevelPlanes(
          to,
          Guide,
          levelsOf(hn::LoadU(int_tag, reinterpret_cast<const int*>(guides))));
      const auto tangent = tangentOf(those.x, those.y, those.z);
      setPlane(to, TangentX, tangent.x);
      setPlane(to, TangentY, tangent.y);
      setPlane(to, Depth, those.z);
    }
    else {
      static_cast<void>(guides);
      setPlane(to, Point, those.x);
      setPlane(to, Point + 1, those.y);
      setPlane(to, Point + 2, those.z);
    }
  }

  static void
  load(const Task& task, int column, int row, const Sum& sum, Planes<float> to)
  {
    const PixelReference reference = pixelReference(
        task.reference, task.gathering.view, task.exponents, column, row);
    const float numbers[] = {static_cast<float>(redOf(reference.color)),
                             static_cast<float>(greenOf(reference.color)),
                             static_cast<float>(blueOf(reference.color)),
                             reference.x,
                             reference.y,
                             reference.z,
                             reference.position_exponent,
                             reference.tangent.x,
                             reference.tangent.y};
    for (int i = 0; i < reference_planes; ++i)
      *to[i] = numbers[i];
    float sums[sum_planes];
    std::memcpy(sums, &sum, sizeof(sum));
    for (int i = 0; i < sum_planes; ++i)
      *to[reference_planes + i] = sums[i];
  }

  static void
  store(Planes<const float> from, Sum& sum)
  {
    float sums[sum_planes];
    for (int i = 0; i < sum_planes; ++i)
      sums[i] = *from[reference_planes + i];
    std::memcpy(&sum, sums, sizeof(sum));
  }

  HWY_INLINE
  WeightedPixels(const Task& task, const Frame& frame, Planes<float> from)
  : task_(task)
  , frame_exponent_(frame.weight_exponent)
  {
    pixel_.color = levelPlanes(from, 0);
    pixel_.x = planeOf(from, X);
    pixel_.y = planeOf(from, Y);
    pixel_.z = planeOf(from, Z);
    pixel_.position_exponent = planeOf(from, PositionExponent);
    if constexpr (is_centered)
      pixel_.tangent = {planeOf(from, PixelTangent), planeOf(from, PixelTangent + 1)};
    pixel_.red = planeOf(from, reference_planes);
    pixel_.green = planeOf(from, reference_planes + 1);
    pixel_.blue = planeOf(from, reference_planes + 2);
    pixel_.weight = planeOf(from, reference_planes + 3);
    if constexpr (is_centered) {
      pixel_.depth = planeOf(from, reference_planes + 4);
      pixel_.square = planeOf(from, reference_planes + 5);
    }
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    typename Pixel::Sample its;
    its.levels = levelPlanes(sample, 0);
    if constexpr (is_centered) {
      its.color = levelPlanes(sample, Guide);
      its.tangent = {planeOf(sample, TangentX), planeOf(sample, TangentY)};
      const Number depth = planeOf(sample, Depth);
      its.point = {its.tangent.x * depth, its.tangent.y * depth, depth};
    }
    else {
      its.color = its.levels;
      its.point = {planeOf(sample, Point),
                   planeOf(sample, Point + 1),
                   planeOf(sample, Point + 2)};
    }
    pixel_.add(task_.exponents, frame_exponent_, its, its.levels.red >= 0.0f);
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    setPlane(to, reference_planes, pixel_.red);
    setPlane(to, reference_planes + 1, pixel_.green);
    setPlane(to, reference_planes + 2, pixel_.blue);
    setPlane(to, reference_planes + 3, pixel_.weight);
    if constexpr (is_centered) {
      setPlane(to, reference_planes + 4, pixel_.depth);
      setPlane(to, reference_planes + 5, pixel_.square);
    }
  }

private:
  const Task& task_;
  Number frame_exponent_;
  Pixel pixel_;
};

/** \brief A register full of pixels whose samples' depths are sorted into layers. */
class LayeredPixels {
  using Number = Lanes<PixelTag>;
  enum { Depth, TangentX, TangentY };
  enum { PixelTangent, LayerDepth = 2, LayerWeight = LayerDepth + layer_count };

public:
  using Tag = PixelTag;
  using Task = LayerTask;
  static constexpr int chunk_blocks = device::chunk_blocks;
  static constexpr bool is_guided = false;
  static constexpr int sample_planes = 3;
  static constexpr int pixel_planes = LayerWeight + layer_count;

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
    const auto tangent = pixelTangent(task.gathering.view, column, row);
    *to[PixelTangent] = tangent.x;
    *to[PixelTangent + 1] = tangent.y;
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
  LayeredPixels(const Task& task, const Frame& frame, Planes<float> from)
  : task_(task)
  , frame_exponent_(frame.weight_exponent)
  {
    pixel_.tangent = {planeOf(from, PixelTangent), planeOf(from, PixelTangent + 1)};
    for (int k = 0; k < layer_count; ++k) {
      pixel_.depths[k] = planeOf(from, LayerDepth + k);
      pixel_.weights[k] = planeOf(from, LayerWeight + k);
    }
  }

  HWY_INLINE void
  add(Planes<const float> sample)
  {
    const Number depth = planeOf(sample, Depth);
    pixel_.add(task_,
               frame_exponent_,
               {planeOf(sample, TangentX), planeOf(sample, TangentY)},
               depth,
               depth >= 0.0f);
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    for (int k = 0; k < layer_count; ++k) {
      setPlane(to, LayerDepth + k, pixel_.depths[k]);
      setPlane(to, LayerWeight + k, pixel_.weights[k]);
    }
  }

private:
  const Task& task_;
  Number frame_exponent_;
  LayeredPixel<Number> pixel_;
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
