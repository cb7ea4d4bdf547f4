// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_TILE_SAMPLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_TILE_SAMPLES_INL_H
#undef PCL_GPU_SCENESPACE_HOST_TILE_SAMPLES_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_TILE_SAMPLES_INL_H
#endif

#include "gathering/exact_cell.hpp"
#include "gathering/projection-inl.h"
#include "gathering/sets/sets.h"

#include <pcl/gpu/utils/internal/device/missing_depth-inl.h>

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <omp.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A bit for each of a mask's lanes, 32 at most, lowest first. */
template <typename Tag>
HWY_INLINE std::uint32_t
bitsOf(LaneMask<Tag> mask)
{
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Tag(), mask.value, bytes);
  std::uint32_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

HWY_INLINE std::uint64_t
bitsOf(const TileRange& range)
{
  std::uint64_t bits;
  static_assert(sizeof(range) == sizeof(bits), "a lane has a range");
  std::memcpy(&bits, &range, sizeof(bits));
  return bits;
}

/** \brief Calls a function for the numbers of those ranges that contain a tile, in
 * ascending order. */
template <typename Function>
HWY_INLINE void
forEachContaining(const TileRange* ranges,
                  int count,
                  int tile_x,
                  int tile_y,
                  const Function& function)
{
  const hn::CappedTag<std::uint64_t, 8> tag; // a range for each lane
  const int lanes = static_cast<int>(hn::Lanes(tag));
  // With ends counted from the other side, four subtractions of whole numbers of 15
  // bits at once: each one's highest bit stays set where the tile is not before the
  // beginning.
  constexpr std::int16_t largest = 0x7fff;
  const auto end_bits = hn::Set(tag, bitsOf({0, 0, largest, largest}));
  const auto guards = hn::Set(tag, 0x8000800080008000u);
  const auto tile =
      hn::Or(guards,
             hn::Set(tag,
                     bitsOf({static_cast<std::int16_t>(tile_x),
                             static_cast<std::int16_t>(tile_y),
                             static_cast<std::int16_t>(largest - tile_x),
                             static_cast<std::int16_t>(largest - tile_y)})));
  int first = 0;
  for (; first + lanes <= count; first += lanes) {
    const auto begins =
        hn::Xor(hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(ranges + first)),
                end_bits);
    const auto left = hn::And(hn::Sub(tile, begins), guards);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Eq(left, guards), bits);
    for (std::uint32_t found = bits[0]; found != 0; found &= found - 1)
      function(first + static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(found)));
  }
  for (; first < count; ++first)
    if (contains(ranges[first], tile_x, tile_y))
      function(first);
}

/** \brief Block of data that is copied at once and split into registers. */
struct alignas(16) PointSample {
  float x, y, z; ///< in the output camera's frame
  PackedColor color;
};

/** \brief The samples that a tile sees of a chunk of blocks, sorted by cells. */
class TileSamples {
  using Tag = hn::CappedTag<float, 16>;
  using Number = Lanes<Tag>;
  static constexpr int max_slots = chunk_blocks * block_pixels;
  static_assert(guided_chunk_blocks <= chunk_blocks, "there is room for both");
  static_assert(block_pixels == 32, "a block has a word of bits");

public:
  /** \param[in] view the output, which must outlive this */
  explicit TileSamples(const ViewGeometry& view)
  : starts(std::size_t(view.tileCellColumns()) * view.tileCellRows() + 1)
  , order(max_slots)
  , cell_of(max_slots)
  , points(max_slots)
  , guides(max_slots)
  , view_(view)
  , columns_(view.tileCellColumns())
  , rows_(view.tileCellRows())
  , places_(chunk_blocks)
  , colors_(max_slots)
  , depths_(max_slots)
  , seen_(chunk_blocks)
  {
    for (int i = 0; i < block_pixels; ++i) {
      columns_in_block_[i] = static_cast<float>(i % block_columns);
      rows_in_block_[i] = static_cast<float>(i / block_columns);
    }
  }

  /** \brief Begins with the samples of a frame that a tile sees.
   * \param[in] frame one of the task's
   */
  void
  begin(const GatheringTask& task, const Frame& frame, int tile_x, int tile_y)
  {
    first_column_ = tile_x * tile_columns - view_.cellsBefore();
    first_row_ = tile_y * tile_rows - view_.cellsBefore();
    frame_ = &frame;
    listBlocks(task, tile_x, tile_y);
    next_block_ = blocks_here_ = 0;
  }

  /** \brief Moves on to the samples of the next chunk of blocks.
   * \tparam IsGuided whether guides are wanted
   * \return whether there is one
   */
  template <bool IsGuided>
  HWY_INLINE bool
  next()
  {
    next_block_ += blocks_here_;
    blocks_here_ = std::min(IsGuided ? guided_chunk_blocks : chunk_blocks,
                            static_cast<int>(blocks_.size()) - next_block_);
    if (blocks_here_ == 0)
      return false;
    project<IsGuided>(blocks_.data() + next_block_);
    return true;
  }

  /** \brief Calls a function for the slots of samples, in ascending order; slots are
   * pixels of blocks, whether the tile sees them or not. */
  template <typename Function>
  HWY_INLINE void
  forEachSlot(const Function& function) const
  {
    for (int block = 0; block < blocks_here_; ++block)
      for (std::uint32_t seen = seen_[block]; seen != 0; seen &= seen - 1)
        function(block * block_pixels +
                 static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(seen)));
  }

  /** \brief Sorts slots by cells; those of a cell stay in their order. */
  void
  sort()
  {
    std::fill(starts.begin(), starts.end(), 0);
    forEachSlot([&](int slot) { ++starts[cell_of[slot]]; });
    int sum = 0;
    for (int& start : starts) {
      const int count = start;
      start = sum;
      sum += count;
    }
    next_ = starts;
    forEachSlot([&](int slot) { order[next_[cell_of[slot]]++] = slot; });
  }

  std::vector<int> starts;         ///< places of the cells' first samples in the order
  std::vector<int> order;          ///< slots of samples, by cells
  std::vector<int> cell_of;        ///< by slots
  std::vector<PointSample> points; ///< by slots
  std::vector<PackedColor> guides; ///< by slots

  StoredSample
  stored(int slot) const
  {
    const BlockPlace place = places_[slot / block_pixels];
    const std::uint32_t row = place.row + slot % block_pixels / block_columns;
    const std::uint32_t column = place.column + slot % block_columns;
    return {{row << 16 | column, depths_[slot], colors_[slot]}, frame_->number};
  }

private:
  /** \brief Blocks of which the tile may see samples, in ascending order. */
  void
  listBlocks(const GatheringTask& task, int tile_x, int tile_y)
  {
    blocks_.clear();
    const Frame& frame = *frame_;
    const TileRange* const ranges = task.range_tiles + frame.first_range;
    const TileRange* const groups = task.group_tiles + frame.first_group;
    const TileRange* const blocks =
        task.block_tiles + std::size_t(frame.first_group) * group_blocks;
    const int group_count = frame.images.groups();
    const auto listGroup = [&](int group) {
      forEachContaining(
          blocks + group * group_blocks, group_blocks, tile_x, tile_y, [&](int block) {
            blocks_.push_back(group * group_blocks + block);
          });
    };
    const auto listRange = [&](int range) {
      const int first = range * grouped_groups,
                count = std::min(grouped_groups, group_count - first);
      forEachContaining(groups + first, count, tile_x, tile_y, [&](int group) {
        listGroup(first + group);
      });
    };
    forEachContaining(ranges, frame.images.groupRanges(), tile_x, tile_y, listRange);
  }

  template <bool IsGuided>
  HWY_INLINE void
  project(const int* blocks)
  {
    const FrameImages& images = frame_->images;
    const int count = blocks_here_;
    for (int i = 0; i < count; ++i)
      places_[i] = placeOfBlock(images, blocks[i]);
    for (int i = 0; i < count; ++i) {
      if (i + blocks_ahead < count)
        prefetch(images, places_[i + blocks_ahead]);
      const BlockPlace place = places_[i];
      const int slot = i * block_pixels;
      copyPixels(images, images.depth, images.depth_stride, place, &depths_[slot]);
      copyPixels(images, images.color, images.color_stride, place, &colors_[slot]);
      if (IsGuided)
        copyPixels(images, images.guide, images.guide_stride, place, &guides[slot]);
    }
    const BlockProjection projection{view_,
                                     frame_->projection,
                                     static_cast<float>(first_column_),
                                     static_cast<float>(first_row_),
                                     static_cast<float>(columns_),
                                     static_cast<float>(rows_)};
    for (int i = 0; i < count; ++i) {
      const std::uint32_t doubts = projectBlock(projection, i);
      if (doubts != 0)
        settleDoubts(doubts, i);
    }
  }

  /** \brief Prefetches a block's pixels. */
  static HWY_INLINE void
  prefetch(const FrameImages& images, BlockPlace place)
  {
    const int rows = std::min(block_rows, images.rows - place.row);
    for (int y = 0; y < rows; ++y) {
      const std::size_t row = place.row + y;
      hwy::Prefetch(images.depth + row * images.depth_stride + place.column);
      hwy::Prefetch(images.color + row * images.color_stride + place.column);
    }
  }

  /** \brief Copies a block's pixels; behind the image's end lies nothing. */
  template <typename T>
  static HWY_INLINE void
  copyPixels(
      const FrameImages& images, const T* image, int stride, BlockPlace place, T* to)
  {
    const int columns = std::min(block_columns, images.columns - place.column);
    for (int y = 0; y < block_rows; ++y, to += block_columns) {
      const T* const from = image + std::size_t(place.row + y) * stride + place.column;
      const int copied = place.row + y < images.rows ? columns : 0;
      if (copied == block_columns) {
        std::memcpy(to, from, block_columns * sizeof(T));
        continue;
      }
      std::copy_n(from, copied, to);
      std::fill(to + copied, to + block_columns, T(0));
    }
  }

  /** \brief Data that projects blocks: copies, which no store may change. */
  struct BlockProjection {
    ViewGeometry view;
    FrameProjection frame;
    float first_column, first_row, columns, rows; ///< of the tile's cells
  };

  /** \brief Finds points and cells of a block whose pixels are in their slots.
   * \return a bit for each cell that single precision cannot decide
   */
  HWY_INLINE std::uint32_t
  projectBlock(const BlockProjection& projection, int block)
  {
    const Tag tag;
    const hn::Rebind<int, Tag> int_tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const Number zero(0.0f);
    const BlockPlace place = places_[block];
    const Number first_column(static_cast<float>(place.column)),
        first_row(static_cast<float>(place.row));
    std::uint32_t seen = 0, doubts = 0;
    for (int i = 0; i < block_pixels; i += lanes) {
      const int slot = block * block_pixels + i;
      const Number depth = load(tag, &depths_[slot]);
      const ScenePoint<Number> point =
          pointOf(projection.frame,
                  first_column + load(tag, columns_in_block_ + i),
                  first_row + load(tag, rows_in_block_ + i),
                  depth);
      const auto rough = roughCell(projection.frame, projection.view, point, depth);
      const Number cell_column = rough.column - Number(projection.first_column);
      const Number cell_row = rough.row - Number(projection.first_row);
      const auto is_there = isMeasuredDepth(depth);
      const auto is_inside = (cell_column >= zero) & (cell_row >= zero) &
                             (cell_column < Number(projection.columns)) &
                             (cell_row < Number(projection.rows));
      const auto color =
          hn::LoadU(int_tag, reinterpret_cast<const int*>(&colors_[slot]));
      hn::StoreInterleaved4(point.x.value,
                            point.y.value,
                            point.z.value,
                            hn::BitCast(tag, color),
                            tag,
                            &points[slot].x);
      // Whole numbers below 2^24: exact.
      const Number cell = cell_row * Number(projection.columns) + cell_column;
      hn::StoreU(hn::ConvertTo(int_tag, cell.value), int_tag, &cell_of[slot]);
      const auto is_doubt = is_there & rough.is_doubt;
      seen |= bitsOf(is_there & is_inside & rough.is_seen & !is_doubt) << i;
      doubts |= bitsOf(is_doubt) << i;
    }
    seen_[block] = seen;
    return doubts;
  }

  /** \brief Finds the cells that single precision could not decide.
   * \param[in] doubts a bit for each pixel of a block
   */
  void
  settleDoubts(std::uint32_t doubts, int block)
  {
    for (; doubts != 0; doubts &= doubts - 1) {
      const int i = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(doubts));
      const int slot = block * block_pixels + i;
      const Cell cell = exactCell(frame_->projection,
                                  view_,
                                  places_[block].column + i % block_columns,
                                  places_[block].row + i / block_columns,
                                  depths_[slot],
                                  view_.footprint);
      const int column = cell.column - first_column_, row = cell.row - first_row_;
      if (column < 0 || column >= columns_ || row < 0 || row >= rows_)
        continue; // as no_cell
      cell_of[slot] = row * columns_ + column;
      seen_[block] |= std::uint32_t(1) << i;
    }
  }

  static constexpr int blocks_ahead = 4;

  const ViewGeometry& view_;
  const Frame* frame_ = nullptr;
  int columns_, rows_; ///< of cells
  int first_column_ = 0, first_row_ = 0;
  int next_block_ = 0, blocks_here_ = 0; ///< the chunk's first block, and its number
  std::vector<int> blocks_;
  std::vector<int> next_;
  std::vector<BlockPlace> places_; ///< of the chunk's blocks
  std::vector<PackedColor> colors_;
  std::vector<float> depths_;
  std::vector<std::uint32_t> seen_; ///< a bit for each slot of a block
  float columns_in_block_[block_pixels], rows_in_block_[block_pixels];
};

/** \brief Returns neighbouring tiles for a thread to work on frame by frame, so that
 * they share the cached lines of frames; smaller areas if threads would be idle. */
inline TileAreas
tilePatches(const TileArea& area, int threads)
{
  constexpr int wanted_by_thread = 8;
  TileAreas patches{area, 8, 2};
  while (patches.columns * patches.rows > 1 &&
         patches.size() < wanted_by_thread * threads)
    (patches.rows > 1 ? patches.rows : patches.columns) /= 2;
  return patches;
}

template <typename Consumer, typename Task>
HWY_INLINE void
gatherTiles(const Task& task)
{
  const GatheringTask& gathering = task.gathering;
  host::boundTiles(gathering);
  const TileAreas patches = tilePatches(gathering.tiles, omp_get_max_threads());
#pragma omp parallel
  {
    TileSamples samples(gathering.view);
    typename Consumer::Scratch scratch(gathering.view);
    std::vector<Consumer> consumers;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < patches.size(); ++i) {
      const TileArea patch = patches[i];
      const int tiles = patch.columns * patch.rows;
      const auto tileX = [&](int tile) { return patch.x0 + tile % patch.columns; };
      const auto tileY = [&](int tile) { return patch.y0 + tile / patch.columns; };
      consumers.clear();
      for (int tile = 0; tile < tiles; ++tile)
        consumers.emplace_back(task, scratch, tileX(tile), tileY(tile));
      for (int number = 0; number < gathering.frame_count; ++number)
        for (int tile = 0; tile < tiles; ++tile) {
          const Frame& frame = gathering.frames[number];
          samples.begin(gathering, frame, tileX(tile), tileY(tile));
          consumers[tile].beginFrame(frame);
          while (samples.template next<Consumer::is_guided>())
            consumers[tile].add(frame, samples);
        }
      for (const Consumer& consumer : consumers)
        consumer.write();
    }
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
