// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_experiments.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/io/pcd_io.h>

#include <Eigen/Geometry>

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Vector3f;
using pcl::gpu::test::Image;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

pcl::PointCloud<pcl::PointXYZ>
readCloud(const std::string& path)
{
  pcl::PointCloud<pcl::PointXYZ> cloud;
  if (pcl::io::loadPCDFile(path, cloud) != 0)
    throw std::runtime_error("cannot read " + path);
  return cloud;
}

/** \brief A camera of half the Kinect's resolution: as many pixels as a cloud has
 * points that keeps every second row and column. */
PinholeCamera
halfCamera()
{
  PinholeCamera camera = kinectCamera();
  camera.fx *= 0.5f;
  camera.fy *= 0.5f;
  camera.cx = 159.5f;
  camera.cy = 119.5f;
  camera.width = 320;
  camera.height = 240;
  return camera;
}

/** \brief The carton as someone might hand it over: moved, and with noise. */
struct MovedCarton {
  pcl::PointCloud<pcl::PointXYZ> cloud;
  Pose motion; ///< from where the scene has it
};

MovedCarton
movedCarton(const pcl::PointCloud<pcl::PointXYZ>& carton, std::uint64_t seed)
{
  constexpr float deviation = 0.001f, farthest = 0.5f;
  Random random(seed);
  std::normal_distribution<float> noise(0.0f, deviation);
  std::uniform_real_distribution<float> aside(-farthest, farthest);
  MovedCarton moved;
  moved.motion = Pose::Identity();
  moved.motion.linear() = randomRotation(random);
  for (int i = 0; i < 3; ++i)
    moved.motion.translation()[i] = aside(random);
  moved.cloud = carton;
  for (pcl::PointXYZ& point : moved.cloud) {
    point.getVector3fMap() = moved.motion * Vector3f(point.getVector3fMap());
    for (int i = 0; i < 3; ++i)
      point.data[i] += noise(random);
  }
  moved.cloud.sensor_origin_.head<3>() =
      moved.motion * Vector3f(carton.sensor_origin_.head<3>());
  return moved;
}

Vector3f
middleOf(const pcl::PointCloud<pcl::PointXYZ>& cloud)
{
  Vector3f sum = Vector3f::Zero();
  for (const pcl::PointXYZ& point : cloud)
    sum += point.getVector3fMap();
  return sum / static_cast<float>(cloud.size());
}

TensorModel
learnedCarton(const MovedCarton& carton, const TensorParameters& parameters)
{
  TensorModelLearning learning;
  TensorModelLearningParameters learned;
  learned.extraction.tensors = parameters;
  learned.extraction.tensor_count = 0;
  // Half the pixels, and a tenth of the noise.
  learned.extraction.surface.projection.camera = halfCamera();
  learned.extraction.surface.projection.sampling_step = 1;
  learned.extraction.surface.filter.window_radius = 3;
  learned.extraction.surface.filter.sigma_s = 1.5f;
  learned.point_count = 3000;
  learning.setParameters(learned);
  const Pose camera =
      lookAt(Vector3f(carton.cloud.sensor_origin_.head<3>()), middleOf(carton.cloud));
  const RangeView view = projectedRangeView(carton.cloud, halfCamera(), camera);
  DepthMap depth;
  depth.upload(view.depth, view.camera.width);
  learning.addView(depth, camera);
  return learning.getModel("carton");
}

class CartonScene {
public:
  explicit CartonScene(const std::string& folder)
  : carton_(readCloud(folder + "/pcd/milk_color.pcd"))
  {
    const pcl::PointCloud<pcl::PointXYZ> scene =
        readCloud(folder + "/pcd/milk_cartoon_all_small_clorox.pcd");
    with_ = Image<float>(static_cast<int>(scene.height), static_cast<int>(scene.width));
    for (std::size_t i = 0; i < scene.size(); ++i)
      with_.data[i] = scene[i].z > 0.0f ? scene[i].z : missing;
    without_ = with_;
    const PinholeCamera camera = kinectCamera();
    for (const pcl::PointXYZ& point : carton_) {
      const auto u = std::lround(point.x / point.z * camera.fx + camera.cx);
      const auto v = std::lround(point.y / point.z * camera.fy + camera.cy);
      without_.at(static_cast<int>(v), static_cast<int>(u)) = missing;
    }
  }

  /** \return whether the carton is found where it is, and only there */
  bool
  run(std::uint64_t seed, int tensors)
  {
    const MovedCarton moved = movedCarton(carton_, seed);
    const auto library = std::make_shared<TensorLibrary>();
    library->setParameters(recognitionParameters());
    library->addModel(learnedCarton(moved, library->getParameters()));
    const std::vector<RecognizedObject> found =
        recognized(with_, library, tensors, 2 * seed);
    const std::vector<RecognizedObject> found_without =
        recognized(without_, library, tensors, 2 * seed + 1);
    const Pose truth = moved.motion.inverse();
    const Vector3f middle = middleOf(moved.cloud);
    bool is_right = found.size() == 1 && found_without.empty();
    std::printf("seed %d, %d tensors: found %zu, without it %zu",
                static_cast<int>(seed),
                library->getTensorCount(),
                found.size(),
                found_without.size());
    if (!found.empty()) {
      const RecognizedObject& best = found.front();
      const PoseError matched = poseError(toPose(best.matched_pose), truth, middle);
      const PoseError refined = poseError(toPose(best.pose), truth, middle);
      is_right = is_right && refined.millimetres < 1.0 && refined.degrees < 0.5;
      std::printf("; matched %.2f mm, %.2f deg, refined %.2f mm, %.2f deg; support "
                  "%.1f, visible %.2f, fit %.2f, seen through %.2f, confidence %.2f",
                  matched.millimetres,
                  matched.degrees,
                  refined.millimetres,
                  refined.degrees,
                  best.evidence.support,
                  best.visible,
                  best.evidence.fit,
                  best.evidence.free,
                  best.confidence);
    }
    for (const RecognizedObject& object : found_without)
      std::printf("; false: support %.1f, visible %.2f, fit %.2f, confidence %.2f",
                  object.evidence.support,
                  object.visible,
                  object.evidence.fit,
                  object.confidence);
    std::printf(" %s\n", is_right ? "right" : "WRONG");
    return is_right;
  }

private:
  static std::vector<RecognizedObject>
  recognized(const Image<float>& depth,
             const std::shared_ptr<TensorLibrary>& library,
             int tensors,
             std::uint64_t seed)
  {
    const float resolution = library->getParameters().resolution;
    DepthMapTensorExtraction extraction;
    DepthMapTensorExtractionParameters scene;
    scene.surface.projection.camera = kinectCamera();
    scene.tensors = library->getParameters();
    scene.tensor_count = tensors;
    scene.seed = seed;
    extraction.setParameters(scene);
    extraction.compute(test::uploaded(depth));
    TensorRecognition recognition;
    recognition.setLibrary(library);
    TensorRecognitionParameters found;
    found.matching.match_count = 5;
    found.grouping_distance = 0.03f / resolution;
    found.grouping_angle = 0.34906585f;
    found.refinement.rounds = 20;
    found.refinement.points = 3000;
    found.refinement.first_distance = 0.03f / resolution;
    found.refinement.last_distance = 0.006f / resolution;
    recognition.setParameters(found);
    recognition.compute(extraction.surface().cloud(),
                        extraction.surface().normals(),
                        extraction.getCloudCamera(),
                        extraction.tensors());
    return recognition.downloadObjects();
  }

  pcl::PointCloud<pcl::PointXYZ> carton_;
  Image<float> with_, without_;
};

} // namespace

bool
runCarton(const ExperimentOptions& options)
{
  CartonScene scene(options.data);
  int right = 0;
  for (int i = 0; i < options.scenes; ++i)
    right += scene.run(options.seed + static_cast<std::uint64_t>(i), options.tensors);
  std::printf("%d of %d right\n", right, options.scenes);
  return right == options.scenes;
}

} // namespace benchmarks
