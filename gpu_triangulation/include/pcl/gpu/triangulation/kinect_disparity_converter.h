// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a KinectDisparityConverter: those of the first Kinect.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS KinectDisparityConverterParameters {
  float baseline = 0.075f; ///< distance between projector and infrared camera, metres
  float focal_length = 575.8f;      ///< of the infrared camera, pixels
  float disparity_offset = 1090.0f; ///< raw disparity at infinite depth, 1/8 pixel

  /** \brief Rejects numbers that no sensor has.
   * \throws pcl::BadArgumentException naming the parameter and its value, unless all
   * are finite and positive
   */
  void
  validate() const;
};

/** \brief Turns a Kinect's raw disparity map into depth.
 *
 * z = b f / ((d_off - kd) / 8), Orts-Escolano et al. 2014, eq. (1). The sensor's code
 * for "no measurement", 2047, and every disparity at or beyond the offset give NaN.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS KinectDisparityConverter
: public Parameterized<KinectDisparityConverterParameters> {
public:
  /** \brief The sensor's code for a pixel without measurement. */
  static constexpr std::uint16_t no_measurement = 2047;

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
};

} // namespace pcl::gpu
