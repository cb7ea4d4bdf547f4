// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the numbers of frames about one, as far as there are any.
 * \param[in] video whose frames they are
 * \param[in] number of the frame in the middle
 * \param[in] reach number of frames before and after it, 0 or more
 * \param[in] step the distances are multiples of it, 1 or more
 * \return numbers in ascending order; \a number is one of them
 * \throws pcl::BadArgumentException naming the parameter and its value
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS std::vector<int>
frameWindow(const RGBDVideo& video, int number, int reach, int step = 1);

/** \brief Returns Gaussian weights of frames by their distance in time.
 * \param[in] numbers of the frames
 * \param[in] number of the frame that distances are from
 * \param[in] sigma deviation, frames, or infinity
 * \return one for each of \a numbers
 * \throws pcl::BadArgumentException if \a sigma is not positive
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS std::vector<float>
timeWeights(const std::vector<int>& numbers, int number, float sigma);

/** \brief Memory that an effect takes on a device beside frames, counted in objects
 * that it holds at a time.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS EffectMemory {
  int averages = 1;      ///< SceneSpaceAverage
  int surfaces = 1;      ///< SceneSurface
  int images = 4;        ///< SceneImage, the output included
  std::size_t other = 0; ///< bytes of anything else

  /** \brief Counts bytes.
   * \param[in] view the output
   * \return bytes of device memory
   */
  std::size_t
  bytes(const SceneView& view) const;
};

/** \brief Makes the frames of one video from those of another: the base of denoising,
 * inpainting and the like, and of your own effects. SceneSpaceVideo calls it.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceEffect {
public:
  /** \brief An effect that several own, and none changes. */
  using ConstPtr = std::shared_ptr<const SceneSpaceEffect>;

  virtual ~SceneSpaceEffect() = default;

  /** \brief An effect with the same settings and memory of its own, for another device.
   * \return the effect
   */
  virtual std::unique_ptr<SceneSpaceEffect>
  clone() const = 0;

  /** \brief The camera of an output frame.
   * \param[in] video the input, whose depth is registered to colour
   * \param[in] number of the output frame, from 0 to video.size() - 1
   * \return by default that of the input's frame
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   */
  virtual SceneView
  view(const RGBDVideo& video, int number) const;

  /** \brief Returns the memory that the effect takes, for SceneSpaceVideo to leave it
   * free of frames.
   * \param[in] view the output
   * \return an upper bound; by default that of EffectMemory, which is enough for
   * effects that hold no more than it counts
   */
  virtual EffectMemory
  workingMemory(const SceneView& view) const;

  /** \brief Makes an output frame.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view(); it may be read while the next output is
   * made, into another one: nothing else may use its arrays
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws as SceneFrameStore::get()
   * \throws DeviceException if the device fails or runs out of memory
   */
  virtual void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) = 0;
};

/** \brief An effect that has parameters, and whose copies have memory of their own.
 * \tparam Effect the class that derives from this one
 * \tparam Parameters a structure whose validate() throws if a parameter is wrong
 *
 * \ingroup gpu_scenespace
 */
template <typename Effect, typename Parameters>
class ParameterizedEffect : public SceneSpaceEffect, public Parameterized<Parameters> {
public:
  /** \brief Copies the effect.
   * \return the copy
   */
  std::unique_ptr<SceneSpaceEffect>
  clone() const override
  {
    return std::make_unique<Effect>(static_cast<const Effect&>(*this));
  }
};

} // namespace pcl::gpu
