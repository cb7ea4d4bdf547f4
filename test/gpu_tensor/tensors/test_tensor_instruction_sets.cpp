// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/instruction_sets.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class TensorInstructionSets : public InstructionSetTest {};

TEST_P(TensorInstructionSets, PairsEqualBruteForce)
{
  const OrientedCloud cloud = damagedCloud(43, 91, 1);
  PointPairEstimation estimation;
  estimation.setResolution(pixel_distance);
  PointPairs pairs;
  estimation.compute(uploaded(cloud.points), uploaded(cloud.normals), {}, pairs);
  const std::vector<PointPair> expected = referencePairs(cloud, {});
  EXPECT_GT(expected.size(), 1000u) << "there was nothing to compare";
  expectPairs(expected, downloadedPairs(pairs));
}

TEST_P(TensorInstructionSets, AreasEqualTheReference)
{
  const OrientedCloud cloud = damagedCloud(43, 91, 2);
  const std::vector<PointPair> all = referencePairs(cloud, {});
  std::vector<PointPair> pairs;
  for (std::size_t i = 0; i < 6; ++i)
    pairs.push_back(all.at(all.size() * i / 6));
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad})
    // Of voxels that hold many triangles, and that most triangles are cut by.
    for (int grid_size : {3, 10, 32}) {
      SCOPED_TRACE("cut " + std::to_string(static_cast<int>(cut)) + ", grid " +
                   std::to_string(grid_size));
      const OrganizedMesh mesh = meshOf(cloud, cut, 0.025f);
      const Triangles triangles = trianglesOf(mesh);
      TensorExtraction extraction;
      extraction.setGridSize(grid_size);
      extraction.setVoxelSize(0.04f / static_cast<float>(grid_size));
      const HostTensors tensors = tensorsOf(extraction, cloud, mesh, pairs);
      ASSERT_EQ(tensors.size(), 6);
      double sum = 0.0;
      for (int i = 0; i < tensors.size(); ++i) {
        SCOPED_TRACE("tensor " + std::to_string(i));
        const auto of_grid =
            gridTriangles(cloud.points.data, triangles, tensors.frames[i], grid_size);
        expectAreas(referenceAreas(of_grid, grid_size), tensors.dense(i), 3e-5);
        sum += tensors.sum(i);
      }
      EXPECT_GT(sum, 0.5 * grid_size * grid_size) << "there was nothing to compare";
    }
}

PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(TensorInstructionSets);

} // namespace
