// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "json_text.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <cmath>
#include <cstdio>

namespace pcl::gpu::apps {

std::string
jsonText(const std::string& text)
{
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      result += escape;
    }
    else
      result += c;
  }
  return result + '"';
}

std::string
jsonNumber(double value, int digits)
{
  return std::isfinite(value) ? numberText(value, digits) : "null";
}

} // namespace pcl::gpu::apps
