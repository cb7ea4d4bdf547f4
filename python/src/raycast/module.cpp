// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "raycast/module.h"

namespace pcl_gpu_python {

NB_MODULE(raycast, module)
{
  nb::module_::import_("pcl_gpu.utils");
  module.doc() = "Rays at meshes that deform, and pictures of them.";
  bindScenes(module);
  bindCasting(module);
  bindRendering(module);
  bindPartialViews(module);
  bindRaycastingScene(module);
}

} // namespace pcl_gpu_python
