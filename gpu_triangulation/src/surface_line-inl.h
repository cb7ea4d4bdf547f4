// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_SURFACE_LINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_SURFACE_LINE_INL_H
#undef PCL_GPU_TRIANGULATION_SURFACE_LINE_INL_H
#else
#define PCL_GPU_TRIANGULATION_SURFACE_LINE_INL_H
#endif

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A surface along a line of pixels, from one pixel on. */
template <typename Float>
struct SurfaceLine {
  Float inverse; ///< inverse depth at the first pixel
  Float slope;   ///< change of the inverse depth from pixel to pixel
  Float points;  ///< that the surface goes through; 1 gives no slope

  /** \brief Returns the inverse depth so many pixels before the first. */
  PCL_GPU_ELEMENT Float
  before(float pixels) const
  {
    return inverse - slope * Float(pixels);
  }
};

/** \brief Fits a line, by least squares, to the inverse depth of a pixel and of the
 * next ones, up to the first that is missing.
 *
 * Inverse depth is linear over the pixels of a plane. More pixels average more noise,
 * and are on the surface less often.
 * \param[in] first inverse depth of the first pixel
 * \param[in] next gives the others, from number 1 on
 * \param[in] most_points pixels to take at most
 */
template <typename Float, typename Next>
PCL_GPU_ELEMENT SurfaceLine<Float>
fitSurfaceLine(Float first, const Next& next, int most_points)
{
  // Those of numbers; the ones of registers are found by their arguments.
  using pcl::device::isFinite;
  using pcl::device::maximum;
  using pcl::device::select;
  const Float zero(0.0f), one(1.0f);
  auto goes_on = isFinite(first);
  Float n = one, sum = first;
  Float places = zero, squares = zero, products = zero;
  for (int i = 1; i < most_points; ++i) {
    const Float place(static_cast<float>(i));
    const Float inverse = next(i);
    goes_on = goes_on & isFinite(inverse);
    const Float value = select(goes_on, inverse, zero);
    const Float there = select(goes_on, place, zero);
    n = n + select(goes_on, one, zero);
    sum = sum + value;
    places = places + there;
    squares = squares + there * place;
    products = products + value * place;
  }
  const Float determinant = maximum(n * squares - places * places, one);
  const Float slope = (n * products - places * sum) / determinant;
  return {(sum - slope * places) / n, slope, n};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
