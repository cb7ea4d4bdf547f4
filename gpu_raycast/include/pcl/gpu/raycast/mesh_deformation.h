// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

namespace pcl::gpu {

/** \brief Ways to deform a mesh. All of them have the same shape at phases 0 and 1.
 * \ingroup gpu_raycast
 */
enum class Deformation {
  Wave,  ///< waves run along x and lift the surface in y
  Twist, ///< turns about the y axis, the more the higher, to and fro
  Bend,  ///< bends the y axis to an arc towards x, to and fro
  Noise  ///< each point wanders smoothly, neighbours together
};

/** \brief Parameters of MeshDeformation.
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS MeshDeformationParameters {
  Deformation kind = Deformation::Wave; ///< kind of deformation
  /** \brief Middle of the region that is deformed, in the mesh's frame, metres. */
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  float radius = 1.0f; ///< half the size of that region, metres, above 0
  /** \brief Strength of the deformation, 0 to 10: 1 is plain to see and leaves usual
   * objects recognizable, 0 does nothing. */
  float strength = 1.0f;

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Deforms meshes on their device, for trials and demonstrations of
 * MeshRayCaster.
 *
 * A stand-in for a simulation that moves vertices: the deformed mesh shares triangles
 * and colours with the one at rest. Vertices in one place stay in one place, so that
 * watertight meshes stay so. Host and CUDA give the same, bit for bit. Takes
 * O(vertices); steady state neither allocates nor waits. Objects may serve several
 * threads.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshDeformation : public Parameterized<MeshDeformationParameters> {
public:
  /** \brief Deforms a mesh.
   * \param[in] rest the mesh at rest; vertices that are not finite stay as they are
   * \param[in] phase part of the cycle, 0 to 1; any finite number
   * \param[out] deformed gets vertices of its own, and unit normals if \a rest has
   * normals; shares everything else with \a rest. May not share the vertices or normals
   * of \a rest.
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if phase is not finite, \a deformed shares the
   * arrays that it is to get, or normals are not one a vertex
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const TriangleMesh& rest,
          float phase,
          TriangleMesh& deformed,
          const Stream& stream = {}) const;
};

} // namespace pcl::gpu
