// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Turns a Kinect's raw disparity map into depth.
 *
 * z = b f / ((d_off - kd) / 8), Orts-Escolano et al. 2014, eq. (1). The sensor's code for
 * "no measurement", 2047, and every disparity at or beyond the offset give NaN.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS KinectDisparityConverter {
public:
  /** \brief The sensor's code for a pixel without measurement. */
  static constexpr std::uint16_t no_measurement = 2047;

  /** \brief Sets the distance between projector and infrared camera.
   * \param[in] baseline metres; 0.075 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setBaseline(float baseline);

  /** \brief Sets the infrared camera's focal length.
   * \param[in] focal_length pixels; 575.8 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setFocalLength(float focal_length);

  /** \brief Sets the disparity at infinite depth.
   * \param[in] offset units of the raw disparity, an eighth of a pixel; 1090 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setDisparityOffset(float offset);

  /** \brief Converts one frame. O(pixels).
   * \param[in] disparity raw 11-bit disparity
   * \param[out] depth metres, of the same size
   * \param[in] stream the queue to join
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& disparity,
          DepthMap& depth,
          const Stream& stream = {}) const;

private:
  float baseline_ = 0.075f;
  float focal_length_ = 575.8f;
  float offset_ = 1090.0f;
};

} // namespace pcl::gpu
