// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "wrappers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

using Polygons = std::vector<pcl::Indices>;
using PclMesh = pcl::OrganizedFastMesh<pcl::PointXYZRGB>;
using OurMesh = pcl::gpu::OrganizedFastMesh<pcl::PointXYZRGB>;
using Cloud = pcl::PointCloud<pcl::PointXYZRGB>;

const PclMesh::TriangulationType pcl_types[] = {PclMesh::TRIANGLE_RIGHT_CUT,
                                                PclMesh::TRIANGLE_LEFT_CUT,
                                                PclMesh::TRIANGLE_ADAPTIVE_CUT,
                                                PclMesh::QUAD_MESH};

/** \brief PCL's class and ours on one cloud with the same settings, one against the
 * other. */
class RecordedMesh : public DeviceTest {
protected:
  template <typename Mesher>
  static Polygons
  reconstructed(Mesher& mesher)
  {
    std::vector<pcl::Vertices> polygons;
    mesher.reconstruct(polygons);
    Polygons result;
    for (const auto& polygon : polygons)
      result.push_back(polygon.vertices);
    return result;
  }

  void
  setInputCloud(const Cloud::ConstPtr& cloud)
  {
    cloud_ = cloud;
    pcl_mesh_.setInputCloud(cloud);
    our_mesh_.setInputCloud(cloud);
  }

  void
  setType(PclMesh::TriangulationType type)
  {
    pcl_mesh_.setTriangulationType(type);
    our_mesh_.setTriangulationType(static_cast<OurMesh::TriangulationType>(type));
  }

  /** \brief PCL's polygons; its quads turned to the viewer, from the same pixel on. */
  Polygons
  expected(PclMesh::TriangulationType type)
  {
    Polygons polygons = reconstructed(pcl_mesh_);
    if (type == PclMesh::QUAD_MESH)
      for (auto& polygon : polygons)
        std::swap(polygon[1], polygon[3]);
    return polygons;
  }

  static Polygons
  difference(Polygons a, Polygons b)
  {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    Polygons result;
    std::set_symmetric_difference(
        a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
  }

  Eigen::Vector3d
  point(int index) const
  {
    return (*cloud_)[index].getVector3fMap().cast<double>();
  }

  /** \brief Returns whether a triangle's quad is cut otherwise by z than by length. */
  bool
  cutsDisagree(const pcl::Indices& triangle) const
  {
    const int columns = static_cast<int>(cloud_->width);
    int row = triangle[0] / columns;
    int column = triangle[0] % columns;
    for (const int index : triangle) {
      row = std::min(row, index / columns);
      column = std::min(column, index % columns);
    }
    const int own = row * columns + column;
    const Eigen::Vector3d right_cut = point(own) - point(own + columns + 1);
    const Eigen::Vector3d left_cut = point(own + 1) - point(own + columns);
    const double shorter = right_cut.norm() - left_cut.norm();
    const double flatter = std::abs(right_cut.z()) - std::abs(left_cut.z());
    return right_cut.allFinite() && left_cut.allFinite() &&
           ((flatter <= 0.0) != (shorter < 0.0) ||
            std::abs(shorter) < 1e-6 * left_cut.norm());
  }

  /** \brief Returns whether an edge's angles to the line of sight at its two ends, or
   * one of them to within rounding, lie on either side of the tolerance. */
  bool
  straddlesTolerance(const pcl::Indices& polygon) const
  {
    const double limit = std::cos(12.5 * M_PI / 180.0);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Eigen::Vector3d a = point(polygon[i]);
      const Eigen::Vector3d b = point(polygon[(i + 1) % polygon.size()]);
      const Eigen::Vector3d edge = (b - a).normalized();
      const double at_a = std::abs(edge.dot(a.normalized()));
      const double at_b = std::abs(edge.dot(b.normalized()));
      if (std::min(at_a, at_b) <= limit + 1e-4 && std::max(at_a, at_b) >= limit - 1e-4)
        return true;
    }
    return false;
  }

  PclMesh pcl_mesh_;
  OurMesh our_mesh_;
  Cloud::ConstPtr cloud_;
};

TEST_P(RecordedMesh, GivesPclsPolygonsOnRecordedClouds)
{
  for (const auto& name : recordedCloudNames()) {
    setInputCloud(recordedCloud(name));
    pcl_mesh_.storeShadowedFaces(true);
    our_mesh_.storeShadowedFaces(true);
    for (const auto type : pcl_types)
      for (const int size : {1, 3}) {
        if (type == PclMesh::TRIANGLE_ADAPTIVE_CUT)
          continue;
        SCOPED_TRACE(name + " type " + std::to_string(type));
        setType(type);
        pcl_mesh_.setTrianglePixelSize(size);
        our_mesh_.setTrianglePixelSize(size);
        const Polygons polygons = expected(type);
        EXPECT_GT(polygons.size(), 40000u);
        EXPECT_TRUE(reconstructed(our_mesh_) == polygons) << "polygons or their order";
      }
  }
}

TEST_P(RecordedMesh, CutsAdaptivelyByLengthWherePclCutsByDepth)
{
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    setInputCloud(recordedCloud(name));
    pcl_mesh_.storeShadowedFaces(true);
    our_mesh_.storeShadowedFaces(true);
    setType(PclMesh::TRIANGLE_ADAPTIVE_CUT);
    const Polygons pcls = reconstructed(pcl_mesh_);
    const Polygons ours = reconstructed(our_mesh_);
    EXPECT_EQ(ours.size(), pcls.size());
    for (const auto& triangle : difference(pcls, ours))
      ASSERT_TRUE(cutsDisagree(triangle)) << triangle[0];
  }
}

TEST_P(RecordedMesh, CutsShadowedEdgesAsPcl)
{
  for (const auto& name : recordedCloudNames()) {
    setInputCloud(recordedCloud(name));
    for (const auto type : pcl_types) {
      if (type == PclMesh::TRIANGLE_ADAPTIVE_CUT)
        continue;
      SCOPED_TRACE(name + " type " + std::to_string(type));
      setType(type);
      const Polygons pcls = expected(type);
      const Polygons ours = reconstructed(our_mesh_);
      const Polygons others = difference(pcls, ours);
      EXPECT_LT(others.size(), pcls.size() / 200);
      for (const auto& polygon : others)
        ASSERT_TRUE(straddlesTolerance(polygon)) << polygon[0];
    }
  }
}

TEST_P(RecordedMesh, LimitsTheLengthOfEdgesAsPcl)
{
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    setInputCloud(recordedCloud(name));
    setType(PclMesh::TRIANGLE_LEFT_CUT);
    // PCL leaves the angle out where the length is limited.
    our_mesh_.setAngleTolerance(-1.0f);
    pcl_mesh_.setMaxEdgeLength(0.015f);
    our_mesh_.setMaxEdgeLength(0.015f);
    const Polygons pcls = reconstructed(pcl_mesh_);
    const Polygons others = difference(pcls, reconstructed(our_mesh_));
    EXPECT_LT(others.size(), 20u);
    for (const auto& polygon : others) {
      bool near_limit = false;
      for (std::size_t i = 0; i < 3; ++i) {
        const double length = (point(polygon[i]) - point(polygon[(i + 1) % 3])).norm();
        near_limit |= std::abs(length - 0.015) < 1e-6 * 0.015;
      }
      EXPECT_TRUE(near_limit);
    }
  }
}

TEST_P(RecordedMesh, LimitsTheLengthOfEdgesByTheirDistanceAsPcl)
{
  for (const auto& name : recordedCloudNames()) {
    SCOPED_TRACE(name);
    setInputCloud(recordedCloud(name));
    setType(PclMesh::TRIANGLE_LEFT_CUT);
    our_mesh_.setAngleTolerance(-1.0f);
    for (bool depth_as_distance : {false, true}) {
      pcl_mesh_.useDepthAsDistance(depth_as_distance);
      our_mesh_.useDepthAsDistance(depth_as_distance);
      pcl_mesh_.setMaxEdgeLength(0.001f, 0.002f, 0.004f);
      our_mesh_.setMaxEdgeLength(0.001f, 0.002f, 0.004f);
      const Polygons pcls = reconstructed(pcl_mesh_);
      const Polygons others = difference(pcls, reconstructed(our_mesh_));
      EXPECT_GT(pcls.size(), 10000u);
      EXPECT_LT(others.size(), depth_as_distance ? 20u : pcls.size() / 100u);
      // PCL takes the distance at the end that its polygon has first: an edge may be
      // valid from one end only. The larger z is the same from both.
      for (const auto& polygon : others) {
        bool between_limits = false;
        for (std::size_t i = 0; i < 3; ++i) {
          const Eigen::Vector3d p = point(polygon[i]);
          const Eigen::Vector3d q = point(polygon[(i + 1) % 3]);
          const auto limit = [](double d) { return 0.001 + 0.002 * d + 0.004 * d * d; };
          const double depth = std::max(p.z(), q.z());
          const double at_p = limit(depth_as_distance ? depth : p.norm());
          const double at_q = limit(depth_as_distance ? depth : q.norm());
          const double length = (q - p).norm();
          between_limits |= length > (1.0 - 1e-6) * std::min(at_p, at_q) &&
                            length < (1.0 + 1e-6) * std::max(at_p, at_q);
        }
        EXPECT_TRUE(between_limits);
      }
    }
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecordedMesh);

} // namespace
