// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"
#include "common/path.h"

#include "tensor/module.h"
#include "tensor/table.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

void
bindTable(nb::module_& module)
{
  nb::class_<HeldTable> table(module, "TensorTable", DOC(pcl, gpu, TensorTable));
  defineParameters<HeldTable, TensorTableParameters>(table);
  table
      .def(
          "build",
          [](HeldTable& self, const HeldTensors& tensors, const ArrayArgument& labels) {
            const auto list = listFrom<int>(labels, "labels");
            self.stream = currentStream();
            const nb::gil_scoped_release release;
            self.build(tensors.tensors, *list, self.stream);
          },
          nb::arg("tensors"),
          nb::arg("labels"),
          DOC(pcl, gpu, TensorTable, build))
      .def("__len__", [](const HeldTable& self) { return self.size(); })
      .def_prop_ro(
          "used_bin_width",
          [](const HeldTable& self) { return self.usedBinWidth(); },
          DOC(pcl, gpu, TensorTable, usedBinWidth))
      .def_prop_ro(
          "tensors",
          [](const HeldTable& self) {
            return HeldTensors{self.TensorTable::tensors(), self.stream};
          },
          DOC(pcl, gpu, TensorTable, tensors))
      .def_prop_ro(
          "labels",
          [](const HeldTable& self) { return toPython(self.TensorTable::labels()); },
          DOC(pcl, gpu, TensorTable, labels))
      .def_prop_ro(
          "former_places",
          [](const HeldTable& self) { return toPython(self.formerPlaces()); },
          DOC(pcl, gpu, TensorTable, formerPlaces))
      .def_prop_ro(
          "bin_starts",
          [](const HeldTable& self) { return toPython(self.binStarts()); },
          DOC(pcl, gpu, TensorTable, binStarts))
      .def_prop_ro(
          "occupancy",
          [](const HeldTable& self) { return toPython(self.TensorTable::occupancy()); },
          DOC(pcl, gpu, TensorTable, occupancy))
      .def_static("get_occupancy_words",
                  &TensorTable::getOccupancyWords,
                  nb::arg("grid_size"),
                  DOC(pcl, gpu, TensorTable, getOccupancyWords));
}

void
addModelMethods(nb::class_<TensorLibrary>& library)
{
  library
      .def(
          "add_model",
          [](TensorLibrary& self, const HeldModel& model) {
            const nb::gil_scoped_release release;
            return self.addModel(*model.model);
          },
          nb::arg("model"),
          DOC(pcl, gpu, TensorLibrary, addModel))
      .def("remove_model",
           &TensorLibrary::removeModel,
           nb::arg("model"),
           DOC(pcl, gpu, TensorLibrary, removeModel))
      .def("clear", &TensorLibrary::clear, DOC(pcl, gpu, TensorLibrary, clear))
      .def("find_model",
           &TensorLibrary::findModel,
           nb::arg("name"),
           DOC(pcl, gpu, TensorLibrary, findModel))
      .def("__len__", &TensorLibrary::size)
      .def(
          "get_model",
          [](const TensorLibrary& self, int model) {
            return HeldModel{std::make_shared<TensorModel>(self.getModel(model))};
          },
          nb::arg("model"),
          "Returns a copy of a model.")
      .def_prop_ro(
          "names",
          [](const TensorLibrary& self) {
            std::vector<std::string> names;
            for (int i = 0; i < self.size(); ++i)
              names.push_back(self.getModel(i).name);
            return names;
          },
          "Names of the models, in their order.")
      .def_prop_ro("tensor_count",
                   &TensorLibrary::getTensorCount,
                   DOC(pcl, gpu, TensorLibrary, getTensorCount));
}

void
bindTensorLibrary(nb::module_& module)
{
  nb::class_<TensorPlace>(module, "TensorPlace", DOC(pcl, gpu, TensorPlace))
      .def_ro("model", &TensorPlace::model, DOC(pcl, gpu, TensorPlace, model))
      .def_ro("tensor", &TensorPlace::tensor, DOC(pcl, gpu, TensorPlace, tensor))
      .def("__repr__", [](const TensorPlace& self) {
        return "TensorPlace(model=" + std::to_string(self.model) +
               ", tensor=" + std::to_string(self.tensor) + ")";
      });
  nb::class_<TensorLibrary> library(
      module, "TensorLibrary", DOC(pcl, gpu, TensorLibrary));
  defineParameters<TensorLibrary, TensorParameters>(library);
  addModelMethods(library);
  library
      .def("set_table_parameters",
           &TensorLibrary::setTableParameters,
           nb::arg("parameters"),
           DOC(pcl, gpu, TensorLibrary, setTableParameters))
      .def(
          "get_table_parameters",
          [](const TensorLibrary& self) {
            return TensorTableParameters(self.getTableParameters());
          },
          DOC(pcl, gpu, TensorLibrary, getTableParameters))
      .def(
          "table",
          [](TensorLibrary& self) {
            HeldTable table;
            table.stream = currentStream();
            const nb::gil_scoped_release release;
            static_cast<TensorTable&>(table) = self.table(table.stream);
            return table;
          },
          DOC(pcl, gpu, TensorLibrary, table))
      .def("get_place",
           &TensorLibrary::getPlace,
           nb::arg("entry"),
           DOC(pcl, gpu, TensorLibrary, getPlace))
      .def(
          "save",
          [](const TensorLibrary& self, const PathArgument& path) {
            const nb::gil_scoped_release release;
            self.save(path.string());
          },
          nb::arg("path"),
          DOC(pcl, gpu, TensorLibrary, save))
      .def(
          "load",
          [](TensorLibrary& self, const PathArgument& path) {
            const nb::gil_scoped_release release;
            self.load(path.string());
          },
          nb::arg("path"),
          DOC(pcl, gpu, TensorLibrary, load));
}

} // namespace

void
bindLibrary(nb::module_& module)
{
  bindTable(module);
  bindTensorLibrary(module);
}

} // namespace pcl_gpu_python
