// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/natural_order.h>

namespace pcl::gpu {

namespace {

bool
isDigit(char c)
{
  return c >= '0' && c <= '9';
}

} // namespace

std::string
takeNumber(const std::string& text, std::size_t& begin)
{
  while (begin < text.size() && text[begin] == '0')
    ++begin;
  const std::size_t first = begin;
  while (begin < text.size() && isDigit(text[begin]))
    ++begin;
  return text.substr(first, begin - first);
}

bool
isBefore(const std::string& name, const std::string& other)
{
  std::size_t i = 0, j = 0;
  while (i < name.size() && j < other.size()) {
    if (isDigit(name[i]) && isDigit(other[j])) {
      const std::string number = takeNumber(name, i),
                        other_number = takeNumber(other, j);
      if (number.size() != other_number.size())
        return number.size() < other_number.size();
      if (number != other_number)
        return number < other_number;
    }
    else if (name[i] != other[j])
      return name[i] < other[j];
    else
      ++i, ++j;
  }
  const std::size_t left = name.size() - i, other_left = other.size() - j;
  return left != other_left ? left < other_left : name < other;
}

} // namespace pcl::gpu
