// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/temporary_folder.h"
#include "common/thread_ranks.h"
#include "gpu_tensor/matching/matching_reference.h"
#include "gpu_tensor/matching/matching_scenes.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// A library whose table is divided among ranks, and the same library on one device.

constexpr float pi = 3.14159274f;

/** \brief A library of three models: one with a third of the tensors, one with none,
 * one with the rest. */
TensorLibrary
libraryOf(const HostTensors& tensors)
{
  TensorParameters parameters;
  parameters.resolution = 0.0025f;
  parameters.grid_size = tensors.grid_size;
  parameters.voxel_size = 0.01f;
  TensorLibrary library;
  library.setParameters(parameters);
  const int cuts[] = {0, tensors.size() / 3, tensors.size() / 3, tensors.size()};
  for (int i = 0; i < 3; ++i) {
    TensorModel model;
    model.name = std::to_string(i);
    model.view_count = 1;
    for (int tensor = cuts[i]; tensor < cuts[i + 1]; ++tensor) {
      TensorFrame frame{};
      frame.x_axis[0] = frame.y_axis[1] = frame.z_axis[2] = 1.0f;
      frame.angle = tensors.frames[tensor].angle;
      frame.voxel_size = parameters.voxel_size;
      frame.first = tensor;
      model.frames.push_back(frame);
      model.views.push_back(0);
      for (const auto& entry : entriesOf(tensors, tensor)) {
        model.voxels.push_back(static_cast<std::uint16_t>(entry.first));
        model.areas.push_back(entry.second);
      }
      model.starts.push_back(static_cast<std::uint32_t>(model.areas.size()));
    }
    library.addModel(model);
  }
  return library;
}

/** \brief Tensors that resemble each other, each of them four times: three times with
 * its own angle, and with another one. */
HostTensors
repeatedTensors(const HostTensors& members)
{
  HostTensors tensors = noTensors(members.grid_size);
  for (int copy = 0; copy < 4; ++copy)
    for (int i = 0; i < members.size(); ++i)
      addTensor(tensors,
                copy == 2 ? pi - members.frames[i].angle : members.frames[i].angle,
                entriesOf(members, i));
  return tensors;
}

/** \brief Calls a function on 1 to 4 ranks, with a copy of the library that they
 * divide. */
void
divide(const TensorLibrary& library,
       const std::function<void(TensorLibrary&)>& function)
{
  for (int size = 1; size <= 4; ++size) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    runRanks(size, [&](const Communicator::Ptr& communicator) {
      TensorLibrary divided = library;
      divided.setCommunicator(communicator);
      function(divided);
    });
  }
}

class DividedLibrary : public DeviceTest {
protected:
  /** \brief Expects that ranks find the matches of the library on one device.
   * \return the matches
   */
  static std::vector<TensorMatch>
  expectSameMatches(TensorLibrary& library,
                    const TensorSet& tensors,
                    const TensorMatchingParameters& parameters)
  {
    const auto matchesIn = [&](TensorLibrary& some) {
      TensorMatching matching;
      matching.setParameters(parameters);
      std::vector<TensorMatch> matches = matchesOf(matching, tensors, some.table());
      matches.resize(static_cast<std::size_t>(downloaded(tensors.count).at(0)) *
                     parameters.match_count);
      return matches;
    };
    const std::vector<TensorMatch> expected = matchesIn(library);
    divide(library, [&](TensorLibrary& divided) {
      EXPECT_TRUE(sameMatches(matchesIn(divided), expected));
      for (const TensorMatch& match : expected)
        if (match.tensor >= 0) {
          const TensorPlace place = divided.getPlace(match.tensor);
          EXPECT_EQ(place.model, library.getPlace(match.tensor).model);
          EXPECT_EQ(place.tensor, library.getPlace(match.tensor).tensor);
        }
    });
    return expected;
  }

  static TensorMatchingParameters
  looseMatching(int match_count)
  {
    TensorMatchingParameters parameters;
    parameters.match_count = match_count;
    parameters.min_correlation = -1.0f;
    parameters.min_overlap = 0.05f;
    return parameters;
  }
};

TEST_P(DividedLibrary, HasTheMatchesOfTheWholeOne)
{
  const Families families;
  TensorLibrary library = libraryOf(repeatedTensors(membersOf(families, 75, 2)));
  const TensorSet tensors = uploadedTensors(membersOf(families, 50, 3), 7);
  for (const float bin_width : {0.0872664626f, 0.7f, pi})
    for (const int neighbor_bins : {-1, 0, 2})
      for (const int match_count : {1, 3, TensorMatchingParameters::max_match_count})
        for (const MatchRanking ranking :
             {MatchRanking::Correlation, MatchRanking::CorrelationTimesOverlap}) {
          SCOPED_TRACE(std::to_string(bin_width) + " " + std::to_string(neighbor_bins) +
                       " " + std::to_string(match_count));
          library.setTableParameters({bin_width});
          TensorMatchingParameters parameters = looseMatching(match_count);
          parameters.neighbor_bins = neighbor_bins;
          parameters.ranking = ranking;
          expectSameMatches(library, tensors, parameters);
        }
}

TEST_P(DividedLibrary, OrdersEqualMatchesByTheirNumbers)
{
  const HostTensors members = membersOf(Families(), 75, 2);
  TensorLibrary library = libraryOf(repeatedTensors(members));
  const std::vector<TensorMatch> matches =
      expectSameMatches(library, uploadedTensors(members), looseMatching(4));
  int of_several_parts = 0;
  for (std::size_t i = 0; i < matches.size(); i += 4) {
    EXPECT_EQ(matches[i].correlation, matches[i + 3].correlation);
    EXPECT_LT(matches[i].tensor, matches[i + 1].tensor);
    EXPECT_LT(matches[i + 1].tensor, matches[i + 2].tensor);
    EXPECT_LT(matches[i + 2].tensor, matches[i + 3].tensor);
    const int part = library.getPlace(matches[i].tensor).tensor % 2;
    if (library.getPlace(matches[i + 1].tensor).tensor % 2 != part)
      ++of_several_parts;
  }
  EXPECT_GT(of_several_parts, 10);
}

TEST_P(DividedLibrary, MatchesAsManyAsHaveBounds)
{
  // So many pairs that each rank of four drops the worse ones by their bounds.
  const Families families;
  TensorLibrary library = libraryOf(membersOf(families, 4000, 4));
  const TensorSet tensors = uploadedTensors(membersOf(families, 300, 5));
  for (const int match_count : {1, 5}) {
    TensorMatchingParameters parameters;
    parameters.match_count = match_count;
    const std::vector<TensorMatch> matches =
        expectSameMatches(library, tensors, parameters);
    EXPECT_GE(matches[0].tensor, 0);
  }
}

TEST_P(DividedLibrary, MayHaveFewerTensorsThanRanks)
{
  const HostTensors members = membersOf(Families(), 9, 6);
  const TensorSet tensors = uploadedTensors(members);
  for (int size = 0; size <= 3; ++size) {
    TensorLibrary library = libraryOf(selected(members, numbersUpTo(size)));
    const auto matches = expectSameMatches(library, tensors, looseMatching(3));
    EXPECT_EQ(matches[0].tensor >= 0, size > 0);
  }
}

TEST_P(DividedLibrary, MatchesNoTensors)
{
  TensorLibrary library = libraryOf(membersOf(Families(), 20, 7));
  for (const int spare : {0, 4})
    EXPECT_TRUE(expectSameMatches(
                    library, uploadedTensors(noTensors(10), spare), looseMatching(2))
                    .empty());
}

TEST_P(DividedLibrary, HoldsTheEntriesOfEachTensorOnOneRank)
{
  TensorLibrary library = libraryOf(membersOf(Families(), 31, 8));
  library.setTableParameters({0.3f});
  const TensorTable& whole = library.table();
  const HostTensors all = downloadedTensors(whole.tensors());
  const auto labels = downloaded(whole.labels());
  const auto starts = downloaded(whole.binStarts());
  EXPECT_EQ(whole.wholeFrames().ptr(), whole.tensors().frames.ptr());
  // Models of 10, 0 and 21 tensors.
  const int counts[] = {4 + 7, 3 + 7, 3 + 7};
  runRanks(3, [&](const Communicator::Ptr& communicator) {
    const int rank = communicator->rank();
    TensorLibrary divided = library;
    divided.setCommunicator(communicator);
    const TensorTable& part = divided.table();
    const HostTensors own = downloadedTensors(part.tensors());
    ASSERT_EQ(part.size(), counts[rank]);
    EXPECT_EQ(part.tensors().areas.size(), own.starts.back());
    EXPECT_EQ(downloaded(part.wholeLabels()), labels);
    const auto own_labels = downloaded(part.labels());
    const auto own_starts = downloaded(part.binStarts());
    const auto frames = downloaded(part.wholeFrames());
    ASSERT_EQ(frames.size(), 31u);
    ASSERT_EQ(own_starts.size(), starts.size());
    int found = 0;
    std::size_t bin = 0;
    for (int i = 0; i < 31; ++i) {
      for (; starts[bin] == static_cast<std::uint32_t>(i); ++bin)
        EXPECT_EQ(own_starts[bin], static_cast<std::uint32_t>(found));
      EXPECT_EQ(frames[i].first, all.frames[i].first);
      const TensorPlace place = divided.getPlace(i);
      const TensorModel& model = divided.getModel(place.model);
      const std::uint32_t entries =
          model.starts[place.tensor + 1] - model.starts[place.tensor];
      if (place.tensor % 3 != rank) {
        EXPECT_EQ(entries, 0u);
        continue;
      }
      EXPECT_EQ(entries, all.starts[i + 1] - all.starts[i]);
      EXPECT_EQ(own_labels[found], labels[i]);
      EXPECT_TRUE(sameTensor(own, found++, all, i));
    }
    EXPECT_EQ(found, part.size());
  });
}

TEST_P(DividedLibrary, FollowsItsCommunicatorAndModels)
{
  const HostTensors members = membersOf(Families(), 41, 9);
  const TensorLibrary library = libraryOf(members);
  runRanks(2, [&](const Communicator::Ptr& communicator) {
    const bool first = communicator->rank() == 0;
    TensorLibrary divided = library;
    EXPECT_EQ(divided.table().size(), 41);
    divided.setCommunicator(communicator);
    EXPECT_EQ(divided.getCommunicator(), communicator);
    EXPECT_EQ(divided.table().size(), first ? 7 + 14 : 6 + 14);
    TensorLibrary copy = divided;
    EXPECT_EQ(copy.getCommunicator(), communicator);
    copy.removeModel(2);
    EXPECT_EQ(copy.table().size(), first ? 7 : 6);
    expectBadArgument("number of models of a divided library is 2",
                      [&] { copy.setCommunicator(nullptr); });
    EXPECT_EQ(copy.getCommunicator(), communicator);
    copy.clear();
    copy.setCommunicator(nullptr);
    copy.addModel(library.getModel(2));
    EXPECT_EQ(copy.table().size(), 28);
  });
}

TEST_P(DividedLibrary, IsLoadedInParts)
{
  const TemporaryFolder folder;
  const std::string path = folder / "members";
  const HostTensors members = membersOf(Families(), 40, 9);
  libraryOf(members).save(path);
  runRanks(3, [&](const Communicator::Ptr& communicator) {
    TensorLibrary before, after;
    before.setCommunicator(communicator);
    before.load(path);
    after.load(path);
    after.setCommunicator(communicator);
    EXPECT_EQ(before.getCommunicator(), communicator);
    std::size_t entries = 0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(before.getModel(i).starts, after.getModel(i).starts);
      EXPECT_EQ(before.getModel(i).voxels, after.getModel(i).voxels);
      EXPECT_EQ(before.getModel(i).areas, after.getModel(i).areas);
      entries += before.getModel(i).areas.size();
    }
    EXPECT_LT(entries, members.areas.size() / 2);
    expectBadArgument("number of ranks that divide the library is 3",
                      [&] { before.save(path); });
  });
}

TEST_P(DividedLibrary, OfAnotherSizeIsRefusedByAllRanks)
{
  const HostTensors members = membersOf(Families(), 40, 10);
  runRanks(3, [&](const Communicator::Ptr& communicator) {
    const int size = communicator->rank() == 1 ? 39 : 40;
    TensorLibrary library = libraryOf(selected(members, numbersUpTo(size)));
    library.setCommunicator(communicator);
    expectBadArgument("number of tensors is " + std::to_string(size),
                      [&] { library.table(); });
    expectBadArgument("entry of the table is 0", [&] { library.getPlace(0); });
  });
}

TEST_P(DividedLibrary, WithModelsInAnotherOrderIsRefusedByAllRanks)
{
  const TensorLibrary library = libraryOf(membersOf(Families(), 40, 10));
  runRanks(3, [&](const Communicator::Ptr& communicator) {
    TensorLibrary other;
    other.setParameters(library.getParameters());
    const bool is_swapped = communicator->rank() == 1;
    for (const int model : {is_swapped ? 2 : 0, 1, is_swapped ? 0 : 2})
      other.addModel(library.getModel(model));
    other.setCommunicator(communicator);
    expectBadArgument("checksum of the models' names and sizes",
                      [&] { other.table(); });
    expectBadArgument("entry of the table is 0", [&] { other.getPlace(0); });
  });
}

TEST_P(DividedLibrary, IsOnTheDeviceOfItsCommunicator)
{
  TensorLibrary library = libraryOf(membersOf(Families(), 4, 11));
  library.setCommunicator(
      std::make_shared<ThreadCommunicator>(0, std::make_shared<ThreadRanks>(2)));
  const auto other = useDevice(device().isHost() ? "cuda" : "host");
  expectBadArgument("current device is " + currentDevice().name(),
                    [&] { library.table(); });
}

TEST_P(DividedLibrary, FailsOnAllRanksIfOneFails)
{
  const HostTensors members = membersOf(Families(), 40, 12);
  const TensorLibrary library = libraryOf(members);
  const TensorSet tensors = uploadedTensors(members);
  for (const bool has_table : {false, true}) {
    const auto match = [&](const Communicator::Ptr& communicator) {
      TensorLibrary divided = library;
      divided.setCommunicator(communicator);
      if (has_table)
        divided.table();
      if (communicator->rank() == 1)
        throw std::runtime_error("a fault");
      TensorMatching matching;
      DeviceArray<TensorMatch> matches;
      EXPECT_THROW(matching.compute(tensors, divided.table(), matches),
                   CommunicationException);
    };
    EXPECT_THROW(runRanks(3, match), std::runtime_error);
  }
}

TEST_P(DividedLibrary, HasNoMatchesBeyondItsEndIfARankFailed)
{
  const HostTensors members = membersOf(Families(), 300, 13);
  int others = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    TensorLibrary library = libraryOf(members);
    const auto communicator = std::make_shared<FirstOfTwoRanks>();
    communicator->on_gather =
        [seed](char* all, std::size_t first, std::size_t end, const Stream& stream) {
          std::mt19937 random(seed);
          std::vector<char> nonsense(end - first);
          for (char& byte : nonsense)
            byte = static_cast<char>(random() % 4 == 0 ? random() : 0);
          copyAsync(nonsense.data(), all + first, nonsense.size(), stream);
          stream.synchronize();
        };
    library.setCommunicator(communicator);
    TensorMatching matching;
    matching.setParameters(looseMatching(3));
    for (const TensorMatch& match :
         matchesOf(matching, uploadedTensors(members), library.table())) {
      ASSERT_GE(match.tensor, -1);
      ASSERT_LT(match.tensor, 300);
      if (match.tensor >= 0 && library.getPlace(match.tensor).tensor % 2 == 1)
        ++others;
    }
  }
  EXPECT_GT(others, 100) << "too little nonsense was taken for matches";
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DividedLibrary);

} // namespace
