// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "frame.h"
#include "options.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Result of one frame, in host memory. */
struct TriangulatedFrame {
  std::string name;
  PointCloud<PointXYZRGBNormal> cloud; ///< organized; NaN without a measurement
  bool has_color = false;
  std::size_t measured = 0;     ///< points that were measured
  std::vector<int> indices;     ///< polygons' vertices: pixels, row by row
  int vertices_per_polygon = 3; ///< 3 or 4
  ResolutionStatistics statistics{};

  /** \brief Returns the number of polygons of the mesh. */
  std::size_t
  polygons() const
  {
    return indices.size() / vertices_per_polygon;
  }
};

/** \brief Chain of stages on the current device, with the time of each. */
class Triangulator {
public:
  /** \brief Sets every stage's parameters.
   * \param[in] options the user's options
   * \param[in] timings receives the times of the stages
   * \throws pcl::BadArgumentException for a parameter that a stage refuses
   */
  Triangulator(const TriangulateOptions& options, Timings& timings);

  /** \brief Takes one frame through all stages.
   * \param[in] frame depth map or cloud
   */
  TriangulatedFrame
  run(const Frame& frame);

private:
  /** \brief Returns whether normals come from depth that is not filtered: a filter
   * hides the noise that adaptive windows measure. */
  bool
  needsMeasuredCloud() const;

  void
  projectDepthMap(const Frame& frame);

  /** \brief Makes the filtered depth map out of the depth map.
   * \return the depth map without flying pixels, not filtered
   */
  const DepthMap&
  cleanAndFilter();

  void
  projectCloud(const Frame& frame);

  void
  registerColor(const Frame& frame);

  TriangulatedFrame
  download(const Frame& frame);

  const TriangulateOptions& options_;
  Timings& timings_;
  Stream stream_;

  KinectDisparityConverter converter_;
  FlyingPixelRemoval flying_pixel_removal_;
  DepthBilateralFilter filter_;
  DepthMapProjection projection_;
  NormalMapEstimation normal_estimation_;
  CloudResolution resolution_;
  OrganizedTriangulation triangulation_;

  RawDepthMap raw_;
  DepthMap depth_;
  DepthMap cleaned_;
  DepthMap filtered_;
  ColorMap colors_;
  OrganizedCloud cloud_;
  OrganizedCloud measured_cloud_; ///< not filtered
  NormalMap normals_;
  DeviceArray<ResolutionStatistics> statistics_;
  OrganizedMesh mesh_;
};

} // namespace pcl::gpu::apps
