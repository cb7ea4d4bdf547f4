// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"
#include "hierarchy/ray_trace.hpp"
#include "scene/surface.hpp"

// The world for shading: surfaces, materials, lights. All in the world frame.

namespace pcl::device {

/** \brief gpu::Material. */
struct Material {
  Vector3 diffuse;
  float specular;
  int shininess;
  float reflectivity;
  float transparency;
  float refractive_index;
  bool casts_shadow;
};

/** \brief The order of gpu::LightShape. */
enum class LightShape : int { Point, Directional, Rectangle, Disc };

/** \brief gpu::Light, and the way to find its shadows. */
struct LightSource {
  LightShape shape;
  Vector3 position; ///< of its middle; if directional, the unit vector to the light
  Vector3 half_u, half_v; ///< half sides of a rectangle, radii of a disc
  Vector3 light;          ///< colour times intensity
  bool falls_off;
  bool is_spread; ///< whether shadow rays go to all of it; else to the middle
  int side;       ///< side^2 shadow rays a point; 0: no shadows
};

/** \brief Light that depends on the height of a direction. */
struct Gradient {
  Vector3 above, below;
  Vector3 up; ///< unit vector
};

PCL_GPU_HOST_DEVICE Vector3
lightFrom(const Gradient& gradient, const Vector3& unit_direction)
{
  const float part = 0.5f + 0.5f * dot(gradient.up, unit_direction);
  return part * gradient.above + (1.0f - part) * gradient.below;
}

/** \brief A scene that light meets. Arrays live on the device. */
struct ShadingScene {
  WorldTriangles world;
  const Material* materials; ///< one an instance
  const LightSource* lights;
  int light_count;
  Hierarchy hierarchy; ///< not there if no rays are cast but the camera's
  /** \brief Light for each of the 256 values of a vertex colour's channel, and behind
   * it the 255 thresholds from which on a channel has the next value. */
  const float* linear;
  Gradient ambient;
  Gradient background;
  bool smooth;
  std::uint32_t seed;
  int max_bounces;
};

/** \brief The place at which a ray meets a triangle. */
struct Surface {
  Vector3 point;
  Vector3 flat;   ///< unit normal of the triangle, on the ray's side
  Vector3 normal; ///< unit normal for shading, on the ray's side
  Vector3 albedo; ///< colour that the vertices give it
  float margin;   ///< distance from the point to the start of new rays, see below
  bool outside;   ///< whether the vertices run counterclockwise as the ray sees them
  const Material* material;
};

// New rays start a margin off the surface, on the side that they run on, and need no
// other bound. The point lies beside its triangle's plane by what rounding its weighted
// sum of vertices does: some units in the last place (2^-24) of the largest coordinate.
// 2^-20 of it is more; so the ray does not meet its own triangle, nor the neighbours
// that continue it. Anything nearer than that, a millionth of the coordinates, counts
// as the surface itself. To leave out the ray's own triangle instead would not be
// enough: a point close to an edge lies as often behind the neighbour as before it.
constexpr float relative_margin = 0x1p-20f;

PCL_GPU_HOST_DEVICE Vector3
product(const Vector3& a, const Vector3& b)
{
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/** \brief Returns whether a vector that normalized() made is a direction, not NaN. */
PCL_GPU_HOST_DEVICE bool
isDirection(const Vector3& v)
{
  return dot(v, v) > 0.5f;
}

PCL_GPU_HOST_DEVICE Vector3
albedoOf(const ShadingScene& scene, std::uint32_t color)
{
  return {scene.linear[color >> 16 & 255u],
          scene.linear[color >> 8 & 255u],
          scene.linear[color & 255u]};
}

/** \brief The surface at a hit.
 * \param[in] id of the triangle
 * \param[in] direction of the ray that hits it, unit vector
 */
PCL_GPU_HOST_DEVICE Surface
surfaceAt(const ShadingScene& scene,
          std::uint32_t id,
          const TriangleHit& hit,
          const Vector3& direction)
{
  const WorldTriangles& world = scene.world;
  const int number = findInstance(world.instances, world.instance_count, id);
  const Instance& instance = world.instances[number];
  int indices[3];
  Triangle triangle{};
  loadIndices(instance, id, indices);
  loadTriangle(instance, id, triangle);

  Surface surface;
  surface.point =
      (1.0f - hit.u - hit.v) * triangle.a + hit.u * triangle.b + hit.v * triangle.c;
  const Vector3 across = cross(triangle.b - triangle.a, triangle.c - triangle.a);
  surface.outside = dot(across, direction) < 0.0f;
  const Vector3 flat = normalAt(instance, indices, triangle, hit, direction, false);
  surface.flat = isDirection(flat) ? flat : -1.0f * direction;
  const Vector3 normal =
      normalAt(instance, indices, triangle, hit, direction, scene.smooth);
  surface.normal = isDirection(normal) ? normal : surface.flat;
  surface.material = scene.materials + number;
  surface.albedo = product(surface.material->diffuse,
                           albedoOf(scene, colorAt(instance.mesh, indices, hit)));
  surface.margin = relative_margin * maximum(largestCoordinate(triangle.a),
                                             maximum(largestCoordinate(triangle.b),
                                                     largestCoordinate(triangle.c)));
  return surface;
}

/** \brief Returns whether something between a ray's bounds casts a shadow. */
PCL_GPU_HOST_DEVICE bool
isOccluded(const ShadingScene& scene, const Ray& ray)
{
  bool found = false;
  const auto visit =
      [&](const RayFrame&, const BoxRay&, const TriangleHit&, std::uint32_t id) {
        const WorldTriangles& world = scene.world;
        const int instance = findInstance(world.instances, world.instance_count, id);
        return found = scene.materials[instance].casts_shadow;
      };
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitInAnyOrder(scene.hierarchy, frame, Culling::None, visit);
  return found;
}

} // namespace pcl::device
