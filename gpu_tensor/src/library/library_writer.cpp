// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/library_file.h"

#include "library/library_format.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Collects small pieces, and hands large ones on as they are. */
class ByteWriter {
public:
  explicit ByteWriter(const ByteSink& sink) : sink_(sink) {}

  void
  bytes(const void* from, std::size_t count)
  {
    const char* next = static_cast<const char*>(from);
    while (count > 0) {
      // The checksum is made of what is still in the cache.
      const std::size_t part = std::min(count, part_size);
      checksum_.process_bytes(next, part);
      collect(next, part);
      next += part;
      count -= part;
    }
  }

  template <typename T>
  void
  value(const T& value)
  {
    bytes(&value, sizeof(T));
  }

  template <typename T>
  void
  values(const std::vector<T>& values)
  {
    bytes(values.data(), values.size() * sizeof(T));
  }

  /** \brief Writes the checksum and what is still here. */
  void
  finish()
  {
    const std::uint64_t checksum = checksum_.checksum();
    collect(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    handOn();
  }

private:
  static constexpr std::size_t part_size = std::size_t(1) << 20;

  void
  collect(const char* from, std::size_t count)
  {
    if (collected_.size() + count > part_size)
      handOn();
    collected_.insert(collected_.end(), from, from + count);
  }

  void
  handOn()
  {
    sink_(collected_.data(), collected_.size());
    collected_.clear();
  }

  const ByteSink& sink_;
  LibraryChecksum checksum_;
  std::vector<char> collected_;
};

std::uint64_t
sizeOf(const TensorLibrary& library)
{
  std::uint64_t size = smallest_library;
  for (int i = 0; i < library.size(); ++i) {
    const TensorModel& model = library.getModel(i);
    size +=
        bytes_per_model + model.name.size() + bytes_per_point * model.points.size() +
        bytes_per_tensor * model.frames.size() + bytes_per_entry * model.areas.size();
  }
  return size;
}

void
write(ByteWriter& writer, const TensorModel::Points& points)
{
  writer.value(static_cast<std::uint64_t>(points.size()));
  std::vector<float> numbers;
  for (std::size_t i = 0; i < points.size(); i += points_at_a_time) {
    numbers.clear();
    for (std::size_t j = i; j < std::min(points.size(), i + points_at_a_time); ++j) {
      const PointNormal& point = points[j];
      numbers.insert(numbers.end(), point.data, point.data + 3);
      numbers.insert(numbers.end(), point.data_n, point.data_n + 3);
      numbers.push_back(point.curvature);
    }
    writer.values(numbers);
  }
}

void
write(ByteWriter& writer, const TensorModel& model)
{
  writer.value(static_cast<std::uint64_t>(model.name.size()));
  writer.bytes(model.name.data(), model.name.size());
  writer.value(static_cast<std::int32_t>(model.view_count));
  write(writer, model.points);
  writer.value(static_cast<std::uint64_t>(model.frames.size()));
  writer.value(static_cast<std::uint64_t>(model.areas.size()));
  writer.values(model.frames);
  writer.values(model.views);
  writer.values(model.starts);
  writer.values(model.voxels);
  writer.values(model.areas);
}

} // namespace

void
writeLibrary(const TensorLibrary& library, const ByteSink& sink)
{
  ByteWriter writer(sink);
  writer.bytes(library_magic, sizeof(library_magic));
  writer.value(library_byte_order);
  writer.value(library_version);
  writer.value(sizeOf(library));
  writer.value(library.getParameters());
  writer.value(static_cast<std::uint64_t>(library.size()));
  for (int i = 0; i < library.size(); ++i)
    write(writer, library.getModel(i));
  writer.finish();
}

} // namespace pcl::gpu
