// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../gpu_tensor/experiments/recognition_scenes.h"
#include "bop_folder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Returns the pose of a table under objects.
 *
 * No vertex is beneath the plane. Among such planes that the camera, in the origin,
 * sees from above, it is the one that most objects stand on: poses of real objects are
 * some millimetres wrong, so an object within 1.5 cm counts in part.
 * \param[in] objects their outermost vertices, in the frame of the camera
 * \return table-to-camera; z is the normal, towards the camera, y leads away from it,
 * and the origin is beneath the middle of all vertices
 */
pcl::gpu::Pose
tableUnder(const std::vector<std::vector<Eigen::Vector3f>>& objects);

/** \brief Renders the objects of BOP's images in their true poses, on a table with
 * clutter.
 *
 * The table is 1.3 m by 1 m large and 0.75 m above a floor, with a wall 0.9 m behind
 * the objects. Up to 16 things that are in no library lie on it: boxes, cylinders, and
 * meshes of 6 to 25 cm. They do not touch the objects, and hide nothing of them.
 */
class ArrangementMaker {
public:
  /** \brief Uploads the objects' meshes.
   * \param[in] meshes of the objects
   * \param[in] clutter folder of other meshes, all of whose PLY files are used
   * \throws std::runtime_error naming a file or folder that cannot be read
   */
  ArrangementMaker(const std::vector<BopMesh>& meshes, const std::string& clutter);

  /** \brief Renders an arrangement.
   * \param[in] image all objects must have meshes
   * \param[in] camera of the picture, with its size
   * \param[in] noise as a multiple of that of withSensorNoise()
   * \param[in] seed other seeds, other clutter and noise
   * \return depth in metres; NaN where there is nothing
   */
  pcl::gpu::test::Image<float>
  render(const BopImage& image,
         const pcl::gpu::PinholeCamera& camera,
         double noise,
         std::uint64_t seed) const;

private:
  struct Object {
    pcl::gpu::TriangleMesh mesh;
    std::vector<Eigen::Vector3f> samples;   ///< of its surface
    std::vector<Eigen::Vector3f> outermost; ///< vertices, in any direction
  };

  /** \brief Samples of something in a scene, and a ball around them. */
  struct Body {
    std::vector<Eigen::Vector3f> samples;
    Eigen::Vector3f middle;
    float radius;
  };

  static Body
  bodyOf(const std::vector<Eigen::Vector3f>& samples, const pcl::gpu::Pose& pose);

  static bool
  touches(const Body& a, const Body& b);

  void
  addClutter(const pcl::gpu::Pose& table,
             const pcl::gpu::PinholeCamera& camera,
             const pcl::gpu::test::Image<float>& objects,
             std::vector<Body>& bodies,
             Random& random,
             pcl::gpu::MeshScene& scene) const;

  /** \brief Makes a thing; two of three boxes and cylinders stand upright.
   * \param[out] pose its rotation on the table, without translation
   */
  SceneMesh
  randomThing(Random& random, pcl::gpu::Pose& pose) const;

  std::map<int, Object> objects_;
  std::vector<pcl::gpu::test::HostMesh> clutter_;
};

} // namespace benchmarks
