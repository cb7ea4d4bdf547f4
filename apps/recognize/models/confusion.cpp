// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../subcommands.h"

#include "../../common/command_line/errors.h"
#include "../../common/command_line/json_text.h"
#include "../../common/command_line/progress_bar.h"
#include "../../common/files/output_file.h"
#include "../result_writer.h"
#include "confusion_matrix.h"
#include "library_file.h"
#include "model_files.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

namespace pcl::gpu::apps {

namespace {

/** \brief Draws a number from 0 to below 1. */
double
uniform(std::mt19937_64& random)
{
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

Eigen::Vector3f
randomDirection(std::mt19937_64& random)
{
  const double z = 2.0 * uniform(random) - 1.0;
  const double angle = 2.0 * M_PI * uniform(random), r = std::sqrt(1.0 - z * z);
  return Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z).cast<float>();
}

/** \brief Draws a direction at least two degrees from those of the learned views. */
Eigen::Vector3f
newDirection(const std::vector<Eigen::Vector3f>& learned, std::mt19937_64& random)
{
  constexpr float cosine = 0.99939f;
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3f direction = randomDirection(random);
    if (std::none_of(learned.begin(), learned.end(), [&](const Eigen::Vector3f& other) {
          return direction.dot(other) > cosine;
        }))
      return direction;
  }
  return randomDirection(random); // views are too dense
}

/** \brief Object of the experiment. */
struct Subject {
  ModelFiles files;
  ModelMesh mesh;
};

std::vector<Subject>
readSubjects(const ConfusionOptions& options, const TensorLibrary& library)
{
  std::vector<Subject> subjects;
  for (ModelFiles& files : findModels(options.inputs)) {
    const std::string& path = files.files.front();
    if (!files.is_mesh)
      throw fileError(path, "is a cloud", "a mesh");
    const int model = library.findModel(files.name);
    if (model < 0)
      throw InputError(options.library + ": has no model " + files.name +
                       ": expected the names of its models, see info");
    ModelMesh mesh = readModelMesh(path, options.scaling);
    nearestDepth(mesh, options.nearest, library.getParameters());
    const Eigen::AlignedBox3f box = boxOf(library.getModel(model));
    const float ratio = mesh.box.sizes().maxCoeff() /
                        std::max(box.isEmpty() ? 0.0f : box.sizes().maxCoeff(), 1e-9f);
    // Views leave out some of the surface, but not that much.
    if (!box.isEmpty() && !(ratio > 0.8f && ratio < 1.4f))
      throw fileError(path,
                      "is " + jsonNumber(ratio, 3) + " times as large as its model",
                      "--scale or --size as it was learned with");
    subjects.push_back({std::move(files), std::move(mesh)});
  }
  return subjects;
}

/** \brief Experiment: makes views with noise, and matches their tensors. */
class Experiment {
public:
  Experiment(const ConfusionOptions& options, TensorLibrary& library)
  : options_(options)
  , library_(library)
  , random_(options.seed)
  , noise_(options.noise, options.seed)
  , parameters_(options.extraction)
  {
    parameters_.setTensors(library.getParameters());
    parameters_.surface.projection.camera = options.camera;
    TensorMatchingParameters matching = options.matching;
    matching.ranking = MatchRanking::CorrelationTimesOverlap;
    matching_.setParameters(matching);
    MeshRayCasterParameters rays;
    rays.outputs = DepthOutput;
    caster_.setParameters(rays);
  }

  /** \return the matched model of each tensor of a view; -1 for none */
  std::vector<int>
  run(const Subject& subject, Timings& timings)
  {
    const DepthMap depth = timings.measure("render", [&] { return render(subject); });
    parameters_.seed = random_();
    extraction_.setParameters(parameters_);
    timings.measure("tensors", stream_, [&] { extraction_.compute(depth, stream_); });
    const TensorTable& table = library_.table(stream_);
    timings.measure("matching", stream_, [&] {
      matching_.compute(extraction_.tensors(), table, matches_, stream_);
    });
    int count = 0;
    extraction_.tensors().count.download(&count);
    std::vector<TensorMatch> matches;
    matches_.download(matches);
    std::vector<int> models;
    for (int i = 0; i < count; ++i)
      models.push_back(
          matches[i].tensor < 0 ? -1 : library_.getPlace(matches[i].tensor).model);
    return models;
  }

private:
  DepthMap
  render(const Subject& subject)
  {
    const TensorModel& model =
        library_.getModel(library_.findModel(subject.files.name));
    const Eigen::Vector3f direction =
        newDirection(evenDirections(std::max(model.view_count, 1)), random_);
    const float distance =
        options_.nearest +
        static_cast<float>(uniform(random_)) * (options_.farthest - options_.nearest);
    const float roll = static_cast<float>(2.0 * M_PI * uniform(random_));
    const Eigen::Vector3f middle = subject.mesh.box.center();
    const Pose pose = lookAt(middle + distance * direction, middle) *
                      Eigen::AngleAxisf(roll, Eigen::Vector3f::UnitZ());
    caster_.setInputMesh(subject.mesh.mesh);
    caster_.cast(CameraView(options_.camera, pose), images_);
    std::vector<float> depth;
    int columns = 0;
    images_.depth.download(depth, columns);
    DepthMap result;
    result.upload(noise_.apply(depth, columns), columns);
    return result;
  }

  const ConfusionOptions& options_;
  TensorLibrary& library_;
  std::mt19937_64 random_;
  KinectNoise noise_;
  Stream stream_;
  MeshRayCaster caster_;
  RayCastImages images_;
  DepthMapTensorExtractionParameters parameters_;
  DepthMapTensorExtraction extraction_;
  TensorMatching matching_;
  DeviceArray<TensorMatch> matches_;
};

void
writeConfusion(const ConfusionOptions& options, const ConfusionMatrix& matrix)
{
  std::ostringstream out;
  out << "{\n  \"program\": \"pcl_gpu_recognize\",\n  \"version\": "
      << jsonText(PCL_GPU_VERSION) << ",\n  \"library\": " << jsonText(options.library)
      << ",\n  \"noise\": " << jsonNumber(options.noise)
      << ",\n  \"min_correlation\": " << jsonNumber(options.matching.min_correlation)
      << ",\n  \"min_overlap\": " << jsonNumber(options.matching.min_overlap)
      << ",\n  \"seed\": " << options.seed << ",\n"
      << matrix.json() << "}\n";
  writeText(options.output, out.str());
}

} // namespace

void
measureConfusion(const ConfusionOptions& options, Timings& timings)
{
  const auto library = readFilledLibrary(options.library);
  const std::vector<Subject> subjects =
      timings.measure("read", [&] { return readSubjects(options, *library); });
  std::vector<std::string> objects, models;
  for (const Subject& subject : subjects)
    objects.push_back(subject.files.name);
  for (int i = 0; i < library->size(); ++i)
    models.push_back(library->getModel(i).name);
  ConfusionMatrix matrix(objects, models);
  Experiment experiment(options, *library);
  {
    ProgressBar progress(subjects.size() * static_cast<std::size_t>(options.views),
                         "views",
                         "--views takes fewer of each model");
    for (std::size_t i = 0; i < subjects.size(); ++i)
      for (int k = 0; k < options.views; ++k) {
        matrix.addView(static_cast<int>(i), experiment.run(subjects[i], timings));
        progress.step(subjects[i].files.name);
      }
  }
  if (!options.output.empty())
    writeConfusion(options, matrix);
  matrix.print();
}

} // namespace pcl::gpu::apps
