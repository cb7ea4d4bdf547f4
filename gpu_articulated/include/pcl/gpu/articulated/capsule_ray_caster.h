// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

namespace pcl::gpu {

/** \brief Parameters of CapsuleRayCaster.
 * \ingroup gpu_articulated
 */
struct PCL_EXPORTS CapsuleRayCasterParameters {
  PinholeCamera camera;         ///< must be set, with width and height
  Pose pose = Pose::Identity(); ///< of the camera: camera-to-world, metres

  /** \brief Rejects a camera that is invalid or has no pixels, and a pose that is not
   * rigid.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Renders the depth map that a camera has of capsules.
 *
 * Casts a ray through the centre of every pixel and finds the capsule that it meets first. A
 * ray that touches a capsule hits it. Seen from inside, a capsule's surface is where the ray
 * leaves it. Capsules that are not there (see Capsule) are not seen, and those of radius 0
 * hardly ever are. Of capsules that are met at the same depth the first one is seen. Depths
 * are computed in double precision.
 *
 * O(pixels * capsules). Steady state neither allocates nor waits, and can be captured into
 * a CUDA graph. Objects have no memory of their own.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS CapsuleRayCaster : public Parameterized<CapsuleRayCasterParameters> {
public:
  /** \brief Casts the rays.
   * \param[in] capsules in the world, metres; they may be none
   * \param[out] depth_map z in the camera's frame, metres, rows and columns as the camera
   * has; NaN where nothing is hit
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const DeviceArray<TaperedCapsule>& capsules,
       DeviceArray2D<float>& depth_map,
       const Stream& stream = {}) const;

  /** \brief Casts the rays and identifies the capsules that they hit.
   * \param[in] capsules as above
   * \param[out] depth_map as above
   * \param[out] ids number of the capsule that is hit; -1 where nothing is
   * \param[out] normals of the skin there, outwards, unit length, in the camera's frame;
   * NaN where nothing is hit
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if no camera was set
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const DeviceArray<TaperedCapsule>& capsules,
       DeviceArray2D<float>& depth_map,
       DeviceArray2D<int>& ids,
       DeviceArray2D<PointXYZ>& normals,
       const Stream& stream = {}) const;

private:
  void
  run(const DeviceArray<TaperedCapsule>& capsules,
      DeviceArray2D<float>& depth_map,
      DeviceArray2D<int>* ids,
      DeviceArray2D<PointXYZ>* normals,
      const Stream& stream) const;
};

} // namespace pcl::gpu
