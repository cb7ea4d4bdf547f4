// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/files/image_reader.h"
#include "../mesh_writer.h"

namespace pcl::gpu::apps {

/** \brief Returns the depth of each pixel as a colour, near to far; grey without depth.
 * \param[in] frame a triangulated frame
 */
ColorImage
depthPicture(const TriangulatedFrame& frame);

/** \brief Returns the normal of each pixel as a colour; grey without a normal.
 * \param[in] frame a triangulated frame
 */
ColorImage
normalPicture(const TriangulatedFrame& frame);

/** \brief Brightens the colours of a mesh from an underexposed image.
 * \param[in,out] mesh a mesh with colours
 */
void
brighten(CompactMesh& mesh);

/** \brief Gives a mesh without colours soft ones that change with depth.
 * \param[in,out] mesh a mesh without colours
 */
void
colorByDepth(CompactMesh& mesh);

} // namespace pcl::gpu::apps
