// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/temporary_folder.h"
#include "library/library_format.h"
#include "library_scenes.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Place of the number of models in a file with the models of smallLibrary(). */
constexpr std::size_t models_place = 56;

/** \brief Expects a file not to load, with some words, and a library to stay as it
 * was. */
void
expectRejected(const std::vector<std::string>& words, const std::string& bytes)
{
  const TensorLibrary former = smallLibrary();
  TensorLibrary library = former;
  library.setTableParameters({0.25f});
  std::vector<std::string> all = words;
  all.insert(all.begin(), "memory: ");
  expectBadFile(all, [&] { loadBytes(library, bytes); });
  expectSameLibrary(former, library);
  EXPECT_EQ(library.getTableParameters().bin_width, 0.25f);
}

template <typename T>
std::string
changed(std::size_t place, const T& value)
{
  std::string bytes = savedBytes(smallLibrary());
  setNumber(bytes, place, value);
  return bytes;
}

std::string
repaired(std::string bytes)
{
  repairLength(bytes);
  repairChecksum(bytes);
  return bytes;
}

/** \brief A file with one model of one point, one tensor and one entry, which is
 * changed and gets a right checksum. */
template <typename Change>
std::string
withModel(const Change& change)
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  TensorModel model = randomModel("odd", 3, 0, 1);
  model.points.resize(1);
  model.points[0].getNormalVector3fMap() << 0.0f, 0.0f, 1.0f;
  model.symmetries.resize(1, Pose::Identity());
  model.voxels = {7};
  model.areas = {0.5f};
  model.starts = {0, 1};
  library.addModel(model);
  std::string bytes = savedBytes(library);
  change(bytes);
  return repaired(bytes);
}

TEST(TensorLibraryFile, KeepsEveryBit)
{
  const TemporaryFolder folder;
  const std::string path = folder / "models.ptl";
  const TensorLibrary library = smallLibrary();
  library.save(path);
  EXPECT_EQ(folder.count(), 1);
  TensorLibrary loaded;
  loaded.setTableParameters({0.125f});
  loaded.load(path);
  expectSameLibrary(library, loaded);
  EXPECT_EQ(loaded.getTableParameters().bin_width, 0.125f);
  EXPECT_EQ(bytesOfFile(path), savedBytes(library));
  EXPECT_EQ(savedBytes(loaded), savedBytes(library));

  loaded.removeModel(1);
  loaded.save(path);
  EXPECT_EQ(folder.count(), 1);
  TensorLibrary again;
  again.load(path);
  expectSameLibrary(loaded, again);
}

TEST(TensorLibraryFile, KeepsLibrariesOfAllSizes)
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  TensorLibrary loaded;
  loadBytes(loaded, savedBytes(library));
  expectSameLibrary(library, loaded);
  EXPECT_EQ(savedBytes(library).size(), smallest_library);
  // More than is read at a time.
  library.addModel(randomModel(std::string(300, 'n') + '\0' + "\xff", 4, 40000, 30000));
  loadBytes(loaded, savedBytes(library));
  expectSameLibrary(library, loaded);
}

TEST(TensorLibraryFile, HasTheChecksumThatItSays)
{
  LibraryChecksum checksum;
  checksum.process_bytes("123456789", 9);
  EXPECT_EQ(checksum.checksum(), 0x995DC9BBDF1939FAu);
}

TEST(TensorLibraryFile, ThatIsNoneIsRejected)
{
  const std::string bytes = savedBytes(smallLibrary());
  expectRejected({"no tensor library", "0 bytes"}, "");
  expectRejected({"no tensor library", "5 bytes"}, "hello");
  expectRejected({"no tensor library"}, std::string(1000, 'x'));
  std::string text = bytes;
  text.replace(4, 2, "\n\n");
  expectRejected({"no tensor library"}, repaired(text));
  expectRejected({"order"}, repaired(changed(8, std::uint32_t(0x04030201))));
  expectRejected({"version 3", "expected version 2", "newer"},
                 repaired(changed(12, std::uint32_t(3))));
  expectRejected({"version 0"}, repaired(changed(12, std::uint32_t(0))));
}

TEST(TensorLibraryFile, ThatIsTruncatedIsRejected)
{
  const std::string bytes = savedBytes(smallLibrary());
  for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 1 : 7) {
    expectRejected({"is truncated", std::to_string(size) + " bytes"},
                   bytes.substr(0, size));
    // One that was written like that.
    if (size >= smallest_library)
      expectRejected({": expected "}, repaired(bytes.substr(0, size)));
  }
  expectRejected({"3 bytes behind its end"}, bytes + "end");
  expectRejected({"3 bytes behind its last model"}, repaired(bytes + "end"));
}

TEST(TensorLibraryFile, ThatIsDamagedIsRejected)
{
  const std::string bytes = savedBytes(smallLibrary());
  for (std::size_t place = 24; place < bytes.size(); place += 3) {
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << place % 8));
    expectRejected({"checksum"}, damaged);
  }
}

TEST(TensorLibraryFile, WithAbsurdSizesIsRejected)
{
  for (const std::size_t place : placesOf(smallLibrary()).sizes)
    for (const std::uint64_t size : {std::uint64_t(1) << 20,
                                     (std::uint64_t(1) << 32) - 1,
                                     std::uint64_t(1) << 62,
                                     ~std::uint64_t(0)}) {
      // The length of the file is looked at before its content.
      const bool is_length = place == 16;
      const std::string bytes = changed(place, size);
      std::string right = bytes;
      repairChecksum(right);
      const std::string number = std::to_string(size);
      expectRejected({is_length ? "expected " + number : number + ": expected"}, right);
      expectRejected({is_length ? "is truncated" : "checksum"}, bytes);
    }
}

TEST(TensorLibraryFile, WithWrongContentIsRejected)
{
  const TensorLibrary small = smallLibrary();
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  expectRejected({"resolution is -1"}, repaired(changed(24, -1.0f)));
  expectRejected({"grid size is 33"}, repaired(changed(44, std::int32_t(33))));
  expectRejected({"behind its last model"},
                 repaired(changed(models_place, std::uint64_t(2))));
  expectRejected({"ends too early"}, [&] {
    // One model too many; the rest of the file is taken for its name.
    std::string bytes = savedBytes(small);
    setNumber(bytes, models_place, std::uint64_t(4));
    std::string name(68, 'x');
    setNumber(name, 0, std::uint64_t(60));
    return repaired(bytes.insert(bytes.size() - 8, name));
  }());

  const std::size_t model = models_place + 8; // its first byte, and the bytes after it
  const std::size_t point = model + 8 + 3 + 4 + 8;
  const std::size_t symmetry = point + bytes_per_point + 8;
  const std::size_t frame = symmetry + bytes_per_symmetry + 8 + 8;
  const std::size_t view = frame + sizeof(TensorFrame);
  const auto expectOdd =
      [&](const std::string& words, std::size_t place, const auto& value) {
        expectRejected({words}, withModel([&](std::string& bytes) {
                         setNumber(bytes, place, value);
                       }));
      };
  TensorLibrary library;
  loadBytes(library, withModel([](std::string&) {}));
  EXPECT_EQ(library.getModel(0).voxels.at(0), 7);
  expectOdd("number of views of model 'odd' is -3", point - 12, std::int32_t(-3));
  expectOdd("point 0 of model 'odd' is nan", point, nan);
  expectOdd("normal 0 of model 'odd'", point + 12, 0.5f);
  expectOdd("symmetry 0 of model 'odd'", symmetry + 4, 0.5f);
  expectOdd("axes of tensor 0 of model 'odd'", frame, 2.0f);
  expectOdd("angle of tensor 0 of model 'odd' is 4", frame + 12, 4.0f);
  expectOdd("voxel size of tensor 0 of model 'odd' is 1", frame + 28, 1.0f);
  expectOdd("origin of tensor 0 of model 'odd'", frame + 48, nan);
  expectOdd("view of tensor 0 of model 'odd' is 2", view, std::int32_t(2));
  expectOdd("first entry of tensor 0 of model 'odd' is 1", view + 4, 1u);
  expectOdd("end of all entries of model 'odd' is 4294967295", view + 8, ~0u);
  expectOdd("voxel of entry 0 of model 'odd' is 512", view + 12, std::uint16_t(512));
  expectOdd("area of entry 0 of model 'odd' is 0", view + 14, 0.0f);

  expectRejected({"name of the model is 'cup'", "no other model"}, [&] {
    TensorLibrary twice;
    twice.setParameters(libraryParameters());
    TensorModel named;
    named.name = "cup";
    twice.addModel(named);
    named.name = "CUP";
    twice.addModel(named);
    std::string bytes = savedBytes(twice);
    bytes.replace(bytes.find("CUP"), 3, "cup");
    return repaired(bytes);
  }());
}

TEST(TensorLibraryFile, ThatCannotBeReadIsNamed)
{
  const TemporaryFolder folder;
  TensorLibrary library = smallLibrary();
  const auto expectUnread = [&](const std::string& path, const std::string& word) {
    expectBadFile({path, word}, [&] { library.load(path); });
    expectSameLibrary(smallLibrary(), library);
  };
  expectUnread(folder / "absent", "No such file");
  expectUnread("/dev/null", "is no file");
  expectUnread(std::filesystem::path(folder / "x").parent_path(), "is no file");
  expectUnread(folder.write("text", "hello"), "no tensor library");
  const std::string bytes = savedBytes(library);
  expectUnread(folder.write("part", bytes.substr(0, 1000)), "is truncated");
}

TEST(TensorLibraryFile, IsNotSavedWithoutParameters)
{
  const TemporaryFolder folder;
  expectBadArgument("resolution", [&] { TensorLibrary().save(folder / "a"); });
  EXPECT_EQ(folder.count(), 0);
}

TEST(TensorLibraryFile, ThatCannotBeWrittenIsNamed)
{
  const TemporaryFolder folder;
  const TensorLibrary library = smallLibrary();
  expectBadFile({"/absent/models.ptl", "No such file"},
                [&] { library.save(folder / "absent/models.ptl"); });
  std::filesystem::create_directories(folder / "taken");
  expectBadFile({"taken", "cannot be written"},
                [&] { library.save(folder / "taken"); });
  EXPECT_EQ(folder.count(), 1);
}

TEST(TensorLibraryFile, StaysIfItsFolderCannotBeWrittenTo)
{
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const std::string path = folder / "models.ptl";
  TensorLibrary library = smallLibrary();
  library.save(path);
  const std::string bytes = bytesOfFile(path);
  library.removeModel(0);
  const fs::path parent = fs::path(path).parent_path();
  fs::permissions(parent, fs::perms::owner_read | fs::perms::owner_exec);
  if (access(parent.c_str(), W_OK) == 0)
    GTEST_SKIP() << "this user may write to every folder";
  expectBadFile({path, "Permission denied"}, [&] { library.save(path); });
  fs::permissions(parent, fs::perms::owner_all);
  EXPECT_EQ(bytesOfFile(path), bytes);
  EXPECT_EQ(folder.count(), 1);
}

TEST(TensorLibraryFile, StaysIfThereIsNoRoomForANewOne)
{
  const TemporaryFolder folder;
  const std::string path = folder / "models.ptl";
  TensorLibrary library = smallLibrary();
  library.save(path);
  const std::string bytes = bytesOfFile(path);
  library.addModel(randomModel("large", 3, 1000, 100));

  // Files may not become larger than the existing one, as if the disk were full.
  rlimit former;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &former), 0);
  rlimit limit = former;
  limit.rlim_cur = bytes.size();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expectBadFile({path, "cannot be written"}, [&] { library.save(path); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &former), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(folder.count(), 1);
  EXPECT_EQ(bytesOfFile(path), bytes);
  library.save(path);
  EXPECT_EQ(bytesOfFile(path), savedBytes(library));
}

} // namespace
