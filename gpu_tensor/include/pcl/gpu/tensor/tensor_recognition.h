// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/recognized_object.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_recognition_parameters.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Finds the objects of a library in a scene: which, where, how many of each.
 *
 * What Orts-Escolano et al. 2014 (section 5) leave as future work, on their tensors; the
 * steps are those of Mian et al. 2006 (PAMI 28(10), section 5), except that poses are
 * grouped before they are verified:
 *  1. Each tensor of the scene is matched with the library's (TensorMatching).
 *  2. Each match says where its model would be: T = F_s F_m^-1 with the frames of both.
 *  3. The support of such a hypothesis is the sum, over the scene's tensors, of the best
 *     score (coefficient times overlap) among their hypotheses in nearly the same pose. The
 *     hypotheses whose support is the largest around are candidates; their poses are means
 *     of the hypotheses around.
 *  4. Each candidate is moved to the scene's surface (iterative closest points, point to
 *     plane), and judged by the model's points that should be seen: whether the surface goes
 *     through them, is in front of them (they are hidden), or behind (the camera sees
 *     through the object, which cannot be). Where the model ends at an edge but the scene's
 *     surface goes on, in its plane, it may be part of something larger.
 *  5. Of candidates that pass, those that explain what others explain better are dropped:
 *     two poses of one object, two objects in one place. Any number of objects may be of
 *     one model.
 *  6. Each point of the scene is assigned to the object whose surface it is on.
 *
 * Distances are in resolutions of the library (TensorParameters). The defaults suit objects
 * of some 70 resolutions and a Kinect's noise, filtered as DepthMapTensorExtraction does.
 *
 * O(tensors x tensors of the library + hypotheses^2 + candidates x rounds x points). The
 * result is the same, bit for bit, on every run. Steady state neither allocates nor waits,
 * but for getObjects().
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorRecognition {
public:
  /** \brief Makes a recognition without a library. */
  TensorRecognition();

  /** \brief Copies library and settings; the copy has no results.
   * \param[in] other stays as it is
   */
  TensorRecognition(const TensorRecognition& other);

  /** \brief Takes everything over.
   * \param[in,out] other can only be destroyed or assigned to afterwards
   */
  TensorRecognition(TensorRecognition&& other) noexcept;

  /** \brief Takes everything over; assigning a copy keeps the other as it is.
   * \param[in] other a recognition
   * \return this recognition
   */
  TensorRecognition&
  operator=(TensorRecognition other) noexcept;

  /** \brief Frees its memory. */
  ~TensorRecognition();

  /** \brief Sets the objects to look for.
   * \param[in] library may change between calls of compute(); only one recognition, or one
   * device, should use it at a time: it has one table
   * \throws pcl::BadArgumentException if null
   */
  void
  setLibrary(const std::shared_ptr<TensorLibrary>& library);

  /** \return the objects to look for; null if they were not set */
  const std::shared_ptr<TensorLibrary>&
  getLibrary() const;

  /** \return how tensors are matched: two matches for each, of an overlap and a coefficient of
   * 0.4 at least, ranked by their product, unless set otherwise */
  TensorMatching&
  matching();

  /** \brief Sets which hypotheses agree with each other.
   * \param[in] distance of the models' centres, resolutions; 6 by default
   * \param[in] angle between them, radians; 15 degrees by default
   * \throws pcl::BadArgumentException unless positive and finite, the angle at most pi
   */
  void
  setGroupingRadius(float distance, float angle);

  /** \brief Sets how many candidates are looked at more closely, those of most support.
   * \param[in] candidates 1 or more; 150 by default
   * \throws pcl::BadArgumentException if less than 1
   */
  void
  setMaxCandidates(int candidates);

  /** \brief Sets how candidates are refined.
   * \param[in] rounds 0 to 64; 12 by default
   * \param[in] points how many of the model's points each round takes at most, 1 or more; 300
   * by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setRefinement(int rounds, int points);

  /** \brief Sets how far a point may be from the scene's surface to be drawn to it.
   * \param[in] first in the first round, resolutions; 9 by default
   * \param[in] last in the last round, not more than \a first; 2.25 by default. In between the
   * distance falls in equal ratios
   * \throws pcl::BadArgumentException unless positive, finite and in this order
   */
  void
  setRefinementDistances(float first, float last);

  /** \brief Sets how near the scene's surface has to be for a point to be an inlier.
   * \param[in] distance resolutions; 1.5 by default, some three standard deviations of the
   * filtered depth
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setInlierDistance(float distance);

  /** \brief Sets from which distance on a surface behind a point is seen through it, and one
   * in front hides it.
   * \param[in] distance resolutions; 3 by default
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setFreeDistance(float distance);

  /** \brief Sets the least share of the points to be seen that have to be inliers.
   * \param[in] share 0 to 1; 0.4 by default: objects of which less is visible are not found
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinVisible(float share);

  /** \brief Sets the least RecognizedObject::fit.
   * \param[in] fit 0 to 1; 0.55 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinFit(float fit);

  /** \brief Sets the largest RecognizedObject::violations.
   * \param[in] share 0 to 1; 0.05 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMaxViolations(float share);

  /** \brief Sets the least RecognizedObject::spread, which rejects what lies flat in a plane:
   * planes fit anywhere.
   * \param[in] spread 0 to 0.5; 0.12 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinSpread(float spread);

  /** \brief Sets the least number of inliers.
   * \param[in] points 0 or more; 40 by default
   * \throws pcl::BadArgumentException if less than 0
   */
  void
  setMinInliers(int points);

  /** \brief Sets the least RecognizedObject::confidence.
   * \param[in] confidence 0.62 by default; fewer false objects are found with more
   * \param[in] support_weight of the natural logarithm of RecognizedObject::support in the
   * confidence, to which the fit is added, and from which half the share of the model's
   * edges is taken that the scene's surface goes on beyond; 0.08 by default
   * \throws pcl::BadArgumentException unless finite, the weight not negative
   */
  void
  setMinConfidence(float confidence, float support_weight = 0.08f);

  /** \brief Sets how much of what an object explains may be explained by others already.
   * \param[in] share of its inliers, 0 to 1; 0.4 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMaxShared(float share);

  /** \brief Switches the last step on or off, in which points are assigned to objects.
   * \param[in] enabled true by default; pixelObjects() is empty without
   */
  void
  setSegmentationEnabled(bool enabled);

  /** \brief Sets whether it counts against an object that the scene's surface goes on where the
   * model ends at an edge.
   * \param[in] enabled true by default; false for models that are views, which also end where
   * their camera saw no more
   */
  void
  setOutlinesJudged(bool enabled);

  /** \brief Returns the parameters.
   * \return all but those of matching()
   */
  const TensorRecognitionParameters&
  getParameters() const;

  /** \brief Looks for the objects in a scene.
   * \param[in] cloud the scene, organized, in its camera's frame, metres
   * \param[in] normals of the cloud
   * \param[in] camera intrinsics of the cloud's pixels; width and height may be 0
   * \param[in] tensors of the cloud, computed with the library's parameters
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no library or it has no parameters, sizes
   * differ, inputs are on different devices, or grids have another size than the library's
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const PinholeCamera& camera,
          const TensorSet& tensors,
          const Stream& stream = {});

  /** \return the objects of the last compute(), the best score first; only the first
   * objectCount() are there */
  const DeviceArray<RecognizedObject>&
  objects() const;

  /** \return one element: how many objects there are */
  const DeviceArray<int>&
  objectCount() const;

  /** \return for each point of the cloud the place among objects() of that whose surface it is
   * on; -1 if it is on none */
  const DeviceArray2D<int>&
  pixelObjects() const;

  /** \brief Copies the objects of the last compute() to host memory. Waits for the device.
   * \return the objects, the best score first
   * \throws DeviceException if the device fails
   */
  std::vector<RecognizedObject>
  getObjects() const;

private:
  struct Buffers;

  std::shared_ptr<TensorLibrary> library_;
  TensorMatching matching_;
  TensorRecognitionParameters parameters_;
  std::unique_ptr<Buffers> buffers_;
};

/** \brief The pose of an object.
 * \param[in] rows of its transform, as RecognizedObject has them
 * \return maps the model's points into the frame of the scene's camera, metres
 */
PCL_EXPORTS Pose
toPose(const float (&rows)[3][4]);

} // namespace pcl::gpu
