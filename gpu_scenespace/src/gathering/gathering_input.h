// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/query_frustum.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief Colours as the drivers read them. */
inline const device::PackedColor*
packedColors(const DeviceArray2D<RGB>& color)
{
  static_assert(sizeof(RGB) == sizeof(device::PackedColor), "both are four bytes");
  return reinterpret_cast<const device::PackedColor*>(color.ptr());
}

/** \brief Colours as the drivers write them. */
inline device::PackedColor*
packedColors(DeviceArray2D<RGB>& color)
{
  return reinterpret_cast<device::PackedColor*>(color.ptr());
}

/** \brief Pixels from row to row. */
template <typename T>
int
strideOf(const DeviceArray2D<T>& image)
{
  return static_cast<int>(image.step() / sizeof(T));
}

/** \brief -log2(e) / (2 sigma^2): what powerOfTwo() wants of a deviation. */
float
exponentOf(double sigma);

/** \brief Frames whose samples count, and how much. */
struct WeightedFrames {
  std::vector<SceneFrame::ConstPtr> frames;
  std::vector<float> weights;

  /** \brief Leaves frames without weight out.
   * \param[in] all the frames
   * \param[in] all_weights one for each; none: all 1
   * \throws pcl::BadArgumentException naming the parameter and its value: as many weights as
   * there are no frames, a weight that is negative or not finite
   */
  void
  assign(const std::vector<SceneFrame::ConstPtr>& all,
         const std::vector<float>& all_weights);
};

/** \brief The driver for memory that lives on \a device. */
const device::GatheringDriver&
gatheringDriverFor(const Device& device);

/** \brief The device that frames are on.
 * \throws pcl::BadArgumentException for frames that are null, empty or on different devices
 */
Device
deviceOfFrames(const std::vector<SceneFrame::ConstPtr>& frames);

device::ViewGeometry
viewGeometry(const SceneView& view, const QueryFrustum& frustum);

device::FrameImages
frameImages(const SceneFrame& frame);

device::ReferenceImages
referenceImages(const SceneFrame& frame);

/** \brief What drivers read of a list of frames, in the memory that it keeps from one to the
 * next. */
class GatheringInput {
public:
  /** \brief A task for all tiles of a view.
   * \param[in] device where the frames are, which is current
   * \param[in] weights of the frames' samples, positive; none: all 1
   * \param[in] tiles of the view that are gathered for; none: all
   */
  device::GatheringTask
  prepare(const Device& device,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SceneView& view,
          const QueryFrustum& frustum,
          const Stream& stream,
          const std::vector<float>& weights = {},
          const device::TileArea& tiles = {});

  /** \brief Bytes of device memory that tasks take.
   * \param[in] frames,width,height number and size of frames
   * \param[in] region of the output
   */
  static std::size_t
  estimateMemory(int frames, int width, int height, const ImageRegion& region);

private:
  /** \brief Takes the scratch memory of a task. */
  void
  reserve(const Device& device, device::GatheringTask& task, int range_count);

  std::vector<device::Frame> frames_;
  MirroredTable<device::Frame> device_frames_;
  Workspace scratch_;
};

} // namespace pcl::gpu
