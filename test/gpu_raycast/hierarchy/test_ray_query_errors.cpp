// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "ray_query_scenes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

class RayQueryErrors : public DeviceTest {};

TEST_P(RayQueryErrors, NoScene)
{
  MeshRayQuery query;
  EXPECT_EQ(query.getScene(), nullptr);
  expectBadArgument("scene", [&] { query.build(); });
  expectBadArgument("scene", [&] { query.setScene(nullptr); });
}

TEST_P(RayQueryErrors, RaysBeforeBuild)
{
  MeshRayQuery query;
  query.setInputMesh(uploaded(octasphere(1)));
  expectBadArgument("built", [&] { ask(query, {ray({0, 0, 0}, {0, 0, 1})}); });
  query.build();
  EXPECT_EQ(ask(query, {ray({0, 0, 0}, {0.1f, 0.2f, 1})}).counts[0], 1);
  query.setInputMesh(uploaded(octasphere(2)));
  expectBadArgument("built", [&] { ask(query, {ray({0, 0, 0}, {0, 0, 1})}); });
}

TEST_P(RayQueryErrors, CopiesHaveToBeBuilt)
{
  MeshRayQuery query;
  query.setInputMesh(uploaded(octasphere(1)));
  query.build();
  MeshRayQuery copy(query);
  EXPECT_EQ(copy.getScene(), query.getScene());
  const std::vector<Ray> rays = {ray({0, 0, 0}, {0.1f, 0.2f, 1})};
  expectBadArgument("built", [&] { ask(copy, rays); });
  copy.build();
  EXPECT_EQ(ask(copy, rays).counts[0], 1);
  const MeshRayQuery moved(std::move(query));
  query = copy;
  expectBadArgument("built", [&] { ask(query, rays); });
  query.build();
  EXPECT_EQ(ask(query, rays).counts[0], 1);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryErrors);
