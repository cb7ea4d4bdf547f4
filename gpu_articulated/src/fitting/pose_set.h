// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief Poses of one skeleton with their values, each in a family of poses. */
struct PoseSet {
  explicit PoseSet(std::size_t pose_size) : width(pose_size) {}

  std::size_t
  size() const
  {
    return families.size();
  }

  /** \brief Changes the number of poses. New ones are zeros. */
  void
  resize(std::size_t count)
  {
    numbers.resize(count * width);
    families.resize(count);
    values.resize(count);
  }

  /** \brief Adds a pose of family 0 without a value. */
  void
  add(const std::vector<float>& pose);

  /** \brief Adds a pose of another set. */
  void
  add(const PoseSet& from, std::size_t i, int family);

  float*
  operator[](std::size_t i)
  {
    return numbers.data() + i * width;
  }

  const float*
  operator[](std::size_t i) const
  {
    return numbers.data() + i * width;
  }

  std::vector<float>
  pose(std::size_t i) const
  {
    return {(*this)[i], (*this)[i] + width};
  }

  /** \brief Returns the numbers of all poses, the best first. */
  std::vector<std::size_t>
  byValue() const;

  /** \brief Returns the best poses.
   * \param[in] most number of them
   * \param[in] most_of_family of one family
   */
  PoseSet
  best(std::size_t most, std::size_t most_of_family) const;

  std::size_t width; ///< numbers of a pose
  std::vector<float> numbers;
  std::vector<int> families;
  std::vector<double> values;
};

/** \brief Random moves of a skeleton's poses. They only depend on the seed and two
 * numbers. */
class PoseNoise {
public:
  /** \brief Which draw: a round, and a pose in it. */
  struct Draw {
    std::uint32_t round, number;
  };

  /** \param[in] skeleton with limits; not needed afterwards
   * \param[in] limbs number of every joint's limb; 0: the trunk, which bends less
   * \param[in] seed of all random numbers
   */
  PoseNoise(const Skeleton& skeleton,
            const std::vector<int>& limbs,
            std::uint64_t seed);

  /** \brief Returns three normal deviates. */
  Eigen::Vector3f
  normals(const Draw& draw, std::uint32_t which) const;

  /** \brief Returns a number from 0 to 1. */
  float
  uniform(const Draw& draw, std::uint32_t which) const;

  /** \brief Moves the angles of some limbs, within their limits.
   * \param[in] draw the random numbers
   * \param[in] is_moved of every limb
   * \param[in] scale of the deviations: share of half the range of an angle
   * \param[in,out] pose of the skeleton
   */
  void
  moveAngles(const Draw& draw,
             const std::vector<bool>& is_moved,
             float scale,
             float* pose) const;

  /** \brief Moves and turns the root.
   * \param[in] draw the random numbers
   * \param[in] place deviation, metres
   * \param[in] turn deviation, radians
   * \param[in,out] pose of the skeleton
   */
  void
  moveRoot(const Draw& draw, float place, float turn, float* pose) const;

  /** \brief Returns the logarithm of a wide normal density of all angles about those of
   * a start, up to a constant. */
  double
  logPrior(const float* pose, const float* start) const;

  /** \brief Returns the squared distance of a limb's angles, square radians. */
  float
  distanceOfLimb(int limb, const float* a, const float* b) const;

  /** \brief Copies a limb's angles. */
  void
  copyLimb(int limb, const float* from, float* to) const;

private:
  struct Angle {
    int joint;  ///< its number
    int number; ///< in the joint
    int limb;
    float lower, upper;
    float range;     ///< a scale of 1; 0: the angle does not move
    float deviation; ///< of the prior
  };

  std::vector<Angle> angles_; ///< in the order of a pose
  std::uint64_t seed_;
};

/** \brief Returns the orientation of a pose's root. */
Eigen::Quaternionf
orientationOf(const float* pose);

/** \brief Sets the orientation of a pose's root. */
void
setOrientation(const Eigen::Quaternionf& orientation, float* pose);

} // namespace pcl::gpu
