// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu::test {

/** \brief Changes some parameters of an algorithm; the others stay.
 * \param[in,out] algorithm has getParameters() and setParameters()
 * \param[in] function is given the parameters
 */
template <typename Algorithm, typename Function>
void
change(Algorithm& algorithm, const Function& function)
{
  auto parameters = algorithm.getParameters();
  function(parameters);
  algorithm.setParameters(parameters);
}

} // namespace pcl::gpu::test
