// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/report.h"
#include "cuda_tables.h"
#include "gpu_tensor/recognition_stages.h"

#include <pcl/gpu/tensor/depth_stream_recognition.h>

#include <cstdio>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

double
printStage(const char* name, const CudaTimer& timer, const QueueWork& work)
{
  const Sample within = timer.withinGraph(work);
  std::printf("| %s | %s | %s |\n",
              name,
              microseconds(within).c_str(),
              microseconds(timer.graph(work)).c_str());
  return within.median;
}

bool
report(const char* name,
       const std::vector<RecognizedObject>& found,
       const std::vector<RecognizedObject>& expected)
{
  const bool agree = sameObjects(found, expected);
  if (!agree)
    std::fprintf(stderr, "%s: different objects\n", name);
  return agree;
}

} // namespace

bool
printRecognition(const RawDepth& depth,
                 const std::shared_ptr<TensorLibrary>& library,
                 int tensors,
                 int repeats)
{
  const Stream stream = Stream::create();
  RecognitionStages stages(depth, library, tensors, stream);
  const std::vector<RecognizedObject> expected = stages.objects();
  const CudaTimer timer(stream, repeats);
  std::printf(
      "\n## Recognition, %s, %d models of %d tensors, %d tensors of the scene\n",
      depth.name.c_str(),
      library->size(),
      library->getTensorCount(),
      stages.tensorCount());
  printHeading("| stage | within a graph, us | graph, us |");
  printStage("upload", timer, [&] { stages.upload(); });
  printStage("depth map to mesh", timer, [&] { stages.makeSurface(); });
  printStage("valid pairs", timer, [&] { stages.findPairs(); });
  printStage("tensors", timer, [&] { stages.computeTensors(); });
  const double matching = printStage("matching", timer, [&] { stages.match(); });
  const double all = printStage(
      "matching, poses, verification, pixels", timer, [&] { stages.recognize(); });
  std::printf("| poses, verification, pixels: the difference | %.1f | |\n",
              all - matching);
  printStage("download", timer, [&] { stages.download(); });
  const QueueWork frame = [&] { stages.wholeFrame(); };
  printStage("whole frame", timer, frame);

  const CapturedGraph graph(stream, frame);
  DepthStreamRecognition recognition(*library, {}, 1);
  DepthStreamRecognitionParameters parameters;
  parameters.extraction.surface.projection.camera = depth.camera;
  parameters.extraction.tensor_count = tensors;
  recognition.setParameters(parameters);
  std::vector<RecognizedObject> streamed;
  const QueueWork stream_frame = [&] {
    recognition.submit(
        depth.millimetres.data(), depth.camera.width, depth.camera.height, 0.001f);
    streamed = recognition.next();
  };
  stages.forgetObjects();
  const Sample replays = timer.wall([&] { graph.launch(); });
  bool agree = report("one graph", stages.objects(), expected);
  stages.forgetObjects();
  const Sample calls = timer.wall(frame);
  agree = report("calls", stages.objects(), expected) && agree;
  const Sample streams = timer.wall(stream_frame);
  agree = report("DepthStreamRecognition", streamed, expected) && agree;
  std::printf("\n| depth in host memory to objects in host memory, by the host's clock "
              "| us |\n|---|---|\n"
              "| one graph of %d nodes | %s |\n| calls | %s |\n"
              "| DepthStreamRecognition, with a copy to page-locked memory | %s |\n",
              graph.nodes(),
              microseconds(replays).c_str(),
              microseconds(calls).c_str(),
              microseconds(streams).c_str());
  std::printf("\nObjects found: %s\n", namesOf(expected, *library).c_str());
  return agree;
}

} // namespace benchmarks
