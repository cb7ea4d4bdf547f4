// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"

#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/triangulation/types.h>

#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <string>

namespace pcl_gpu_python {

/** \brief Calls a function with a depth map of raw units and its scale, or of metres.
 */
template <typename Function>
void
withDepth(const ArrayArgument& depth,
          const std::optional<float>& scale,
          const Function& function)
{
  const ArrayView view = viewOf(depth, "depth");
  if (hasNumbers<std::uint16_t>(view)) {
    if (!scale)
      throw nb::value_error(
          "scale is None: expected metres for one unit of a depth map "
          "of uint16, such as 0.001");
    const auto raw = imageFrom<std::uint16_t>(view, "depth");
    const nb::gil_scoped_release release;
    function(*raw, *scale);
    return;
  }
  if (scale)
    throw nb::value_error(("scale is " + std::to_string(*scale) +
                           ": expected None for a depth map of metres (float32)")
                              .c_str());
  const auto metres = imageFrom<float>(view, "depth");
  const nb::gil_scoped_release release;
  function(*metres);
}

/** \brief Returns the polygons of a mesh to Python. Waits for their number.
 * \param[in] owner of the mesh's memory; null to share it
 */
ArrayResult<int>
facesOf(const pcl::gpu::OrganizedMesh& mesh, std::shared_ptr<void> owner);

void
bindParameters(nb::module_& module);

void
bindStages(nb::module_& module);

void
bindDepthMapTriangulation(nb::module_& module);

} // namespace pcl_gpu_python
