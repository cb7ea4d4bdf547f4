// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// A frame of the particle filter on a CUDA device, from points on the device. See
// benchmarks/README.md.

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "filter_scene.h"

#include <pcl/gpu/articulated/forward_kinematics.h>

#include <iostream>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

constexpr float time_step = 1.0f / 30.0f;

/** \brief A filter with a likelihood of its own, so that stages can be timed
 * separately. */
class TimedFilter {
public:
  TimedFilter(const FilterScene& scene, float survival_rate, const Stream& stream)
  : filter_(scene.filter())
  , stream_(stream)
  , capsule_count_(static_cast<int>(scene.skeleton->getCapsules().size()))
  {
    setParameter(filter_, &PoseParticleFilterParameters::survival_rate, survival_rate);
    setParameter(likelihood_,
                 &CapsuleLikelihoodParameters::truncation_distance,
                 scene.size.truncation);
    kinematics_.setSkeleton(scene.skeleton);
    points_.upload(scene.points);
    filter_.initialize(scene.pose, stream);
    for (int frame = 0; frame < 10; ++frame)
      processPoints();
    setPoints();
    process({});
    stream_.synchronize();
  }

  void
  setPoints()
  {
    likelihood_.setPoints(points_, Eigen::Vector3f::Zero(), stream_);
  }

  /** \brief A frame with the points that were set.
   * \param[in] end_stage called when a stage is queued, if there is one
   */
  void
  process(const QueueWork& end_stage)
  {
    const QueueWork end = end_stage ? end_stage : [] {};
    const auto compare = [&](const DeviceArray<float>& poses,
                             DeviceArray<double>& log_likelihoods,
                             const Stream& stream) {
      end();
      kinematics_.computeCapsules(poses, capsules_, stream);
      end();
      likelihood_.compute(capsules_, capsule_count_, log_likelihoods, stream);
      end();
    };
    filter_.processFrame(compare, time_step, stream_);
    end();
  }

  /** \brief A frame with new points. */
  void
  processPoints()
  {
    filter_.processFrame(points_, Eigen::Vector3f::Zero(), time_step, stream_);
  }

  PoseEstimate
  estimate() const
  {
    PoseEstimate estimate;
    filter_.getEstimate(estimate, stream_);
    return estimate;
  }

private:
  PoseParticleFilter filter_;
  Stream stream_;
  int capsule_count_;
  CapsuleLikelihood likelihood_;
  ForwardKinematics kinematics_;
  DeviceArray<pcl::PointXYZ> points_;
  DeviceArray<Capsule> capsules_;
};

void
printRow(const FilterScene& scene,
         float survival_rate,
         int repeats,
         const Stream& stream)
{
  TimedFilter filter(scene, survival_rate, stream);
  const CudaTimer timer(stream, repeats);
  std::cout << '|';
  printCell(std::to_string(scene.size.points));
  printCell(std::to_string(scene.size.samples));
  printCell(scene.size.pointsOnBody());
  printCell(fixed(survival_rate, 1));
  printCell("**" + microseconds(timer.graph([&] { filter.process({}); })) + "**");
  printCell(microseconds(timer.graph([&] { filter.processPoints(); })));
  printCell(microseconds(timer.wall([&] {
    filter.processPoints();
    filter.estimate();
  })));
  const std::vector<Sample> stages = timer.stages([&](const QueueWork& end_stage) {
    filter.setPoints();
    end_stage();
    filter.process(end_stage);
  });
  for (const Sample& stage : stages)
    printCell(fixed(stage.median, 1));
  // The distance from the true pose: the scene stands still.
  const PoseEstimate estimate = filter.estimate();
  const Eigen::Vector3f way = Eigen::Vector3f::Map(estimate.mean.data()) -
                              Eigen::Vector3f::Map(scene.pose.data());
  printCell(fixed(estimate.effective_sample_size, 0));
  printCell(fixed(1000.0 * way.norm(), 0));
  std::cout << '\n';
}

} // namespace

int
main(int argc, char** argv)
{
  int repeats = 30;
  Options options("benchmark_filter_cuda [REPEATS]");
  options.addWord("repeats", repeats, "of every measurement");
  return options.run(argc, argv, [&] {
    const Stream stream = Stream::create();
    printContext();
    printHeading(
        "| points | particles | on body | survival | **frame, points set, us** | "
        "frame, us | frame by calls with the estimate's download, us | setPoints(), "
        "us | draw and move, us | kinematics, us | likelihood, us | weights, "
        "ancestors and mean, us | effective particles | root is off by, mm |");
    for (const std::size_t particles : {500, 2000, 8000})
      for (const double on_body : {0.3, 1.0}) {
        SceneSize size;
        size.samples = particles;
        size.on_body = on_body;
        const FilterScene scene(size);
        for (const float survival_rate : {0.0f, 0.1f})
          printRow(scene, survival_rate, repeats, stream);
      }
    return true;
  });
}
