// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/algorithm.h"

#include "scenespace/module.h"

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl_gpu_python {

/** \brief An effect, and the images that it makes. */
template <typename Effect>
struct WithImages : Effect {
  Reused<pcl::gpu::SceneImage> images;
};

/** \brief Binds an effect. */
template <typename Effect, typename Parameters>
void
bindEffect(nb::module_& module, const char* name, const char* doc)
{
  using Bound = WithImages<Effect>;
  nb::class_<Bound, pcl::gpu::SceneSpaceEffect> effect(module, name, doc);
  defineParameters<Bound, Parameters>(effect);
  effect.def(
      "compute",
      [](Bound& self, Store& frames, int number) {
        const auto& image = self.images.next();
        const pcl::gpu::Stream stream = currentStream();
        {
          const nb::gil_scoped_release release;
          const pcl::gpu::ScopedDevice scope(frames.device);
          self.compute(*frames, number, *image, stream);
        }
        return image;
      },
      nb::arg("frames"),
      nb::arg("number"),
      "Makes an output frame from those of a store, on the store's device.");
  effect.def("__copy__", [](const Bound& self) {
    Bound copy;
    copy.setParameters(self.getParameters());
    return copy;
  });
}

} // namespace pcl_gpu_python
