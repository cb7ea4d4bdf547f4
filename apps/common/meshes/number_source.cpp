// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "number_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace pcl::gpu::apps {

namespace {

template <typename Number>
double
decoded(const std::array<char, 8>& bytes)
{
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return static_cast<double>(number);
}

} // namespace

std::size_t
sizeOf(NumberType type)
{
  switch (type) {
  case NumberType::Int8:
  case NumberType::UInt8:
    return 1;
  case NumberType::Int16:
  case NumberType::UInt16:
    return 2;
  case NumberType::Int32:
  case NumberType::UInt32:
  case NumberType::Float32:
    return 4;
  default:
    return 8;
  }
}

bool
isFloat(NumberType type)
{
  return type == NumberType::Float32 || type == NumberType::Float64;
}

index_t
toIndex(double number)
{
  constexpr double most = std::numeric_limits<index_t>::max();
  if (!(number >= 0.0 && number <= most && number == std::floor(number)))
    PCL_THROW_EXCEPTION(IOException,
                        "index of a vertex is " << number
                                                << ": expected a whole number from 0");
  return static_cast<index_t>(number);
}

double
NumberSource::next(NumberType type)
{
  if (!isBinary())
    return text_.numberIn(text_.word(), "a number");
  checkLeft(1, type);
  std::array<char, 8> bytes;
  const std::size_t size = sizeOf(type);
  std::memcpy(bytes.data(), text_.rest().data(), size);
  text_.skip(size);
  if (encoding_ == NumberEncoding::BigEndian) // processors have little-endian numbers
    std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  switch (type) {
  case NumberType::Int8:
    return decoded<std::int8_t>(bytes);
  case NumberType::UInt8:
    return decoded<std::uint8_t>(bytes);
  case NumberType::Int16:
    return decoded<std::int16_t>(bytes);
  case NumberType::UInt16:
    return decoded<std::uint16_t>(bytes);
  case NumberType::Int32:
    return decoded<std::int32_t>(bytes);
  case NumberType::UInt32:
    return decoded<std::uint32_t>(bytes);
  case NumberType::Int64:
    return decoded<std::int64_t>(bytes);
  case NumberType::UInt64:
    return decoded<std::uint64_t>(bytes);
  case NumberType::Float32:
    return decoded<float>(bytes);
  default:
    return decoded<double>(bytes);
  }
}

void
NumberSource::read(std::size_t count, NumberType type, std::vector<double>& numbers)
{
  checkLeft(count, type);
  numbers.resize(count);
  for (double& number : numbers)
    number = next(type);
}

void
NumberSource::checkLeft(std::size_t count, NumberType type) const
{
  // Each number of a text has two bytes or more with the blank behind it, but the last
  // may be one.
  const std::size_t left = text_.rest().size() + (isBinary() ? 0 : 1);
  if (count > left / (isBinary() ? sizeOf(type) : 2))
    PCL_THROW_EXCEPTION(
        IOException, "is truncated or damaged: expected " << count << " numbers more");
}

void
NumberSource::checkEnd() const
{
  if (!isPadding(text_.rest()))
    PCL_THROW_EXCEPTION(IOException, "is damaged: has more data than its header says");
}

} // namespace pcl::gpu::apps
