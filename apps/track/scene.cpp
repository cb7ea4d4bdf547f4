// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene.h"

#include "../common/view/picture.h"
#include "../common/view/poly_data.h"
#include "../common/view/view_point.h"
#include "skin_mesh.h"

#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

constexpr double column = 0.62; // the camera's view is left of it, the side's right

vtkSmartPointer<vtkActor>
pointActor(const PointCloud<PointXYZ>& cloud, float pixels)
{
  PolyDataBuilder builder;
  for (const PointXYZ& point : cloud)
    if (isMeasuredPoint(point))
      builder.addCell({builder.addPoint(point.getVector3fMap())});
  auto actor = actorOf(builder.data(), 0.0, 1.0);
  actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetColor(0.85, 0.92, 1.0);
  actor->GetProperty()->SetPointSize(pixels);
  return actor;
}

vtkSmartPointer<vtkActor>
skinActor(const TrackedFrame& body)
{
  constexpr double colors[][3] = {{0.95, 0.55, 0.25},
                                  {0.35, 0.65, 0.95},
                                  {0.55, 0.8, 0.35},
                                  {0.85, 0.45, 0.8},
                                  {0.95, 0.8, 0.3}};
  constexpr int count = sizeof(colors) / sizeof(colors[0]);
  const double* const color = colors[body.person % count];
  auto actor = actorOf(skinMesh(body.skin), 0.3, 0.7);
  actor->GetProperty()->SetInterpolationToPhong();
  actor->GetProperty()->SetColor(color[0], color[1], color[2]);
  return actor;
}

/** \brief Ball around the skins; around the points if there are none. */
struct Ball {
  Vector3f center = Vector3f::Zero();
  float radius = 1.0f;
};

Ball
ballAround(const TrackFrame& frame, const std::vector<TrackedFrame>& bodies)
{
  Eigen::AlignedBox3f box;
  for (const TrackedFrame& body : bodies)
    for (const TaperedCapsule& capsule : body.skin)
      for (const float* end : {capsule.a, capsule.b}) {
        const Vector3f point(end[0], end[1], end[2]);
        if (point.allFinite())
          box.extend(point);
      }
  if (bodies.empty())
    for (const PointXYZ& point : *frame.points)
      if (isMeasuredPoint(point))
        box.extend(point.getVector3fMap());
  if (box.isEmpty())
    return {};
  constexpr float margin = 1.24f; // for the skin around the bones, and some space
  return {box.center(), 0.5f * margin * box.sizes().maxCoeff()};
}

void
drawBodies(const TrackFrame& frame,
           const std::vector<TrackedFrame>& bodies,
           const ViewPoint& view,
           float point_size,
           vtkRenderer& renderer)
{
  lightScene(renderer);
  renderer.AddActor(pointActor(*frame.points, point_size));
  for (const TrackedFrame& body : bodies)
    renderer.AddActor(skinActor(body));
  view.applyTo(*renderer.GetActiveCamera());
  renderer.ResetCameraClippingRange();
}

/** \brief Returns a view of a ball that fills the height. */
ViewPoint
viewOf(const Ball& ball, const Vector3f& position, const Vector3f& up)
{
  ViewPoint view;
  view.position = position;
  view.focal_point = ball.center;
  view.up = up;
  const float distance = (position - ball.center).norm();
  const float slope = std::min(0.9f, ball.radius / std::max(distance, 1e-3f));
  view.view_angle = static_cast<float>(2.0 * std::asin(slope) * 180.0 / M_PI);
  return view;
}

std::string
captionOf(const TrackFrame& frame, const std::vector<TrackedFrame>& bodies)
{
  const std::string number = "frame " + std::to_string(frame.number);
  if (bodies.empty())
    return number + ", nobody";
  if (!std::isfinite(bodies[0].mean_error))
    return number;
  char text[64];
  std::snprintf(
      text, sizeof text, ", mean joint error %.1f cm", 100.0 * bodies[0].mean_error);
  return number + text;
}

} // namespace

void
fillScene(const TrackFrame& frame,
          const std::vector<TrackedFrame>& all_bodies,
          const Pose& camera,
          vtkRenderWindow& window,
          vtkRenderer& main)
{
  std::vector<TrackedFrame> bodies;
  for (const TrackedFrame& body : all_bodies)
    if (!(body.confidence <= 0.0f))
      bodies.push_back(body);
  const int height = window.GetSize()[1];
  const float point_size = std::max(2.0f, height / 450.0f);
  const Ball ball = ballAround(frame, bodies);
  const Vector3f up = -camera.linear().col(1);
  main.SetViewport(0.0, 0.0, column, 1.0);
  drawBodies(frame, bodies, viewOf(ball, camera.translation(), up), point_size, main);
  addCaption(main, captionOf(frame, bodies), height / 40);

  vtkNew<vtkRenderer> side;
  side->SetViewport(column, 0.0, 1.0, 1.0);
  side->InteractiveOff();
  window.AddRenderer(side);
  const Vector3f to_camera = camera.translation() - ball.center;
  const Vector3f beside = Eigen::AngleAxisf(-1.3f, up.normalized()) * to_camera;
  drawBodies(frame, bodies, viewOf(ball, ball.center + beside, up), point_size, *side);
  addCaption(*side, "from the side", height / 40);
}

} // namespace pcl::gpu::apps
