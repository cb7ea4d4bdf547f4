// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

namespace pcl::gpu {

/** \brief Filter by which SuperResolutionEffect enlarges a frame to begin with.
 *
 * \ingroup gpu_scenespace
 */
enum class EnlargementFilter {
  Lanczos, ///< Lanczos's filter of three lobes
  /** \brief The filter of 7x7 pixels that best enlarges means of the frame's pixels to
   * the frame itself, by least squares (Romano et al. 2016, of one class of pixels; our
   * own, drawn to Lanczos's filter where the frame has no answer). Structure recurs at
   * other scales (Glasner et al. 2009), but not all: fine stripes of one width it makes
   * worse. */
  Learned,
  /** \brief For each frame the one of them from which the other frames depart less;
   * Lanczos's, if there are none. */
  Better
};

/** \brief Parameters of a SuperResolutionEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SuperResolutionEffectParameters {
  /** \brief The largest scale. */
  static constexpr int max_scale = 4;
  /** \brief The largest sigma_smooth, pixels. */
  static constexpr float max_sigma_smooth = 5.0f;

  /** \brief Pixels of the output for each of the input, along a side, 2 to
   * max_scale. */
  int scale = 2;
  /** \brief Frames before and after each one that are used, 0 or more. */
  int reach = 15;
  /** \brief Number of times that the residuals of all frames are averaged, 0 or more.
   * With 0 the frame alone is used. */
  int iterations = 3;
  /** \brief Part of averaged residuals that is added; 1 is better where poses and depth
   * are exact. */
  float step = 0.7f;
  /** \brief Filter by which the frame is enlarged to begin with. */
  EnlargementFilter filter = EnlargementFilter::Better;
  /** \brief Number of times that the frame's own residuals are added before all
   * iterations, 0 or more. */
  int own_steps_before = 2;
  /** \brief Number of times that the frame's own residuals are added behind each
   * iteration, 0 or more. */
  int own_steps_behind = 1;
  /** \brief Deviation of residuals of other frames, levels, all three components
   * together; infinity: all residuals count alike. */
  float sigma_residual = 30.0f;
  /** \brief Deviation of the positions of one surface, metres; infinity: positions are
   * not compared. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of samples' distances from the pixel's centre, pixels of the
   * output; infinity: all samples of 3x3 pixels count alike. */
  float sigma_pixel = 0.5f;
  /** \brief Deviation of whole frames: of the root mean square of their residuals,
   * beyond noise, levels; infinity: all frames count alike. Frames whose pose is bad,
   * or that are blurred, weigh less. */
  float sigma_frame_error = 2.5f;
  /** \brief Deviation of the Gaussian whose result residuals lose, since it comes from
   * exposure or errors of depth rather than from details: pixels of the input, up to
   * max_sigma_smooth; 0: they lose nothing. */
  float sigma_smooth = 1.0f;

  /** \brief Rejects values outside of these ranges, an invalid filter, deviations that
   * are not positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Makes frames of more pixels from a video: details that a single frame's
 * pixels are too large for, but that many frames, each a little elsewhere, show
 * together.
 *
 * Klose et al. 2015 average samples of a smaller query volume. This is our own, and an
 * iterative back-projection (Irani and Peleg 1991) in scene space: an estimate begins
 * as the frame, enlarged by an EnlargementFilter, and is changed until means of its
 * pixels are as the frames' pixels at the same places of the scene. Each iteration adds
 * the average of all frames' residuals, as SceneSpaceAverage makes it, with weights by
 * which a frame counts less the more of it departs, and a residual the larger it is;
 * then the frame's own residuals, enlarged, so that the estimate stays true to the
 * frame.
 *
 * The gain depends on poses, on depth and on the colour camera's place beside the depth
 * camera: calibrate them first (calibrateColorCamera()). Where they are not quite
 * right, as those of hand-held Kinects, a sigma_pixel of 0.7 is better than the
 * default. Noise is not removed. The frames that are used must have one size.
 *
 * ScenePreparation::noise is the deviation of the noise, which does not count as a
 * departure.
 *
 * Results are the same on every device, bit for bit. A frame takes O(reach x iterations
 * x pixels). Steady state does not allocate, but waits for the frames' departures.
 * Memory is some 70 bytes for each pixel of the output.
 *
 * SceneImage::variance is that of the input's noise, which is unknown.
 * SceneImage::depth is the average of the frames' depths where the frame has depth,
 * else NaN.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SuperResolutionEffect
: public ParameterizedEffect<SuperResolutionEffect, SuperResolutionEffectParameters> {
public:
  /** \brief The camera of an output frame.
   * \param[in] video the input, whose depth is registered to colour
   * \param[in] number of the output frame, from 0 to video.size() - 1
   * \return the input's, with SuperResolutionEffectParameters::scale times as many
   * pixels along each side
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
   * \throws pcl::BadArgumentException naming the parameter: \a number if there is no
   * such frame, a frame of another size among those that are used, an output that is
   * wider or higher than SceneFrame::max_size
   * \throws as SceneFrameStore::get()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) override;

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
