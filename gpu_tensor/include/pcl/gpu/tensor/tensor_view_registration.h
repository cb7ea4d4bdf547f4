// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>
#include <Eigen/StdVector>

#include <memory>
#include <optional>
#include <vector>

namespace pcl::gpu {

struct EvenSurface;
class SurfaceOnDevice;

/** \brief Pose of one view in another one, and its quality.
 * \ingroup gpu_tensor_types
 */
struct ViewAlignment {
  EIGEN_MAKE_ALIGNED_OPERATOR_NEW

  int source = 0; ///< number of the view
  int target = 0; ///< number of the view that it was found in
  /** \brief Maps points of the source's cloud into the frame of the target's. */
  Pose pose = Pose::Identity();
  /** \brief Share of the points on the other view's surface, each weighted by how well
   * it fits, in all that speaks for and against the pose: the geometric mean of both
   * ways. Half of the points near the surface but not on it speak against the pose,
   * points before the surface five times, points that the other camera sees through ten
   * times, and points where it measured nothing once. It is less where small parts lie
   * on each other in planes of nearly one direction only. */
  float fit = 0.0f;
  /** \brief Share of a view's points on the other one's surface, each weighted by how
   * well it fits; the mean of both ways. */
  float overlap = 0.0f;
  float score = 0.0f; ///< the larger, the surer
  /** \brief Points of a view on the other one's surface, of 3000 or fewer that are
   * looked at; the fewer of both ways. */
  int inliers = 0;
};

/** \brief Parameters of a TensorViewRegistration.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorViewRegistrationParameters {
  TensorMatchingParameters matching; ///< of matching tensors
  /** \brief \ref glossary_resolution "Resolution", metres: the distance of neighbouring
   * points that are used, and the unit of all lengths. 0 for two and a half times the
   * distance of neighbouring points of the first view, or 0.0055 of its extent's
   * diagonal without outliers, whichever is larger. */
  float resolution = 0.0f;
  int max_tensors = 2000; ///< of each view, 1 or more
  /** \brief Hypotheses that are moved to the surface, those that fit it best; 1 or
   * more. */
  int max_hypotheses = 1000;
  int max_candidates =
      100; ///< different poses that are judged by all points, 1 or more
  float min_overlap = 0.05f; ///< least ViewAlignment::overlap, 0 to 1
  /** \brief Least ViewAlignment::fit, 0 to 1. Right poses of recorded views and
   * fragments fit by 0.5 to 0.9, wrong ones seldom by more than 0.5. */
  float min_fit = 0.53f;

  /** \brief Makes the defaults. */
  TensorViewRegistrationParameters();

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Registers views of one scene or object without an initial guess.
 *
 * A view is all that a camera or scanner saw from one place (addView()), or a cloud
 * that was joined from several places, as a fragment of a room is (addCloud()). Of the
 * latter nothing needs to be known: neither the places of the cameras nor the sides of
 * surfaces that they saw.
 *
 * The steps are those of TensorRecognition, on surfaces instead of depth maps:
 *  1. A cloud is thinned to one point a resolution, as by pcl::VoxelGrid, with
 *     normals, as by pcl::NormalEstimation. Pairs of these points have tensors
 *     (Orts-Escolano et al. 2014, section 2.3), of a small triangle about each point
 *     instead of a mesh: correlation does not depend on the triangles' size.
 *  2. The tensors of one view are matched with those of the other (section 4.3). Each
 *     match gives a pose. Without a camera the normals of a pair are taken as if they
 *     differed by less than 90 degrees, and each pair of one view is matched with its
 *     normals on either side.
 *  3. All poses are ranked by how much of the source lies on the target. The best are
 *     moved to the target's surface (iterative closest points, point to plane), and
 *     ranked again, by points in free space too.
 *  4. Different ones are moved with more points and judged both ways: see
 *     ViewAlignment::fit. Space is free in front of a surface that a camera saw, and on
 *     either side of others, between two and six resolutions from it. A camera also
 *     sees through the space before its depth map.
 *  5. Of those that fit well enough the one of the largest score is the result: the
 *     product of fit, overlap, and the square root of the share of tensors whose
 *     matches agree with the pose.
 *
 * Surfaces that can be shifted or turned along themselves, as those of a corridor or a
 * vase, fit in many poses; one of these is the result.
 *
 * Puts any number of views into one frame: tries all pairs, connects the views by the
 * surest alignments (a maximum spanning tree, as in Mian et al. 2006, IJCV 66(1),
 * section 5), of which those that agree with others around triangles are surer, and
 * spreads the errors over all alignments that agree.
 *
 * O(points log(points)) for each view, and O(tensors^2 + tensors x matches + candidates
 * x rounds x points) for each pair of views.
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
   * \param[in] parameters of all steps; another resolution only while there are no
   * views. The number of tensors takes effect on views that were not aligned before
   * \throws pcl::BadArgumentException as TensorViewRegistrationParameters::validate(),
   * or if there are views of another resolution
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

  /** \brief Adds a camera's view. Copies it, and leaves the device alone.
   * \param[in] view depth map, camera and pose
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException if the view's depth map has another size than its
   * camera, or fewer than three pixels with depth, its camera or pose is invalid, or
   * the resolution is too small for its extent or its distance from the origin
   */
  int
  addView(const RangeView& view);

  /** \brief Adds a cloud with or without a camera: the view that toRangeView() finds,
   * or, if there is none, the cloud as addCloud() does.
   * \param[in] cloud points, metres; those that isMeasuredPoint() rejects count as
   * missing. Normals are not needed
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException if there are fewer than three measured points, or
   * the resolution is too small for their extent or their distance from the origin
   */
  int
  addView(const PointCloud<PointXYZ>& cloud);

  /** \brief Adds a cloud without a camera, which was joined from several views.
   * \param[in] cloud points, metres, as for addView()
   * \return its number, counting from 0
   * \throws pcl::BadArgumentException as addView()
   */
  int
  addCloud(const PointCloud<PointXYZ>& cloud);

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

  /** \brief Puts views into the frame of the first one's cloud. O(alignments x views).
   * \param[in] alignments as alignAll() returns them, in any order; of several of a
   * pair the surest counts
   * \return for each view its pose; nothing for those that no alignments connect with
   * the first
   * \throws pcl::BadArgumentException if a view of an alignment is none, both are the
   * same, or its score is not positive
   */
  Poses
  connect(const Alignments& alignments) const;

private:
  /** \brief Tensors of a view, and their table. */
  struct DescribedView {
    TensorSet tensors;
    /** \brief Has tensors with reversed normals too, unless normals say which side was
     * seen. */
    TensorTable table;
  };

  struct View {
    PointCloud<PointXYZ>::ConstPtr cloud; ///< in the camera's frame, if there is one
    std::optional<RangeView> range;       ///< of a camera
    Eigen::Vector3f center = Eigen::Vector3f::Zero(); ///< of the points
    /** \brief Root of the points' mean squared distance from the centre, metres. */
    float radius = 0.0f;
    Device device = Device::host();             ///< of the members below
    std::shared_ptr<const EvenSurface> surface; ///< null until it is needed
    std::shared_ptr<const SurfaceOnDevice> on_device;
    /** \brief Without sides, and as the normals say. */
    std::optional<DescribedView> described[2];

    Pose
    pose() const
    {
      return range ? range->pose : Pose::Identity();
    }
  };

  void
  checkView(const char* name, int view) const;

  int
  add(View view, float spacing);

  /** \brief Computes a view's surface and tensors on the current device, unless they
   * are there. */
  const DescribedView&
  describe(View& view, bool is_oriented);

  TensorMatching matching_;
  TensorExtraction extraction_;
  Workspace workspace_;
  std::vector<View> views_;
  float resolution_ = 0.0f; ///< of the views
};

} // namespace pcl::gpu
