// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/common/command_line/errors.h"
#include "apps/common/work/shared_work.h"
#include "apps/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace pcl::gpu::apps;
using pcl::gpu::test::readFile;
using pcl::gpu::test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

/** \brief Every object has a file of its own open, and so claims as a process does. */
class SharedWorkTest : public ::testing::Test {
protected:
  static constexpr int units = 10;

  static std::vector<std::string>
  filesOf(int unit)
  {
    return {"a" + std::to_string(unit), "b" + std::to_string(unit)};
  }

  std::unique_ptr<SharedWork>
  open(int shard, int count, const std::string& setting = "--option 1")
  {
    SharingOptions sharing;
    sharing.shard = Shard{shard, count};
    sharing.settings = {"program", setting};
    return open(sharing);
  }

  std::unique_ptr<SharedWork>
  open(const SharingOptions& sharing)
  {
    return std::make_unique<SharedWork>(
        folder_.path("out"), units, sharing, std::vector<std::string>(), filesOf);
  }

  void
  write(int unit, const std::string& text = "text")
  {
    for (const std::string& file : filesOf(unit))
      pcl::gpu::test::writeFile(folder_.path("out/" + file),
                                text + std::to_string(unit));
  }

  /** \brief Makes all units that there are to be made. */
  std::vector<int>
  makeAll(SharedWork& work)
  {
    std::vector<int> made;
    for (const int unit : work.missing())
      if (work.begin(unit)) {
        write(unit);
        work.end(unit);
        made.push_back(unit);
      }
    return made;
  }

  std::string
  manifest()
  {
    return readFile(folder_.path("out/manifest.txt"));
  }

  TemporaryFolder folder_;
};

} // namespace

TEST_F(SharedWorkTest, BeginsWithItsPartAndEndsWithTheEndsOfOthers)
{
  EXPECT_EQ(open(0, 3)->missing(), (std::vector<int>{0, 1, 2, 5, 4, 3, 9, 8, 7, 6}));
  EXPECT_EQ(open(2, 3)->missing(), (std::vector<int>{6, 7, 8, 9, 2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(open(7, 20)->missing().front(), 3);
}

TEST_F(SharedWorkTest, IsClaimedByOneProcess)
{
  const auto first = open(0, 2), second = open(1, 2);
  EXPECT_TRUE(first->begin(4));
  EXPECT_FALSE(first->begin(4));
  EXPECT_FALSE(second->begin(4));
  write(4);
  first->end(4);
  EXPECT_FALSE(second->begin(4));
  EXPECT_TRUE(second->begin(5));
}

TEST_F(SharedWorkTest, IsFreeAgainWhenAProcessDies)
{
  auto first = open(0, 2);
  const auto second = open(1, 2);
  EXPECT_TRUE(first->begin(0));
  first.reset();
  EXPECT_TRUE(second->begin(0));
}

TEST_F(SharedWorkTest, IsDoneOnceByProcessesAtOnce)
{
  std::vector<std::vector<int>> made(4);
  std::vector<std::thread> processes;
  for (int i = 0; i < 4; ++i)
    processes.emplace_back([&, i] {
      const auto work = open(i, 4);
      made[i] = makeAll(*work);
      work->finish();
    });
  for (std::thread& process : processes)
    process.join();
  std::vector<int> all;
  for (const auto& part : made)
    all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  std::vector<int> expected(units);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

TEST_F(SharedWorkTest, LeavesTheSameManifestHoweverManyProcessesThereWere)
{
  makeAll(*open(0, 1));
  EXPECT_TRUE(open(0, 1)->finish());
  const std::string expected = manifest();
  EXPECT_NE(expected.find("\n3\t5\ta3\t5\tb3\t.\n4\t"), std::string::npos) << expected;
  fs::remove_all(folder_.path("out"));

  const auto first = open(0, 2), second = open(1, 2);
  for (const int unit : {9, 3, 5, 1}) {
    ASSERT_TRUE(second->begin(unit));
    write(unit);
    second->end(unit);
  }
  EXPECT_FALSE(first->finish());
  EXPECT_EQ(makeAll(*first), (std::vector<int>{0, 2, 4, 8, 7, 6}));
  EXPECT_TRUE(first->finish());
  EXPECT_TRUE(makeAll(*second).empty());
  EXPECT_TRUE(second->finish());
  EXPECT_EQ(manifest(), expected);
}

TEST_F(SharedWorkTest, IgnoresALineWithoutItsEnd)
{
  makeAll(*open(0, 1));
  const std::string whole = manifest();
  // The files of the last unit are there, but its line is cut.
  pcl::gpu::test::writeFile(folder_.path("out/manifest.txt"),
                            whole.substr(0, whole.size() - 5));
  EXPECT_EQ(open(0, 1)->missing(), std::vector<int>{9});
  const auto work = open(0, 1);
  EXPECT_FALSE(work->begin(9)) << "its files are complete";
  EXPECT_TRUE(work->finish());
  EXPECT_NE(manifest().find("\n9\t5\ta9\t5\tb9\t.\n"), std::string::npos);
}

TEST_F(SharedWorkTest, MakesUnitsAgainWhoseFilesAreGoneOrOfAnotherSize)
{
  makeAll(*open(0, 1));
  open(0, 1)->finish();
  const std::string expected = manifest();
  fs::remove(folder_.path("out/a2"));
  write(7, "longer text");
  const auto work = open(0, 1);
  EXPECT_EQ(work->missing(), (std::vector<int>{2, 7}));
  EXPECT_EQ(makeAll(*work), (std::vector<int>{2, 7}));
  EXPECT_TRUE(work->finish());
  EXPECT_EQ(manifest(), expected);
}

TEST_F(SharedWorkTest, KeepsUnitsThatAnotherProcessMakesAgainDuringTheCheck)
{
  makeAll(*open(0, 1));
  fs::remove(folder_.path("out/a2"));
  SharingOptions sharing;
  sharing.resume = true;
  sharing.settings = {"program", "--option 1"};
  std::future<void> other;
  bool waits = false;
  const auto filesDuringCheck = [&](int unit) {
    // The files of unit 2 were looked at and are gone.
    if (unit == 3 && !other.valid()) {
      other = std::async(std::launch::async, [&] {
        const auto work = open(0, 1);
        EXPECT_TRUE(work->begin(2));
        write(2, "longer text");
        work->end(2);
      });
      waits = other.wait_for(std::chrono::seconds(20)) != std::future_status::ready;
    }
    return filesOf(unit);
  };
  const SharedWork work(folder_.path("out"), units, sharing, {}, filesDuringCheck);
  ASSERT_TRUE(other.valid());
  other.get();
  EXPECT_FALSE(waits) << "files are looked at under the lock";
  EXPECT_TRUE(work.missing().empty());
  EXPECT_TRUE(open(0, 1)->missing().empty());
}

TEST_F(SharedWorkTest, RefusesOtherSettingsByName)
{
  open(0, 1);
  for (const auto& [setting, part] :
       {std::pair("--option 2", "--option 2"), std::pair("--other 1", "--other 1")})
    try {
      open(0, 1, setting);
      ADD_FAILURE() << setting << " was taken";
    }
    catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << error.what();
    }
}

TEST_F(SharedWorkTest, RefusesOtherInputs)
{
  const std::string input = folder_.path("input");
  const auto openWith = [&](const std::string& text) {
    pcl::gpu::test::writeFile(input, text);
    SharingOptions sharing;
    sharing.resume = true;
    SharedWork(folder_.path("out"), units, sharing, {"", input}, filesOf);
  };
  openWith("one");
  openWith("two");
  EXPECT_THROW(openWith("three"), InputError);
}

TEST_F(SharedWorkTest, MakesUnitsAgainWhoseOwnInputsHaveChanged)
{
  const auto inputOf = [&](int unit) {
    return std::vector<std::string>{folder_.path("in" + std::to_string(unit))};
  };
  const auto openWithInputs = [&] {
    SharingOptions sharing;
    sharing.resume = true;
    return std::make_unique<SharedWork>(folder_.path("out"),
                                        units,
                                        sharing,
                                        std::vector<std::string>(),
                                        filesOf,
                                        inputOf);
  };
  for (int unit = 0; unit < units; ++unit)
    pcl::gpu::test::writeFile(inputOf(unit).front(), "input");
  EXPECT_EQ(makeAll(*openWithInputs()).size(), std::size_t(units));
  openWithInputs()->finish();
  EXPECT_TRUE(openWithInputs()->missing().empty());
  pcl::gpu::test::writeFile(inputOf(3).front(), "another input");
  EXPECT_EQ(makeAll(*openWithInputs()), std::vector<int>{3});
  EXPECT_TRUE(openWithInputs()->missing().empty());
}

TEST_F(SharedWorkTest, LeavesOutUnitsThatCannotBeMade)
{
  const auto first = open(0, 1), second = open(0, 1);
  ProgressBar progress(units);
  std::vector<int> tried;
  const auto make = [&](int unit) -> std::optional<std::string> {
    tried.push_back(unit);
    if (unit == 2 || unit == 7)
      throw UnitError("damaged");
    write(unit);
    return "";
  };
  try {
    makeUnits(units, first.get(), progress, make);
    FAIL() << "units were not made";
  }
  catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("2 of 10 inputs", 0), 0u) << error.what();
  }
  EXPECT_EQ(tried.size(), std::size_t(units));
  EXPECT_FALSE(first->finish());
  EXPECT_FALSE(second->begin(2)) << "it is tried twice at once";
  EXPECT_EQ(open(0, 1)->missing(), (std::vector<int>{2, 7}));
}

TEST_F(SharedWorkTest, EndsAtOnceIfResultsCannotBeWritten)
{
  const auto work = open(0, 1);
  ProgressBar progress(units);
  int tried = 0;
  const auto make = [&](int) -> std::optional<std::string> {
    ++tried;
    throw InputError("cannot be written");
  };
  EXPECT_THROW(makeUnits(units, work.get(), progress, make), InputError);
  EXPECT_EQ(tried, 1);
  // Alone and without a manifest, nothing could be made later.
  const auto makeBadly = [&](int) -> std::optional<std::string> {
    ++tried;
    throw UnitError("damaged");
  };
  EXPECT_THROW(makeUnits(units, nullptr, progress, makeBadly), UnitError);
  EXPECT_EQ(tried, 2);
}

TEST_F(SharedWorkTest, BeginsAnewUnlessItGoesOn)
{
  makeAll(*open(0, 1));
  SharingOptions alone;
  alone.settings = {"another program"};
  const auto work = open(alone);
  EXPECT_EQ(work->missing().size(), std::size_t(units));
  EXPECT_EQ(makeAll(*work).size(), std::size_t(units));
}

TEST_F(SharedWorkTest, MakesTheFilesOfOtherSettingsAgainAlsoWhenItGoesOn)
{
  makeAll(*open(0, 1));
  SharingOptions other;
  other.settings = {"other settings"};
  // The process ends before it has made a file.
  open(other);
  other.resume = true;
  EXPECT_EQ(makeAll(*open(other)).size(), std::size_t(units));
  EXPECT_TRUE(makeAll(*open(other)).empty());
}

TEST_F(SharedWorkTest, BeginsAnewIfAProcessDiedBeforeTheSettingsWereWritten)
{
  SharingOptions sharing;
  sharing.settings = {"other settings"};
  makeAll(*open(0, 1));
  open(sharing);
  const std::string whole = manifest();
  const std::size_t header = whole.find("\n\n") + 2;
  EXPECT_EQ(whole.find("0\tlost\t.\n"), header) << "the files are of other settings";
  const std::string lines = whole.substr(header);
  sharing.resume = true;
  for (const std::string& beginning :
       {std::string(header, '\0'),
        whole.substr(0, 9) + std::string(header - 9, '\0')}) {
    pcl::gpu::test::writeFile(folder_.path("out/manifest.txt"), beginning + lines);
    open(sharing);
    EXPECT_EQ(manifest(), whole);
  }
  EXPECT_EQ(makeAll(*open(sharing)).size(), std::size_t(units));
}

TEST_F(SharedWorkTest, LooksAtFilesBeforeANewManifestIsValid)
{
  makeAll(*open(0, 1));
  SharingOptions sharing;
  sharing.settings = {"other settings"};
  const auto filesDuringCheck = [&](int unit) {
    EXPECT_EQ(manifest().find("\n\n"), std::string::npos);
    return filesOf(unit);
  };
  const SharedWork work(folder_.path("out"), units, sharing, {}, filesDuringCheck);
  EXPECT_EQ(work.missing().size(), std::size_t(units));
}

TEST_F(SharedWorkTest, RemovesWhatKilledProcessesLeft)
{
  const auto work = open(0, 1);
  pcl::gpu::test::writeFile(folder_.path("out/b3.123.0.part"), "half");
  pcl::gpu::test::writeFile(folder_.path("out/mine.part"), "user's");
  makeAll(*work);
  EXPECT_TRUE(work->finish());
  EXPECT_FALSE(fs::exists(folder_.path("out/b3.123.0.part")));
  EXPECT_TRUE(fs::exists(folder_.path("out/mine.part")));
}

TEST_F(SharedWorkTest, NamesAFolderThatCannotBeWritten)
{
  pcl::gpu::test::writeFile(folder_.path("out"), "a file");
  try {
    open(0, 1);
    FAIL() << "a file was taken for a folder";
  }
  catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(folder_.path("out")), std::string::npos)
        << error.what();
  }
}
