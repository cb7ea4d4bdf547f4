// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/pose_graph.h"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace pcl::gpu {

namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Poses = std::vector<std::optional<Pose>>;

Eigen::Matrix3d
crossMatrix(const Eigen::Vector3d& v)
{
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/** \brief Returns for each edge its score, more of it if it agrees with other edges
 * around triangles, and less if it does not. */
std::vector<float>
edgeWeights(const std::vector<PoseNode>& nodes, const PoseEdges& edges, float deviation)
{
  // Three edges deviate together.
  const float allowed = 3.0f * deviation;
  std::map<std::pair<int, int>, Pose> poses;
  std::vector<std::vector<int>> neighbors(nodes.size());
  for (const PoseEdge& edge : edges) {
    poses[{edge.from, edge.to}] = edge.pose;
    poses[{edge.to, edge.from}] = edge.pose.inverse();
    neighbors[edge.from].push_back(edge.to);
    neighbors[edge.to].push_back(edge.from);
  }
  std::vector<float> weights;
  for (const PoseEdge& edge : edges) {
    float agreeing = 1.0f, others = 1.0f;
    for (const int middle : neighbors[edge.from]) {
      const auto rest = poses.find({middle, edge.to});
      if (rest == poses.end())
        continue;
      const Pose around = rest->second * poses.at({edge.from, middle});
      const bool agrees = poseDeviation(around, edge.pose, nodes[edge.from]) <= allowed;
      (agrees ? agreeing : others) += 1.0f;
    }
    weights.push_back(edge.score * agreeing / others);
  }
  return weights;
}

/** \brief Connects nodes by Prim's algorithm: the edge of the largest weight that
 * reaches a further node comes next. */
Poses
spanningTree(std::size_t nodes,
             const PoseEdges& edges,
             const std::vector<float>& weights)
{
  Poses poses(nodes);
  poses[0] = Pose::Identity();
  for (;;) {
    std::size_t best = edges.size();
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (poses[edges[i].from].has_value() != poses[edges[i].to].has_value() &&
          (best == edges.size() || weights[i] > weights[best]))
        best = i;
    if (best == edges.size())
      return poses;
    const PoseEdge& edge = edges[best];
    if (poses[edge.to])
      poses[edge.from] = *poses[edge.to] * edge.pose;
    else
      poses[edge.to] = *poses[edge.from] * edge.pose.inverse();
  }
}

/** \brief Normal equations of small motions of all nodes but the first. */
class MotionSystem {
public:
  explicit MotionSystem(std::size_t nodes) : right_(Eigen::VectorXd::Zero(6 * nodes)) {}

  /** \brief Adds a node's part of an edge's error, or a product of two parts. */
  void
  add(int row, int column, const Matrix6d& block)
  {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        entries_.emplace_back(6 * row + i, 6 * column + j, block(i, j));
  }

  void
  addRight(int row, const Vector6d& part)
  {
    right_.segment<6>(6 * row) += part;
  }

  /** \return motions, six numbers a node: a rotation vector, and a translation; zeros
   * if the edges do not determine them */
  Eigen::VectorXd
  solve() const
  {
    Eigen::SparseMatrix<double> matrix(right_.size(), right_.size());
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(matrix);
    if (solver.info() != Eigen::Success)
      return Eigen::VectorXd::Zero(right_.size());
    return solver.solve(right_);
  }

private:
  std::vector<Eigen::Triplet<double>> entries_;
  Eigen::VectorXd right_;
};

/** \brief The residual of an edge, with its derivatives. The edge and the poses of its
 * nodes bring points of the first node to different places of the common frame. */
struct EdgeResidual {
  Vector6d error;
  Matrix6d of_from, of_to;

  EdgeResidual(const PoseEdge& edge,
               const PoseNode& node,
               const Pose& from,
               const Pose& to)
  {
    const Pose measured = to * edge.pose;
    const Eigen::Vector3d center = (from * node.center).cast<double>();
    const Eigen::Vector3d other = (measured * node.center).cast<double>();
    const Eigen::AngleAxisf turn(
        Eigen::Matrix3f(from.linear() * measured.linear().transpose()));
    const double radius = node.radius;
    error << radius * (turn.angle() * turn.axis()).cast<double>(), center - other;
    // A motion turns about the common frame's origin.
    of_from = of_to = Matrix6d::Zero();
    of_from.topLeftCorner<3, 3>() = radius * Eigen::Matrix3d::Identity();
    of_from.bottomLeftCorner<3, 3>() = -crossMatrix(center);
    of_from.bottomRightCorner<3, 3>() = Eigen::Matrix3d::Identity();
    of_to.topLeftCorner<3, 3>() = -radius * Eigen::Matrix3d::Identity();
    of_to.bottomLeftCorner<3, 3>() = crossMatrix(other);
    of_to.bottomRightCorner<3, 3>() = -Eigen::Matrix3d::Identity();
  }
};

void
moveBy(const Eigen::VectorXd& motions, int node, Pose& pose)
{
  const Eigen::Vector3f turn = motions.segment<3>(6 * node).cast<float>();
  const Eigen::Vector3f shift = motions.segment<3>(6 * node + 3).cast<float>();
  Pose motion = Pose::Identity();
  if (turn.norm() > 0.0f)
    motion.linear() =
        Eigen::AngleAxisf(turn.norm(), turn.normalized()).toRotationMatrix();
  motion.translation() = shift;
  pose = motion * pose;
  pose.linear() = Eigen::Quaternionf(pose.linear()).normalized().toRotationMatrix();
}

/** \brief Moves poses so that edges and poses agree. */
void
balance(const std::vector<PoseNode>& nodes,
        const PoseEdges& edges,
        const std::vector<float>& weights,
        float deviation,
        Poses& poses)
{
  constexpr int rounds = 20;
  std::vector<int> places(nodes.size(), -1); // among the nodes that move
  int moving = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (poses[i])
      places[i] = moving++;
  if (moving == 0)
    return;
  for (int round = 0; round < rounds; ++round) {
    MotionSystem system(moving);
    // The errors of a long chain show where it closes.
    const double scale = deviation * std::max(1.0, 8.0 * (1.0 - 2.0 * round / rounds));
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const PoseEdge& edge = edges[i];
      if (!poses[edge.from] || !poses[edge.to])
        continue;
      const EdgeResidual residual(
          edge, nodes[edge.from], *poses[edge.from], *poses[edge.to]);
      const double share = residual.error.squaredNorm() / (scale * scale);
      const double weight = weights[i] / ((1.0 + share) * (1.0 + share));
      const std::array<std::pair<int, const Matrix6d*>, 2> parts = {
          {{places[edge.from], &residual.of_from}, {places[edge.to], &residual.of_to}}};
      for (const auto& [row, of_row] : parts) {
        if (row < 0)
          continue;
        system.addRight(row, -weight * of_row->transpose() * residual.error);
        for (const auto& [column, of_column] : parts)
          if (column >= 0)
            system.add(row, column, weight * of_row->transpose() * *of_column);
      }
    }
    const Eigen::VectorXd motions = system.solve();
    for (std::size_t i = 1; i < nodes.size(); ++i)
      if (poses[i])
        moveBy(motions, places[i], *poses[i]);
  }
}

} // namespace

float
poseDeviation(const Pose& a, const Pose& b, const PoseNode& node)
{
  const float shift = (a * node.center - b * node.center).norm();
  const Eigen::AngleAxisf turn(Eigen::Matrix3f(a.linear().transpose() * b.linear()));
  // The points' distances from the axis are smaller than those from the centre.
  const float axial = std::sqrt(2.0f / 3.0f) * node.radius;
  return std::hypot(shift, 2.0f * std::sin(0.5f * turn.angle()) * axial);
}

std::vector<std::optional<Pose>>
solvePoseGraph(const std::vector<PoseNode>& nodes,
               const PoseEdges& edges,
               float deviation)
{
  const std::vector<float> weights = edgeWeights(nodes, edges, deviation);
  Poses poses = spanningTree(nodes.size(), edges, weights);
  balance(nodes, edges, weights, deviation, poses);
  return poses;
}

} // namespace pcl::gpu
