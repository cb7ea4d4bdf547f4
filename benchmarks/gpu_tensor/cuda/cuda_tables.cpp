// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tables.h"

#include "common/report.h"
#include "tensor_stages.h"

#include <pcl/gpu/tensor/tensor_matching.h>

#include <algorithm>
#include <iostream>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

void
printRow(const std::string& name,
         double paper_ms,
         const CudaTimer& timer,
         const QueueWork& work)
{
  std::cout << "| " << name << " | " << paper_ms << " | "
            << microseconds(timer.withinGraph(work)) << " | "
            << microseconds(timer.graph(work)) << " |" << '\n';
}

/** \brief A row for each size of the paper's table 4. */
void
printMatching(TensorStages& stages, const CudaTimer& timer, const Stream& stream)
{
  const double paper[] = {75.0, 140.0, 534.0, 2130.0, 0.0};
  const int sizes[] = {2000, 4000, 16000, 64000, 256000};
  for (int i = 0; i < 5; ++i) {
    stages.select(PairSelection::Random, sizes[i]);
    stages.queuePairs();
    stages.queueTensors();
    stream.synchronize();
    DeviceArray<int> labels;
    labels.upload(std::vector<int>(sizes[i], 0));
    TensorTable table;
    table.build(stages.tensors(), labels, stream);
    stages.select(PairSelection::Even, 200);
    stages.queuePairs();
    stages.queueTensors();
    TensorMatching matching;
    DeviceArray<TensorMatch> matches;
    for (const int bins : {-1, 1}) {
      TensorMatchingParameters parameters;
      parameters.neighbor_bins = bins;
      matching.setParameters(parameters);
      const QueueWork match = [&] {
        matching.compute(stages.tensors(), table, matches, stream);
      };
      match();
      printRow("200 tensors with " + std::to_string(table.size()) +
                   (bins < 0 ? ", all" : ", neighbouring angles"),
               bins < 0 ? paper[i] : 0.0,
               timer,
               match);
    }
  }
}

} // namespace

void
printSequence(const std::vector<RawDepth>& depths, int repeats)
{
  const Stream stream = Stream::create();
  const CudaTimer timer(stream, repeats);
  std::cout << "\n## Valid pairs of " << depths.size() << " frames\n";
  printHeading("| frame | within a graph, us |");
  std::vector<TensorStages> frames;
  for (const RawDepth& depth : depths) {
    frames.emplace_back(depth, stream);
    TensorStages& frame = frames.back();
    const QueueWork again = [&] { frame.queuePairs(); };
    again();
    std::cout << "| " << depth.name << ", again and again | "
              << microseconds(timer.withinGraph(again)) << " |" << '\n';
  }
  PointPairEstimation estimation;
  PointPairs pairs;
  const QueueWork in_turn = [&] {
    for (const TensorStages& frame : frames)
      estimation.compute(frame.chain().cloud(),
                         frame.chain().normals(),
                         frame.chain().statistics(),
                         pairs,
                         stream);
  };
  in_turn();
  Sample all = timer.withinGraph(in_turn);
  const auto count = static_cast<double>(frames.size());
  all = {all.median / count, all.low / count, all.high / count};
  std::cout << "| all in turn, each | " << microseconds(all) << " |" << '\n';
}

void
printTables(const RawDepth& depth, int repeats)
{
  const Stream stream = Stream::create();
  TensorStages stages(depth, stream);
  const CudaTimer timer(stream, repeats);
  std::cout << "\n## " << depth.name << ", " << depth.camera.width << 'x'
            << depth.camera.height << "\n";
  printHeading("| step | GTX 480, ms | within a graph, us | graph, us |");
  const auto chain = [&] { stages.queueChain(); };
  const auto pairs = [&] { stages.queuePairs(); };
  const auto tensors = [&] { stages.queueTensors(); };
  chain();
  printRow("depth map to mesh", 13.0, timer, chain);
  pairs();
  printRow("valid pairs, all", 9.0, timer, pairs);
  for (const int count : {1, 200, 2000, 20000}) {
    stages.select(PairSelection::Even, count);
    pairs();
    tensors();
    stream.synchronize();
    const int found = stages.tensorCount();
    if (count == 200)
      printRow("valid pairs, 200 of them", 9.0, timer, pairs);
    printRow(std::to_string(found) + " tensors, " +
                 std::to_string(static_cast<int>(stages.entriesPerTensor())) +
                 " voxels each",
             count == 200 ? 470.0 : 0.0,
             timer,
             tensors);
  }
  printMatching(stages, timer, stream);
  stages.select(PairSelection::All);
  pairs();
  tensors();
  stream.synchronize();
  const CudaTimer few(stream, std::min(repeats, 5));
  std::cout << "| all " << stages.tensorCount() << " tensors, "
            << stages.entriesPerTensor() << " voxels each | | "
            << microseconds(few.graph(tensors)) << " | |" << '\n';
}

} // namespace benchmarks
