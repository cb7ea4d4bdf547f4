// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "matching_reference.h"
#include "matching_scenes.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Room, order and bits of the output.

class MatchingOutput : public DeviceTest {
protected:
  static Families
  smallFamilies()
  {
    Families families;
    families.grid_size = 5;
    families.families = 4;
    return families;
  }

  static bool
  allAreNone(const std::vector<TensorMatch>& matches)
  {
    return std::all_of(matches.begin(), matches.end(), [](const TensorMatch& match) {
      return match.tensor == -1;
    });
  }
};

TEST_P(MatchingOutput, OfNoTensorsIsEmpty)
{
  TensorMatching matching;
  DeviceArray<TensorMatch> matches = uploaded(std::vector<TensorMatch>(7));
  const TensorTable table = tableOf(membersOf(smallFamilies(), 9, 1));
  matching.compute(uploadedTensors(noTensors(5)), table, matches);
  EXPECT_TRUE(matches.empty());
}

TEST_P(MatchingOutput, OfTensorsThatWereNeverComputedIsEmpty)
{
  TensorMatching matching;
  DeviceArray<TensorMatch> matches = uploaded(std::vector<TensorMatch>(7));
  matching.compute(TensorSet(), tableOf(membersOf(smallFamilies(), 9, 1)), matches);
  EXPECT_TRUE(matches.empty());
}

TEST_P(MatchingOutput, OfEmptyTablesIsNone)
{
  const HostTensors members = membersOf(smallFamilies(), 70, 1);
  TensorMatching matching;
  setRules(matching, loose(3));
  for (int bins : {-1, 2}) {
    change(matching, [&](auto& p) { p.neighbor_bins = bins; });
    const TensorSet tensors = uploadedTensors(members);
    EXPECT_TRUE(allAreNone(matchesOf(matching, tensors, TensorTable())));
    EXPECT_TRUE(allAreNone(matchesOf(matching, tensors, tableOf(noTensors(5)))));
    EXPECT_TRUE(allAreNone(matchesOf(matching, tensors, tableOf(noTensors(10)))));
  }
}

TEST_P(MatchingOutput, HasRoomForAllTensorsThatThereIsRoomFor)
{
  const HostTensors table = membersOf(smallFamilies(), 50, 2);
  for (int room : {1, 64, 100, 4097, 5000})
    for (int count : {0, 1, 10, 63, 64, 4096, 4097}) {
      if (count > room)
        continue;
      SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(room));
      TensorMatching matching;
      setRules(matching, loose(2));
      const HostTensors tensors = membersOf(smallFamilies(), count, 3);
      const TensorTable built = tableOf(table);
      HostMatches found = {
          tensors,
          downloadedTensors(built.tensors()),
          matchesOf(matching, uploadedTensors(tensors, room - count), built)};
      EXPECT_EQ(found.matches.size(), 2u * room);
      EXPECT_GE(expectMatches(loose(2), found), count);
    }
}

TEST_P(MatchingOutput, KeepsMemoryThatFits)
{
  const TensorTable table = tableOf(membersOf(smallFamilies(), 50, 2));
  const TensorSet tensors = uploadedTensors(membersOf(smallFamilies(), 20, 3));
  TensorMatching matching;
  change(matching, [&](auto& p) { p.match_count = 3; });
  DeviceArray<TensorMatch> matches(60);
  const TensorMatch* const memory = matches.ptr();
  matching.compute(tensors, table, matches);
  EXPECT_EQ(matches.ptr(), memory);
  change(matching, [&](auto& p) { p.match_count = 4; });
  matching.compute(tensors, table, matches);
  EXPECT_EQ(matches.size(), 80u);
}

TEST_P(MatchingOutput, IsWrittenWithinItsMemory)
{
  constexpr int margin = 512, count = 65;
  TensorMatch nonsense;
  std::memset(&nonsense, 0xC5, sizeof(nonsense));
  for (int matches_each : {1, 5, 32}) {
    const std::size_t size = count * matches_each;
    DeviceArray<TensorMatch> whole =
        uploaded(std::vector<TensorMatch>(size + 2 * margin, nonsense));
    DeviceArray<TensorMatch> part(whole.ptr() + margin, size);
    TensorMatching matching;
    change(matching, [&](auto& p) { p.match_count = matches_each; });
    matching.compute(uploadedTensors(membersOf(smallFamilies(), count, 3)),
                     tableOf(membersOf(smallFamilies(), 50, 2)),
                     part);
    ASSERT_EQ(part.ptr(), whole.ptr() + margin);
    const std::vector<TensorMatch> all = downloaded(whole);
    for (int i = 0; i < margin; ++i) {
      ASSERT_EQ(std::memcmp(&all[i], &nonsense, sizeof(nonsense)), 0);
      ASSERT_EQ(std::memcmp(&all[margin + size + i], &nonsense, sizeof(nonsense)), 0);
    }
  }
}

TEST_P(MatchingOutput, IsTheSameOnEveryRun)
{
  for (int grid : {10, 17}) {
    Families families;
    families.grid_size = grid;
    const TensorSet tensors = uploadedTensors(membersOf(families, 90, 1));
    const TensorTable table = tableOf(membersOf(families, 300, 2));
    TensorMatching matching;
    setRules(matching, loose(8));
    const auto first = matchesOf(matching, tensors, table);
    for (int run = 0; run < 5; ++run)
      EXPECT_TRUE(sameMatches(matchesOf(matching, tensors, table), first));
    TensorMatching copy = matching;
    EXPECT_TRUE(sameMatches(matchesOf(copy, tensors, table), first));
  }
}

TEST_P(MatchingOutput, DoesNotDependOnFormerRuns)
{
  TensorMatching matching;
  for (int size : {300, 3, 1100, 64, 300}) {
    for (int grid : {17, 4, 10}) {
      SCOPED_TRACE(std::to_string(size) + ", grid " + std::to_string(grid));
      Families families;
      families.grid_size = grid;
      const TensorSet tensors = uploadedTensors(membersOf(families, 1200 / size, size));
      const TensorTable table = tableOf(membersOf(families, size, size + 1));
      const MatchingRules rules = loose(size % 7 + 1);
      setRules(matching, rules);
      TensorMatching fresh;
      setRules(fresh, rules);
      EXPECT_TRUE(sameMatches(matchesOf(matching, tensors, table),
                              matchesOf(fresh, tensors, table)));
    }
  }
}

TEST_P(MatchingOutput, LeavesItsInputAsItIs)
{
  const HostTensors members = membersOf(smallFamilies(), 90, 1);
  const HostTensors others = membersOf(smallFamilies(), 200, 2);
  const TensorSet tensors = uploadedTensors(members);
  const TensorTable table = tableOf(others);
  const HostTensors before = downloadedTensors(table.tensors());
  const auto occupancy = downloaded(table.occupancy());
  const auto starts = downloaded(table.binStarts());
  TensorMatching matching;
  setRules(matching, loose(4));
  matchesOf(matching, tensors, table);
  EXPECT_TRUE(sameTensors(downloadedTensors(tensors), members));
  EXPECT_TRUE(sameTensors(downloadedTensors(table.tensors()), before));
  EXPECT_EQ(downloaded(table.occupancy()), occupancy);
  EXPECT_EQ(downloaded(table.binStarts()), starts);
}

TEST_P(MatchingOutput, OfFewerMatchesIsTheBeginningOfThatOfMore)
{
  const HostTensors tensors = membersOf(smallFamilies(), 50, 1);
  const HostTensors table = membersOf(smallFamilies(), 1500, 2);
  const HostMatches most = matchesOf(loose(32), tensors, table);
  for (int count : {1, 2, 5, 31}) {
    std::vector<TensorMatch> expected;
    for (int i = 0; i < 50; ++i)
      expected.insert(expected.end(),
                      most.matches.begin() + 32 * i,
                      most.matches.begin() + 32 * i + count);
    EXPECT_TRUE(sameMatches(matchesOf(loose(count), tensors, table).matches, expected));
  }
}

TEST_P(MatchingOutput, FollowsTheOrderOfTheTable)
{
  const HostTensors tensors = membersOf(smallFamilies(), 30, 1);
  const HostTensors members = membersOf(smallFamilies(), 1200, 2);
  const std::vector<int> order = shuffledNumbers(1200, 4);
  TensorMatching matching;
  setRules(matching, loose(5));
  const TensorSet set = uploadedTensors(tensors);
  const TensorTable table = tableOf(members), other = tableOf(selected(members, order));
  const auto found = matchesOf(matching, set, table);
  const auto other_found = matchesOf(matching, set, other);
  const auto places = downloaded(table.formerPlaces());
  const auto other_places = downloaded(other.formerPlaces());
  ASSERT_EQ(found.size(), other_found.size());
  int tied = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_GE(found[i].tensor, 0);
    ASSERT_GE(other_found[i].tensor, 0);
    EXPECT_EQ(found[i].correlation, other_found[i].correlation);
    const int place = static_cast<int>(places[found[i].tensor]);
    tied += place != order[other_places[other_found[i].tensor]];
  }
  EXPECT_LE(tied, 2) << "equal coefficients are rare";
}

TEST_P(MatchingOutput, FollowsTheOrderOfTheTensors)
{
  const HostTensors members = membersOf(smallFamilies(), 200, 1);
  const HostTensors table = membersOf(smallFamilies(), 300, 2);
  const std::vector<int> order = shuffledNumbers(200, 4);
  const HostMatches found = matchesOf(loose(3), members, table);
  std::vector<TensorMatch> expected;
  for (int number : order)
    expected.insert(expected.end(),
                    found.matches.begin() + 3 * number,
                    found.matches.begin() + 3 * number + 3);
  EXPECT_TRUE(sameMatches(matchesOf(loose(3), selected(members, order), table).matches,
                          expected));
}

TEST_P(MatchingOutput, DoesNotDependOnWhatIsBehindTheRoomForEntries)
{
  const HostTensors members = membersOf(smallFamilies(), 20, 1);
  const std::size_t room = members.starts[12] + 3;
  const TensorTable table = tableOf(members);
  TensorMatching matching;
  setRules(matching, loose(2));
  const auto found = [&](const HostTensors& memory) {
    TensorSet lossy = uploadedTensors(memory);
    const DeviceArray<std::uint16_t> voxels = lossy.voxels; // keep the memory
    const DeviceArray<float> areas = lossy.areas;
    lossy.voxels = DeviceArray<std::uint16_t>(lossy.voxels.ptr(), room);
    lossy.areas = DeviceArray<float>(lossy.areas.ptr(), room);
    return matchesOf(matching, lossy, table);
  };
  HostTensors other = members;
  std::fill(other.voxels.begin() + room, other.voxels.end(), std::uint16_t(99));
  std::fill(other.areas.begin() + room, other.areas.end(), 3.0f);
  const auto expected = matchesOf(matching, uploadedTensors(members), table);
  const auto some = found(members);
  EXPECT_TRUE(sameMatches(some, found(other)));
  for (int i = 0; i < 2 * 12; ++i) {
    EXPECT_EQ(some[i].tensor, expected[i].tensor) << "of a tensor that lost nothing";
    EXPECT_EQ(some[i].correlation, expected[i].correlation);
  }
}

TEST_P(MatchingOutput, IsTheSameOnAnotherStream)
{
  const HostTensors members = membersOf(smallFamilies(), 90, 1);
  const TensorSet tensors = uploadedTensors(members);
  const TensorTable table = tableOf(membersOf(smallFamilies(), 700, 2));
  TensorMatching matching;
  setRules(matching, loose(4));
  const auto expected = matchesOf(matching, tensors, table);
  Stream().synchronize();
  const Stream stream = Stream::create();
  DeviceArray<TensorMatch> matches;
  matching.compute(tensors, table, matches, stream);
  stream.synchronize();
  EXPECT_TRUE(sameMatches(downloaded(matches), expected));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MatchingOutput);

} // namespace
