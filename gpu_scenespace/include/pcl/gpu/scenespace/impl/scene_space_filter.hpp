// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_filter.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pcl::gpu {

template <typename PointT>
SceneSpaceFilter<PointT>::SceneSpaceFilter()
: effect_(std::make_shared<DenoisingEffect>())
{
  filter_name_ = "gpu::SceneSpaceFilter";
  camera_.fx = camera_.fy = 525.0f;
  camera_.cx = 319.5f;
  camera_.cy = 239.5f;
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::setCamera(const PinholeCamera& camera)
{
  camera.validate();
  camera_ = camera;
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::setEffect(SceneSpaceEffect::ConstPtr effect)
{
  if (!effect)
    PCL_THROW_EXCEPTION(BadArgumentException, "effect is null: expected one");
  effect_ = std::move(effect);
  video_.reset();
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::setPreparation(const ScenePreparation& preparation)
{
  preparation_ = preparation;
  video_.reset();
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::setResources(const SceneSpaceResources& resources)
{
  resources_ = resources;
  video_.reset();
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::addCloud(const PointCloudConstPtr& cloud, const Pose& pose)
{
  if (!cloud)
    PCL_THROW_EXCEPTION(BadArgumentException, "cloud is null: expected one");
  recording_->add(toRGBDFrame(*cloud, camera_, pose, double(clouds_.size())));
  clouds_.push_back(cloud);
  // A video measures the memory of frames when it is made.
  if (clouds_.front()->width != cloud->width ||
      clouds_.front()->height != cloud->height)
    video_.reset();
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::addCloud(const PointCloudConstPtr& cloud)
{
  Pose pose = Pose::Identity();
  if (cloud) {
    pose.linear() = cloud->sensor_orientation_.toRotationMatrix();
    pose.translation() = cloud->sensor_origin_.template head<3>();
  }
  addCloud(cloud, pose);
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::clearClouds()
{
  clouds_.clear();
  recording_ = std::make_shared<RGBDRecording>();
  video_.reset();
}

template <typename PointT>
int
SceneSpaceFilter<PointT>::numberOfInput() const
{
  const auto found = std::find(clouds_.begin(), clouds_.end(), input_);
  if (!input_ || found == clouds_.end())
    PCL_THROW_EXCEPTION(InitFailedException,
                        filter_name_
                            << ": the input cloud is not one of the sequence's "
                            << clouds_.size() << ": see addCloud()");
  return static_cast<int>(found - clouds_.begin());
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::filter(PointCloud& output)
{
  // pcl::Filter leaves a half-made output behind if applyFilter() throws.
  numberOfInput();
  Filter<PointT>::filter(output);
}

template <typename PointT>
void
SceneSpaceFilter<PointT>::applyFilter(PointCloud& output)
{
  const int number = numberOfInput();
  if (!video_)
    video_ = std::make_unique<SceneSpaceVideo>(
        recording_, effect_, preparation_, resources_);
  const RGBDFrame frame = video_->read(number);
  const PinholeCamera& camera = frame.color_camera;
  PointCloud result(frame.color.width, frame.color.height);
  result.header = input_->header;
  result.sensor_origin_.template head<3>() = frame.color_pose.translation();
  result.sensor_orientation_ = Eigen::Quaternionf(frame.color_pose.linear());
  for (int row = 0; row < frame.color.height; ++row)
    for (int column = 0; column < frame.color.width; ++column) {
      const std::size_t i = std::size_t(row) * frame.color.width + column;
      const RGB& color = frame.color.pixels[i];
      const float z = frame.depth.pixels[i];
      PointT& point = result[i];
      point.r = color.r;
      point.g = color.g;
      point.b = color.b;
      point.x = z * ((column - camera.cx) / camera.fx);
      point.y = z * ((row - camera.cy) / camera.fy);
      point.z = z;
      result.is_dense = result.is_dense && std::isfinite(z);
    }
  output = std::move(result);
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuSceneSpaceFilter(T)                                         \
  template class PCL_EXPORTS pcl::gpu::SceneSpaceFilter<T>;
