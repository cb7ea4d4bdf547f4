// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "mesh_reader.h"
#include "options.h"

namespace pcl::gpu::apps {

/** \brief Makes and writes the partial views of one mesh.
 * \param[in] options the user's options
 * \param[in] mesh the mesh
 * \param[in,out] timings receives the times of the stages
 * \return the number of views
 * \throws InputError, std::runtime_error if a file cannot be written
 */
std::size_t
writePartialViews(const RaycastOptions& options,
                  const InputMesh& mesh,
                  Timings& timings);

} // namespace pcl::gpu::apps
