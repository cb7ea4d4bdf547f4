// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "visibility/rank_exchange.h"

#include "scene/scene_arrays.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <numeric>
#include <type_traits>

namespace pcl::gpu {

namespace {

/** \brief Calls function(image, other_image) for each image that takes a hit's
 * triangle and is asked for. A new one has its line here. */
template <typename Function>
void
forSurfaceImages(const device::ImageArrays& images,
                 device::ImageArrays& others,
                 const Function& function)
{
  const auto call = [&](const auto& image, auto& other) {
    if (image.data)
      function(image, other);
  };
  call(images.barycentrics, others.barycentrics);
  call(images.points, others.points);
  call(images.normals, others.normals);
  call(images.colors, others.colors);
  call(images.texture_coordinates, others.texture_coordinates);
}

template <typename T>
std::size_t
rowBytes(const device::CastTask& task, const PtrStep<T>&)
{
  return task.width * sizeof(T);
}

/** \brief Returns images whose surfaces lie in one piece of memory.
 * \param[in] memory null to find its size
 * \param[out] bytes of the memory
 */
device::ImageArrays
packedImages(const device::CastTask& task, void* memory, std::size_t& bytes)
{
  device::ImageArrays packed = task.images;
  device::ScratchPieces pieces(memory);
  forSurfaceImages(task.images, packed, [&](const auto& image, auto& copy) {
    using Pixel = std::remove_pointer_t<decltype(image.data)>;
    copy = {pieces.take<Pixel>(device::pixelsOfViews(task)), rowBytes(task, image)};
  });
  bytes = pieces.bytes();
  return packed;
}

} // namespace

device::IdRange
RankExchange::ownIds(Communicator& communicator,
                     std::size_t triangles,
                     const Stream& stream)
{
  const std::size_t ranks = communicator.size();
  const std::size_t rank = communicator.rank();
  if (first_triangles_.empty()) {
    std::vector<std::uint64_t> counts(ranks);
    counts[rank] = triangles;
    std::vector<std::size_t> places(ranks + 1);
    std::iota(places.begin(), places.end(), std::size_t(0));
    DeviceArray<std::uint64_t> exchanged(ranks);
    copyAsync(counts.data(), exchanged.ptr(), exchanged.sizeBytes(), stream);
    communicator.allGather(exchanged.ptr(), places, stream);
    // The copy would wait for a rank that failed.
    communicator.synchronize(stream);
    copyAsync(exchanged.ptr(), counts.data(), exchanged.sizeBytes(), stream);
    stream.synchronize();
    std::vector<std::size_t> firsts(ranks + 1);
    std::partial_sum(counts.begin(), counts.end(), firsts.begin() + 1);
    checkArgument(firsts.back() <= MeshScene::max_triangles,
                  "number of triangles of all ranks' scenes",
                  firsts.back(),
                  "fewer than 2^31");
    first_triangles_ = firsts;
  }
  const std::size_t first = first_triangles_[rank];
  const std::size_t end = first_triangles_[rank + 1];
  checkArgument(
      triangles == end - first,
      "number of triangles in the scene",
      triangles,
      "that of the first cast, unless all ranks set their communicator again");
  return {first, rank + 1 == ranks ? device::all_ids.end : end};
}

void
RankExchange::resolve(Communicator& communicator,
                      const device::CastTask& task,
                      const Stream& stream)
{
  static_assert(sizeof(device::HitKey) == sizeof(std::uint64_t), "keys are exchanged");
  const Device& device = communicator.device();
  communicator.allReduce(reinterpret_cast<std::uint64_t*>(task.keys),
                         device::pixelsOfViews(task),
                         Reduction::Min,
                         stream);
  endStage(task, "exchange");
  std::size_t bytes = 0;
  packedImages(task, nullptr, bytes);
  if (bytes == 0)
    return dispatch(device, PCL_GPU_BOTH(resolve), task, stream);

  // One rank writes a pixel. The sum of its bits and zeros is exact.
  grow(packed_, device, bytes);
  device::CastTask own = task;
  own.images = packedImages(task, packed_.ptr(), bytes);
  fillAsync(device, packed_.ptr(), 0, bytes, stream);
  dispatch(device, PCL_GPU_BOTH(resolve), own, stream);
  communicator.allReduce(reinterpret_cast<std::uint32_t*>(packed_.ptr()),
                         bytes / sizeof(std::uint32_t),
                         Reduction::Sum,
                         stream);
  forSurfaceImages(task.images, own.images, [&](const auto& image, const auto& joint) {
    copyAsync2D(joint.data,
                joint.step,
                image.data,
                image.step,
                rowBytes(task, image),
                task.firstRow(task.view_count),
                stream);
  });
  endStage(task, "exchange");
}

} // namespace pcl::gpu
