// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/raycast/ray_cast_images.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Sides of a triangle that rays pass through.
 * \ingroup gpu_raycast
 */
enum class Culling {
  None,  ///< both sides are hit
  Back,  ///< only the side from which the vertices run counterclockwise is hit
  Front, ///< only the other side is hit
};

/** \brief How the first hit of each pixel's ray is found. All ways find the same.
 * \ingroup gpu_raycast
 */
enum class CastMethod {
  Automatic,  ///< what is measured to be fastest
  Visibility, ///< each triangle is tested against the pixels it can touch
  TileGrid    ///< each pixel against the triangles of its tile, as in the paper
};

/** \brief How the slabs of the tile grid lie between nearest and farthest triangle.
 * \ingroup gpu_raycast
 */
enum class SlabSpacing {
  ProjectedDepth, ///< equal steps of 1/z, as the paper's projected z has them
  Depth,          ///< equal steps of z
  Logarithm       ///< equal steps of log z
};

/** \brief Casts a ray through every pixel of a camera and finds what it hits first.
 *
 * After Patidar and Narayanan, Ray Casting Deformable Models on the GPU, 2008. Everything
 * is made anew in each call, from the vertices as they then are: meshes may deform in any
 * way from one call to the next.
 *
 * Two methods give the same answer, bit for bit, on every device:
 *  - Visibility: each triangle is tested against the pixels in its bounding rectangle only;
 *  - TileGrid: the paper's grid of image tiles and depth slabs (sections 3.1, 5, algorithms
 *    1 and 3), in which all rays of a tile are tested against all triangles of its slabs,
 *    front to back. Where the paper lets a ray drop out at the first slab that it hits
 *    something in (wrong for triangles that reach across slabs), here it drops out when
 *    its hit is nearer than everything to come; where the paper supposes that a triangle
 *    touches at most four tiles, here it may touch any number.
 *
 * The test of a ray and a triangle is watertight (Woop, Benthin, Wald: Watertight
 * Ray/Triangle Intersection, 2013, in the camera's frame): no ray passes between two
 * triangles that share an edge or a vertex. A ray exactly through an edge hits both
 * triangles; at equal depth the lowest triangle id wins.
 *
 * The cost of Visibility is O(vertices + triangles + pixels + the area of all triangles'
 * bounding rectangles); that of TileGrid O(triangles + tiles touched + rays times triangles
 * in the slabs they pass). Steady state neither allocates nor waits. One object serves one
 * call at a time.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshRayCaster {
public:
  /** \brief Makes a ray caster without a scene. */
  MeshRayCaster();

  /** \brief Copies scene and settings; the copy gets memory of its own.
   * \param[in] other stays as it is
   */
  MeshRayCaster(const MeshRayCaster& other);

  /** \brief Takes everything over.
   * \param[in,out] other can only be destroyed or assigned to afterwards
   */
  MeshRayCaster(MeshRayCaster&& other) noexcept;

  /** \brief Takes everything over; assigning a copy keeps the other as it is.
   * \param[in] other a ray caster
   * \return this ray caster
   */
  MeshRayCaster&
  operator=(MeshRayCaster other) noexcept;

  /** \brief Frees its memory. */
  ~MeshRayCaster();

  /** \brief Sets what rays are cast at.
   * \param[in] scene meshes and their poses, as they are at each cast()
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

  /** \return what rays are cast at; null if nothing was set */
  const MeshScene::ConstPtr&
  getScene() const;

  /** \brief Sets the depths between which hits count.
   * \param[in] nearest metres along the camera's z axis, exclusive, 0 or more; 0 by default
   * \param[in] farthest metres, inclusive, above \a nearest; infinity by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setDepthRange(float nearest, float farthest);

  /** \brief Sets which sides of triangles are hit.
   * \param[in] culling Culling::None by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setCulling(Culling culling);

  /** \brief Sets how hits are found.
   * \param[in] method CastMethod::Automatic by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setMethod(CastMethod method);

  /** \brief Sets the size of the tile grid's tiles.
   * \param[in] pixels along a side: 8 (the default, as in the paper), 16 or 32
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setTileSize(int pixels);

  /** \brief Sets the number of the tile grid's slabs.
   * \param[in] slabs 1 to 64; 16 by default, as in the paper
   * \param[in] spacing how they lie between nearest and farthest triangle
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setNumberOfSlabs(int slabs, SlabSpacing spacing = SlabSpacing::ProjectedDepth);

  /** \brief Counts the tests of a ray and a triangle that CastMethod::TileGrid makes, as
   * the paper's table 1 does.
   * \param[in] counter one element, to which each cast() adds; empty to count nothing
   * \throws pcl::BadArgumentException if it has more elements
   */
  void
  setTestCounter(const DeviceArray<unsigned long long>& counter);

  /** \brief Is told that the work of a stage has been put into a stream.
   *
   * The stages are "split" (the tiles and slabs of all triangles), "build" (the lists of the
   * grid) and "cast" of CastMethod::TileGrid, once a camera; "cast" of
   * CastMethod::Visibility; and "images", where they are written by a stage of its own.
   */
  using StageObserver = std::function<void(const char* stage, const Stream& stream)>;

  /** \brief Sets who is told of the stages of cast(), so that he can time them: he may wait
   * for the stream, or put events into it.
   * \param[in] observer is called by the thread that casts; empty (the default): nobody is
   * told. Copies of the ray caster start without.
   */
  void
  setStageObserver(const StageObserver& observer);

  /** \brief Sets which images cast() makes.
   * \param[in] outputs values of RayCastOutput combined with |; depth and triangles by
   * default
   * \throws pcl::BadArgumentException if none, or other bits are set
   */
  void
  setOutputs(unsigned int outputs);

  /** \brief Sets the frame of points and normals.
   * \param[in] world true for the world's, false (the default) for the camera's
   */
  void
  setOutputInWorldFrame(bool world);

  /** \brief Sets whether normals are interpolated between those of the vertices.
   * \param[in] smooth true (the default): where a mesh has normals; false: normals are
   * always those of the triangles
   */
  void
  setSmoothNormals(bool smooth);

  /** \brief Casts the rays of one camera.
   * \param[in] view the camera
   * \param[out] images get the camera's size; those not asked for are left alone
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const CameraView& view, RayCastImages& images, const Stream& stream = {});

  /** \brief Casts the rays of several cameras of one image size.
   * \param[in] views the cameras
   * \param[out] images those of the cameras below one another: that of camera i starts at
   * row i times height
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene, or sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const std::vector<CameraView>& views,
       RayCastImages& images,
       const Stream& stream = {});

private:
  struct Parameters {
    float nearest = 0.0f;
    float farthest = std::numeric_limits<float>::infinity();
    Culling culling = Culling::None;
    CastMethod method = CastMethod::Automatic;
    int tile_size = 8;
    int slabs = 16;
    SlabSpacing spacing = SlabSpacing::ProjectedDepth;
    unsigned int outputs = DepthOutput | TrianglesOutput;
    bool in_world_frame = false;
    bool smooth = true;
  };
  struct Buffers;

  void
  castViews(const CameraView* views,
            std::size_t count,
            RayCastImages& images,
            const Stream& stream);

  MeshScene::ConstPtr scene_;
  Parameters parameters_;
  DeviceArray<unsigned long long> test_counter_;
  StageObserver observer_;
  std::unique_ptr<Buffers> buffers_;
};

} // namespace pcl::gpu
