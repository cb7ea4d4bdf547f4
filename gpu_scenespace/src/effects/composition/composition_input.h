// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/composition.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/scenespace/scene_space_average.h>
#include <pcl/gpu/utils/stream.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Has depth be missing except where a mask has a value.
 * \param[in] depth,mask of one size, on one device, which is current
 * \param[in] kept the value: that of the background, or that of objects
 * \param[out] masked created there
 */
void
maskDepth(const DeviceArray2D<float>& depth,
          const DeviceArray2D<std::uint8_t>& mask,
          std::uint8_t kept,
          DeviceArray2D<float>& masked,
          const Stream& stream);

/** \brief Has depth be missing beside what is nearer.
 * \param[in] depth on a device, which is current
 * \param[in] margin how far beside, pixels
 * \param[out] kept created there, another array
 */
void
dropEdges(const DeviceArray2D<float>& depth,
          int margin,
          DeviceArray2D<float>& kept,
          const Stream& stream);

/** \brief Makes up the colours of pixels that show nothing.
 * \param[in] image on the current device
 * \param[in] reach how far away colours are taken from, pixels
 * \param[out] filled created there; transparent where colours are made up
 */
void
fillHoles(const SceneImage& image,
          int reach,
          DeviceArray2D<RGB>& filled,
          const Stream& stream);

} // namespace pcl::gpu
