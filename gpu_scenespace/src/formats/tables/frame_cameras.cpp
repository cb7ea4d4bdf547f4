// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/frame_cameras.h"

#include <pcl/exceptions.h>

namespace pcl::gpu {

namespace {

int
sizeAt(const TableLine& line, std::size_t column)
{
  const double size = line.valueAt(column);
  if (!(size >= 1.0 && size <= 16384.0))
    line.fail("a side of " + line.words[column] + " pixels", "1 to 16384");
  return static_cast<int>(size);
}

} // namespace

PinholeCamera
cameraOf(const TableLine& line)
{
  const std::size_t words = line.words.size();
  if (words < 4 || words > 7)
    line.fail(std::to_string(words) + " words",
              "fx fy cx cy, width and height before them, a depth unit behind them");
  const std::size_t first = words >= 6 ? 2 : 0;
  PinholeCamera camera;
  camera.fx = static_cast<float>(line.valueAt(first));
  camera.fy = static_cast<float>(line.valueAt(first + 1));
  camera.cx = static_cast<float>(line.valueAt(first + 2));
  camera.cy = static_cast<float>(line.valueAt(first + 3));
  if (first > 0) {
    camera.width = sizeAt(line, 0);
    camera.height = sizeAt(line, 1);
  }
  return camera;
}

FrameCameras
readFrameCameras(const std::string& file, std::size_t frames)
{
  const std::vector<TableLine> lines = readTable(file);
  if (lines.size() != 1 && lines.size() != frames)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << lines.size() << " lines: expected one, or "
                             << frames << ", as many as frames");
  FrameCameras result;
  for (const TableLine& line : lines) {
    const PinholeCamera camera = cameraOf(line);
    const std::size_t words = line.words.size();
    const float unit =
        words % 2 == 1 ? static_cast<float>(line.valueAt(words - 1)) : 0.001f;
    if (!(unit > 0.0f))
      line.fail("a depth unit of " + line.words.back(), "a positive number");
    if (!result.cameras.empty() && unit != result.depth_unit)
      line.fail("a depth unit of " + std::to_string(unit),
                "that of the line before: " + std::to_string(result.depth_unit));
    result.depth_unit = unit;
    result.cameras.push_back(camera);
  }
  result.cameras.resize(frames, cameraOf(lines[0]));
  return result;
}

} // namespace pcl::gpu
