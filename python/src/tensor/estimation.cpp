// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

#include "tensor/clouds.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/tensor_estimation.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Estimation = TensorEstimation<pcl::PointXYZ, pcl::Normal>;

/** \brief Signatures that Python holds. */
struct Signatures {
  pcl::PointCloud<TensorSignature1000> cloud;
};

/** \brief Adds a property of some numbers of every signature. */
void
addPart(nb::class_<Signatures>& signatures,
        const char* name,
        std::size_t first,
        const std::vector<std::int64_t>& shape,
        const char* doc)
{
  signatures.def_prop_ro(
      name,
      [first, shape](const std::shared_ptr<Signatures>& self) {
        std::vector<std::int64_t> lengths = shape, strides(shape.size(), 1);
        lengths.insert(lengths.begin(), static_cast<std::int64_t>(self->cloud.size()));
        strides.insert(strides.begin(), sizeof(TensorSignature1000) / sizeof(float));
        for (std::size_t i = lengths.size() - 1; i-- > 1;)
          strides[i] = strides[i + 1] * lengths[i + 1];
        return ArrayResult<float>{
            toPython(Device::host(),
                     {reinterpret_cast<char*>(self->cloud.data()) + first,
                      std::move(lengths),
                      std::move(strides),
                      nb::dtype<float>(),
                      0,
                      {},
                      self})};
      },
      doc);
}

pcl::PointCloud<pcl::Normal>::Ptr
normalsOf(const ArrayArgument& argument)
{
  const auto numbers = cloudOf(argument, "normals");
  auto normals = std::make_shared<pcl::PointCloud<pcl::Normal>>();
  normals->resize(numbers.width, numbers.height);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    (*normals)[i].getNormalVector3fMap() = numbers[i].getVector3fMap();
  return normals;
}

std::shared_ptr<Signatures>
compute(Estimation& self,
        const ArrayArgument& cloud,
        const ArrayArgument& normals,
        const ArrayArgument& indices)
{
  const auto points =
      std::make_shared<pcl::PointCloud<pcl::PointXYZ>>(cloudOf(cloud, "cloud"));
  const auto directions = normalsOf(normals);
  pcl::IndicesPtr chosen;
  if (!indices.isNone()) {
    const auto list = listFrom<int>(hostViewOf(indices, "indices"), "indices");
    chosen = std::make_shared<pcl::Indices>(list->ptr(), list->ptr() + list->size());
  }
  auto result = std::make_shared<Signatures>();
  const nb::gil_scoped_release release;
  self.setInputCloud(points);
  self.setInputNormals(directions);
  self.setIndices(chosen);
  self.compute(result->cloud);
  return result;
}

} // namespace

void
bindEstimation(nb::module_& module)
{
  nb::class_<Signatures> signatures(
      module, "TensorSignatures", "Tensors of points; NaN where a point has none.");
  signatures.def("__len__", [](const Signatures& self) { return self.cloud.size(); });
  addPart(signatures,
          "descriptors",
          offsetof(TensorSignature1000, descriptor),
          {TensorSignature1000::descriptorSize()},
          DOC(pcl, gpu, TensorSignature1000, descriptor));
  addPart(signatures,
          "axes",
          offsetof(TensorSignature1000, rf),
          {3, 3},
          "The axes x, y and z of each frame, as rows.");
  addPart(signatures,
          "origins",
          offsetof(TensorSignature1000, origin),
          {3},
          DOC(pcl, gpu, TensorSignature1000, origin));
  addPart(signatures,
          "angles",
          offsetof(TensorSignature1000, angle),
          {},
          DOC(pcl, gpu, TensorSignature1000, angle));
  nb::class_<Estimation>(module, "TensorEstimation", DOC(pcl, gpu, TensorEstimation))
      .def(nb::init<>())
      .def_prop_rw("resolution",
                   &Estimation::getResolution,
                   &Estimation::setResolution,
                   "Resolution that lengths are multiples of, metres; 0, the default, "
                   "for the cloud's.")
      .def("set_distances",
           &Estimation::setDistances,
           nb::arg("least"),
           nb::arg("most"),
           DOC(pcl, gpu, TensorEstimation, setDistances))
      .def("set_min_angle",
           &Estimation::setMinAngle,
           nb::arg("angle"),
           DOC(pcl, gpu, TensorEstimation, setMinAngle))
      .def("set_window_radius",
           &Estimation::setWindowRadius,
           nb::arg("radius"),
           DOC(pcl, gpu, TensorEstimation, setWindowRadius))
      .def("set_voxel_size_factor",
           &Estimation::setVoxelSizeFactor,
           nb::arg("factor"),
           DOC(pcl, gpu, TensorEstimation, setVoxelSizeFactor))
      .def(
          "set_voxel_size",
          [](Estimation& self, float size) { self.setVoxelSize(size); },
          nb::arg("size"),
          DOC(pcl, gpu, TensorEstimation, setVoxelSize))
      .def("set_min_area",
           &Estimation::setMinArea,
           nb::arg("area"),
           DOC(pcl, gpu, TensorEstimation, setMinArea))
      .def("set_triangles",
           &Estimation::setTriangles,
           nb::arg("triangles"),
           DOC(pcl, gpu, TensorEstimation, setTriangles))
      .def(
          "compute",
          &compute,
          nb::arg("cloud"),
          nb::arg("normals"),
          nb::arg("indices").none() = nb::none(),
          "Computes the signatures of all points of an organized cloud, or of some, on "
          "the calling thread's current device.\n\nCopies cloud and normals: images of "
          "four numbers (float32) on the host. Indices are numbers row * columns + "
          "column (int32).");
}

} // namespace pcl_gpu_python
