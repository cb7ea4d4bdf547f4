// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Likelihoods and frames of the particle filter on one and on several CUDA devices. See
// benchmarks/README.md.

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "filter_scene.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/gpu/containers/initialization.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

/** \brief Microseconds of some frames, each from the call until all is done. */
double
medianTime(const QueueWork& frame, int repeats)
{
  for (int warm_up = 0; warm_up < 5; ++warm_up)
    frame();
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const StopWatch watch;
    frame();
    times.push_back(1e6 * watch.seconds());
  }
  return medianOf(times);
}

/** \brief The samples that one device compares with the points. */
struct Part {
  Device device;
  Stream stream;
  DeviceArray<pcl::PointXYZ> points;
  DeviceArray<Capsule> capsules;
  CapsuleLikelihood likelihood;
  DeviceArray<double> log_likelihoods;
};

/** \brief The likelihood alone; log-likelihoods stay on their device. */
class SharedLikelihood {
public:
  SharedLikelihood(const BodyScene& scene, const std::vector<Device>& devices)
  : capsules_per_sample_(scene.size.capsules)
  {
    const std::size_t samples = scene.size.samples, count = devices.size();
    parts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const ScopedDevice scope(devices[i]);
      Part part{devices[i], Stream::create(), {}, {}, {}, {}};
      part.points.upload(scene.points);
      const auto at = [&](std::size_t sample) {
        return scene.capsules.begin() + sample * capsules_per_sample_;
      };
      part.capsules.upload(
          std::vector<Capsule>(at(i * samples / count), at((i + 1) * samples / count)));
      setParameter(part.likelihood,
                   &CapsuleLikelihoodParameters::truncation_distance,
                   scene.size.truncation);
      part.likelihood.setPoints(part.points, Eigen::Vector3f::Zero(), part.stream);
      parts_.push_back(std::move(part));
    }
  }

  void
  compute()
  {
    for (Part& part : parts_) {
      const ScopedDevice scope(part.device);
      part.likelihood.compute(
          part.capsules, capsules_per_sample_, part.log_likelihoods, part.stream);
    }
    for (const Part& part : parts_) {
      const ScopedDevice scope(part.device);
      part.stream.synchronize();
    }
  }

  std::vector<double>
  logLikelihoods() const
  {
    std::vector<double> all;
    for (const Part& part : parts_) {
      std::vector<double> some;
      part.log_likelihoods.download(some);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

private:
  int capsules_per_sample_;
  std::vector<Part> parts_;
};

/** \brief The times in a row of the table, and results that must be the same in all
 * rows. */
struct Times {
  double likelihood = 0.0, frame = 0.0, replay = 0.0;
  std::vector<double> log_likelihoods;
  std::vector<float> mean;
};

Times
measure(const BodyScene& body,
        const FilterScene& scene,
        const std::vector<Device>& devices,
        int repeats)
{
  Times times;
  {
    SharedLikelihood likelihood(body, devices);
    times.likelihood = medianTime([&] { likelihood.compute(); }, repeats);
    times.log_likelihoods = likelihood.logLikelihoods();
  }
  const ScopedDevice scope(devices.front());
  const Stream stream = Stream::create();
  DeviceArray<pcl::PointXYZ> points;
  points.upload(scene.points);
  PoseParticleFilter filter = scene.filter();
  filter.setDevices(devices);
  setParameter(filter, &PoseParticleFilterParameters::survival_rate, 0.1f);
  filter.initialize(scene.pose, stream);
  const QueueWork process = [&] {
    filter.processFrame(points, Eigen::Vector3f::Zero(), 1.0f / 30.0f, stream);
  };
  const auto waiting = [&](const QueueWork& work) {
    return [&stream, work] {
      work();
      stream.synchronize();
    };
  };
  times.frame = medianTime(waiting(process), repeats);
  PoseEstimate estimate;
  filter.getEstimate(estimate, stream);
  times.mean = estimate.mean;
  const CapturedGraph graph(stream, process);
  times.replay = medianTime(waiting([&] { graph.launch(); }), repeats);
  return times;
}

std::string
timeAndSpeedUp(double time, double alone)
{
  return fixed(time, 0) + " | " + fixed(alone / time, 2);
}

void
printTable(std::size_t particles, int most, int repeats)
{
  SceneSize size;
  size.samples = particles;
  const BodyScene body(size);
  const FilterScene scene(size);
  Times alone;
  for (int count = 1; count <= most;
       count = count < most ? std::min(2 * count, most) : most + 1) {
    std::vector<Device> devices;
    for (int id = 0; id < count; ++id)
      devices.push_back(Device::cuda(id));
    const Times times = measure(body, scene, devices, repeats);
    if (count == 1)
      alone = times;
    if (times.log_likelihoods != alone.log_likelihoods || times.mean != alone.mean)
      throw std::runtime_error(std::to_string(count) +
                               " devices have other results than one");
    std::cout << "| " << size.points << " | " << particles << " | " << count << " | "
              << timeAndSpeedUp(times.likelihood, alone.likelihood) << " | "
              << timeAndSpeedUp(times.frame, alone.frame) << " | "
              << timeAndSpeedUp(times.replay, alone.replay) << " |" << '\n';
  }
}

} // namespace

int
main(int argc, char** argv)
{
  int most = getCudaEnabledDeviceCount();
  int repeats = 20;
  Options options("benchmark_devices_cuda [DEVICES [REPEATS]]");
  options.addWord("devices", most, "at most");
  options.addWord("repeats", repeats, "of every measurement");
  return options.run(argc, argv, [&] {
    const int there = getCudaEnabledDeviceCount();
    if (there == 0)
      throw std::runtime_error("there is no CUDA device");
    printContext();
    printHeading(
        "| points | particles | devices | **likelihood, us** | times faster | frame "
        "of the filter, us | times faster | the same as a graph, us | times faster |");
    for (const std::size_t particles : {2000, 65'535})
      printTable(particles, std::clamp(most, 1, there), repeats);
    return true;
  });
}
