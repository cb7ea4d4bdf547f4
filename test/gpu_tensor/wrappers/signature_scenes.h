// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_tensor/tensors/tensor_scenes.h"

#include <pcl/gpu/tensor/tensor_estimation.h>
#include <pcl/gpu/tensor/tensor_signature.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

/** \file
 * \brief Common code of the tests of TensorEstimation.
 */

namespace pcl::gpu::test {

using Signature = TensorSignature1000;
using Signatures = pcl::PointCloud<Signature>;
using Estimation = TensorEstimation<PointXYZ>;

/** \brief Size of a voxel in the tests, metres. */
constexpr float signature_voxel_size = 0.004f;

/** \brief An organized cloud as PCL has it; is_dense says whether points are
 * missing. */
template <typename PointT = PointXYZ>
typename pcl::PointCloud<PointT>::Ptr
pointsOf(const OrientedCloud& scene)
{
  typename pcl::PointCloud<PointT>::Ptr cloud(
      new pcl::PointCloud<PointT>(scene.points.columns, scene.points.rows));
  cloud->is_dense = true;
  for (std::size_t i = 0; i < cloud->size(); ++i) {
    (*cloud)[i].getVector3fMap() = scene.points.data[i].getVector3fMap();
    cloud->is_dense &= scene.points.data[i].getVector3fMap().allFinite();
  }
  return cloud;
}

/** \brief Its normals. */
template <typename NormalT = pcl::Normal>
typename pcl::PointCloud<NormalT>::Ptr
normalsOf(const OrientedCloud& scene)
{
  typename pcl::PointCloud<NormalT>::Ptr normals(
      new pcl::PointCloud<NormalT>(scene.normals.columns, scene.normals.rows));
  for (std::size_t i = 0; i < normals->size(); ++i)
    (*normals)[i].getNormalVector3fMap() = scene.normals.data[i].getVector3fMap();
  return normals;
}

/** \brief Computes the mesh of meshOf(cloud, Cut::Left, max_edge_length). */
inline void
setMesh(OrganizedTriangulation& triangulation, float max_edge_length)
{
  OrganizedTriangulationParameters parameters;
  parameters.angle_tolerance = 0.0f;
  parameters.dynamic_edge_length = false;
  parameters.max_edge_length = max_edge_length;
  parameters.dynamic_normal_angle = false;
  triangulation.setParameters(parameters);
}

/** \brief Gives an estimation a scene, and settings that fit the scenes' pixel
 * distance. */
template <typename PointInT, typename PointNT>
void
prepare(TensorEstimation<PointInT, PointNT>& estimation, const OrientedCloud& scene)
{
  estimation.setInputCloud(pointsOf<PointInT>(scene));
  estimation.setInputNormals(normalsOf<PointNT>(scene));
  estimation.setResolution(pixel_distance);
  estimation.setVoxelSize(signature_voxel_size);
  setMesh(estimation.getTriangulation(), 0.01f);
}

inline Signatures
signaturesOf(Estimation& estimation)
{
  Signatures signatures;
  estimation.compute(signatures);
  return signatures;
}

/** \brief Those of all points, or of some. */
inline Signatures
signaturesOf(const OrientedCloud& scene, const std::vector<int>* points = nullptr)
{
  Estimation estimation;
  prepare(estimation, scene);
  if (points)
    estimation.setIndices(
        pcl::IndicesPtr(new pcl::Indices(points->begin(), points->end())));
  return signaturesOf(estimation);
}

/** \brief Returns whether all of a signature is NaN. */
inline bool
isNone(const Signature& signature)
{
  float values[sizeof(Signature) / sizeof(float)];
  std::memcpy(values, &signature, sizeof(Signature));
  for (const float value : values)
    if (!std::isnan(value))
      return false;
  return true;
}

/** \brief Returns whether two signatures have the same bits, or are none. */
inline bool
areSame(const Signature& a, const Signature& b)
{
  return (isNone(a) && isNone(b)) || std::memcmp(&a, &b, sizeof(Signature)) == 0;
}

/** \brief Numbers of the points that have a signature, one for each pair: no two share
 * it. */
inline std::vector<int>
differentOnes(const Signatures& signatures)
{
  std::vector<int> numbers;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    bool is_new = !isNone(signatures[i]);
    for (const int number : numbers)
      is_new = is_new && !areSame(signatures[number], signatures[i]);
    if (is_new)
      numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}

} // namespace pcl::gpu::test
