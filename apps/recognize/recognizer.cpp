// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognizer.h"

#include "../common/command_line/errors.h"
#include "../common/files/image_reader.h"
#include "../common/files/output_file.h"

#include <cstddef>
#include <limits>
#include <string>

namespace pcl::gpu::apps {

void
RecognizedScene::dropCloud()
{
  cloud = {};
  normals = {};
  colors = {};
  labels = {};
}

Recognizer::Recognizer(const RecognizeOptions& options,
                       const std::shared_ptr<TensorLibrary>& library,
                       Timings& timings)
: options_(options)
, timings_(timings)
, parameters_(options.extraction)
{
  parameters_.setTensors(library->getParameters());
  recognition_.setLibrary(library);
  TensorRecognitionParameters recognition;
  recognition.min_confidence = options.confidence;
  recognition_.setParameters(recognition);
  if (!options.mask.empty())
    mask_ = readColorImage(options.mask);
}

void
Recognizer::applyMask(const std::string& file, DepthView& view) const
{
  if (mask_.empty())
    return;
  if (mask_.width != view.depth.width || mask_.height != view.depth.height)
    throw fileError(options_.mask,
                    "has " + std::to_string(mask_.width) + " x " +
                        std::to_string(mask_.height) + " pixels",
                    "the size of " + file + ", " + std::to_string(view.depth.width) +
                        " x " + std::to_string(view.depth.height));
  for (std::size_t i = 0; i < mask_.pixels.size(); ++i) {
    const RGB& pixel = mask_.pixels[i];
    if (pixel.r == 0 && pixel.g == 0 && pixel.b == 0)
      view.depth.pixels[i] = std::numeric_limits<float>::quiet_NaN();
  }
}

DepthView
Recognizer::read(const std::string& file) const
{
  const std::string expectation = "a depth map (.png or .pgm) or a cloud (.pcd)";
  checkInputFile(file, expectation);
  const std::string extension = extensionOf(file);
  if (extension == ".pcd")
    return readOrganizedView(file, options_.camera);
  if (extension == ".png" || extension == ".pgm")
    return readDepthView(
        file, options_.depth_scale, options_.missing_depth, options_.camera);
  throw fileError(file, "unknown kind of file", expectation);
}

RecognizedScene
Recognizer::run(const std::string& file)
{
  RecognizedScene scene;
  scene.file = file;
  const DepthView view = timings_.measure("read", [&] {
    return asUnitInput([&] {
      DepthView whole = read(file);
      applyMask(file, whole);
      return whole;
    });
  });
  parameters_.surface.projection.camera = view.camera;
  extraction_.setParameters(parameters_);
  DepthMap depth;
  depth.upload(view.depth.pixels, view.depth.width);
  Timings times;
  for (int i = 0; i < options_.repeat; ++i) {
    times.measure("tensors", stream_, [&] { extraction_.compute(depth, stream_); });
    times.measure("recognition", stream_, [&] {
      const DepthMapTriangulation& surface = extraction_.surface();
      recognition_.compute(surface.cloud(),
                           surface.normals(),
                           extraction_.getCloudCamera(),
                           extraction_.tensors(),
                           stream_);
    });
  }
  scene.tensors_ms = times.median("tensors");
  scene.recognition_ms = times.median("recognition");
  timings_.add("tensors", scene.tensors_ms);
  timings_.add("recognition", scene.recognition_ms);
  download(view, scene);
  return scene;
}

void
Recognizer::download(const DepthView& view, RecognizedScene& scene) const
{
  scene.objects = recognition_.downloadObjects();
  extraction_.tensors().count.download(&scene.tensors);
  scene.camera = view.camera;
  scene.viewpoint = view.pose;
  scene.cloud_camera = extraction_.getCloudCamera();
  const DepthMapTriangulation& surface = extraction_.surface();
  surface.cloud().download(scene.cloud, scene.columns);
  surface.normals().download(scene.normals, scene.columns);
  recognition_.pixelObjects().download(scene.labels, scene.columns);
  if (view.colors.empty())
    return;
  // The cloud keeps every n-th row and column.
  const int step = surface.getParameters().projection.sampling_step;
  scene.colors.resize(scene.cloud.size());
  for (std::size_t i = 0; i < scene.cloud.size(); ++i) {
    const auto u = static_cast<int>(i % scene.columns) * step;
    const auto v = static_cast<int>(i / scene.columns) * step;
    scene.colors[i] =
        view.colors.pixels[static_cast<std::size_t>(v) * view.colors.width + u];
  }
}

} // namespace pcl::gpu::apps
