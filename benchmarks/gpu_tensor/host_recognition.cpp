// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_recognition.h"

#include "common/report.h"
#include "recognition_stages.h"
#include "work_times.h"

#include <cstdio>
#include <functional>

namespace benchmarks {

namespace {

void
printStage(const char* name, int rounds, const std::function<void()>& stage)
{
  const WorkTimes times = timeOf(rounds, true, stage);
  std::printf("| %s | %.1f / %.1f | %.1f |\n",
              name,
              leastOf(times.wall),
              medianOf(times.wall),
              leastOf(times.processor));
}

} // namespace

void
printHostRecognition(const RawDepth& depth,
                     const std::shared_ptr<pcl::gpu::TensorLibrary>& library,
                     int tensors,
                     int rounds)
{
  RecognitionStages stages(depth, library, tensors);
  std::printf(
      "\n## Recognition, %s, %d models of %d tensors, %d tensors of the scene\n",
      depth.name.c_str(),
      library->size(),
      library->getTensorCount(),
      stages.tensorCount());
  printHeading("| stage | ms | processor, ms |");
  printStage("depth map to mesh", rounds, [&] { stages.makeSurface(); });
  printStage("valid pairs", rounds, [&] { stages.findPairs(); });
  printStage("tensors", rounds, [&] { stages.computeTensors(); });
  printStage("all of these", rounds, [&] { stages.extract(); });
  printStage("matching", rounds, [&] { stages.match(); });
  printStage("matching and poses", rounds, [&] { stages.recognize(); });
  printStage("whole frame", rounds, [&] { stages.wholeFrame(); });
  std::printf("\nObjects found: %s\n", namesOf(stages.objects(), *library).c_str());
}

} // namespace benchmarks
