// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/devices.h"
#include "matching_reference.h"
#include "matching_scenes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Matching that has run once neither waits nor allocates, so that it can be
 * captured; and finds other matches when there are other tensors in the same memory. */
class MatchingCaptures : public DeviceTest {
protected:
  static void
  expectCaptured(int grid_size, const MatchingRules& rules, int room, int table_size)
  {
    Families families;
    families.grid_size = grid_size;
    const HostTensors all = membersOf(families, room, 1);
    const TensorSet tensors = uploadedTensors(all);
    const TensorTable table = tableOf(membersOf(families, table_size, 2));
    TensorMatching matching;
    setRules(matching, rules);
    DeviceArray<TensorMatch> matches;
    const Stream stream = Stream::create();
    Stream().synchronize(); // which the other stream does not wait for
    const auto work = [&] { matching.compute(tensors, table, matches, stream); };
    work();
    const CapturedGraph graph(stream, work);
    for (int count : {room, room / 2, 0, room}) {
      SCOPED_TRACE(count);
      TensorSet other = tensors; // shares the memory
      other.count.upload(std::vector<int>{count});
      std::vector<float> areas = all.areas;
      for (std::size_t i = 0; i < areas.size(); i += 1 + count % 7)
        areas[i] *= 1.5f;
      other.areas.upload(areas);
      Stream().synchronize();
      graph.launch(3);
      HostMatches found = {
          all, downloadedTensors(table.tensors()), downloaded(matches)};
      ASSERT_EQ(found.matches.size(), std::size_t(room) * rules.match_count);
      found.tensors.areas = areas;
      found.tensors = selected(found.tensors, numbersUpTo(count));
      EXPECT_GE(expectMatches(rules, found), count / 4);
    }
  }
};

TEST_P(MatchingCaptures, OfAllTensorsOfATable)
{
  expectCaptured(10, MatchingRules(), 200, 500);
}

TEST_P(MatchingCaptures, OfNeighboringBins)
{
  MatchingRules rules = loose(5);
  rules.neighbor_bins = 2;
  expectCaptured(6, rules, 100, 1500);
}

TEST_P(MatchingCaptures, OfLargeGrids) { expectCaptured(20, loose(3), 70, 100); }

TEST_P(MatchingCaptures, OfMoreTensorsThanOneBatch)
{
  expectCaptured(4, loose(1), 4500, 30);
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         MatchingCaptures,
                         ::testing::Values("cuda"),
                         deviceTestName);

} // namespace
