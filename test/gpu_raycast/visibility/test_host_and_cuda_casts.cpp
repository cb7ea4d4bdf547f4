// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "expect_cast.h"

#include <cmath>
#include <cstring>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

// The host and the CUDA driver against one another, bit for bit. "cuda" in the suite's
// name has CTest run these only where there is a device.

namespace {

/** \brief The words of an image, all NaN made one: their bits may depend on the
 * device. */
template <typename T>
std::vector<std::uint32_t>
wordsOf(const Image<T>& image)
{
  std::vector<std::uint32_t> words(image.data.size() * sizeof(T) / 4);
  if (!words.empty())
    std::memcpy(words.data(),
                static_cast<const void*>(image.data.data()),
                words.size() * sizeof(std::uint32_t));
  for (std::uint32_t& word : words)
    if ((word & 0x7fffffffu) > 0x7f800000u)
      word = 0x7fc00000u;
  return words;
}

void
expectSameWords(const CastResult& host, const CastResult& cuda)
{
  EXPECT_TRUE(sameBits(host.triangles, cuda.triangles));
  EXPECT_TRUE(sameBits(host.colors, cuda.colors));
  EXPECT_TRUE(wordsOf(host.depth) == wordsOf(cuda.depth));
  EXPECT_TRUE(wordsOf(host.barycentrics) == wordsOf(cuda.barycentrics));
  EXPECT_TRUE(wordsOf(host.points) == wordsOf(cuda.points));
  EXPECT_TRUE(wordsOf(host.normals) == wordsOf(cuda.normals));
  EXPECT_TRUE(wordsOf(host.texture_coordinates) == wordsOf(cuda.texture_coordinates));
}

/** \brief Expects that a cast with each method is the same on both devices. */
void
expectSame(const HostMesh& mesh, const CameraView& view, const Pose& pose)
{
  for (const NamedMethod& method : castMethods()) {
    SCOPED_TRACE(method.name);
    const auto run = [&](const char* device) {
      const auto scope = useDevice(device);
      MeshRayCaster caster;
      change(caster, [&](auto& p) {
        p.method = method.method;
        p.outputs = all_outputs;
        p.in_world_frame = true;
      });
      caster.setScene(sceneOf(mesh, pose));
      return cast(caster, view);
    };
    const CastResult host = run("host");
    const CastResult cuda = run("cuda");
    expectSameWords(host, cuda);
  }
}

TEST(host_and_cuda_casts, OfRandomSoupsAreTheSame)
{
  for (unsigned int seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Pose pose = randomPose(seed, 1.0f);
    expectSame(randomSoup(seed, 500), CameraView(pinhole(300, 200), pose), pose);
    expectSame(randomSoup(seed, 500),
               CameraView(orthographic(300, 200, 20, 150, 100), pose),
               pose);
  }
}

TEST(host_and_cuda_casts, OfTrianglesFarFromThePrincipalPointAreTheSame)
{
  for (unsigned int seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const float c = 1e4f * static_cast<float>(seed);
    HostMesh soup = randomSoup(seed, 300);
    for (pcl::PointXYZ& v : soup.vertices)
      v.x -= c / 100.0f * v.z;
    expectSame(soup,
               CameraView(PinholeCamera{100, 100, 100 + c, 75, 200, 150}),
               Pose::Identity());
  }
}

TEST(host_and_cuda_casts, OfSmoothSpheresAreTheSame)
{
  HostMesh sphere = icosphere(5, 1.0f, {0, 0, 3});
  for (std::size_t i = 0; i < sphere.vertices.size(); ++i) {
    pcl::RGB color;
    color.rgba = static_cast<std::uint32_t>(i * 2654435761u);
    sphere.colors.push_back(color);
    sphere.texture_coordinates.push_back({std::sin(0.1f * i), std::cos(0.1f * i)});
  }
  expectSame(sphere, CameraView(pinhole(1024, 768)), Pose::Identity());
  // From inside all triangles are large, from far away all are small.
  Pose inside = Pose::Identity();
  inside.translation() = Eigen::Vector3f(0, 0, 3);
  expectSame(sphere, CameraView(pinhole(1024, 768), inside), Pose::Identity());
  Pose away = Pose::Identity();
  away.translation() = Eigen::Vector3f(0, 0, -300);
  expectSame(sphere, CameraView(pinhole(1024, 768), away), Pose::Identity());
}

} // namespace
