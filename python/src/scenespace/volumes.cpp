// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/gathering/query_volume.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Shape = QueryVolume::Shape;

/** \brief Makes the volume of a pickle. */
QueryVolume
volumeOf(Shape shape,
         const QueryFrustum& frustum,
         const std::vector<HalfSpace>& half_spaces,
         float radius)
{
  switch (shape) {
  case Shape::Polyhedron:
    return QueryVolume::polyhedron(half_spaces);
  case Shape::Sphere:
    return QueryVolume::sphere(radius);
  default:
    return QueryVolume::frustum(frustum);
  }
}

std::string
textOf(nb::handle self)
{
  const QueryVolume& volume = nb::cast<const QueryVolume&>(self);
  const auto text = [](nb::object value) {
    return nb::cast<std::string>(nb::repr(value));
  };
  switch (volume.getShape()) {
  case Shape::Polyhedron:
    return "QueryVolume.polyhedron(" + text(nb::cast(volume.getHalfSpaces())) + ")";
  case Shape::Sphere:
    return "QueryVolume.sphere(" + text(nb::cast(volume.getRadius())) + ")";
  default:
    return "QueryVolume.frustum(" + text(nb::cast(volume.getFrustum())) + ")";
  }
}

nb::tuple
stateOf(const QueryVolume& volume)
{
  return nb::make_tuple(volume.getShape(),
                        volume.getFrustum(),
                        volume.getHalfSpaces(),
                        volume.getRadius());
}

} // namespace

void
bindVolumes(nb::module_& module)
{
  ParametersBinding<QueryFrustum>(module, "QueryFrustum", DOC(pcl, gpu, QueryFrustum))
      .PCL_GPU_FIELD(QueryFrustum, width)
      .PCL_GPU_FIELD(QueryFrustum, near_depth)
      .PCL_GPU_FIELD(QueryFrustum, far_depth)
      .finish()
      .def("validate", &QueryFrustum::validate, DOC(pcl, gpu, QueryFrustum, validate));
  ParametersBinding<HalfSpace>(module, "HalfSpace", DOC(pcl, gpu, HalfSpace))
      .PCL_GPU_FIELD(HalfSpace, normal)
      .PCL_GPU_FIELD(HalfSpace, distance)
      .finish();
  nb::class_<QueryVolume> volume(module, "QueryVolume", DOC(pcl, gpu, QueryVolume));
  nb::enum_<Shape>(volume, "Shape", DOC(pcl, gpu, QueryVolume, Shape))
      .value("FRUSTUM", Shape::Frustum, DOC(pcl, gpu, QueryVolume, Shape, Frustum))
      .value("POLYHEDRON",
             Shape::Polyhedron,
             DOC(pcl, gpu, QueryVolume, Shape, Polyhedron))
      .value("SPHERE", Shape::Sphere, DOC(pcl, gpu, QueryVolume, Shape, Sphere));
  volume.attr("MAX_HALF_SPACES") = static_cast<int>(QueryVolume::max_half_spaces);
  volume.def(nb::init<>(), DOC(pcl, gpu, QueryVolume, QueryVolume))
      .def_static("frustum",
                  &QueryVolume::frustum,
                  nb::arg("frustum"),
                  DOC(pcl, gpu, QueryVolume, frustum))
      .def_static(
          "box",
          [](const MatrixArgument<Eigen::Vector3f>& half_size) {
            return QueryVolume::box(half_size);
          },
          nb::arg("half_size"),
          DOC(pcl, gpu, QueryVolume, box))
      .def_static("sphere",
                  &QueryVolume::sphere,
                  nb::arg("radius"),
                  DOC(pcl, gpu, QueryVolume, sphere))
      .def_static("polyhedron",
                  &QueryVolume::polyhedron,
                  nb::arg("half_spaces"),
                  DOC(pcl, gpu, QueryVolume, polyhedron))
      .def_prop_ro(
          "shape", &QueryVolume::getShape, DOC(pcl, gpu, QueryVolume, getShape))
      .def_prop_ro(
          "query_frustum",
          [](const QueryVolume& self) { return self.getFrustum(); },
          DOC(pcl, gpu, QueryVolume, getFrustum))
      .def_prop_ro(
          "half_spaces",
          [](const QueryVolume& self) { return self.getHalfSpaces(); },
          DOC(pcl, gpu, QueryVolume, getHalfSpaces))
      .def_prop_ro(
          "radius", &QueryVolume::getRadius, DOC(pcl, gpu, QueryVolume, getRadius))
      .def("__repr__", &textOf)
      .def(
          "__eq__",
          [](nb::handle self, nb::handle other) {
            return nb::isinstance<QueryVolume>(other) && textOf(self) == textOf(other);
          },
          nb::arg("other").none())
      .def("__getstate__",
           &stateOf,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](QueryVolume& self, const nb::tuple& state) {
            new (&self) QueryVolume(volumeOf(nb::cast<Shape>(state[0]),
                                             nb::cast<QueryFrustum>(state[1]),
                                             nb::cast<std::vector<HalfSpace>>(state[2]),
                                             nb::cast<float>(state[3])));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
}

} // namespace pcl_gpu_python
