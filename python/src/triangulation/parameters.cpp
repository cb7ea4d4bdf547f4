// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

#include "triangulation/module.h"

#include "triangulation_doc.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

void
bindParameters(nb::module_& module)
{
  ParametersBinding<ColorRegistrationParameters>(
      module, "ColorRegistrationParameters", DOC(pcl, gpu, ColorRegistrationParameters))
      .PCL_GPU_FIELD(ColorRegistrationParameters, depth_camera)
      .PCL_GPU_FIELD(ColorRegistrationParameters, color_camera)
      .PCL_GPU_FIELD(ColorRegistrationParameters, color_camera_pose)
      .PCL_GPU_FIELD(ColorRegistrationParameters, occlusion_tolerance)
      .finish();
  ParametersBinding<KinectDisparityConverterParameters>(
      module,
      "KinectDisparityConverterParameters",
      DOC(pcl, gpu, KinectDisparityConverterParameters))
      .PCL_GPU_FIELD(KinectDisparityConverterParameters, baseline)
      .PCL_GPU_FIELD(KinectDisparityConverterParameters, focal_length)
      .PCL_GPU_FIELD(KinectDisparityConverterParameters, disparity_offset)
      .finish();
  ParametersBinding<FlyingPixelRemovalParameters>(
      module,
      "FlyingPixelRemovalParameters",
      DOC(pcl, gpu, FlyingPixelRemovalParameters))
      .PCL_GPU_FIELD(FlyingPixelRemovalParameters, tolerance)
      .PCL_GPU_FIELD(FlyingPixelRemovalParameters, tolerance_growth)
      .finish();
  ParametersBinding<DepthBilateralFilterParameters>(
      module,
      "DepthBilateralFilterParameters",
      DOC(pcl, gpu, DepthBilateralFilterParameters))
      .PCL_GPU_FIELD(DepthBilateralFilterParameters, sigma_s)
      .PCL_GPU_FIELD(DepthBilateralFilterParameters, sigma_r)
      .PCL_GPU_FIELD(DepthBilateralFilterParameters, sigma_r_growth)
      .PCL_GPU_FIELD(DepthBilateralFilterParameters, window_radius)
      .finish();
  ParametersBinding<DepthMapProjectionParameters>(
      module,
      "DepthMapProjectionParameters",
      DOC(pcl, gpu, DepthMapProjectionParameters))
      .PCL_GPU_FIELD(DepthMapProjectionParameters, camera)
      .PCL_GPU_FIELD(DepthMapProjectionParameters, sampling_step)
      .finish()
      .def("cloud_camera",
           &DepthMapProjectionParameters::cloudCamera,
           DOC(pcl, gpu, DepthMapProjectionParameters, cloudCamera));
  nb::enum_<NormalEstimationMethod>(
      module, "NormalEstimationMethod", DOC(pcl, gpu, NormalEstimationMethod))
      .value("ADAPTIVE_WINDOWS",
             NormalEstimationMethod::ADAPTIVE_WINDOWS,
             DOC(pcl, gpu, NormalEstimationMethod, ADAPTIVE_WINDOWS))
      .value("COVARIANCE_MATRIX",
             NormalEstimationMethod::COVARIANCE_MATRIX,
             DOC(pcl, gpu, NormalEstimationMethod, COVARIANCE_MATRIX));
  ParametersBinding<NormalMapEstimationParameters>(
      module,
      "NormalMapEstimationParameters",
      DOC(pcl, gpu, NormalMapEstimationParameters))
      .PCL_GPU_FIELD(NormalMapEstimationParameters, method)
      .PCL_GPU_FIELD(NormalMapEstimationParameters, window_radius)
      .PCL_GPU_FIELD(NormalMapEstimationParameters, max_depth_change_factor)
      .PCL_GPU_FIELD(NormalMapEstimationParameters, viewpoint)
      .finish();
  ParametersBinding<CloudResolutionParameters>(
      module, "CloudResolutionParameters", DOC(pcl, gpu, CloudResolutionParameters))
      .PCL_GPU_FIELD(CloudResolutionParameters, neighbors)
      .PCL_GPU_FIELD(CloudResolutionParameters, row_step)
      .PCL_GPU_FIELD(CloudResolutionParameters, column_step)
      .PCL_GPU_FIELD(CloudResolutionParameters, viewpoint)
      .finish();
  ParametersBinding<OrganizedTriangulationParameters>(
      module,
      "OrganizedTriangulationParameters",
      DOC(pcl, gpu, OrganizedTriangulationParameters))
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, cut)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, row_step)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, column_step)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, angle_tolerance)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, distance_tolerance)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, distance_tolerance_grows)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, depth_as_distance)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, dynamic_edge_length)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, edge_length_deviations)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, least_edge_length_ratio)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, max_edge_length)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, max_edge_length_linear)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, max_edge_length_squared)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, dynamic_normal_angle)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, normal_angle_deviations)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, least_normal_angle)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, max_normal_angle)
      .PCL_GPU_FIELD(OrganizedTriangulationParameters, viewpoint)
      .finish();
  ParametersBinding<DepthMapTriangulationParameters>(
      module,
      "DepthMapTriangulationParameters",
      DOC(pcl, gpu, DepthMapTriangulationParameters))
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, remove_flying_pixels)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, flying_pixels)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, filter_enabled)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, filter)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, projection)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, normals)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, resolution)
      .PCL_GPU_FIELD(DepthMapTriangulationParameters, mesh)
      .finish();
}

} // namespace pcl_gpu_python
