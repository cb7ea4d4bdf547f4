// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Before any other include, as for PCL's own classes with types of the user's own.
#define PCL_NO_PRECOMPILE

#include "common/devices.h"
#include "polygon_meshes.h"

#include <pcl/gpu/raycast/polygon_mesh_ray_caster.h>
#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>
#include <pcl/register_point_struct.h>

/** \brief A surface point with a field that PCL does not know, and x, y, z behind
 * it. */
struct EIGEN_ALIGN16 SurfaceWithConfidence {
  float confidence;
  float padding[3];
  PCL_ADD_POINT4D;
  PCL_ADD_NORMAL4D;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// clang-format off
POINT_CLOUD_REGISTER_POINT_STRUCT(SurfaceWithConfidence,
                                  (float, confidence, confidence)
                                  (float, x, x)(float, y, y)(float, z, z)
                                  (float, normal_x, normal_x)
                                  (float, normal_y, normal_y)
                                  (float, normal_z, normal_z))
// clang-format on

namespace {

using namespace pcl::gpu;
using namespace pcl::gpu::test;

class CustomType : public DeviceTest {};

TEST_P(CustomType, IsCast)
{
  PolygonMeshRayCaster<SurfaceWithConfidence> ray_caster;
  ray_caster.setInputMesh(squareAt(1.0f));
  ray_caster.setCamera(PinholeCamera::fromFieldOfView(1.0f, 31, 21));
  pcl::PointCloud<SurfaceWithConfidence> cloud;
  ray_caster.cast(cloud);
  ASSERT_EQ(cloud.size(), 651u);
  EXPECT_NEAR(cloud(15, 10).z, 1.0f, 1e-6f);
  EXPECT_NEAR(cloud(15, 10).normal_z, -1.0f, 1e-6f);
}

TEST_P(CustomType, IsAPartialView)
{
  RenderViewsTesselatedSphere<SurfaceWithConfidence> renderer;
  renderer.setInputMesh(cube(1.0f));
  renderer.setTesselationLevel(0);
  renderer.setResolution(20);
  renderer.generateViews();
  RenderViewsTesselatedSphere<SurfaceWithConfidence>::Views views;
  renderer.getViews(views);
  ASSERT_EQ(views.size(), 20u);
  for (const auto& view : views)
    EXPECT_GT(view->size(), 20u);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CustomType);

} // namespace
