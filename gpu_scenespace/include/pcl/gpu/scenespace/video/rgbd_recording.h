// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/point_cloud.h>

#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace pcl::gpu {

/** \brief An RGB-D video in memory, frame by frame as they come: from a PCL grabber, a
 * renderer or a test.
 *
 * \code
 * RGBDRecording recording;
 * grabber.registerCallback<void(const PointCloud<PointXYZRGBA>::ConstPtr&)>(
 *     [&](const PointCloud<PointXYZRGBA>::ConstPtr& cloud) {
 *       recording.add(toRGBDFrame(*cloud, camera, pose, 1e-6 * cloud->header.stamp));
 *     });
 * \endcode
 *
 * Frames can be added on one thread and read on others.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RGBDRecording : public RGBDVideo {
public:
  /** \brief Adds a frame after all others.
   * \param[in] frame is kept as it is; where its cameras have no size, they get that of
   * the images
   * \throws pcl::BadArgumentException naming the frame, the parameter and its value: a
   * view that validateView() rejects, images that are empty or not of their cameras'
   * sizes, a time before that of the frame before
   */
  void
  add(RGBDFrame frame);

  int
  size() const override;

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

private:
  std::shared_ptr<const RGBDFrame>
  frame(int number) const;

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const RGBDFrame>> frames_;
};

/** \brief The frame of an organized cloud with colour, as grabbers hand them out.
 *
 * \tparam PointT a point type with x, y, z and r, g, b
 * \param[in] cloud in the frame of its camera, which saw a pixel in each of its points;
 * a point has no depth if its z is none by isMeasuredDepth()
 * \param[in] camera that saw colour and depth; gets the cloud's size
 * \param[in] pose of the camera, camera-to-world
 * \param[in] time seconds
 * \return the frame
 * \throws pcl::UnorganizedPointCloudException if the cloud is not organized
 * \ingroup gpu_scenespace
 */
template <typename PointT>
RGBDFrame
toRGBDFrame(const PointCloud<PointT>& cloud,
            const PinholeCamera& camera,
            const Pose& pose,
            double time)
{
  if (!cloud.isOrganized() ||
      cloud.size() != static_cast<std::size_t>(cloud.width) * cloud.height)
    PCL_THROW_EXCEPTION(UnorganizedPointCloudException,
                        "cloud has " << cloud.width << " x " << cloud.height
                                     << " points: expected an organized one");
  RGBDFrame frame;
  frame.time = time;
  frame.depth_camera = camera;
  frame.depth_camera.width = static_cast<int>(cloud.width);
  frame.depth_camera.height = static_cast<int>(cloud.height);
  frame.color_camera = frame.depth_camera;
  frame.depth_pose = frame.color_pose = pose;
  frame.color.resize(frame.depth_camera.width, frame.depth_camera.height);
  frame.depth.resize(frame.depth_camera.width, frame.depth_camera.height);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const PointT& point = cloud[i];
    frame.depth.pixels[i] =
        isMeasuredDepth(point.z) ? point.z : std::numeric_limits<float>::quiet_NaN();
    frame.color.pixels[i] = RGB(point.r, point.g, point.b);
  }
  return frame;
}

} // namespace pcl::gpu
