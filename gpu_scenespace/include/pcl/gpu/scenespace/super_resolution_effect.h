// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief By what SuperResolutionEffect enlarges a frame to begin with.
 *
 * \ingroup gpu_scenespace
 */
enum class EnlargementFilter {
  Lanczos, ///< Lanczos's filter of three lobes
  /** \brief The filter of 7x7 pixels that best enlarges means of the frame's pixels to the frame
   * itself, by least squares (Romano et al. 2016, of one class of pixels; our own, drawn to
   * Lanczos's filter where the frame does not tell). Structure recurs at other scales (Glasner et
   * al. 2009), but not all: fine stripes of one width it makes worse. */
  Learned,
  /** \brief For each frame the one of them from which the other frames depart less; Lanczos's, if
   * there are none. */
  Better
};

/** \brief Makes frames of more pixels from a video: details that a single frame's pixels are
 * too large for, but that many frames, each a little elsewhere, tell together.
 *
 * Klose et al. 2015 average samples of a smaller query volume. This is our own, and an
 * iterative back-projection (Irani and Peleg 1991) in scene space: an estimate begins as the
 * frame, enlarged by an EnlargementFilter, and is changed until means of its pixels are what the
 * frames' pixels show at the same places of the scene. Each iteration adds the average of all
 * frames' residuals, as SceneSpaceAverage makes it, with weights by which a frame counts less
 * the more of it departs, and a residual the larger it is; then the frame's own residuals,
 * enlarged, so that the estimate stays what the frame says it is.
 *
 * What is gained depends on poses, on depth and on the colour camera's place beside the depth
 * camera: calibrate them first (ColorCameraCalibration). Where they are not quite right, as
 * those of hand-held Kinects, setSigmaPixel(0.7) is better than the default. Noise is not removed.
 * The frames that are used must have one size.
 *
 * ScenePreparation::noise is the deviation of the noise, which does not count as a departure.
 *
 * Results are the same on every device, bit for bit. A frame takes O(reach x iterations x
 * pixels). Steady state does not allocate, but waits for the frames' departures. Memory is
 * some 70 bytes for each pixel of the output.
 *
 * SceneImage::variance is that of the input's noise, of which nothing is told. SceneImage::depth
 * is the average of the frames' depths where the frame has depth, else NaN.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SuperResolutionEffect : public SceneSpaceEffect {
public:
  /** \brief The largest scale. */
  static constexpr int max_scale = 4;

  /** \brief The largest deviation of what residuals lose, pixels. */
  static constexpr float max_sigma_smooth = 5.0f;

  SuperResolutionEffect();
  ~SuperResolutionEffect() override;

  /** \brief Sets how many pixels of the output there are for each of the input, along a side.
   * \param[in] scale 2 to max_scale; 2 by default
   * \throws pcl::BadArgumentException otherwise
   */
  void
  setScale(int scale);

  /** \return pixels of the output for each of the input, along a side */
  int
  getScale() const;

  /** \brief Sets how many frames before and after each one are used.
   * \param[in] frames 0 or more; 15 by default
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how many frames before and after each one are used */
  int
  getReach() const;

  /** \brief Sets how often the residuals of all frames are averaged.
   * \param[in] iterations 0 or more; 3 by default. With 0 the frame alone is used
   * \throws pcl::BadArgumentException if negative
   */
  void
  setIterations(int iterations);

  /** \return how often the residuals of all frames are averaged */
  int
  getIterations() const;

  /** \brief Sets the part of averaged residuals that is added.
   * \param[in] step 0.7 by default; 1 is better where poses and depth are exact
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setStep(float step);

  /** \return the part of averaged residuals that is added */
  float
  getStep() const;

  /** \brief Sets by which filter the frame is enlarged to begin with.
   * \param[in] filter EnlargementFilter::Better by default
   */
  void
  setFilter(EnlargementFilter filter);

  /** \return the filter by which the frame is enlarged to begin with */
  EnlargementFilter
  getFilter() const;

  /** \brief Sets how often the frame's own residuals alone are added.
   * \param[in] before all iterations, to the enlarged frame; 0 or more, 2 by default
   * \param[in] behind each iteration; 0 or more, 1 by default
   * \throws pcl::BadArgumentException naming the one that is negative
   */
  void
  setOwnSteps(int before, int behind);

  /** \return how often the frame's own residuals are added before all iterations */
  int
  getOwnStepsBefore() const;

  /** \return how often the frame's own residuals are added behind each iteration */
  int
  getOwnStepsBehind() const;

  /** \brief Sets the deviation of residuals of other frames.
   * \param[in] sigma levels, all three components together; 30 by default; infinity: all
   * residuals count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaResidual(float sigma);

  /** \return the deviation of residuals of other frames, levels */
  float
  getSigmaResidual() const;

  /** \brief Sets the deviation of the positions of one surface.
   * \param[in] sigma metres; 0.05 by default; infinity: positions are not compared
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

  /** \brief Sets the deviation of samples' distances from the pixel's centre.
   * \param[in] sigma pixels of the output; 0.5 by default; infinity: all samples of 3x3 pixels
   * count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaPixel(float sigma);

  /** \return the deviation of distances from the pixel's centre, pixels of the output */
  float
  getSigmaPixel() const;

  /** \brief Sets the deviation of whole frames: of the root mean square of their residuals,
   * beyond noise. Frames whose pose is bad, or that are blurred, weigh less.
   * \param[in] sigma levels; 2.5 by default; infinity: all frames count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaFrameError(float sigma);

  /** \return the deviation of whole frames, levels */
  float
  getSigmaFrameError() const;

  /** \brief Sets what residuals lose, since it comes from exposure or errors of depth rather
   * than from details: what a Gaussian leaves of them.
   * \param[in] sigma of the Gaussian, pixels of the input, up to max_sigma_smooth; 1 by
   * default; 0: they lose nothing
   * \throws pcl::BadArgumentException otherwise
   */
  void
  setSigmaSmooth(float sigma);

  /** \return deviation of the Gaussian, pixels of the input */
  float
  getSigmaSmooth() const;

  std::unique_ptr<SceneSpaceEffect>
  clone() const override;

  /** \brief The camera of an output frame.
   * \param[in] video the input, whose depth is registered to colour
   * \param[in] number of the output frame, from 0 to video.size() - 1
   * \return the input's, with getScale() times as many pixels along each side
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   */
  SceneView
  view(const RGBDVideo& video, int number) const override;

  EffectMemory
  workingMemory(const SceneView& view) const override;

  /** \brief Makes an output frame.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: \a number if there is no such
   * frame, a frame of another size among those that are used, an output that is wider or higher
   * than SceneFrame::max_size
   * \throws what SceneFrameStore::get() throws
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) override;

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
