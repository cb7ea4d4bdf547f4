// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "expect_cast.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using pcl::PointXYZ;

namespace {

Vector3d
vectorOf(const PointXYZ& p)
{
  return p.getVector3fMap().cast<double>();
}

/** \brief A bumpy sphere around the point (0, 0, 4) whose vertices carry random
 * numbers. */
HostMesh
decorated(unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::uniform_int_distribution<int> byte(0, 255);
  HostMesh mesh = icosphere(2, 2.0f, {0, 0, 0});
  for (PointXYZ& v : mesh.vertices) {
    v.getVector3fMap() *= 1.0f + 0.1f * uniform(random);
    v.z += 4.0f;
    pcl::RGB color;
    color.r = byte(random);
    color.g = byte(random);
    color.b = byte(random);
    color.a = byte(random);
    mesh.colors.push_back(color);
    mesh.texture_coordinates.push_back({uniform(random), 3.0f * uniform(random)});
  }
  return mesh;
}

/** \brief The hit, in float64, of a pixel's ray with a given triangle. */
struct Expected {
  Vector3d weights;
  Vector3d point;  ///< in the camera's frame
  Vector3d normal; ///< that of the triangle, towards the camera
  Vector3d direction;
  double certainty; ///< small where the triangle is seen all but edge-on
  int vertices[3];

  Expected(const ReferenceCast& reference, const HostMesh& mesh, int id, int x, int y)
  {
    const Eigen::Vector2d slopes = reference.slopes(x, y);
    const bool parallel = reference.view().isOrthographic();
    const Vector3d origin(
        parallel ? slopes.x() : 0.0, parallel ? slopes.y() : 0.0, 0.0);
    direction = Vector3d(parallel ? 0.0 : slopes.x(), parallel ? 0.0 : slopes.y(), 1.0);
    const Vector3d* const corners = &reference.corners()[3 * id];
    normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    const double t = normal.dot(corners[0] - origin) / normal.dot(direction);
    point = origin + t * direction;
    for (int i = 0; i < 3; ++i) {
      vertices[i] = mesh.triangles[3 * id + i];
      weights[i] = normal.dot(
          (corners[(i + 1) % 3] - point).cross(corners[(i + 2) % 3] - point));
    }
    weights /= weights.sum();
    certainty = std::abs(normal.dot(direction.normalized()));
    if (normal.dot(direction) > 0.0)
      normal = -normal;
  }

  /** \brief Returns the weighted sum of a function's values at the vertices. */
  template <typename Function>
  auto
  blend(const Function& function) const
  {
    decltype(function(0)) sum = weights[0] * function(vertices[0]);
    for (int i = 1; i < 3; ++i)
      sum += weights[i] * function(vertices[i]);
    return sum;
  }
};

class Outputs : public CastTest {
protected:
  /** \brief Holds all images of a mesh to float64 interpolation. */
  static void
  expectInterpolated(MeshRayCaster& caster,
                     const HostMesh& mesh,
                     const Pose& pose,
                     const CameraView& view,
                     bool world,
                     bool smooth)
  {
    change(caster, [&](auto& p) {
      p.outputs = all_outputs;
      p.in_world_frame = world;
      p.smooth_normals = smooth;
    });
    const CastResult result = cast(caster, view);
    ReferenceCast reference(view);
    reference.addInstance(mesh, pose);
    const Eigen::Isometry3d camera = view.getPose().cast<double>();
    const Eigen::Matrix3d turn =
        (world ? Eigen::Matrix3d::Identity() : camera.linear().transpose().eval()) *
        pose.cast<double>().linear();
    int compared = 0;
    for (int y = 0; y < view.getHeight(); ++y)
      for (int x = 0; x < view.getWidth(); ++x) {
        const int id = result.triangles.at(y, x);
        if (id < 0)
          continue;
        const Expected expected(reference, mesh, id, x, y);
        if (expected.certainty < 0.05)
          continue;
        ++compared;
        SCOPED_TRACE(::testing::Message() << "row " << y << ", column " << x);
        const Barycentrics at = result.barycentrics.at(y, x);
        ASSERT_NEAR(at.u, expected.weights[1], 2e-4);
        ASSERT_NEAR(at.v, expected.weights[2], 2e-4);
        ASSERT_GE(at.u, 0.0f);
        ASSERT_GE(at.v, 0.0f);
        ASSERT_LE(at.u, 1.0f);
        ASSERT_LE(at.v, 1.0f);
        ASSERT_NEAR(result.depth.at(y, x), expected.point.z(), 1e-4);
        const Vector3d point = world ? camera * expected.point : expected.point;
        ASSERT_LT((vectorOf(result.points.at(y, x)) - point).norm(), 1e-4);
        Vector3d normal = world ? camera.linear() * expected.normal : expected.normal;
        if (smooth && !mesh.normals.empty()) {
          const Vector3d facing = normal;
          normal =
              turn * expected.blend([&](int i) { return vectorOf(mesh.normals[i]); });
          normal.normalize();
          if (normal.dot(facing) < 0.0)
            normal = -normal;
        }
        ASSERT_LT((vectorOf(result.normals.at(y, x)) - normal).norm(), 1e-3);
        ASSERT_NEAR(vectorOf(result.normals.at(y, x)).norm(), 1.0, 1e-6);
        const pcl::RGB color = result.colors.at(y, x);
        const auto expectChannel = [&](int actual, std::uint8_t pcl::RGB::*channel) {
          ASSERT_NEAR(
              actual,
              expected.blend([&](int i) -> double { return mesh.colors[i].*channel; }),
              0.6);
        };
        expectChannel(color.r, &pcl::RGB::r);
        expectChannel(color.g, &pcl::RGB::g);
        expectChannel(color.b, &pcl::RGB::b);
        expectChannel(color.a, &pcl::RGB::a);
        const TextureCoordinate texture = result.texture_coordinates.at(y, x);
        ASSERT_NEAR(texture.u,
                    expected.blend(
                        [&](int i) -> double { return mesh.texture_coordinates[i].u; }),
                    1e-3);
        ASSERT_NEAR(texture.v,
                    expected.blend(
                        [&](int i) -> double { return mesh.texture_coordinates[i].v; }),
                    1e-3);
      }
    EXPECT_GT(compared, 500);
  }
};

TEST_P(Outputs, AreThoseOfInterpolationInDoublePrecision)
{
  const HostMesh mesh = decorated(1);
  for (bool parallel : {false, true})
    for (unsigned int seed : {0u, 1u, 2u})
      for (bool world : {false, true})
        for (bool smooth : {false, true}) {
          SCOPED_TRACE(::testing::Message()
                       << "seed " << seed << (parallel ? ", parallel" : "")
                       << (world ? ", world" : "") << (smooth ? ", smooth" : ""));
          const Pose there = seed == 0 ? Pose::Identity() : randomPose(seed, 3.0f);
          // The mesh keeps its place before the camera.
          Pose near_by = there;
          near_by.translation() += Eigen::Vector3f(0.1f, -0.2f, 0.1f);
          MeshRayCaster caster = newCaster(sceneOf(mesh, near_by));
          const CameraView view =
              parallel ? CameraView(orthographic(60, 50, 12, 29.5f, 24.5f), there)
                       : CameraView(pinhole(60, 50), there);
          expectInterpolated(caster, mesh, near_by, view, world, smooth);
        }
}

TEST_P(Outputs, OfTheInsideFaceTheRayAsWell)
{
  const HostMesh mesh = decorated(2);
  Pose inside = Pose::Identity();
  inside.translation() = Eigen::Vector3f(0, 0, 4);
  MeshRayCaster caster = newCaster(mesh);
  for (bool smooth : {false, true})
    expectInterpolated(caster,
                       mesh,
                       Pose::Identity(),
                       CameraView(pinhole(60, 50), inside),
                       false,
                       smooth);
}

TEST_P(Outputs, FaceTheRayWhateverTheOrderOfVertices)
{
  HostMesh mesh = decorated(3);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
    std::swap(mesh.triangles[t], mesh.triangles[t + 1]);
  MeshRayCaster caster = newCaster(mesh);
  for (bool smooth : {false, true})
    expectInterpolated(
        caster, mesh, Pose::Identity(), CameraView(pinhole(60, 50)), false, smooth);
}

TEST_P(Outputs, OfAWallAreThoseOfItsPlane)
{
  HostMesh mesh = wall(-4, 4, -4, 4, 2);
  mesh.texture_coordinates = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  pcl::RGB color;
  color.r = 10;
  color.g = 20;
  color.b = 30;
  color.a = 40;
  mesh.colors.assign(4, color);
  MeshRayCaster caster = newCaster(mesh);
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult result =
      cast(caster, CameraView(PinholeCamera{32, 32, 20, 10, 41, 21}));
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 41; ++x) {
      const float px = (x - 20) / 16.0f;
      const float py = (y - 10) / 16.0f;
      ASSERT_EQ(result.depth.at(y, x), 2.0f);
      ASSERT_EQ(result.points.at(y, x).x, px);
      ASSERT_EQ(result.points.at(y, x).y, py);
      ASSERT_EQ(result.points.at(y, x).z, 2.0f);
      ASSERT_EQ(vectorOf(result.normals.at(y, x)), Vector3d(0, 0, -1));
      ASSERT_EQ(result.colors.at(y, x).rgba, color.rgba);
      ASSERT_NEAR(result.texture_coordinates.at(y, x).u, (px + 4) / 8, 1e-6);
      ASSERT_NEAR(result.texture_coordinates.at(y, x).v, (py + 4) / 8, 1e-6);
    }
}

TEST_P(Outputs, OfBareMeshesAreWhiteWithoutTexture)
{
  MeshRayCaster caster = newCaster(wall(-4, 4, -4, 4, 2));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult result = cast(caster, CameraView(pinhole(20, 20)));
  for (std::size_t i = 0; i < 400; ++i) {
    ASSERT_EQ(result.colors.data[i].rgba, 0xffffffffu);
    ASSERT_TRUE(std::isnan(result.texture_coordinates.data[i].u));
    ASSERT_TRUE(std::isnan(result.texture_coordinates.data[i].v));
    ASSERT_EQ(result.normals.data[i].z, -1.0f);
  }
}

TEST_P(Outputs, OfMissesAreNotANumber)
{
  MeshRayCaster caster = newCaster(wall(-4, 4, -4, 4, -2));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  for (bool world : {false, true}) {
    change(caster, [&](auto& p) { p.in_world_frame = world; });
    const CastResult result =
        cast(caster, CameraView(pinhole(20, 20), randomPose(1, 0.1f)));
    for (std::size_t i = 0; i < 400; ++i) {
      if (result.triangles.data[i] >= 0)
        continue;
      ASSERT_TRUE(std::isnan(result.depth.data[i]));
      ASSERT_TRUE(std::isnan(result.barycentrics.data[i].u));
      ASSERT_TRUE(std::isnan(result.barycentrics.data[i].v));
      ASSERT_TRUE(result.points.data[i].getVector3fMap().array().isNaN().all());
      ASSERT_TRUE(result.normals.data[i].getVector3fMap().array().isNaN().all());
      ASSERT_EQ(result.colors.data[i].rgba, 0u);
      ASSERT_TRUE(std::isnan(result.texture_coordinates.data[i].u));
      ASSERT_TRUE(std::isnan(result.texture_coordinates.data[i].v));
    }
  }
}

TEST_P(Outputs, NotAskedForAreLeftAlone)
{
  MeshRayCaster caster = newCaster(decorated(4));
  const CameraView view(pinhole(30, 20));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult everything = cast(caster, view);
  for (unsigned int output = 1; output <= TextureCoordinatesOutput; output *= 2) {
    RayCastImages images;
    images.depth = poisoned<float>(7, 5);
    images.triangles = poisoned<int>(7, 5);
    images.barycentrics = poisoned<Barycentrics>(7, 5);
    images.points = poisoned<PointXYZ>(7, 5);
    images.normals = poisoned<PointXYZ>(7, 5);
    images.colors = poisoned<pcl::RGB>(7, 5);
    images.texture_coordinates = poisoned<TextureCoordinate>(7, 5);
    const CastResult before(images);
    change(caster, [&](auto& p) { p.outputs = output; });
    caster.cast(view, images);
    const CastResult after(images);
    const auto check = [&](unsigned int which, auto image) {
      EXPECT_TRUE(
          sameBits(after.*image, output == which ? everything.*image : before.*image))
          << "asked for " << output << ", looked at " << which;
    };
    check(DepthOutput, &CastResult::depth);
    check(TrianglesOutput, &CastResult::triangles);
    check(BarycentricsOutput, &CastResult::barycentrics);
    check(PointsOutput, &CastResult::points);
    check(NormalsOutput, &CastResult::normals);
    check(ColorsOutput, &CastResult::colors);
    check(TextureCoordinatesOutput, &CastResult::texture_coordinates);
  }
}

TEST_P(Outputs, OverwriteEveryPixel)
{
  MeshRayCaster caster = newCaster(decorated(5));
  const CameraView view(pinhole(37, 21));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult expected = cast(caster, view);
  RayCastImages images;
  images.depth = poisoned<float>(21, 37);
  images.triangles = poisoned<int>(21, 37);
  images.barycentrics = poisoned<Barycentrics>(21, 37);
  images.points = poisoned<PointXYZ>(21, 37);
  images.normals = poisoned<PointXYZ>(21, 37);
  images.colors = poisoned<pcl::RGB>(21, 37);
  images.texture_coordinates = poisoned<TextureCoordinate>(21, 37);
  caster.cast(view, images);
  expectSameBits(CastResult(images), expected);
}

TEST_P(Outputs, AreTheSameWhoeverIsToldOfTheStages)
{
  MeshRayCaster caster = newCaster(decorated(6));
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CameraView view(pinhole(37, 21));
  const CastResult expected = cast(caster, view);
  std::vector<std::string> stages;
  const Stream stream = Stream::create();
  caster.setStageObserver([&](const char* stage, const Stream& of_cast) {
    EXPECT_EQ(of_cast.get(), stream.get());
    stages.push_back(stage);
  });
  RayCastImages images;
  caster.cast(view, images, stream);
  stream.synchronize();
  expectSameBits(CastResult(images), expected);
  const std::size_t number = stages.size();
  using Names = std::vector<std::string>;
  if (std::get<1>(GetParam()).method == CastMethod::TileGrid)
    EXPECT_EQ(stages, (Names{"split", "build", "cast", "images"}));
  else
    EXPECT_EQ(stages[0], "cast");

  caster.setStageObserver(
      [](const char*, const Stream&) { throw std::runtime_error("the observer's"); });
  EXPECT_THROW(caster.cast(view, images, stream), std::runtime_error);
  stream.synchronize();
  caster.setStageObserver({});
  expectSameBits(cast(caster, view), expected);
  EXPECT_EQ(stages.size(), number);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Outputs);

} // namespace
