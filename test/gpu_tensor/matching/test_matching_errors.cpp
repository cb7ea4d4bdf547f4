// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "matching_reference.h"
#include "matching_scenes.h"

#include <cmath>
#include <limits>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

TEST(BadMatchingArguments, AreNamed)
{
  TensorMatching matching;
  for (int bad : {-1, 0, TensorMatchingParameters::max_match_count + 1})
    expectBadArgument("number of matches is " + std::to_string(bad),
                      [&] { change(matching, [&](auto& p) { p.match_count = bad; }); });
  for (float bad : {std::nextafter(-1.0f, -2.0f),
                    std::nextafter(1.0f, 2.0f),
                    not_a_number,
                    infinity,
                    -infinity})
    expectBadArgument("least correlation", [&] {
      change(matching, [&](auto& p) { p.min_correlation = bad; });
    });
  for (float bad : {0.0f, -0.5f, std::nextafter(1.0f, 2.0f), not_a_number, infinity})
    expectBadArgument("least overlap",
                      [&] { change(matching, [&](auto& p) { p.min_overlap = bad; }); });
  for (int bad : {-8, 0, 1})
    expectBadArgument("overlapping voxels is " + std::to_string(bad), [&] {
      change(matching, [&](auto& p) { p.min_overlap_voxels = bad; });
    });
  for (int bad : {-2, -100})
    expectBadArgument("neighboring bins is " + std::to_string(bad), [&] {
      change(matching, [&](auto& p) { p.neighbor_bins = bad; });
    });
  EXPECT_EQ(matching.getParameters().match_count, 1)
      << "a refused value must not stick";
}

TEST(BadMatchingArguments, AtTheLimitsAreGood)
{
  TensorMatching matching;
  for (int count : {1, TensorMatchingParameters::max_match_count}) {
    EXPECT_NO_THROW(change(matching, [&](auto& p) { p.match_count = count; }));
    EXPECT_EQ(matching.getParameters().match_count, count);
  }
  for (float correlation : {-1.0f, 0.0f, 1.0f})
    EXPECT_NO_THROW(
        change(matching, [&](auto& p) { p.min_correlation = correlation; }));
  for (float ratio : {std::nextafter(0.0f, 1.0f), 1.0f})
    EXPECT_NO_THROW(change(matching, [&](auto& p) { p.min_overlap = ratio; }));
  EXPECT_NO_THROW(change(matching, [&](auto& p) { p.min_overlap_voxels = 2; }));
  for (int bins : {-1, 0, std::numeric_limits<int>::max()})
    EXPECT_NO_THROW(change(matching, [&](auto& p) { p.neighbor_bins = bins; }));
}

class MatchingErrors : public DeviceTest {};

TEST_P(MatchingErrors, OfGridsThatDifferAreNamed)
{
  Families families;
  families.grid_size = 6;
  const TensorTable table = tableOf(membersOf(families, 5, 1));
  const TensorSet tensors = uploadedTensors(membersOf(Families(), 5, 1));
  TensorMatching matching;
  DeviceArray<TensorMatch> matches = uploaded(std::vector<TensorMatch>(3, {7, 1, 1}));
  expectBadArgument("grid size of the table is 6",
                    [&] { matching.compute(tensors, table, matches); });
  ASSERT_EQ(matches.size(), 3u) << "the output must stay as it is";
  EXPECT_EQ(downloaded(matches)[0].tensor, 7);
}

TEST_P(MatchingErrors, LeaveTheDefaultsAsTheyAreDocumented)
{
  const HostTensors tensors = membersOf(Families(), 30, 1);
  const HostTensors table = membersOf(Families(), 60, 2);
  TensorMatching matching;
  const TensorTable built = tableOf(table);
  EXPECT_TRUE(sameMatches(matchesOf(matching, uploadedTensors(tensors), built),
                          matchesOf(MatchingRules(), tensors, table).matches));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MatchingErrors);

/** \brief Inputs of one call on two devices; runs where there is a CUDA device. */
TEST(matching_of_host_and_cuda_mixed, IsRefusedByName)
{
  const auto cuda = useDevice("cuda");
  const HostTensors members = membersOf(Families(), 5, 1);
  const TensorTable table_on_cuda = tableOf(members);
  const TensorSet tensors_on_cuda = uploadedTensors(members);
  const auto host = useDevice("host");
  const TensorTable table = tableOf(members);
  TensorMatching matching;
  DeviceArray<TensorMatch> matches;
  expectBadArgument("table is on cuda:0", [&] {
    matching.compute(uploadedTensors(members), table_on_cuda, matches);
  });
  expectBadArgument("table is on host",
                    [&] { matching.compute(tensors_on_cuda, table, matches); });
  const auto refuse = [&](const char* message, auto member) {
    TensorSet mixed = uploadedTensors(members);
    mixed.*member = tensors_on_cuda.*member;
    expectBadArgument(message, [&] { matching.compute(mixed, table, matches); });
    TensorTable made;
    const DeviceArray<int> labels = uploaded(std::vector<int>(5));
    expectBadArgument(message, [&] { made.build(mixed, labels); });
  };
  refuse("number of tensors is on cuda:0", &TensorSet::count);
  refuse("starts of tensors is on cuda:0", &TensorSet::starts);
  refuse("voxels of tensors is on cuda:0", &TensorSet::voxels);
  refuse("areas of tensors is on cuda:0", &TensorSet::areas);
}

/** \brief One object may work on one device and then on the other. */
TEST(matching_on_host_and_cuda_in_turn, MovesItsMemory)
{
  const auto cuda = useDevice("cuda");
  const HostTensors members = membersOf(Families(), 40, 1);
  const TensorTable table_on_cuda = tableOf(members);
  const TensorSet tensors_on_cuda = uploadedTensors(members);
  const auto host = useDevice("host");
  const TensorTable table = tableOf(members);
  const TensorSet tensors = uploadedTensors(members);
  TensorMatching matching;
  DeviceArray<TensorMatch> matches;
  for (int run = 0; run < 2; ++run) {
    matching.compute(tensors_on_cuda, table_on_cuda, matches);
    EXPECT_EQ(deviceOf(matches), Device::cuda(0));
    const auto on_cuda = downloaded(matches);
    matching.compute(tensors, table, matches);
    EXPECT_EQ(deviceOf(matches), Device::host());
    const auto on_host = downloaded(matches);
    for (int i = 0; i < 40; ++i)
      EXPECT_EQ(on_cuda[i].tensor, on_host[i].tensor);
  }
}

} // namespace
