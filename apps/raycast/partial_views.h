// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "mesh_reader.h"
#include "options.h"

namespace pcl::gpu::apps {

/** \brief Numbers of views. Other processes may have made some. */
struct ViewCount {
  int made;
  int all;
};

/** \brief Makes and writes the partial views of one mesh.
 * \param[in] options the user's options
 * \param[in] mesh the mesh
 * \param[in,out] timings receives the times of the stages
 * \return the number of views that were made, and of all
 * \throws InputError, std::runtime_error if a file cannot be written
 */
ViewCount
writePartialViews(const RaycastOptions& options,
                  const InputMesh& mesh,
                  Timings& timings);

} // namespace pcl::gpu::apps
