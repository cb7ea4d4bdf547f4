// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_scenes.h"

#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/types.h>

#include <cstdint>
#include <vector>

namespace pcl::gpu::test {

/** \brief Share of a voxel's face that areas may be wrong by. */
constexpr double area_tolerance = 1e-5;

/** \brief A TensorSet in host memory, without the room that is not used. */
struct HostTensors {
  int grid_size = 0;
  std::vector<TensorFrame> frames;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint16_t> voxels;
  std::vector<float> areas;

  int
  size() const
  {
    return static_cast<int>(frames.size());
  }

  /** \brief Areas of all voxels of one tensor, 0 where it has no entry. */
  std::vector<double>
  dense(int tensor) const;

  /** \brief Sum of the areas of one tensor. */
  double
  sum(int tensor) const;
};

/** \brief Downloads tensors; expects the properties of the header: ascending voxels,
 * areas above zero, tensors one behind the other. */
HostTensors
downloadedTensors(const TensorSet& tensors);

/** \brief Output that holds nonsense, of sizes that never fit. */
TensorSet
poisonedTensors();

/** \brief Expects areas of all voxels.
 * \return the largest difference
 */
double
expectAreas(const std::vector<double>& expected,
            const std::vector<double>& actual,
            double tolerance = area_tolerance);

/** \brief Returns whether tensor \a i of \a a has the bits of tensor \a j of \a b. */
bool
sameTensor(const HostTensors& a, int i, const HostTensors& b, int j);

/** \brief Returns whether all are the same, bit for bit. */
bool
sameTensors(const HostTensors& a, const HostTensors& b);

/** \brief A mesh that is not organized, and pairs of its vertices; the clouds have one
 * row. */
struct VertexMesh {
  OrientedCloud vertices;
  Triangles triangles;
  std::vector<PointPair> pairs;
};

/** \brief Size of a voxel of the grids about the meshes below, metres. */
constexpr float mesh_voxel_size = 0.01f;

/** \brief Triangles whose middles are anywhere in a grid and a little beyond; two
 * pairs.
 * \param[in] edge about how long their edges are, in voxels
 * \param[in] center of the grids, metres
 */
VertexMesh
randomMesh(int triangles,
           double edge,
           int grid_size,
           std::uint32_t seed,
           const Eigen::Vector3d& center = {0.3, -0.2, 1.1});

/** \brief Pairs whose frame is the cloud's own, exactly, about the origin. Triangles
 * are to be added. */
VertexMesh
meshInItsOwnFrame();

/** \brief Adds a triangle; its corners are in voxels of \a voxel_size from the
 * origin. */
void
addTriangle(VertexMesh& mesh,
            float voxel_size,
            const Eigen::Vector3f& a,
            const Eigen::Vector3f& b,
            const Eigen::Vector3f& c);

/** \brief The tensors of a mesh's pairs, on the current device. */
HostTensors
tensorsOf(TensorExtraction& extraction, const VertexMesh& mesh);

/** \brief The tensors of pairs of an organized cloud. */
HostTensors
tensorsOf(TensorExtraction& extraction,
          const OrientedCloud& cloud,
          const OrganizedMesh& mesh,
          const std::vector<PointPair>& pairs,
          const DeviceArray<ResolutionStatistics>& statistics = {});

} // namespace pcl::gpu::test
