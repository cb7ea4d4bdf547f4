// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "filter_test.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/utils/async_copy.h>

#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

PoseParticleFilter
filterFor(int variant)
{
  PoseParticleFilter filter;
  filter.setSkeleton(chainOf({limitedAngle(-1, 1), limitedAngle(-1, 1)}));
  set(filter, &FilterParameters::particle_count, 1000);
  set(filter, &FilterParameters::seed, 3);
  set(filter, &FilterParameters::resampling, static_cast<Resampling>(variant));
  if (variant == 1)
    set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  if (variant == 2) {
    set(filter, &FilterParameters::layers, 2);
    set(filter, &FilterParameters::survival_rate, 0.5f);
    set(filter, &FilterParameters::layer_noise, LayerNoise::Spread);
    set(filter, &FilterParameters::partitions, {{0, 1}, {2}});
  }
  filter.initialize(filter.getSkeleton()->restPose());
  return filter;
}

class FilterCapture : public DeviceTest {};

} // namespace

// Every launch of the graph is one more frame, with random numbers of its own.
TEST_P(FilterCapture, GoesOnFrameByFrame)
{
  std::vector<double> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[i] = -0.01 * (i % 700);
  DeviceArray<double> likelihoods;
  likelihoods.upload(values);
  const Stream stream = Stream::create();
  const auto likelihood = [&](const DeviceArray<float>&,
                              DeviceArray<double>& log_likelihoods,
                              const Stream& queue) {
    copyAsync(likelihoods.ptr(),
              log_likelihoods.ptr(),
              likelihoods.size() * sizeof(double),
              queue);
  };
  for (int variant = 0; variant < 3; ++variant) {
    SCOPED_TRACE(variant);
    PoseParticleFilter filter = filterFor(variant), expected = filterFor(variant);
    const auto process = [&] { filter.processFrame(likelihood, 0.1f, stream); };
    process();
    CapturedGraph(stream, process).launch(3);

    for (int frame = 0; frame < 4; ++frame)
      expected.processFrame(likelihood, 0.1f, stream);
    stream.synchronize();
    EXPECT_EQ(estimateOf(filter).frame, 4u);
    EXPECT_EQ(estimateOf(filter).mean, estimateOf(expected).mean);
    EXPECT_EQ(downloaded(filter.getParticles()), downloaded(expected.getParticles()));
  }
}

// Streams of all devices are in one graph.
TEST_P(FilterCapture, GoesOnOnSeveralDevices)
{
  std::vector<Device> devices(2, device());
  for (int id = 1; id < getCudaEnabledDeviceCount(); ++id)
    devices.push_back(Device::cuda(id));
  const auto body = std::make_shared<Skeleton>(makeHumanSkeleton());
  std::vector<float> pose = body->restPose();
  pose[2] = 3;
  const auto made = [&] {
    PoseParticleFilter filter;
    filter.setSkeleton(body);
    set(filter, &FilterParameters::particle_count, 100);
    set(filter, &FilterParameters::layers, 2);
    set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
    set(filter, &FilterParameters::survival_rate, 0.3f);
    return filter;
  };
  PoseParticleFilter filter = made(), expected = made();
  filter.setDevices(devices);
  DeviceArray<pcl::PointXYZ> points;
  points.upload(std::vector<pcl::PointXYZ>(3000, {0.1f, 0.2f, 3.0f}));
  const Stream stream = Stream::create();
  filter.initialize(pose, stream);
  const auto process = [&] { filter.processFrame(points, {0, 0, 0}, 0.1f, stream); };
  process();
  CapturedGraph(stream, process).launch(3);
  // Events that were recorded in a graph are as good as others afterwards.
  process();
  stream.synchronize();

  expected.initialize(pose, stream);
  for (int frame = 0; frame < 5; ++frame)
    expected.processFrame(points, {0, 0, 0}, 0.1f, stream);
  stream.synchronize();
  EXPECT_EQ(estimateOf(filter).mean, estimateOf(expected).mean);
  EXPECT_EQ(downloaded(filter.getParticles()), downloaded(expected.getParticles()));
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         FilterCapture,
                         ::testing::Values("cuda"),
                         deviceTestName);
