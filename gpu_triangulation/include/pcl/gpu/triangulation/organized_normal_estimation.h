// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/features/feature.h>
#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

/** \brief Normals and curvatures of organized clouds: stands in for
 * pcl::NormalEstimation, pcl::NormalEstimationOMP and
 * pcl::IntegralImageNormalEstimation.
 *
 * Uploads the cloud to the calling thread's current device, runs NormalMapEstimation
 * there and downloads the normals. Device memory is kept from call to call.
 *
 * By default windows adapt to edges and noise, so that the setters of neighbourhoods
 * change nothing. Clouds must be in their camera's frame. setNormalEstimationMethod()
 * chooses COVARIANCE_MATRIX instead: the least-squares plane of the points in a square
 * window of pixels, 7 x 7 by default, as pcl::NormalEstimation and PCL's
 * COVARIANCE_MATRIX have it. Its sums are taken in double precision about a nearby
 * point: it stays accurate far from the origin. setKSearch(), setWindowSize() and
 * setNormalSmoothingSize() are three ways to choose the window; the last call counts.
 * On a surface without jumps the window holds the nearest neighbours;
 * setMaxDepthChangeFactor() keeps those across a jump out. At the image's border the
 * window is cut off, so that border points have normals as well. Normals are turned to
 * the viewpoint.
 *
 * Notes for users of PCL's classes:
 *  - setIndices() chooses the points that the output holds; neighbours are taken from
 *    the whole cloud.
 *  - A search tree given by setSearchMethod() is not used, and none is built.
 *  - setRadiusSearch() and a setSearchSurface() other than the input make compute()
 *    throw.
 *  - A point has no normal (all four values NaN, is_dense false) where
 *    NormalMapEstimation finds none.
 *  - As in PCL, only the normal and the curvature of the output are written: where
 *    PointOutT has coordinates, copy them from the input.
 *
 * \code
 * pcl::gpu::OrganizedNormalEstimation<pcl::PointXYZ> estimation;
 * estimation.setInputCloud(cloud);
 * estimation.compute(normals);
 * \endcode
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal as
 * input and Normal, PointNormal, PointXYZINormal and PointXYZRGBNormal as output. For
 * other types define PCL_NO_PRECOMPILE before the first include, as with PCL's own
 * classes: the header then brings `impl/organized_normal_estimation.hpp` along. The
 * output type needs normal_x, normal_y, normal_z and curvature.
 *
 * \ingroup gpu_triangulation
 */
template <typename PointInT, typename PointOutT = pcl::Normal>
class OrganizedNormalEstimation : public Feature<PointInT, PointOutT> {
public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<OrganizedNormalEstimation<PointInT, PointOutT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const OrganizedNormalEstimation<PointInT, PointOutT>>;
  /** \brief Input. */
  using PointCloudIn = typename Feature<PointInT, PointOutT>::PointCloudIn;
  /** \brief Output. */
  using PointCloudOut = typename Feature<PointInT, PointOutT>::PointCloudOut;

  /** \brief The smallest window, pixels. */
  static constexpr int min_window_size = 3;

  /** \brief The largest window, pixels. */
  static constexpr int max_window_size =
      2 * NormalMapEstimationParameters::max_window_radius + 1;

  /** \brief Chooses a window of 7 x 7 pixels and the sensor's origin as viewpoint. */
  OrganizedNormalEstimation()
  {
    feature_name_ = "gpu::OrganizedNormalEstimation";
    setWindowSize(2 * parameters_.window_radius + 1);
  }

  /** \brief Sets the input cloud and, unless setViewPoint() chose another, takes its
   * sensor origin as viewpoint.
   * \param[in] cloud an organized cloud; it is checked by compute()
   */
  void
  setInputCloud(const typename PointCloudIn::ConstPtr& cloud) override
  {
    input_ = cloud;
    if (use_sensor_origin_)
      takeSensorOrigin();
  }

  /** \brief Sets the method.
   * \param[in] method ADAPTIVE_WINDOWS, the default, or COVARIANCE_MATRIX as PCL's
   * classes have it
   */
  void
  setNormalEstimationMethod(NormalEstimationMethod method)
  {
    parameters_.method = method;
  }

  /** \return the method */
  NormalEstimationMethod
  getNormalEstimationMethod() const
  {
    return parameters_.method;
  }

  /** \brief Sets the window by the number of its points.
   * \param[in] k points; the window is the smallest odd square that holds as many: 3 x
   * 3 up to k = 9, 5 x 5 up to 25, 7 x 7 up to 49, ... compute() throws
   * pcl::BadArgumentException unless it is from 1 to the square of max_window_size
   */
  void
  setKSearch(int k)
  {
    k_ = k;
  }

  /** \brief Sets the window by its width and height.
   * \param[in] size pixels, odd, from min_window_size to max_window_size; 7 by default
   * \throws pcl::BadArgumentException if it is not
   */
  void
  setWindowSize(int size)
  {
    checkArgument(size % 2 == 1 && size >= min_window_size && size <= max_window_size,
                  "window size",
                  size,
                  "an odd number of pixels from 3 to 33");
    k_ = size * size;
  }

  /** \brief The width and height of the window in effect.
   * \return pixels
   * \throws pcl::BadArgumentException if setKSearch() was given a number that no window
   * can hold
   */
  int
  getWindowSize() const
  {
    checkBetween("number of neighbours",
                 k_,
                 1,
                 max_window_size * max_window_size,
                 "1 to 1089 points, a window of at most 33 x 33 pixels");
    int size = min_window_size;
    while (size * size < k_)
      size += 2;
    return size;
  }

  /** \brief Sets the window as pcl::IntegralImageNormalEstimation does.
   * \param[in] normal_smoothing_size pixels; the window is the smallest odd one as
   * wide. It has the same size at every depth.
   * \throws pcl::BadArgumentException unless it is positive and at most max_window_size
   */
  void
  setNormalSmoothingSize(float normal_smoothing_size)
  {
    checkArgument(normal_smoothing_size > 0.0f &&
                      normal_smoothing_size <= max_window_size,
                  "normal smoothing size",
                  normal_smoothing_size,
                  "a positive number of pixels up to 33");
    const int pixels = static_cast<int>(std::ceil(normal_smoothing_size));
    setWindowSize(std::max<int>(min_window_size, pixels + 1 - pixels % 2));
  }

  /** \brief Leaves out neighbours across a depth jump.
   *
   * Neighbour q of p is left out if |z_q - z_p| > factor |z_p|.
   * \param[in] factor no unit; infinity, the default, leaves out none;
   * pcl::IntegralImageNormalEstimation has 0.02 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setMaxDepthChangeFactor(float factor)
  {
    checkDeviation("maximum depth change factor", factor);
    parameters_.max_depth_change_factor = factor;
  }

  /** \return the depth change factor; infinity if neighbours are never left out */
  float
  getMaxDepthChangeFactor() const
  {
    return parameters_.max_depth_change_factor;
  }

  /** \brief Sets the point that normals are turned to, in place of the sensor's origin.
   * \param[in] vpx its x in the cloud's frame, metres
   * \param[in] vpy its y in the cloud's frame, metres
   * \param[in] vpz its z in the cloud's frame, metres
   */
  void
  setViewPoint(float vpx, float vpy, float vpz)
  {
    parameters_.viewpoint = Eigen::Vector3f(vpx, vpy, vpz);
    use_sensor_origin_ = false;
  }

  /** \brief The point that normals are turned to.
   * \param[out] vpx its x in the cloud's frame, metres
   * \param[out] vpy its y in the cloud's frame, metres
   * \param[out] vpz its z in the cloud's frame, metres
   */
  void
  getViewPoint(float& vpx, float& vpy, float& vpz) const
  {
    vpx = parameters_.viewpoint.x();
    vpy = parameters_.viewpoint.y();
    vpz = parameters_.viewpoint.z();
  }

  /** \brief Turns normals to the sensor's origin of the input cloud again (the
   * default).
   */
  void
  useSensorOriginAsViewPoint()
  {
    use_sensor_origin_ = true;
    takeSensorOrigin();
  }

protected:
  using Feature<PointInT, PointOutT>::feature_name_;
  using Feature<PointInT, PointOutT>::indices_;
  using Feature<PointInT, PointOutT>::input_;
  using Feature<PointInT, PointOutT>::k_;
  using Feature<PointInT, PointOutT>::search_parameter_;
  using Feature<PointInT, PointOutT>::search_radius_;
  using Feature<PointInT, PointOutT>::surface_;

  /** \brief Checks input and settings; builds no search tree.
   * \return true
   * \throws pcl::InitFailedException if there is no input cloud
   * \throws pcl::UnorganizedPointCloudException if it is not organized
   * \throws pcl::BadArgumentException if no window holds k points, a search radius or
   * another search surface was set, or an index lies outside the cloud
   */
  bool
  initCompute() override;

private:
  /** \brief Objects and memory that are kept from call to call. */
  struct DeviceSide {
    NormalMapEstimation estimation;
    detail::ImageUpload<PointXYZ> cloud;
    NormalMap normals;
    detail::DeviceReader<PointXYZ> reader;
  };

  /** \brief Runs the device class.
   * \param[out] output normals and curvatures of the points in indices_
   * \throws pcl::BadArgumentException if the viewpoint is not finite
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeFeature(PointCloudOut& output) override;

  void
  takeSensorOrigin()
  {
    parameters_.viewpoint.setZero();
    if (input_)
      parameters_.viewpoint = input_->sensor_origin_.template head<3>();
  }

  NormalMapEstimationParameters parameters_; ///< but for the window, which is k_
  bool use_sensor_origin_ = true;
  detail::Scratch<DeviceSide> scratch_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/triangulation/impl/organized_normal_estimation.hpp>
#endif
