// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_library.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief Parameters that are all different from the defaults. */
TensorParameters
libraryParameters();

/** \brief A valid model of random numbers; two views. The first normal is NaN, the
 * first tensor has no entries. */
TensorModel
randomModel(const std::string& name, std::uint32_t seed, int points, int tensors);

/** \brief Three models: one as above, one without points, one with nothing but a
 * name. */
TensorLibrary
smallLibrary();

/** \brief Expects two models to be the same, bit for bit. */
void
expectSameModel(const TensorModel& expected, const TensorModel& actual);

/** \brief Expects parameters and models to be the same, bit for bit. */
void
expectSameLibrary(const TensorLibrary& expected, const TensorLibrary& actual);

/** \brief The file of a library. */
std::string
savedBytes(const TensorLibrary& library);

/** \brief Reads a file in memory, called "memory" in messages, as load() does. */
void
loadBytes(TensorLibrary& library, const std::string& bytes);

/** \brief Overwrites a number of a file. */
template <typename T>
void
setNumber(std::string& bytes, std::size_t place, const T& number)
{
  bytes.replace(
      place, sizeof(T), reinterpret_cast<const char*>(&number), sizeof(number));
}

/** \brief Sets the length in a file to that of the file. */
void
repairLength(std::string& bytes);

/** \brief Sets the checksum of a file to that of its content. */
void
repairChecksum(std::string& bytes);

/** \brief Places of the sizes and arrays in a file. */
struct LibraryPlaces {
  std::vector<std::size_t> sizes;  ///< numbers of 8 bytes
  std::vector<std::size_t> arrays; ///< beginnings of arrays, and numbers of 4 bytes
};

/** \brief Walks through the file of a library. */
LibraryPlaces
placesOf(const TensorLibrary& library);

} // namespace pcl::gpu::test
