// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/numbers.h"

#include <pcl/gpu/scenespace/scene_frame.h>

#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief Arrangement of the cameras of a rig. */
enum class RigMotion {
  Small,   ///< about as far from the scene as from each other a hundred times
  Forward, ///< along their line of sight, past the points that others see
  Wild     ///< anywhere in the scene, turned anyhow
};

/** \brief Settings of a RandomRig. */
struct RigSettings {
  RigMotion motion = RigMotion::Small;
  int frames = 5;
  int width = 61, height = 43;
  int output_width = 70, output_height = 37;
  float zoom = 1.0f;    ///< of the output against the input
  float missing = 0.2f; ///< part of the pixels that have no depth
};

/** \brief An RGB-D video and an output camera, at random. */
struct RandomRig {
  std::vector<RGBDFrame> frames;
  SceneView view;

  RandomRig(unsigned int seed, const RigSettings& settings) : random(seed)
  {
    for (int i = 0; i < settings.frames; ++i)
      frames.push_back(makeFrame(settings));
    view.camera = camera(settings.output_width, settings.output_height, settings.zoom);
    view.pose = pose(settings.motion);
    view.time = 1.0f;
  }

  /** \brief The frames on the current device, numbered from 0. */
  std::vector<SceneFrame::ConstPtr>
  upload() const
  {
    std::vector<SceneFrame::ConstPtr> uploaded;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto frame = std::make_shared<SceneFrame>();
      frame->upload(frames[i], static_cast<int>(i));
      uploaded.push_back(frame);
    }
    return uploaded;
  }

private:
  float
  uniform(float low, float high)
  {
    return std::uniform_real_distribution<float>(low, high)(random);
  }

  PinholeCamera
  camera(int width, int height, float zoom)
  {
    PinholeCamera made;
    made.width = width;
    made.height = height;
    made.fx = zoom * width * uniform(0.7f, 1.1f);
    made.fy = made.fx * uniform(0.9f, 1.1f);
    made.cx = width * uniform(0.4f, 0.6f);
    made.cy = height * uniform(0.4f, 0.6f);
    return made;
  }

  Eigen::Vector3f
  vector(float size)
  {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }

  Pose
  pose(RigMotion motion)
  {
    const bool is_wild = motion == RigMotion::Wild;
    Pose made = Pose::Identity();
    made.rotate(Eigen::AngleAxisf(is_wild ? uniform(-3.0f, 3.0f) : uniform(-0.1f, 0.1f),
                                  vector(1.0f).normalized()));
    made.translation() = vector(is_wild ? 2.0f : 0.05f);
    if (motion == RigMotion::Forward)
      made.translation().z() = uniform(-1.5f, 2.5f);
    return made;
  }

  /** \brief Depths along a few planes, with noise, and without depth in all its
   * ways. */
  float
  depth(int column, int row, float missing)
  {
    if (uniform(0.0f, 1.0f) < missing) {
      const float none[] = {0.0f, -1.0f, infinity, -infinity, std::nanf("")};
      return none[random() % 5];
    }
    const bool is_near = (column / 9 + row / 7) % 3 == 0;
    return (is_near ? 1.0f : 2.0f + 0.01f * column) + uniform(-0.05f, 0.05f);
  }

  RGBDFrame
  makeFrame(const RigSettings& settings)
  {
    RGBDFrame frame;
    frame.color_camera = frame.depth_camera =
        camera(settings.width, settings.height, 1.0f);
    frame.color_pose = frame.depth_pose = pose(settings.motion);
    frame.color.resize(settings.width, settings.height);
    frame.depth.resize(settings.width, settings.height);
    for (int row = 0; row < settings.height; ++row)
      for (int column = 0; column < settings.width; ++column) {
        const std::size_t i = std::size_t(row) * settings.width + column;
        frame.depth.pixels[i] = depth(column, row, settings.missing);
        frame.color.pixels[i].rgba = 0xff000000u | (random() & 0xffffffu);
      }
    return frame;
  }

  std::mt19937 random;
};

} // namespace pcl::gpu::test
