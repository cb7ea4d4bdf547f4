// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor_comparison.h"

#include "common/report.h"
#include "dense_tensors.h"
#include "straightforward_tensors.h"
#include "work_times.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

using namespace pcl::gpu;

constexpr int tensors_of_scene = 200;

/** \brief Tensors that the straightforward matching is run on, where there are many. */
constexpr int tensors_matched = 8;

std::vector<std::pair<int, int>>
unorderedPairs(const std::vector<PointPair>& pairs)
{
  std::vector<std::pair<int, int>> unordered;
  for (const PointPair& pair : pairs)
    unordered.push_back(std::minmax(pair.first, pair.second));
  std::sort(unordered.begin(), unordered.end());
  return unordered;
}

/** \brief A frame on the host device, and a copy of it. */
class TensorComparison {
public:
  TensorComparison(const RawDepth& depth, int rounds) : rounds_(rounds)
  {
    RawDepthMap map;
    map.upload(depth.millimetres, depth.camera.width);
    DepthMapTriangulationParameters parameters;
    parameters.projection.camera = depth.camera;
    chain_.setParameters(parameters);
    chain_.compute(map, 0.001f);
    frame_ = hostFrame(chain_, depth.camera);
    std::printf("\n## %s, %dx%d\n", depth.name.c_str(), frame_.columns, frame_.rows);
    printHeading("| step | straightforward, ms | ours, ms | ours, processor, ms | "
                 "times faster | of the processor's time |");
  }

  bool
  run()
  {
    comparePairs();
    compareAreas();
    for (const int size : {2000, 64'000})
      compareMatches(size);
    std::printf("\n%s", findings_.c_str());
    return agrees_;
  }

private:
  void
  select(PairSelection selection, int count)
  {
    PointPairEstimationParameters parameters;
    parameters.selection = selection;
    parameters.selected_count = count;
    parameters.seed = 1;
    estimation_.setParameters(parameters);
  }

  void
  findPairs()
  {
    estimation_.compute(chain_.cloud(), chain_.normals(), chain_.statistics(), pairs_);
  }

  void
  computeTensors()
  {
    extraction_.compute(chain_.cloud(),
                        chain_.normals(),
                        chain_.mesh(),
                        chain_.statistics(),
                        pairs_,
                        tensors_);
  }

  /** \param[in] scale factor of the straightforward times */
  void
  printRow(const std::string& name,
           const WorkTimes& straightforward,
           double scale,
           const WorkTimes& ours) const
  {
    const double slow = scale * leastOf(straightforward.processor);
    std::printf("| %s | %.0f | %.1f / %.1f | %.1f | %.0f | %.0f |\n",
                name.c_str(),
                slow,
                leastOf(ours.wall),
                medianOf(ours.wall),
                leastOf(ours.processor),
                slow / leastOf(ours.wall),
                slow / leastOf(ours.processor));
  }

  void
  report(bool good, const std::string& finding)
  {
    agrees_ = agrees_ && good;
    findings_ += "- " + finding + (good ? "\n" : ": DIFFERENT\n");
  }

  void
  comparePairs()
  {
    std::vector<PointPair> expected;
    const WorkTimes slow =
        timeOf(1, false, [&] { expected = straightforwardPairs(frame_); });
    const WorkTimes ours = timeOf(rounds_, true, [&] { findPairs(); });
    const std::vector<PointPair> pairs = downloadPairs(pairs_);
    printRow("valid pairs, " + std::to_string(pairs.size()), slow, 1.0, ours);
    report(unorderedPairs(pairs) == unorderedPairs(expected),
           std::to_string(expected.size()) + " pairs as a set");
  }

  void
  compareAreas()
  {
    select(PairSelection::Even, tensors_of_scene);
    findPairs();
    const std::vector<PointPair> pairs = downloadPairs(pairs_);
    std::vector<DenseTensor> expected;
    const WorkTimes slow = timeOf(1, false, [&] {
      expected = straightforwardTensors(frame_,
                                        pairs,
                                        extraction_.getParameters().grid_size,
                                        extraction_.getParameters().voxel_size *
                                            frame_.resolution);
    });
    const WorkTimes ours = timeOf(rounds_, true, [&] { computeTensors(); });
    const std::vector<DenseTensor> tensors = denseTensors(tensors_);
    printRow(std::to_string(tensors.size()) + " tensors", slow, 1.0, ours);
    const float difference = largestDifference(tensors, expected);
    char text[64];
    std::snprintf(text, sizeof(text), "areas to within %.1e of a face", difference);
    report(difference < 1e-4f, text);
  }

  void
  compareMatches(int size)
  {
    select(PairSelection::Random, size);
    findPairs();
    computeTensors();
    DeviceArray<int> labels;
    labels.upload(std::vector<int>(tensors_.frames.size(), 0));
    TensorTable table;
    table.build(tensors_, labels);
    select(PairSelection::Even, tensors_of_scene);
    findPairs();
    computeTensors();
    TensorMatching matching;
    DeviceArray<TensorMatch> matches;
    const WorkTimes ours =
        timeOf(rounds_, true, [&] { matching.compute(tensors_, table, matches); });

    const std::vector<DenseTensor> library = denseTensors(table.tensors());
    const std::vector<DenseTensor> all = denseTensors(tensors_);
    const int step = size > 10'000 ? static_cast<int>(all.size()) / tensors_matched : 1;
    std::vector<DenseTensor> some;
    for (std::size_t i = 0; i < all.size(); i += step)
      some.push_back(all[i]);
    std::vector<TensorMatch> expected;
    const WorkTimes slow =
        timeOf(1, false, [&] { expected = straightforwardMatches(some, library); });
    std::string name = "matching " + std::to_string(all.size()) + " tensors with " +
                       std::to_string(table.size());
    if (step > 1)
      name += " (straightforward: " + std::to_string(some.size()) + ", scaled)";
    printRow(name, slow, static_cast<double>(all.size()) / some.size(), ours);
    std::vector<TensorMatch> found;
    matches.download(found);
    checkMatches(expected, found, step);
  }

  /** \brief Matches must be the same ones, but where coefficients are nearly so. */
  void
  checkMatches(const std::vector<TensorMatch>& expected,
               const std::vector<TensorMatch>& found,
               int step)
  {
    int same = 0, ties = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const TensorMatch& match = found.at(i * step);
      if (match.tensor == expected[i].tensor)
        ++same;
      else if (std::fabs(match.correlation - expected[i].correlation) < 1e-6f)
        ++ties;
    }
    const int count = static_cast<int>(expected.size());
    report(same + ties == count,
           std::to_string(same) + " of " + std::to_string(count) + " best matches, " +
               std::to_string(ties) + " more equally good");
  }

  int rounds_;
  DepthMapTriangulation chain_;
  PointPairEstimation estimation_;
  TensorExtraction extraction_;
  PointPairs pairs_;
  TensorSet tensors_;
  HostFrame frame_;
  std::string findings_ = "Both agree in:\n\n";
  bool agrees_ = true;
};

} // namespace

bool
compareTensors(const RawDepth& depth, int rounds)
{
  return TensorComparison(depth, rounds).run();
}

} // namespace benchmarks
