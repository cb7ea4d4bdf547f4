// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/filters/filter.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Applies a scene-space effect to a cloud of a sequence: denoising, unless
 * another effect is set.
 *
 * The clouds are organized, each in the frame of its camera (x to the right, y
 * downwards, z forwards), as grabbers make them. All are seen by one camera with the
 * same intrinsics. The result is organized, too: colours are those of the effect,
 * points lie where its depth says, and without depth all of x, y and z are NaN. Other
 * fields have their defaults. Indices are ignored.
 *
 * \code
 * pcl::gpu::SceneSpaceFilter<pcl::PointXYZRGB> filter;
 * filter.setCamera(camera);
 * for (std::size_t i = 0; i < clouds.size(); ++i)
 *   filter.addCloud(clouds[i], poses[i]);
 * filter.setInputCloud(clouds[12]);
 * filter.filter(filtered);
 * \endcode
 *
 * Precompiled for PointXYZRGB and PointXYZRGBA. For other types define
 * PCL_NO_PRECOMPILE before the first include, as with PCL's own classes.
 *
 * \ingroup gpu_scenespace
 */
template <typename PointT>
class SceneSpaceFilter : public Filter<PointT> {
protected:
  using Filter<PointT>::filter_name_;
  using Filter<PointT>::input_;
  /** \brief Input and output. */
  using PointCloud = typename Filter<PointT>::PointCloud;
  /** \brief A cloud that several own, and none changes. */
  using PointCloudConstPtr = typename Filter<PointT>::PointCloudConstPtr;

public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<SceneSpaceFilter<PointT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const SceneSpaceFilter<PointT>>;

  /** \brief Denoises, and knows of no clouds. */
  SceneSpaceFilter();

  /** \brief Sets the camera of clouds that are added from now on.
   * \param[in] camera intrinsics; a size of 0 stands for that of the clouds
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setCamera(const PinholeCamera& camera);

  /** \return the camera; one of 525 pixels focal length and 640x480 pixels by default,
   * a Kinect's */
  const PinholeCamera&
  getCamera() const
  {
    return camera_;
  }

  /** \brief Sets the effect on clouds.
   * \param[in] effect the effect
   * \throws pcl::BadArgumentException if it is null
   */
  void
  setEffect(SceneSpaceEffect::ConstPtr effect);

  /** \return the effect */
  const SceneSpaceEffect::ConstPtr&
  getEffect() const
  {
    return effect_;
  }

  /** \brief Sets the preparation of clouds.
   * \param[in] preparation their noise, their masks...
   */
  void
  setPreparation(const ScenePreparation& preparation);

  /** \return the preparation of clouds */
  const ScenePreparation&
  getPreparation() const
  {
    return preparation_;
  }

  /** \brief Sets the resources of processing.
   * \param[in] resources devices, memory, threads
   */
  void
  setResources(const SceneSpaceResources& resources);

  /** \return the resources of processing */
  const SceneSpaceResources&
  getResources() const
  {
    return resources_;
  }

  /** \brief Adds a cloud to the end of the sequence.
   * \param[in] cloud organized, in the frame of its camera; kept
   * \param[in] pose of its camera, camera-to-world
   * \throws pcl::BadArgumentException if it is null, or naming the camera or the pose
   * \throws pcl::UnorganizedPointCloudException if it is not organized
   */
  void
  addCloud(const PointCloudConstPtr& cloud, const Pose& pose);

  /** \brief Adds a cloud that knows the pose of its camera: sensor_origin_ and
   * sensor_orientation_.
   * \param[in] cloud organized, in the frame of its camera; kept
   * \throws as above
   */
  void
  addCloud(const PointCloudConstPtr& cloud);

  /** \brief Forgets all clouds of the sequence. */
  void
  clearClouds();

  /** \return number of clouds of the sequence */
  int
  getNumberOfClouds() const
  {
    return static_cast<int>(clouds_.size());
  }

  /** \brief Filters the input cloud, which has to be one of the sequence.
   * \param[out] output organized, of the size of the effect's view; may be the input
   * \throws pcl::InitFailedException if the input cloud is not one of the sequence
   * \throws as SceneSpaceVideo
   */
  void
  filter(PointCloud& output);

protected:
  /** \brief Filters the input cloud. Use filter().
   * \param[out] output as above
   */
  void
  applyFilter(PointCloud& output) override;

private:
  /** \brief The input's place in the sequence. */
  int
  numberOfInput() const;

  PinholeCamera camera_;
  SceneSpaceEffect::ConstPtr effect_;
  ScenePreparation preparation_;
  SceneSpaceResources resources_;
  std::vector<PointCloudConstPtr> clouds_;
  std::shared_ptr<RGBDRecording> recording_ = std::make_shared<RGBDRecording>();
  std::unique_ptr<SceneSpaceVideo> video_; ///< null after a change of settings
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/scenespace/impl/scene_space_filter.hpp>
#endif
