// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/scene_space_resources.h>
#include <pcl/gpu/scenespace/scene_view.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

void
bindViews(nb::module_& module)
{
  ParametersBinding<ImageRegion>(module, "ImageRegion", DOC(pcl, gpu, ImageRegion))
      .PCL_GPU_FIELD(ImageRegion, column)
      .PCL_GPU_FIELD(ImageRegion, row)
      .PCL_GPU_FIELD(ImageRegion, columns)
      .PCL_GPU_FIELD(ImageRegion, rows)
      .finish();
  ParametersBinding<SceneView>(module, "SceneView", DOC(pcl, gpu, SceneView))
      .PCL_GPU_FIELD(SceneView, camera)
      .PCL_GPU_FIELD(SceneView, pose)
      .PCL_GPU_FIELD(SceneView, time)
      .finish()
      .def("validate", &SceneView::validate, DOC(pcl, gpu, SceneView, validate));
  ParametersBinding<SceneSpaceResources>(
      module, "SceneSpaceResources", DOC(pcl, gpu, SceneSpaceResources))
      .PCL_GPU_FIELD(SceneSpaceResources, devices)
      .PCL_GPU_FIELD(SceneSpaceResources, memory)
      .PCL_GPU_FIELD(SceneSpaceResources, reading_threads)
      .PCL_GPU_FIELD(SceneSpaceResources, host_memory)
      .finish();
}

NB_MODULE(scenespace, module)
{
  nb::module_::import_("pcl_gpu.utils");
  module.doc() = "RGB-D videos: readers and writers, samples of the scene, and effects "
                 "from denoising to views from elsewhere.";
  bindViews(module);
  bindFrames(module);
  bindVideos(module);
  bindFolders(module);
  bindMasks(module);
  bindCalibration(module);
  bindStores(module);
  bindVolumes(module);
  bindSampleSets(module);
  bindGathering(module);
  bindAverages(module);
  bindImageFilters(module);
  bindEffects(module);
  bindViewEffects(module);
  bindSceneSpaceVideo(module);
}

} // namespace pcl_gpu_python
