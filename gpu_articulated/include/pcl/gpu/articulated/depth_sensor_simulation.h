// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/depth_noise.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Parameters of DepthSensorSimulation.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS DepthSensorSimulationParameters {
  PinholeCamera camera; ///< of the depth maps; must be set; width and height may be 0
  Pose pose = Pose::Identity(); ///< of the camera: camera-to-world, metres
  DepthNoise noise;             ///< errors of the sensor

  /** \brief Rejects a camera that is set and invalid, a pose that is not rigid, and
   * noise out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Adds a sensor's errors to the clean depth map of a CapsuleRayCaster, or of
 * any renderer, and turns depth maps into points.
 *
 * Errors of a pixel depend on the seed, the number of the frame and the place of the
 * pixel only (counter-based random numbers: Salmon et al. 2011, Philox4x32-10). They
 * are the same in every run.
 *
 * O(pixels). Steady state neither allocates nor waits, and can be captured into a CUDA
 * graph. Objects own no memory.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS DepthSensorSimulation
: public Parameterized<DepthSensorSimulationParameters> {
public:
  /** \brief Adds the sensor's errors.
   * \param[in] depth_map clean z, metres; NaN for pixels that see nothing
   * \param[in] frame number of the frame: each has other errors
   * \param[out] measured z, metres, of the same size; NaN for no measurement. It may be
   * \a depth_map
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set, or it has another size
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  addNoise(const DeviceArray2D<float>& depth_map,
           std::uint32_t frame,
           DeviceArray2D<float>& measured,
           const Stream& stream = {}) const;

  /** \brief Computes the pixels' points in the world.
   * \param[in] depth_map z, metres; NaN for no measurement
   * \param[out] points one a pixel, row by row, metres, in the world; NaN for no
   * measurement
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set, or it has another size
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computePoints(const DeviceArray2D<float>& depth_map,
                DeviceArray<PointXYZ>& points,
                const Stream& stream = {}) const;
};

} // namespace pcl::gpu
