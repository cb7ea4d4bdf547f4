// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_view_registration.h>
#include <pcl/registration/registration.h>

#include <limits>
#include <memory>
#include <optional>

namespace pcl::gpu {

/** \brief Registers two clouds without an initial guess: a pcl::Registration that can
 * replace pcl::SampleConsensusPrerejective and its features.
 *
 * \code
 * pcl::gpu::TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration;
 * registration.setInputSource(source);
 * registration.setInputTarget(target);
 * registration.align(aligned);
 * if (registration.hasConverged())
 *   std::cout << registration.getFinalTransformation();
 * \endcode
 *
 * Source and target are the points that a camera or scanner saw from one place,
 * organized or not, or clouds that were joined from several views.
 * TensorViewRegistration::addView() says which of these a cloud is, and does the work
 * on the calling thread's current device. Normals are not needed.
 *
 * hasConverged() is true if the clouds were found to lie on each other, with little
 * that speaks against it; else the transformation is the identity. The guess of align()
 * is not needed, and not used. setIndices() keeps some of the source's points only.
 * Correspondence estimation, rejectors and convergence criteria of the base class have
 * no meaning here.
 *
 * \tparam PointSource a type with x, y and z
 * \tparam PointTarget a type with x, y and z
 * \ingroup gpu_tensor
 */
template <typename PointSource, typename PointTarget>
class TensorRegistration : public Registration<PointSource, PointTarget> {
public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<TensorRegistration<PointSource, PointTarget>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const TensorRegistration<PointSource, PointTarget>>;
  /** \brief Cloud that is registered. */
  using PointCloudSource =
      typename Registration<PointSource, PointTarget>::PointCloudSource;
  /** \brief Cloud that it is registered with. */
  using PointCloudTarget =
      typename Registration<PointSource, PointTarget>::PointCloudTarget;
  /** \brief A homogeneous transform. */
  using Matrix4 = typename Registration<PointSource, PointTarget>::Matrix4;

  /** \brief Makes a registration without clouds. */
  TensorRegistration() { reg_name_ = "TensorRegistration"; }

  /** \return the settings: resolution, number of tensors, least overlap. Views are set
   * by align() */
  TensorViewRegistration&
  viewRegistration()
  {
    return views_;
  }

  /** \brief Returns the last align()'s judgement of its result.
   * \return the alignment; nothing if it did not converge
   */
  const std::optional<ViewAlignment>&
  getViewAlignment() const
  {
    return alignment_;
  }

  /** \brief Computes the mean squared distance from the source's points, as the last
   * align() moved them, to the nearest of the target's. Unlike that of the base class
   * it takes clouds with missing points, as organized ones are.
   * \param[in] max_range points whose squared distance is larger do not count
   * \return square metres; the largest double if no point counts
   */
  double
  getFitnessScore(double max_range = std::numeric_limits<double>::max());

protected:
  /** \brief Finds the transformation.
   * \param[out] output the source in the target's frame
   * \param[in] guess not used
   * \throws pcl::BadArgumentException as TensorViewRegistration::addView()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeTransformation(PointCloudSource& output, const Matrix4& guess) override;

  using Registration<PointSource, PointTarget>::reg_name_;
  using Registration<PointSource, PointTarget>::input_;
  using Registration<PointSource, PointTarget>::indices_;
  using Registration<PointSource, PointTarget>::target_;
  using Registration<PointSource, PointTarget>::converged_;
  using Registration<PointSource, PointTarget>::transformation_;
  using Registration<PointSource, PointTarget>::final_transformation_;
  using Registration<PointSource, PointTarget>::tree_;

private:
  TensorViewRegistration views_;
  std::optional<ViewAlignment> alignment_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/tensor/impl/tensor_registration.hpp>
#endif
