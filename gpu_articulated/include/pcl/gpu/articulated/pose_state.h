// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/memory.h>
#include <pcl/pcl_exports.h>
#include <pcl/pcl_macros.h>
#include <pcl/point_types.h>
#include <pcl/register_point_struct.h>

#include <Eigen/Geometry>

#include <iosfwd>
#include <vector>

namespace pcl::gpu {

/** \brief The pose of a skeleton as a point type: the StateT of PCL's tracking classes.
 *
 * It has all that pcl::tracking::ParticleFilterTracker asks of a state. Its dimensions,
 * for sample() and operator[], are the position (0 to 2), a rotation vector (3 to 5)
 * and the angles (from 6 on). Orientations are averaged among rotations and angles on
 * the circle: the mean of 179 and -179 degrees is 180.
 *
 * States are added as displacements: positions and angles are summed, the orientation
 * of b turns that of a in the world's frame. (a + (b - a)) is b.
 *
 * For PCL's sums of weighted states, state * weight is a share of a state, and the sum
 * of shares is their mean with the total weight. So ParticleFilterTracker::update() of
 * PCL 1.13, which has no weightedAverage(), averages poses correctly.
 *
 * Members are all initialized; the size is fixed, so that clouds of states can be
 * copied, saved and sent like any other.
 * \ingroup gpu_articulated
 */
struct EIGEN_ALIGN16 PCL_EXPORTS PoseState {
  PCL_ADD_POINT4D; // position of the root joint in the world, metres

  /** \brief The most angles that a state holds. */
  static constexpr int max_angles = 120;

  float orientation[4];     ///< of the root joint: a unit quaternion w, x, y, z
  float angles[max_angles]; ///< of all joints, radians; 0 from angle_count on
  int angle_count;          ///< number of the angles
  float weight;             ///< of the particle
  float share;              ///< above 0 for the product of a state and a weight

  /** \brief Makes a state at the origin, not turned, without angles; its weight is
   * 0. */
  PoseState();

  /** \brief Takes a row of Skeleton::poseSize() numbers. See Skeleton.
   * \param[in] pose the orientation's length may be any but 0
   * \return the state
   * \throws pcl::BadArgumentException if there are less than 7 numbers or more than
   * max_angles angles
   */
  static PoseState
  fromPose(const std::vector<float>& pose);

  /** \return the row of numbers of a Skeleton's pose */
  std::vector<float>
  toPose() const;

  /** \return number of dimensions: 6 and max_angles */
  static constexpr int
  stateDimension()
  {
    return 6 + max_angles;
  }

  /** \brief Adds normal noise, by PCL's random numbers (pcl::tracking::sampleNormal).
   * \param[in] mean one number a dimension; missing ones are 0
   * \param[in] covariance variance in every dimension; missing ones are 0. If there are
   * more than the state has angles, it gets as many
   */
  void
  sample(const std::vector<double>& mean, const std::vector<double>& covariance);

  /** \brief Resets position, orientation and angles; keeps the weight. */
  void
  zero();

  /** \return the pose of the root joint: root-to-world */
  Eigen::Affine3f
  toEigenMatrix() const;

  /** \brief Makes a state without angles.
   * \param[in] transform pose of the root joint: root-to-world
   * \return the state
   */
  static PoseState
  toState(const Eigen::Affine3f& transform);

  /** \brief Returns one of the numbers. See above for their order.
   * \param[in] dimension counted from 0
   * \return metres or radians; 0 from the last angle on
   */
  float
  operator[](unsigned int dimension) const;

  /** \brief Computes the mean of states by their weights: of orientations the one with
   * the least squared chordal distances, of angles the direction of the mean on the
   * unit circle.
   * \param[in] first points to the first state
   * \param[in] last points behind the last state
   * \return the mean; its weight is 0. Equal weights if all are 0
   */
  template <typename Iterator>
  static PoseState
  weightedAverage(Iterator first, Iterator last)
  {
    Sums sums;
    for (Iterator state = first; state != last; ++state)
      sums.add(*state, state->weight);
    if (!(sums.weight > 0.0)) {
      sums = Sums();
      for (Iterator state = first; state != last; ++state)
        sums.add(*state, 1.0);
    }
    return sums.mean();
  }

  PCL_MAKE_ALIGNED_OPERATOR_NEW

private:
  struct PCL_EXPORTS Sums {
    void
    add(const PoseState& state, double state_weight);

    PoseState
    mean() const;

    double weight = 0.0;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix4d orientation = Eigen::Matrix4d::Zero();
    std::vector<Eigen::Vector2d> angles;
  };
};

/** \brief Moves a state by a displacement; of two shares, their mean.
 * \param[in] a a state
 * \param[in] b a displacement
 * \return their sum, with the weight of \a a
 */
PCL_EXPORTS PoseState
operator+(const PoseState& a, const PoseState& b);

/** \brief Computes the displacement between two states.
 * \param[in] a the destination
 * \param[in] b the start
 * \return the state to add to \a b for \a a; angles take the shorter way around
 */
PCL_EXPORTS PoseState
operator-(const PoseState& a, const PoseState& b);

/** \brief Makes a share of a state. See PoseState.
 * \param[in] state any
 * \param[in] weight 0 or more
 * \return the share; of weight 0 it adds nothing to a sum
 */
PCL_EXPORTS PoseState
operator*(const PoseState& state, double weight);

/** \brief Prints the numbers of a Skeleton's pose, as PCL prints states.
 * \param[in,out] out the stream
 * \param[in] state a state
 * \return \a out
 */
PCL_EXPORTS std::ostream&
operator<<(std::ostream& out, const PoseState& state);

} // namespace pcl::gpu

// clang-format off
POINT_CLOUD_REGISTER_POINT_STRUCT(pcl::gpu::PoseState,
                                  (float, x, x)
                                  (float, y, y)
                                  (float, z, z)
                                  (float[4], orientation, orientation)
                                  (float[120], angles, angles)
                                  (int, angle_count, angle_count)
                                  (float, weight, weight))
// clang-format on
