// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief The parameters of an algorithm: a part of the device classes.
 *
 * Parameters take effect at the next call. A copy of an algorithm has its parameters.
 *
 * \tparam Parameters a struct with defaults and a validate() that throws
 * \ingroup gpu_utils
 */
template <typename Parameters>
class Parameterized {
public:
  /** \brief Sets the parameters.
   * \param[in] parameters anything that their validate() accepts
   * \throws pcl::BadArgumentException that names the first parameter that is wrong, and
   * its value; the parameters then stay as they were
   */
  void
  setParameters(const Parameters& parameters)
  {
    parameters.validate();
    parameters_ = parameters;
  }

  /** \return the parameters, as they were set */
  const Parameters&
  getParameters() const
  {
    return parameters_;
  }

protected:
  Parameters parameters_; ///< that are in force
};

/** \brief Sets one parameter of an algorithm; the others stay.
 * \param[in,out] algorithm has setParameters() and getParameters()
 * \param[in] parameter its member, such as &MeshRayCasterParameters::culling
 * \param[in] value of the parameter
 * \throws pcl::BadArgumentException as setParameters()
 */
template <typename Algorithm, typename Parameters, typename Member, typename Value>
void
setParameter(Algorithm& algorithm, Member Parameters::*parameter, const Value& value)
{
  Parameters changed = algorithm.getParameters();
  changed.*parameter = value;
  algorithm.setParameters(changed);
}

} // namespace pcl::gpu
