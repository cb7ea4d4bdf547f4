// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "output_size.h"

#include "../../common/command_line/errors.h"
#include "../../common/command_line/option_parsing.h"

#include <pcl/gpu/scenespace/scene_view.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace {

/** \brief Parses width and height, or a factor of them. */
ImageSize
parseOutputSize(const PinholeCamera& camera, const std::string& text)
{
  const std::string option = "--size";
  if (text.find('x') != std::string::npos)
    return parseSize(option, text, 1, SceneView::max_size);
  const std::string expectation = "a factor, or WIDTHxHEIGHT, of 1 to " +
                                  std::to_string(SceneView::max_size) +
                                  " pixels a side";
  const std::vector<float> n = parseNumbers(option, text, expectation);
  const auto fits = [&](int side) {
    return side * n[0] >= 0.5f && side * n[0] <= SceneView::max_size;
  };
  checkOption(n.size() == 1 && fits(camera.width) && fits(camera.height),
              option + " " + text,
              expectation);
  return {static_cast<int>(std::lround(camera.width * n[0])),
          static_cast<int>(std::lround(camera.height * n[0]))};
}

} // namespace

PinholeCamera
cameraOfSize(const PinholeCamera& camera, const std::string& text)
{
  const ImageSize size = parseOutputSize(camera, text);
  return camera.resized(size.width, size.height);
}

} // namespace pcl::gpu::apps
