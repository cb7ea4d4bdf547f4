// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Likelihoods of capsules on the host device, beside listing 1.2 of Friborg et al. 2010
 * in one thread.
 *
 * benchmark_capsules_host [--threads=N] [--rounds=N] [--listing-samples=N]
 *    [--only=PART_OF_NAME]
 */

#include "body_scene.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Options {
  int threads = 2;
  int rounds = 5;
  int listing_samples = 4;
  std::string only;
};

/** \brief Reads "--name=N". */
bool
readNumber(const std::string& argument, const std::string& name, int& value)
{
  const std::string start = "--" + name + "=";
  if (argument.compare(0, start.size(), start) != 0)
    return false;
  value = std::max(1, std::atoi(argument.c_str() + start.size()));
  return true;
}

Options
readOptions(int argc, char** argv)
{
  Options options;
  const std::string only = "--only=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.compare(0, only.size(), only) == 0)
      options.only = argument.substr(only.size());
    else if (!readNumber(argument, "threads", options.threads) &&
             !readNumber(argument, "rounds", options.rounds) &&
             !readNumber(argument, "listing-samples", options.listing_samples))
      throw std::runtime_error("unknown option " + argument);
  }
  return options;
}

double
secondsSince(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/** \brief Seconds of several runs. */
struct Times {
  std::vector<double> seconds;

  double
  least() const
  {
    return *std::min_element(seconds.begin(), seconds.end());
  }

  double
  median() const
  {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/** \brief From points and capsules in memory to all likelihoods: setPoints() and compute(). */
Times
timeOurs(const BodyScene& scene, CapsuleSearch search, int rounds)
{
  DeviceArray<pcl::PointXYZ> points;
  points.upload(scene.points);
  DeviceArray<Capsule> capsules;
  capsules.upload(scene.capsules);
  CapsuleLikelihood likelihood;
  likelihood.setSearch(search);
  likelihood.setTruncationDistance(scene.size.truncation);
  DeviceArray<double> log_likelihoods;
  Times times;
  for (int round = 0; round <= rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    likelihood.setPoints(points, Eigen::Vector3f::Zero());
    likelihood.compute(capsules, scene.size.capsules, log_likelihoods);
    if (round > 0) // the first one warms up
      times.seconds.push_back(secondsSince(start));
  }
  return times;
}

void
printHeading()
{
  std::printf("\n| case | points | samples | on body | spread, rad | tau, m | culled, "
              "s | brute "
              "force, s | listing 1.2, ns a pair | listing 1.2, s | times faster, "
              "culled | brute "
              "force | G pairs/s, culled | brute force |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void
printRow(const std::string& name, const SceneSize& size, const Options& options)
{
  if (name.find(options.only) == std::string::npos)
    return;
  const BodyScene scene(size);
  const double per_pair = timeListing(scene, options.listing_samples);
  const double listing = per_pair * size.pairs();
  const Times culled = timeOurs(scene, CapsuleSearch::Culled, options.rounds);
  const Times brute =
      timeOurs(scene, CapsuleSearch::BruteForce, std::max(1, options.rounds / 3));
  std::printf("| %s | %zu | %zu | %s | %g | %g | %.4f / %.4f | %.3f / %.3f | %.2f | "
              "%.1f | %.0f | %.1f | %.1f | %.2f |\n",
              name.c_str(),
              size.points,
              size.samples,
              size.pointsOnBody().c_str(),
              size.spread,
              size.truncation,
              culled.least(),
              culled.median(),
              brute.least(),
              brute.median(),
              1e9 * per_pair,
              listing,
              listing / culled.least(),
              listing / brute.least(),
              1e-9 * size.pairs() / culled.least(),
              1e-9 * size.pairs() / brute.least());
  std::fflush(stdout);
}

std::string
processorName()
{
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.compare(0, 10, "model name") == 0)
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

void
printContext(const Options& options)
{
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  std::printf(
      "- date: %s\n- processor: %s, %u cores visible, %d threads used\n"
      "- compiler: %s\n"
      "- ours: setPoints() and compute(), fastest / median of %d; listing 1.2 in "
      "one thread, measured on %d samples and scaled\n",
      date,
      processorName().c_str(),
      std::thread::hardware_concurrency(),
      options.threads,
      __VERSION__,
      options.rounds,
      options.listing_samples);
}

void
run(const Options& options)
{
  checkAgainstListing();
  printContext(options);
  printHeading();
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
  try {
    const Options options = readOptions(argc, argv);
    omp_set_num_threads(options.threads);
    setHostDevice();
    run(options);
  }
  catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_capsules_host: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
