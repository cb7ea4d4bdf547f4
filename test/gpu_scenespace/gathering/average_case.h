// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_scenespace/gathering/random_rig.h"

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>

#include <cmath>
#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief A rig, guides of its frames, and a reference for its output. */
struct AverageCase {
  RandomRig rig;
  std::vector<std::vector<RGB>> guides;
  std::vector<RGB> color;
  std::vector<float> depth;
  std::vector<float> weights;

  explicit AverageCase(unsigned int seed, const RigSettings& settings = {})
  : rig(seed, settings)
  {
    std::mt19937 random(seed);
    const auto someColor = [&] {
      RGB made;
      made.rgba = random();
      made.r = 100 + made.r % 40;
      made.g = 30 + made.g % 40;
      made.b = 200 + made.b % 40;
      return made;
    };
    for (const RGBDFrame& frame : rig.frames) {
      guides.emplace_back();
      for (std::size_t i = 0; i < frame.color.pixels.size(); ++i)
        guides.back().push_back(someColor());
      weights.push_back(0.1f * (1 + random() % 20));
    }
    weights[1] = 0.0f;
    const int pixels = rig.view.camera.width * rig.view.camera.height;
    for (int i = 0; i < pixels; ++i) {
      color.push_back(someColor());
      depth.push_back(random() % 4 == 0 ? std::nanf("")
                                        : 1.0f + 0.001f * (random() % 1000));
    }
  }

  int
  width() const
  {
    return rig.view.camera.width;
  }

  std::vector<SceneFrame::ConstPtr>
  upload() const
  {
    std::vector<SceneFrame::ConstPtr> uploaded;
    for (std::size_t i = 0; i < rig.frames.size(); ++i) {
      const auto frame = std::make_shared<SceneFrame>();
      frame->upload(rig.frames[i], static_cast<int>(i));
      DeviceArray2D<RGB> guide;
      guide.upload(guides[i], rig.frames[i].color.width);
      frame->setGuide(guide);
      uploaded.push_back(frame);
    }
    return uploaded;
  }

  SceneReference
  reference() const
  {
    SceneReference made;
    made.color.upload(color, width());
    made.depth.upload(depth, width());
    return made;
  }
};

/** \brief Copies an image to the host. */
template <typename T>
std::vector<T>
downloaded(const DeviceArray2D<T>& image)
{
  std::vector<T> pixels;
  int columns = 0;
  image.download(pixels, columns);
  return pixels;
}

} // namespace pcl::gpu::test
