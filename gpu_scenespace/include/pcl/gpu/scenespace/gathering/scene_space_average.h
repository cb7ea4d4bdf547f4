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

/** \brief References of output pixels, which their samples are compared with: s_ref of
 * Klose et al. 2015.
 *
 * \ingroup gpu_scenespace
 */
struct SceneReference {
  /** \brief Colours, of the output's size; empty: colours are not compared. */
  DeviceArray2D<RGB> color;
  /** \brief Metres along the output camera's z axis, of the output's size; empty:
   * positions are not compared, nor are they where it is not a positive number. */
  DeviceArray2D<float> depth;
};

/** \brief Picture of an output camera, made from samples.
 *
 * \ingroup gpu_scenespace
 */
struct SceneImage {
  /** \brief Averages of samples' colours; alpha is 255 where there are samples, else
   * 0. */
  DeviceArray2D<RGB> color;
  /** \brief Averages of samples' depths, metres along the camera's z axis; NaN where
   * there are no samples. */
  DeviceArray2D<float> depth;
  /** \brief Variance of the noise that is left of that of samples, sigma^2: sigma^2 sum
   * w^2 / (sum w)^2, and sigma^2 where samples have next to no weight. See
   * SceneSpaceAverageParameters::noise. */
  DeviceArray2D<float> variance;
};

/** \brief Parameters of a SceneSpaceAverage.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SceneSpaceAverageParameters {
  /** \brief Deviation of similar colours: levels of 0 to 255, all three components
   * together; infinity: colours are not compared. */
  float sigma_rgb = 14.0f;
  /** \brief Deviation of the positions of one surface, metres; infinity: positions are
   * not compared. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of the positions of samples that are nearer to the output camera
   * than the reference's depth, metres; 0 stands for sigma_xyz. Infinity: things before
   * a background count fully, while things behind it do not shine through. Our own. */
  float sigma_xyz_in_front = 0.0f;
  /** \brief Deviation of samples' distances from the pixel's centre, pixels of the
   * output; infinity: all samples of the query volume count alike. */
  float sigma_pixel = 0.4f;
  /** \brief Deviation of samples' noise, from which that of averages follows: levels of
   * red, green and blue each. */
  float noise = 1.0f;
  /** \brief Query volume. */
  QueryFrustum frustum;

  /** \brief Rejects deviations that are not positive, but for sigma_xyz_in_front, which
   * may be 0; noise that is negative or not finite; an invalid frustum.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Averages the samples of each output pixel: eq. (1) of Klose et al. 2015, with
 * weights that all scene-space effects are made of.
 *
 * The weight of a sample s of frame f for pixel p is
 *
 * w_f exp(-|color_ref - color_s|^2 / (2 sigma_rgb^2) - |X_ref - X_s|^2 / (2
 * sigma_xyz^2)
 *        - |pi(X_s) - p|^2 / (2 sigma_pixel^2)),
 *
 * eq. (2) with three changes of our own. The weight w_f of the frame stands for any
 * function of time, or of the frame's sharpness. Colours are compared by the frames'
 * guides, which have less noise. And a sample counts less the farther its projection
 * pi(X_s) is from the pixel's centre: without that, averages over l x l pixels are
 * blurred. sigma_xyz may be another one for samples in front of the reference.
 *
 * Samples are summed as they are found, in an order that is the same on every device:
 * so are the results, bit for bit, and the number of parts in which frames are added
 * does not matter. Takes O(input pixels + samples). Steady state neither allocates nor
 * waits.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceAverage
: public Parameterized<SceneSpaceAverageParameters> {
public:
  /** \brief Begins the average of an output.
   * \param[in] view the output
   * \param[in] reference compared with samples, on the current device; its images are
   * shared until finish()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: an invalid view, images of
   * another size or on another device
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  begin(const SceneView& view,
        const SceneReference& reference,
        const Stream& stream = {});

  /** \brief Adds the samples of frames.
   * \param[in] frames in the order that their samples are added in; on the device of
   * begin()
   * \param[in] weights w_f of each frame, 0 or more; none: all 1
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

  /** \brief Divides sums by weights.
   * \param[out] image of the view's size, on the device of begin(). Where there are no
   * samples its colour is that of the reference, or black
   * \param[in] stream the queue to join
   * \throws pcl::InitFailedException if begin() has not been called
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  finish(SceneImage& image, const Stream& stream = {});

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
