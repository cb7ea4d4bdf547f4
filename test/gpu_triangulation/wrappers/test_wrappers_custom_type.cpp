// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Before any other include, as for PCL's own classes with types of the user's own.
#define PCL_NO_PRECOMPILE

#include "common/devices.h"

#include <pcl/gpu/triangulation/fast_bilateral_filter.h>
#include <pcl/gpu/triangulation/organized_fast_mesh.h>
#include <pcl/gpu/triangulation/organized_normal_estimation.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/register_point_struct.h>

#include <vector>

/** \brief A point with a field that PCL does not know, and x, y, z behind it. */
struct EIGEN_ALIGN16 PointWithConfidence {
  float confidence;
  float padding[3];
  PCL_ADD_POINT4D;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief A normal with a weight. */
struct EIGEN_ALIGN16 WeightedNormal {
  PCL_ADD_NORMAL4D;
  float curvature;
  float weight;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// clang-format off
POINT_CLOUD_REGISTER_POINT_STRUCT(PointWithConfidence,
                                  (float, confidence, confidence)
                                  (float, x, x)(float, y, y)(float, z, z))
POINT_CLOUD_REGISTER_POINT_STRUCT(WeightedNormal,
                                  (float, normal_x, normal_x)
                                  (float, normal_y, normal_y)
                                  (float, normal_z, normal_z)
                                  (float, curvature, curvature)
                                  (float, weight, weight))
// clang-format on

namespace {

using Cloud = pcl::PointCloud<PointWithConfidence>;

class CustomType : public pcl::gpu::test::DeviceTest {
protected:
  static Cloud::Ptr
  wall()
  {
    Cloud::Ptr cloud(new Cloud(20, 10));
    for (int v = 0; v < 10; ++v)
      for (int u = 0; u < 20; ++u) {
        auto& point = cloud->at(u, v);
        point.x = 0.01f * u;
        point.y = 0.01f * v;
        point.z = 1.0f;
        point.confidence = 0.5f;
      }
    return cloud;
  }
};

TEST_P(CustomType, IsMeshed)
{
  pcl::gpu::OrganizedFastMesh<PointWithConfidence> mesher;
  mesher.setInputCloud(wall());
  pcl::PolygonMesh mesh;
  mesher.reconstruct(mesh);
  EXPECT_EQ(mesh.polygons.size(), 9u * 19u);
  EXPECT_EQ(mesh.cloud.width, 20u);
}

TEST_P(CustomType, HasNormals)
{
  pcl::gpu::OrganizedNormalEstimation<PointWithConfidence, WeightedNormal> estimation;
  estimation.setInputCloud(wall());
  pcl::PointCloud<WeightedNormal> normals;
  estimation.compute(normals);
  ASSERT_EQ(normals.size(), 200u);
  for (const auto& normal : normals)
    EXPECT_NEAR(normal.normal_z, -1.0f, 1e-6f);
}

TEST_P(CustomType, IsFiltered)
{
  const auto cloud = wall();
  cloud->at(7, 7).z = 1.01f;
  pcl::gpu::FastBilateralFilter<PointWithConfidence> filter;
  filter.setInputCloud(cloud);
  Cloud filtered;
  filter.filter(filtered);
  EXPECT_LT(filtered.at(7, 7).z, 1.001f);
  EXPECT_EQ(filtered.at(7, 7).confidence, 0.5f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CustomType);

} // namespace
