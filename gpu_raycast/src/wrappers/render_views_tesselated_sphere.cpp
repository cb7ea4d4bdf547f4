// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/impl/render_views_tesselated_sphere.hpp>
#include <pcl/impl/instantiate.hpp>

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE(GpuRenderViewsTesselatedSphere,
                (pcl::PointXYZ)(pcl::PointXYZI)(pcl::PointXYZRGB)(pcl::PointXYZRGBA)(
                    pcl::PointNormal)(pcl::PointXYZINormal)(pcl::PointXYZRGBNormal))
#endif
