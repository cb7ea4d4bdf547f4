// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_experiments.h"

#include "common/report.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

/** \brief Poses are right up to this mean distance, as a share of the object's
 * diameter. */
constexpr float largest_error = 0.05f;

/** \brief Upper limits of the classes of occlusion. */
constexpr std::array<double, 7> limits = {0.6, 0.7, 0.75, 0.8, 0.84, 0.9, 1.01};

struct OcclusionClass {
  int objects = 0, found = 0;
  PoseError matched{}, refined{};
};

void
addTo(PoseError& sum, const PoseError& error)
{
  sum.millimetres += error.millimetres;
  sum.degrees += error.degrees;
}

class ClutterResult {
public:
  ClutterResult(const LearnedObjects& objects, bool verbose)
  : objects_(objects)
  , verbose_(verbose)
  {}

  void
  add(int number, const ClutterScene& scene, const std::vector<RecognizedObject>& found)
  {
    std::vector<bool> hit(scene.objects.size(), false);
    for (const RecognizedObject& object : found) {
      ++detections_;
      const Pose pose = toPose(object.pose);
      const SceneMesh& mesh = objects_.meshes[object.model];
      std::size_t i = 0;
      while (i < hit.size() && !(!hit[i] && scene.objects[i].object == object.model &&
                                 meanDistance(mesh, pose, scene.objects[i].pose) <
                                     largest_error * mesh.diameter))
        ++i;
      if (i == hit.size()) {
        ++false_detections_;
        if (verbose_)
          std::printf("  scene %d: false %s, support %.2f, fit %.2f, visible %.2f, "
                      "confidence %.2f\n",
                      number,
                      mesh.name.c_str(),
                      object.evidence.support,
                      object.evidence.fit,
                      object.visible,
                      object.confidence);
        continue;
      }
      hit[i] = true;
      OcclusionClass& its_class = classOf(scene.objects[i].occlusion);
      ++its_class.found;
      const Pose& truth = scene.objects[i].pose;
      addTo(its_class.matched, poseError(toPose(object.matched_pose), truth));
      addTo(its_class.refined, poseError(pose, truth));
    }
    for (std::size_t i = 0; i < hit.size(); ++i) {
      const PlacedObject& object = scene.objects[i];
      if (object.object < 0)
        continue;
      ++classOf(object.occlusion).objects;
      if (verbose_ && !hit[i] && object.occlusion <= 0.8)
        std::printf("  scene %d: missed %s, %.0f %% hidden\n",
                    number,
                    objects_.meshes[object.object].name.c_str(),
                    100.0 * object.occlusion);
    }
  }

  void
  print() const
  {
    const bool any = std::any_of(
        classes_.begin(), classes_.end(), [](const OcclusionClass& its_class) {
          return its_class.objects > 0;
        });
    if (any)
      printClasses();
    std::printf("%d of %d detections false: %.1f %%\n",
                false_detections_,
                detections_,
                100.0 * false_detections_ / std::max(detections_, 1));
  }

private:
  void
  printClasses() const
  {
    printHeading("| hidden | objects | found | share | matched | refined |");
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const OcclusionClass& its_class = classes_[i];
      if (its_class.objects == 0)
        continue;
      const double n = std::max(its_class.found, 1);
      std::printf("| up to %.0f %% | %d | %d | %.1f %% | %.2f mm, %.2f deg | %.2f mm, "
                  "%.2f deg |\n",
                  100.0 * std::min(limits[i], 1.0),
                  its_class.objects,
                  its_class.found,
                  100.0 * its_class.found / its_class.objects,
                  its_class.matched.millimetres / n,
                  its_class.matched.degrees / n,
                  its_class.refined.millimetres / n,
                  its_class.refined.degrees / n);
    }
    std::printf("\n");
    for (double limit : {0.7, 0.8})
      printUpTo(limit);
  }

  OcclusionClass&
  classOf(double occlusion)
  {
    std::size_t i = 0;
    while (occlusion > limits[i])
      ++i;
    return classes_[i];
  }

  void
  printUpTo(double limit) const
  {
    int objects = 0, found = 0;
    for (std::size_t i = 0; i < limits.size() && limits[i] <= limit; ++i) {
      objects += classes_[i].objects;
      found += classes_[i].found;
    }
    if (objects > 0)
      std::printf("up to %.0f %% hidden: %d of %d found, %.1f %%\n",
                  100.0 * limit,
                  found,
                  objects,
                  100.0 * found / objects);
  }

  const LearnedObjects& objects_;
  bool verbose_;
  std::array<OcclusionClass, limits.size()> classes_;
  int detections_ = 0, false_detections_ = 0;
};

} // namespace

void
runClutter(const ExperimentOptions& options, const SceneMix& mix)
{
  const LearnedObjects objects = learnedObjects(options);
  const std::vector<SceneMesh> distractors =
      distractorMeshes(options.data + "/meshes", options.size);
  const SceneMaker maker(objects.meshes, distractors);
  DepthMapTensorExtraction extraction;
  DepthMapTensorExtractionParameters parameters;
  parameters.surface.projection.camera = kinectCamera();
  parameters.tensors = objects.library->getParameters();
  parameters.tensor_count = options.tensors;
  TensorRecognition recognition;
  recognition.setLibrary(objects.library);
  ClutterResult result(objects, options.verbose);
  std::vector<double> extraction_seconds, recognition_seconds;
  for (int i = 0; i < options.scenes; ++i) {
    const std::uint64_t seed = 100000 * options.seed + static_cast<std::uint64_t>(i);
    Random random(seed);
    SceneMix of_scene = mix;
    if (mix.distractors == 0) {
      of_scene.library = 4 + static_cast<int>(random() % 2);
      of_scene.distractors = 1 + static_cast<int>(random() % 2);
    }
    const ClutterScene scene = maker.make(of_scene, seed);
    const DepthMap depth = test::uploaded(scene.depth);
    parameters.seed = seed;
    extraction.setParameters(parameters);
    const Stream stream;
    const StopWatch watch;
    extraction.compute(depth, stream);
    stream.synchronize();
    const double extracted = watch.seconds();
    recognition.compute(extraction.surface().cloud(),
                        extraction.surface().normals(),
                        extraction.getCloudCamera(),
                        extraction.tensors(),
                        stream);
    const std::vector<RecognizedObject> found = recognition.downloadObjects();
    const double done = watch.seconds();
    if (i > 0) { // the first scene's time has allocations, and the library's table
      extraction_seconds.push_back(extracted);
      recognition_seconds.push_back(done - extracted);
    }
    result.add(i, scene, found);
  }
  result.print();
  std::printf("median of a scene: extraction %.1f ms, recognition %.1f ms\n",
              1e3 * medianOf(extraction_seconds),
              1e3 * medianOf(recognition_seconds));
}

} // namespace benchmarks
