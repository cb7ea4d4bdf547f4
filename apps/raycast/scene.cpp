// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene.h"

#include "../common/view/picture.h"
#include "../common/view/poly_data.h"
#include "../common/view/view_point.h"
#include "image_writer.h"

#include <pcl/common/angles.h>
#include <vtkActor.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <string>

namespace pcl::gpu::apps {

namespace {

constexpr double column = 0.7; // the cloud is left of it, three images are right

vtkSmartPointer<vtkPolyData>
pointData(const PointCloud<PointXYZRGBNormal>& cloud)
{
  PolyDataBuilder builder;
  for (const PointXYZRGBNormal& point : cloud) {
    if (std::isnan(point.z))
      continue;
    builder.addCell({builder.addPoint(point.getVector3fMap())});
    builder.addNormal(point.getNormalVector3fMap());
    builder.addColor(point.r, point.g, point.b);
  }
  return builder.data();
}

/** \brief Returns a view of all points from beside the camera that saw them. */
ViewPoint
besideCamera(const std::vector<Eigen::Vector3f>& points, float aspect)
{
  ViewPoint view;
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& point : points)
    box.extend(point);
  if (box.isEmpty())
    return view;
  const Eigen::Vector3f away = Eigen::AngleAxisf(-0.5f, Eigen::Vector3f::UnitY()) *
                               Eigen::AngleAxisf(0.2f, Eigen::Vector3f::UnitX()) *
                               -Eigen::Vector3f::UnitZ();
  view.view_angle = 35.0f;
  view.focal_point = box.center();
  const float slope = 0.92f * std::tan(0.5f * pcl::deg2rad(view.view_angle));
  const Pose to_camera = lookAt(box.center() + away, box.center(), view.up).inverse();
  float distance = 0.0f;
  for (const Eigen::Vector3f& point : points) {
    // The target is at depth 1.
    const Eigen::Vector3f p = to_camera * point - Eigen::Vector3f::UnitZ();
    const float needed = std::max(std::abs(p.x()) / aspect, std::abs(p.y())) / slope;
    distance = std::max(distance, needed - p.z());
  }
  view.position = box.center() + distance * away;
  return view;
}

} // namespace

void
fillScene(const RayCastFrame& frame, vtkRenderWindow& window, vtkRenderer& main)
{
  const int* const size = window.GetSize();
  const int letters = size[1] / 52;
  main.SetViewport(0.0, 0.0, column, 1.0);
  lightScene(main);
  const auto actor = actorOf(pointData(frame.cloud), 0.35, 0.75);
  actor->GetProperty()->SetPointSize(std::max(2.0f, 3.0f * size[1] / frame.height));
  main.AddActor(actor);
  std::vector<Eigen::Vector3f> points;
  for (const PointXYZRGBNormal& point : frame.cloud)
    if (!std::isnan(point.z))
      points.push_back(point.getVector3fMap());
  besideCamera(points, static_cast<float>(column * size[0] / size[1]))
      .applyTo(*main.GetActiveCamera());
  main.ResetCameraClippingRange();
  addCaption(main, std::to_string(frame.hits) + " points", letters);

  const double third = 1.0 / 3.0;
  addCaption(addImagePanel(window, {column, 2 * third, 1.0, 1.0}, frame.picture),
             "picture",
             letters);
  addCaption(
      addImagePanel(window, {column, third, 1.0, 2 * third}, depthPicture(frame)),
      "depth",
      letters);
  addCaption(addImagePanel(window, {column, 0.0, 1.0, third}, trianglePicture(frame)),
             "triangles",
             letters);
}

} // namespace pcl::gpu::apps
