// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_tensor/matching/matching_scenes.h"

#include <pcl/gpu/tensor/tensor_table.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float half_turn = 3.14159274f;

/** \brief The bin of an angle: bins divide 0 to pi, and pi itself is in the last
 * one. */
int
binOf(float angle, float width, int bins)
{
  const double bin = std::floor(static_cast<double>(angle) / width);
  return std::min(static_cast<int>(bin), bins - 1);
}

/** \brief Compares a table of tableOf() with the tensors it was made from. */
void
expectTable(const HostTensors& from, const TensorTable& table)
{
  const int size = from.size();
  ASSERT_EQ(table.size(), size);
  const TensorSet& set = table.tensors();
  EXPECT_EQ(set.frames.size(), from.frames.size());
  EXPECT_EQ(set.areas.size(), from.areas.size());
  const HostTensors tensors = downloadedTensors(set);
  EXPECT_EQ(tensors.grid_size, from.grid_size);
  const auto places = downloaded(table.formerPlaces());
  const auto labels = downloaded(table.labels());
  const auto starts = downloaded(table.binStarts());
  ASSERT_EQ(tensors.size(), size);
  ASSERT_EQ(places.size(), from.frames.size());
  ASSERT_EQ(labels.size(), from.frames.size());

  const float width = table.getParameters().bin_width;
  const int bins = static_cast<int>(starts.size()) - 1;
  EXPECT_NEAR(bins, static_cast<double>(half_turn) / width + 0.5, 0.51);
  std::vector<std::uint32_t> expected_starts(1, 0), expected_places;
  for (int bin = 0; bin < bins; ++bin) {
    for (int i = 0; i < size; ++i)
      if (binOf(from.frames[i].angle, width, bins) == bin)
        expected_places.push_back(i);
    expected_starts.push_back(static_cast<std::uint32_t>(expected_places.size()));
  }
  EXPECT_EQ(starts, expected_starts);
  ASSERT_EQ(places, expected_places);

  const std::size_t words = TensorTable::getOccupancyWords(from.grid_size);
  std::vector<std::uint32_t> occupancy(size * words, 0);
  for (int i = 0; i < size; ++i) {
    ASSERT_TRUE(sameTensor(tensors, i, from, places[i])) << "tensor " << i;
    ASSERT_EQ(labels[i], static_cast<int>(places[i]) + 1000);
    for (const auto& entry : entriesOf(from, places[i]))
      occupancy[i * words + entry.first / 32] |= 1u << entry.first % 32;
  }
  EXPECT_EQ(downloaded(table.occupancy()), occupancy);
}

class TensorTables : public DeviceTest {};

TEST_P(TensorTables, OfAnySizeHoldWhatTheyWereMadeFrom)
{
  for (int size : {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000}) {
    SCOPED_TRACE(size);
    const HostTensors tensors = membersOf(Families(), size, size + 1);
    expectTable(tensors, tableOf(tensors));
  }
}

TEST_P(TensorTables, OfAnyGridHoldWhatTheyWereMadeFrom)
{
  for (int grid : {2, 3, 6, 7, 10, 16, 17, 32}) {
    SCOPED_TRACE(grid);
    Families families;
    families.grid_size = grid;
    HostTensors tensors = membersOf(families, 40, 3);
    addTensor(tensors, 1.0f, {});
    Entries all;
    for (int voxel = 0; voxel < grid * grid * grid; ++voxel)
      all.emplace_back(voxel, 0.5f + 0.001f * voxel);
    addTensor(tensors, 0.2f, all);
    addTensor(tensors, 2.0f, {all.front(), all.back()});
    expectTable(tensors, tableOf(tensors));
  }
}

TEST_P(TensorTables, OfAnyBinWidthHaveTheirBins)
{
  const HostTensors tensors = membersOf(Families(), 300, 8);
  for (float width : {0.001f, 0.01f, 0.0872664626f, 0.3f, 0.5f, 1.6f, half_turn}) {
    SCOPED_TRACE(width);
    expectTable(tensors, tableOf(tensors, width));
  }
}

TEST_P(TensorTables, PutAnAngleAtALimitIntoTheBinThatBegins)
{
  constexpr float width = 0.125f;
  HostTensors tensors = noTensors(2);
  for (int bin = 25; bin >= 0; --bin) {
    addTensor(tensors, width * bin, {{0, 1.0f}});
    if (bin > 0)
      addTensor(tensors, std::nextafter(width * bin, 0.0f), {{1, 1.0f}});
  }
  const TensorTable table = tableOf(tensors, width);
  expectTable(tensors, table);
  const auto starts = downloaded(table.binStarts());
  ASSERT_EQ(starts.size(), 27u);
  for (int bin = 0; bin < 25; ++bin)
    EXPECT_EQ(starts[bin + 1] - starts[bin], 2u);
  EXPECT_EQ(starts[26] - starts[25], 1u);
}

TEST_P(TensorTables, HaveAPlaceForTheLeastAndTheLargestAngle)
{
  HostTensors tensors = noTensors(2);
  addTensor(tensors, half_turn, {{0, 1.0f}});
  addTensor(tensors, 0.0f, {{1, 1.0f}});
  addTensor(tensors, half_turn, {{2, 1.0f}});
  for (float width : {0.001f, 0.0872664626f, 0.125f, 1.0f, half_turn}) {
    SCOPED_TRACE(width);
    const TensorTable table = tableOf(tensors, width);
    expectTable(tensors, table);
    const auto starts = downloaded(table.binStarts());
    EXPECT_EQ(starts.front(), 0u);
    EXPECT_EQ(starts.back(), 3u);
    EXPECT_EQ(starts[1], width == half_turn ? 3u : 1u);
  }
}

TEST_P(TensorTables, KeepTheOrderOfOneBin)
{
  HostTensors tensors = noTensors(3);
  for (int i = 0; i < 500; ++i)
    addTensor(tensors, i % 2 == 0 ? 1.5f : 1.501f, {{i % 27, 1.0f}});
  const TensorTable table = tableOf(tensors, 0.5f);
  expectTable(tensors, table);
  const auto places = downloaded(table.formerPlaces());
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST_P(TensorTables, AreMadeAnewWithOtherContent)
{
  TensorTable table;
  for (int size : {100, 100, 7, 0, 500, 1, 0, 0, 100}) {
    SCOPED_TRACE(size);
    for (int grid : {10, 4}) {
      Families families;
      families.grid_size = grid;
      const HostTensors tensors = membersOf(families, size, size + grid);
      std::vector<int> labels = numbersUpTo(size);
      for (int& label : labels)
        label += 1000;
      change(table, [&](auto& p) { p.bin_width = grid == 4 ? 0.5f : 0.02f; });
      table.build(uploadedTensors(tensors), uploaded(labels));
      expectTable(tensors, table);
    }
  }
}

TEST_P(TensorTables, AreMadeAnewFromTheirOwnTensors)
{
  const HostTensors tensors = membersOf(Families(), 100, 1);
  TensorTable table = tableOf(tensors, 1.0f);
  const HostTensors former = downloadedTensors(table.tensors());
  const auto labels = downloaded(table.labels());
  change(table, [&](auto& p) { p.bin_width = 0.02f; });
  table.build(table.tensors(), table.labels());
  const HostTensors found = downloadedTensors(table.tensors());
  const auto places = downloaded(table.formerPlaces());
  const auto found_labels = downloaded(table.labels());
  ASSERT_EQ(found.size(), 100);
  EXPECT_FALSE(std::is_sorted(places.begin(), places.end()));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(sameTensor(found, i, former, places[i]));
    EXPECT_EQ(found_labels[i], labels[places[i]]);
  }
}

TEST_P(TensorTables, LeaveTheirCopiesAsTheyAre)
{
  const HostTensors tensors = membersOf(Families(), 100, 1);
  const TensorTable table = tableOf(tensors);
  TensorTable copy = table;
  const HostTensors other = selected(tensors, shuffledNumbers(100, 1));
  copy.build(uploadedTensors(other), uploaded(numbersUpTo(100)));
  expectTable(tensors, table);
}

TEST_P(TensorTables, LeaveOutTheRoomThatIsNotUsed)
{
  const HostTensors tensors = membersOf(Families(), 77, 5);
  std::vector<int> labels = numbersUpTo(90);
  for (int& label : labels)
    label += 1000;
  TensorTable table;
  const Stream stream = Stream::create();
  Stream().synchronize();
  table.build(uploadedTensors(tensors, 13), uploaded(labels), stream);
  expectTable(tensors, table);
  table.build(uploadedTensors(noTensors(10), 13), uploaded(labels));
  EXPECT_EQ(table.size(), 0);
}

TEST_P(TensorTables, LeaveTheirInputAsItIs)
{
  const HostTensors tensors = membersOf(Families(), 50, 6);
  const TensorSet set = uploadedTensors(tensors);
  const DeviceArray<int> labels = uploaded(shuffledNumbers(50, 1));
  TensorTable table;
  table.build(set, labels);
  EXPECT_TRUE(sameTensors(downloadedTensors(set), tensors));
  EXPECT_EQ(downloaded(labels), shuffledNumbers(50, 1));
}

TEST_P(TensorTables, AreEmptyAtFirst)
{
  const TensorTable table;
  EXPECT_EQ(table.size(), 0);
  EXPECT_TRUE(table.labels().empty());
  EXPECT_TRUE(table.formerPlaces().empty());
}

TEST_P(TensorTables, RefuseTooFewLabels)
{
  const HostTensors tensors = membersOf(Families(), 4, 1);
  const TensorSet set = uploadedTensors(tensors);
  TensorTable table = tableOf(tensors);
  expectBadArgument("number of labels is 3",
                    [&] { table.build(set, uploaded(std::vector<int>(3))); });
  expectBadArgument("number of labels is 0", [&] { table.build(set, {}); });
  expectTable(tensors, table);
}

TEST_P(TensorTables, RefuseTensorsThatLostEntries)
{
  const HostTensors tensors = membersOf(Families(), 4, 1);
  TensorSet set = uploadedTensors(tensors);
  const std::size_t all = tensors.areas.size();
  TensorTable table;
  const DeviceArray<std::uint16_t> voxels = set.voxels; // keep the memory
  const DeviceArray<float> areas = set.areas;
  set.voxels = DeviceArray<std::uint16_t>(set.voxels.ptr(), all - 1);
  set.areas = DeviceArray<float>(set.areas.ptr(), all - 1);
  expectBadArgument("entries there is room for is " + std::to_string(all - 1),
                    [&] { table.build(set, uploaded(std::vector<int>(4))); });
  EXPECT_EQ(table.size(), 0);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorTables);

TEST(TensorTableBinWidth, HasLimits)
{
  TensorTable table;
  EXPECT_EQ(table.getParameters().bin_width, 0.0872664626f) << "5 degrees";
  for (float width : {0.001f, 0.5f, half_turn}) {
    change(table, [&](auto& p) { p.bin_width = width; });
    EXPECT_EQ(table.getParameters().bin_width, width);
  }
  for (float bad : {0.0f,
                    -1.0f,
                    std::nextafter(0.001f, 0.0f),
                    std::nextafter(half_turn, 4.0f),
                    std::numeric_limits<float>::infinity(),
                    std::numeric_limits<float>::quiet_NaN()})
    expectBadArgument("width of a bin",
                      [&] { change(table, [&](auto& p) { p.bin_width = bad; }); });
  EXPECT_EQ(table.getParameters().bin_width, half_turn)
      << "a refused value must not stick";
}

TEST(TensorTableOccupancy, HasAMultipleOfEightWords)
{
  EXPECT_EQ(TensorTable::getOccupancyWords(2), 8);
  EXPECT_EQ(TensorTable::getOccupancyWords(6), 8);
  EXPECT_EQ(TensorTable::getOccupancyWords(7), 16);
  EXPECT_EQ(TensorTable::getOccupancyWords(10), 32);
  EXPECT_EQ(TensorTable::getOccupancyWords(16), 128);
  EXPECT_EQ(TensorTable::getOccupancyWords(32), 1024);
}

TEST(tensor_tables_of_host_and_cuda, MoveWithTheirTensors)
{
  const auto cuda = useDevice("cuda");
  const HostTensors tensors = membersOf(Families(), 60, 2);
  const TensorSet on_cuda = uploadedTensors(tensors);
  const DeviceArray<int> labels_on_cuda = uploaded(std::vector<int>(60));
  const auto host = useDevice("host");
  const TensorSet on_host = uploadedTensors(tensors);
  const DeviceArray<int> labels_on_host = uploaded(std::vector<int>(60));
  TensorTable table;
  expectBadArgument("labels is on cuda:0",
                    [&] { table.build(on_host, labels_on_cuda); });
  expectBadArgument("labels is on host", [&] { table.build(on_cuda, labels_on_host); });
  for (int run = 0; run < 2; ++run) {
    table.build(on_cuda, labels_on_cuda);
    for (const DeviceMemory& memory : {DeviceMemory(table.tensors().frames),
                                       DeviceMemory(table.tensors().count),
                                       DeviceMemory(table.tensors().starts),
                                       DeviceMemory(table.binStarts()),
                                       DeviceMemory(table.occupancy()),
                                       DeviceMemory(table.labels())})
      EXPECT_EQ(deviceOf(memory), Device::cuda(0));
    table.build(on_host, labels_on_host);
    for (const DeviceMemory& memory : {DeviceMemory(table.tensors().frames),
                                       DeviceMemory(table.tensors().count),
                                       DeviceMemory(table.tensors().starts),
                                       DeviceMemory(table.binStarts()),
                                       DeviceMemory(table.occupancy()),
                                       DeviceMemory(table.labels())})
      EXPECT_EQ(deviceOf(memory), Device::host());
  }
}

} // namespace
