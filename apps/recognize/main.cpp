// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/json_text.h"
#include "../common/command_line/progress_bar.h"
#include "../common/files/output_file.h"
#include "../common/view/display.h"
#include "models/library_file.h"
#include "options/options.h"
#include "result_writer.h"
#include "scene.h"
#include "subcommands.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace pcl::gpu::apps {
namespace {

/** \brief Writer and display of the results of each scene. */
class SceneWriter {
public:
  SceneWriter(const RecognizeOptions& options,
              const TensorLibrary& library,
              Timings& timings)
  : options_(options)
  , library_(library)
  , timings_(timings)
  , display_("pcl_gpu_recognize", options.view, options.screenshot, 1280, 960)
  {}

  void
  write(const RecognizedScene& scene, int number)
  {
    if (!options_.labels.empty())
      timings_.measure("write labels", [&] { writeLabels(scene, options_.labels); });
    const bool is_shown = display_.hasWindow() && !display_.isClosed();
    if (options_.screenshot.empty() && !is_shown)
      return;
    const Scene picture(scene, library_);
    const auto fill = [&](vtkRenderWindow& window, vtkRenderer& main) {
      picture.fill(window, main);
    };
    if (!options_.screenshot.empty())
      timings_.measure("screenshot",
                       [&] { display_.save(fill, screenshotFile(number)); });
    if (is_shown)
      display_.show(fill);
  }

  void
  waitUntilClosed()
  {
    display_.waitUntilClosed();
  }

private:
  std::string
  screenshotFile(int number) const
  {
    if (options_.inputs.size() == 1)
      return options_.screenshot;
    return numberedPath(
        std::filesystem::path(options_.screenshot).parent_path().string(),
        options_.screenshot,
        number);
  }

  const RecognizeOptions& options_;
  const TensorLibrary& library_;
  Timings& timings_;
  Display display_;
};

void
printScene(const RecognizedScene& scene, const TensorLibrary& library)
{
  std::printf("%s: %zu %s, %d tensors, %.1f ms\n",
              scene.file.c_str(),
              scene.objects.size(),
              scene.objects.size() == 1 ? "object" : "objects",
              scene.tensors,
              scene.tensors_ms + scene.recognition_ms);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const RecognizedObject& object = scene.objects[i];
    const TensorModel& model = library.getModel(object.model);
    // The origin of its frame may be anywhere.
    const Eigen::Vector3f middle = toPose(object.pose) * middleOf(model);
    std::printf("  %zu %-20s at %7.3f %7.3f %7.3f m, confidence %.2f\n",
                i + 1,
                model.name.c_str(),
                middle.x(),
                middle.y(),
                middle.z(),
                object.confidence);
  }
}

/** \brief Returns the files of scenes in the folder of parts: NAME.json. */
std::vector<std::string>
partNames(const std::vector<std::string>& scenes)
{
  std::vector<std::string> names;
  for (const std::string& scene : scenes)
    names.push_back(std::filesystem::path(scene).stem().string() + ".json");
  return names;
}

void
recognizeScenes(const RecognizeOptions& options, Timings& timings)
{
  const auto library = timings.measure(
      "read library", [&] { return readFilledLibrary(options.library); });
  checkLabelFiles(options);
  ResultFile file;
  file.path = options.output;
  file.list = "scenes";
  file.head = programText() + ",\n  \"library\": " + jsonText(options.library);
  file.parts = partNames(options.inputs);
  file.inputs = {options.library};
  file.inputs_of_parts = options.inputs;
  if (options.sharing.goesOn() &&
      std::set<std::string>(file.parts.begin(), file.parts.end()).size() !=
          file.parts.size())
    throw InputError("two scenes have one name: expected different ones, which their "
                     "results in " +
                     options.output + ".parts have, too");
  Recognizer recognizer(options, library, timings);
  SceneWriter writer(options, *library, timings);
  std::vector<RecognizedScene> scenes;
  {
    ProgressBar progress(options.inputs.size(), "scenes");
    const auto make = [&](int i, std::string& text) {
      scenes.push_back(recognizer.run(options.inputs[i]));
      RecognizedScene& scene = scenes.back();
      writer.write(scene, i);
      text = sceneText(scene, *library);
      scene.dropCloud();
      return options.inputs[i];
    };
    makeResults(file, options.sharing, progress, make);
  }
  for (const RecognizedScene& scene : scenes)
    printScene(scene, *library);
  std::fflush(stdout);
  writer.waitUntilClosed();
}

void
printInfo(const LibraryOptions& options, Timings& timings)
{
  const auto library =
      timings.measure("read library", [&] { return readLibrary(options.library); });
  printLibrary(*library, options.library);
}

/** \brief Runs a subcommand on the device that it names, and writes its timings. */
template <typename Options>
int
runSubcommand(int argc, char** argv, void (*run)(const Options&, Timings&))
{
  const auto options = parseOptions<Options>(argc, argv);
  if (!options)
    return Success;
  const Device device = parseDevice(options->device);
  const ScopedDevice scope(device);
  Timings timings("pcl_gpu_recognize", describeDevice(device));
  run(*options, timings);
  timings.write(options->timings);
  return Success;
}

int
recognize(int argc, char** argv)
{
  const std::string expectation =
      "expected learn, recognize, info, confusion, register or merge, see --help";
  if (argc < 2)
    throw InputError("no subcommand: " + expectation);
  const std::string name = argv[1];
  if (name == "learn")
    return runSubcommand(argc - 1, argv + 1, learnModels);
  if (name == "recognize")
    return runSubcommand(argc - 1, argv + 1, recognizeScenes);
  if (name == "info")
    return runSubcommand(argc - 1, argv + 1, printInfo);
  if (name == "confusion")
    return runSubcommand(argc - 1, argv + 1, measureConfusion);
  if (name == "merge")
    return runSubcommand(argc - 1, argv + 1, mergeParts);
  if (name == "register")
    return runSubcommand(argc - 1, argv + 1, registerClouds);
  if (name == "--help" || name == "-h")
    std::cout << programPage();
  else if (name == "--version")
    std::cout << "pcl_gpu_recognize " PCL_GPU_VERSION "\n";
  else
    throw InputError(name + ": unknown subcommand: " + expectation);
  return Success;
}

} // namespace
} // namespace pcl::gpu::apps

int
main(int argc, char** argv)
{
  return pcl::gpu::apps::runProgram(
      "pcl_gpu_recognize", [&] { return pcl::gpu::apps::recognize(argc, argv); });
}
