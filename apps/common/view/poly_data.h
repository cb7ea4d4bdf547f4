// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Core>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>

#include <initializer_list>

class vtkActor;

namespace pcl::gpu::apps {

/** \brief Points and polygons for VTK, made one by one. */
class PolyDataBuilder {
public:
  PolyDataBuilder();

  /** \brief Adds a point.
   * \return its number
   */
  vtkIdType
  addPoint(const Eigen::Vector3f& point);

  /** \brief Adds the normal of the next point without one: all points have one, or
   * none. */
  void
  addNormal(const Eigen::Vector3f& normal);

  /** \brief Adds the colour of the next point without one, each part 0 to 255. */
  void
  addColor(double red, double green, double blue);

  /** \brief Adds a polygon, or a dot.
   * \param[in] corners numbers of its points; one for a dot
   */
  void
  addCell(std::initializer_list<vtkIdType> corners);

  /** \brief Returns all of it, with the arrays "Normals" and "RGB" if they are not
   * empty. */
  vtkSmartPointer<vtkPolyData>
  data() const;

private:
  vtkNew<vtkPoints> points_;
  vtkNew<vtkFloatArray> normals_;
  vtkNew<vtkUnsignedCharArray> colors_;
  vtkNew<vtkCellArray> dots_;
  vtkNew<vtkCellArray> polygons_;
};

/** \brief Makes an actor that draws some data.
 * \param[in] data points and polygons
 * \param[in] ambient part of the ambient light that it reflects
 * \param[in] diffuse part of the lamps' light that it reflects
 */
vtkSmartPointer<vtkActor>
actorOf(vtkPolyData* data, double ambient, double diffuse);

} // namespace pcl::gpu::apps
