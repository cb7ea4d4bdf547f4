// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

inline device::Picture
pictureOf(const SceneImage& image)
{
  return {inputView<device::PackedColor>(image.color),
          inputView<float>(image.depth),
          inputView<float>(image.variance)};
}

inline device::Picture
pictureOf(const SceneFrame& frame)
{
  return {inputView<device::PackedColor>(frame.getColor()),
          inputView<float>(frame.getDepth()),
          {}};
}

/** \brief Gives all of an image's parts their size on a device; keeps memory that fits.
 * \param[in] device the current device
 */
inline device::PictureOutput
createdPicture(const Device& device, SceneImage& image, int rows, int columns)
{
  createOn(device, image.color, rows, columns);
  createOn(device, image.depth, rows, columns);
  createOn(device, image.variance, rows, columns);
  return {outputView<device::PackedColor>(image.color),
          outputView<float>(image.depth),
          outputView<float>(image.variance)};
}

/** \brief Rejects images of a reference that are of another size than the output, or on
 * another device.
 * \throws pcl::BadArgumentException naming the image
 */
template <typename T>
void
checkReference(const char* name,
               const DeviceArray2D<T>& image,
               const SceneView& view,
               const Device& device)
{
  checkDevice(name, image, "the output", device);
  const bool fits =
      image.cols() == view.camera.width && image.rows() == view.camera.height;
  checkArgument(fits, name, "of another size", "an image of the output's size");
}

/** \brief Returns -log2(e) / (2 sigma^2), the factor of a square in exponential2(). */
float
exponentOf(double sigma);

/** \brief The device that frames are on.
 * \throws pcl::BadArgumentException for frames that are null, empty or on different
 * devices
 */
Device
deviceOfFrames(const std::vector<SceneFrame::ConstPtr>& frames);

/** \brief Numbers from a first one on. */
struct NumberRange {
  int first, count;
};

/** \brief Returns the range of the numbers of frames, of which there is one at
 * least. */
NumberRange
numbersOf(const std::vector<SceneFrame::ConstPtr>& frames);

device::ViewGeometry
viewGeometry(const SceneView& view, const QueryFrustum& frustum);

device::FrameImages
frameImages(const SceneFrame& frame);

/** \brief Tables that gathering reads of a list of frames, in memory that it keeps from
 * one to the next. */
class GatheringInput {
public:
  /** \brief Makes a task.
   * \param[in] device of the frames, which is current
   * \param[in] frames in the order that their samples come in
   * \param[in] weight_exponents log2 of the weights of the frames' samples; minus
   * infinity leaves a frame out; none: all 0
   * \param[in] view,frustum the output
   * \param[in] tiles of the view that are gathered for; none: all
   * \param[in] stream the queue to join
   * \return the task; without frames if all are left out
   */
  device::GatheringTask
  prepare(const Device& device,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const std::vector<float>& weight_exponents,
          const SceneView& view,
          const QueryFrustum& frustum,
          const device::TileArea& tiles,
          const Stream& stream);

  /** \brief Bytes of device memory that tasks take.
   * \param[in] frames,width,height number and size of frames
   * \param[in] region of the output
   */
  static std::size_t
  estimateMemory(int frames, int width, int height, const ImageRegion& region);

private:
  /** \brief Takes the scratch memory of a task.
   * \param[in] groups,ranges numbers of those of all frames
   */
  void
  reserve(const Device& device,
          device::GatheringTask& task,
          std::size_t groups,
          std::size_t ranges);

  std::vector<device::Frame> frames_;
  MirroredTable<device::Frame> device_frames_;
  Workspace scratch_;
};

} // namespace pcl::gpu
