// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "mesh_writer.h"

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace pcl::gpu::apps {

/** \brief A mesh as VTK draws and writes it, with "Normals" and, if it has any, "RGB".
 * \param[in] mesh the mesh
 */
vtkSmartPointer<vtkPolyData>
polyData(const CompactMesh& mesh);

} // namespace pcl::gpu::apps
