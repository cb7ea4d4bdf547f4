// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_tensor/tensors/tensor_scenes.h"
#include "registration/pose_graph.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pcl::gpu;
using pcl::gpu::test::randomRotation;

namespace {

/** \brief Nodes on a circle, of which neighbours were measured in each other. */
class PoseGraph : public ::testing::Test {
protected:
  static constexpr int count = 12;
  static constexpr float deviation = 0.002f;

  PoseGraph()
  {
    for (int i = 0; i < count; ++i) {
      Pose pose = Pose::Identity();
      pose.linear() = randomRotation(i).cast<float>();
      const float angle = 6.2831853f * i / count;
      pose.translation() = Eigen::Vector3f(std::cos(angle), std::sin(angle), 0.1f * i);
      truth.push_back(pose);
      nodes.push_back({Eigen::Vector3f(0.1f, -0.2f, 0.5f), 0.2f});
    }
  }

  /** \brief Measures a pose, with errors of this size in all directions. */
  PoseEdge
  edge(int from, int to, float error = 0.0f)
  {
    std::normal_distribution<float> normal(0.0f, error);
    const auto draw = [&] {
      return Eigen::Vector3f(normal(random), normal(random), normal(random));
    };
    const Eigen::Vector3f turn = draw() / nodes[from].radius, shift = draw();
    PoseEdge measured;
    measured.from = from;
    measured.to = to;
    measured.pose = truth[to].inverse() * truth[from];
    // Points turn about their centre.
    const Eigen::Vector3f center = measured.pose * nodes[from].center;
    if (turn.norm() > 0.0f)
      measured.pose = Eigen::Translation3f(center + shift) *
                      Eigen::AngleAxisf(turn.norm(), turn.normalized()) *
                      Eigen::Translation3f(-center) * measured.pose;
    measured.score = 1.0f;
    return measured;
  }

  /** \brief Returns by how much the pose of a node is wrong, relative to the first. */
  float
  errorOf(const std::vector<std::optional<Pose>>& poses, int node) const
  {
    return poseDeviation(*poses[node], truth[0].inverse() * truth[node], nodes[node]);
  }

  std::mt19937 random;
  std::vector<Pose> truth;
  std::vector<PoseNode> nodes;
};

TEST_F(PoseGraph, OfExactEdgesHasTheTruePoses)
{
  PoseEdges edges;
  for (int i = 0; i < count; ++i)
    edges.push_back(i % 2 == 0 ? edge(i, (i + 1) % count) : edge((i + 1) % count, i));
  const auto poses = solvePoseGraph(nodes, edges, deviation);
  ASSERT_TRUE(poses[0]);
  EXPECT_TRUE(poses[0]->isApprox(Pose::Identity()));
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(poses[i]);
    EXPECT_LT(errorOf(poses, i), 1e-5f) << i;
  }
}

TEST_F(PoseGraph, SpreadsErrorsAroundACircle)
{
  // Squared errors of a chain of n edges add up to i of them at node i, and where it
  // closes to i (n - i) / n; turns make those of far nodes larger.
  double of_chain = 0.0, of_circle = 0.0;
  for (int repetition = 0; repetition < 50; ++repetition) {
    PoseEdges edges;
    for (int i = 0; i + 1 < count; ++i)
      edges.push_back(edge(i + 1, i, 0.3f * deviation));
    const auto chain = solvePoseGraph(nodes, edges, deviation);
    edges.push_back(edge(0, count - 1, 0.3f * deviation));
    const auto circle = solvePoseGraph(nodes, edges, deviation);
    for (int i = 1; i < count; ++i) {
      of_chain += std::pow(errorOf(chain, i), 2);
      of_circle += std::pow(errorOf(circle, i), 2);
    }
  }
  EXPECT_LT(of_circle, 143.0 / 6.0 / 66.0 * of_chain);
  EXPECT_GT(of_circle, 0.0);
}

TEST_F(PoseGraph, LeavesOutEdgesThatDisagreeWithOthers)
{
  PoseEdges edges;
  for (int i = 0; i < count; ++i)
    for (const int step : {1, 2})
      edges.push_back(edge(i, (i + step) % count, 0.2f * deviation));
  // Wrong ones that seem surer than all others.
  for (const int i : {0, 4, 7}) {
    PoseEdge wrong = edge(i, (i + 6) % count);
    wrong.pose.translation().x() += 0.4f;
    wrong.score = 2.0f;
    edges.push_back(wrong);
  }
  const auto poses = solvePoseGraph(nodes, edges, deviation);
  for (int i = 0; i < count; ++i)
    EXPECT_LT(errorOf(poses, i), 2.0f * deviation) << i;
}

TEST_F(PoseGraph, HasNoPosesOfNodesThatNothingConnects)
{
  const auto poses = solvePoseGraph(nodes, {edge(1, 0), edge(3, 4)}, deviation);
  EXPECT_TRUE(poses[0] && poses[1]);
  for (int i = 2; i < count; ++i)
    EXPECT_FALSE(poses[i]) << i;
  const auto alone = solvePoseGraph({nodes[0]}, {}, deviation);
  EXPECT_TRUE(alone[0]->isApprox(Pose::Identity()));
}

TEST(PoseDeviation, IsThatOfPointsAboutTheCentre)
{
  // Six points on the axes about a centre, whose mean squared distance is that of a
  // sphere's.
  const PoseNode node = {Eigen::Vector3f(1.0f, 2.0f, 3.0f), 0.5f};
  for (int i = 0; i < 20; ++i) {
    Pose a = Pose::Identity(), b = Pose::Identity();
    a.linear() = randomRotation(2 * i).cast<float>();
    b.linear() = randomRotation(2 * i + 1).cast<float>();
    b.translation() = Eigen::Vector3f(0.1f * i, -0.3f, 0.2f);
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      for (const float sign : {-0.5f, 0.5f}) {
        const Eigen::Vector3f point = node.center + sign * Eigen::Vector3f::Unit(axis);
        squares += (a * point - b * point).squaredNorm() / 6.0;
      }
    EXPECT_NEAR(poseDeviation(a, b, node), std::sqrt(squares), 1e-5) << i;
  }
}

} // namespace
