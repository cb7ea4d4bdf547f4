// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/change_parameters.h"
#include "common/devices.h"
#include "meshes.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace pcl::gpu::test {

constexpr unsigned int all_outputs = DepthOutput | TrianglesOutput |
                                     BarycentricsOutput | PointsOutput | NormalsOutput |
                                     ColorsOutput | TextureCoordinatesOutput;

/** \brief A way to cast, and its name in those of tests. */
struct NamedMethod {
  CastMethod method;
  const char* name;
};

inline std::ostream&
operator<<(std::ostream& stream, const NamedMethod& method)
{
  return stream << method.name;
}

/** \brief The methods that every test of casting is run with. */
inline std::vector<NamedMethod>
castMethods()
{
  return {{CastMethod::Automatic, "Automatic"},
          {CastMethod::Visibility, "Visibility"},
          {CastMethod::TileGrid, "TileGrid"}};
}

using DeviceAndMethod = std::tuple<std::string, NamedMethod>;

inline std::string
deviceAndMethodName(const ::testing::TestParamInfo<DeviceAndMethod>& info)
{
  return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
}

/** \brief Base of the fixtures that run once a device and method. */
class CastTest : public ::testing::TestWithParam<DeviceAndMethod> {
protected:
  void
  SetUp() override
  {
    scope_ = useDevice(std::get<0>(GetParam()));
  }

  void
  TearDown() override
  {
    scope_.reset();
  }

  Device
  device() const
  {
    return deviceNamed(std::get<0>(GetParam()));
  }

  /** \brief A ray caster of the method under test. */
  MeshRayCaster
  newCaster(const MeshScene::ConstPtr& scene) const
  {
    MeshRayCaster caster;
    change(caster, [&](auto& p) { p.method = std::get<1>(GetParam()).method; });
    caster.setScene(scene);
    return caster;
  }

  MeshRayCaster
  newCaster(const HostMesh& mesh) const
  {
    return newCaster(sceneOf(mesh));
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
};

/** \brief All images, in host memory; empty if not asked for. */
struct CastResult {
  Image<float> depth;
  Image<int> triangles;
  Image<Barycentrics> barycentrics;
  Image<PointXYZ> points;
  Image<PointXYZ> normals;
  Image<RGB> colors;
  Image<TextureCoordinate> texture_coordinates;

  CastResult() = default;

  explicit CastResult(const RayCastImages& images)
  : depth(downloaded(images.depth))
  , triangles(downloaded(images.triangles))
  , barycentrics(downloaded(images.barycentrics))
  , points(downloaded(images.points))
  , normals(downloaded(images.normals))
  , colors(downloaded(images.colors))
  , texture_coordinates(downloaded(images.texture_coordinates))
  {}
};

template <typename Views>
CastResult
cast(MeshRayCaster& caster, const Views& views)
{
  RayCastImages images;
  caster.cast(views, images);
  return CastResult(images);
}

inline void
expectSameBits(const CastResult& actual, const CastResult& expected)
{
  EXPECT_TRUE(sameBits(actual.depth, expected.depth));
  EXPECT_TRUE(sameBits(actual.triangles, expected.triangles));
  EXPECT_TRUE(sameBits(actual.barycentrics, expected.barycentrics));
  EXPECT_TRUE(sameBits(actual.points, expected.points));
  EXPECT_TRUE(sameBits(actual.normals, expected.normals));
  EXPECT_TRUE(sameBits(actual.colors, expected.colors));
  EXPECT_TRUE(sameBits(actual.texture_coordinates, expected.texture_coordinates));
}

inline long
countHits(const CastResult& result)
{
  long hits = 0;
  for (int id : result.triangles.data)
    hits += id >= 0;
  return hits;
}

/** \brief A camera of slopes about -1 to 1 along the longer side. */
inline PinholeCamera
pinhole(int width, int height)
{
  const float f = 0.5f * static_cast<float>(width > height ? width : height);
  return {f, f, 0.5f * (width - 1), 0.5f * (height - 1), width, height};
}

/** \brief A camera that sees (x, y, z) at pixel (scale x + cx, scale y + cy). */
inline OrthographicCamera
orthographic(
    int width, int height, float scale = 1.0f, float cx = 0.0f, float cy = 0.0f)
{
  return {scale, scale, cx, cy, width, height};
}

} // namespace pcl::gpu::test

/** \brief Runs the tests of a CastTest fixture on every device with every method. */
#define PCL_GPU_INSTANTIATE_CAST_TESTS(Fixture)                                        \
  INSTANTIATE_TEST_SUITE_P(                                                            \
      Devices,                                                                         \
      Fixture,                                                                         \
      ::testing::Combine(::testing::ValuesIn(::pcl::gpu::test::devices()),             \
                         ::testing::ValuesIn(::pcl::gpu::test::castMethods())),        \
      ::pcl::gpu::test::deviceAndMethodName)
