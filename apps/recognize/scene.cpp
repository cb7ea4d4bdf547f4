// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene.h"

#include "../common/view/picture.h"
#include "../common/view/poly_data.h"
#include "../common/view/view_point.h"
#include "models/library_file.h"
#include "pictures/name_tags.h"
#include "pictures/splat_surface.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

const std::array<double, 3> grey = {0.70, 0.71, 0.73};

/** \brief Returns a colour that differs from grey and from those of other objects. */
const std::array<double, 3>&
colorOf(std::size_t object)
{
  static const std::array<std::array<double, 3>, 10> colors = {{{0.95, 0.48, 0.13},
                                                                {0.16, 0.55, 0.88},
                                                                {0.30, 0.70, 0.29},
                                                                {0.86, 0.27, 0.52},
                                                                {0.93, 0.75, 0.16},
                                                                {0.53, 0.38, 0.82},
                                                                {0.13, 0.70, 0.67},
                                                                {0.80, 0.24, 0.20},
                                                                {0.60, 0.72, 0.18},
                                                                {0.63, 0.43, 0.28}}};
  return colors[object % colors.size()];
}

/** \brief Returns the object of most of the points around one; -1 for none. Labels have
 * holes, and borders of objects spread to the ground below them. */
int
objectAround(const RecognizedScene& scene, std::size_t point)
{
  const int columns = scene.columns, size = static_cast<int>(scene.labels.size());
  std::array<int, 9> labels{};
  std::size_t count = 0;
  for (const int row : {-columns, 0, columns})
    for (const int other : {row - 1, row, row + 1}) {
      const int at = static_cast<int>(point) + other;
      labels[count++] = at >= 0 && at < size ? scene.labels[at] : -1;
    }
  // If most labels are alike, the median is one of them.
  std::sort(labels.begin(), labels.end());
  const int middle = labels[4];
  return std::count(labels.begin(), labels.end(), middle) >= 5 ? middle : -1;
}

/** \brief Returns whether the scene's surface has an object's colour at a place. */
bool
isShown(const RecognizedScene& scene, int object, const Vector3f& place)
{
  constexpr float tolerance = 0.015f;
  const PinholeCamera& camera = scene.cloud_camera;
  const auto rows = static_cast<float>(scene.cloud.size() / scene.columns);
  const float u = std::round(camera.fx * place.x() / place.z() + camera.cx);
  const float v = std::round(camera.fy * place.y() / place.z() + camera.cy);
  if (!(u >= 0.0f && v >= 0.0f && u < static_cast<float>(scene.columns) && v < rows))
    return false;
  const std::size_t point =
      static_cast<std::size_t>(v) * scene.columns + static_cast<std::size_t>(u);
  return objectAround(scene, point) == object &&
         std::abs(scene.cloud[point].z - place.z()) < tolerance;
}

/** \brief Returns whether three points may be on one surface. Allows for a Kinect's
 * large steps at distances beyond those of tensors. */
bool
isSurface(const PointXYZ& a, const PointXYZ& b, const PointXYZ& c)
{
  constexpr float slope = 0.04f;
  const float nearest = std::min({a.z, b.z, c.z}), farthest = std::max({a.z, b.z, c.z});
  return std::isfinite(a.z + b.z + c.z) && farthest - nearest < slope * nearest;
}

/** \brief Returns the scene's surface, in the colours of the objects. */
vtkSmartPointer<vtkPolyData>
surfaceOf(const RecognizedScene& scene)
{
  PolyDataBuilder builder;
  for (std::size_t i = 0; i < scene.cloud.size(); ++i) {
    const PointXYZ& point = scene.cloud[i];
    const PointXYZ& normal = scene.normals[i];
    // No triangle uses points that are not finite.
    builder.addPoint(std::isfinite(point.z) ? Vector3f(point.getVector3fMap())
                                            : Vector3f::UnitZ());
    builder.addNormal(std::isfinite(normal.x) ? Vector3f(normal.getVector3fMap())
                                              : Vector3f(0.0f, 0.0f, -1.0f));
    const int object = objectAround(scene, i);
    const std::array<double, 3>& color =
        object < 0 ? grey : colorOf(static_cast<std::size_t>(object));
    builder.addColor(255.0 * color[0], 255.0 * color[1], 255.0 * color[2]);
  }
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    if (isSurface(scene.cloud[a], scene.cloud[b], scene.cloud[c]))
      builder.addCell({static_cast<vtkIdType>(a),
                       static_cast<vtkIdType>(b),
                       static_cast<vtkIdType>(c)});
  };
  const auto columns = static_cast<std::size_t>(scene.columns);
  for (std::size_t i = 0; i + columns + 1 < scene.cloud.size(); ++i)
    if (i % columns + 1 < columns) {
      add(i, i + columns, i + 1);
      add(i + 1, i + columns, i + columns + 1);
    }
  return builder.data();
}

vtkSmartPointer<vtkActor>
surfaceActor(vtkPolyData* data, const std::array<double, 3>& color, double specular)
{
  auto actor = actorOf(data, 0.48, 0.60);
  vtkProperty* property = actor->GetProperty();
  property->SetInterpolationToPhong();
  property->SetColor(color[0], color[1], color[2]);
  property->SetSpecular(specular);
  property->SetSpecularPower(24.0);
  return actor;
}

std::string
captionOf(const RecognizedScene& scene)
{
  const std::size_t count = scene.objects.size();
  const std::string objects =
      count == 1 ? "1 object" : std::to_string(count) + " objects";
  return objects + ", " + std::to_string(scene.tensors) + " tensors";
}

} // namespace

Scene::Scene(const RecognizedScene& scene, const TensorLibrary& library)
: surface_(surfaceOf(scene))
, caption_(captionOf(scene))
{
  for (const RecognizedObject& object : scene.objects) {
    const TensorModel& model = library.getModel(object.model);
    const Pose pose = toPose(object.pose);
    // As high as its highest point, above the middle.
    const Vector3f middle = pose * middleOf(model);
    float top = 0.0f;
    for (const PointNormal& point : model.points)
      top = std::min(top, (pose * point.getVector3fMap() - middle).y());
    const auto place_among_objects = static_cast<int>(objects_.size());
    const auto is_shown = [&](const Vector3f& place) {
      return isShown(scene, place_among_objects, place);
    };
    objects_.push_back({model.name,
                        splatSurface(model.points, pose, is_shown),
                        middle + Vector3f(0.0f, top, 0.0f)});
    // Objects and their surroundings fill the picture.
    constexpr float around = 2.0f;
    for (const PointNormal& point : model.points)
      points_.push_back(middle + around * (pose * point.getVector3fMap() - middle));
  }
  for (const PointXYZ& point : scene.cloud)
    if (scene.objects.empty() && std::isfinite(point.z))
      points_.push_back(point.getVector3fMap());
}

void
Scene::fill(vtkRenderWindow& window, vtkRenderer& main) const
{
  const int* const size = window.GetSize();
  const int letters = size[1] / 44;
  lightScene(main);
  // Dark enough that holes are no surface.
  main.SetBackground(0.13, 0.14, 0.17);
  main.SetBackground2(0.24, 0.26, 0.30);
  main.AddActor(surfaceActor(surface_, grey, 0.0));
  const ViewPoint view =
      besideSensor(points_, static_cast<float>(size[0]) / static_cast<float>(size[1]));
  view.applyTo(*main.GetActiveCamera());
  std::vector<NameTag> tags;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const auto actor = surfaceActor(objects_[i].surface, colorOf(i), 0.15);
    // The far side of thin parts would stick out of the near one.
    actor->GetProperty()->BackfaceCullingOn();
    main.AddActor(actor);
    tags.push_back({objects_[i].name, objects_[i].top, colorOf(i)});
  }
  addNameTags(main, tags, view, size[0], size[1], letters);
  addCaption(main, caption_, letters);
  main.ResetCameraClippingRange();
}

} // namespace pcl::gpu::apps
