// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a DepthMapProjection.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS DepthMapProjectionParameters {
  PinholeCamera camera; ///< took the depth map; must be set; width and height may be 0
  /** \brief n, 1 or more: clouds keep every n-th row and column of the depth map, from
   * the first one on. Clouds with colours keep all. */
  int sampling_step = 1;

  /** \brief Returns the intrinsics that the pixels of the cloud have.
   * \return those of the camera, but for the sampling step
   */
  PinholeCamera
  cloudCamera() const;

  /** \brief Rejects a camera that is set and invalid, and a step below 1.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Projects a depth map to an organized cloud in the camera's frame.
 *
 * p = (z (u - cx) / fx, z (v - cy) / fy, z): Orts-Escolano et al. 2014, eq. (2), where
 * u is the column and v the row (the paper's text has them the other way round). A
 * pixel without measurement becomes a point of NaN. O(pixels).
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS DepthMapProjection
: public Parameterized<DepthMapProjectionParameters> {
public:
  /** \brief Projects raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[out] cloud of the same size, but for the sampling step
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set, \a scale is not finite and
   * positive, or the camera's width and height are set and are not those of \a depth
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth,
          float scale,
          OrganizedCloud& cloud,
          const Stream& stream = {}) const;

  /** \brief Projects depth in metres. See above.
   * \param[in] depth metres
   * \param[out] cloud of the same size, but for the sampling step
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set or the sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth,
          OrganizedCloud& cloud,
          const Stream& stream = {}) const;

  /** \brief Projects depth in metres together with a colour for each of its pixels.
   * \param[in] depth metres
   * \param[in] colors of the same size; see ColorRegistration for a camera of its own
   * \param[out] cloud of the same size; points without colour are black
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set or the sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth,
          const ColorMap& colors,
          DeviceArray2D<PointXYZRGB>& cloud,
          const Stream& stream = {}) const;

private:
  template <typename Depth>
  void
  run(const Depth& depth,
      float scale,
      OrganizedCloud& cloud,
      const Stream& stream) const;
};

} // namespace pcl::gpu
