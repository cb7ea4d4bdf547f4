// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/material.h>
#include <pcl/gpu/utils/argument_checks.h>

namespace pcl::gpu {

namespace {

void
checkPart(const char* name, float value)
{
  checkArgument(value >= 0.0f && value <= 1.0f, name, value, "0 to 1");
}

} // namespace

void
Material::validate() const
{
  checkArgument(diffuse.allFinite() && diffuse.minCoeff() >= 0.0f &&
                    diffuse.maxCoeff() <= 1.0f,
                "diffuse color",
                diffuse.transpose(),
                "numbers from 0 to 1");
  checkPart("specular strength", specular);
  checkArgument(shininess >= 1 && shininess <= max_shininess,
                "shininess",
                shininess,
                "1 to 4096");
  checkPart("reflectivity", reflectivity);
  checkPart("transparency", transparency);
  checkArgument(refractive_index >= 0.1f && refractive_index <= 10.0f,
                "refractive index",
                refractive_index,
                "0.1 to 10");
}

} // namespace pcl::gpu
