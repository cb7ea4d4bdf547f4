// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures how well TensorRecognition finds objects of data sets in BOP's
 * format: in their depth images, and in rendered arrangements of their true poses.
 * Measures how well TensorViewRegistration registers fragments of the 3DMatch
 * benchmark.
 */

#include "arrangement.h"
#include "bop_folder.h"
#include "common/device_name.h"
#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "field_recognizer.h"
#include "field_result.h"
#include "fragment_experiment.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using pcl::gpu::PinholeCamera;
using pcl::gpu::test::Image;

constexpr const char* usage =
    "experiment_field EXPERIMENT SCENE [OPTIONS]\n"
    "  images        recognizes objects in the depth images of a scene in BOP's "
    "format\n"
    "  arrangements  in rendered images of the scene's true poses, on a table with "
    "clutter\n"
    "  fragments     registers pairs of fragments of a scene in 3DMatch's format, by\n"
    "                TensorViewRegistration\n"
    "SCENE is the folder of scene_gt.json, scene_gt_info.json and scene_camera.json; "
    "for\nfragments, that of cloud_bin_N.ply.\n"
    "Options";

struct Settings {
  std::string device = "host", scene, models, camera, distractors;
  int first = 0, count = 10, every = 1;
  int image = -1;
  std::string depth, result, evidence;
  RecognitionSettings recognition;
  FragmentSettings fragments;
  float noise = 1.0f;
  std::uint64_t seed = 1;
  std::string data = dataFolder();
};

/** \brief Returns a file or folder in the scene's folder or in the data set's, two
 * folders above. */
std::string
pathOf(const Settings& settings, const std::string& given, const std::string& name)
{
  if (!given.empty())
    return given;
  const std::string near = settings.scene + "/" + name;
  return existsInBop(near) ? near : settings.scene + "/../../" + name;
}

std::vector<BopImage>
chosenImages(const Settings& settings)
{
  std::vector<BopImage> images = readBopScene(settings.scene), chosen;
  if (settings.image < 0) {
    const auto end = static_cast<int>(images.size());
    for (int i = settings.first; i >= 0 && i < end; i += settings.every)
      if (static_cast<int>(chosen.size()) < settings.count)
        chosen.push_back(images[i]);
  }
  else
    std::copy_if(images.begin(),
                 images.end(),
                 std::back_inserter(chosen),
                 [&](const BopImage& image) { return image.number == settings.image; });
  if (chosen.empty())
    throw std::runtime_error(settings.scene + " has no such image");
  return chosen;
}

void
checkMeshes(const std::vector<BopImage>& images, const std::vector<BopMesh>& meshes)
{
  for (const BopImage& image : images)
    for (const BopInstance& instance : image.instances)
      if (std::none_of(meshes.begin(), meshes.end(), [&](const BopMesh& mesh) {
            return mesh.object == instance.object;
          }))
        throw std::runtime_error("image " + std::to_string(image.number) +
                                 ": there is no mesh of object " +
                                 std::to_string(instance.object));
}

/** \brief Returns the number in the name of a scene's folder; 0 if it has none. */
int
sceneNumber(const Settings& settings)
{
  const auto path = std::filesystem::path(settings.scene + "/").parent_path();
  const std::string name = path.filename().string();
  return name.find_first_not_of("0123456789") == std::string::npos && !name.empty()
             ? std::stoi(name)
             : 0;
}

void
run(const std::string& experiment, const Settings& settings)
{
  if (experiment == "fragments") {
    FragmentSettings fragments = settings.fragments;
    fragments.folder = settings.scene;
    fragments.result = settings.result;
    runFragments(fragments);
    return;
  }
  const bool is_rendered = experiment == "arrangements";
  if (!is_rendered && experiment != "images")
    throw std::runtime_error("there is no experiment " + experiment);
  if (!settings.depth.empty() && (is_rendered || settings.image < 0))
    throw std::runtime_error("--depth needs images and --image N");
  const std::vector<BopImage> images = chosenImages(settings);
  const std::string models = pathOf(settings, settings.models, "models");
  const std::vector<BopMesh> meshes = readBopMeshes(models);
  checkMeshes(images, meshes);
  FieldResult result(meshes, readBopModelsInfo(models, meshes));
  const PinholeCamera camera =
      readBopCamera(pathOf(settings, settings.camera, "camera.json"));

  std::unique_ptr<ArrangementMaker> maker;
  if (is_rendered)
    maker =
        std::make_unique<ArrangementMaker>(meshes, settings.data + "/meshes/objects");

  FieldRecognizer recognizer(settings.recognition);
  const StopWatch learning;
  recognizer.learn(meshes, camera);
  if (!settings.distractors.empty())
    recognizer.learn(readBopMeshes(settings.distractors), camera);
  std::printf("%d tensors, learned in %.1f s\n",
              recognizer.getTensorCount(),
              learning.seconds());

  std::vector<double> times;
  for (const BopImage& image : images) {
    PinholeCamera its_camera = image.camera;
    its_camera.width = camera.width;
    its_camera.height = camera.height;
    const Image<float> depth =
        is_rendered ? maker->render(image,
                                    its_camera,
                                    settings.noise,
                                    100000 * settings.seed + image.number)
                    : readBopDepth(settings.depth.empty()
                                       ? bopDepthPath(settings.scene, image.number)
                                       : settings.depth,
                                   image.depth_unit);
    const std::vector<Estimate> estimates = recognizer.recognize(depth, its_camera);
    times.push_back(recognizer.seconds());
    result.add(image, estimates, recognizer.seconds());
    std::printf("\nimage %d, %.0f ms\n", image.number, 1e3 * times.back());
    result.printLast();
  }
  result.print(settings.recognition.confidence);
  std::printf("\nmedian of an image: %.0f ms\n", 1e3 * medianOf(times));
  if (!settings.evidence.empty())
    result.writeEvidence(settings.evidence);
  if (!settings.result.empty())
    result.write(settings.result, sceneNumber(settings));
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  RecognitionSettings& recognition = settings.recognition;
  std::string experiment;
  Options options(usage);
  options.add("device", settings.device, "cuda or host");
  options.add("models",
              settings.models,
              "folder of meshes obj_NNNNNN.ply, millimetres; models_info.json is in it "
              "or beside it. Default: models in the scene's folder, or two above");
  options.add("camera",
              settings.camera,
              "file; default: camera.json in the scene's folder, or two above");
  options.add("distractors", settings.distractors, "folder of more meshes to learn");
  options.add("first", settings.first, "place of the first image in the scene, from 0");
  options.addCount("count", settings.count, "of images at most");
  options.addCount("every", settings.every, "takes every N-th image");
  options.add("image", settings.image, "number of the only image");
  options.add(
      "depth",
      settings.depth,
      "depth image of --image; default: depth/NNNNNN.png in the scene's folder");
  options.add("resolution", recognition.resolution, "of the library, metres");
  options.addCount("views", recognition.views, "of each mesh");
  options.add("distance", recognition.distance, "of the camera from a mesh, metres");
  options.addCount("tensors", recognition.tensors, "of an image");
  options.addCount("view-tensors", recognition.view_tensors, "of a view of a mesh");
  options.add("confidence", recognition.confidence, "least one of an object");
  options.add(
      "noise", settings.noise, "of arrangements, as a multiple of a real sensor's");
  options.add("seed", settings.seed, "other seeds, other clutter and noise");
  options.add("data", settings.data, "folder of test data, for clutter");
  options.add("result",
              settings.result,
              "file to write the result to: BOP's CSV, or 3DMatch's log");
  options.add("kind",
              settings.fragments.kind,
              "of fragments' pairs: 3DMatch or 3DLoMatch; their truth is gt/KIND.log "
              "and gt/KIND.info in the scene's folder");
  options.add("truth",
              settings.fragments.truth,
              "other file of their poses; FILE.info is beside FILE.log");
  options.add("peer",
              settings.fragments.peer,
              "fpfh: registers fragments by PCL's classes instead");
  options.add("voxel", settings.fragments.voxel, "side of the peer's voxels, metres");
  options.addWord("experiment", experiment, "see above");
  options.addWord("scene", settings.scene, "see above");
  options.add("evidence",
              settings.evidence,
              "file to write the evidence of all candidates to, as CSV");
  return options.run(argc, argv, [&] {
    recognition.all_candidates = !settings.evidence.empty();
    const pcl::gpu::ScopedDevice scope(deviceNamed(settings.device));
    printContext();
    run(experiment, settings);
    return true;
  });
}
