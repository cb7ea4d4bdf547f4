// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>
#include <Eigen/StdVector>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief A measured pose of one node of a graph in another one. */
struct PoseEdge {
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW

  int from = 0, to = 0;         ///< nodes
  Pose pose = Pose::Identity(); ///< maps points of \a from into the frame of \a to
  float score = 0.0f;           ///< the larger, the surer
};

/** \brief The points that a node's poses move. */
struct PoseNode {
  Eigen::Vector3f center = Eigen::Vector3f::Zero(); ///< in the node's frame
  float radius = 0.0f; ///< root of the mean squared distance from the centre, metres
};

/** \brief Edges of a graph. */
using PoseEdges = std::vector<PoseEdge, Eigen::aligned_allocator<PoseEdge>>;

/** \brief Returns how far apart two poses bring the points of a node: the root of their
 * mean squared distance, for points of the same extent in all directions. */
float
poseDeviation(const Pose& a, const Pose& b, const PoseNode& node);

/** \brief Puts nodes into the frame of the first one.
 *
 * Edges that agree with others around triangles come first in a maximum spanning tree.
 * All edges that agree with the tree then pull the nodes to their places, by weighted
 * least squares in which edges that are far off count little (Geman and McClure 1987).
 * \param[in] nodes one or more
 * \param[in] edges between them
 * \param[in] deviation of edges, see poseDeviation(), metres
 * \return of each node its pose in the first one's frame; nothing for those that no
 * edges connect with it
 */
std::vector<std::optional<Pose>>
solvePoseGraph(const std::vector<PoseNode>& nodes,
               const PoseEdges& edges,
               float deviation);

} // namespace pcl::gpu
