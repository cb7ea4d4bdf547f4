// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/change_parameters.h"
#include "common/devices.h"
#include "meshes.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/mesh_renderer.h>

#include <gtest/gtest.h>

#include <utility>

namespace pcl::gpu::test {

/** \brief A square image whose border pixels look along slopes of about +-slope. */
inline CameraView
squareView(int size, float slope, const Pose& pose = Pose::Identity())
{
  PinholeCamera camera;
  camera.width = camera.height = size;
  camera.cx = camera.cy = 0.5f * static_cast<float>(size - 1);
  camera.fx = camera.fy = 0.5f * static_cast<float>(size) / slope;
  return CameraView(camera, pose);
}

/** \brief A square image of parallel rays, so many metres wide. */
inline CameraView
parallelView(int size, float width, const Pose& pose = Pose::Identity())
{
  OrthographicCamera camera;
  camera.width = camera.height = size;
  camera.cx = camera.cy = 0.5f * static_cast<float>(size - 1);
  camera.scale_x = camera.scale_y = static_cast<float>(size) / width;
  return CameraView(camera, pose);
}

/** \brief The unit vector along a pixel's ray, in the camera's frame. */
inline Eigen::Vector3d
rayDirection(const CameraView& view, int x, int y)
{
  if (view.isOrthographic())
    return Eigen::Vector3d::UnitZ();
  return Eigen::Vector3d((x - static_cast<double>(view.getCx())) / view.getFx(),
                         (y - static_cast<double>(view.getCy())) / view.getFy(),
                         1.0)
      .normalized();
}

/** \brief A renderer of one mesh, without ambient light, before black. */
inline MeshRenderer
darkRenderer(const HostMesh& mesh)
{
  MeshRenderer renderer;
  renderer.setScene(sceneOf(mesh));
  change(renderer, [&](auto& p) { p.ambient = {Eigen::Vector3f::Zero()}; });
  return renderer;
}

inline Image<LinearColor>
linearPicture(MeshRenderer& renderer, const CameraView& view)
{
  DeviceArray2D<LinearColor> picture;
  renderer.renderLinear(view, picture);
  return downloaded(picture);
}

inline Image<RGB>
picture(MeshRenderer& renderer, const CameraView& view)
{
  DeviceArray2D<RGB> picture;
  renderer.render(view, picture);
  return downloaded(picture);
}

/** \brief The same mesh with the other side of its triangles outside. */
inline HostMesh
turnedInsideOut(HostMesh mesh)
{
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    std::swap(mesh.triangles[i], mesh.triangles[i + 1]);
  return mesh;
}

} // namespace pcl::gpu::test
