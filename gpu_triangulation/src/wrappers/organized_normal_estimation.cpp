// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/triangulation/impl/organized_normal_estimation.hpp>
#include <pcl/impl/instantiate.hpp>

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE_PRODUCT(
    GpuOrganizedNormalEstimation,
    ((pcl::PointXYZ)(pcl::PointXYZRGB)(pcl::PointXYZRGBA)(pcl::PointXYZI)(
        pcl::PointNormal))(
        (pcl::Normal)(pcl::PointNormal)(pcl::PointXYZINormal)(pcl::PointXYZRGBNormal)))
#endif
