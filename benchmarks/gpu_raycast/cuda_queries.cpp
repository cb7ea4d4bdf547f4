// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tables.h"
#include "seen_points.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <iostream>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

void
printQueries(const Case& test, const CudaTimer& timer, const Stream& stream)
{
  const TriangleMesh mesh = uploaded(test.mesh);
  const SeenPoints seen(mesh, test.view());
  DeviceArray<Ray> from_camera, to_light;
  from_camera.upload(seen.raysFromCamera());
  to_light.upload(seen.raysTo(lightPosition()));
  DeviceArray<RayHit> hits;
  DeviceArray<std::uint8_t> occluded;
  MeshRayQuery query;
  query.setInputMesh(mesh);
  const QueueWork build = [&] { query.build(stream); };
  const QueueWork see = [&] { query.castRays(from_camera, hits, stream); };
  const QueueWork occlude = [&] { query.testOcclusion(to_light, occluded, stream); };
  for (const QueueWork& work : {build, see, occlude})
    work();
  stream.synchronize();
  std::cout << ' ' << from_camera.size() << " |";
  for (const QueueWork& work : {build, see, occlude})
    std::cout << ' ' << microseconds(timer.graph(work)) << " |";
}

} // namespace benchmarks
