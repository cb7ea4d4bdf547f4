// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/instruction_sets.h"
#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

#include <cmath>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class InstructionSets : public InstructionSetTest {};

TEST_P(InstructionSets, FilterEqualsBruteForce)
{
  const Image<std::uint16_t> raw = inMillimetres(roughDepth(70, 143, 0.15, 1));
  DepthBilateralFilter filter;
  change(filter, [&](auto& p) { p.sigma_r_growth = 0.0028f; });
  DepthMap filtered = poisoned<float>(70, 143);
  filter.compute(uploaded(raw), 0.001f, filtered);
  Image<double> metres(raw.rows, raw.columns);
  for (std::size_t i = 0; i < metres.data.size(); ++i)
    metres.data[i] = raw.data[i] * 0.001;
  ReferenceFilter parameters;
  parameters.sigma_r_growth = 0.0028;
  expectClose(referenceFilter(metres, parameters), downloaded(filtered), 1e-6);
}

TEST_P(InstructionSets, NormalsEqualDoublePrecision)
{
  const auto cloud = cloudOf(roughDepth(70, 143, 0.15, 2), cameraOfSize(70, 143));
  NormalMapEstimation estimation = covarianceEstimation();
  expectNormals(estimation, cloud);
  change(estimation, [&](auto& p) { p.max_depth_change_factor = 0.05f; });
  expectNormals(estimation, cloud);
}

TEST_P(InstructionSets, AdaptiveNormalsEqualThoseOfAPlaneWithHoles)
{
  const PinholeCamera camera = cameraOfSize(70, 143);
  const Eigen::Vector3d normal = Eigen::Vector3d(0.3, -0.5, -0.8).normalized();
  Image<float> depth = planeDepth(camera, normal, 2.0);
  std::mt19937 random(4);
  for (float& z : depth.data)
    if (random() % 7 == 0)
      z = std::numeric_limits<float>::quiet_NaN();
  const auto normals = normalsOf(NormalMapEstimation(), cloudOf(depth, camera));
  const pcl::PointXYZ expected(normal.x(), normal.y(), normal.z());
  for (std::size_t i = 0; i < depth.data.size(); ++i)
    if (std::isnan(depth.data[i])) {
      ASSERT_TRUE(std::isnan(normals.data[i].x)) << i;
    }
    else {
      ASSERT_LE(degreesBetween(normals.data[i], expected), 0.1) << i;
    }
}

TEST_P(InstructionSets, MeshWithDynamicThresholdsEqualsTheReference)
{
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad}) {
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) {
      p.projection.camera = cameraOfSize(70, 143);
      p.mesh.cut = cut;
      p.mesh.dynamic_edge_length = true;
      p.mesh.edge_length_deviations = 2.0f;
    });
    chain.compute(uploaded(roughDepth(70, 143, 0.1, 3)));
    const auto cloud = downloaded(chain.cloud());
    const auto normals = downloaded(chain.normals());
    const ReferenceStatistics statistics = referenceStatistics(cloud, normals, 8);
    ReferenceMesh parameters;
    parameters.cut = cut;
    parameters.setDynamicThresholds(statistics, 2.0);
    const auto expected = referenceMesh(cloud, normals, parameters);
    EXPECT_LE(expectMesh(expected, chain.mesh(), parameters, 70, 143), 0.01);
    EXPECT_GT(polygonsOf(chain.mesh()).size(), 500u);
  }
}

PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(InstructionSets);

} // namespace
