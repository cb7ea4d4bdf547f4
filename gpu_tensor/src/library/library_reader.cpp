// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/library_file.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace pcl::gpu {

namespace {

class LibraryReader {
public:
  explicit LibraryReader(const ByteSource& source) : reader_(source) {}

  TensorLibrary
  read()
  {
    readHeader();
    // What is wrong with the content matters only where it is what was written.
    std::string problem;
    TensorLibrary library;
    try {
      readContent(library);
    }
    catch (const ContentError& error) {
      problem = error.problem;
    }
    catch (const BadArgumentException& exception) {
      problem = messageOf(exception);
    }
    reader_.checkChecksum();
    if (!problem.empty())
      reader_.fail(problem);
    return library;
  }

private:
  void
  readHeader()
  {
    const std::uint64_t size = reader_.size();
    if (size < smallest_library)
      reader_.fail("is truncated, or no tensor library: it has " +
                   std::to_string(size) + " bytes, expected " +
                   std::to_string(smallest_library) + " at least");
    unsigned char magic[sizeof(library_magic)];
    reader_.bytes(magic, sizeof(magic));
    if (std::memcmp(magic, library_magic, sizeof(magic)) != 0)
      reader_.fail("is no tensor library: it begins otherwise");
    const auto order = reader_.value<std::uint32_t>();
    if (order != library_byte_order)
      reader_.fail("has its bytes in an unknown order: expected a little-endian file");
    const auto version = reader_.value<std::uint32_t>();
    if (version != library_version)
      reader_.fail("has version " + std::to_string(version) + ": expected version " +
                   std::to_string(library_version) +
                   (version > library_version ? "; it may be of a newer program" : ""));
    const auto expected = reader_.value<std::uint64_t>();
    if (size < expected)
      reader_.fail("is truncated: it has " + std::to_string(size) +
                   " bytes, expected " + std::to_string(expected));
    if (size > expected)
      reader_.fail("has " + std::to_string(size - expected) +
                   " bytes behind its end: expected " + std::to_string(expected) +
                   " bytes");
  }

  void
  readContent(TensorLibrary& library)
  {
    TensorParameters parameters;
    parameters.resolution = reader_.value<float>();
    parameters.min_distance = reader_.value<float>();
    parameters.max_distance = reader_.value<float>();
    parameters.min_angle = reader_.value<float>();
    parameters.pairs_per_point = reader_.value<std::int32_t>();
    parameters.grid_size = reader_.value<std::int32_t>();
    parameters.voxel_size = reader_.value<float>();
    parameters.min_area = reader_.value<float>();
    library.setParameters(parameters);
    const std::uint64_t models = reader_.count("models", bytes_per_model);
    for (std::uint64_t i = 0; i < models; ++i)
      library.addModel(readModel());
    if (reader_.left() > 0)
      throw ContentError{"has " + std::to_string(reader_.left()) +
                         " bytes behind its last model: expected none"};
  }

  TensorModel
  readModel()
  {
    TensorModel model;
    model.name.resize(reader_.count("characters of a name", 1));
    reader_.bytes(&model.name[0], model.name.size());
    model.view_count = reader_.value<std::int32_t>();
    readPoints(model.points);
    const std::uint64_t tensors = reader_.count("tensors", bytes_per_tensor);
    const std::uint64_t entries = reader_.count("entries", bytes_per_entry);
    reader_.values(model.frames, tensors);
    reader_.values(model.views, tensors);
    reader_.values(model.starts, tensors + 1);
    reader_.values(model.voxels, entries);
    reader_.values(model.areas, entries);
    return model;
  }

  void
  readPoints(TensorModel::Points& points)
  {
    points.resize(reader_.count("points", bytes_per_point));
    std::vector<float> numbers;
    for (std::size_t i = 0; i < points.size(); i += points_at_a_time) {
      const std::size_t count = std::min(points_at_a_time, points.size() - i);
      reader_.values(numbers, count * floats_per_point);
      for (std::size_t j = 0; j < count; ++j) {
        const float* from = &numbers[j * floats_per_point];
        std::copy(from, from + 3, points[i + j].data);
        std::copy(from + 3, from + 6, points[i + j].data_n);
        points[i + j].curvature = from[6];
      }
    }
  }

  ByteReader reader_;
};

} // namespace

void
loadLibrary(TensorLibrary& library, const ByteSource& source)
{
  try {
    TensorLibrary loaded = LibraryReader(source).read();
    loaded.setBinWidth(library.getBinWidth());
    library = std::move(loaded);
  }
  catch (const std::bad_alloc&) {
    PCL_THROW_EXCEPTION(IOException,
                        source.name << ": is too large: there is not enough memory");
  }
}

} // namespace pcl::gpu
