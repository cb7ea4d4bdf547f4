// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/device_option.h"
#include "../common/errors.h"
#include "../common/output_file.h"
#include "../common/picture.h"
#include "../common/progress_bar.h"
#include "../common/viewer.h"
#include "../common/x_server.h"
#include "models/confusion.h"
#include "models/learning.h"
#include "models/library_file.h"
#include "options/manual.h"
#include "registration.h"
#include "result_writer.h"
#include "scene.h"

#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>

namespace pcl::gpu::apps {
namespace {

constexpr int window_width = 1280;
constexpr int window_height = 960;

/** \brief Runs a subcommand on the device that it names, and writes its timings. */
void
runOnDevice(const GeneralOptions& options, const std::function<void(Timings&)>& work)
{
  const Device device = parseDevice(options.device);
  const ScopedDevice scope(device);
  Timings timings;
  timings.describe("program", "pcl_gpu_recognize");
  timings.describe("version", PCL_GPU_VERSION);
  timings.describe("device", describeDevice(device));
  work(timings);
  if (!options.timings.empty())
    timings.write(options.timings);
}

/** \brief Writes, and shows, what the user wants of each scene. */
class SceneWriter {
public:
  SceneWriter(const RecognizeOptions& options,
              const TensorLibrary& library,
              Timings& timings)
  : options_(options)
  , library_(library)
  , timings_(timings)
  {
    if (options.view)
      viewer_ =
          std::make_unique<Viewer>("pcl_gpu_recognize", window_width, window_height);
    if (!options.screenshot.empty())
      server_ = std::make_unique<XServer>("--screenshot");
  }

  void
  write(const RecognizedScene& scene, int number)
  {
    if (!options_.labels.empty())
      timings_.measure("write labels", [&] { writeLabels(scene, options_.labels); });
    const bool is_shown = viewer_ && !viewer_->isClosed();
    if (options_.screenshot.empty() && !is_shown)
      return;
    const Scene picture(scene, library_);
    if (!options_.screenshot.empty())
      timings_.measure("screenshot", [&] {
        writePicture(
            [&](vtkRenderWindow& window) {
              vtkNew<vtkRenderer> main;
              window.AddRenderer(main);
              picture.fill(window, *main);
            },
            window_width,
            window_height,
            screenshotFile(number));
      });
    if (is_shown)
      viewer_->show([&](vtkRenderWindow& window, vtkRenderer& main) {
        picture.fill(window, main);
      });
  }

  void
  waitUntilClosed()
  {
    if (viewer_)
      viewer_->waitUntilClosed();
  }

private:
  std::string
  screenshotFile(int number) const
  {
    if (options_.scenes.size() == 1)
      return options_.screenshot;
    return numberedPath(
        std::filesystem::path(options_.screenshot).parent_path().string(),
        options_.screenshot,
        number);
  }

  const RecognizeOptions& options_;
  const TensorLibrary& library_;
  Timings& timings_;
  // In this order: windows go before the server that they are on.
  std::unique_ptr<XServer> server_;
  std::unique_ptr<Viewer> viewer_;
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

void
recognizeScenes(const RecognizeOptions& options, Timings& timings)
{
  const auto library = timings.measure(
      "read library", [&] { return readFilledLibrary(options.library); });
  checkLabelFiles(options);
  Recognizer recognizer(options, library, timings);
  SceneWriter writer(options, *library, timings);
  std::vector<RecognizedScene> scenes;
  {
    ProgressBar progress(options.scenes.size());
    for (const std::string& file : options.scenes) {
      scenes.push_back(recognizer.run(file));
      writer.write(scenes.back(), static_cast<int>(scenes.size()) - 1);
      scenes.back().dropCloud();
      progress.step(file);
    }
  }
  if (!options.output.empty())
    writeResults(options, scenes, *library);
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

/** \brief Runs a subcommand whose options are parsed by a function. */
template <typename Parse, typename Run>
int
runSubcommand(int argc, char** argv, Parse parse, Run run)
{
  const auto options = parse(argc, argv);
  if (options)
    runOnDevice(*options, [&](Timings& timings) { run(*options, timings); });
  return Success;
}

int
recognize(int argc, char** argv)
{
  const std::string expectation = "expected learn, recognize, info, confusion or "
                                  "register, see --help";
  if (argc < 2)
    throw InputError("no subcommand: " + expectation);
  const std::string name = argv[1];
  if (name == "learn")
    return runSubcommand(argc - 1, argv + 1, parseLearnOptions, learnModels);
  if (name == "recognize")
    return runSubcommand(argc - 1, argv + 1, parseRecognizeOptions, recognizeScenes);
  if (name == "info")
    return runSubcommand(argc - 1, argv + 1, parseInfoOptions, printInfo);
  if (name == "confusion")
    return runSubcommand(argc - 1, argv + 1, parseConfusionOptions, measureConfusion);
  if (name == "register")
    return runSubcommand(argc - 1, argv + 1, parseRegisterOptions, registerClouds);
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
