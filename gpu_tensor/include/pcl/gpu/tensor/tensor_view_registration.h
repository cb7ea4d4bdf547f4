// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/pcl_exports.h>

#include <Eigen/StdVector>

#include <optional>
#include <vector>

namespace pcl {
namespace gpu {

/** \brief How one view lies in another one.
 * \ingroup gpu_tensor_types
 */
struct ViewAlignment {
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW

  int source = 0; ///< number of the view
  int target = 0; ///< number of the view that it was found in
  /** \brief Maps points of the source's cloud into the frame of the target's. */
  Pose pose = Pose::Identity();
  float fit = 0.0f;     ///< see RecognizedObject
  float visible = 0.0f; ///< share of the source's points that the target shows, too
  float score = 0.0f;   ///< the larger, the surer
  int inliers = 0;      ///< points of the source on the target's surface
};

/** \brief Registers range views of one scene or object without any guess where they lie.
 *
 * A view is looked for in another one as TensorRecognition looks for an object: the tensors of
 * one are matched with those of the other (Orts-Escolano et al. 2014, section 4.3), matches
 * vote for a pose, which is refined and verified. Any number of views can be put into one
 * frame: all pairs are tried, and the surest alignments that connect them all are kept (a
 * maximum spanning tree, as in Mian et al. 2006, IJCV 66(1), section 5).
 *
 * Works on the calling thread's current device. Deterministic.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorViewRegistration {
public:
  /** \brief Alignments in the order of their targets, then sources. */
  using Alignments =
      std::vector<ViewAlignment, Eigen::aligned_allocator<ViewAlignment>>;
  /** \brief One for each view: maps its points into the common frame. */
  using Poses = std::vector<std::optional<Pose>>;

  /** \brief Makes a registration without views. */
  TensorViewRegistration();

  /** \brief Sets the resolution that all lengths of pairs, voxels and tolerances are multiples
   * of. Takes effect on views that are added from then on, and should be set before.
   * \param[in] resolution metres; 0, the default, for the spacing of the pixels that are used
   * of the first view, at its median depth
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setResolution(float resolution);

  /** \return the resolution that is used, metres; 0 if there is no view yet */
  float
  getResolution() const;

  /** \brief Sets how many tensors views are described by. Takes effect on views that were not
   * aligned before.
   * \param[in] source by which a view is looked for, at least 1; 3000 by default
   * \param[in] target by which one is looked for in a view, at least 1; 1000 by default
   * \throws pcl::BadArgumentException if less than 1
   */
  void
  setTensorCounts(int source, int target);

  /** \brief Sets the least share of a view that has to be visible in another one.
   * \param[in] share 0 to 1; 0.2 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinOverlap(float share);

  /** \return the settings by which alignments are found and judged */
  TensorRecognition&
  recognition();

  /** \brief Adds a view.
   * \param[in] view depth map, camera and pose
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException if the view's depth map has another size than its
   * camera, or no depth, or its camera or pose cannot be
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

  /** \return how many views there are */
  int
  size() const;

  /** \brief Forgets all views; settings stay. */
  void
  clear();

  /** \brief Looks for one view in another one.
   * \param[in] source number of a view
   * \param[in] target number of another view
   * \return how it lies there; nothing if it was not found
   * \throws pcl::BadArgumentException if there is no such view, or both are one
   * \throws DeviceException if the device fails or runs out of memory
   */
  std::optional<ViewAlignment>
  align(int source, int target);

  /** \brief Looks for every view in all views that were added after it.
   * \return the surest alignment of each pair, where there is one
   * \throws DeviceException if the device fails or runs out of memory
   */
  Alignments
  alignAll();

  /** \brief Puts views into the frame of the first one's cloud.
   * \param[in] alignments as alignAll() returns them
   * \return for each view its pose; nothing for those that no alignments connect with the
   * first
   * \throws pcl::BadArgumentException if a view of an alignment is none
   */
  Poses
  connect(const Alignments& alignments) const;

private:
  struct View {
    RangeView range;
    /** \brief Made when the view is first looked for; without a name before. */
    TensorModel model;
  };

  void
  checkView(const char* name, int view) const;

  void
  prepare(const RangeView& view, int tensors);

  const TensorModel&
  modelOf(int view);

  /** \brief Looks for a view, whose model is there, in the one that was prepared last. */
  std::optional<ViewAlignment>
  findInPrepared(int source, int target);

  DepthMapTensorExtraction extraction_;
  TensorRecognition recognition_;
  std::vector<View> views_;
  float set_resolution_ = 0.0f;
  float resolution_ = 0.0f;
  int source_tensors_ = 3000;
  int target_tensors_ = 1000;
};

} // namespace gpu
} // namespace pcl
