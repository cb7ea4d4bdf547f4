// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene.h"

#include "../../common/view/view_point.h"
#include "../poly_data.h"
#include "close_up.h"
#include "palette.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <string>

namespace pcl::gpu::apps {

namespace {

constexpr double column = 0.75; // the mesh is left of it, three smaller views are right

vtkSmartPointer<vtkActor>
meshActor(vtkPolyData* data)
{
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  vtkProperty* property = actor->GetProperty();
  property->SetInterpolationToPhong();
  property->SetAmbient(0.42);
  property->SetDiffuse(0.60);
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
