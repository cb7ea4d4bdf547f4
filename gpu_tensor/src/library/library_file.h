// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_library.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace pcl::gpu {

/** \brief Bytes of a file or of memory, read one after the other. */
struct ByteSource {
  std::string name;   ///< for messages
  std::uint64_t size; ///< in bytes
  /** \brief Copies the next bytes; at least \a count are left. */
  std::function<void(void* to, std::size_t count)> read;
};

/** \brief Opens a file.
 * \throws pcl::IOException naming the file if it cannot be read; also from
 * ByteSource::read() if the file fails or becomes shorter
 */
ByteSource
openFile(const std::string& path);

/** \brief Replaces parameters and models by those of a file, for TensorLibrary::load().
 * \param[in,out] library as it was if an exception is thrown
 * \param[in] source a file of library_format.h
 * \throws pcl::IOException naming the file and the fault
 */
void
loadLibrary(TensorLibrary& library, const ByteSource& source);

/** \brief Takes the next bytes of a file. */
using ByteSink = std::function<void(const void* bytes, std::size_t count)>;

/** \brief Writes a library in the format of library_format.h.
 * \throws any exception of \a sink
 */
void
writeLibrary(const TensorLibrary& library, const ByteSink& sink);

} // namespace pcl::gpu
