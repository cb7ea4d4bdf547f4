// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/query_frustum.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief What the samples of output pixels are compared with: s_ref of Klose et al. 2015.
 *
 * \ingroup gpu_scenespace
 */
struct SceneReference {
  /** \brief Of the output's size; empty: colours are not compared. */
  DeviceArray2D<RGB> color;
  /** \brief Metres along the output camera's z axis, of the output's size; empty: positions are
   * not compared, nor are they where it is not a positive number. */
  DeviceArray2D<float> depth;
};

/** \brief What an output camera sees, as samples tell.
 *
 * \ingroup gpu_scenespace
 */
struct SceneImage {
  /** \brief Averages of samples' colours; alpha is 255 where there are samples, else 0. */
  DeviceArray2D<RGB> color;
  /** \brief Averages of samples' depths, metres along the camera's z axis; NaN where there are
   * no samples. */
  DeviceArray2D<float> depth;
  /** \brief Variance of the noise that is left of that of samples, sigma^2: sigma^2 sum w^2 /
   * (sum w)^2, and sigma^2 where samples have next to no weight. See SceneSpaceAverage::setNoise(). */
  DeviceArray2D<float> variance;
};

/** \brief Averages the samples of each output pixel: eq. (1) of Klose et al. 2015, with
 * weights that all scene-space effects are made of.
 *
 * The weight of a sample s of frame f for pixel p is
 *
 * w_f exp(-|color_ref - color_s|^2 / (2 sigma_rgb^2) - |X_ref - X_s|^2 / (2 sigma_xyz^2)
 *        - |pi(X_s) - p|^2 / (2 sigma_pixel^2)),
 *
 * eq. (2) with three changes of our own. The weight w_f of the frame stands for any function
 * of time, or of the frame's sharpness. Colours are compared by the frames' guides, which have
 * less noise. And a sample counts less the farther its projection pi(X_s) is from the
 * pixel's centre: without that, averages over l x l pixels are blurred. sigma_xyz may be
 * another one for samples in front of the reference.
 *
 * Samples are summed as they are found, in an order that is the same on every device: so are
 * the results, bit for bit, and it does not matter in how many parts the frames are added.
 * Takes O(input pixels + samples). Steady state neither allocates nor waits.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceAverage {
public:
  SceneSpaceAverage();
  ~SceneSpaceAverage();

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   */
  SceneSpaceAverage(SceneSpaceAverage&& other) noexcept;

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   * \return this object
   */
  SceneSpaceAverage&
  operator=(SceneSpaceAverage&& other) noexcept;

  /** \brief Sets the deviation of similar colours.
   * \param[in] sigma levels of 0 to 255, all three components together; 14 by default;
   * infinity: colours are not compared
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of similar colours, levels */
  float
  getSigmaRGB() const;

  /** \brief Sets the deviation of the positions of one surface.
   * \param[in] sigma metres; 0.05 by default; infinity: positions are not compared
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

  /** \brief Sets the deviation of the positions of samples that are nearer to the output
   * camera than the reference's depth: infinity has things before a background count fully,
   * while what is behind it does not shine through. Our own.
   * \param[in] sigma metres; 0 by default, which stands for that of setSigmaXYZ(); infinity:
   * their positions are not compared
   * \throws pcl::BadArgumentException if negative
   */
  void
  setSigmaXYZInFront(float sigma);

  /** \return the deviation of positions in front of the reference, metres; 0: the same */
  float
  getSigmaXYZInFront() const;

  /** \brief Sets the deviation of samples' distances from the pixel's centre.
   * \param[in] sigma pixels of the output; 0.4 by default; infinity: all samples of the query
   * volume count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaPixel(float sigma);

  /** \return the deviation of distances from the pixel's centre, pixels */
  float
  getSigmaPixel() const;

  /** \brief Sets the deviation of samples' noise, by which that of averages is told.
   * \param[in] sigma levels of red, green and blue each; 1 by default
   * \throws pcl::BadArgumentException if negative or not finite
   */
  void
  setNoise(float sigma);

  /** \return the deviation of samples' noise, levels */
  float
  getNoise() const;

  /** \brief Sets the query volume.
   * \param[in] frustum 3 pixels wide and of any depth by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setFrustum(const QueryFrustum& frustum);

  /** \return the query volume */
  const QueryFrustum&
  getFrustum() const;

  /** \brief Begins the average of an output.
   * \param[in] view the output
   * \param[in] reference what samples are compared with, on the current device; its images are
   * shared until finish()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: a view that is none, images of
   * another size or on another device
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  begin(const SceneView& view,
        const SceneReference& reference,
        const Stream& stream = {});

  /** \brief Adds the samples of frames.
   * \param[in] frames in the order that their samples are added in; on the device of begin()
   * \param[in] weights w_f of each frame, 0 or more; none: all 1
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty or
   * elsewhere, weights that are no weights, or not as many as frames
   * \throws pcl::InitFailedException if begin() has not been called
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  add(const std::vector<SceneFrame::ConstPtr>& frames,
      const std::vector<float>& weights = {},
      const Stream& stream = {});

  /** \brief Divides sums by weights.
   * \param[out] image of the view's size, on the device of begin(). Where there are no samples
   * its colour is that of the reference, or black
   * \param[in] stream the queue to join
   * \throws pcl::InitFailedException if begin() has not been called
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  finish(SceneImage& image, const Stream& stream = {});

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
