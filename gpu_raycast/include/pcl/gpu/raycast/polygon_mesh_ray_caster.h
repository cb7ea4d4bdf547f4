// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/TextureMesh.h>
#include <pcl/gpu/raycast/impl/ray_cast_cloud.hpp>
#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/range_image_conversion.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/point_cloud.h>
#include <pcl/range_image/range_image_planar.h>

#include <memory>
#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief The cloud that a camera sees of a PolygonMesh: the host wrapper of
 * MeshRayCaster.
 *
 * RangeImage and PCLVisualizer::renderView() approximate a view by points or by the
 * depth buffer of a window. Here each point lies exactly on the triangle that its
 * pixel's ray hits first. No display is needed.
 *
 * The mesh is copied to the calling thread's current device when it is set; casting
 * runs there and brings the result back. Device memory is kept from call to call.
 *
 * Clouds are organized, with the camera's width and height; points are NaN where
 * nothing is hit, and is_dense is then false. Points are in the camera's frame (z
 * forward, x right, y down) or, after setOutputInWorldFrame(true), in the mesh's. As
 * PCL's normal estimation and range images expect, sensor_origin_ and
 * sensor_orientation_ are the camera's pose in the frame that the cloud is in: the
 * identity in the camera's frame, the camera's pose in the mesh's. If the point type
 * has normals, they are on the camera's side; curvature is left at 0. If it has
 * colours, they are those of the mesh, or white. The stamp is the mesh's, and so is the
 * frame_id of a cloud in the mesh's frame.
 *
 * \code
 * pcl::gpu::PolygonMeshRayCaster<pcl::PointNormal> ray_caster;
 * ray_caster.setInputMesh(mesh);
 * ray_caster.setCamera({pcl::gpu::PinholeCamera::fromFieldOfView(0.8f, 640, 480),
 *                       pcl::gpu::lookAt({0, 0, -2}, {0, 0, 0})});
 * ray_caster.cast(cloud);
 * \endcode
 *
 * Precompiled for PointXYZ, PointXYZI, PointXYZRGB, PointXYZRGBA, PointNormal,
 * PointXYZINormal and PointXYZRGBNormal. For other types define PCL_NO_PRECOMPILE
 * before the first include, as with PCL's own classes: the header then brings
 * `impl/polygon_mesh_ray_caster.hpp` along.
 *
 * \ingroup gpu_raycast
 */
template <typename PointT>
class PolygonMeshRayCaster {
public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<PolygonMeshRayCaster<PointT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const PolygonMeshRayCaster<PointT>>;
  /** \brief Output. */
  using PointCloud = pcl::PointCloud<PointT>;

  /** \brief Copies a mesh to the calling thread's current device.
   * \param[in] mesh any polygons of three vertices or more; its frame is the world's
   * \throws pcl::BadArgumentException as toTriangleMesh() does
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setInputMesh(const PolygonMesh& mesh)
  {
    setTriangleMesh(toTriangleMesh(mesh), mesh.header);
  }

  /** \brief Copies a mesh to the calling thread's current device. Throws as the form
   * for a reference, and if the mesh is null.
   * \param[in] mesh any polygons of three vertices or more; its frame is the world's
   */
  void
  setInputMesh(const PolygonMesh::ConstPtr& mesh)
  {
    checkArgument(mesh != nullptr, "input mesh", "null", "a mesh");
    setInputMesh(*mesh);
  }

  /** \brief Copies a textured mesh to the calling thread's current device.
   * \param[in] mesh any polygons of three vertices or more; its frame is the world's
   * \throws pcl::BadArgumentException as toTriangleMesh() does
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setInputMesh(const TextureMesh& mesh)
  {
    setTriangleMesh(toTriangleMesh(mesh), mesh.header);
  }

  /** \brief Sets meshes that are on a device already, at their poses.
   * \param[in] scene is shared, not copied
   * \throws pcl::BadArgumentException if null
   */
  void
  setScene(const MeshScene::ConstPtr& scene)
  {
    ray_caster_.setScene(scene);
    header_ = PCLHeader();
  }

  /** \return the scene; null if nothing was set */
  const MeshScene::ConstPtr&
  getScene() const
  {
    return ray_caster_.getScene();
  }

  /** \brief Sets the camera. A PinholeCamera converts to a view from the origin.
   * \param[in] view intrinsics and pose
   */
  void
  setCamera(const CameraView& view)
  {
    view_ = view;
  }

  /** \return the camera
   * \throws pcl::BadArgumentException if there is none
   */
  const CameraView&
  getCamera() const
  {
    checkArgument(view_.has_value(), "camera", "not set", "setCamera() before");
    return *view_;
  }

  /** \brief Sets the depths between which hits count. See MeshRayCasterParameters.
   * \param[in] nearest metres along the camera's z axis, exclusive, 0 or more; 0 by
   * default
   * \param[in] farthest metres, inclusive, above \a nearest; infinity by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setDepthRange(float nearest, float farthest)
  {
    MeshRayCasterParameters parameters = ray_caster_.getParameters();
    parameters.nearest = nearest;
    parameters.farthest = farthest;
    ray_caster_.setParameters(parameters);
  }

  /** \brief Sets which sides of triangles are hit.
   * \param[in] culling Culling::None by default
   */
  void
  setCulling(Culling culling)
  {
    setParameter(ray_caster_, &MeshRayCasterParameters::culling, culling);
  }

  /** \brief Sets the method that finds hits.
   * \param[in] method CastMethod::Automatic by default
   */
  void
  setMethod(CastMethod method)
  {
    setParameter(ray_caster_, &MeshRayCasterParameters::method, method);
  }

  /** \brief Sets whether normals are interpolated between those of the vertices.
   * \param[in] smooth true (the default): where the mesh has normals; false: never
   */
  void
  setSmoothNormals(bool smooth)
  {
    setParameter(ray_caster_, &MeshRayCasterParameters::smooth_normals, smooth);
  }

  /** \brief Sets the frame of the cloud.
   * \param[in] world true for the mesh's frame, false (the default) for the camera's
   */
  void
  setOutputInWorldFrame(bool world)
  {
    setParameter(ray_caster_, &MeshRayCasterParameters::in_world_frame, world);
  }

  /** \brief Casts a ray through each pixel.
   * \param[out] output an organized cloud
   * \throws pcl::BadArgumentException if mesh or camera is not set
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(PointCloud& output);

  /** \brief Downloads the depth map of the last cast().
   * \param[out] depth z in the camera's frame, metres, row by row; NaN where nothing is
   * hit
   * \throws pcl::BadArgumentException if nothing was cast
   * \throws DeviceException if the device fails
   */
  void
  getDepthMap(std::vector<float>& depth) const
  {
    int columns;
    lastCast().images.depth.download(depth, columns);
  }

  /** \brief Downloads the triangle ids of the last cast().
   * \param[out] triangles triangle ids (see MeshScene; for a mesh of triangles they are
   * the numbers of its polygons), row by row; -1 where nothing is hit
   * \throws pcl::BadArgumentException if nothing was cast
   * \throws DeviceException if the device fails
   */
  void
  getTriangleIds(std::vector<int>& triangles) const
  {
    int columns;
    lastCast().images.triangles.download(triangles, columns);
  }

  /** \brief Makes PCL's range image of the last cast(). See toRangeImagePlanar().
   * \param[out] range_image points in the world's frame, whatever the cloud's was
   * \throws pcl::BadArgumentException if nothing was cast, or the camera is
   * orthographic
   * \throws DeviceException if the device fails
   */
  void
  getRangeImage(RangeImagePlanar& range_image) const
  {
    toRangeImagePlanar(lastCast().images.depth, *lastCast().view, range_image);
  }

private:
  /** \brief Results of the last cast, and memory for the next one. */
  struct LastCast {
    std::optional<CameraView> view; ///< empty before the first
    RayCastImages images;
    detail::RayCastCloudReader<PointT> reader;
  };

  void
  setTriangleMesh(const TriangleMesh& mesh, const PCLHeader& header)
  {
    ray_caster_.setInputMesh(mesh);
    header_ = header;
  }

  const LastCast&
  lastCast() const
  {
    checkArgument(last_.value.view.has_value(),
                  "number of casts",
                  0,
                  "cast() before its results");
    return last_.value;
  }

  MeshRayCaster ray_caster_;
  PCLHeader header_;
  std::optional<CameraView> view_;
  detail::Unshared<LastCast> last_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/raycast/impl/polygon_mesh_ray_caster.hpp>
#endif
