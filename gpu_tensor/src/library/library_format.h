// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_parameters.h>

#include <boost/crc.hpp>

#include <cstddef>
#include <cstdint>

/** \file
 * \brief The file of a TensorLibrary, version 2.
 *
 * Numbers are little-endian, floats those of IEEE 754; nothing is padded.
 * \verbatim
 * 8 bytes        89 50 54 4C 0D 0A 1A 0A, which a change of line ends breaks
 * uint32         byte order mark 0x01020304
 * uint32         version, 2
 * uint64         length of the file in bytes, all of it
 *
 *                parameters (see TensorParameters)
 * float          resolution, metres
 * 2 floats       least and largest distance of a pair's points, resolutions
 * float          least angle, radians
 * int32          pairs per point
 * int32          grid size
 * float          voxel size, metres
 * float          least area, faces of a voxel
 *
 * uint64         number of models; of each (see TensorModel):
 *   uint64         length of the name, and its bytes
 *   int32          number of views
 *   uint64         number of points; of each 7 floats: x y z, normal x y z, curvature
 *   uint64         number of symmetries; of each 12 floats: rows of the transform
 *   uint64         number of tensors
 *   uint64         number of entries
 *   per tensor     16 numbers of four bytes: TensorFrame
 *   per tensor     int32: its view
 *   per tensor     uint32: its first entry; one more of these than tensors
 *   per entry      uint16: voxel
 *   per entry      float: area
 *
 * uint64         CRC-64/XZ of all bytes before it
 * \endverbatim
 *
 * Equal libraries have equal files, byte for byte.
 */

namespace pcl::gpu {

constexpr unsigned char library_magic[8] = {
    0x89, 'P', 'T', 'L', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t library_byte_order = 0x01020304u;
constexpr std::uint32_t library_version = 2;

/** \brief Bytes of a library without models. */
constexpr std::uint64_t smallest_library = 8 + 4 + 4 + 8 + 8 * 4 + 8 + 8;

/** \brief Bytes of a model without its name, points, symmetries, tensors and
 * entries. */
constexpr std::uint64_t bytes_per_model = 8 + 4 + 8 + 8 + 8 + 8 + 4;
constexpr std::uint64_t bytes_per_point = 7 * 4;
constexpr std::uint64_t bytes_per_symmetry = 12 * 4;
constexpr std::uint64_t bytes_per_tensor = sizeof(TensorFrame) + 4 + 4;
constexpr std::uint64_t bytes_per_entry = 2 + 4;

/** \brief The checksum: CRC-64/XZ. */
using LibraryChecksum = boost::crc_optimal<64,
                                           0x42F0E1EBA9EA3693ull,
                                           0xFFFFFFFFFFFFFFFFull,
                                           0xFFFFFFFFFFFFFFFFull,
                                           true,
                                           true>;

static_assert(sizeof(TensorFrame) == 64, "frames are written as they are in memory");
static_assert(sizeof(TensorParameters) == 8 * 4 &&
                  offsetof(TensorParameters, min_area) == 7 * 4,
              "parameters are written as they are in memory");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are written as they are in memory");

} // namespace pcl::gpu
