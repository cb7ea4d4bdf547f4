// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor/module.h"

namespace pcl_gpu_python {

using namespace pcl::gpu;

DeviceArray<ResolutionStatistics>
statisticsOn(const Device& device, const ResolutionStatistics* statistics)
{
  DeviceArray<ResolutionStatistics> result;
  if (statistics) {
    const ScopedDevice scope(device);
    result.upload(statistics, 1);
  }
  return result;
}

Input<DeviceArray<int>>
trianglesFrom(const ArrayArgument& argument, const char* name)
{
  const ArrayView view = viewOf(argument, name);
  checkArray(view, name, nb::dtype<int>(), {any_length, 3}, -1);
  const auto numbers = static_cast<std::size_t>(3 * view.shape[0]);
  if (numbers == 0)
    return {};
  return {DeviceArray<int>(static_cast<int*>(view.data), numbers), view.owner};
}

ArrayView
hostViewOf(const ArrayArgument& argument, const char* name)
{
  ArrayView view = viewOf(argument, name);
  if (view.device.isCuda())
    throw nb::value_error((std::string(name) + ": got an array on " +
                           view.device.name() + "; expected one on the host")
                              .c_str());
  return view;
}

void
report(const nb::object& progress, int done, int all)
{
  const nb::gil_scoped_acquire lock;
  if (!progress.is_none())
    progress(done, all);
  if (PyErr_CheckSignals() != 0)
    throw nb::python_error();
}

NB_MODULE(tensor, module)
{
  nb::module_::import_("pcl_gpu.utils");
  nb::module_::import_("pcl_gpu.triangulation");
  module.doc() = "Tensors of surfaces: models, recognition and registration.";
  bindParameters(module);
  bindTensors(module);
  bindExtraction(module);
  bindModels(module);
  bindLibrary(module);
  bindRecognition(module);
  bindRegistration(module);
  bindEstimation(module);
}

} // namespace pcl_gpu_python
