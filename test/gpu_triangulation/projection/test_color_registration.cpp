// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/scenes.h"
#include "testing/image.h"

#include <pcl/gpu/triangulation/color_registration.h>

#include <Eigen/Geometry>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A picture in which every pixel shows its own place. */
Image<pcl::RGB>
placeCodes(int rows, int columns)
{
  Image<pcl::RGB> image(rows, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      pcl::RGB& color = image.at(v, u);
      color.r = static_cast<std::uint8_t>(u % 256);
      color.g = static_cast<std::uint8_t>(v % 256);
      color.b = static_cast<std::uint8_t>(16 * (v / 256) + u / 256);
      color.a = 0; // the input's alpha means nothing
    }
  return image;
}

/** \brief A card before a wall, seen by two cameras: everything in closed form.
 *
 * The depth camera sits at the origin. Card and wall stand upright before it.
 */
struct CardBeforeWall {
  double card_z = 1.0;
  double wall_z = 2.0;
  double card_half_width = 0.15;
  double card_half_height = 0.4;

  Image<float>
  depth(const PinholeCamera& camera) const
  {
    Image<float> result(camera.height, camera.width);
    for (int v = 0; v < result.rows; ++v)
      for (int u = 0; u < result.columns; ++u) {
        const Eigen::Vector3d at_card = card_z * rayOf(camera, v, u);
        const bool on_card = std::abs(at_card.x()) < card_half_width &&
                             std::abs(at_card.y()) < card_half_height;
        result.at(v, u) = static_cast<float>(on_card ? card_z : wall_z);
      }
    return result;
  }

  /** \brief Returns the distance, in metres on the card's plane, of the line from an
   * eye to a point of the wall from the card's outline; negative if it passes
   * outside. */
  double
  depthBehindCard(const Eigen::Vector3d& eye, const Eigen::Vector3d& point) const
  {
    const double t = (card_z - eye.z()) / (point.z() - eye.z());
    const Eigen::Vector3d crossing = eye + t * (point - eye);
    return std::min(card_half_width - std::abs(crossing.x()),
                    card_half_height - std::abs(crossing.y()));
  }
};

class Registration : public DeviceTest {
protected:
  static Image<pcl::RGB>
  registered(ColorRegistration& registration,
             const Image<float>& depth,
             const Image<pcl::RGB>& image)
  {
    ColorMap colors = poisoned<pcl::RGB>(depth.rows, depth.columns);
    registration.compute(uploaded(depth), uploaded(image), colors);
    return downloaded(colors);
  }

  static void
  expectColor(const pcl::RGB& actual, const pcl::RGB& expected)
  {
    ASSERT_EQ(actual.r, expected.r);
    ASSERT_EQ(actual.g, expected.g);
    ASSERT_EQ(actual.b, expected.b);
    ASSERT_EQ(actual.a, 255);
  }

  /** \brief Registers the scene and compares each pixel that is not on a border. */
  static void
  expectSceneInClosedForm(const PinholeCamera& color_camera, const Pose& pose)
  {
    const CardBeforeWall scene;
    const PinholeCamera depth_camera = cameraOfSize(120, 160);
    ColorRegistration registration;
    change(registration, [&](auto& p) {
      p.depth_camera = depth_camera;
      p.color_camera = color_camera;
      p.color_camera_pose = pose;
    });
    const Image<float> depth = scene.depth(depth_camera);
    const Image<pcl::RGB> image = placeCodes(color_camera.height, color_camera.width);
    const Image<pcl::RGB> colors = registered(registration, depth, image);

    const Eigen::Isometry3d to_color = pose.cast<double>().inverse();
    const Eigen::Vector3d eye = pose.cast<double>().translation();
    // Three pixels of the coarser camera: the depth buffer knows no outline more
    // sharply.
    const double border =
        3.0 * scene.card_z / std::min(color_camera.fx, depth_camera.fx);
    int shown = 0;
    int hidden = 0;
    int outside = 0;
    for (int v = 0; v < depth.rows; ++v)
      for (int u = 0; u < depth.columns; ++u) {
        SCOPED_TRACE(::testing::Message() << "row " << v << ", column " << u);
        const Eigen::Vector3d point = depth.at(v, u) * rayOf(depth_camera, v, u);
        const Eigen::Vector3d seen = to_color * point;
        const double x = color_camera.fx * seen.x() / seen.z() + color_camera.cx;
        const double y = color_camera.fy * seen.y() / seen.z() + color_camera.cy;
        const int column = static_cast<int>(std::lround(x));
        const int row = static_cast<int>(std::lround(y));
        // On the border between two pixels either is nearest.
        if (std::abs(x - std::floor(x) - 0.5) < 1e-3 ||
            std::abs(y - std::floor(y) - 0.5) < 1e-3)
          continue;
        if (seen.z() <= 0.0 || row < 0 || row >= color_camera.height || column < 0 ||
            column >= color_camera.width) {
          ++outside;
          ASSERT_EQ(colors.at(v, u).rgba, 0u);
          continue;
        }
        if (depth.at(v, u) > 1.5f) {
          const double behind = scene.depthBehindCard(eye, point);
          if (std::abs(behind) < border)
            continue;
          if (behind > 0.0) {
            ++hidden;
            ASSERT_EQ(colors.at(v, u).rgba, 0u);
            continue;
          }
        }
        ++shown;
        expectColor(colors.at(v, u), image.at(row, column));
      }
    EXPECT_GT(shown, 10000);
    EXPECT_GT(hidden, 100);
    EXPECT_GT(outside, 100);
  }

  static Pose
  beside()
  {
    Pose pose = Pose::Identity();
    pose.translation() = Eigen::Vector3f(0.2f, 0.01f, -0.02f);
    return pose;
  }
};

TEST_P(Registration, FindsColoursAndHiddenPointsInClosedForm)
{
  expectSceneInClosedForm(cameraOfSize(120, 160), beside());
}

TEST_P(Registration, FindsColoursAndHiddenPointsOfATurnedCamera)
{
  Pose pose = beside();
  pose.linear() =
      Eigen::AngleAxisf(-0.09f, Eigen::Vector3f(0.1f, 1.0f, 0.2f).normalized())
          .toRotationMatrix();
  PinholeCamera camera = cameraOfSize(120, 160);
  camera.fx = 140.0f;
  camera.fy = 150.0f;
  camera.cx = 77.3f;
  expectSceneInClosedForm(camera, pose);
}

TEST_P(Registration, FindsColoursAndHiddenPointsInASmallImage)
{
  expectSceneInClosedForm(cameraOfSize(60, 80), beside());
}

TEST_P(Registration, FindsColoursAndHiddenPointsInALargeImage)
{
  // Points lie four pixels apart there: the wall must not shine through between the
  // card's.
  expectSceneInClosedForm(cameraOfSize(480, 640), beside());
}

TEST_P(Registration, WithOneCameraCopiesTheImage)
{
  const PinholeCamera camera = cameraOfSize(65, 97);
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = camera;
    p.color_camera = camera;
  });
  const Image<float> depth = roughDepth(65, 97, 0.2, 1);
  const Image<pcl::RGB> image = placeCodes(65, 97);
  const Image<pcl::RGB> colors = registered(registration, depth, image);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      if (std::isnan(depth.at(v, u)))
        ASSERT_EQ(colors.at(v, u).rgba, 0u);
      else
        expectColor(colors.at(v, u), image.at(v, u));
    }
}

TEST_P(Registration, GivesMissingDepthNoColour)
{
  const PinholeCamera camera = cameraOfSize(1, 6);
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = camera;
    p.color_camera = camera;
  });
  Image<float> depth(1, 6);
  depth.data = {
      std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 0.0f, -0.0f, -2.0f};
  for (const auto& color : registered(registration, depth, placeCodes(1, 6)).data)
    EXPECT_EQ(color.rgba, 0u);
}

TEST_P(Registration, GivesPointsBehindTheColourCameraNoColour)
{
  const PinholeCamera camera = cameraOfSize(20, 20);
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = camera;
    p.color_camera = camera;
  });
  Pose pose = Pose::Identity();
  pose.translation().z() = 2.0f;
  change(registration, [&](auto& p) { p.color_camera_pose = pose; });
  for (float z : {1.0f, 2.0f}) {
    const auto colors =
        registered(registration, Image<float>(20, 20, z), placeCodes(20, 20));
    for (const auto& color : colors.data)
      ASSERT_EQ(color.rgba, 0u);
  }
}

TEST_P(Registration, HidesByTheOcclusionTolerance)
{
  // Two points on one ray of the colour camera, which looks along the rows from the
  // side.
  PinholeCamera depth_camera;
  depth_camera.fx = depth_camera.fy = 100.0f;
  Pose pose = Pose::Identity();
  pose.linear() << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  pose.translation() = Eigen::Vector3f(0.5f, 0.0f, 1.0f);
  PinholeCamera color_camera;
  color_camera.fx = color_camera.fy = 10.0f;
  color_camera.cx = color_camera.cy = 4.0f;
  // Columns 0 and 10 of a map of depth 1 are x = 0 and x = 0.1.
  Image<float> depth(1, 11, std::numeric_limits<float>::quiet_NaN());
  depth.at(0, 0) = depth.at(0, 10) = 1.0f;
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = depth_camera;
    p.color_camera = color_camera;
    p.color_camera_pose = pose;
    p.occlusion_tolerance = 0.09f;
  });
  Image<pcl::RGB> colors = registered(registration, depth, placeCodes(9, 9));
  EXPECT_EQ(colors.at(0, 0).rgba, 0u);
  EXPECT_EQ(colors.at(0, 10).a, 255);
  change(registration, [&](auto& p) { p.occlusion_tolerance = 0.11f; });
  colors = registered(registration, depth, placeCodes(9, 9));
  EXPECT_EQ(colors.at(0, 0).a, 255);
  EXPECT_EQ(colors.at(0, 10).a, 255);
}

TEST_P(Registration, ReusedOnAnotherSizeForgetsTheLast)
{
  const PinholeCamera camera = cameraOfSize(120, 160);
  ColorRegistration registration;
  PinholeCamera sizeless = camera;
  sizeless.width = sizeless.height = 0;
  change(registration, [&](auto& p) {
    p.depth_camera = sizeless;
    p.color_camera = sizeless;
  });
  // Everything near, then everything far: a stale depth buffer would hide the second.
  registered(registration, Image<float>(120, 160, 0.5f), placeCodes(120, 160));
  for (int rows : {120, 60}) {
    const auto colors =
        registered(registration, Image<float>(rows, 160, 3.0f), placeCodes(rows, 160));
    for (const auto& color : colors.data)
      ASSERT_EQ(color.a, 255);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Registration);

} // namespace
