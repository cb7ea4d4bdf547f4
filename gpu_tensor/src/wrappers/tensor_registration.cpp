// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/impl/tensor_registration.hpp>
#include <pcl/impl/instantiate.hpp>

#ifndef PCL_NO_PRECOMPILE
PCL_INSTANTIATE_GpuTensorRegistration(pcl::PointXYZ, pcl::PointXYZ)
    PCL_INSTANTIATE_GpuTensorRegistration(pcl::PointXYZI, pcl::PointXYZI)
        PCL_INSTANTIATE_GpuTensorRegistration(pcl::PointXYZRGB, pcl::PointXYZRGB)
            PCL_INSTANTIATE_GpuTensorRegistration(pcl::PointXYZRGBA, pcl::PointXYZRGBA)
                PCL_INSTANTIATE_GpuTensorRegistration(pcl::PointNormal,
                                                      pcl::PointNormal)
#endif
