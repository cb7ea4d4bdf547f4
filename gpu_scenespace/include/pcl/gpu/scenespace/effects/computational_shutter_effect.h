// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Exposure of the frames about an output's: xi of Klose et al. 2015, any
 * function of time.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS Shutter {
  /** \brief The first frame that is exposed, from the output's own: below 0 for earlier
   * ones. */
  int first = 0;
  /** \brief Exposure of each frame, from the first one on, 0 or more. */
  std::vector<float> weights = {1.0f};

  /** \brief A shutter that opens and shuts at once: all frames count alike.
   * \param[in] frames number of them; the output's is in the middle
   * \return the shutter
   * \throws pcl::BadArgumentException if not positive
   */
  static Shutter
  box(int frames);

  /** \brief A shutter that opens and shuts slowly: movers have soft trails.
   * \param[in] sigma deviation, frames
   * \return the shutter, of 3 sigma before and after the output's frame
   * \throws pcl::BadArgumentException if not positive
   */
  static Shutter
  gaussian(float sigma);

  /** \brief A shutter that remembers: movers have trails behind them that fade.
   * \param[in] frames after which a frame weighs a factor of e less
   * \return the shutter, of 5 times as many frames before the output's, and that one
   * \throws pcl::BadArgumentException if not positive
   */
  static Shutter
  exponential(float frames);

  /** \brief A stroboscope: movers are seen at some times.
   * \param[in] flashes their number; the output's frame is the last
   * \param[in] distance frames from one to the next
   * \return the shutter
   * \throws pcl::BadArgumentException naming the parameter that is not positive
   */
  static Shutter
  strobe(int flashes, int distance);

  /** \brief Any shape.
   * \param[in] weight returns the exposure of a frame, 0 or more, by its distance in
   * frames from the output's, below 0 for earlier ones
   * \param[in] first,last distances of the first and the last frame
   * \return the shutter
   * \throws pcl::BadArgumentException naming \a last if it is before \a first
   */
  static Shutter
  sampled(const std::function<float(float frames)>& weight, int first, int last);

  /** \brief Rejects shutters that let no light in.
   * \throws pcl::BadArgumentException naming the parameter and its value: weights that
   * are negative or not finite, or of which none is positive
   */
  void
  validate() const;
};

/** \brief Parameters of a ComputationalShutterEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS ComputationalShutterEffectParameters {
  /** \brief Exposure of frames. Frames that the video does not have are left out; if
   * there are no others, the output is exposed by its own frame. */
  Shutter shutter = Shutter::box(15);
  /** \brief Deviation of samples behind the still scene that still belong to it,
   * metres. */
  float sigma_xyz = 0.05f;

  /** \brief Rejects a shutter that lets no light in, a deviation that is not positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Exposes a moving camera's video as a still camera would: for longer than a
 * frame, and with any shutter. Things at rest stay sharp, moving things leave trails.
 *
 * The computational shutter of Klose et al. 2015: eq. (1) with weights by frame times.
 * The rest is our own. The depth that most of the exposed frames see is that of the
 * still scene. Samples behind it belong to surfaces that frames see round its edges,
 * and count by their distance from it; those in front of it move, and count fully.
 * Where no exposed frame sees anything, the output shows its own frame.
 *
 * The depth of outputs is that of the still scene.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS ComputationalShutterEffect
: public ParameterizedEffect<ComputationalShutterEffect,
                             ComputationalShutterEffectParameters> {
public:
  EffectMemory
  workingMemory(const SceneView& view) const override;

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
