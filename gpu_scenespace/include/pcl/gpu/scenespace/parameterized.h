// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief The parameters of an algorithm, which are checked when they are set.
 * \tparam Parameters a structure whose validate() throws if a parameter is wrong
 *
 * \ingroup gpu_scenespace
 */
template <typename Parameters>
class Parameterized {
public:
  /** \brief Sets the parameters.
   * \param[in] parameters are checked
   * \throws pcl::BadArgumentException as the validate() of the parameters
   */
  void
  setParameters(const Parameters& parameters)
  {
    parameters.validate();
    parameters_ = parameters;
  }

  /** \return the parameters */
  const Parameters&
  getParameters() const
  {
    return parameters_;
  }

protected:
  Parameters parameters_; ///< as they were set
};

} // namespace pcl::gpu
