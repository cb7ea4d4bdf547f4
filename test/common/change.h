// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu::test {

/** \brief Changes some of an object's parameters.
 * \param[in,out] object has setParameters() and getParameters()
 * \param[in] change is called with its parameters
 */
template <typename Object, typename Change>
void
change(Object& object, const Change& change)
{
  auto parameters = object.getParameters();
  change(parameters);
  object.setParameters(parameters);
}

} // namespace pcl::gpu::test
