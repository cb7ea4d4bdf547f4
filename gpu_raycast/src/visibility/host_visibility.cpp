// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "visibility/host_visibility.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <omp.h>

#include <algorithm>

namespace pcl::device::host {

namespace {

constexpr int vertices_at_once = 4096;

/** \brief Keys of a band that leave room for other things in the second-level cache. */
constexpr int max_band_pixels = 65536;

/** \brief Instances are cast together as long as their scratch memory is no more; the
 * next ones find the keys of those before. */
constexpr std::size_t max_batch_bytes = std::size_t(64) << 20;

Bands
bandsOf(const CameraModel& camera, int threads)
{
  const auto count = [&](int shift) { return divideUp(camera.height, 1 << shift); };
  int shift = 3;
  while ((camera.width << (shift + 1)) <= max_band_pixels &&
         count(shift + 1) >= 4 * threads)
    ++shift;
  while (count(shift) > max_bands)
    ++shift;
  return {shift, count(shift)};
}

int
chunkCount(const Instance& instance)
{
  return divideUp(instance.mesh.triangles_size, max_chunk_triangles);
}

std::size_t
scratchBytes(const Instance& instance)
{
  ScratchPieces pieces(nullptr);
  const std::size_t chunks = chunkCount(instance);
  pieces.take<Chunk>(chunks);
  pieces.take<BinEnds>(chunks);
  pieces.take<VertexBounds>(static_cast<std::size_t>(instance.mesh.vertices_size) + 1);
  pieces.take<TouchingTriangle>(instance.mesh.triangles_size);
  return pieces.bytes();
}

/** \brief Consecutive instances of one view that are cast together. */
struct Batch {
  const Instance* begin;
  const Instance* end;
  std::size_t bytes;
};

/** \brief The instances from \a begin on that fit the scratch memory; one at least. */
Batch
nextBatch(const Instance* begin, const Instance* end)
{
  Batch batch = {begin, begin, 0};
  for (; batch.end != end; ++batch.end) {
    const std::size_t bytes = scratchBytes(*batch.end);
    if (batch.end != begin && batch.bytes + bytes > max_batch_bytes)
      break;
    batch.bytes += bytes;
  }
  return batch;
}

/** \brief Lays out the scratch memory of a batch.
 * \param[out] chunk_count number of chunks
 * \return the chunks, instance by instance
 */
Chunk*
layOut(const Batch& batch, void* scratch, std::size_t& chunk_count)
{
  chunk_count = 0;
  for (const Instance* instance = batch.begin; instance != batch.end; ++instance)
    chunk_count += chunkCount(*instance);
  ScratchPieces pieces(scratch);
  Chunk* const chunks = pieces.take<Chunk>(chunk_count);
  BinEnds* ends = pieces.take<BinEnds>(chunk_count);
  Chunk* next = chunks;
  for (const Instance* instance = batch.begin; instance != batch.end; ++instance) {
    const MeshArrays& mesh = instance->mesh;
    const int triangles = mesh.vertices_size > 0 ? triangleCount(mesh) : 0;
    const auto bounds =
        pieces.take<VertexBounds>(static_cast<std::size_t>(mesh.vertices_size) + 1);
    const auto touching = pieces.take<TouchingTriangle>(mesh.triangles_size);
    const int used_chunks = divideUp(triangles, max_chunk_triangles);
    for (int i = 0; i < used_chunks; ++i) {
      const int first = i * max_chunk_triangles;
      const int count = std::min(triangles - first, max_chunk_triangles);
      *next++ = {instance,
                 bounds,
                 touching + first,
                 *ends++,
                 instance->first_triangle + first,
                 count};
    }
  }
  // There may be fewer triangles than there is room for, or no vertices.
  chunk_count = next - chunks;
  return chunks;
}

/** \brief Finds the nearest hits of a batch's triangles.
 * \param[in] is_first false: the keys are those of the batches before
 * \param[in] is_last true: the keys become images, unless the task leaves them
 */
void
castBatch(
    const CastTask& task, int view, const Batch& batch, bool is_first, bool is_last)
{
  const CameraModel& camera = task.views[view].camera;
  const int threads = omp_get_max_threads();
  BandedView banded = {camera, bandsOf(camera, threads), nullptr, 0};
  const Bands& bands = banded.bands;
  // If bands become images at once, each thread keeps to one band's keys, in its cache.
  const bool makes_images = is_last && !task.leaves_keys;
  const bool own_keys = is_first && makes_images && threads < bands.count;
  banded.chunks = layOut(batch, task.scratch, banded.chunk_count);
#pragma omp parallel num_threads(threads)
  {
    for (std::size_t i = 0; i < banded.chunk_count; ++i) {
      const Chunk& chunk = banded.chunks[i];
      if (chunk.first_id == chunk.instance->first_triangle) {
        const int vertices = chunk.instance->mesh.vertices_size;
        const int blocks = divideUp(vertices, vertices_at_once);
#pragma omp for schedule(dynamic) nowait
        for (int block = 0; block < blocks; ++block) {
          const int first = block * vertices_at_once;
          const int count = std::min(vertices - first, vertices_at_once);
          projectVertices(camera, chunk, first, first + count);
        }
      }
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < banded.chunk_count; ++i)
      binTriangles(bands, banded.chunks[i]);
#pragma omp for schedule(dynamic)
    for (int band = 0; band < bands.count; ++band) {
      const int keys_of = own_keys ? omp_get_thread_num() : band;
      HitKey* const keys =
          task.keysOfRow(task.firstRow(view) + bands.firstRow(keys_of));
      castBand(banded, band, keys);
      if (makes_images)
        resolveRows(task, view, bands.firstRow(band), banded.endRow(band), keys);
    }
  }
}

} // namespace

void
resolve(const CastTask& task)
{
  constexpr int rows_at_once = 8;
  const int blocks = divideUp(task.height, rows_at_once);
#pragma omp parallel for collapse(2) schedule(static)
  for (int view = 0; view < task.view_count; ++view)
    for (int block = 0; block < blocks; ++block) {
      const int first_row = block * rows_at_once;
      resolveRows(task,
                  view,
                  first_row,
                  std::min(first_row + rows_at_once, task.height),
                  task.keysOfRow(task.firstRow(view) + first_row));
    }
  endStage(task, "images");
}

/** \brief The scratch memory: for each vertex of an instance 8 bytes, for each triangle
 * 12, for each chunk 4 KiB; but no more than max_batch_bytes, or the bytes of the
 * largest instance if those are more. */
CastMemorySize
visibilityMemory(const CastTask& task)
{
  // The views have the same meshes.
  const Instance* const end = task.instances + task.instance_count;
  Batch batch = {task.instances, task.instances, 0};
  std::size_t bytes = 0;
  do {
    batch = nextBatch(batch.end, end);
    bytes = std::max(bytes, batch.bytes);
  }
  while (batch.end != end);
  return {pixelsOfViews(task), 0, bytes};
}

void
castVisibility(const CastTask& task)
{
  for (int view = 0; view < task.view_count; ++view) {
    const Instance* const instances = task.instancesOf(view);
    const Instance* const end = instances + task.instance_count;
    Batch batch = {instances, instances, 0};
    do {
      batch = nextBatch(batch.end, end);
      castBatch(task, view, batch, batch.begin == instances, batch.end == end);
    }
    while (batch.end != end);
  }
  endStage(task, "cast");
}

} // namespace pcl::device::host
