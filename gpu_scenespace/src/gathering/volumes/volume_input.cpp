// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/volume_input.h"

#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"
#include "gathering/volumes/convex_polyhedron.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

/** \brief The polyhedron that is projected: a frustum's has places of sides and
 * ends. */
ConvexPolyhedron
projectedPolyhedron(const QueryVolume& volume)
{
  if (volume.getShape() == QueryVolume::Shape::Polyhedron)
    return polyhedronAround(volume.getHalfSpaces());
  const bool is_sphere = volume.getShape() == QueryVolume::Shape::Sphere;
  const float half = is_sphere ? volume.getRadius() : 1.0f;
  return polyhedronAround(boxHalfSpaces(Eigen::Vector3f::Constant(half)));
}

/** \brief Describes a volume for the algorithms. */
device::QueryShape
queryShape(const QueryVolume& volume)
{
  device::QueryShape shape{};
  shape.kind = static_cast<device::VolumeKind>(volume.getShape());
  for (const HalfSpace& half_space : volume.getHalfSpaces()) {
    auto& plane = shape.half_spaces[shape.half_space_count++];
    std::copy_n(half_space.normal.data(), 3, plane);
    plane[3] = half_space.distance;
  }
  const double radius = volume.getRadius();
  shape.square_radius = radius * radius;
  const ConvexPolyhedron polyhedron = projectedPolyhedron(volume);
  for (const Eigen::Vector3d& vertex : polyhedron.vertices)
    std::copy_n(vertex.data(), 3, shape.vertices[shape.vertex_count++]);
  for (const std::array<int, 2>& edge : polyhedron.edges)
    std::copy_n(edge.data(), 2, shape.edges[shape.edge_count++]);
  return shape;
}

} // namespace

device::VolumeTask
VolumeInput::prepare(const Device& device,
                     const std::vector<SceneFrame::ConstPtr>& frames,
                     const SceneView& view,
                     const QueryVolume& volume,
                     const device::SampleStore& store,
                     const Stream& stream)
{
  device::VolumeTask task{};
  task.view = viewGeometry(view, volume.getFrustum());
  task.shape = queryShape(volume);
  task.store = store;
  frames_.clear();
  for (const SceneFrame::ConstPtr& frame : frames) {
    checkArgument(frame->isWhole(),
                  "frame",
                  "a part of one",
                  "a whole one for volumes other than frustums");
    const SceneView& source = frame->getView();
    device::VolumeFrame entry{};
    entry.frame.images = frameImages(*frame);
    entry.frame.projection = frameProjection(source, view);
    entry.frame.number = frame->getNumber();
    rowsOf(entry.to_point) = pointMatrix(source, view);
    rowsOf(entry.to_pixel) = pixelMatrix(source, view);
    task.most_rows = std::max(task.most_rows, entry.frame.images.rows);
    frames_.push_back(entry);
  }
  task.frame_count = static_cast<int>(frames_.size());
  task.frames = device_frames_.upload(device, frames_, stream);
  takePieces(extents_, Piece{task.extents, frames_.size()});
  return task;
}

std::size_t
VolumeInput::estimateMemory(int frames,
                            int height,
                            const ImageRegion& region,
                            int segments)
{
  const std::size_t tables =
      frames * (sizeof(device::VolumeFrame) + sizeof(device::FrameExtent));
  if (segments == 0)
    return tables;
  const std::size_t capacity = std::min(segments, height);
  const std::size_t row_pixels = region.columns,
                    row_bytes = sizeof(device::RowSegment) * row_pixels * capacity;
  const std::size_t rows =
      std::clamp<std::size_t>(device::cuda_band_bytes / row_bytes, 1, region.rows);
  return tables + rows * (row_bytes + row_pixels * (sizeof(device::ProducerState) +
                                                    sizeof(std::uint32_t)));
}

void
VolumeInput::addStorage(const Device& device, int capacity, device::VolumeTask& task)
{
  device::SegmentStorage& storage = task.storage;
  storage.capacity = std::min(capacity, task.most_rows);
  const std::size_t band_bytes =
      device.isHost() ? device::host_band_bytes : device::cuda_band_bytes;
  const std::size_t row_bytes =
      sizeof(device::RowSegment) * task.store.columns * storage.capacity;
  storage.band_rows = static_cast<int>(
      std::clamp<std::size_t>(band_bytes / row_bytes, 1, task.store.rows));
  const std::size_t pixels = std::size_t(task.store.columns) * storage.band_rows;
  takePieces(segments_,
             Piece{storage.segments, pixels * storage.capacity},
             Piece{storage.states, pixels},
             Piece{storage.counts_before_frame, pixels});
}

} // namespace pcl::gpu
