// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poly_data.h"

#include <vtkActor.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

namespace pcl::gpu::apps {

PolyDataBuilder::PolyDataBuilder()
{
  normals_->SetName("Normals");
  normals_->SetNumberOfComponents(3);
  colors_->SetName("RGB");
  colors_->SetNumberOfComponents(3);
}

vtkIdType
PolyDataBuilder::addPoint(const Eigen::Vector3f& point)
{
  return points_->InsertNextPoint(point.data());
}

void
PolyDataBuilder::addNormal(const Eigen::Vector3f& normal)
{
  normals_->InsertNextTuple(normal.data());
}

void
PolyDataBuilder::addColor(double red, double green, double blue)
{
  colors_->InsertNextTuple3(red, green, blue);
}

void
PolyDataBuilder::addCell(std::initializer_list<vtkIdType> corners)
{
  vtkCellArray* const cells = corners.size() == 1 ? dots_ : polygons_;
  cells->InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.begin());
}

vtkSmartPointer<vtkPolyData>
PolyDataBuilder::data() const
{
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points_);
  if (dots_->GetNumberOfCells() > 0)
    data->SetVerts(dots_);
  data->SetPolys(polygons_);
  if (normals_->GetNumberOfTuples() > 0)
    data->GetPointData()->SetNormals(normals_);
  if (colors_->GetNumberOfTuples() > 0)
    data->GetPointData()->SetScalars(colors_);
  return data;
}

vtkSmartPointer<vtkActor>
actorOf(vtkPolyData* data, double ambient, double diffuse)
{
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetAmbient(ambient);
  actor->GetProperty()->SetDiffuse(diffuse);
  return actor;
}

} // namespace pcl::gpu::apps
