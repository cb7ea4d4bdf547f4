// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_reader.h"
#include "frames/frame_upload.h"
#include "frames/resources.h"
#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"
#include "gathering/sets/frame_parts.h"
#include "video/frame_checks.h"
#include "video/shared_work.h"

#include <pcl/gpu/scenespace/gathering/out_of_core_gathering.h>
#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Parts of frames whose samples tiles of an output may see: the bounding boxes
 * that section 5 of Klose et al. finds by a dry run. The frames' depths make them:
 * boxes of hulls of frustums would also have most pixels along epipolar lines. */
class NeededPixels {
public:
  NeededPixels(const SceneView& view, const QueryFrustum& frustum)
  : view_(view)
  , geometry_(viewGeometry(view, frustum))
  {}

  /** \brief All tiles of the output. */
  device::TileArea
  tiles() const
  {
    return {0, 0, geometry_.tileColumns(), geometry_.tileRows()};
  }

  /** \brief Adds a frame. */
  void
  add(const RGBDFrame& frame, const SceneView& taken)
  {
    device::Frame entry{};
    entry.images.depth = frame.depth.pixels.data();
    entry.images.depth_stride = frame.depth.width;
    entry.images.columns = frame.depth.width;
    entry.images.rows = frame.depth.height;
    const int groups = entry.images.groups(), across = entry.images.groupsAcross();
    depths_.resize(std::size_t(groups) * device::group_blocks);
    device::host::boundDepths({entry.images, depths_.data()});
    entry.images.block_depths = depths_.data();
    entry.projection = frameProjection(taken, view_);

    device::GatheringTask task{};
    task.frames = &entry;
    task.frame_count = 1;
    task.view = geometry_;
    task.tiles = tiles();
    block_tiles_.resize(depths_.size());
    group_tiles_.resize(groups);
    range_tiles_.resize(entry.images.groupRanges());
    task.block_tiles = block_tiles_.data();
    task.group_tiles = group_tiles_.data();
    task.range_tiles = range_tiles_.data();
    device::host::boundTiles(task);

    const std::size_t tile_count = std::size_t(task.tiles.columns) * task.tiles.rows;
    frames_.push_back({frame.depth.width,
                       frame.depth.height,
                       std::vector<device::TileRange>(tile_count, device::no_tiles)});
    for (std::size_t block = 0; block < block_tiles_.size(); ++block) {
      const device::TileRange& seen = block_tiles_[block];
      const int group = static_cast<int>(block / device::group_blocks);
      const auto x = static_cast<std::int16_t>(group % across),
                 y = static_cast<std::int16_t>(group / across);
      for (int row = seen.y0; row <= seen.y1; ++row)
        for (int column = seen.x0; column <= seen.x1; ++column)
          include(frames_.back().boxes[std::size_t(row) * task.tiles.columns + column],
                  {x, y, x, y});
    }
  }

  /** \brief The part of a frame that tiles need; none has no columns.
   * \param[in] frame its place among those added
   */
  ImageRegion
  boxOf(std::size_t frame, const device::TileArea& tiles) const
  {
    device::TileRange box = device::no_tiles;
    for (int row = tiles.y0; row < tiles.y0 + tiles.rows; ++row)
      for (int column = tiles.x0; column < tiles.x0 + tiles.columns; ++column)
        include(
            box,
            frames_[frame].boxes[std::size_t(row) * geometry_.tileColumns() + column]);
    return device::isEmpty(box) ? ImageRegion{} : partOf(frame, box);
  }

  /** \brief The part of a frame in a box.
   * \param[in] frame its place among those added
   * \param[in] box in units of SceneFrame::part_alignment
   */
  ImageRegion
  partOf(std::size_t frame, const device::TileRange& box) const
  {
    const FrameBoxes& its = frames_[frame];
    const int left = box.x0 * device::group_columns, top = box.y0 * device::group_rows;
    return {left,
            top,
            std::min((box.x1 + 1) * device::group_columns, its.columns) - left,
            std::min((box.y1 + 1) * device::group_rows, its.rows) - top};
  }

  PCL_MAKE_ALIGNED_OPERATOR_NEW

private:
  struct FrameBoxes {
    int columns, rows; ///< of the frame
    /** \brief Of each tile, in units of SceneFrame::part_alignment; empty if it sees
     * none. */
    std::vector<device::TileRange> boxes;
  };

  SceneView view_;
  device::ViewGeometry geometry_;
  std::vector<FrameBoxes> frames_;
  std::vector<device::DepthRange> depths_;
  std::vector<device::TileRange> group_tiles_, block_tiles_, range_tiles_;
};

/** \brief The regions of tiles that an output is cut into, and their memory. */
struct Plan {
  device::TileAreas regions;
  std::size_t parts = 0;  ///< bytes of the images that a region needs, at most
  std::size_t bounds = 0; ///< of the bounds of their depths
  std::size_t sets = 0;   ///< more bytes that gathering a region takes

  /** \brief Returns the bytes of a worker with so much room for the parts of a
   * region. */
  std::size_t
  memory(std::size_t room) const
  {
    const int slots = regions.size() > 1 ? 2 : 1;
    return slots * (arrayMemory(room) + bounds) + sets;
  }
};

ImageRegion
pixelsOf(const device::TileArea& tiles, const SceneView& view)
{
  const int column = tiles.x0 * device::tile_columns,
            row = tiles.y0 * device::tile_rows;
  return {column,
          row,
          std::min(tiles.columns * device::tile_columns, view.camera.width - column),
          std::min(tiles.rows * device::tile_rows, view.camera.height - row)};
}

/** \brief A device that gathers. */
struct Worker {
  Device device = Device::host();
  std::size_t budget = 0;
  Stream stream = Stream::create();
  std::shared_ptr<FrameReader> reader; ///< of all workers
  Stream copies = Stream::create();
  /** \brief Parts of a region, and those of the next one meanwhile. */
  std::array<std::unique_ptr<FrameParts>, 2> parts;
  int slot = 0; ///< of the parts that were used last
  SampleGathering gathering;
  SampleSets sets;

  /** \brief Sets the part of the output that is gathered for. */
  void
  setRegion(const ImageRegion& region)
  {
    SampleGatheringParameters parameters = gathering.getParameters();
    parameters.region = region;
    gathering.setParameters(parameters);
  }
};

/** \brief A run through the regions of an output, which workers share. */
struct Run {
  const std::vector<std::unique_ptr<Worker>>& workers;
  const std::vector<int>& numbers;
  const SceneView& view;
  const OutOfCoreGathering::Work& work;
  NeededPixels needed;
  Plan plan = {};
  std::atomic<std::size_t> uploaded_bytes{0};
};

/** \brief Returns the memory that regions of a plan take. */
void
measure(const Run& run, Plan& plan)
{
  plan.parts = 0;
  ImageRegion largest;
  for (int i = 0; i < plan.regions.size(); ++i) {
    std::size_t parts = 0;
    for (std::size_t frame = 0; frame < run.numbers.size(); ++frame) {
      const ImageRegion box = run.needed.boxOf(frame, plan.regions[i]);
      parts += FrameParts::imageBytes(box);
      largest.columns = std::max(largest.columns, box.columns);
      largest.rows = std::max(largest.rows, box.rows);
    }
    plan.parts = std::max(plan.parts, parts);
  }
  const int frames = static_cast<int>(run.numbers.size());
  largest.columns = std::max(largest.columns, SceneFrame::part_alignment);
  largest.rows = std::max(largest.rows, SceneFrame::part_alignment);
  device::FrameImages images{};
  images.columns = largest.columns;
  images.rows = largest.rows;
  plan.parts =
      std::max(plan.parts,
               FrameParts::imageBytes(
                   {0, 0, SceneFrame::part_alignment, SceneFrame::part_alignment}));
  plan.bounds = frames * (std::size_t(images.groups()) * device::group_blocks *
                              sizeof(device::DepthRange) +
                          512);
  Worker& worker = *run.workers.front();
  worker.setRegion(pixelsOf(plan.regions[0], run.view));
  plan.sets =
      worker.gathering.estimateMemory(frames, largest.columns, largest.rows, run.view);
}

/** \brief Chooses the largest regions that memory suffices for. */
void
makePlan(Run& run)
{
  std::size_t budget = run.workers.front()->budget;
  for (const auto& worker : run.workers)
    budget = std::min(budget, worker->budget);
  Plan& plan = run.plan;
  device::TileAreas& tiles = plan.regions;
  tiles.all = run.needed.tiles();
  tiles.columns = tiles.all.columns;
  tiles.rows = tiles.all.rows;
  for (measure(run, plan); plan.memory(plan.parts) > budget; measure(run, plan)) {
    const bool is_smallest = tiles.columns == 1 && tiles.rows == 1;
    const std::string least =
        is_smallest ? std::to_string(plan.memory(plan.parts)) + " bytes or more" : "";
    checkArgument(!is_smallest, "memory", budget, least.c_str());
    const bool is_wide =
        tiles.columns * device::tile_columns >= tiles.rows * device::tile_rows;
    int& size =
        (is_wide && tiles.columns > 1) || tiles.rows == 1 ? tiles.columns : tiles.rows;
    size = (size + 1) / 2;
  }
  for (const auto& worker : run.workers) {
    // Memory of former outputs is kept as far as there is room for it.
    std::size_t most = plan.parts;
    for (const auto& parts : worker->parts)
      most = std::max(most, parts ? parts->capacity : 0);
    if (plan.memory(most) > worker->budget)
      worker->parts = {};
  }
}

void
gatherRegion(Run& run, Worker& worker, const device::TileArea& tiles)
{
  const ScopedDevice scope(worker.device);
  std::vector<FramePart> parts;
  for (std::size_t i = 0; i < run.numbers.size(); ++i) {
    const ImageRegion box = run.needed.boxOf(i, tiles);
    if (box.columns > 0)
      parts.push_back({run.numbers[i], box});
  }
  // Sets have to be made of some frame, even if they are empty.
  if (parts.empty())
    parts.push_back({run.numbers[0], run.needed.partOf(0, {0, 0, 0, 0})});
  for (const FramePart& part : parts)
    run.uploaded_bytes += FrameParts::imageBytes(part.region);
  worker.slot = run.plan.regions.size() > 1 ? 1 - worker.slot : 0;
  auto& slot = worker.parts[worker.slot];
  if (!slot)
    slot = std::make_unique<FrameParts>();
  const auto& frames =
      slot->load(*worker.reader, parts, run.plan.parts, worker.copies, worker.stream);
  worker.setRegion(pixelsOf(tiles, run.view));
  worker.gathering.gather(frames, run.view, worker.sets, worker.stream);
  run.work(worker.sets, frames, worker.stream);
  slot->markUsed(worker.stream);
}

} // namespace

struct OutOfCoreGathering::Implementation {
  std::vector<std::unique_ptr<Worker>> workers;
};

OutOfCoreGathering::OutOfCoreGathering(RGBDVideo::ConstPtr video,
                                       const SceneSpaceResources& resources)
{
  const auto reader = std::make_shared<FrameReader>(std::move(video),
                                                    ScenePreparation{},
                                                    readingThreads(resources),
                                                    resources.host_memory);
  implementation_ = std::make_unique<Implementation>();
  for (const Device& device : devicesOf(resources)) {
    const ScopedDevice scope(device);
    auto& worker = implementation_->workers.emplace_back(std::make_unique<Worker>());
    worker->device = device;
    worker->budget = memoryBudget(resources, device);
    worker->reader = reader;
  }
}

OutOfCoreGathering::~OutOfCoreGathering() = default;

void
OutOfCoreGatheringParameters::validate() const
{
  frustum.validate();
  checkArgument(max_samples >= 1, "samples a pixel", max_samples, "1 or more");
}

OutOfCoreStatistics
OutOfCoreGathering::gather(const std::vector<int>& numbers,
                           const SceneView& view,
                           const Work& work)
{
  view.validate();
  const auto& workers = implementation_->workers;
  checkArgument(!numbers.empty(), "number of frames", 0, "1 or more");
  for (const int number : numbers)
    checkFrameNumber(number, workers[0]->reader->video->size(), "number of a frame");
  SampleGatheringParameters sets;
  sets.volume = QueryVolume::frustum(parameters_.frustum);
  sets.max_samples = parameters_.max_samples;
  for (const auto& worker : workers)
    worker->gathering.setParameters(sets);
  Run run{workers, numbers, view, work, NeededPixels(view, parameters_.frustum)};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const FrameReader::FramePtr read = workers[0]->reader->take(numbers, i);
    run.needed.add(read->frame, checkedView(read->frame, numbers[i]));
  }
  makePlan(run);
  const Plan& plan = run.plan;
  try {
    shareWork(workers.size(), plan.regions.size(), [&](std::size_t i, int region) {
      gatherRegion(run, *workers[i], plan.regions[region]);
    });
    for (const auto& worker : workers)
      worker->stream.synchronize();
  }
  catch (...) {
    for (const auto& worker : workers)
      worker->parts = {}; // waits for the work on them
    throw;
  }
  const ImageRegion region = pixelsOf(plan.regions[0], view);
  return {region.columns,
          region.rows,
          plan.regions.size(),
          run.uploaded_bytes,
          plan.memory(plan.parts)};
}

} // namespace pcl::gpu
