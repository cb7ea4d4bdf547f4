// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/PolygonMesh.h>
#include <pcl/gpu/raycast/impl/mesh_areas.h>
#include <pcl/gpu/raycast/impl/ray_cast_cloud.hpp>
#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/point_cloud.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Partial views of an object from all around: replaces
 * pcl::apps::RenderViewsTesselatedSphere and
 * PCLVisualizer::renderViewTesselatedSphere().
 *
 * Cameras stand on a sphere around the object's centre (the centre of gravity of its
 * surface) and look at it: at the middles of the triangles of a tessellated
 * icosahedron, or at its vertices. All views are cast at once on the calling thread's
 * current device; no display and no window is needed, and any number of threads may do
 * so, each with an object of its own.
 *
 * Setters, getters and defaults are those of PCL's class. Differences:
 *  - The mesh is a PolygonMesh, not a vtkPolyData, and the clouds may have normals and
 *    colours, if the point type has.
 *  - Points are exact, not read from a depth buffer of limited resolution.
 *  - The camera stands at its pose, and sees the object in its true size. PCL shows
 *    every object from twice its largest side and then moves the points to the radius.
 *    That distance is the default here, so that the views show the same.
 *  - All positions lie on the sphere; those of PCL sink inwards as the level grows.
 *  - setCamPosConstraints() has an effect.
 *
 * \code
 * pcl::gpu::RenderViewsTesselatedSphere<pcl::PointXYZ> renderer;
 * renderer.setInputMesh(mesh);
 * renderer.setTesselationLevel(1); // 80 views
 * renderer.generateViews();
 * renderer.getViews(views);
 * renderer.getPoses(poses);
 * \endcode
 *
 * Precompiled for the types that PolygonMeshRayCaster is, and to be used with other
 * types in the same way.
 *
 * \ingroup gpu_raycast
 */
template <typename PointT = PointXYZ>
class RenderViewsTesselatedSphere {
public:
  /** \brief Output: one view. */
  using PointCloud = pcl::PointCloud<PointT>;
  /** \brief Output: all views. */
  using Views = std::vector<typename PointCloud::Ptr>;
  /** \brief Poses of all views. */
  using Poses = std::vector<Eigen::Matrix4f, Eigen::aligned_allocator<Eigen::Matrix4f>>;
  /** \brief Decides about a camera position, given as a unit vector from the centre. */
  using Constraint = std::function<bool(const Eigen::Vector3f&)>;

  /** \brief Copies the object to the calling thread's current device.
   * \param[in] mesh any polygons of three vertices or more
   * \throws pcl::BadArgumentException as toTriangleMesh() does
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  setInputMesh(const PolygonMesh& mesh)
  {
    const TriangleMesh triangles = toTriangleMesh(mesh);
    areas_ = detail::MeshAreas(triangles);
    ray_caster_.setInputMesh(triangles);
  }

  /** \brief Chooses camera positions.
   * \param[in] constraint only positions for which it is true are used; all by default
   */
  void
  setCamPosConstraints(const Constraint& constraint)
  {
    constraint_ = constraint;
  }

  /** \brief Sets whether views are organized.
   * \param[in] organized true: resolution x resolution points, NaN where nothing is
   * seen; false (the default): only the points that are seen, row by row
   */
  void
  setGenOrganized(bool organized)
  {
    gen_organized_ = organized;
  }

  /** \brief Sets the size of the images.
   * \param[in] pixels along a side, 1 to CameraView::max_size; 150 by default
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setResolution(int pixels)
  {
    checkBetween("resolution", pixels, 1, CameraView::max_size, "1 to 16384 pixels");
    resolution_ = pixels;
  }

  /** \brief Sets the cameras' places on the tessellated sphere.
   * \param[in] use true: at its vertices; false (the default): at the middles of
   * triangles
   */
  void
  setUseVertices(bool use)
  {
    use_vertices_ = use;
  }

  /** \brief Sets the distance of the cameras from the object's centre.
   * \param[in] radius metres; 0, the default, is twice the largest side of the bounding
   * box
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setRadiusSphere(float radius)
  {
    checkNotNegative("radius of the sphere", radius);
    radius_sphere_ = radius;
  }

  /** \brief Sets whether getEntropies() is wanted.
   * \param[in] compute false by default
   */
  void
  setComputeEntropies(bool compute)
  {
    compute_entropy_ = compute;
  }

  /** \brief Sets the number of views.
   * \param[in] level how often the icosahedron's triangles are divided, 0 to
   * TesselatedSphere::max_level; 1 by default. There are 20 * 4^level triangles and
   * 10 * 4^level + 2 vertices.
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setTesselationLevel(int level)
  {
    checkBetween("tesselation level", level, 0, TesselatedSphere::max_level, "0 to 8");
    tesselation_level_ = level;
  }

  /** \brief Sets the cameras' field of view.
   * \param[in] angle degrees, above 0 and below 180; 57 by default
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setViewAngle(float angle)
  {
    checkArgument(angle > 0.0f && angle < 180.0f,
                  "view angle",
                  angle,
                  "more than 0 and less than 180 degrees");
    view_angle_ = angle;
  }

  /** \brief Sets the method that finds hits.
   * \param[in] method CastMethod::Automatic by default
   */
  void
  setMethod(CastMethod method)
  {
    setParameter(ray_caster_, &MeshRayCasterParameters::method, method);
  }

  /** \brief Places the cameras of all views.
   * \return the cameras, in the order of the views
   * \throws pcl::BadArgumentException if no mesh is set, or it has no area
   */
  std::vector<CameraView>
  placeCameras() const;

  /** \brief Makes all views. Takes device memory for up to 2^24 pixels at a time.
   * \throws pcl::BadArgumentException if no mesh is set, or it has no area
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  generateViews()
  {
    generateViews(placeCameras());
  }

  /** \brief Makes some of the views: those of one process of several, or no more than
   * fit host memory. The getters then return these.
   * \param[in] cameras some of those that placeCameras() returned
   * \throws pcl::BadArgumentException if no mesh is set, or it has no area, or if
   * images have another size than that of setResolution()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  generateViews(const std::vector<CameraView>& cameras);

  /** \brief Gets the poses of the views.
   * \param[out] poses rigid transforms from the object's frame to the camera's (z
   * forward, x right, y down), in the order of the views
   */
  void
  getPoses(Poses& poses) const
  {
    poses.clear();
    for (const CameraView& camera : cameras_)
      poses.push_back(camera.getPose().inverse().matrix());
  }

  /** \brief Gets the views.
   * \param[out] views clouds in the camera's frame, metres; shared, not copied
   */
  void
  getViews(Views& views) const
  {
    views = views_;
  }

  /** \brief Gets the part of the surface that each view shows.
   * \param[out] entropies as PCL calls them: the area of the triangles of which at
   * least one pixel is seen, divided by the area of all, 0 to 1; empty unless
   * setComputeEntropies(true). Of triangles smaller than pixels most are not seen: take
   * a higher resolution.
   */
  void
  getEntropies(std::vector<float>& entropies) const
  {
    entropies = entropies_;
  }

  /** \brief Gets the cameras.
   * \param[out] cameras of the views, in their order; their poses are the inverse of
   * those of getPoses()
   */
  void
  getCameras(std::vector<CameraView>& cameras) const
  {
    cameras = cameras_;
  }

private:
  /** \brief Memory that is kept from call to call. */
  struct Buffers {
    RayCastImages images;
    detail::RayCastCloudReader<PointT> clouds;
    detail::DeviceReader<int> triangles;
  };

  void
  checkMesh() const;

  void
  addViews(const std::vector<CameraView>& cameras);

  int resolution_ = 150;
  int tesselation_level_ = 1;
  bool use_vertices_ = false;
  float view_angle_ = 57.0f;
  float radius_sphere_ = 0.0f;
  bool compute_entropy_ = false;
  bool gen_organized_ = false;
  Constraint constraint_;

  MeshRayCaster ray_caster_;
  detail::MeshAreas areas_;
  detail::Unshared<Buffers> buffers_;

  std::vector<CameraView> cameras_;
  Views views_;
  std::vector<float> entropies_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/raycast/impl/render_views_tesselated_sphere.hpp>
#endif
