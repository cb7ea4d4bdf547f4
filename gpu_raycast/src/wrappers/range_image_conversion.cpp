// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/range_image_conversion.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <vector>

namespace pcl::gpu {

void
toRangeImagePlanar(const DeviceArray2D<float>& depth,
                   const CameraView& view,
                   RangeImagePlanar& range_image)
{
  checkArgument(!view.isOrthographic(), "camera", "orthographic", "a pinhole");
  checkArgument(depth.cols() == view.getWidth(),
                "width of the depth map",
                depth.cols(),
                "the camera's");
  checkArgument(depth.rows() == view.getHeight(),
                "height of the depth map",
                depth.rows(),
                "the camera's");
  std::vector<float> pixels(static_cast<std::size_t>(depth.rows()) * depth.cols());
  depth.download(pixels.data(), depth.cols() * sizeof(float));
  range_image.setDepthImage(pixels.data(),
                            view.getWidth(),
                            view.getHeight(),
                            view.getCx(),
                            view.getCy(),
                            view.getFx(),
                            view.getFy());
  range_image.setTransformationToRangeImageSystem(
      Eigen::Affine3f(view.getPose().inverse()));
  range_image.recalculate3DPointPositions();
  range_image.is_dense = false; // as PCL marks all range images
}

} // namespace pcl::gpu
