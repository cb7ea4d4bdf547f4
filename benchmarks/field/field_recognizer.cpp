// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "field_recognizer.h"

#include "common/statistics.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;

FieldRecognizer::FieldRecognizer(const RecognitionSettings& settings)
: settings_(settings)
, library_(std::make_shared<TensorLibrary>())
{
  library_->setParameters(recognitionParameters(settings.resolution));
  recognition_.setLibrary(library_);
  TensorRecognitionParameters parameters;
  parameters.min_confidence = settings.confidence;
  if (settings.all_candidates) {
    parameters.min_confidence = parameters.min_visible = parameters.min_fit = 0.0f;
    parameters.max_shared = 1.0f;
  }
  recognition_.setParameters(parameters);
}

DepthMapTensorExtractionParameters
FieldRecognizer::extractionParameters(int tensors, const PinholeCamera& camera) const
{
  DepthMapTensorExtractionParameters parameters;
  parameters.surface.projection.camera = camera;
  parameters.setTensors(library_->getParameters());
  parameters.tensor_count = tensors;
  return parameters;
}

void
FieldRecognizer::learn(const std::vector<BopMesh>& meshes, const PinholeCamera& camera)
{
  TensorModelLearning learning;
  TensorModelLearningParameters parameters;
  parameters.extraction = extractionParameters(settings_.view_tensors, camera);
  const float usual = parameters.extraction.nearest_depth;
  for (const BopMesh& mesh : meshes) {
    const std::string name = "object " + std::to_string(mesh.object);
    if (std::count(objects_.begin(), objects_.end(), mesh.object) > 0)
      throw std::runtime_error(name + " is in two folders of meshes");
    Eigen::AlignedBox3f box;
    for (const int vertex : mesh.mesh.triangles)
      box.extend(Eigen::Vector3f(mesh.mesh.vertices[vertex].getVector3fMap()));
    parameters.extraction.nearest_depth = std::clamp(
        settings_.distance - 0.5f * box.diagonal().norm(), 0.1f * usual, usual);
    learning.clear();
    learning.setParameters(parameters);
    try {
      learning.addViews(test::uploaded(mesh.mesh), settings_.views, settings_.distance);
    }
    catch (const std::exception& error) {
      throw std::runtime_error(name + ": " + error.what());
    }
    library_->addModel(learning.getModel(name));
    objects_.push_back(mesh.object);
  }
}

std::vector<Estimate>
FieldRecognizer::recognize(const test::Image<float>& depth, const PinholeCamera& camera)
{
  extraction_.setParameters(extractionParameters(settings_.tensors, camera));
  const StopWatch watch;
  const Stream stream;
  const DepthMap map = test::uploaded(depth); // lives until the stream has read it
  extraction_.compute(map, stream);
  recognition_.compute(extraction_.surface().cloud(),
                       extraction_.surface().normals(),
                       extraction_.getCloudCamera(),
                       extraction_.tensors(),
                       stream);
  std::vector<Estimate> estimates;
  for (const RecognizedObject& object : recognition_.downloadObjects())
    estimates.push_back({objects_[object.model],
                         toPose(object.pose),
                         object.confidence,
                         object.evidence});
  seconds_ = watch.seconds();
  return estimates;
}

} // namespace benchmarks
