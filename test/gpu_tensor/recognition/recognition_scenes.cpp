// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "recognition_shapes.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <utility>

namespace pcl::gpu::test {

PinholeCamera
smallCamera()
{
  PinholeCamera camera;
  camera.fx = camera.fy = 262.5f;
  camera.cx = 159.5f;
  camera.cy = 119.5f;
  camera.width = 320;
  camera.height = 240;
  return camera;
}

void
setSmallCamera(DepthMapTensorExtractionParameters& extraction)
{
  extraction.tensors = shapeParameters();
  extraction.surface.filter_enabled = false;
  extraction.surface.projection.camera = smallCamera();
  extraction.surface.projection.sampling_step = 1;
}

float
SeenScene::determinedness(int shape) const
{
  Eigen::Matrix3f sum = Eigen::Matrix3f::Zero();
  int count = 0;
  for (std::size_t i = 0; i < normals.data.size(); ++i)
    if (instances.data[i] == shape) {
      const Eigen::Vector3f normal = normals.data[i].getVector3fMap();
      sum += normal * normal.transpose();
      ++count;
    }
  if (count == 0)
    return 0.0f;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f>(sum / count).eigenvalues()[0];
}

SeenScene
seenScene(const std::vector<PlacedShape>& shapes)
{
  const auto scene = std::make_shared<MeshScene>();
  for (const PlacedShape& shape : shapes)
    scene->addInstance(scene->addMesh(uploaded(shapeMesh(shape.name))), shape.pose);
  MeshRayCaster caster;
  caster.setScene(scene);
  MeshRayCasterParameters parameters;
  parameters.outputs = DepthOutput | TrianglesOutput | NormalsOutput;
  caster.setParameters(parameters);
  RayCastImages images;
  caster.cast(CameraView(smallCamera()), images);
  const Image<int> triangles = downloaded(images.triangles);
  SeenScene seen = {
      downloaded(images.depth), Image<int>(240, 320, -1), downloaded(images.normals)};
  for (std::size_t i = 0; i < triangles.data.size(); ++i)
    if (triangles.data[i] >= 0)
      seen.instances.data[i] = scene->findTriangle(triangles.data[i]).instance;
  return seen;
}

Pose
randomPose(const std::string& name, std::uint32_t seed)
{
  std::mt19937 random(seed);
  const auto uniform = [&](float from, float to) {
    return from + (to - from) * static_cast<float>(random() >> 8) * 0x1p-24f;
  };
  const float x = uniform(-0.1f, 0.1f), y = uniform(-0.06f, 0.06f);
  return poseAt(name, {x, y, uniform(0.7f, 0.85f)}, seed);
}

const TensorModel&
learnedShape(const std::string& name)
{
  static std::map<std::pair<std::string, bool>, TensorModel> shapes;
  const auto key = std::make_pair(name, currentDevice().isHost());
  const auto known = shapes.find(key);
  if (known != shapes.end())
    return known->second;
  TensorModelLearning learning;
  change(learning, [](auto& p) { setSmallCamera(p.extraction); });
  learning.addViews(uploaded(shapeMesh(name)), 42, 0.8f);
  return shapes.emplace(key, learning.getModel(name)).first->second;
}

std::shared_ptr<TensorLibrary>
shapeLibrary(const std::vector<std::string>& names)
{
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(shapeParameters());
  for (const std::string& name : names)
    library->addModel(learnedShape(name));
  return library;
}

ShapeFinder::ShapeFinder(const std::shared_ptr<TensorLibrary>& library)
{
  change(extraction, [](auto& p) {
    setSmallCamera(p);
    p.tensor_count = 300;
  });
  change(recognition, [](TensorRecognitionParameters& p) {
    // Scenes have no noise, so that what is there is surer than in recorded ones.
    p.depth_deviation = 0.001f;
    p.depth_deviation_growth = 0.0f;
    p.min_confidence = 0.5f;
  });
  recognition.setLibrary(library);
}

void
ShapeFinder::extract(const Image<float>& depth)
{
  extraction.compute(uploaded(depth));
}

std::vector<RecognizedObject>
ShapeFinder::findWith(TensorRecognition& other) const
{
  other.compute(extraction.surface().cloud(),
                extraction.surface().normals(),
                extraction.getCloudCamera(),
                extraction.tensors());
  return other.downloadObjects();
}

std::vector<RecognizedObject>
ShapeFinder::find(const Image<float>& depth)
{
  extract(depth);
  return findWith(recognition);
}

void
expectShape(const RecognizedObject& object,
            const TensorLibrary& library,
            const PlacedShape& shape,
            float distance,
            float degrees)
{
  EXPECT_EQ(library.getModel(object.model).name, shape.name);
  const PoseDifference error =
      poseDifference(shape.name, toPose(object.pose), shape.pose);
  EXPECT_LE(error.distance, distance) << shape.name << "\n" << textOf({object});
  EXPECT_LE(error.angle * 57.29578f, degrees) << shape.name << "\n" << textOf({object});
}

bool
sameObjects(const std::vector<RecognizedObject>& a,
            const std::vector<RecognizedObject>& b)
{
  return a.size() == b.size() &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), a.size() * sizeof(RecognizedObject)) == 0);
}

std::string
textOf(const std::vector<RecognizedObject>& objects)
{
  std::ostringstream text;
  for (const RecognizedObject& object : objects)
    text << "model " << object.model << ", " << object.inliers << " inliers, support "
         << object.evidence.support << ", visible " << object.visible << ", fit "
         << object.evidence.fit << ", free " << object.evidence.free << ", confidence "
         << object.confidence << "\n";
  return text.str();
}

} // namespace pcl::gpu::test
