// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/depth_images.h"

#include "common/devices.h"

#include <pcl/exceptions.h>

#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

namespace pcl {
namespace gpu {
namespace test {

Image<std::uint16_t>
readDepthImage(const std::string& path)
{
  const auto reader = vtkSmartPointer<vtkPNGReader>::New();
  if (!reader->CanReadFile(path.c_str()))
    PCL_THROW_EXCEPTION(IOException, path << " is no PNG file");
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkImageData* const picture = reader->GetOutput();
  int size[3];
  picture->GetDimensions(size);
  if (picture->GetScalarType() != VTK_UNSIGNED_SHORT ||
      picture->GetNumberOfScalarComponents() != 1)
    PCL_THROW_EXCEPTION(IOException, path << " has not one channel of 16 bits");

  Image<std::uint16_t> image(size[1], size[0]);
  for (int v = 0; v < image.rows; ++v) {
    // VTK's first row is the lowest one.
    const void* const row = picture->GetScalarPointer(0, image.rows - 1 - v, 0);
    std::memcpy(&image.at(v, 0), row, image.columns * sizeof(std::uint16_t));
  }
  return image;
}

const std::vector<std::string>&
recordedFrameNames()
{
  static const std::vector<std::string> names{
      "tum_desk", "sun_corridor", "nyu_basement", "pcl_laptop"};
  return names;
}

RecordedFrame
recordedFrame(const std::string& name)
{
  RecordedFrame frame;
  frame.name = name;
  frame.depth = readDepthImage(dataPath("depth/" + name + ".depth_mm.png"));
  frame.camera.fx = frame.camera.fy = 525.0f;
  frame.camera.cx = name == "pcl_laptop" ? 320.0f : 319.5f;
  frame.camera.cy = name == "pcl_laptop" ? 240.0f : 239.5f;
  frame.camera.width = frame.depth.columns;
  frame.camera.height = frame.depth.rows;
  return frame;
}

} // namespace test
} // namespace gpu
} // namespace pcl
