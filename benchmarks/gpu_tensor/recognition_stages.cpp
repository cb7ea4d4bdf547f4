// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_stages.h"

#include "work_times.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace benchmarks {

namespace {

using namespace pcl::gpu;

/** \brief A frame that goes through the whole recognition, or one stage of it. */
class RecognitionStages {
public:
  RecognitionStages(const RawDepth& depth,
                    const std::shared_ptr<TensorLibrary>& library,
                    int tensors)
  : parameters_(library->getParameters())
  {
    depth_.upload(depth.millimetres, depth.camera.width);
    extraction_.setCamera(depth.camera);
    extraction_.setParameters(parameters_);
    extraction_.setTensorCount(tensors);
    recognition_.setLibrary(library);
    extract();
    applyParameters(parameters_, pair_estimation_);
    applyParameters(parameters_, tensor_extraction_);
    pair_estimation_.setWindowRadius(windowRadius());
    pair_estimation_.selectRandomly(tensors, 0);
  }

  void
  makeSurface()
  {
    extraction_.surface().compute(depth_, 0.001f);
  }

  void
  findPairs()
  {
    const DepthMapTriangulation& surface = extraction_.surface();
    pair_estimation_.compute(
        surface.cloud(), surface.normals(), surface.statistics(), pairs_);
  }

  void
  computeTensors()
  {
    const DepthMapTriangulation& surface = extraction_.surface();
    tensor_extraction_.compute(surface.cloud(),
                               surface.normals(),
                               surface.mesh(),
                               surface.statistics(),
                               pairs_,
                               tensors_);
  }

  void
  extract()
  {
    extraction_.compute(depth_, 0.001f);
  }

  void
  match()
  {
    recognition_.matching().compute(
        extraction_.tensors(), recognition_.getLibrary()->table(), matches_);
  }

  /** \brief Matching, poses, and the points of all objects. */
  void
  recognize()
  {
    recognition_.compute(extraction_.surface().cloud(),
                         extraction_.surface().normals(),
                         extraction_.getCloudCamera(),
                         extraction_.tensors());
  }

  std::string
  objects() const
  {
    std::string names;
    for (const RecognizedObject& object : recognition_.getObjects())
      names += (names.empty() ? "" : ", ") +
               recognition_.getLibrary()->getModel(object.model).name;
    return names.empty() ? "none" : names;
  }

  int
  tensorCount() const
  {
    int count = 0;
    extraction_.tensors().count.download(&count);
    return count;
  }

private:
  /** \brief The window that DepthMapTensorExtraction has by default. */
  int
  windowRadius() const
  {
    const PinholeCamera camera = extraction_.getCloudCamera();
    const float farthest = parameters_.max_distance * parameters_.resolution;
    const float pixels = farthest * std::max(camera.fx, camera.fy) / 0.7f;
    return std::min(static_cast<int>(std::ceil(pixels)),
                    PointPairEstimation::max_window_radius);
  }

  TensorParameters parameters_;
  RawDepthMap depth_;
  DepthMapTensorExtraction extraction_;
  PointPairEstimation pair_estimation_;
  TensorExtraction tensor_extraction_;
  TensorRecognition recognition_;
  PointPairs pairs_;
  TensorSet tensors_;
  DeviceArray<TensorMatch> matches_;
};

void
printStage(const char* name, int rounds, const std::function<void()>& stage)
{
  const WorkTimes times = timeOf(rounds, true, stage);
  std::printf("| %s | %.1f / %.1f | %.1f |\n",
              name,
              WorkTimes::least(times.wall),
              WorkTimes::median(times.wall),
              WorkTimes::least(times.processor));
  std::fflush(stdout);
}

} // namespace

void
printRecognition(const RawDepth& depth,
                 const std::shared_ptr<TensorLibrary>& library,
                 int tensors,
                 int rounds)
{
  RecognitionStages stages(depth, library, tensors);
  std::printf(
      "\n## Recognition, %s, %d models of %d tensors, %d tensors of the scene\n\n"
      "| stage | ms | processor, ms |\n|---|---|---|\n",
      depth.name.c_str(),
      library->size(),
      library->getTensorCount(),
      stages.tensorCount());
  stages.recognize();
  printStage("depth map to mesh", rounds, [&] { stages.makeSurface(); });
  printStage("valid pairs", rounds, [&] { stages.findPairs(); });
  printStage("tensors", rounds, [&] { stages.computeTensors(); });
  printStage("all of these", rounds, [&] { stages.extract(); });
  printStage("matching", rounds, [&] { stages.match(); });
  printStage("matching and poses", rounds, [&] { stages.recognize(); });
  printStage("whole frame", rounds, [&] {
    stages.extract();
    stages.recognize();
  });
  std::printf("\nObjects found: %s\n", stages.objects().c_str());
}

} // namespace benchmarks
