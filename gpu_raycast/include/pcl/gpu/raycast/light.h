// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Core>

namespace pcl::gpu {

/** \brief Shape of a light.
 * \ingroup gpu_raycast
 */
enum class LightShape {
  Point,       ///< from one point to all sides
  Directional, ///< from infinitely far away, as from the sun
  Rectangle,   ///< from a rectangle, to all sides
  Disc         ///< from a disc, to all sides
};

/** \brief A light in the world, for MeshRenderer.
 *
 * A white surface that faces the light gets the brightness colour times intensity:
 * where 1 is the brightest that a picture can show, and before falling off.
 *
 * \code
 * pcl::gpu::Light lamp = pcl::gpu::Light::disc({0, 3, 0}, {0, -1, 0}, 0.3f);
 * lamp.color = {1.0f, 0.9f, 0.8f};
 * \endcode
 *
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS Light {
  LightShape shape = LightShape::Point; ///< shape of its source
  /** \brief Position of its middle, metres; unused if directional. */
  Eigen::Vector3f position = Eigen::Vector3f::Zero();
  /** \brief The way that directional light travels, or a disc's normal; of any
   * length. */
  Eigen::Vector3f direction = -Eigen::Vector3f::UnitY();
  /** \brief Vector from a rectangle's middle to the middle of a side, metres. */
  Eigen::Vector3f half_side_u = Eigen::Vector3f::UnitX();
  /** \brief Vector from a rectangle's middle to the middle of the next side, metres. */
  Eigen::Vector3f half_side_v = Eigen::Vector3f::UnitZ();
  float radius = 1.0f;                             ///< of a disc, metres
  Eigen::Vector3f color = Eigen::Vector3f::Ones(); ///< red, green, blue; linear
  float intensity = 1.0f;                          ///< 0 or more
  /** \brief True if light falls off with the square of the distance; intensity is then
   * that at 1 metre. Not for directional light. */
  bool falls_off = false;

  /** \brief Makes a light at one point.
   * \param[in] position metres
   * \return the light, white, of intensity 1
   */
  static Light
  point(const Eigen::Vector3f& position)
  {
    Light light;
    light.position = position;
    return light;
  }

  /** \brief Makes a light that is infinitely far away.
   * \param[in] direction the way that light travels, of any length
   * \return the light, white, of intensity 1
   */
  static Light
  directional(const Eigen::Vector3f& direction)
  {
    Light light;
    light.shape = LightShape::Directional;
    light.direction = direction;
    return light;
  }

  /** \brief Makes a light of a rectangle (or a parallelogram).
   * \param[in] middle metres
   * \param[in] half_side_u from the middle to the middle of a side, metres
   * \param[in] half_side_v from the middle to the middle of the next side, metres
   * \return the light, white, of intensity 1
   */
  static Light
  rectangle(const Eigen::Vector3f& middle,
            const Eigen::Vector3f& half_side_u,
            const Eigen::Vector3f& half_side_v)
  {
    Light light;
    light.shape = LightShape::Rectangle;
    light.position = middle;
    light.half_side_u = half_side_u;
    light.half_side_v = half_side_v;
    return light;
  }

  /** \brief Makes a light of a disc.
   * \param[in] middle metres
   * \param[in] normal of any length
   * \param[in] radius metres
   * \return the light, white, of intensity 1
   */
  static Light
  disc(const Eigen::Vector3f& middle, const Eigen::Vector3f& normal, float radius)
  {
    Light light;
    light.shape = LightShape::Disc;
    light.position = middle;
    light.direction = normal;
    light.radius = radius;
    return light;
  }

  /** \brief Rejects values that no light has.
   * \throws pcl::BadArgumentException naming the member and its value: numbers that are
   * not finite, negative colour or intensity, a direction that is zero, sides or a
   * radius that are not above zero
   */
  void
  validate() const;
};

} // namespace pcl::gpu
