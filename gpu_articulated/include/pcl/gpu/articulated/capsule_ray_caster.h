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
 * Casts a ray through the centre of every pixel and finds the capsule that it meets
 * first. A ray that touches a capsule hits it. A ray from inside a capsule hits the
 * surface on its way out. Capsules that do not exist (see Capsule) are not seen, and
 * those of radius 0 almost never. Of capsules at the same depth the first one is seen.
 * Depths are computed in double precision.
 *
 * O(pixels * capsules). Steady state neither allocates nor waits, and can be captured
 * into a CUDA graph. Objects own no memory.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS CapsuleRayCaster : public Parameterized<CapsuleRayCasterParameters> {
public:
  /** \brief Casts the rays.
   * \param[in] capsules in the world, metres; may be empty
   * \param[out] depth_map z in the camera's frame, metres, rows and columns as the
   * camera has; NaN for rays that hit nothing
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
   * \param[out] ids number of the capsule that is hit; -1 for none
   * \param[out] normals of the skin at the hit, outwards, unit length, in the camera's
   * frame; NaN for rays that hit nothing
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
};

} // namespace pcl::gpu
