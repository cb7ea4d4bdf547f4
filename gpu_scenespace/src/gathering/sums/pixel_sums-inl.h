// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#undef PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#else
#define PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#endif

#include "gathering/projection-inl.h"
#include "gathering/sums/sums.h"

#include <type_traits>

// Adds samples to an output's pixels: one body for a CUDA thread, which has a
// pixel, and for the host's registers, which have as many neighbouring pixels as lanes.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A register full of colours. */
template <typename Number>
struct Levels {
  Number red, green, blue;
};

/** \brief The squared difference of two colours, levels^2: exact. */
template <typename Number>
PCL_GPU_ELEMENT Number
colorSquare(const Levels<Number>& a, const Levels<Number>& b)
{
  return squaredLength(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

#if defined(__CUDACC__)

/** \brief The squared difference of colours whose highest bytes are 0, levels^2:
 * exact. */
__device__ inline float
colorSquare(PackedColor a, PackedColor b)
{
  const unsigned int difference = __vabsdiffu4(a, b);
  return static_cast<float>(__dp4a(difference, difference, 0u));
}

#endif

/** \brief The direction that an output camera sees a point in: x / z and y / z. */
template <typename Number>
struct Tangent {
  Number x, y;
};

template <typename Number>
PCL_GPU_ELEMENT Tangent<Number>
tangentOf(const ScenePoint<Number>& point)
{
  // Points on the image plane get a direction that is no number, but finite.
  const Number inverse = Number(1.0f) / maximum(point.z, Number(1e-30f));
  return {point.x * inverse, point.y * inverse};
}

/** \brief The direction that a pixel of the output looks in. */
PCL_GPU_ELEMENT Tangent<float>
tangentOfPixel(const ViewGeometry& view, int column, int row)
{
  return {(column - view.cx) / view.fx, (row - view.cy) / view.fy};
}

/** \brief log2 of the factor of a sample's weight by its distance from a pixel's
 * centre.
 * \param[in] sample,pixel their tangents
 * \param[in] exponents -log2(e) / (2 sigma^2), sigma in units of a focal length
 * \param[in] frame_exponent log2 of the weight of the sample's frame
 */
template <typename Number>
PCL_GPU_ELEMENT Number
tangentExponent(const Tangent<Number>& sample,
                const Tangent<Number>& pixel,
                const WeightExponents& exponents,
                Number frame_exponent)
{
  const Number x = sample.x - pixel.x, y = sample.y - pixel.y;
  return fusedMulAdd(Number(exponents.tangent_x),
                     x * x,
                     fusedMulAdd(Number(exponents.tangent_y), y * y, frame_exponent));
}

/** \brief Converts a colour to the form that others are compared with. */
PCL_GPU_ELEMENT void
setColor(PackedColor from, PackedColor& to)
{
  to = from & color_bits;
}

PCL_GPU_ELEMENT void
setColor(PackedColor from, Levels<float>& to)
{
  to = {static_cast<float>(redOf(from)),
        static_cast<float>(greenOf(from)),
        static_cast<float>(blueOf(from))};
}

/** \brief A pixel, or neighbouring ones, that samples are compared with and added to.
 * \tparam Color the form of compared colours: Levels, or PackedColor
 * \tparam Sums ColorSums or AverageSums: see WeightedSums
 */
template <typename Number, typename Color, template <typename> class Sums>
struct WeightedPixel {
  using Sum = Sums<float>;
  using Task = WeightedTask<Sum>;
  /** \brief True if distances from the pixel's centre count. */
  static constexpr bool is_centered = std::is_same<Sum, AverageSum>::value;
  static constexpr bool has_levels = true, is_guided = is_centered;
  static constexpr int number_count = is_centered ? 15 : 11;

  struct Sample {
    Color color; ///< that is compared: of the guide, where there are guides
    Levels<Number> levels;
    ScenePoint<Number> point;
    Tangent<Number> tangent; ///< only where it counts
  };

  Sums<Number> sum;
  Color color;
  ScenePoint<Number> point; ///< metres, in the output camera's frame
  Number position_exponent; ///< 0 where there is no depth
  Tangent<Number> tangent;

  /** \brief Begins with a pixel of the output; only for float.
   * \param[in] task has reference and exponents
   * \param[in] view the output
   * \param[in] begun its sum so far
   */
  PCL_GPU_ELEMENT void
  load(const WeightedSums<Sum>& task,
       const ViewGeometry& view,
       int column,
       int row,
       const Sum& begun)
  {
    const Picture& reference = task.reference;
    sum = begun;
    setColor(reference.color.data ? reference.color.ptr(row)[column] : 0u, color);
    tangent = tangentOfPixel(view, column, row);
    point = {};
    position_exponent = 0.0f;
    const float depth = reference.depth.data ? reference.depth.ptr(row)[column] : 0.0f;
    if (gpu::isMeasuredDepth(depth)) {
      point = {depth * tangent.x, depth * tangent.y, depth};
      position_exponent = task.exponents.position;
    }
  }

  /** \brief Calls a function for each number of the sum. */
  template <typename Function>
  PCL_GPU_ELEMENT void
  forEachSum(Function&& function)
  {
    function(sum.red);
    function(sum.green);
    function(sum.blue);
    function(sum.weight);
    if constexpr (is_centered) {
      function(sum.depth);
      function(sum.square);
    }
  }

  /** \brief Calls a function for each number, those of the sum first. */
  template <typename Function>
  PCL_GPU_ELEMENT void
  forEachNumber(Function&& function)
  {
    forEachSum(function);
    function(color.red);
    function(color.green);
    function(color.blue);
    function(point.x);
    function(point.y);
    function(point.z);
    function(position_exponent);
    if constexpr (is_centered) {
      function(tangent.x);
      function(tangent.y);
    }
  }

  /** \brief The place of a sample's point as it waits for pixels: divided by its depth
   * where its direction counts. */
  static PCL_GPU_ELEMENT ScenePoint<Number>
  placeOf(const ScenePoint<Number>& its_point)
  {
    if constexpr (is_centered) {
      const Tangent<Number> its_tangent = tangentOf(its_point);
      return {its_tangent.x, its_tangent.y, its_point.z};
    }
    else
      return its_point;
  }

  /** \brief A sample at such a place. */
  static PCL_GPU_ELEMENT Sample
  sampleOf(const ScenePoint<Number>& place,
           const Levels<Number>& levels,
           const Color& compared)
  {
    if constexpr (is_centered)
      return {compared,
              levels,
              {place.x * place.z, place.y * place.z, place.z},
              {place.x, place.y}};
    else
      return {compared, levels, place, {}};
  }

  /** \brief Adds a sample, weighted by eq. (2) of Klose et al. 2015.
   * \param[in] task has the exponents
   * \param[in] frame_exponent log2 of the weight of the sample's frame
   * \param[in] exists which lanes have a sample; true for all
   */
  template <typename Condition>
  PCL_GPU_ELEMENT void
  add(const WeightedSums<Sum>& task,
      Number frame_exponent,
      const Sample& sample,
      Condition exists)
  {
    const WeightExponents& exponents = task.exponents;
    Number exponent = frame_exponent, its_position_exponent = position_exponent;
    if constexpr (is_centered) {
      exponent = tangentExponent(sample.tangent, tangent, exponents, frame_exponent);
      // Samples in front of the reference have another sigma. Rounding moves some that
      // are at the camera behind it. A reference of 0 is still none.
      const auto is_in_front = point.z > maximum(sample.point.z, Number(0.0f));
      its_position_exponent =
          select(is_in_front, Number(exponents.position_in_front), position_exponent);
    }
    const Number position_square = squaredLength(
        point.x - sample.point.x, point.y - sample.point.y, point.z - sample.point.z);
    const Number similarity = exponential2(
        fusedMulAdd(Number(exponents.color),
                    colorSquare(color, sample.color),
                    fusedMulAdd(its_position_exponent, position_square, exponent)));
    const Number weight = select(exists, similarity, Number(0.0f));
    sum.weight = sum.weight + weight;
    sum.red = fusedMulAdd(weight, sample.levels.red, sum.red);
    sum.green = fusedMulAdd(weight, sample.levels.green, sum.green);
    sum.blue = fusedMulAdd(weight, sample.levels.blue, sum.blue);
    if constexpr (is_centered) {
      sum.depth = fusedMulAdd(weight, sample.point.z, sum.depth);
      sum.square = fusedMulAdd(weight, weight, sum.square);
    }
  }
};

/** \brief A pixel, or neighbouring ones, whose samples' depths are sorted into layers.
 * See WeightedPixel. */
template <typename Number>
struct LayeredPixel {
  using Sum = LayerSum;
  using Task = LayerTask;
  static constexpr bool has_levels = false, is_guided = false;
  static constexpr int number_count = 2 * layer_count + 2;

  struct Sample {
    Tangent<Number> tangent;
    Number depth;
  };

  LayerSums<Number> sum; ///< weights are 0 where there is no layer yet
  Tangent<Number> tangent;

  PCL_GPU_ELEMENT void
  load(const Task&, const ViewGeometry& view, int column, int row, const Sum& begun)
  {
    sum = begun;
    tangent = tangentOfPixel(view, column, row);
  }

  template <typename Function>
  PCL_GPU_ELEMENT void
  forEachSum(Function&& function)
  {
    for (int k = 0; k < layer_count; ++k) {
      function(sum.depths[k]);
      function(sum.weights[k]);
    }
  }

  template <typename Function>
  PCL_GPU_ELEMENT void
  forEachNumber(Function&& function)
  {
    forEachSum(function);
    function(tangent.x);
    function(tangent.y);
  }

  static PCL_GPU_ELEMENT ScenePoint<Number>
  placeOf(const ScenePoint<Number>& point)
  {
    const Tangent<Number> its = tangentOf(point);
    // Counts samples that rounding has moved behind the camera, too.
    return {its.x, its.y, maximum(point.z, Number(0.0f))};
  }

  template <typename Color>
  static PCL_GPU_ELEMENT Sample
  sampleOf(const ScenePoint<Number>& place, const Levels<Number>&, const Color&)
  {
    return {{place.x, place.y}, place.z};
  }

  /** \brief Adds a sample to the layer that its depth belongs to, the first of them; to
   * a new one if there is none; or in place of the lightest one, if that weighs less.
   * A sample without weight has no influence.
   */
  template <typename Condition>
  PCL_GPU_ELEMENT void
  add(const Task& task, Number frame_exponent, const Sample& sample, Condition exists)
  {
    auto& depths = sum.depths;
    auto& weights = sum.weights;
    const Number zero(0.0f), depth = sample.depth,
                             span = depth * Number(task.tolerance);
    const Number weight = exponential2(
        tangentExponent(sample.tangent, tangent, task.exponents, frame_exponent));
    Number left = select(exists, weight, zero);
    Number lightest = weights[0];
    for (int k = 0; k < layer_count; ++k) {
      lightest = minimum(lightest, weights[k]);
      const auto is_near =
          (absolute(depths[k] - depth) <= span) & (weights[k] > zero) & (left > zero);
      const Number total = weights[k] + left;
      const Number mean = fusedMulAdd(depth - depths[k], left / total, depths[k]);
      depths[k] = select(is_near, mean, depths[k]);
      weights[k] = select(is_near, total, weights[k]);
      left = select(is_near, zero, left);
    }
    for (int k = 0; k < layer_count; ++k) {
      const auto is_taken = (weights[k] <= lightest) & (left > lightest);
      depths[k] = select(is_taken, depth, depths[k]);
      weights[k] = select(is_taken, left, weights[k]);
      left = select(is_taken, zero, left);
    }
  }
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
