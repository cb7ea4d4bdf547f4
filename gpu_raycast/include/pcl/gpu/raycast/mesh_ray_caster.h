// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/culling.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/raycast/ray_cast_images.h>
#include <pcl/gpu/raycast/slab_spacing.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace pcl::gpu {

/** \brief Method that finds the first hit of each pixel's ray. All find the same.
 * \ingroup gpu_raycast
 */
enum class CastMethod {
  Automatic,  ///< the method that was measured to be fastest
  Visibility, ///< each triangle is tested against the pixels it can touch
  TileGrid    ///< each pixel against the triangles of its tile, as in the paper
};

/** \brief Parameters of MeshRayCaster.
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS MeshRayCasterParameters {
  /** \brief Hits at this depth or less do not count: metres along the camera's z axis,
   * 0 or more. */
  float nearest = 0.0f;
  /** \brief Hits beyond this depth do not count: metres, above \ref nearest. */
  float farthest = std::numeric_limits<float>::infinity();
  Culling culling = Culling::None; ///< sides of triangles that rays pass through
  CastMethod method = CastMethod::Automatic; ///< method that finds hits
  /** \brief Size of the tile grid's tiles: 8 pixels along a side, as in the paper, 16
   * or
   * 32. */
  int tile_size = 8;
  int slabs = 16; ///< of the tile grid, 1 to 64; 16 as in the paper
  /** \brief Spacing of the slabs between the nearest and the farthest triangle. */
  SlabSpacing slab_spacing = SlabSpacing::ProjectedDepth;
  /** \brief Images to make: values of RayCastOutput combined with |. */
  unsigned int outputs = DepthOutput | TrianglesOutput;
  /** \brief Frame of points and normals: true for the world's, false for the
   * camera's. */
  bool in_world_frame = false;
  /** \brief True if normals are interpolated between those of the vertices, where a
   * mesh has them; false if they are always those of the triangles. */
  bool smooth_normals = true;

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Casts a ray through every pixel of a camera and finds its first hit.
 *
 * After Patidar and Narayanan, Ray Casting Deformable Models on the GPU, 2008.
 * Everything is made anew in each call, from the vertices as they then are: meshes may
 * deform in any way from one call to the next.
 *
 * Two methods give the same answer, bit for bit, on every device:
 *  - Visibility: each triangle is tested against the pixels in its bounding rectangle
 *    only;
 *  - TileGrid: the paper's grid of image tiles and depth slabs (sections 3.1, 5,
 *    algorithms 1 and 3), in which all rays of a tile are tested against all triangles
 *    of its slabs, front to back. The paper's rays end at the first slab with a hit,
 *    which is wrong for triangles that reach across slabs; here a ray ends when its hit
 *    is nearer than everything to come. The paper's triangles touch at most four tiles;
 *    here they touch any number.
 *
 * The test of a ray and a triangle is watertight (Woop, Benthin, Wald: Watertight
 * Ray/Triangle Intersection, 2013, in the camera's frame): no ray passes between two
 * triangles that share an edge or a vertex. A ray exactly through an edge hits both
 * triangles; at equal depth the lowest triangle id wins.
 *
 * The cost of Visibility is O(vertices + triangles + pixels + the area of all
 * triangles' bounding rectangles); that of TileGrid O(triangles + tiles touched + rays
 * times triangles in the slabs they pass). Steady state neither allocates nor waits.
 * One object serves one call at a time.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshRayCaster : public MeshSceneInput,
                                  public Parameterized<MeshRayCasterParameters> {
public:
  /** \brief Makes the scenes of several processes one: for a mesh that is larger than
   * the memory of one device.
   *
   * Each process (rank) has a scene of its own triangles, or of none, on the
   * communicator's device. All ranks cast with the same parameters and cameras, and all
   * get the images of the whole, bit for bit those of one ray caster whose scene has
   * the instances of all ranks in the order of the ranks.
   *
   * Triangle ids count on over the ranks: those of rank 1 begin behind those of rank 0,
   * which begin at 0. If the scenes before rank r's have n triangles together, then
   * MeshScene::findTriangle(id - n) of rank r's scene takes an id of its triangles
   * apart. If the ranks have runs of one mesh's triangles, as Communicator::shares()
   * cuts them, ids are those of the mesh.
   *
   * The first cast() exchanges the numbers of triangles, and waits for them. Later ones
   * do not, so each rank's number must stay; meshes may move and deform. After a change
   * of a number, set the communicator again, on all ranks.
   *
   * Each cast() exchanges 8 bytes a pixel. Images other than depth and triangles take
   * their own bytes, too, 52 for all of them, and as much scratch memory. The time to
   * find hits shrinks with the number of ranks, the time to exchange and write images
   * does not.
   *
   * MeshRenderer and MeshRayQuery have no such exchange: their scenes fit one device.
   *
   * If a rank fails, cast() of the others throws CommunicationException. On a CUDA
   * device, Communicator::synchronize() may be the first to throw it.
   *
   * \param[in] communicator that of all ranks; null (the default) for a scene alone
   */
  void
  setCommunicator(const Communicator::Ptr& communicator);

  /** \brief Counts the tests of a ray and a triangle that CastMethod::TileGrid makes,
   * as the paper's table 1 does.
   * \param[in] counter one element, to which each cast() adds; empty to count nothing
   * \throws pcl::BadArgumentException if it has more elements
   */
  void
  setTestCounter(const DeviceArray<unsigned long long>& counter);

  /** \brief Called when the work of a stage has been put into a stream.
   *
   * The stages are "split" (the tiles and slabs of all triangles), "build" (the lists
   * of the grid) and "cast" of CastMethod::TileGrid, once a camera; "cast" of
   * CastMethod::Visibility; and "images", where they are written by a stage of its own.
   * With a communicator, "exchange" follows "cast", and follows "images" if other
   * images than depth and triangles are made.
   */
  using StageObserver = std::function<void(const char* stage, const Stream& stream)>;

  /** \brief Sets a callback invoked after each stage of cast() has been queued. It may
   * wait for the stream, or put events into it, to time the stages.
   * \param[in] observer called by the thread that casts; empty (the default) for none.
   * Copies of the ray caster start without.
   */
  void
  setStageObserver(const StageObserver& observer);

  /** \brief Casts the rays of one camera.
   * \param[in] view the camera
   * \param[out] images get the camera's size; those not asked for are left alone
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene, or if it does not fit the
   * communicator
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const CameraView& view, RayCastImages& images, const Stream& stream = {})
  {
    cast(std::vector<CameraView>{view}, images, stream);
  }

  /** \brief Casts the rays of several cameras of one image size.
   * \param[in] views the cameras
   * \param[out] images those of the cameras below one another: that of camera i starts
   * at row i times height
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene, if sizes differ, or if the
   * scene does not fit the communicator
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  cast(const std::vector<CameraView>& views,
       RayCastImages& images,
       const Stream& stream = {});

private:
  struct Buffers;

  Communicator::Ptr communicator_;
  DeviceArray<unsigned long long> test_counter_;
  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
