// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poly_data.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

namespace pcl::gpu::apps {

vtkSmartPointer<vtkPolyData>
polyData(const CompactMesh& mesh)
{
  const vtkIdType count = static_cast<vtkIdType>(mesh.vertices.size());
  vtkNew<vtkPoints> points;
  points->SetNumberOfPoints(count);
  vtkNew<vtkFloatArray> normals;
  normals->SetName("Normals");
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(count);
  vtkNew<vtkUnsignedCharArray> colors;
  colors->SetName("RGB");
  colors->SetNumberOfComponents(3);
  colors->SetNumberOfTuples(mesh.has_color ? count : 0);
  for (vtkIdType i = 0; i < count; ++i) {
    const PointXYZRGBNormal& vertex = mesh.vertices[i];
    points->SetPoint(i, vertex.x, vertex.y, vertex.z);
    normals->SetTuple3(i, vertex.normal_x, vertex.normal_y, vertex.normal_z);
    if (mesh.has_color)
      colors->SetTuple3(i, vertex.r, vertex.g, vertex.b);
  }

  vtkNew<vtkCellArray> polygons;
  const int step = mesh.vertices_per_polygon;
  for (std::size_t i = 0; i < mesh.indices.size(); i += step) {
    polygons->InsertNextCell(step);
    for (int corner = 0; corner < step; ++corner)
      polygons->InsertCellPoint(mesh.indices[i + corner]);
  }

  auto result = vtkSmartPointer<vtkPolyData>::New();
  result->SetPoints(points);
  result->SetPolys(polygons);
  result->GetPointData()->SetNormals(normals);
  if (mesh.has_color)
    result->GetPointData()->SetScalars(colors);
  return result;
}

} // namespace pcl::gpu::apps
