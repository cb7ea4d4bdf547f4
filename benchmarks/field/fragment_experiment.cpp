// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fragment_experiment.h"

#include "../gpu_tensor/experiments/prerejective_alignment.h"
#include "common/report.h"
#include "common/statistics.h"
#include "fragment_folder.h"

#include <pcl/gpu/tensor/tensor_view_registration.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

/** \brief Pose that a method found for two clouds, and the times. */
struct Registered {
  std::optional<Pose> pose;
  double fresh;    ///< seconds from both clouds to the pose
  double prepared; ///< seconds if both clouds were registered with others before
};

/** \brief Registers a source with a target. */
using Method =
    std::function<Registered(const FragmentCloud& source, const FragmentCloud& target)>;

/** \brief Registers by tensors.
 * \param[in] one of the clouds, which sets the resolution for all
 */
Method
tensorMethod(const FragmentCloud& one)
{
  TensorViewRegistration of_one;
  of_one.addView(one);
  TensorViewRegistrationParameters parameters;
  parameters.resolution = of_one.usedResolution();
  std::printf("resolution %.1f mm\n", 1e3f * parameters.resolution);
  return [parameters](const FragmentCloud& source, const FragmentCloud& target) {
    TensorViewRegistration registration;
    registration.setParameters(parameters);
    Registered registered{};
    const StopWatch of_all;
    registration.addView(target);
    registration.addView(source);
    registration.align(1, 0);
    registered.fresh = of_all.seconds();
    const StopWatch of_pair;
    if (const auto found = registration.align(1, 0))
      registered.pose = found->pose;
    registered.prepared = of_pair.seconds();
    return registered;
  };
}

/** \brief Registers by PCL's FPFH, SampleConsensusPrerejective and ICP. */
Method
fpfhMethod(float voxel)
{
  return [voxel](const FragmentCloud& source, const FragmentCloud& target) {
    Registered registered{};
    const StopWatch of_all;
    const DescribedCloud from = describe(source, voxel), to = describe(target, voxel);
    const StopWatch of_pair;
    registered.pose = alignByPrerejection(from, to, voxel);
    registered.prepared = of_pair.seconds();
    registered.fresh = of_all.seconds();
    return registered;
  };
}

/** \brief Returns "mean, largest" of times in milliseconds. */
std::string
meanAndLargest(const std::vector<double>& seconds)
{
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  const double largest = *std::max_element(seconds.begin(), seconds.end());
  return fixed(1e3 * sum / static_cast<double>(seconds.size()), 0) + ", " +
         fixed(1e3 * largest, 0);
}

} // namespace

void
runFragments(const FragmentSettings& settings)
{
  if (!settings.peer.empty() && settings.peer != "fpfh")
    throw std::runtime_error("there is no peer " + settings.peer);
  const std::vector<FragmentPair> pairs = readFragmentPairs(
      settings.truth.empty() ? settings.folder + "/gt/" + settings.kind + ".log"
                             : settings.truth);
  if (pairs.empty())
    throw std::runtime_error("there are successive fragments only");
  std::map<int, FragmentCloud> clouds;
  for (const FragmentPair& pair : pairs)
    for (const int number : {pair.target, pair.source})
      if (clouds.count(number) == 0)
        clouds[number] = readFragment(settings.folder, number);

  const Method method = settings.peer.empty() ? tensorMethod(clouds.begin()->second)
                                              : fpfhMethod(settings.voxel);
  // Starts threads, and loads kernels.
  method(clouds[pairs.front().source], clouds[pairs.front().target]);
  std::vector<FoundPair> found;
  std::vector<double> fresh, prepared;
  int right = 0;
  printHeading("| target | source | error, m | verdict | fresh clouds, ms | prepared "
               "ones, ms |");
  for (const FragmentPair& pair : pairs) {
    const Registered registered = method(clouds[pair.source], clouds[pair.target]);
    std::string error, verdict = "none";
    if (registered.pose) {
      const double metres = fragmentError(pair, *registered.pose);
      const bool is_right = isRightFragmentError(metres);
      error = fixed(metres, 3);
      verdict = is_right ? "right" : "WRONG";
      right += is_right;
      found.push_back({pair, *registered.pose});
    }
    fresh.push_back(registered.fresh);
    prepared.push_back(registered.prepared);
    std::printf("| %d | %d | %s | %s | %.0f | %.0f |\n",
                pair.target,
                pair.source,
                error.c_str(),
                verdict.c_str(),
                1e3 * fresh.back(),
                1e3 * prepared.back());
  }
  printHeading("| pairs | right | share | false | fresh clouds, ms: mean, largest | "
               "prepared ones, ms: mean, largest |");
  std::printf("| %zu | %d | %.1f %% | %zu | %s | %s |\n",
              pairs.size(),
              right,
              100.0 * right / static_cast<double>(pairs.size()),
              found.size() - right,
              meanAndLargest(fresh).c_str(),
              meanAndLargest(prepared).c_str());
  if (!settings.result.empty())
    writeFoundPairs(settings.result, found);
}

} // namespace benchmarks
