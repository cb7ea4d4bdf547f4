// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/devices.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class CastingCapture : public DeviceTest {};

} // namespace

TEST_P(CastingCapture, GivesTheSameWhenTheGraphIsLaunched)
{
  const std::vector<TaperedCapsule> host{{{-1, 0, 3}, 0.5f, {1, 0.5f, 4}, 0.2f}};
  const DeviceArray<TaperedCapsule> capsules = uploaded(host);
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(1.0f, 70, 50);
  CapsuleRayCaster caster;
  DepthSensorSimulation sensor;
  caster.setParameters({camera});
  setParameter(sensor, &DepthSensorSimulationParameters::camera, camera);
  const Stream stream = Stream::create();
  DeviceArray2D<float> depth, measured;
  DeviceArray<pcl::PointXYZ> points;
  const auto work = [&] {
    caster.cast(capsules, depth, stream);
    sensor.addNoise(depth, 7, measured, stream);
    sensor.computePoints(measured, points, stream);
  };
  work();
  const CapturedGraph graph(stream, work);
  const Image<float> expected = downloaded(measured);
  cudaMemset2D(measured.ptr(), measured.step(), 0, 70 * sizeof(float), 50);
  graph.launch();
  EXPECT_TRUE(sameBits(downloaded(measured), expected));
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         CastingCapture,
                         ::testing::Values("cuda"),
                         pcl::gpu::test::deviceTestName);
