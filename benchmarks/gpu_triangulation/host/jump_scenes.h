// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_types.h>

#include <string>
#include <vector>

namespace benchmarks {

/** \brief Noise of a sensor. */
enum class Sensor {
  Kinect, ///< steps of 1/8 pixel of disparity; deviation 0.0012 + 0.0019 (z - 0.4)^2 m
  RealSense ///< deviation of 0.05 pixels of disparity, base 5 cm
};

/** \brief Standard deviation of a sensor's noise at depth z, metres. */
float
noiseDeviation(Sensor sensor, float z);

/** \brief Results are judged up to this depth, metres. */
constexpr float farthest = 4.0f;

/** \brief Kinds of triangles of neighbouring pixels, by the rendered scene. */
enum class Truth : unsigned char {
  Unclear, ///< corners of mixed depth near the surface, or small steps
  Surface, ///< all corners are on one surface
  Jump     ///< corners are on both sides of a jump in depth
};

/** \brief A depth map, and the truth about it. */
struct JumpScene {
  pcl::gpu::PinholeCamera camera;
  pcl::gpu::test::Image<float> depth; ///< measured, metres; NaN if not measured
  pcl::gpu::test::Image<float> exact; ///< of the pixel's centre
  pcl::gpu::test::Image<float> mixed; ///< mean over the pixel, without noise
  pcl::gpu::test::Image<float> range; ///< of depth within the pixel, metres
  /** \brief Greatest jump on the way from a pixel to the next one on the right, below,
   * and from the one on the right to that below, metres; 0 on smooth surfaces. */
  pcl::gpu::test::Image<float> jumps[3];
  /** \brief Normals of the surfaces that the pixels' centres see. */
  pcl::gpu::test::Image<pcl::PointXYZ> normals;
};

/** \brief Renders objects, poles and sheets before a slanted wall over a floor, 0.5 to
 * 4 m away.
 *
 * A pixel's depth is the mean over its area: mixed where there is a jump.
 * \param[in] meshes files of the objects
 * \param[in] seed of the arrangement and of the noise
 */
JumpScene
renderJumpScene(const std::vector<std::string>& meshes, Sensor sensor, unsigned seed);

/** \brief The truth about both triangles of a quad that is cut from its right to its
 * lower pixel.
 * \param[in] least_jump the least jump that counts, metres; jumps of less than 10
 * deviations of the noise do not count
 * \param[in] points the depth of the mesh's vertices, metres. A corner of mixed depth
 * makes a triangle span a jump if its vertex is further from the surface than noise is,
 * or removed.
 * \param[out] upper, lower the truth
 */
void
truthOfQuad(const JumpScene& scene,
            Sensor sensor,
            float least_jump,
            const pcl::gpu::test::Image<float>& points,
            int u,
            int v,
            Truth& upper,
            Truth& lower);

} // namespace benchmarks
