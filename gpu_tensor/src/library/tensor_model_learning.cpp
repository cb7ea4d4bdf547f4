// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/sampled_points.h"

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/number_text.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pcl::gpu {

namespace {

/** \brief Least number of points of a view that are kept. */
constexpr std::size_t points_of_view = 400;

/** \brief Distance that opposite normals add between points, as a share of the size. */
constexpr float weight_of_normals = 0.1f;

/** \brief Chooses points that are farthest from those chosen before. */
TensorModel::Points
farthestPoints(const TensorModel::Points& points, std::size_t count)
{
  TensorModel::Points chosen;
  if (points.empty())
    return chosen;
  Eigen::AlignedBox3f box;
  for (const PointNormal& point : points)
    box.extend(Eigen::Vector3f(point.getVector3fMap()));
  const float scale = 0.5f * weight_of_normals * box.sizes().maxCoeff();
  std::vector<float> distances(points.size(), std::numeric_limits<float>::infinity());
  std::size_t next = 0;
  while (chosen.size() < count && distances[next] > 0.0f) {
    const PointNormal& last = points[next];
    chosen.push_back(last);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float squared =
          (points[i].getVector3fMap() - last.getVector3fMap()).squaredNorm() +
          scale * scale *
              (points[i].getNormalVector3fMap() - last.getNormalVector3fMap())
                  .squaredNorm();
      distances[i] = std::min(distances[i], squared);
    }
    next = std::max_element(distances.begin(), distances.end()) - distances.begin();
  }
  return chosen;
}

/** \brief Checks that a mesh and its distance are in metres, as far as sizes tell. */
void
checkExtent(float extent,
            float distance,
            const DepthMapTensorExtractionParameters& extraction)
{
  const TensorParameters& tensors = extraction.tensors;
  const PinholeCamera camera = extraction.surface.projection.cloudCamera();
  const float shortest = tensors.min_distance * tensors.resolution;
  const float longest = tensors.max_distance * tensors.resolution;
  checkArgument(extent >= shortest && extent < 2.0f * distance,
                "extent of the mesh",
                extent,
                ("metres, from the least distance of a pair, " +
                 numberText(shortest, 4) + ", to less than twice the camera's, " +
                 numberText(2.0f * distance, 4))
                    .c_str());
  const float focal_length = std::max(camera.fx, camera.fy);
  const float farthest = longest * focal_length;
  checkArgument(farthest <= 0.0f || distance <= farthest,
                "distance of the camera",
                distance,
                ("metres, up to " + numberText(farthest, 4) +
                 ", from where neighbouring pixels are farther apart than pairs")
                    .c_str());
}

} // namespace

TensorModelLearningParameters::TensorModelLearningParameters()
{
  extraction.tensor_count = 150;
}

void
TensorModelLearningParameters::validate() const
{
  extraction.validate();
  checkAtLeast("number of points", point_count, 1);
  checkAtLeast("least number of voxels", min_voxels, 0);
}

void
TensorModelLearning::addView(const DepthMap& depth, const Pose& pose)
{
  validatePose(pose, "pose of the camera");
  extraction_.setParameters(parameters_.extraction);
  extraction_.compute(depth);
  appendTensors(
      extraction_.tensors(), pose, model_.view_count, model_, parameters_.min_voxels);
  // Points of surfaces that are seen too flatly are too inaccurate.
  constexpr float flattest = -0.5f;
  const TensorModel::Points points = sampledPoints(
      extraction_.surface(),
      pose,
      flattest,
      std::max(points_of_view, static_cast<std::size_t>(parameters_.point_count)),
      static_cast<unsigned int>(model_.view_count));
  model_.points.insert(model_.points.end(), points.begin(), points.end());
}

void
TensorModelLearning::addViews(const TriangleMesh& mesh,
                              int views,
                              float distance,
                              std::uint64_t seed,
                              const std::function<void(int)>& observer)
{
  checkAtLeast("number of views", views, 1);
  checkPositive("distance of the camera", distance);
  std::vector<PointXYZ> vertices;
  std::vector<int> triangles;
  mesh.vertices.download(vertices);
  mesh.triangles.download(triangles);
  Eigen::AlignedBox3f box; // of the vertices that are used
  for (const int number : triangles)
    if (number >= 0 && static_cast<std::size_t>(number) < vertices.size() &&
        vertices[number].getVector3fMap().allFinite())
      box.extend(Eigen::Vector3f(vertices[number].getVector3fMap()));
  checkArgument(
      !box.isEmpty(), "number of finite vertices of triangles", 0, "1 or more");
  checkExtent(box.diagonal().norm(), distance, parameters_.extraction);

  MeshRayCaster caster;
  caster.setInputMesh(mesh);
  setParameter(caster, &MeshRayCasterParameters::outputs, DepthOutput);
  RayCastImages images;
  std::mt19937_64 random(seed);
  int done = 0;
  for (const Eigen::Vector3f& direction : evenDirections(views)) {
    constexpr float turn = 6.28318531f;
    const float roll = turn * static_cast<float>(random() >> 40) * 0x1p-24f;
    const Pose pose = lookAt(box.center() + distance * direction, box.center()) *
                      Eigen::AngleAxisf(roll, Eigen::Vector3f::UnitZ());
    caster.cast(CameraView(parameters_.extraction.surface.projection.camera, pose),
                images);
    addView(images.depth, pose);
    if (observer)
      observer(++done);
  }
}

TensorModel
TensorModelLearning::getModel(const std::string& name) const
{
  TensorModel model = model_;
  model.name = name;
  model.points =
      farthestPoints(model_.points, static_cast<std::size_t>(parameters_.point_count));
  model.symmetries = findSymmetries(model_.points);
  return model;
}

std::vector<Eigen::Vector3f>
evenDirections(int count)
{
  checkAtLeast("number of directions", count, 1);
  constexpr double golden_angle = 2.39996322972865332;
  std::vector<Eigen::Vector3f> directions;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double r = std::sqrt(1.0 - z * z);
    directions.push_back(Eigen::Vector3d(r * std::cos(golden_angle * i),
                                         r * std::sin(golden_angle * i),
                                         z)
                             .cast<float>());
  }
  return directions;
}

} // namespace pcl::gpu
