// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/convex_polyhedron.h"

#include <pcl/gpu/scenespace/gathering/query_volume.h>
#include <pcl/gpu/utils/argument_checks.h>

namespace pcl::gpu {

QueryVolume
QueryVolume::frustum(const QueryFrustum& frustum)
{
  frustum.validate();
  QueryVolume volume;
  volume.frustum_ = frustum;
  return volume;
}

QueryVolume
QueryVolume::box(const Eigen::Vector3f& half_size)
{
  checkPositive("half width of a box", half_size.x());
  checkPositive("half height of a box", half_size.y());
  checkPositive("half depth of a box", half_size.z());
  return polyhedron(boxHalfSpaces(half_size));
}

QueryVolume
QueryVolume::sphere(float radius)
{
  checkPositive("radius of a sphere", radius);
  QueryVolume volume;
  volume.shape_ = Shape::Sphere;
  volume.radius_ = radius;
  return volume;
}

QueryVolume
QueryVolume::polyhedron(const std::vector<HalfSpace>& half_spaces)
{
  polyhedronAround(half_spaces); // throws where there is none
  QueryVolume volume;
  volume.shape_ = Shape::Polyhedron;
  volume.half_spaces_ = half_spaces;
  return volume;
}

QueryVolume::Shape
QueryVolume::getShape() const
{
  return shape_;
}

} // namespace pcl::gpu
