// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_tensor/recognition/recognition_shapes.h"
#include "library_scenes.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

TEST(EvenDirections, AreUnitVectorsSpreadEvenly)
{
  for (int count : {1, 2, 3, 12, 42, 162, 1000}) {
    SCOPED_TRACE(count);
    const std::vector<Vector3f> directions = evenDirections(count);
    ASSERT_EQ(directions.size(), static_cast<std::size_t>(count));
    Vector3f sum = Vector3f::Zero();
    for (const Vector3f& direction : directions) {
      EXPECT_NEAR(direction.norm(), 1.0f, 1e-6f);
      sum += direction;
    }
    if (count < 12)
      continue;
    EXPECT_LT(sum.norm() / static_cast<float>(count), 0.03f);
    // Each has 4 pi / count of the sphere for itself: a circle of radius 2 /
    // sqrt(count).
    const float radius = 2.0f / std::sqrt(static_cast<float>(count));
    for (const Vector3f& direction : directions) {
      float nearest = infinity;
      for (const Vector3f& other : directions)
        if (&other != &direction)
          nearest = std::min(nearest, (other - direction).norm());
      EXPECT_GT(nearest, radius);
      EXPECT_LT(nearest, 2.2f * radius);
    }
  }
  EXPECT_EQ(evenDirections(50), evenDirections(50));
  expectBadArgument("number of directions is 0", [] { evenDirections(0); });
}

class ModelLearning : public DeviceTest {
protected:
  static TensorModelLearning
  learning()
  {
    TensorModelLearning result;
    change(result, [](auto& p) { setSmallCamera(p.extraction); });
    return result;
  }

  static Pose
  viewOf(const std::string& name, const Vector3f& direction, float distance = 0.8f)
  {
    const Vector3f middle = middleOf(name);
    return lookAt(middle + distance * direction.normalized(), middle);
  }

  static Image<float>
  depthFrom(const std::string& name, const Pose& camera)
  {
    return seenScene({{name, camera.inverse()}}).depth;
  }

  /** \brief Returns the greatest distance of a point from the nearest of the first
   * points. */
  static float
  farthestFrom(const TensorModel::Points& all, std::size_t first)
  {
    float farthest = 0.0f;
    for (const pcl::PointNormal& point : all) {
      float nearest = infinity;
      for (std::size_t i = 0; i < first; ++i)
        nearest = std::min(nearest,
                           (all[i].getVector3fMap() - point.getVector3fMap()).norm());
      farthest = std::max(farthest, nearest);
    }
    return farthest;
  }
};

TEST_P(ModelLearning, PutsFramesAndPointsOnTheMesh)
{
  for (const char* name : {"block", "bracket", "cone"}) {
    SCOPED_TRACE(name);
    const HostMesh mesh = shapeMesh(name);
    const TensorModel& model = learnedShape(name);
    EXPECT_EQ(model.name, name);
    EXPECT_EQ(model.view_count, 42);
    EXPECT_EQ(model.points.size(), 1000u);
    EXPECT_GT(model.frames.size(), 42u * 100u);
    int far_points = 0, turned_points = 0;
    for (const pcl::PointNormal& point : model.points) {
      const Vector3f normal = point.getNormalVector3fMap();
      EXPECT_NEAR(normal.norm(), 1.0f, 1e-4f);
      const MeshPoint nearest = nearestPoint(mesh, Vector3f(point.getVector3fMap()));
      EXPECT_LT(nearest.distance, 0.003f);
      far_points += nearest.distance > 0.001f;
      // Windows of normals, 27 mm wide, reach over edges; of thin plates most are near
      // one.
      turned_points += nearest.normal.dot(normal) < 0.7f;
    }
    EXPECT_LT(far_points, 10);
    EXPECT_LT(turned_points, 200);
    // A frame is the middle of two points up to 49 mm apart, each on the surface.
    for (const TensorFrame& frame : model.frames) {
      const Vector3f origin(frame.origin[0], frame.origin[1], frame.origin[2]);
      ASSERT_LT(nearestPoint(mesh, origin).distance, 0.026f);
    }
  }
}

TEST_P(ModelLearning, KeepsBothSidesOfThinPlates)
{
  const TensorModel& model = learnedShape("bracket");
  int upper = 0, lower = 0;
  for (const pcl::PointNormal& point : model.points) {
    if (point.z > 0.02f || point.x < 0.03f)
      continue;
    upper += point.normal_z > 0.9f;
    lower += point.normal_z < -0.9f;
  }
  EXPECT_GT(upper, 50);
  EXPECT_GT(lower, 50);
}

TEST_P(ModelLearning, OrdersPointsSoThatTheFirstOnesAreSpreadEvenly)
{
  for (const char* name : {"block", "cone"}) {
    const TensorModel::Points& points = learnedShape(name).points;
    float last = infinity;
    for (std::size_t first : {50, 100, 200, 400}) {
      const float farthest = farthestFrom(points, first);
      EXPECT_LT(farthest, 0.36f / std::sqrt(static_cast<float>(first)))
          << name << ", the first " << first;
      EXPECT_LE(farthest, last);
      last = farthest;
    }
  }
}

TEST_P(ModelLearning, OfFewerPointsIsTheBeginningOfThatOfMore)
{
  TensorModelLearning some = learning();
  some.addViews(uploaded(shapeMesh("block")), 6, 0.8f);
  change(some, [&](auto& p) { p.point_count = 300; });
  const TensorModel::Points more = some.getModel("block").points;
  ASSERT_EQ(more.size(), 300u);
  change(some, [&](auto& p) { p.point_count = 40; });
  const TensorModel::Points fewer = some.getModel("block").points;
  ASSERT_EQ(fewer.size(), 40u);
  for (std::size_t i = 0; i < fewer.size(); ++i)
    EXPECT_EQ(fewer[i].getVector3fMap(), more[i].getVector3fMap());
  change(some, [&](auto& p) { p.point_count = 1000000; });
  const std::size_t all = some.getModel("block").points.size();
  EXPECT_GT(all, 1000u);
  EXPECT_LE(all, 6u * 1000u) << "a view keeps as many as were asked for then";
}

TEST_P(ModelLearning, IsTheSameForTheSameSeed)
{
  const TriangleMesh mesh = uploaded(shapeMesh("cone"));
  const auto model = [&](std::uint64_t seed) {
    TensorModelLearning some = learning();
    some.addViews(mesh, 5, 0.8f, seed);
    return some.getModel("cone");
  };
  const TensorModel first = model(3);
  expectSameModel(model(3), first);
  const TensorModel other = model(4);
  ASSERT_FALSE(other.frames.empty());
  EXPECT_TRUE(other.frames.size() != first.frames.size() ||
              other.frames[0].origin[0] != first.frames[0].origin[0]);
}

TEST_P(ModelLearning, ForgetsWhatWasAdded)
{
  const TriangleMesh block = uploaded(shapeMesh("block"));
  TensorModelLearning fresh = learning(), used = learning();
  fresh.addViews(block, 4, 0.8f);
  used.addViews(uploaded(shapeMesh("cone")), 3, 0.8f);
  used.clear();
  EXPECT_TRUE(used.getModel("nothing").frames.empty());
  EXPECT_EQ(used.getModel("nothing").view_count, 0);
  used.addViews(block, 4, 0.8f);
  expectSameModel(used.getModel("block"), fresh.getModel("block"));
}

TEST_P(ModelLearning, RejectsMeshesInOtherUnitsThanMetres)
{
  const auto addScaled = [](float scale, float distance) {
    HostMesh mesh = shapeMesh("block");
    for (pcl::PointXYZ& vertex : mesh.vertices)
      vertex.getVector3fMap() *= scale;
    learning().addViews(uploaded(mesh), 1, distance);
  };
  EXPECT_NO_THROW(addScaled(1.0f, 0.8f));
  expectBadArgument("extent of the mesh", [&] { addScaled(1000.0f, 0.8f); });
  expectBadArgument("extent of the mesh", [&] { addScaled(100.0f, 0.8f); });
  expectBadArgument("extent of the mesh", [&] { addScaled(0.001f, 0.8f); });
  expectBadArgument("distance of the camera", [&] { addScaled(1000.0f, 800.0f); });
}

TEST_P(ModelLearning, OfAMeshIsThatOfItsDepthMaps)
{
  // One view: the first of the directions, not turned by any but the seed's angle.
  const HostMesh mesh = shapeMesh("block");
  TensorModelLearning by_mesh = learning();
  by_mesh.addViews(uploaded(mesh), 3, 0.8f);
  const TensorModel expected = by_mesh.getModel("block");
  EXPECT_EQ(expected.view_count, 3);
  // Views see the surface from all directions of evenDirections().
  for (int view = 0; view < 3; ++view) {
    Vector3f mean = Vector3f::Zero();
    int count = 0;
    for (std::size_t i = 0; i < expected.frames.size(); ++i)
      if (expected.views[i] == view) {
        mean += Vector3f(expected.frames[i].z_axis[0],
                         expected.frames[i].z_axis[1],
                         expected.frames[i].z_axis[2]);
        ++count;
      }
    ASSERT_GT(count, 20);
    EXPECT_GT(mean.normalized().dot(evenDirections(3)[view]), 0.6f) << view;
  }
}

TEST_P(ModelLearning, OfAViewLiesInTheFrameOfItsPose)
{
  const HostMesh mesh = shapeMesh("block");
  for (const Vector3f& direction : {Vector3f(1.0f, 0.5f, 0.7f), Vector3f(-1, 1, -2)}) {
    const Pose camera = viewOf("block", direction);
    TensorModelLearning some = learning();
    some.addView(uploaded(depthFrom("block", camera)), camera);
    const TensorModel model = some.getModel("block");
    ASSERT_GT(model.points.size(), 100u);
    ASSERT_GT(model.frames.size(), 20u);
    for (const pcl::PointNormal& point : model.points) {
      EXPECT_LT(nearestPoint(mesh, Vector3f(point.getVector3fMap())).distance, 0.002f);
      const Vector3f to_camera =
          (camera.translation() - point.getVector3fMap()).normalized();
      EXPECT_GT(to_camera.dot(point.getNormalVector3fMap()), 0.49f);
    }
    EXPECT_EQ(model.view_count, 1);
  }
}

TEST_P(ModelLearning, OfViewsWithNothingHasNothing)
{
  TensorModelLearning some = learning();
  some.addView(uploaded(Image<float>(240, 320, missing)), Pose::Identity());
  some.addView(uploaded(Image<float>(240, 320, 0.0f)), Pose::Identity());
  TensorModel model = some.getModel("nothing");
  EXPECT_TRUE(model.frames.empty());
  EXPECT_TRUE(model.points.empty());
  EXPECT_EQ(model.starts, std::vector<std::uint32_t>{0});
  EXPECT_EQ(model.view_count, 2) << "views are counted whatever they show";
  TensorLibrary library;
  library.setParameters(shapeParameters());
  EXPECT_NO_THROW(library.addModel(model));
}

TEST_P(ModelLearning, OfFlatViewsHasPointsButNoTensors)
{
  TensorModelLearning some = learning();
  some.addView(uploaded(Image<float>(240, 320, 0.8f)), Pose::Identity());
  const TensorModel model = some.getModel("wall");
  EXPECT_TRUE(model.frames.empty());
  EXPECT_EQ(model.points.size(), 1000u);
}

TEST_P(ModelLearning, LeavesOutSmallTensors)
{
  TensorModelLearning some = learning();
  for (int least : {0, 20, 60, 100000}) {
    some.clear();
    change(some, [&](auto& p) { p.min_voxels = least; });
    some.addViews(uploaded(shapeMesh("bracket")), 3, 0.8f);
    const TensorModel model = some.getModel("bracket");
    for (std::size_t i = 0; i < model.frames.size(); ++i)
      ASSERT_GE(static_cast<int>(model.starts[i + 1] - model.starts[i]), least);
    EXPECT_EQ(model.frames.empty(), least == 100000);
    EXPECT_FALSE(model.points.empty());
  }
}

TEST_P(ModelLearning, TellsHowManyViewsAreDone)
{
  std::vector<int> done;
  TensorModelLearning some = learning();
  some.addViews(uploaded(shapeMesh("block")), 4, 0.8f, 0, [&](int views) {
    done.push_back(views);
  });
  EXPECT_EQ(done, (std::vector<int>{1, 2, 3, 4}));
}

TEST_P(ModelLearning, DoesNotMindVerticesThatAreNotFinite)
{
  HostMesh mesh = shapeMesh("block");
  const TensorModel& expected = [&] {
    TensorModelLearning some = learning();
    some.addViews(uploaded(mesh), 3, 0.8f);
    return some.getModel("block");
  }();
  mesh.vertices.emplace_back(missing, 0.0f, 0.0f);
  mesh.vertices.emplace_back(0.0f, infinity, 0.0f);
  TensorModelLearning some = learning();
  some.addViews(uploaded(mesh), 3, 0.8f);
  expectSameModel(some.getModel("block"), expected);
}

TEST_P(ModelLearning, RefusesBadArgumentsByName)
{
  TensorModelLearning some = learning();
  const TriangleMesh mesh = uploaded(shapeMesh("block"));
  for (int bad : {0, -1}) {
    expectBadArgument("number of views is " + std::to_string(bad),
                      [&] { some.addViews(mesh, bad, 0.8f); });
    expectBadArgument("number of points is " + std::to_string(bad),
                      [&] { change(some, [&](auto& p) { p.point_count = bad; }); });
  }
  expectBadArgument("number of voxels is -1",
                    [&] { change(some, [&](auto& p) { p.min_voxels = -1; }); });
  for (float bad : {0.0f, -0.8f, missing, infinity})
    expectBadArgument("distance of the camera", [&] { some.addViews(mesh, 3, bad); });
  expectBadArgument("finite vertices", [&] { some.addViews({}, 3, 0.8f); });
  HostMesh nowhere;
  nowhere.vertices.emplace_back(missing, missing, missing);
  expectBadArgument("finite vertices",
                    [&] { some.addViews(uploaded(nowhere), 3, 0.8f); });
  Pose skewed = Pose::Identity();
  skewed.linear()(0, 1) = 0.5f;
  expectBadArgument("pose of the camera", [&] {
    some.addView(uploaded(Image<float>(240, 320, 0.8f)), skewed);
  });
  PinholeCamera camera = smallCamera();
  camera.width = 0;
  change(some, [&](auto& p) { p.extraction.surface.projection.camera = camera; });
  expectBadArgument("width", [&] { some.addViews(mesh, 3, 0.8f); });
  EXPECT_EQ(some.getModel("block").view_count, 0);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(ModelLearning);

} // namespace
