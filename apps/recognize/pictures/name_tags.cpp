// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "name_tags.h"

#include <pcl/common/angles.h>
#include <vtkCoordinate.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

/** \brief Maps the world to pixels, counted from the middle of a picture, and back. */
class Projection {
public:
  Projection(const ViewPoint& view, int height)
  : eye_(view.position)
  , forward_((view.focal_point - view.position).normalized())
  , right_(forward_.cross(view.up).normalized())
  , up_(right_.cross(forward_))
  , focal_(0.5f * static_cast<float>(height) /
           std::tan(0.5f * pcl::deg2rad(view.view_angle)))
  {}

  /** \return right and up in pixels, and depth in metres */
  Vector3f
  toPixels(const Vector3f& point) const
  {
    const Vector3f away = point - eye_;
    const float depth = std::max(away.dot(forward_), 1e-3f);
    return {focal_ * away.dot(right_) / depth, focal_ * away.dot(up_) / depth, depth};
  }

  Vector3f
  toWorld(const Vector3f& pixels) const
  {
    return eye_ + pixels.z() * (forward_ + pixels.x() / focal_ * right_ +
                                pixels.y() / focal_ * up_);
  }

private:
  Vector3f eye_, forward_, right_, up_;
  float focal_;
};

} // namespace

void
addNameTags(vtkRenderer& renderer,
            const std::vector<NameTag>& tags,
            const ViewPoint& view,
            int width,
            int height,
            int letters)
{
  const Projection projection(view, height);
  const auto size = static_cast<float>(letters);
  std::vector<Eigen::AlignedBox2f> taken;
  for (const NameTag& tag : tags) {
    Vector3f place = projection.toPixels(tag.place);
    // Letters are some 0.55 of their height wide.
    const float half = 0.3f * size * static_cast<float>(tag.text.size() + 2);
    const float x = 0.5f * static_cast<float>(width) - half;
    const float y = 0.5f * static_cast<float>(height) - 2.0f * size;
    place.x() = std::clamp(place.x(), -std::max(x, 0.0f), std::max(x, 0.0f));
    place.y() = std::clamp(place.y() + size, -y, y);
    Eigen::AlignedBox2f box;
    for (int tries = 0; tries < 50; ++tries) {
      box = {Eigen::Vector2f(place.x() - half, place.y() - 0.2f * size),
             Eigen::Vector2f(place.x() + half, place.y() + 1.4f * size)};
      if (std::none_of(taken.begin(), taken.end(), [&](const auto& other) {
            return other.intersects(box);
          }))
        break;
      place.y() += 0.4f * size;
    }
    taken.push_back(box);

    const Vector3f world = projection.toWorld(place);
    vtkNew<vtkTextActor> actor;
    actor->SetInput((" " + tag.text + " ").c_str());
    actor->GetPositionCoordinate()->SetCoordinateSystemToWorld();
    actor->GetPositionCoordinate()->SetValue(world.x(), world.y(), world.z());
    vtkTextProperty* property = actor->GetTextProperty();
    property->SetFontFamilyToArial();
    property->BoldOn();
    property->SetFontSize(letters);
    property->SetJustificationToCentered();
    property->SetColor(1.0, 1.0, 1.0);
    property->SetBackgroundColor(
        0.55 * tag.color[0], 0.55 * tag.color[1], 0.55 * tag.color[2]);
    property->SetBackgroundOpacity(0.85);
    renderer.AddActor2D(actor);
  }
}

} // namespace pcl::gpu::apps
