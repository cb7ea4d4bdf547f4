// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/expect_throws.h"
#include "common/sanitizers.h"
#include "expect_cast.h"

#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class Scenes : public CastTest {
protected:
  static Pose
  at(float x, float y, float z, unsigned int seed)
  {
    Pose pose = randomPose(seed, 0.0f);
    pose.translation() = Eigen::Vector3f(x, y, z);
    return pose;
  }

  /** \brief Meshes of several sizes, one of them empty, in many places. */
  struct Crowd {
    std::vector<HostMesh> meshes = {icosphere(1, 0.3f, {0, 0, 0}),
                                    gridCube(2),
                                    HostMesh(),
                                    icosphere(0, 0.5f, {0, 0, 0})};
    std::vector<std::pair<int, Pose>> instances;
    MeshScene::Ptr scene = std::make_shared<MeshScene>();

    explicit Crowd(int size)
    {
      for (const HostMesh& mesh : meshes)
        scene->addMesh(uploaded(mesh));
      for (int i = 0; i < size; ++i) {
        const Pose pose = at(static_cast<float>(i % 7 - 3),
                             static_cast<float>(i / 7 % 5 - 2),
                             5.0f + 0.3f * static_cast<float>(i % 11),
                             i);
        instances.emplace_back(i % 4, pose);
        EXPECT_EQ(scene->addInstance(i % 4, pose), i);
      }
    }

    ReferenceCast
    reference(const CameraView& view) const
    {
      ReferenceCast reference(view);
      for (const auto& instance : instances)
        reference.addInstance(meshes[instance.first], instance.second);
      return reference;
    }
  };
};

TEST_P(Scenes, OfManyInstancesAreSeenExactly)
{
  // 20 is the number that one launch of the CUDA driver takes.
  std::vector<int> sizes = {21, 1, 2, 19, 20, 40, 41, 75};
  sizes.resize(fewerUnderSanitizers(static_cast<int>(sizes.size())));
  for (const int size : sizes) {
    SCOPED_TRACE(size);
    const Crowd crowd(size);
    MeshRayCaster caster = newCaster(crowd.scene);
    const CameraView view(pinhole(64, 48), randomPose(1, 0.5f));
    const CameraView ahead(pinhole(64, 48));
    expectAdmitted(crowd.reference(view), cast(caster, view));
    const CastResult result = cast(caster, ahead);
    expectAdmitted(crowd.reference(ahead), result);
    EXPECT_GT(countHits(result), 5);
  }
}

TEST_P(Scenes, TriangleIdsAreThoseOfInstances)
{
  const Crowd crowd(30);
  const MeshScene& scene = *crowd.scene;
  std::size_t id = 0;
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(scene.getFirstTriangle(i), id);
    EXPECT_EQ(scene.getMeshOf(i), i % 4);
    const int triangles = crowd.meshes[i % 4].triangleCount();
    for (int t = 0; t < triangles; ++t, ++id) {
      const auto found = scene.findTriangle(id);
      ASSERT_EQ(found.instance, i);
      ASSERT_EQ(found.mesh, i % 4);
      ASSERT_EQ(found.triangle, t);
    }
  }
  EXPECT_EQ(scene.getNumberOfTriangles(), id);
  EXPECT_EQ(scene.getNumberOfInstances(), 30);
  EXPECT_EQ(scene.getNumberOfMeshes(), 4);
  expectBadArgument("triangle id", [&] { scene.findTriangle(id); });
  expectBadArgument(std::to_string(id), [&] { scene.findTriangle(id); });
}

TEST_P(Scenes, FollowTheirPoses)
{
  Crowd crowd(25);
  MeshRayCaster caster = newCaster(crowd.scene);
  const CameraView view(pinhole(64, 48));
  cast(caster, view);
  for (int i = 0; i < 25; ++i) {
    crowd.instances[i].second = at(0.2f * (i - 12), 0.1f * (12 - i), 4.0f, 100 + i);
    crowd.scene->setPose(i, crowd.instances[i].second);
    EXPECT_TRUE(crowd.scene->getPose(i).isApprox(crowd.instances[i].second, 0.0f));
  }
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  const CastResult moved = cast(caster, view);
  expectAdmitted(crowd.reference(view), moved);
  crowd.scene->setPose(3, Pose::Identity());
  cast(caster, view);
  crowd.scene->setPose(3, crowd.instances[3].second);
  expectSameBits(cast(caster, view), moved);
}

TEST_P(Scenes, FollowTheirMeshes)
{
  Crowd crowd(25);
  MeshRayCaster caster = newCaster(crowd.scene);
  const CameraView view(pinhole(64, 48));
  cast(caster, view);
  crowd.meshes[0] = gridCube(3);
  crowd.meshes[1] = HostMesh();
  for (int i : {0, 1})
    crowd.scene->setMesh(i, uploaded(crowd.meshes[i]));
  EXPECT_EQ(crowd.scene->getMesh(0).vertices.size(), crowd.meshes[0].vertices.size());
  change(caster, [&](auto& p) { p.outputs = all_outputs; });
  expectAdmitted(crowd.reference(view), cast(caster, view));
}

TEST_P(Scenes, SeenBySeveralCamerasAreAsSeenByEachAlone)
{
  for (int instances : {0, 1, 7, 25})
    for (int cameras : {1, 2, 3, 23}) {
      SCOPED_TRACE(::testing::Message() << instances << " by " << cameras);
      const Crowd crowd(instances);
      MeshRayCaster caster = newCaster(crowd.scene);
      change(caster, [&](auto& p) {
        p.outputs = all_outputs;
        p.in_world_frame = true;
      });
      std::vector<CameraView> views;
      for (int i = 0; i < cameras; ++i) {
        const Pose pose = randomPose(i, 0.2f);
        views.push_back(
            i % 3 == 2 ? CameraView(orthographic(40, 33, 6, 19.5f, 16), pose)
                       : CameraView(pinhole(40, 33), i == 0 ? Pose::Identity() : pose));
      }
      const CastResult all = cast(caster, views);
      ASSERT_EQ(all.depth.rows, 33 * cameras);
      for (int i = 0; i < cameras; ++i) {
        const CastResult one = cast(caster, views[i]);
        const auto isPartOf = [&](const auto& image, const auto& whole) {
          auto part = image;
          std::copy_n(whole.data.begin() + image.data.size() * i,
                      image.data.size(),
                      part.data.begin());
          return sameBits(image, part);
        };
        EXPECT_TRUE(isPartOf(one.depth, all.depth));
        EXPECT_TRUE(isPartOf(one.triangles, all.triangles));
        EXPECT_TRUE(isPartOf(one.barycentrics, all.barycentrics));
        EXPECT_TRUE(isPartOf(one.points, all.points));
        EXPECT_TRUE(isPartOf(one.normals, all.normals));
        EXPECT_TRUE(isPartOf(one.colors, all.colors));
      }
    }
}

TEST_P(Scenes, RefuseBadArgumentsByName)
{
  MeshScene scene;
  HostMesh mesh = wall(-1, 1, -1, 1, 2);
  const int number = scene.addMesh(uploaded(mesh));
  EXPECT_EQ(number, 0);
  scene.addInstance(number);

  const auto expectRefused = [&](const std::string& word, const TriangleMesh& bad) {
    expectBadArgument(word, [&] { scene.addMesh(bad); });
    expectBadArgument(word, [&] { scene.setMesh(0, bad); });
  };
  TriangleMesh bad = uploaded(mesh);
  bad.triangles = uploaded(std::vector<int>{0, 1, 2, 0});
  expectRefused("triangle indices is 4", bad);
  bad = uploaded(mesh);
  bad.normals = uploaded(std::vector<pcl::PointXYZ>(3));
  expectRefused("normals is 3", bad);
  bad = uploaded(mesh);
  bad.colors = uploaded(std::vector<pcl::RGB>(5));
  expectRefused("colors is 5", bad);
  bad = uploaded(mesh);
  bad.texture_coordinates = uploaded(std::vector<TextureCoordinate>(1));
  expectRefused("texture coordinates is 1", bad);
  bad = uploaded(mesh);
  bad.triangle_count = uploaded(std::vector<int>{1, 2});
  expectRefused("triangle count is 2", bad);

  Pose scaled = Pose::Identity();
  scaled.linear() *= 2.0f;
  expectBadArgument("instance pose", [&] { scene.addInstance(0, scaled); });
  expectBadArgument("instance pose", [&] { scene.setPose(0, scaled); });
  for (int none : {-1, 1}) {
    const std::string value = " is " + std::to_string(none);
    expectBadArgument("mesh" + value, [&] { scene.addInstance(none); });
    expectBadArgument("mesh" + value, [&] { scene.setMesh(none, uploaded(mesh)); });
    expectBadArgument("mesh" + value, [&] { scene.getMesh(none); });
    const Pose here = Pose::Identity();
    expectBadArgument("instance" + value, [&] { scene.setPose(none, here); });
    expectBadArgument("instance" + value, [&] { scene.getPose(none); });
    expectBadArgument("instance" + value, [&] { scene.getMeshOf(none); });
    expectBadArgument("instance" + value, [&] { scene.getFirstTriangle(none); });
  }
  EXPECT_EQ(scene.getNumberOfMeshes(), 1) << "what was refused must leave no trace";
  EXPECT_EQ(scene.getNumberOfInstances(), 1);
  EXPECT_EQ(scene.getNumberOfTriangles(), 2u);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Scenes);

/** \brief Arrays of one mesh, or meshes of one scene, on two devices. */
TEST(host_and_cuda_scenes, AreRefusedByName)
{
  const auto cuda = useDevice("cuda");
  const TriangleMesh there = uploaded(icosphere(0, 1.0f, {0, 0, 3}));
  const auto host = useDevice("host");
  const TriangleMesh here = uploaded(icosphere(0, 1.0f, {0, 0, 3}));
  const auto expectBothNamed = [](const auto& call) {
    expectBadArgument("host", call);
    expectBadArgument("cuda:0", call);
  };
  MeshScene scene;
  TriangleMesh mixed = here;
  mixed.triangles = there.triangles;
  expectBothNamed([&] { scene.addMesh(mixed); });
  mixed = here;
  mixed.normals = there.normals;
  expectBothNamed([&] { scene.addMesh(mixed); });
  scene.addMesh(here);
  expectBothNamed([&] { scene.addMesh(there); });
  scene.setMesh(0, there);
}

/** \brief Rays are cast where the scene lives, not on the current device. */
TEST(host_and_cuda_scenes, AreSeenWhereTheyLive)
{
  const auto cuda = useDevice("cuda");
  MeshRayCaster caster;
  caster.setScene(sceneOf(icosphere(0, 1.0f, {0, 0, 3})));
  const auto host = useDevice("host");
  RayCastImages images;
  const CameraView view(pinhole(20, 20));
  caster.cast(view, images);
  EXPECT_TRUE(deviceOf(images.depth).isCuda());
  EXPECT_TRUE(currentDevice().isHost());
  const CastResult there(images);
  caster.setScene(sceneOf(icosphere(0, 1.0f, {0, 0, 3})));
  caster.cast(view, images);
  EXPECT_TRUE(deviceOf(images.depth).isHost());
  expectSameBits(CastResult(images), there);
}

} // namespace
