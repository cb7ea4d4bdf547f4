// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace benchmarks {

using Random = std::mt19937_64;

/** \brief A mesh that scenes are made of; the middle of its bounding box is the
 * origin. */
struct SceneMesh {
  std::string name;
  std::vector<Eigen::Vector3f> vertices;
  pcl::gpu::TriangleMesh mesh; ///< on the current device
  double area;                 ///< of all triangles, square metres
  float diameter;              ///< of the bounding box, metres
  /** \brief Points spread over the surface at random, for objects that must not
   * touch. */
  std::vector<Eigen::Vector3f> samples;
};

/** \brief Moves the middle of a mesh's bounding box to the origin.
 * \param[in] size of its longest side, metres; 0 to keep it
 */
SceneMesh
sceneMesh(const std::string& name, pcl::gpu::test::HostMesh mesh, float size);

/** \brief The 12 objects that are learned.
 * \param[in] folder of meshes, with the folder objects in it
 * \param[in] size longest side of their bounding boxes, metres
 * \throws std::runtime_error naming a file that cannot be read
 */
std::vector<SceneMesh>
libraryMeshes(const std::string& folder, float size);

/** \brief Nine objects that are not learned: five meshes, two boxes, a cylinder and a
 * sphere. See libraryMeshes(). */
std::vector<SceneMesh>
distractorMeshes(const std::string& folder, float size);

/** \brief A Kinect's intrinsics, 640 x 480. */
pcl::gpu::PinholeCamera
kinectCamera();

/** \brief A rotation, all equally likely. */
Eigen::Matrix3f
randomRotation(Random& random);

/** \brief Adds a Kinect's noise times a factor, see KinectNoise. */
pcl::gpu::test::Image<float>
withKinectNoise(const pcl::gpu::test::Image<float>& depth,
                Random& random,
                double factor = 1.0);

/** \brief Depth of a scene without noise; NaN where there is nothing. */
pcl::gpu::test::Image<float>
renderedDepth(const std::shared_ptr<pcl::gpu::MeshScene>& scene,
              const pcl::gpu::CameraView& view);

/** \brief Depth of one mesh, seen by kinectCamera(). */
pcl::gpu::test::Image<float>
renderedDepth(const SceneMesh& mesh, const pcl::gpu::Pose& pose);

/** \brief An object of a scene. */
struct PlacedObject {
  int object;          ///< number in the library; -1 if it is not in it
  pcl::gpu::Pose pose; ///< in the camera's frame
  /** \brief 1 - visible area / area of the mesh, eq. (7) of the paper. */
  double occlusion;
};

/** \brief Numbers of objects of a scene. */
struct SceneMix {
  int library;     ///< that are in the library
  int distractors; ///< that are not
  int same; ///< number of the first ones that are the same object; 0 and 1 for none
};

/** \brief Objects heaped on a table that stands on a floor. */
struct ClutterScene {
  std::vector<PlacedObject> objects;
  pcl::gpu::test::Image<float> depth; ///< noisy, metres
};

/** \brief Makes scenes of objects in any pose within a circle on a table, each by
 * itself on it, seen by a camera at 0.85 to 1 m, 30 to 55 degrees from above. */
class SceneMaker {
public:
  /** \brief The meshes are to live as long as this. */
  SceneMaker(const std::vector<SceneMesh>& library,
             const std::vector<SceneMesh>& distractors);

  /** \return the same scene for the same seed */
  ClutterScene
  make(const SceneMix& mix, std::uint64_t seed) const;

private:
  struct Placement;

  bool
  findPlace(const SceneMesh& mesh,
            const std::vector<Placement>& others,
            Random& random,
            pcl::gpu::Pose& pose) const;

  const std::vector<SceneMesh>& library_;
  const std::vector<SceneMesh>& distractors_;
  pcl::gpu::TriangleMesh table_;
  pcl::gpu::TriangleMesh floor_;
};

} // namespace benchmarks
