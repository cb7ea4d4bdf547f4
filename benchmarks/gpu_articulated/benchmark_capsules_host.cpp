// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Likelihoods of capsules on the host device, compared with listing 1.2 of
 * Friborg et al. 2010 in one thread.
 */

#include "body_scene.h"

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Settings {
  int threads = 2;
  int rounds = 5;
  int listing_samples = 4;
  std::string only;
};

/** \brief From points and capsules in memory to all likelihoods: setPoints() and
 * compute(); seconds. */
std::vector<double>
timeOurs(const BodyScene& scene, CapsuleSearch search, int rounds)
{
  DeviceArray<pcl::PointXYZ> points;
  points.upload(scene.points);
  DeviceArray<Capsule> capsules;
  capsules.upload(scene.capsules);
  CapsuleLikelihood likelihood;
  setParameter(likelihood, &CapsuleLikelihoodParameters::search, search);
  setParameter(likelihood,
               &CapsuleLikelihoodParameters::truncation_distance,
               scene.size.truncation);
  DeviceArray<double> log_likelihoods;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    const StopWatch watch;
    likelihood.setPoints(points, Eigen::Vector3f::Zero());
    likelihood.compute(capsules, scene.size.capsules, log_likelihoods);
    if (round > 0) // the first one warms up
      times.push_back(watch.seconds());
  }
  return times;
}

void
printRow(const std::string& name, const SceneSize& size, const Settings& options)
{
  if (name.find(options.only) == std::string::npos)
    return;
  const BodyScene scene(size);
  const double per_pair = timeListing(scene, options.listing_samples);
  const double listing = per_pair * size.pairs();
  const std::vector<double> culled =
      timeOurs(scene, CapsuleSearch::Culled, options.rounds);
  const std::vector<double> brute =
      timeOurs(scene, CapsuleSearch::BruteForce, std::max(1, options.rounds / 3));
  std::printf("| %s | %zu | %zu | %s | %g | %g | %s | %s | %.2f | "
              "%.1f | %.0f | %.1f | %.1f | %.2f |\n",
              name.c_str(),
              size.points,
              size.samples,
              size.pointsOnBody().c_str(),
              size.spread,
              size.truncation,
              leastAndMedian(culled, 4).c_str(),
              leastAndMedian(brute, 3).c_str(),
              1e9 * per_pair,
              listing,
              listing / leastOf(culled),
              listing / leastOf(brute),
              1e-9 * size.pairs() / leastOf(culled),
              1e-9 * size.pairs() / leastOf(brute));
}

void
run(const Settings& options)
{
  checkAgainstListing();
  printContext();
  std::printf(
      "ours: setPoints() and compute(), fastest / median of %d; listing 1.2 in one "
      "thread, measured on %d samples and scaled\n",
      options.rounds,
      options.listing_samples);
  printHeading(
      "| case | points | samples | on body | spread, rad | tau, m | culled, s | "
      "brute force, s | listing 1.2, ns a pair | listing 1.2, s | times faster, "
      "culled | brute force | G pairs/s, culled | brute force |");
  for (const float truncation : {0.05f, 0.1f, 0.2f})
    for (const double on_body : {0.3, 1.0})
      for (const float spread : {0.05f, 0.2f}) {
        SceneSize size;
        size.truncation = truncation;
        size.on_body = on_body;
        size.spread = spread;
        printRow("tracking", size, options);
      }
  for (const std::size_t points : {1000, 5000, 10'000, 20'000, 43'000})
    for (const std::size_t samples : {500, 1000, 2000, 3500}) {
      SceneSize size;
      size.points = points;
      size.samples = samples;
      printRow("figures 5 and 6", size, options);
    }
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options(
      "Computes likelihoods on the processor, and by listing 1.2 in one thread");
  options.addCount("threads", settings.threads, "of the library");
  options.addCount("rounds", settings.rounds, "runs of the library");
  options.addCount(
      "listing-samples", settings.listing_samples, "that the listing runs on");
  options.add("only", settings.only, "cases whose names contain this");
  return options.run(argc, argv, [&] {
    omp_set_num_threads(settings.threads);
    setHostDevice();
    run(settings);
    return true;
  });
}
