// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene.h"

#include "../../common/view/poly_data.h"
#include "../../common/view/view_point.h"
#include "palette.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace pcl::gpu::apps {

namespace {

constexpr double column = 0.75; // the mesh is left of it, three smaller views are right

vtkSmartPointer<vtkActor>
meshActor(vtkPolyData* data)
{
  auto actor = actorOf(data, 0.42, 0.60);
  vtkProperty* property = actor->GetProperty();
  property->SetInterpolationToPhong();
  property->SetSpecular(0.06);
  property->SetSpecularPower(18.0);
  return actor;
}

double
aspectOf(vtkRenderWindow& window, double width, double height)
{
  return width * window.GetSize()[0] / (height * window.GetSize()[1]);
}

// Lines and letters grow with the window, whose pixels may be finer than the picture's.
int
letterHeight(vtkRenderWindow& window)
{
  return window.GetSize()[1] / 52;
}

const char*
polygonName(const TriangulatedFrame& frame)
{
  return frame.vertices_per_polygon == 3 ? " triangles" : " quads";
}

// Lights the renderer, draws a mesh and aims the camera at it.
vtkActor*
drawMesh(vtkRenderer& renderer, const CompactMesh& mesh, double aspect)
{
  std::vector<Eigen::Vector3f> points;
  for (const PointXYZRGBNormal& vertex : mesh.vertices)
    points.push_back(vertex.getVector3fMap());
  lightScene(renderer);
  const auto actor = meshActor(polyData(mesh));
  renderer.AddActor(actor);
  besideSensor(points, static_cast<float>(aspect)).applyTo(*renderer.GetActiveCamera());
  renderer.ResetCameraClippingRange();
  return actor;
}

// Returns the spread of the normals of a window, 0 if all are one or the surface is
// torn.
float
interest(const TriangulatedFrame& frame, const PixelWindow& window)
{
  const int width = frame.cloud.width;
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  float nearest = INFINITY, farthest = 0.0f;
  int count = 0, all = 0;
  for (int v = window.top; v < window.bottom; v += 2)
    for (int u = window.left; u < window.right; u += 2, ++all) {
      const PointXYZRGBNormal& point = frame.cloud[v * width + u];
      if (!std::isfinite(point.normal_x) || !std::isfinite(point.z))
        continue;
      sum += point.getNormalVector3fMap();
      nearest = std::min(nearest, point.z);
      farthest = std::max(farthest, point.z);
      ++count;
    }
  const bool is_whole = count > 0.98f * all && farthest < 1.1f * nearest;
  if (!is_whole)
    return 0.0f;
  // Near surfaces are measured best.
  return (1.0f - sum.norm() / count) / nearest;
}

/** \brief Chooses the part of a frame that is worth a look from close by: whole, near,
 * and with surfaces that face many ways. Returns a tenth of the image's width and
 * height, or all of an image too small for that. */
PixelWindow
interestingWindow(const TriangulatedFrame& frame)
{
  const int width = frame.cloud.width, height = frame.cloud.height;
  PixelWindow best{0, 0, width, height};
  const int columns = width / 10, rows = height / 10;
  if (columns < 16 || rows < 12)
    return best;
  float most = -1.0f;
  for (int top = 0; top + rows <= height; top += rows / 4)
    for (int left = 0; left + columns <= width; left += columns / 4) {
      const PixelWindow window{left, top, left + columns, top + rows};
      const float value = interest(frame, window);
      if (value > most) {
        most = value;
        best = window;
      }
    }
  return best;
}

} // namespace

Scene::Scene(const TriangulatedFrame& frame, CompactMesh mesh)
: frame_(frame)
, mesh_(std::move(mesh))
{
  if (mesh_.has_color)
    brighten(mesh_);
  else
    colorByDepth(mesh_);
}

void
Scene::fill(vtkRenderWindow& window, vtkRenderer& main) const
{
  const int letters = letterHeight(window);
  main.SetViewport(0.0, 0.0, column, 1.0);
  drawMesh(main, mesh_, aspectOf(window, column, 1.0));
  addCaption(main, std::to_string(frame_.polygons()) + polygonName(frame_), letters);

  const double third = 1.0 / 3.0;
  addCaption(addImagePanel(window, {column, 2 * third, 1.0, 1.0}, depthPicture(frame_)),
             "depth",
             letters);
  addCaption(
      addImagePanel(window, {column, third, 1.0, 2 * third}, normalPicture(frame_)),
      "normals",
      letters);
  addCloseUp(window, {column, 0.0, 1.0, third});
}

void
Scene::addCloseUp(vtkRenderWindow& window, const Panel& panel) const
{
  vtkNew<vtkRenderer> renderer;
  renderer->SetViewport(panel.left, panel.bottom, panel.right, panel.top);
  renderer->InteractiveOff();
  window.AddRenderer(renderer);

  CompactMesh mesh = compactMesh(frame_, interestingWindow(frame_));
  colorByDepth(mesh);
  vtkActor* actor = drawMesh(
      *renderer, mesh, aspectOf(window, 1.0 - column, panel.top - panel.bottom));
  // So close that no border is seen.
  renderer->GetActiveCamera()->Zoom(1.6);
  actor->GetProperty()->EdgeVisibilityOn();
  actor->GetProperty()->SetEdgeColor(0.25, 0.33, 0.45);
  actor->GetProperty()->SetLineWidth(0.04f * letterHeight(window));
  addCaption(*renderer, "mesh, close up", letterHeight(window));
}

} // namespace pcl::gpu::apps
