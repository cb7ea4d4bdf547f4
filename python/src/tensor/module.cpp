// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor/module.h"

#include "common/errors.h"

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

void
report(const nb::object& progress, int done, int all)
{
  const nb::gil_scoped_acquire lock;
  if (!progress.is_none())
    progress(done, all);
  checkSignals();
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
