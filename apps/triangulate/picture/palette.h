// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/files/image_reader.h"
#include "../mesh_writer.h"

namespace pcl::gpu::apps {

/** \brief The depth of each pixel as a colour, near to far; grey where there is none.
 * \param[in] frame a triangulated frame
 */
ColorImage
depthPicture(const TriangulatedFrame& frame);

/** \brief The normal of each pixel as a colour; grey where there is none.
 * \param[in] frame a triangulated frame
 */
ColorImage
normalPicture(const TriangulatedFrame& frame);

/** \brief Lights up the colours of a mesh from an underexposed image.
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
