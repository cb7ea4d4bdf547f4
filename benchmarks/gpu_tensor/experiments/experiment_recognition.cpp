// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures how well and how fast TensorRecognition finds objects: in cluttered
 * scenes that are rendered with a Kinect's noise, and in a recorded one.
 */

#include "common/device_name.h"
#include "common/options.h"
#include "common/report.h"
#include "recognition_experiments.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

constexpr float distance_of_views = 0.9f;

std::shared_ptr<TensorLibrary>
learnedLibrary(const ExperimentOptions& options, const std::vector<SceneMesh>& meshes)
{
  const auto library = std::make_shared<TensorLibrary>();
  if (!options.library.empty() && std::ifstream(options.library)) {
    library->load(options.library);
    if (library->size() != static_cast<int>(meshes.size()))
      throw std::runtime_error(options.library + " has other objects");
    return library;
  }
  library->setParameters(recognitionParameters(options.size / 71.4f));
  TensorModelLearning learning;
  TensorModelLearningParameters parameters;
  parameters.extraction.surface.projection.camera = kinectCamera();
  parameters.extraction.tensors = library->getParameters();
  parameters.extraction.tensor_count = options.library_tensors;
  learning.setParameters(parameters);
  for (const SceneMesh& mesh : meshes) {
    const StopWatch watch;
    learning.clear();
    learning.addViews(mesh.mesh, options.library_views, distance_of_views);
    library->addModel(learning.getModel(mesh.name));
    std::fprintf(stderr,
                 "%s: %zu tensors, %.1f s\n",
                 mesh.name.c_str(),
                 library->getModel(library->size() - 1).frames.size(),
                 watch.seconds());
  }
  if (!options.library.empty())
    library->save(options.library);
  return library;
}

} // namespace

LearnedObjects
learnedObjects(const ExperimentOptions& options)
{
  const StopWatch watch;
  LearnedObjects objects;
  objects.meshes = libraryMeshes(options.data + "/meshes", options.size);
  objects.library = learnedLibrary(options, objects.meshes);
  std::printf("%d objects, %d tensors, %.1f s\n",
              objects.library->size(),
              objects.library->getTensorCount(),
              watch.seconds());
  return objects;
}

float
meanDistance(const SceneMesh& mesh, const Pose& a, const Pose& b)
{
  const std::size_t step = std::max<std::size_t>(1, mesh.vertices.size() / 300);
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < mesh.vertices.size(); i += step, ++count)
    sum += (a * mesh.vertices[i] - b * mesh.vertices[i]).norm();
  return static_cast<float>(sum / count);
}

PoseError
poseError(const Pose& found, const Pose& truth, const Eigen::Vector3f& point)
{
  constexpr double degree = 0.017453292519943295;
  const Eigen::Matrix3f turn = found.linear().transpose() * truth.linear();
  return {1e3 * (found * point - truth * point).norm(),
          Eigen::AngleAxisd(turn.cast<double>()).angle() / degree};
}

} // namespace benchmarks

namespace {

using namespace benchmarks;

constexpr const char* usage = R"(experiment_recognition EXPERIMENT [OPTIONS]

EXPERIMENT is one of
  clutter      4 or 5 objects of the library, and 1 or 2 others, on a table
  distractors  5 objects that are not in the library
  instances    clutter with two of one object
  views        figure 15 of Orts-Escolano et al. 2014: single objects
  carton       a milk carton in a recorded scene
  registration two views of each object, beside what PCL has
  recorded     views of a recorded video
Options)";

void
run(const std::string& experiment, const ExperimentOptions& options)
{
  if (experiment == "clutter")
    runClutter(options, {0, 0, 0});
  else if (experiment == "distractors")
    runClutter(options, {0, 5, 0});
  else if (experiment == "instances")
    runClutter(options, {0, 0, 2});
  else if (experiment == "views")
    runViews(options);
  else if (experiment == "registration")
    runRegistration(options);
  else if (experiment == "recorded")
    runRecordedRegistration(options);
  else if (experiment != "carton")
    throw std::runtime_error("there is no experiment " + experiment);
  else if (!runCarton(options))
    throw std::runtime_error("the carton was missed, or found where it is not");
}

} // namespace

int
main(int argc, char** argv)
{
  ExperimentOptions settings;
  settings.data = dataFolder();
  std::string experiment, device = "host";
  Options options(usage);
  options.add("device", device, "cuda or host");
  options.add("data", settings.data, "folder of test data");
  options.add("library", settings.library, "file to keep the learned library in");
  options.add("scenes", settings.scenes, "scenes, views of each object, or runs");
  options.add("seed", settings.seed, "other seeds, other scenes");
  options.add("tensors", settings.tensors, "of a scene");
  options.add("size", settings.size, "longest side of the objects, metres");
  options.add("library-views", settings.library_views, "of each object");
  options.add("library-tensors", settings.library_tensors, "of each view");
  options.addSwitch("verbose", settings.verbose, "list errors");
  options.addWord("experiment", experiment, "see above");
  return options.run(argc, argv, [&] {
    const pcl::gpu::ScopedDevice scope(deviceNamed(device));
    printContext();
    run(experiment, settings);
    return true;
  });
}
