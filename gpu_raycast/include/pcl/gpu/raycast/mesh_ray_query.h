// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstdint>
#include <limits>

namespace pcl::gpu {

class RayHierarchy;

/** \brief A part of a line in the world frame.
 *
 * Distances along a ray are counted in lengths of its direction: in metres if that has
 * length 1, and from 0 to 1 for a ray whose direction leads from one point to another.
 *
 * A ray hits nothing if its origin or direction is not finite, the magnitudes of its
 * origin's coordinates add up to more than 1e11 metres, its direction is zero, or a
 * bound is NaN.
 *
 * \ingroup gpu_raycast
 */
struct alignas(16) Ray {
  float origin[3]; ///< x, y, z, metres
  /** \brief Hits at this distance or less do not count. May be negative. */
  float nearest = 0.0f;
  float direction[3]; ///< x, y, z, of any length
  /** \brief Hits beyond this distance do not count. */
  float farthest = std::numeric_limits<float>::infinity();
};

/** \brief First hit of a ray.
 * \ingroup gpu_raycast
 */
struct alignas(16) RayHit {
  float distance; ///< in lengths of the ray's direction; NaN if nothing is hit
  int triangle;   ///< triangle id (see MeshScene); -1 if nothing is hit
  float u; ///< weight of the triangle's second vertex, 0 to 1; NaN if nothing is hit
  float v; ///< weight of the triangle's third vertex, 0 to 1; NaN if nothing is hit
};

/** \brief Hits in one array for each number, as other packages keep them.
 * \ingroup gpu_raycast
 */
struct RayHitArrays {
  DeviceArray<float> distances;         ///< infinity if nothing is hit
  DeviceArray<std::uint32_t> instances; ///< numbers in the scene; 2^32 - 1: nothing
  DeviceArray<std::uint32_t> triangles; ///< numbers in the mesh; 2^32 - 1: nothing
  DeviceArray<float> barycentrics;      ///< u and v of each hit; 0 if nothing is hit
  /** \brief x, y and z of the triangle's unit normal, in the world's frame, on the side
   * from which its vertices run counterclockwise; 0 if nothing is hit. */
  DeviceArray<float> normals;
};

/** \brief All hits of some rays.
 * \ingroup gpu_raycast
 */
struct RayHitList {
  /** \brief Place of each ray's first hit, one a ray, then the number of all hits. */
  DeviceArray<std::uint32_t> starts;
  DeviceArray<std::uint32_t> rays; ///< number of each hit's ray
  /** \brief Those of the first ray, then those of the second one, and so on. Those of
   * one ray are in the order of their distance, and of one distance in that of the
   * triangles' ids. */
  DeviceArray<RayHit> hits;
};

/** \brief Parameters of MeshRayQuery.
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS MeshRayQueryParameters {
  Culling culling = Culling::None; ///< sides of triangles that rays pass through

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Finds the hits of rays of any origin and direction.
 *
 * Where MeshRayCaster casts the rays of cameras, this casts any, millions at a time:
 * for shadows, reflections, lidars, lines of sight, points inside a closed mesh.
 *
 * build() makes a hierarchy of boxes from the vertices as they are at that time.
 * Another scene, and a copy of the query, need one of their own. Each build starts from
 * nothing, so meshes may deform in any way; call it again after they did. Parameters
 * take effect without a build().
 *
 * Every answer is that of a test of the ray with all triangles of the scene, bit for
 * bit, on every device: the boxes are only there to leave out triangles that certainly
 * are not hit. The test of a ray and a triangle is watertight (Woop, Benthin, Wald:
 * Watertight Ray/Triangle Intersection, 2013): no ray passes between two triangles that
 * share an edge or a vertex. A ray exactly through an edge hits both triangles. A ray
 * within the plane of a triangle does not hit it.
 *
 * build() costs O(triangles); a ray typically O(log(triangles)). About 52 bytes a
 * triangle are kept, and 16 more while build() runs, all of which stay allocated.
 * Steady state neither allocates nor waits, and can be captured into a CUDA graph; but
 * for listHits(). One object serves one call at a time.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshRayQuery : public MeshSceneInput,
                                 public Parameterized<MeshRayQueryParameters> {
public:
  /** \brief Takes the triangles as they are now; later calls cast rays at them.
   *
   * See TriangleMesh for invisible triangles; their coordinates here are the world's,
   * for every ray.
   * \param[in] stream the queue to join; calls that cast rays must come after it there
   * \throws pcl::BadArgumentException if there is no scene
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  build(const Stream& stream = {});

  /** \brief Finds the nearest hit of every ray; of hits at one distance that of the
   * lowest triangle id.
   * \param[in] rays any number, on the scene's device
   * \param[out] hits one a ray
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there was no build(), or the rays are
   * elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  castRays(const DeviceArray<Ray>& rays,
           DeviceArray<RayHit>& hits,
           const Stream& stream = {});

  /** \brief Finds whether every ray hits anything; faster than its nearest hit.
   * \param[in] rays any number, on the scene's device
   * \param[out] occluded one a ray: 1 if it hits something, else 0
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there was no build(), or the rays are
   * elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  testOcclusion(const DeviceArray<Ray>& rays,
                DeviceArray<std::uint8_t>& occluded,
                const Stream& stream = {});

  /** \brief Counts all triangles that every ray hits.
   *
   * A ray through an edge or vertex hits every triangle there. Away from those an odd
   * count means that the origin lies inside a closed mesh.
   * \param[in] rays any number, on the scene's device
   * \param[out] counts one a ray
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there was no build(), or the rays are
   * elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  countHits(const DeviceArray<Ray>& rays,
            DeviceArray<int>& counts,
            const Stream& stream = {});

  /** \brief Lists all triangles that every ray hits: as many as countHits() counts.
   *
   * Takes the time of countHits() twice, and O(n^2) for the n hits of a ray. Waits for
   * the number of hits.
   * \param[in] rays any number, on the scene's device
   * \param[out] list their hits
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there was no build(), the rays are elsewhere,
   * or there are 2^32 hits or more
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  listHits(const DeviceArray<Ray>& rays, RayHitList& list, const Stream& stream = {});

  /** \brief Copies each number of hits to an array of its own. O(hits log(instances)).
   * \param[in] hits of castRays() or listHits() since the last build()
   * \param[out] arrays of the same number
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there was no build(), or the hits are
   * elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  splitHits(const DeviceArray<RayHit>& hits,
            RayHitArrays& arrays,
            const Stream& stream = {});

private:
  struct Buffers;

  const RayHierarchy&
  hierarchy();

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
