// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Parameters of a TensorModelLearning.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorModelLearningParameters {
  /** \brief Parameters by which depth maps become tensors; camera and resolution have
   * to be set. 150 tensors a view unless set otherwise. */
  DepthMapTensorExtractionParameters extraction;
  int point_count = 1000; ///< points of a model at most, 1 or more
  /** \brief Least number of voxels that are not empty in a tensor, 0 or more; others
   * are too small to differ. */
  int min_voxels = 20;

  /** \brief Makes the defaults, without camera and resolution. */
  TensorModelLearningParameters();

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Learns a model from depth maps of an object, or from its mesh.
 *
 * Keeps some tensors of each view, and some points of its surface with their normals,
 * after filtering and normal estimation as in scenes. getModel() thins out the points
 * by farthest point sampling (Gonzalez 1985), in space and by their normals, so that
 * both sides of thin parts remain. The first points, for any number, are spread evenly.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorModelLearning
: public Parameterized<TensorModelLearningParameters> {
public:
  /** \brief Adds a view that shows nothing but the object. Waits for the device.
   *
   * All inputs are on the calling thread's current device.
   * \param[in] depth metres; pixels without the object have to be missing: 0 or not
   * finite
   * \param[in] pose of the camera in the model's frame: camera-to-model
   * \throws pcl::BadArgumentException as DepthMapTensorExtraction::compute(), or if \a
   * pose is not rigid
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  addView(const DepthMap& depth, const Pose& pose);

  /** \brief Adds views of a mesh, rendered by the camera of the parameters
   * (MeshRayCaster).
   *
   * The camera looks at the middle of the bounding box, from directions that are spread
   * evenly over the sphere, and turned about its axis at random. The model's frame is
   * the mesh's. Depth maps are free of noise: tensors of noisy ones are no better.
   * Waits for the device.
   * \param[in] mesh on the current device, in metres
   * \param[in] views number of views, 1 or more
   * \param[in] distance of the camera from the middle, metres; should be that of the
   * objects in scenes
   * \param[in] seed other seeds turn cameras otherwise
   * \param[in] observer called with the number of views done so far; may be empty
   * \throws pcl::BadArgumentException if \a views or \a distance cannot be, the camera
   * has no size, or no triangle has a finite vertex; as for a mesh in other units than
   * metres: if the diagonal of the bounding box is shorter than the least distance of a
   * pair, or so long that the camera is inside, or if the camera is so far off that
   * neighbouring pixels are farther apart than the points of a pair
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  addViews(const TriangleMesh& mesh,
           int views,
           float distance,
           std::uint64_t seed = 0,
           const std::function<void(int)>& observer = {});

  /** \brief Returns the model of the views added so far, with the symmetries of all
   * points. O(points of all views x points of the model).
   * \param[in] name of the model
   * \return the model; without tensors if views had none
   */
  TensorModel
  getModel(const std::string& name) const;

  /** \brief Forgets all views; settings stay. */
  void
  clear()
  {
    model_ = TensorModel();
  }

private:
  DepthMapTensorExtraction extraction_;
  /** \brief Tensors of all views, and all of their points that are kept. */
  TensorModel model_;
};

/** \brief Unit vectors that are spread evenly over the sphere: a Fibonacci lattice.
 * \param[in] count number of vectors, 1 or more
 * \return the vectors, the same ones each time
 * \throws pcl::BadArgumentException if less than 1
 * \ingroup gpu_tensor
 */
PCL_EXPORTS std::vector<Eigen::Vector3f>
evenDirections(int count);

} // namespace pcl::gpu
