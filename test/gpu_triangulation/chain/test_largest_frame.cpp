// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// 2^28 pixels: 15 GiB of device memory. "cuda" in the suite's name has CTest run this
// only where there is a device.

TEST(LargestFrame_cuda, IsLikeOtherFrames)
{
  const auto scope = useDevice("cuda");
  constexpr int size = 16384;
  DepthMapTriangulation chain;
  change(chain, [&](auto& p) {
    p.projection.camera = cameraOfSize(size, size);
    p.mesh.dynamic_edge_length = false;
    p.mesh.max_edge_length = 1.0f;
    p.mesh.dynamic_normal_angle = false;
    p.mesh.max_normal_angle = 1.0f;
  });
  {
    // A wall, with a hole in the last corner.
    Image<std::uint16_t> raw(size, size, 2000);
    raw.at(size - 1, size - 1) = 0;
    chain.compute(uploaded(raw), 0.001f);
  }
  const auto statistics = downloaded(chain.statistics());
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_EQ(statistics[0].points, 268435455u);
  EXPECT_EQ(statistics[0].normals, 268435455u);
  EXPECT_GT(statistics[0].mean_spacing, 0.0f);

  const std::vector<int> count = downloaded(chain.mesh().polygon_count);
  const int expected = 2 * (size - 1) * (size - 1) - 1;
  EXPECT_EQ(count.at(0), expected);
  // The first and the last triangle of the list.
  int vertices[3];
  chain.mesh().indices.download(vertices, 0, 3);
  EXPECT_EQ(canonical({vertices[0], vertices[1], vertices[2], -1}),
            (Polygon{0, size, 1, -1}));
  chain.mesh().indices.download(
      vertices, 3 * static_cast<std::size_t>(expected - 1), 3);
  const int own = (size - 2) * size + size - 2;
  EXPECT_EQ(canonical({vertices[0], vertices[1], vertices[2], -1}),
            (Polygon{own, own + size, own + 1, -1}));
}

} // namespace
