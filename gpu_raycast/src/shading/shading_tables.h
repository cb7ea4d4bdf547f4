// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "shading/render.hpp"

#include <pcl/gpu/raycast/light.h>
#include <pcl/gpu/raycast/material.h>

#include <vector>

// The kernels' view of lights and materials, and their tables.

namespace pcl::gpu {

inline device::Vector3
asVector3(const Eigen::Vector3f& v)
{
  return {v.x(), v.y(), v.z()};
}

/** \brief Checks that a vector is finite and not too short to have a direction. */
void
checkDirection(const char* name, const Eigen::Vector3f& vector);

/** \brief Checks that no number of a colour is negative. */
void
checkColor(const char* name, const Eigen::Vector3f& color);

/** \brief The kernels' view of a light.
 * \param[in] shadow_side side^2 shadow rays a point; 0: no shadows
 * \param[in] soft whether shadow rays go to all of an area light
 */
device::LightSource
lightSource(const Light& light, int shadow_side, bool soft);

/** \brief The kernels' view of a material. */
device::Material
surfaceMaterial(const Material& material);

/** \brief sRGB to light and back: the light of each of the 256 values of a channel,
 * then for each value but the first the light from which on it is the nearest. */
const std::vector<float>&
srgbTable();

} // namespace pcl::gpu
