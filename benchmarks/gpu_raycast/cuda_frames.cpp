// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tables.h"

#include "common/report.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

Pose
turned(double degrees)
{
  const float angle = static_cast<float>(degrees * 3.14159265358979 / 180.0);
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitY()).toRotationMatrix();
  return pose;
}

} // namespace

void
printFrame(const Case& test, const CudaTimer& timer, const Stream& stream)
{
  MeshRayCaster caster;
  caster.setInputMesh(uploaded(test.mesh));
  const CameraView view = test.view();
  RayCastImages images;
  for (const CastMethod method : {CastMethod::Visibility, CastMethod::TileGrid}) {
    MeshRayCasterParameters parameters;
    parameters.method = method;
    caster.setParameters(parameters);
    const QueueWork work = [&] { caster.cast(view, images, stream); };
    work();
    stream.synchronize();
    std::vector<int> ids(images.triangles.rows() * images.triangles.cols());
    images.triangles.download(ids.data(), images.triangles.cols() * sizeof(int));
    std::size_t hits = 0;
    std::uint64_t sum = 14695981039346656037u;
    for (const int id : ids) {
      hits += id >= 0 ? 1 : 0;
      sum = (sum ^ static_cast<std::uint64_t>(id)) * 1099511628211u;
    }
    std::cout << ' ' << hits << ' ' << std::hex << sum << std::dec << " | "
              << microseconds(timer.graph(work)) << " | "
              << microseconds(timer.withinGraph(work)) << " |";
  }
}

void
printSlabs(const HostMesh& dragon, const CudaTimer& timer, const Stream& stream)
{
  printHeading("| dragon turned by | slabs | million tests | us, all rays of a tile | "
               "us, rays that may hit | of them split | build | cast |");
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(dragon)));
  const CameraView view = Case{dragon, 1024, 1024, 0.97}.view();
  for (int degrees : {0, 30, 60, 90})
    for (int slabs : {1, 4, 8, 16}) {
      scene->setPose(0, turned(degrees));
      MeshRayCaster caster;
      caster.setScene(scene);
      MeshRayCasterParameters parameters;
      parameters.method = CastMethod::TileGrid;
      parameters.slabs = slabs;
      caster.setParameters(parameters);
      RayCastImages images;
      const QueueWork work = [&] { caster.cast(view, images, stream); };
      work();
      const Sample some = timer.graph(work);
      const std::vector<Sample> stages = timer.stages([&](const QueueWork& end_stage) {
        caster.setStageObserver([&](const char*, const Stream&) { end_stage(); });
        work();
      });
      caster.setStageObserver({});
      DeviceArray<unsigned long long> counter(1);
      unsigned long long tests = 0;
      counter.upload(&tests, 1);
      caster.setTestCounter(counter);
      work();
      stream.synchronize();
      counter.download(&tests);
      const Sample all = timer.graph(work);
      std::cout << "| " << degrees << " | " << slabs << " | " << std::fixed
                << std::setprecision(1) << static_cast<double>(tests) * 1e-6 << " | "
                << microseconds(all) << " | " << microseconds(some) << " |";
      for (const Sample& stage : stages)
        std::cout << ' ' << stage.median << " |";
      std::cout << '\n';
    }
}

} // namespace benchmarks
