// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <Eigen/StdVector>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Pose of one view in another one, and its quality.
 * \ingroup gpu_tensor_types
 */
struct ViewAlignment {
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW

  int source = 0; ///< number of the view
  int target = 0; ///< number of the view that it was found in
  /** \brief Maps points of the source's cloud into the frame of the target's. */
  Pose pose = Pose::Identity();
  /** \brief Share of a view's points on the other one's surface, each weighted by how
   * well it fits, among all points that nothing hides; the smaller of the source's in
   * the target and the target's in the source. */
  float fit = 0.0f;
  float visible = 0.0f; ///< share of a view's points that the other view also shows
  float score = 0.0f;   ///< the larger, the surer
  int inliers = 0;      ///< points of a view on the other one's surface
};

/** \brief Parameters of a TensorViewRegistration.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorViewRegistrationParameters {
  /** \brief Parameters by which alignments are found, before both views judge them. */
  TensorRecognitionParameters recognition;
  PoseVerificationParameters verification; ///< by which both views judge
  /** \brief \ref glossary_resolution "Resolution" that all lengths of pairs, voxels and
   * tolerances are multiples of, metres; 0 for the spacing of the pixels that are used
   * of the first view, at its median depth. */
  float resolution = 0.0f;
  int source_tensors = 3000; ///< by which a view is looked for, 1 or more
  int target_tensors = 1000; ///< by which one is looked for in a view, 1 or more
  /** \brief Least share of a view's points that have to be visible in the other one, of
   * those that its camera should see; 0 to 1. */
  float min_overlap = 0.2f;
  /** \brief Least ViewAlignment::fit, 0 to 1: views of different objects fit by 0.52 at
   * most. */
  float min_fit = 0.55f;

  /** \brief Makes the defaults. */
  TensorViewRegistrationParameters();

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Registers range views of one scene or object without an initial guess.
 *
 * Looks for a view in another one as TensorRecognition looks for an object: matches the
 * tensors of one with those of the other (Orts-Escolano et al. 2014, section 4.3), and
 * each match gives a pose. Poses are refined with each view's points on the other
 * one's surface, and verified both ways: no point of either view may lie where the
 * other camera saw something else, or nothing. Puts any number of views into one frame:
 * tries all pairs, and keeps the surest alignments that connect them all (a maximum
 * spanning tree, as in Mian et al. 2006, IJCV 66(1), section 5).
 *
 * Works on the calling thread's current device. Deterministic.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorViewRegistration
: public Parameterized<TensorViewRegistrationParameters> {
public:
  /** \brief Alignments in the order of their targets, then sources. */
  using Alignments =
      std::vector<ViewAlignment, Eigen::aligned_allocator<ViewAlignment>>;
  /** \brief One for each view: maps its points into the common frame. */
  using Poses = std::vector<std::optional<Pose>>;

  /** \brief Sets the parameters.
   * \param[in] parameters of all steps. The resolution takes effect on views that are
   * added from then on, the numbers of tensors on views that were not aligned before
   * \throws pcl::BadArgumentException as TensorViewRegistrationParameters::validate()
   */
  void
  setParameters(const TensorViewRegistrationParameters& parameters);

  /** \brief Returns the resolution that is used.
   * \return metres; 0 if none is set and there is no view yet
   */
  float
  usedResolution() const
  {
    return resolution_;
  }

  /** \brief Adds a view. Copies it, and leaves the device alone.
   * \param[in] view depth map, camera and pose
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException if the view's depth map has another size than its
   * camera, or no depth, or its camera or pose is invalid
   * \throws DeviceException if the device fails or runs out of memory
   */
  int
  addView(const RangeView& view);

  /** \brief Adds the view that a cloud was seen in, see toRangeView().
   * \param[in] cloud the cloud
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException as toRangeView()
   * \throws DeviceException if the device fails or runs out of memory
   */
  int
  addView(const PointCloud<PointXYZ>& cloud);

  /** \return the number of views */
  int
  size() const
  {
    return static_cast<int>(views_.size());
  }

  /** \brief Forgets all views; settings stay. */
  void
  clear()
  {
    views_.clear();
    resolution_ = parameters_.resolution;
  }

  /** \brief Looks for one view in another one. Waits for the device.
   * \param[in] source number of a view
   * \param[in] target number of another view
   * \return its alignment with the target; nothing if it was not found
   * \throws pcl::BadArgumentException if there is no such view, or both are the same
   * \throws DeviceException if the device fails or runs out of memory
   */
  std::optional<ViewAlignment>
  align(int source, int target);

  /** \brief Looks for every view in all views that were added after it. Waits for the
   * device.
   * \return the surest alignment of each pair of views that has one
   * \throws DeviceException if the device fails or runs out of memory
   */
  Alignments
  alignAll();

  /** \brief Puts views into the frame of the first one's cloud.
   * \param[in] alignments as alignAll() returns them
   * \return for each view its pose; nothing for those that no alignments connect with
   * the first
   * \throws pcl::BadArgumentException if a view of an alignment is none
   */
  Poses
  connect(const Alignments& alignments) const;

private:
  struct View {
    RangeView range;
    /** \brief Has the surface once the view was used, and tensors once it was looked
     * for. */
    TensorModel model;
    OrganizedCloud cloud; ///< of the surface, in the camera's frame
    NormalMap normals;
    PinholeCamera camera; ///< of the cloud's pixels
  };

  struct MutualFit;

  void
  checkView(const char* name, int view) const;

  /** \brief Computes a view's surface and tensors; the surface is kept. */
  void
  prepare(View& view, int tensors);

  const TensorModel&
  modelOf(int view);

  /** \brief Refines poses so that each view's points lie on the other one's surface,
   * and judges them both ways. Waits for the device.
   * \param[in] library its model 0 is the first view's points, 1 the second's
   * \param[in] objects poses that map the first view's points into the second's frame;
   * one or more
   * \return one for each pose, in their order
   */
  std::vector<MutualFit>
  fitViews(const View& first,
           const View& second,
           TensorLibrary& library,
           const std::vector<RecognizedObject>& objects);

  /** \brief Looks for a view, whose model is complete, in the view that was prepared
   * last. */
  std::optional<ViewAlignment>
  findInPrepared(int source, int target);

  DepthMapTensorExtraction extraction_;
  TensorRecognition recognition_;
  Workspace workspace_;
  std::vector<View> views_;
  float resolution_ = 0.0f; ///< that is used
};

} // namespace pcl::gpu
