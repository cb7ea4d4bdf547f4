// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/report.h"
#include "cuda_tables.h"
#include "gpu_tensor/dense_tensors.h"
#include "gpu_tensor/work_times.h"
#include "tensor_stages.h"

#include <algorithm>
#include <cstdio>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

constexpr int tensors_of_figure = 200;

/** \brief Tensors that the straightforward implementation computes, where there are
 * more. */
constexpr std::size_t tensors_measured = 40;

constexpr float tolerance = 1e-4f; // of a voxel's face

bool
report(float difference)
{
  const bool agree = difference < tolerance;
  std::printf("\nAreas agree to within %.1e of a face%s\n",
              difference,
              agree ? "" : ": DIFFERENT");
  return agree;
}

/** \brief Tensors one by one, in turn on several streams, as the paper computes
 * them. */
class TensorsInStreams {
public:
  TensorsInStreams(const TensorStages& stages,
                   const std::vector<PointPair>& pairs,
                   int streams,
                   const Stream& stream)
  : stages_(stages)
  , stream_(stream)
  , fork_(Event::create())
  , lanes_(static_cast<std::size_t>(streams))
  , pairs_(pairs.size())
  , tensors_(pairs.size())
  {
    for (Lane& lane : lanes_) {
      lane.stream = Stream::create();
      lane.done = Event::create();
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs_[i].pairs.upload(&pairs[i], 1);
      pairs_[i].count.upload(std::vector<int>{1});
    }
    Stream().synchronize();
  }

  void
  queue()
  {
    fork_.record(stream_);
    for (const Lane& lane : lanes_)
      lane.stream.waitFor(fork_);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Lane& lane = lanes_[i % lanes_.size()];
      stages_.queueTensors(pairs_[i], lane.extraction, tensors_[i], lane.stream);
    }
    for (const Lane& lane : lanes_) {
      lane.done.record(lane.stream);
      stream_.waitFor(lane.done);
    }
  }

  std::vector<DenseTensor>
  dense() const
  {
    std::vector<DenseTensor> all;
    for (const TensorSet& tensors : tensors_)
      for (DenseTensor& tensor : denseTensors(tensors))
        all.push_back(std::move(tensor));
    return all;
  }

private:
  struct Lane {
    Stream stream;
    Event done;
    TensorExtraction extraction;
  };

  const TensorStages& stages_;
  Stream stream_;
  Event fork_;
  std::vector<Lane> lanes_;
  std::vector<PointPairs> pairs_;
  std::vector<TensorSet> tensors_;
};

void
printStreamRow(const std::string& name,
               const CudaTimer& timer,
               const QueueWork& work,
               double& one_stream)
{
  const Sample graph = timer.graph(work);
  if (one_stream == 0.0)
    one_stream = graph.median;
  std::printf("| %s | %s | %s | %.2f |\n",
              name.c_str(),
              microseconds(graph).c_str(),
              microseconds(timer.wall(work)).c_str(),
              one_stream / graph.median);
}

} // namespace

bool
printStreamFigure(const RawDepth& depth, int repeats)
{
  const Stream stream = Stream::create();
  TensorStages stages(depth, stream);
  const CudaTimer timer(stream, repeats);
  stages.select(PairSelection::Even, tensors_of_figure);
  stages.queuePairs();
  stages.queueTensors();
  stream.synchronize();
  const std::vector<PointPair> pairs = downloadPairs(stages.pairs());
  const std::vector<DenseTensor> expected = denseTensors(stages.tensors());
  std::printf("\n## Figure 11: %s, %zu tensors by number of streams\n",
              depth.name.c_str(),
              pairs.size());
  printHeading("| streams | graph, us | calls, by the host's clock, us | times faster "
               "than one stream, graph |");
  float difference = 0.0f;
  double one_stream = 0.0;
  for (const int streams : {1, 2, 4, 8, 16, 32}) {
    TensorsInStreams tensors(stages, pairs, streams, stream);
    tensors.queue();
    stream.synchronize();
    difference = std::max(difference, largestDifference(tensors.dense(), expected));
    printStreamRow(
        std::to_string(streams), timer, [&] { tensors.queue(); }, one_stream);
  }
  printStreamRow(
      "all in one call", timer, [&] { stages.queueTensors(); }, one_stream);
  return report(difference);
}

bool
printCountFigure(const RawDepth& depth, int repeats)
{
  const Stream stream = Stream::create();
  TensorStages stages(depth, stream);
  const CudaTimer timer(stream, repeats);
  stream.synchronize();
  const HostFrame frame = hostFrame(stages.chain(), depth.camera);
  // The defaults of TensorExtraction.
  constexpr int grid_size = 10;
  const float voxel_size = 4.0f * frame.resolution;
  std::printf("\n## Figure 13: %s, time by number of tensors\n", depth.name.c_str());
  printHeading("| tensors | graph, us | one thread, ms | times faster |");
  float difference = 0.0f;
  for (const int count : {10, 25, 50, 100, 200, 400, 800, 1600, 3200}) {
    stages.select(PairSelection::Even, count);
    stages.queuePairs();
    stages.queueTensors();
    stream.synchronize();
    std::vector<PointPair> pairs = downloadPairs(stages.pairs());
    const double scale = std::max(
        1.0, static_cast<double>(pairs.size()) / static_cast<double>(tensors_measured));
    const std::vector<DenseTensor> all = denseTensors(stages.tensors());
    // Spread over the frame, as all of them are.
    std::vector<DenseTensor> found, expected;
    std::vector<PointPair> measured;
    for (std::size_t i = 0; i < std::min(pairs.size(), tensors_measured); ++i) {
      const auto place = static_cast<std::size_t>(scale * static_cast<double>(i));
      measured.push_back(pairs[place]);
      found.push_back(all.at(place));
    }
    const WorkTimes slow = timeOf(1, false, [&] {
      expected = straightforwardTensors(frame, measured, grid_size, voxel_size);
    });
    difference = std::max(difference, largestDifference(found, expected));
    const Sample graph = timer.graph([&] { stages.queueTensors(); });
    const double milliseconds = scale * leastOf(slow.processor);
    std::printf("| %zu | %s | %.0f%s | %.0f |\n",
                pairs.size(),
                microseconds(graph).c_str(),
                milliseconds,
                scale > 1.0 ? " (scaled)" : "",
                1000.0 * milliseconds / graph.median);
  }
  return report(difference);
}

} // namespace benchmarks
