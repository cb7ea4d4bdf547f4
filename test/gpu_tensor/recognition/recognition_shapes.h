// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"
#include "testing/image.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief Objects of some 0.2 m that no turn maps onto themselves: "block" (an L),
 * "bracket" (two thin plates and a rib) and "cone" (three steps, each aside of the one
 * below). And "table" (a plate of 0.9 m about the origin, its top at z = 0), "corner"
 * (three such plates that meet in the origin) and "screen" (a thin plate of 0.3 m,
 * upright along y, whose left edge is x = 0). */
HostMesh
shapeMesh(const std::string& name);

/** \brief Middle of a shape's bounding box. */
Eigen::Vector3f
middleOf(const std::string& name);

/** \brief A point of a mesh. */
struct MeshPoint {
  float distance;         ///< from the wanted pose
  Eigen::Vector3f normal; ///< of its triangle
};

/** \brief The point of a mesh that is nearest to another one. */
MeshPoint
nearestPoint(const HostMesh& mesh, const Eigen::Vector3f& to);

/** \brief 320 x 240 pixels with a Kinect's angle of view. */
PinholeCamera
smallCamera();

/** \brief Sets a chain to all pixels of that camera's images, which are free of
 * noise. */
void
setSmallCamera(DepthMapTensorExtractionParameters& extraction);

/** \brief A shape in a scene, in the camera's frame. */
struct PlacedShape {
  std::string name;
  Pose pose;
};

/** \brief View of the small camera. */
struct SeenScene {
  Image<float> depth;      ///< NaN where there is nothing
  Image<int> instances;    ///< which of the shapes each pixel shows; -1 for none
  Image<PointXYZ> normals; ///< of the triangles

  /** \brief Least eigenvalue of the mean of n n^T over the normals n of a shape's
   * pixels: 0 if a shift or a turn does not change the visible part; at most 1/3. */
  float
  determinedness(int shape) const;
};

SeenScene
seenScene(const std::vector<PlacedShape>& shapes);

/** \brief Any rotation, and a middle 0.7 to 0.85 m away, near the camera's axis. */
Pose
randomPose(const std::string& name, std::uint32_t seed);

/** \brief A pose that puts the middle of a shape somewhere.
 * \param[in] seed of the rotation
 */
Pose
poseAt(const std::string& name, const Eigen::Vector3f& middle, std::uint32_t seed);

/** \brief Distance between two poses of a shape. */
struct PoseDifference {
  float distance; ///< of the shape's middles, metres
  float angle;    ///< radians
};

PoseDifference
poseDifference(const std::string& name, const Pose& a, const Pose& b);

/** \brief Parameters that shapes are learned and looked for with. */
TensorParameters
shapeParameters();

/** \brief A shape that was learned from 42 views on the current device. Shapes are
 * kept: a program learns each once a device. */
const TensorModel&
learnedShape(const std::string& name);

/** \brief A library of shapes. */
std::shared_ptr<TensorLibrary>
shapeLibrary(const std::vector<std::string>& names = {"block", "bracket", "cone"});

/** \brief The chain from a depth map to the objects in it. */
class ShapeFinder {
public:
  explicit ShapeFinder(const std::shared_ptr<TensorLibrary>& library = shapeLibrary());

  std::vector<RecognizedObject>
  find(const Image<float>& depth);

  /** \brief Computes tensors, and nothing else. */
  void
  extract(const Image<float>& depth);

  /** \brief Looks for objects in the last extracted tensors.
   * \param[in] recognition does it
   */
  std::vector<RecognizedObject>
  findWith(TensorRecognition& recognition) const;

  TensorRecognition recognition;
  DepthMapTensorExtraction extraction;
};

/** \brief Expects that an object is a shape in a pose.
 * \param[in] library with the shape
 * \param[in] distance largest error of the middle, metres
 * \param[in] degrees largest error of the rotation
 */
void
expectShape(const RecognizedObject& object,
            const TensorLibrary& library,
            const PlacedShape& shape,
            float distance = 0.001f,
            float degrees = 0.5f);

/** \brief Returns whether two lists of objects have the same bits. */
bool
sameObjects(const std::vector<RecognizedObject>& a,
            const std::vector<RecognizedObject>& b);

/** \brief Text of objects, to print. */
std::string
textOf(const std::vector<RecognizedObject>& objects);

} // namespace pcl::gpu::test
