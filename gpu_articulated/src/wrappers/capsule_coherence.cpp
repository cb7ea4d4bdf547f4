// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/impl/capsule_coherence.hpp>
#include <pcl/impl/instantiate.hpp>

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE(GpuCapsuleCoherence,
                (pcl::PointXYZ)(pcl::PointXYZRGB)(pcl::PointXYZRGBA)(pcl::PointXYZI)(
                    pcl::PointNormal))
#endif
