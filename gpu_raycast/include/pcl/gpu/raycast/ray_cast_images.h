// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/point_types.h>

namespace pcl::gpu {

/** \brief Place in its triangle (a, b, c) that a ray hits: (1 - u - v) a + u b + v c.
 * \ingroup gpu_raycast
 */
struct Barycentrics {
  float u; ///< weight of the second vertex, 0 to 1
  float v; ///< weight of the third vertex, 0 to 1
};

/** \brief The images that MeshRayCaster can make; combine them with |.
 * \ingroup gpu_raycast
 */
enum RayCastOutput : unsigned int {
  DepthOutput = 1,              ///< RayCastImages::depth
  TrianglesOutput = 2,          ///< RayCastImages::triangles
  BarycentricsOutput = 4,       ///< RayCastImages::barycentrics
  PointsOutput = 8,             ///< RayCastImages::points
  NormalsOutput = 16,           ///< RayCastImages::normals
  ColorsOutput = 32,            ///< RayCastImages::colors
  TextureCoordinatesOutput = 64 ///< RayCastImages::texture_coordinates
};

/** \brief All values of RayCastOutput. */
constexpr unsigned int all_ray_cast_outputs = 2 * TextureCoordinatesOutput - 1;

/** \brief Hits of the rays of a camera, one pixel a ray, in device memory.
 *
 * Only the images that were asked for exist. Images of several cameras lie below one
 * another in the order of the cameras.
 *
 * \ingroup gpu_raycast
 */
struct RayCastImages {
  /** \brief z in the camera's frame, metres; NaN where nothing is hit. */
  DeviceArray2D<float> depth;
  /** \brief Triangle ids (see MeshScene); -1 where nothing is hit. */
  DeviceArray2D<int> triangles;
  /** \brief Place in its triangle that the ray hits; NaN where nothing is hit. */
  DeviceArray2D<Barycentrics> barycentrics;
  /** \brief The points hit, an organized cloud, metres; NaN where nothing is hit. */
  DeviceArray2D<PointXYZ> points;
  /** \brief Unit normals on the side that the ray comes from; NaN where nothing is hit
   * or the normal is undefined. */
  DeviceArray2D<PointXYZ> normals;
  /** \brief Colours between those of the vertices; white with alpha 255 where the mesh
   * has none, 0 where nothing is hit. */
  DeviceArray2D<RGB> colors;
  /** \brief Between those of the vertices; NaN where the mesh has none or nothing is
   * hit. */
  DeviceArray2D<TextureCoordinate> texture_coordinates;
};

} // namespace pcl::gpu
