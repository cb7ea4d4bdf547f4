// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/sanitizers.h"
#include "library_scenes.h"

#include <pcl/exceptions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int cases = fewerUnderSanitizers(100000);

/** \brief Changes files at random. */
class Mutation {
public:
  Mutation(const LibraryPlaces& places, std::uint32_t seed)
  : places_(places)
  , random_(seed)
  {}

  /** \brief Makes one to four changes, mostly one. */
  void
  change(std::string& bytes)
  {
    do {
      changeOnce(bytes);
    }
    while (number(4) == 0);
  }

  std::size_t
  number(std::size_t end)
  {
    return end == 0 ? 0 : random_() % end;
  }

private:
  void
  changeOnce(std::string& bytes)
  {
    const std::size_t size = bytes.size();
    switch (number(9)) {
    case 0:
      if (size > 0) {
        char& byte = bytes[number(size)];
        byte = static_cast<char>(byte ^ (1 << number(8)));
      }
      break;
    case 1:
      if (size > 0)
        bytes[number(size)] = static_cast<char>(number(256));
      break;
    case 2:
      bytes.resize(number(2) == 0 ? number(size + 1)
                                  : size - std::min(size, number(9)));
      break;
    case 3:
      bytes.insert(number(size + 1),
                   std::string(number(20), static_cast<char>(number(256))));
      break;
    case 4:
      bytes.erase(number(size + 1), number(20));
      break;
    case 5:
      swapBlocks(bytes);
      break;
    case 6:
      setSize(bytes);
      break;
    default:
      setValue(bytes);
    }
  }

  void
  swapBlocks(std::string& bytes)
  {
    const std::size_t length = 1 + number(64);
    if (bytes.size() < length)
      return;
    const std::size_t a = number(bytes.size() - length + 1);
    const std::size_t b = number(bytes.size() - length + 1);
    const std::string first = bytes.substr(a, length);
    bytes.replace(a, length, bytes.substr(b, length));
    bytes.replace(b, length, first);
  }

  void
  setSize(std::string& bytes)
  {
    const std::size_t place = places_.sizes[number(places_.sizes.size())];
    if (place + 8 > bytes.size())
      return;
    const std::uint64_t one = 1;
    const std::uint64_t extremes[] = {0,
                                      1,
                                      number(20),
                                      bytes.size(),
                                      (one << 31) - 1,
                                      one << 31,
                                      (one << 32) - 1,
                                      one << 32,
                                      one << 48,
                                      one << 61,
                                      (one << 63) - 1,
                                      one << 63,
                                      ~one,
                                      ~(one - one)};
    setNumber(bytes, place, extremes[number(std::size(extremes))]);
  }

  /** \brief Sets a number of 4 bytes in an array. */
  void
  setValue(std::string& bytes)
  {
    std::size_t place = places_.arrays[number(places_.arrays.size())];
    place += 4 * number(number(3) == 0 ? 200 : 16);
    if (place + 4 > bytes.size())
      return;
    const std::uint32_t extremes[] = {0u,
                                      1u,
                                      2u,
                                      0x7FFFFFFFu,
                                      0x80000000u,
                                      0xFFFFFFFFu,
                                      0x7F800000u,
                                      0xFF800000u,
                                      0x7FC00000u,
                                      0x3F800000u,
                                      0xBF800000u,
                                      0x7F7FFFFFu,
                                      0x00000001u,
                                      0x40490FDBu,
                                      0x01FF0200u,
                                      static_cast<std::uint32_t>(random_())};
    setNumber(bytes, place, extremes[number(std::size(extremes))]);
  }

  const LibraryPlaces& places_;
  std::mt19937 random_;
};

/** \brief Expects a library to be one that can be made model by model, and saved. */
void
expectValid(const TensorLibrary& library, const std::string& bytes)
{
  TensorLibrary copy;
  copy.setParameters(library.getParameters());
  for (int i = 0; i < library.size(); ++i)
    copy.addModel(library.getModel(i));
  // The file of the library has no more bytes than it needs.
  EXPECT_EQ(savedBytes(copy), bytes);
}

/** \brief Changes of a library's file; half of the files get a right checksum. */
void
fuzz(const TensorLibrary& original, int first_seed, int count)
{
  const std::string file = savedBytes(original);
  const LibraryPlaces places = placesOf(original);
  const TensorLibrary former = smallLibrary();
  const std::string former_bytes = savedBytes(former);
  TensorLibrary library = former;
  int loaded = 0;
  int content_errors = 0;
  for (int i = 0; i < count; ++i) {
    const int seed = first_seed + i;
    Mutation mutation(places, static_cast<std::uint32_t>(seed));
    std::string bytes = file;
    mutation.change(bytes);
    if (i % 2 == 0) {
      if (mutation.number(10) > 0)
        repairLength(bytes);
      repairChecksum(bytes);
    }
    try {
      loadBytes(library, bytes);
      ++loaded;
      expectValid(library, bytes);
      library = former;
    }
    catch (const pcl::IOException& exception) {
      const std::string message = exception.what();
      EXPECT_NE(message.find("memory: "), std::string::npos) << message;
      content_errors += message.find(" of model '") != std::string::npos ? 1 : 0;
      EXPECT_EQ(savedBytes(library), former_bytes);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
  // The changes reach all checks.
  EXPECT_GT(loaded, count / 50);
  EXPECT_GT(content_errors, count / 50);
}

TEST(TensorLibraryFuzz, AFileLoadsOrIsRejected) { fuzz(smallLibrary(), 1, cases); }

TEST(TensorLibraryFuzz, ALibraryWithoutModelsLoadsOrIsRejected)
{
  TensorLibrary library;
  library.setParameters(libraryParameters());
  const std::string file = savedBytes(library);
  const LibraryPlaces places = placesOf(library);
  for (int seed = 0; seed < cases / 10; ++seed) {
    Mutation mutation(places, static_cast<std::uint32_t>(seed));
    std::string bytes = file;
    mutation.change(bytes);
    repairChecksum(bytes);
    TensorLibrary read;
    try {
      loadBytes(read, bytes);
      expectValid(read, bytes);
    }
    catch (const pcl::IOException&) {
      EXPECT_EQ(read.getParameters().resolution, 0.0f);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

} // namespace
