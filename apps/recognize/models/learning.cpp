// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../subcommands.h"

#include "../../common/command_line/errors.h"
#include "../../common/command_line/progress_bar.h"
#include "../../common/work/shared_work.h"
#include "../pictures/depth_view.h"
#include "library_file.h"
#include "model_files.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

namespace {

/** \brief Opens the library that receives the models, or makes a new one. */
std::shared_ptr<TensorLibrary>
openLibrary(const LearnOptions& options)
{
  if (!std::filesystem::exists(options.library)) {
    auto library = std::make_shared<TensorLibrary>();
    library->setParameters(
        recognitionParameters(options.resolution.value_or(usual_resolution)));
    return library;
  }
  auto library = readLibrary(options.library);
  const float resolution = library->getParameters().resolution;
  const TensorParameters wanted =
      recognitionParameters(options.resolution.value_or(resolution));
  if (library->size() == 0)
    library->setParameters(wanted);
  else if (wanted != library->getParameters())
    throw fileError(options.library,
                    "its tensors have other parameters (resolution " +
                        std::to_string(resolution) + " m)",
                    options.resolution ? "the same --resolution"
                                       : "a library that this program made");
  return library;
}

/** \brief Learner of one model after the other. */
class Learner {
public:
  Learner(const LearnOptions& options, const TensorParameters& parameters)
  : options_(options)
  , parameters_(options.learning)
  {
    parameters_.extraction.setTensors(parameters);
  }

  TensorModel
  learn(const ModelFiles& files, ProgressBar& progress)
  {
    learning_.clear();
    if (files.is_mesh)
      addMesh(files, progress);
    else
      for (const std::string& file : files.files) {
        addCloud(file);
        progress.step(file);
      }
    TensorModel model = learning_.getModel(files.name);
    if (model.frames.empty())
      throw InputError(files.name + ": has no tensors: expected an object of " +
                       "some 70 resolutions that is curved or has edges");
    return model;
  }

private:
  /** \param[in] nearest least depth of the surfaces, metres, which decides the window
   * for partners of pairs */
  void
  prepare(const PinholeCamera& camera, float nearest)
  {
    const float usual = DepthMapTensorExtractionParameters().nearest_depth;
    parameters_.extraction.nearest_depth = std::clamp(nearest, 0.1f * usual, usual);
    parameters_.extraction.surface.projection.camera = camera;
    learning_.setParameters(parameters_);
  }

  void
  addMesh(const ModelFiles& files, ProgressBar& progress)
  {
    const std::string& path = files.files.front();
    const ModelMesh mesh = readModelMesh(path, options_.scaling);
    prepare(options_.camera,
            nearestDepth(mesh, options_.distance, parameters_.extraction.tensors));
    try {
      learning_.addViews(mesh.mesh,
                         options_.views,
                         options_.distance,
                         parameters_.extraction.seed,
                         [&](int) { progress.step(files.name); });
    }
    catch (const BadArgumentException& error) {
      throw InputError(path + ": " + plainMessage(error) + "; see --distance");
    }
  }

  void
  addCloud(const std::string& file)
  {
    const DepthView view = readCloudView(file, options_.camera);
    float nearest = std::numeric_limits<float>::infinity();
    for (const float depth : view.depth.pixels)
      nearest = std::fmin(nearest, depth);
    prepare(view.camera, nearest);
    DepthMap depth;
    depth.upload(view.depth.pixels, view.depth.width);
    learning_.addView(depth, view.pose);
  }

  const LearnOptions& options_;
  TensorModelLearningParameters parameters_;
  TensorModelLearning learning_;
};

} // namespace

void
learnModels(const LearnOptions& options, Timings& timings)
{
  const std::vector<ModelFiles> models = findModels(options.inputs);
  const auto library = openLibrary(options);
  std::size_t views = 0;
  const auto viewsOf = [&](int i) {
    return models[i].is_mesh ? static_cast<std::size_t>(options.views)
                             : models[i].files.size();
  };
  const int count = static_cast<int>(models.size());
  for (int i = 0; i < count; ++i) {
    const ModelFiles& model = models[i];
    // Another process of this run may have joined the parts already.
    if (library->findModel(model.name) >= 0 && !options.replace &&
        !options.sharing.goesOn())
      throw InputError(options.library + ": has a model " + model.name +
                       " already: expected --replace, or NAME=FILE with another name");
    views += viewsOf(i);
  }
  const std::string folder = options.library + ".parts";
  const auto nameOf = [&](int i) { return models[i].name + ".tensors"; };
  const auto partOf = [&](int i) {
    return (std::filesystem::path(folder) / nameOf(i)).string();
  };
  std::optional<SharedWork> work;
  if (options.sharing.goesOn())
    work.emplace(
        folder,
        count,
        options.sharing,
        std::vector<std::string>(),
        [&](int i) { return std::vector<std::string>{nameOf(i)}; },
        [&](int i) { return models[i].files; });
  Learner learner(options, library->getParameters());
  std::string report;
  std::vector<TensorModel> learned(count);
  {
    ProgressBar progress(views, "views", "--views takes fewer of each mesh");
    const auto make = [&](int i) -> std::optional<std::string> {
      const ModelFiles& files = models[i];
      TensorModel model = timings.measure("learn", [&] {
        return asUnitInput([&] { return learner.learn(files, progress); });
      });
      report += files.name + ": " + std::to_string(model.view_count) + " views, " +
                std::to_string(model.frames.size()) + " tensors, " +
                std::to_string(model.points.size()) + " points\n";
      if (!work) {
        learned[i] = std::move(model);
        return files.name;
      }
      TensorLibrary part;
      part.setParameters(library->getParameters());
      part.addModel(std::move(model));
      part.save(partOf(i));
      return files.name;
    };
    makeUnits(count, work ? &*work : nullptr, progress, make, viewsOf);
  }
  std::cout << report;
  if (work && !work->finish())
    return;
  const auto join = [&] {
    for (int i = 0; i < count; ++i) {
      if (work)
        learned[i] = readLibrary(partOf(i))->getModel(0);
      const int former = library->findModel(models[i].name);
      if (former >= 0)
        library->removeModel(former);
      library->addModel(std::move(learned[i]));
    }
    timings.measure("write", [&] { library->save(options.library); });
  };
  if (work)
    work->exclusively(join);
  else
    join();
  std::cout << options.library << ": " << library->size() << " models, "
            << library->getTensorCount() << " tensors\n";
}

} // namespace pcl::gpu::apps
