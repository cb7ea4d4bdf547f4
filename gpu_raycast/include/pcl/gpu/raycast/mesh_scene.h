// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief A texture coordinate or any other pair of numbers that vertices carry.
 * \ingroup gpu_raycast
 */
struct TextureCoordinate {
  float u; ///< to the right
  float v; ///< as the texture's own convention has it
};

/** \brief A triangle mesh in device memory. Copies share the arrays.
 *
 * The arrays belong to the user, who may write to them between one run and the next, on
 * the device, as a simulation does that deforms the mesh: nothing is kept of them.
 *
 * A triangle is invisible if one of its indices is no vertex. It is also invisible if
 * its nine coordinates, in the frame of the camera or ray that looks at it, are not
 * finite, or their magnitudes add up to more than 1e11 metres.
 *
 * \ingroup gpu_raycast
 */
struct TriangleMesh {
  /** \brief Positions, metres, in the mesh's own frame. */
  DeviceArray<PointXYZ> vertices;
  /** \brief Three vertex numbers a triangle. Seen from outside they run
   * counterclockwise. */
  DeviceArray<int> triangles;
  /** \brief Empty, or one element: the number of triangles that exist, the first ones.
   * So a mesh whose size only the device knows can be used as it comes. */
  DeviceArray<int> triangle_count;
  /** \brief Empty, or unit normals of the vertices, for smooth shading. */
  DeviceArray<PointXYZ> normals;
  /** \brief Empty, or colours of the vertices. */
  DeviceArray<RGB> colors;
  /** \brief Empty, or texture coordinates of the vertices. */
  DeviceArray<TextureCoordinate> texture_coordinates;
};

/** \brief Meshes, and their places in the world.
 *
 * A mesh may stand in several places (instances). The triangles of the scene are
 * numbered through: those of instance 0 first, in their order in the mesh, then those
 * of instance 1, and so on. This number is the triangle id that ray casting answers
 * with, and at equal depth the lowest id wins. Over the scenes of several processes
 * MeshRayCaster::setCommunicator() numbers them through.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshScene {
public:
  /** \brief A scene that several users share. */
  using Ptr = std::shared_ptr<MeshScene>;

  /** \brief A scene that its user does not change. */
  using ConstPtr = std::shared_ptr<const MeshScene>;

  /** \brief Most triangles that all instances may have together. */
  static constexpr std::size_t max_triangles = 2147483647;

  /** \brief A triangle id, taken apart. */
  struct TriangleReference {
    int instance; ///< number of the instance, in the order of addInstance()
    int mesh;     ///< number of its mesh, in the order of addMesh()
    int triangle; ///< number of the triangle within the mesh
  };

  /** \brief Adds a mesh, which stands nowhere yet.
   * \param[in] mesh its arrays, which are shared, not copied
   * \return the mesh's number, from 0
   * \throws pcl::BadArgumentException naming the array: the number of indices is not a
   * multiple of three, normals, colours or texture coordinates are not one a vertex,
   * the arrays are not on one device, or that is not the device of the meshes before
   */
  int
  addMesh(const TriangleMesh& mesh);

  /** \brief Exchanges a mesh for another one of any size; its instances stay.
   * \param[in] mesh number of the mesh
   * \param[in] replacement its new arrays
   * \throws pcl::BadArgumentException as addMesh() does, or if there is no such mesh
   */
  void
  setMesh(int mesh, const TriangleMesh& replacement);

  /** \brief Puts a mesh somewhere in the world.
   * \param[in] mesh number of the mesh
   * \param[in] pose mesh-to-world
   * \return the instance's number, from 0
   * \throws pcl::BadArgumentException if there is no such mesh, the pose is not rigid,
   * or the scene would have more than max_triangles triangles
   */
  int
  addInstance(int mesh, const Pose& pose = Pose::Identity());

  /** \brief Moves an instance.
   * \param[in] instance its number
   * \param[in] pose mesh-to-world
   * \throws pcl::BadArgumentException if there is no such instance or the pose is not
   * rigid
   */
  void
  setPose(int instance, const Pose& pose);

  /** \brief Returns the pose of an instance.
   * \param[in] instance its number
   * \return mesh-to-world
   * \throws pcl::BadArgumentException if there is no such instance
   */
  Pose
  getPose(int instance) const
  {
    return Pose(instanceAt(instance).pose);
  }

  /** \brief Returns the arrays of a mesh.
   * \param[in] mesh its number
   * \return the arrays that were given to addMesh() or setMesh()
   * \throws pcl::BadArgumentException if there is no such mesh
   */
  const TriangleMesh&
  getMesh(int mesh) const;

  /** \brief Returns the mesh that an instance shows.
   * \param[in] instance its number
   * \return the mesh's number
   * \throws pcl::BadArgumentException if there is no such instance
   */
  int
  getMeshOf(int instance) const
  {
    return instanceAt(instance).mesh;
  }

  /** \return the number of meshes */
  int
  getNumberOfMeshes() const
  {
    return static_cast<int>(meshes_.size());
  }

  /** \return the number of instances */
  int
  getNumberOfInstances() const
  {
    return static_cast<int>(instances_.size());
  }

  /** \return the number of triangles of all instances together: ids are below it */
  std::size_t
  getNumberOfTriangles() const;

  /** \brief The lowest triangle id of an instance. O(instances).
   * \param[in] instance its number
   * \return the sum of the triangles of all instances before
   * \throws pcl::BadArgumentException if there is no such instance
   */
  std::size_t
  getFirstTriangle(int instance) const;

  /** \brief Takes a triangle id apart. O(instances).
   * \param[in] id a triangle id of this scene
   * \return instance, mesh and triangle
   * \throws pcl::BadArgumentException if there is no such triangle
   */
  TriangleReference
  findTriangle(std::size_t id) const;

private:
  struct Instance {
    int mesh;
    Eigen::Transform<float, 3, Eigen::Isometry, Eigen::DontAlign> pose;
  };

  void
  checkMesh(const TriangleMesh& mesh, int number) const;

  const Instance&
  instanceAt(int instance) const;

  std::vector<TriangleMesh> meshes_;
  std::vector<Instance> instances_;
};

/** \brief The scene that a class works on: a part of MeshRayCaster, MeshRayQuery and
 * MeshRenderer.
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshSceneInput {
public:
  /** \brief Sets the scene.
   * \param[in] scene meshes and their poses, as they are at each later call
   * \throws pcl::BadArgumentException if null
   */
  void
  setScene(const MeshScene::ConstPtr& scene);

  /** \brief Makes a scene of one mesh, whose frame is the world's.
   * \param[in] mesh its arrays, which are shared, not copied
   * \throws pcl::BadArgumentException as MeshScene::addMesh() does
   */
  void
  setInputMesh(const TriangleMesh& mesh);

  /** \return the scene; null if nothing was set */
  const MeshScene::ConstPtr&
  getScene() const
  {
    return scene_;
  }

protected:
  MeshSceneInput() = default;

private:
  MeshScene::ConstPtr scene_;
};

} // namespace pcl::gpu
