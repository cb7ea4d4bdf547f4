// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "gpu_tensor/recognition/recognition_shapes.h"

#include <pcl/common/transforms.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/tensor/tensor_registration.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

/** \brief View of shapes by the small camera. */
Cloud::Ptr
cloudOf(const std::vector<PlacedShape>& shapes)
{
  const PinholeCamera camera = smallCamera();
  const Image<float> depth = seenScene(shapes).depth;
  Cloud::Ptr cloud(new Cloud(depth.columns, depth.rows));
  cloud->is_dense = false;
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const float z = depth.at(v, u);
      (*cloud)(u, v) = std::isfinite(z)
                           ? pcl::PointXYZ((u - camera.cx) / camera.fx * z,
                                           (v - camera.cy) / camera.fy * z,
                                           z)
                           : pcl::PointXYZ(not_a_number, not_a_number, not_a_number);
    }
  return cloud;
}

Cloud::Ptr
cloudOf(const PlacedShape& shape)
{
  return cloudOf(std::vector<PlacedShape>{shape});
}

/** \brief A pose of a shape, and one turned from it about an axis across the view. */
struct PosePair {
  Pose first, second;

  PosePair(const std::string& name, float angle)
  : first(poseAt(name, {0.0f, 0.0f, 0.75f}, 3))
  , second(first)
  {
    const Eigen::Vector3f middle = first * middleOf(name);
    const Eigen::AngleAxisf turn(angle, Eigen::Vector3f(0.6f, 0.8f, 0.0f));
    const Eigen::AngleAxisf roll(0.8f, Eigen::Vector3f::UnitZ());
    second = Eigen::Translation3f(middle) * Pose(roll * turn) *
             Eigen::Translation3f(-middle) * first;
  }

  /** \brief From the first view's frame to the second's. */
  Pose
  motion() const
  {
    return second * first.inverse();
  }
};

void
expectPose(const Pose& found, const Pose& truth)
{
  const Eigen::Vector3f middle(0.0f, 0.0f, 0.75f);
  // A resolution and a half: the sides that both show determine no more.
  EXPECT_LE((found * middle - truth * middle).norm(), 0.006f);
  const Eigen::AngleAxisf turn(
      Eigen::Matrix3f(found.linear().transpose() * truth.linear()));
  EXPECT_LE(turn.angle() * 57.29578f, 1.0f);
}

TEST(RangeView, OfAnOrganizedCloudHasItsCamera)
{
  const Cloud::Ptr cloud = cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)});
  const RangeView view = toRangeView(*cloud).value();
  const PinholeCamera camera = smallCamera();
  EXPECT_NEAR(view.camera.fx, camera.fx, 0.01f);
  EXPECT_NEAR(view.camera.fy, camera.fy, 0.01f);
  EXPECT_NEAR(view.camera.cx, camera.cx, 0.01f);
  EXPECT_NEAR(view.camera.cy, camera.cy, 0.01f);
  EXPECT_EQ(view.camera.width, 320);
  EXPECT_EQ(view.camera.height, 240);
  EXPECT_TRUE(view.pose.isApprox(Pose::Identity()));
  for (std::size_t i = 0; i < cloud->size(); ++i)
    EXPECT_TRUE(view.depth[i] == (*cloud)[i].z ||
                (std::isnan(view.depth[i]) && std::isnan((*cloud)[i].z)));
}

TEST(RangeView, OfAnOrganizedCloudInTheSensorsFrameHasItsCamera)
{
  const Cloud::Ptr seen = cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)});
  Pose sensor = Pose::Identity();
  sensor.translate(Eigen::Vector3f(0.3f, -0.2f, 0.5f));
  sensor.rotate(Eigen::AngleAxisf(2.0f, Eigen::Vector3f(0.6f, 0.0f, 0.8f)));
  Cloud cloud;
  pcl::transformPointCloud(*seen, cloud, sensor.matrix());
  EXPECT_FALSE(organizedRangeView(cloud)) << "nothing says where the sensor was";
  cloud.sensor_origin_.head<3>() = sensor.translation();
  cloud.sensor_orientation_ = Eigen::Quaternionf(sensor.linear());
  const auto view = organizedRangeView(cloud);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->pose.isApprox(sensor, 1e-5f));
  EXPECT_NEAR(view->camera.fx, smallCamera().fx, 0.1f);
  EXPECT_NEAR(view->camera.cy, smallCamera().cy, 0.1f);
  for (std::size_t i = 0; i < cloud.size(); ++i)
    EXPECT_TRUE(std::abs(view->depth[i] - (*seen)[i].z) < 1e-5f ||
                (std::isnan(view->depth[i]) && std::isnan((*seen)[i].z)));
}

TEST(RangeView, OfProjectedPointsIsTheNearestSurfaceWithoutGaps)
{
  const PinholeCamera camera = {100.0f, 100.0f, 9.5f, 7.5f, 20, 16};
  const auto pointAt = [&](int u, int v, float z) {
    return pcl::PointXYZ(
        (u - camera.cx) / camera.fx * z, (v - camera.cy) / camera.fy * z, z);
  };
  Cloud cloud;
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      cloud.push_back(pointAt(u, v, 1.5f));
      // The surface before it is on the left, and has gaps.
      if (u < 10 && (u % 3 != 1 || v % 3 != 1)) {
        cloud.push_back(pointAt(u, v, 0.99f));
        cloud.push_back(pointAt(u, v, 1.01f));
      }
    }
  Cloud alone;
  for (const pcl::PointXYZ& point : cloud)
    if (point.z < 1.2f)
      alone.push_back(point);
  alone.push_back({not_a_number, not_a_number, not_a_number});
  alone.push_back(pointAt(3, 3, -1.0f));
  const RangeView both = projectedRangeView(cloud, camera, Pose::Identity());
  const RangeView one = projectedRangeView(alone, camera, Pose::Identity());
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      const std::size_t pixel = v * camera.width + u;
      const bool is_gap = u < 10 && u % 3 == 1 && v % 3 == 1;
      EXPECT_NEAR(both.depth[pixel], u < 10 && !is_gap ? 1.0f : 1.5f, 1e-5f);
      if (u < 10)
        EXPECT_NEAR(one.depth[pixel], 1.0f, 1e-5f) << u << " " << v;
      else
        EXPECT_TRUE(std::isnan(one.depth[pixel])) << u << " " << v;
    }
  EXPECT_THROW(
      projectedRangeView(cloud, {100.0f, 100.0f, 9.5f, 7.5f}, Pose::Identity()),
      pcl::BadArgumentException);
}

TEST(RangeView, OfOtherCloudsIsSeenFromTheSensorsOrigin)
{
  const Cloud::Ptr seen = cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)});
  Pose moved = Pose::Identity();
  moved.translate(Eigen::Vector3f(0.3f, -0.2f, 0.5f));
  moved.rotate(Eigen::AngleAxisf(2.0f, Eigen::Vector3f(0.6f, 0.0f, 0.8f)));
  Cloud cloud;
  for (const pcl::PointXYZ& point : *seen)
    if (std::isfinite(point.z)) {
      pcl::PointXYZ at;
      at.getVector3fMap() = moved * Eigen::Vector3f(point.getVector3fMap());
      cloud.push_back(at);
    }
  cloud.sensor_origin_.head<3>() = moved.translation();
  const RangeView view = toRangeView(cloud).value();
  EXPECT_TRUE(view.pose.translation().isApprox(moved.translation(), 1e-5f));
  // Every point is near the surface that its pixel shows.
  const Pose to_camera = view.pose.inverse();
  std::size_t near = 0;
  for (const pcl::PointXYZ& point : cloud) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(point.getVector3fMap());
    const auto u = std::lround(p.x() / p.z() * view.camera.fx + view.camera.cx);
    const auto v = std::lround(p.y() / p.z() * view.camera.fy + view.camera.cy);
    ASSERT_TRUE(u >= 0 && v >= 0 && u < view.camera.width && v < view.camera.height);
    near += std::abs(view.depth[v * view.camera.width + u] - p.z()) < 0.01f ? 1 : 0;
  }
  EXPECT_GT(near, 0.98 * cloud.size());
}

TEST(RangeView, RejectsWhatIsNoView)
{
  Cloud few;
  few.push_back({0.0f, 0.0f, 1.0f});
  few.push_back({not_a_number, 0.0f, 1.0f});
  EXPECT_THROW(toRangeView(few), pcl::BadArgumentException);
  Cloud around;
  for (int i = 0; i < 100; ++i)
    around.push_back({std::sin(0.1f * i), std::cos(0.1f * i), 0.01f * i});
  EXPECT_FALSE(toRangeView(around));
}

class ViewRegistration : public DeviceTest {};

TEST_P(ViewRegistration, FindsHowViewsLie)
{
  const std::string name = "block";
  for (const float angle : {0.45f, 0.6f}) {
    SCOPED_TRACE(angle);
    const PosePair poses(name, angle);
    TensorViewRegistration registration;
    change(registration, [](auto& p) { p.resolution = 0.004f; });
    registration.addView(*cloudOf({name, poses.first}));
    registration.addView(*cloudOf({name, poses.second}));
    const auto found = registration.align(0, 1);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->source, 0);
    EXPECT_EQ(found->target, 1);
    expectPose(found->pose, poses.motion());
    const auto back = registration.align(1, 0);
    ASSERT_TRUE(back);
    expectPose(back->pose, poses.motion().inverse());
  }
}

TEST_P(ViewRegistration, DoesNotFindAnotherObject)
{
  TensorViewRegistration registration;
  registration.addView(*cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)}));
  registration.addView(*cloudOf({"cone", poseAt("cone", {0.0f, 0.0f, 0.75f}, 4)}));
  EXPECT_FALSE(registration.align(0, 1));
}

TEST_P(ViewRegistration, FitsLessWhereTheOtherCameraWouldHaveSeenSomething)
{
  const PosePair poses("block", 0.45f);
  const Cloud::Ptr alone = cloudOf({"block", poses.first});
  const Cloud::Ptr turned = cloudOf({"block", poses.second});
  // A thing stands beside the block, in space that the first camera saw through.
  const Cloud::Ptr beside = cloudOf(
      {{"block", poses.second}, {"cone", poseAt("cone", {0.14f, 0, 0.75f}, 4)}});
  const auto aligned = [](const Cloud& source, const Cloud& target) {
    TensorViewRegistration registration;
    change(registration, [](auto& p) { p.min_fit = 0.0f; });
    registration.addView(source);
    registration.addView(target);
    return registration.align(0, 1).value();
  };
  const ViewAlignment usual = aligned(*alone, *turned);
  for (const ViewAlignment& changed :
       {aligned(*alone, *beside), aligned(*beside, *alone)}) {
    EXPECT_GT(usual.fit, 0.8f);
    EXPECT_LT(changed.fit, 0.75f * usual.fit);
    EXPECT_LT(changed.score, 0.75f * usual.score);
  }
}

/** \brief Joins the views that several cameras have of shapes into a cloud
 * that says nothing about them. */
Cloud
joinedCloud(const std::vector<PlacedShape>& shapes,
            const std::vector<Pose>& cameras,
            const Pose& pose)
{
  Cloud joined;
  for (const Pose& camera : cameras) {
    std::vector<PlacedShape> seen;
    for (const PlacedShape& shape : shapes)
      seen.push_back({shape.name, camera.inverse() * shape.pose});
    const Cloud::Ptr view = cloudOf(seen);
    const Pose to_cloud = pose * camera;
    for (const pcl::PointXYZ& point : *view)
      if (std::isfinite(point.z)) {
        const Eigen::Vector3f p = to_cloud * Eigen::Vector3f(point.getVector3fMap());
        joined.emplace_back(p.x(), p.y(), p.z());
      }
  }
  return joined;
}

TEST_P(ViewRegistration, FindsHowCloudsLieThatWereSeenFromSeveralPlaces)
{
  const Eigen::Vector3f middle(0.0f, 0.0f, 0.75f);
  const std::vector<PlacedShape> shapes = {
      {"block", poseAt("block", middle, 3)},
      {"cone", poseAt("cone", {0.18f, 0.05f, 0.8f}, 4)}};
  const auto cameraAt = [&](float angle) {
    const Eigen::AngleAxisf turn(angle, Eigen::Vector3f(0.2f, 0.9f, 0.1f).normalized());
    return Pose(Eigen::Translation3f(middle) * turn * Eigen::Translation3f(-middle));
  };
  Pose pose = Pose::Identity();
  pose.rotate(Eigen::AngleAxisf(1.9f, Eigen::Vector3f(0.6f, 0.0f, 0.8f)));
  pose.translation() = Eigen::Vector3f(0.4f, -0.3f, 0.2f);
  const Cloud source = joinedCloud(
      shapes, {cameraAt(0.0f), cameraAt(1.0f), cameraAt(2.0f)}, Pose::Identity());
  const Cloud target =
      joinedCloud(shapes, {cameraAt(1.5f), cameraAt(2.5f), cameraAt(3.5f)}, pose);
  // No camera sees a cloud that has hidden points.
  EXPECT_FALSE(toRangeView(source));
  // A camera's view lies on such clouds, too.
  const Cloud view = *cloudOf(shapes);
  using Add = int (TensorViewRegistration::*)(const Cloud&);
  const Add add_view = &TensorViewRegistration::addView;
  const Add add_cloud = &TensorViewRegistration::addCloud;
  const auto expectFound =
      [&](const Cloud& first, Add add_first, const Cloud& second, Add add_second) {
        TensorViewRegistration registration;
        change(registration, [](auto& p) { p.resolution = 0.006f; });
        (registration.*add_first)(first);
        (registration.*add_second)(second);
        const Pose truth = &second == &target ? pose : pose.inverse();
        const auto found = registration.align(0, 1);
        ASSERT_TRUE(found);
        expectPose(truth.inverse() * found->pose, Pose::Identity());
        if (&first == &source) {
          EXPECT_GT(found->fit, 0.6f);
        }
        const auto back = registration.align(1, 0);
        ASSERT_TRUE(back);
        expectPose(back->pose * truth, Pose::Identity());
      };
  expectFound(source, add_cloud, target, add_cloud);
  expectFound(source, add_view, target, add_view);
  expectFound(view, add_view, target, add_cloud);
  expectFound(target, add_cloud, view, add_view);
}

TEST_P(ViewRegistration, GoesOnOnAnotherDevice)
{
  const PosePair poses("block", 0.45f);
  TensorViewRegistration registration;
  registration.addView(*cloudOf({"block", poses.first}));
  registration.addView(*cloudOf({"block", poses.second}));
  const auto found = registration.align(0, 1);
  ASSERT_TRUE(found);
  TensorViewRegistration copy = registration;
  const ScopedDevice scope(Device::host());
  const auto on_host = copy.align(0, 1);
  ASSERT_TRUE(on_host);
  EXPECT_TRUE(on_host->pose.isApprox(found->pose, 1e-3f));
}

TEST_P(ViewRegistration, OfACloudThatNothingDeterminesIsNone)
{
  Cloud plane;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j)
      plane.emplace_back(0.005f * i, 0.005f * j, 0.8f);
  TensorViewRegistration registration;
  registration.addCloud(plane);
  registration.addCloud(plane);
  EXPECT_FALSE(registration.align(0, 1));
  Cloud sparse;
  for (int i = 0; i < 5; ++i)
    sparse.emplace_back(0.1f * i, 0.03f * i * i, 1.0f);
  TensorViewRegistration few;
  few.addCloud(sparse);
  few.addCloud(plane);
  EXPECT_FALSE(few.align(0, 1));
  EXPECT_FALSE(few.align(1, 0));
  EXPECT_THROW(few.addCloud(Cloud()), pcl::BadArgumentException);
}

TEST_P(ViewRegistration, ConnectsViews)
{
  const PosePair poses("block", 0.5f);
  TensorViewRegistration registration;
  registration.addView(*cloudOf({"block", poses.first}));
  registration.addView(*cloudOf({"cone", poseAt("cone", {0.0f, 0.0f, 0.75f}, 4)}));
  registration.addView(*cloudOf({"block", poses.second}));
  const auto connected = registration.connect(registration.alignAll());
  ASSERT_EQ(connected.size(), 3u);
  ASSERT_TRUE(connected[0] && connected[2]);
  EXPECT_FALSE(connected[1]);
  EXPECT_TRUE(connected[0]->isApprox(Pose::Identity()));
  expectPose(*connected[2], poses.motion().inverse());
}

TEST_P(ViewRegistration, RejectsNumbersOfNoView)
{
  TensorViewRegistration registration;
  EXPECT_THROW(registration.align(0, 1), pcl::BadArgumentException);
  registration.addView(*cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)}));
  EXPECT_THROW(registration.align(0, 0), pcl::BadArgumentException);
  ViewAlignment alignment;
  alignment.source = 7;
  EXPECT_THROW(registration.connect({alignment}), pcl::BadArgumentException);
  EXPECT_THROW(change(registration, [&](auto& p) { p.max_tensors = 0; }),
               pcl::BadArgumentException);
  alignment.source = 0;
  alignment.score = 1.0f;
  EXPECT_THROW(registration.connect({alignment}), pcl::BadArgumentException)
      << "with itself";
  EXPECT_THROW(change(registration, [&](auto& p) { p.resolution = 0.01f; }),
               pcl::BadArgumentException)
      << "there is a view";
  EXPECT_THROW(change(registration, [&](auto& p) { p.resolution = -1.0f; }),
               pcl::BadArgumentException);
  EXPECT_THROW(change(registration, [&](auto& p) { p.min_fit = 1.5f; }),
               pcl::BadArgumentException);
  EXPECT_THROW(change(registration, [&](auto& p) { p.min_overlap = -0.1f; }),
               pcl::BadArgumentException);
}

TEST_P(ViewRegistration, IsARegistrationOfPcls)
{
  const PosePair poses("block", 0.6f);
  const Cloud::Ptr source = cloudOf({"block", poses.first});
  const Cloud::Ptr target = cloudOf({"block", poses.second});
  TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration;
  pcl::Registration<pcl::PointXYZ, pcl::PointXYZ>& base = registration;
  base.setInputSource(source);
  base.setInputTarget(target);
  Cloud aligned;
  base.align(aligned);
  ASSERT_TRUE(base.hasConverged());
  Pose found = Pose::Identity();
  found.matrix() = base.getFinalTransformation();
  expectPose(found, poses.motion());
  ASSERT_EQ(aligned.size(), source->size());
  EXPECT_EQ(aligned.width, source->width);
  for (std::size_t i = 0; i < aligned.size(); i += 97)
    if (std::isfinite((*source)[i].z)) {
      const Eigen::Vector3f at = found * Eigen::Vector3f((*source)[i].getVector3fMap());
      EXPECT_LT((aligned[i].getVector3fMap() - at).norm(), 1e-5f);
    }
  // Points that both show are a pixel apart at most.
  EXPECT_LT(registration.getFitnessScore(0.005 * 0.005), 0.003 * 0.003);
  EXPECT_GT(registration.getFitnessScore(0.005 * 0.005), 0.0);
}

TEST_P(ViewRegistration, DoesNotConvergeOnAnotherObject)
{
  TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration;
  registration.setInputSource(
      cloudOf({"block", poseAt("block", {0.0f, 0.0f, 0.75f}, 3)}));
  registration.setInputTarget(
      cloudOf({"cone", poseAt("cone", {0.0f, 0.0f, 0.75f}, 4)}));
  Cloud aligned;
  registration.align(aligned);
  EXPECT_FALSE(registration.hasConverged());
  EXPECT_TRUE(registration.getFinalTransformation().isIdentity());
  EXPECT_FALSE(registration.getViewAlignment());
}

TEST_P(ViewRegistration, TakesTheIndicesOfTheSourceOnly)
{
  const PosePair poses("block", 0.6f);
  const Cloud::Ptr source = cloudOf({"block", poses.first});
  // The object, and something wrong that the indices leave out.
  pcl::IndicesPtr indices(new pcl::Indices);
  for (std::size_t i = 0; i < source->size(); ++i)
    if (std::isfinite((*source)[i].z))
      indices->push_back(static_cast<int>(i));
    else
      (*source)[i] = pcl::PointXYZ(0.0f, 0.0f, 0.4f);
  TensorRegistration<pcl::PointXYZ, pcl::PointXYZ> registration;
  registration.setInputSource(source);
  registration.setIndices(indices);
  registration.setInputTarget(cloudOf({"block", poses.second}));
  Cloud aligned;
  registration.align(aligned);
  ASSERT_TRUE(registration.hasConverged());
  EXPECT_EQ(aligned.size(), indices->size());
  Pose found = Pose::Identity();
  found.matrix() = registration.getFinalTransformation();
  expectPose(found, poses.motion());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(ViewRegistration);

} // namespace
