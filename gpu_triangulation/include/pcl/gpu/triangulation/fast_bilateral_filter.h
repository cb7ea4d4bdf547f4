// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/filters/filter.h>
#include <pcl/gpu/triangulation/depth_bilateral_filter.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>
#include <pcl/gpu/utils/parameterized.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

/** \brief Drop-in for pcl::FastBilateralFilter: smooths the z of an organized cloud and
 * keeps its edges.
 *
 * Uploads z to the calling thread's current device, runs DepthBilateralFilter there and
 * downloads the result. Device memory is kept from call to call.
 *
 * PCL's class approximates the bilateral filter on a coarse grid. This one computes it
 * exactly over a square window; its cost grows with the window, which setSigmaS() sets
 * to three standard deviations each way, up to the device class's limit. The limit of
 * 16 pixels is met from sigma_s = 5.3 on: beyond, the domain kernel is cut off before
 * it has faded out, and smooths less than PCL's, as with the default of 15 pixels.
 *
 * Other differences from PCL's class:
 *  - A point without z (NaN or infinite) stays as it is and adds nothing to its
 *    neighbours. PCL gives it the depth of the farthest point, and invents z there.
 *  - A point whose z is zero or negative is no depth measurement: it, too, stays as it
 *    is and adds nothing.
 *
 * As in PCL, only z changes: a filtered point is then a little off the viewing ray that
 * it was measured on. setRescaleXY() moves it along the ray instead. Indices are
 * ignored, all other fields are copied.
 *
 * \code
 * pcl::gpu::FastBilateralFilter<pcl::PointXYZ> filter;
 * filter.setSigmaS(4.5f);
 * filter.setSigmaR(0.03f);
 * filter.setInputCloud(cloud);
 * filter.filter(filtered);
 * \endcode
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal. For
 * other types define PCL_NO_PRECOMPILE before the first include, as with PCL's own
 * classes: the header then brings `impl/fast_bilateral_filter.hpp` along.
 *
 * \ingroup gpu_triangulation
 */
template <typename PointT>
class FastBilateralFilter : public Filter<PointT> {
protected:
  using Filter<PointT>::filter_name_;
  using Filter<PointT>::input_;
  /** \brief Input and output. */
  using PointCloud = typename Filter<PointT>::PointCloud;

public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<FastBilateralFilter<PointT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const FastBilateralFilter<PointT>>;

  /** \brief Makes a filter with PCL's standard deviations, 15 pixels and 0.05 m. */
  FastBilateralFilter()
  {
    filter_name_ = "gpu::FastBilateralFilter";
    setSigmaS(15.0f);
    setSigmaR(0.05f);
  }

  /** \brief Sets the standard deviation of the domain kernel.
   * \param[in] sigma_s pixels; 15 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaS(float sigma_s)
  {
    setParameter(device_filter_, &DepthBilateralFilterParameters::sigma_s, sigma_s);
    const float limit = DepthBilateralFilterParameters::max_window_radius;
    if (radius_follows_sigma_s_)
      setParameter(device_filter_,
                   &DepthBilateralFilterParameters::window_radius,
                   static_cast<int>(std::min(std::ceil(3.0f * sigma_s), limit)));
  }

  /** \return the standard deviation of the domain kernel, pixels */
  float
  getSigmaS() const
  {
    return device_filter_.getParameters().sigma_s;
  }

  /** \brief Sets the standard deviation of the range kernel.
   * \param[in] sigma_r metres; 0.05 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaR(float sigma_r)
  {
    setParameter(device_filter_, &DepthBilateralFilterParameters::sigma_r, sigma_r);
  }

  /** \return the standard deviation of the range kernel, metres */
  float
  getSigmaR() const
  {
    return device_filter_.getParameters().sigma_r;
  }

  /** \brief Sets the window: 2 radius + 1 pixels wide and high.
   * \param[in] radius pixels, 1 to DepthBilateralFilterParameters::max_window_radius;
   * until it is set it follows sigma_s: three standard deviations, rounded up, within
   * those limits
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setWindowRadius(int radius)
  {
    setParameter(
        device_filter_, &DepthBilateralFilterParameters::window_radius, radius);
    radius_follows_sigma_s_ = false;
  }

  /** \return the window radius in effect, pixels */
  int
  getWindowRadius() const
  {
    return device_filter_.getParameters().window_radius;
  }

  /** \brief Sets whether x and y follow the filtered z.
   * \param[in] rescale true: x and y are multiplied by filtered z over z, so that a
   * point stays on the ray from the origin; false, the default: they stay, as in PCL
   */
  void
  setRescaleXY(bool rescale)
  {
    rescale_xy_ = rescale;
  }

  /** \return whether x and y follow z */
  bool
  getRescaleXY() const
  {
    return rescale_xy_;
  }

  /** \brief Filters the input cloud.
   * \param[out] output of the same size; may be the input cloud itself
   * \throws pcl::InitFailedException if there is no input cloud. Called through a
   * pcl::Filter it prints PCL's error message instead.
   * \throws pcl::UnorganizedPointCloudException if the input is not organized
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  filter(PointCloud& output)
  {
    // pcl::Filter leaves a half-made output behind if applyFilter() throws.
    detail::requireOrganized<PointT>(input_, filter_name_);
    Filter<PointT>::filter(output);
  }

  /** \brief Filters the input cloud. Use filter(), which may be given the input cloud.
   * \param[out] output of the same size
   */
  void
  applyFilter(PointCloud& output) override;

private:
  /** \brief Objects and memory that are kept from call to call. */
  struct DeviceSide {
    detail::ImageUpload<float> depth;
    DepthMap filtered;
    detail::DeviceReader<float> reader;
  };

  DepthBilateralFilter device_filter_;
  bool radius_follows_sigma_s_ = true;
  bool rescale_xy_ = false;
  detail::Scratch<DeviceSide> scratch_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/triangulation/impl/fast_bilateral_filter.hpp>
#endif
