// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>

#include <vector>

namespace pcl::gpu {

/** \brief Choice among the surfaces of a pixel's samples.
 *
 * \ingroup gpu_scenespace
 */
enum class SurfaceChoice {
  Nearest, ///< to the output camera
  MostSeen ///< by frames: things that stay
};

/** \brief Parameters of a SceneSurface.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SceneSurfaceParameters {
  /** \brief Surface that is wanted. */
  SurfaceChoice choice = SurfaceChoice::Nearest;
  /** \brief Distance of depths of one surface, as a part of the depth, above 0 and
   * below 1. */
  float tolerance = 0.03f;
  /** \brief Support that a surface must have, as a part of the weight of all samples of
   * a pixel, 0 to 1. */
  float least_support = 0.15f;
  /** \brief Deviation of samples' distances from the pixel's centre, by which they
   * support a surface: pixels of the output; infinity: all alike. */
  float sigma_pixel = 0.7f;
  /** \brief Query volume. */
  QueryFrustum frustum;

  /** \brief Rejects values outside of these ranges, an invalid choice or frustum.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Finds the depths that an output camera sees, from the depths of frames.
 *
 * Samples of a pixel whose depths are about the same make a surface; up to four are
 * kept of each pixel. A surface that few samples lie on is noise, or the edge of a
 * thing that is not there: the camera sees the nearest one with enough support. Not in
 * Klose et al. 2015, who say of views without a depth of their own only that there is
 * no reference.
 *
 * Results are the same on every device, bit for bit, and do not depend on the number of
 * parts that frames are added in. Takes O(input pixels + samples). Steady state neither
 * allocates nor waits.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSurface : public Parameterized<SceneSurfaceParameters> {
public:
  /** \brief Begins the depth of an output, on the current device.
   * \param[in] view the output
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: an invalid view
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  begin(const SceneView& view, const Stream& stream = {});

  /** \brief Adds the samples of frames.
   * \param[in] frames in the order that their samples are added in; on the device of
   * begin()
   * \param[in] weights support of a surface by each frame, 0 or more; none: all 1
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty
   * or elsewhere, weights that are no weights, or not as many as frames
   * \throws pcl::InitFailedException if begin() has not been called
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  add(const std::vector<SceneFrame::ConstPtr>& frames,
      const std::vector<float>& weights = {},
      const Stream& stream = {});

  /** \brief Chooses a surface of each pixel.
   * \param[out] depth of the view's size, on the device of begin(): metres along the
   * output camera's z axis; NaN where there is no surface
   * \param[in] stream the queue to join
   * \throws pcl::InitFailedException if begin() has not been called
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  finish(DeviceArray2D<float>& depth, const Stream& stream = {});

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
