// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Likelihoods of capsules on a CUDA device, from points and capsules on the device. See
// benchmarks/README.md.

#include "body_scene.h"

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>

#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

/** \brief Least instructions of the reject path for a pair, and instructions that an
 * H200 issues a second: one lane's multiply-add, addition or the like. */
constexpr double instructions_per_pair = 11.0;
constexpr double instructions_per_second = 32.6e12;

struct Settings {
  int repeats = 30;
  std::string part_of_name;
};

/** \brief Prints the rows of a table whose name is asked for. */
class Table {
public:
  Table(std::string name, const Settings& options, const Stream& stream)
  : name_(std::move(name))
  , options_(options)
  , stream_(stream)
  {}

  bool
  isWanted() const
  {
    return name_.find(options_.part_of_name) != std::string::npos;
  }

  /** \brief Leaves brute force out: only its floor is in the table. */
  void
  leaveOutBruteForce()
  {
    brute_force_ = false;
  }

  /** \brief Adds listing 1.2 on the processor, measured on a few samples. */
  void
  addListing()
  {
    listing_ = true;
  }

  void
  printRow(const SceneSize& size)
  {
    if (!isWanted())
      return;
    if (!has_heading_)
      benchmarks::printHeading(
          std::string(
              "| table | points | samples | capsules | on body | spread, rad | tau, m "
              "| setPoints(), us | **culled, us** | brute force, us | floor of brute "
              "force, us | T pairs/s, culled | brute force |") +
          (listing_ ? " listing 1.2, ms | times faster, culled | brute force |" : ""));
    has_heading_ = true;
    const BodyScene scene(size);
    std::cout << '|';
    printCell(name_);
    printCell(std::to_string(size.points));
    printCell(std::to_string(size.samples));
    printCell(std::to_string(size.capsules));
    printCell(size.pointsOnBody());
    printCell(fixed(size.spread, 2));
    printCell(fixed(size.truncation, 2));
    printTimes(scene);
    std::cout << '\n';
  }

private:
  /** \brief Times the work by replays of a graph. */
  Sample
  time(const QueueWork& work, double pairs) const
  {
    work();
    stream_.synchronize();
    // Seconds a replay: three are enough.
    const bool is_long = pairs > 1e12;
    return CudaTimer(stream_,
                     is_long ? std::min(3, options_.repeats) : options_.repeats)
        .graph(work);
  }

  void
  printTimes(const BodyScene& scene) const
  {
    const double pairs = scene.size.pairs();
    DeviceArray<pcl::PointXYZ> points;
    points.upload(scene.points);
    DeviceArray<Capsule> capsules;
    capsules.upload(scene.capsules);
    CapsuleLikelihood likelihood;
    setParameter(likelihood,
                 &CapsuleLikelihoodParameters::truncation_distance,
                 scene.size.truncation);
    const QueueWork set_points = [&] {
      likelihood.setPoints(points, Eigen::Vector3f::Zero(), stream_);
    };
    DeviceArray<double> log_likelihoods;
    const QueueWork compute = [&] {
      likelihood.compute(capsules, scene.size.capsules, log_likelihoods, stream_);
    };
    printCell(microseconds(time(set_points, 0.0)));
    const Sample culled = time(compute, pairs);
    printCell("**" + microseconds(culled) + "**");
    Sample brute;
    if (brute_force_) {
      setParameter(
          likelihood, &CapsuleLikelihoodParameters::search, CapsuleSearch::BruteForce);
      brute = time(compute, 10.0 * pairs);
      printCell(microseconds(brute));
    }
    else
      printCell("-");
    printCell(fixed(1e6 * pairs * instructions_per_pair / instructions_per_second, 1));
    printCell(fixed(1e-6 * pairs / culled.median, 2));
    printCell(brute_force_ ? fixed(1e-6 * pairs / brute.median, 2) : "-");
    if (!listing_)
      return;
    const double listing = 1e6 * pairs * timeListing(scene, 2);
    printCell(fixed(1e-3 * listing, 0));
    printCell(fixed(listing / culled.median, 0));
    printCell(brute_force_ ? fixed(listing / brute.median, 0) : "-");
  }

  std::string name_;
  Settings options_;
  Stream stream_;
  bool has_heading_ = false;
  bool brute_force_ = true;
  bool listing_ = false;
};

/** \brief The size that the paper's tracker has. */
void
printTracking(const Settings& options, const Stream& stream)
{
  Table table("tracking", options, stream);
  for (const float truncation : {0.1f, 0.05f, 0.2f})
    for (const double on_body : {0.3, 1.0})
      for (const float spread : {0.05f, 0.2f}) {
        SceneSize size;
        size.truncation = truncation;
        size.on_body = on_body;
        size.spread = spread;
        table.printRow(size);
      }
}

void
printFigures(const Settings& options, const Stream& stream)
{
  Table table("figures 5 and 6", options, stream);
  table.addListing();
  for (const std::size_t points : {1000, 5000, 10'000, 20'000, 30'000, 43'000})
    for (const std::size_t samples : {250, 500, 1000, 2000, 3500}) {
      SceneSize size;
      size.points = points;
      size.samples = samples;
      table.printRow(size);
    }
}

/** \brief Twice the work, twice the time. */
void
printLinearity(const Settings& options, const Stream& stream)
{
  Table by_points("linear in points", options, stream);
  for (std::size_t points = 12'500; points <= 1'600'000; points *= 2) {
    SceneSize size;
    size.points = points;
    by_points.printRow(size);
  }
  Table by_samples("linear in samples", options, stream);
  for (std::size_t samples = 500; samples <= 64'000; samples *= 2) {
    SceneSize size;
    size.samples = samples;
    by_samples.printRow(size);
  }
  Table by_capsules("linear in capsules", options, stream);
  for (int capsules = 12; capsules <= 384; capsules *= 2) {
    SceneSize size;
    size.capsules = capsules;
    by_capsules.printRow(size);
  }
}

/** \brief The largest sizes that the paper supports. */
void
printLargest(const Settings& options, const Stream& stream)
{
  SceneSize size;
  size.points = 4'194'240;
  size.capsules = 64;
  size.samples = 2048;
  Table table("largest, 2048 samples", options, stream);
  table.printRow(size);
  size.samples = 65'535;
  Table all("largest, all samples", options, stream);
  all.leaveOutBruteForce();
  all.printRow(size);
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_capsules_cuda [REPEATS [PART_OF_NAME]]");
  options.addWord("repeats", settings.repeats, "of every measurement");
  options.addWord("only", settings.part_of_name, "tables whose names contain this");
  return options.run(argc, argv, [&] {
    checkAgainstListing();
    const Stream stream = Stream::create();
    printContext();
    printTracking(settings, stream);
    printFigures(settings, stream);
    printLinearity(settings, stream);
    printLargest(settings, stream);
    return true;
  });
}
