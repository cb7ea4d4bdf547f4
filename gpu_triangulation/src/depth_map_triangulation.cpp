// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

namespace pcl::gpu {

DepthBilateralFilter&
DepthMapTriangulation::filter()
{
  return filter_;
}

DepthMapProjection&
DepthMapTriangulation::projection()
{
  return projection_;
}

const DepthMapProjection&
DepthMapTriangulation::projection() const
{
  return projection_;
}

NormalMapEstimation&
DepthMapTriangulation::normalEstimation()
{
  return normal_estimation_;
}

CloudResolution&
DepthMapTriangulation::resolution()
{
  return resolution_;
}

OrganizedTriangulation&
DepthMapTriangulation::triangulation()
{
  return triangulation_;
}

void
DepthMapTriangulation::setFilterEnabled(bool enabled)
{
  filter_enabled_ = enabled;
}

template <typename Depth>
void
DepthMapTriangulation::run(const Depth& depth, float scale, const Stream& stream)
{
  const Stage stage("depth", depth);
  checkCamera("camera", projection_.getCamera(), depth);
  createOn(stage.device(), filtered_depth_, depth.rows(), depth.cols());
  // What is sampled is projected by itself.
  const bool samples = projection_.getSamplingStep() > 1;
  if (!samples)
    createOn(stage.device(), cloud_, depth.rows(), depth.cols());
  if (!depth.empty()) {
    const device::FilterParameters parameters = filterParameters(filter_);
    const device::Intrinsics camera = intrinsicsOf(projection_.getCamera());
    stage.driver().filterAndProject(depthInput(depth, scale),
                                    filter_enabled_ ? &parameters : nullptr,
                                    outputView<float>(filtered_depth_),
                                    samples ? nullptr : &camera,
                                    samples ? PtrStep<device::Float4>()
                                            : outputView<device::Float4>(cloud_),
                                    stream.get());
  }
  if (samples)
    projection_.compute(filtered_depth_, cloud_, stream);
  normal_estimation_.compute(cloud_, normals_, stream);
  resolution_.compute(cloud_, normals_, statistics_, stream);
  triangulation_.compute(cloud_, normals_, statistics_, mesh_, stream);
}

void
DepthMapTriangulation::compute(const RawDepthMap& depth,
                               float scale,
                               const Stream& stream)
{
  checkPositive("depth scale", scale);
  run(depth, scale, stream);
}

void
DepthMapTriangulation::compute(const DepthMap& depth, const Stream& stream)
{
  run(depth, 1.0f, stream);
}

const DepthMap&
DepthMapTriangulation::filteredDepth() const
{
  return filtered_depth_;
}

const OrganizedCloud&
DepthMapTriangulation::cloud() const
{
  return cloud_;
}

const NormalMap&
DepthMapTriangulation::normals() const
{
  return normals_;
}

const DeviceArray<ResolutionStatistics>&
DepthMapTriangulation::statistics() const
{
  return statistics_;
}

const OrganizedMesh&
DepthMapTriangulation::mesh() const
{
  return mesh_;
}

} // namespace pcl::gpu
