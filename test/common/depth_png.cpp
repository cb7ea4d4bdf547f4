// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/depth_png.h"

#include <pcl/exceptions.h>

#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <cstring>

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

} // namespace test
} // namespace gpu
} // namespace pcl
