// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cast_test.h"
#include "common/change_parameters.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class LargestImage : public CastTest {};

TEST_P(LargestImage, IsLikeOthers)
{
  constexpr int size = CameraView::max_size;
  // A floor under the left half, a square before its end, and one pixel in each corner.
  HostMesh mesh = wall(-0.5f, 8191.5f, -0.5f, 16383.5f, 4);
  const auto add = [&](float left, float right, float top, float bottom) {
    mesh.addTriangle({left, top, 2}, {right, bottom, 2}, {right, top, 2});
    mesh.addTriangle({left, top, 2}, {left, bottom, 2}, {right, bottom, 2});
  };
  add(8000, 8255, 16000, 16255);
  for (float x : {0.0f, size - 1.0f})
    for (float y : {0.0f, size - 1.0f})
      add(x - 0.25f, x + 0.25f, y - 0.25f, y + 0.25f);
  MeshRayCaster caster = newCaster(mesh);
  change(caster, [&](auto& p) { p.outputs = TrianglesOutput; });
  const Image<int> ids = cast(caster, CameraView(orthographic(size, size))).triangles;
  ASSERT_EQ(ids.rows, size);
  ASSERT_EQ(ids.columns, size);
  long wrong = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const bool corner = (x == 0 || x == size - 1) && (y == 0 || y == size - 1);
      const bool square = x >= 8000 && x <= 8255 && y >= 16000 && y <= 16255;
      const int id = ids.at(y, x);
      const bool right = corner     ? id >= 4
                         : square   ? id == 2 || id == 3
                         : x < 8192 ? id == 0 || id == 1
                                    : id == -1;
      wrong += !right;
    }
  EXPECT_EQ(wrong, 0);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(LargestImage);

} // namespace
