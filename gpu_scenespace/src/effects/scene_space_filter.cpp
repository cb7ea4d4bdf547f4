// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/impl/scene_space_filter.hpp>
#include <pcl/impl/instantiate.hpp>

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE(GpuSceneSpaceFilter, (pcl::PointXYZRGB)(pcl::PointXYZRGBA))
#endif
