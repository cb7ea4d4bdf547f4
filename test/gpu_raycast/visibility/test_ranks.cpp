// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Ranks that have triangles of their own against one ray caster that has all of them.

#include "cast_test.h"
#include "common/change_parameters.h"
#include "common/expect_throws.h"
#include "common/thread_ranks.h"

#include <random>
#include <stdexcept>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A mesh with random numbers at its vertices. */
HostMesh
decorated(HostMesh mesh, unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::uniform_int_distribution<std::uint32_t> bits;
  mesh.normals.clear();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    Eigen::Vector3f normal(uniform(random), uniform(random), uniform(random));
    normal.normalize();
    mesh.normals.emplace_back(normal.x(), normal.y(), normal.z());
    pcl::RGB color;
    color.rgba = bits(random);
    mesh.colors.push_back(color);
    mesh.texture_coordinates.push_back({uniform(random), uniform(random)});
  }
  return mesh;
}

/** \brief A part of a mesh's triangles, with all its vertices. */
HostMesh
partOf(const HostMesh& mesh, std::size_t first, std::size_t end)
{
  HostMesh part = mesh;
  part.triangles.assign(mesh.triangles.begin() + 3 * first,
                        mesh.triangles.begin() + 3 * end);
  return part;
}

/** \brief Instances with meshes of their own, in the order of their ids. */
using Instances = std::vector<std::pair<HostMesh, Pose>>;

/** \brief Meshes that hide parts of one another, among them an empty one. */
Instances
crowd()
{
  Instances instances;
  for (unsigned int i = 0; i < 12; ++i) {
    Pose pose = randomPose(i, 0.0f);
    pose.translation() = Eigen::Vector3f(
        0.8f * (i % 4) - 1.2f, 0.7f * (i % 3) - 0.7f, 3.0f + 0.4f * ((7 * i) % 5));
    const HostMesh mesh = i == 5       ? HostMesh()
                          : i % 2 == 0 ? icosphere(2, 0.6f, {0, 0, 0})
                                       : gridCube(3);
    instances.emplace_back(decorated(mesh, i), pose);
  }
  instances.emplace_back(decorated(randomSoup(3, 500), 99), Pose::Identity());
  return instances;
}

MeshScene::Ptr
sceneOf(const Instances& instances, std::size_t first, std::size_t end)
{
  const auto scene = std::make_shared<MeshScene>();
  for (std::size_t i = first; i < end; ++i)
    scene->addInstance(scene->addMesh(uploaded(instances[i].first)),
                       instances[i].second);
  return scene;
}

/** \brief Cameras with an odd number of pixels. */
std::vector<CameraView>
severalViews()
{
  return {CameraView(pinhole(51, 37)),
          CameraView(orthographic(51, 37, 12.0f, 25.0f, 18.0f)),
          CameraView(pinhole(51, 37), randomPose(4, 0.3f))};
}

class Ranks : public CastTest {
protected:
  MeshRayCaster
  newRank(const MeshScene::ConstPtr& scene, const Communicator::Ptr& communicator)
  {
    MeshRayCaster caster = newCaster(scene);
    caster.setCommunicator(communicator);
    return caster;
  }

  /** \brief Expects that all ranks make the images of one caster with all instances.
   * \param[in] starts first instance of each rank, and the end
   */
  void
  expectImagesOfOne(const Instances& instances,
                    const std::vector<std::size_t>& starts,
                    const std::function<void(MeshRayCasterParameters&)>& set)
  {
    const std::vector<CameraView> views = severalViews();
    MeshRayCaster alone = newCaster(sceneOf(instances, 0, instances.size()));
    change(alone, set);
    const CastResult expected = cast(alone, views);
    if (!expected.triangles.data.empty()) {
      EXPECT_GT(countHits(expected), 100);
    }
    runRanks(static_cast<int>(starts.size()) - 1, [&](const auto& communicator) {
      const int rank = communicator->rank();
      MeshRayCaster caster =
          newRank(sceneOf(instances, starts[rank], starts[rank + 1]), communicator);
      change(caster, set);
      expectSameBits(cast(caster, views), expected);
      expectSameBits(cast(caster, views), expected);
    });
  }
};

TEST_P(Ranks, WithInstancesOfTheirOwnMakeAllImagesOfOneCaster)
{
  const Instances instances = crowd();
  const std::vector<std::vector<std::size_t>> cuts = {
      {0, 13}, {0, 4, 13}, {0, 1, 11, 13}, {0, 12, 12, 13}, {0, 3, 6, 9, 13}};
  for (const auto& starts : cuts)
    for (const bool world : {false, true}) {
      SCOPED_TRACE(::testing::PrintToString(starts));
      expectImagesOfOne(instances, starts, [&](auto& p) {
        p.outputs = all_outputs;
        p.in_world_frame = world;
      });
    }
}

TEST_P(Ranks, WithoutTrianglesMakeTheSameImages)
{
  const Instances instances = crowd();
  for (const std::vector<std::size_t>& starts :
       {std::vector<std::size_t>{0, 0, 13}, {0, 13, 13}, {0, 0, 13, 13}, {0, 5, 6, 13}})
    expectImagesOfOne(instances, starts, [](auto& p) { p.outputs = all_outputs; });
}

TEST_P(Ranks, KeepToDepthsAndSides)
{
  for (const Culling culling : {Culling::Back, Culling::Front})
    expectImagesOfOne(crowd(), {0, 2, 7, 13}, [&](auto& p) {
      p.outputs = all_outputs;
      p.nearest = 2.5f;
      p.farthest = 4.0f;
      p.culling = culling;
    });
}

TEST_P(Ranks, MakeTheImagesThatAreAskedFor)
{
  for (unsigned int output = 1; output <= all_ray_cast_outputs; output *= 2)
    expectImagesOfOne(crowd(), {0, 6, 13}, [&](auto& p) { p.outputs = output; });
}

TEST_P(Ranks, SeeNothingTogetherWhereNothingIs)
{
  MeshRayCaster alone = newCaster(std::make_shared<MeshScene>());
  change(alone, [](auto& p) { p.outputs = all_outputs; });
  const CastResult expected = cast(alone, severalViews());
  runRanks(2, [&](const auto& communicator) {
    MeshRayCaster caster = newRank(std::make_shared<MeshScene>(), communicator);
    change(caster, [](auto& p) { p.outputs = all_outputs; });
    expectSameBits(cast(caster, severalViews()), expected);
  });
}

TEST_P(Ranks, WithRunsOfAMeshesTrianglesHaveItsIdsAndNoGaps)
{
  const HostMesh mesh = decorated(icosphere(3, 1.0f, {0.1f, 0, 3}), 1);
  const CameraView view(pinhole(101, 101));
  MeshRayCaster alone = newCaster(mesh);
  change(alone, [](auto& p) { p.outputs = all_outputs; });
  const CastResult expected = cast(alone, view);
  for (int size : {2, 3, 4})
    runRanks(size, [&](const auto& communicator) {
      const std::vector<std::size_t> starts =
          communicator->shares(mesh.triangleCount());
      const int rank = communicator->rank();
      const HostMesh part = partOf(mesh, starts[rank], starts[rank + 1]);
      MeshRayCaster caster = newRank(test::sceneOf(part), communicator);
      change(caster, [](auto& p) { p.outputs = all_outputs; });
      expectSameBits(cast(caster, view), expected);
    });
}

TEST_P(Ranks, GiveAHitAtOneDepthToTheLowestId)
{
  Instances instances;
  for (unsigned int i = 0; i < 3; ++i)
    instances.emplace_back(decorated(wall(-1, 1, -1, 1, 2), i), Pose::Identity());
  expectImagesOfOne(instances, {0, 1, 2, 3}, [](auto& p) { p.outputs = all_outputs; });
  runRanks(3, [&](const auto& communicator) {
    const int rank = communicator->rank();
    MeshRayCaster caster = newRank(sceneOf(instances, rank, rank + 1), communicator);
    const CastResult result = cast(caster, CameraView(pinhole(20, 20)));
    for (const int id : result.triangles.data)
      EXPECT_LT(id, 2);
    EXPECT_GT(countHits(result), 0);
  });
}

TEST_P(Ranks, CountTheTestsOfTheirTriangles)
{
  const Instances instances = crowd();
  MeshRayCaster alone = newCaster(sceneOf(instances, 0, 13));
  const CastResult expected = cast(alone, severalViews());
  runRanks(2, [&](const auto& communicator) {
    const std::size_t first = communicator->rank() == 0 ? 0 : 6;
    const std::size_t end = communicator->rank() == 0 ? 6 : 13;
    MeshRayCaster caster = newRank(sceneOf(instances, first, end), communicator);
    DeviceArray<unsigned long long> counter =
        uploaded(std::vector<unsigned long long>{0});
    caster.setTestCounter(counter);
    expectSameBits(cast(caster, severalViews()), expected);
    unsigned long long tests = 0;
    counter.download(&tests);
    EXPECT_EQ(tests > 0, caster.getParameters().method == CastMethod::TileGrid);
  });
}

TEST_P(Ranks, ExchangeKeysAloneForDepthAndTriangles)
{
  runRanks(2, [&](const auto& communicator) {
    MeshRayCaster caster = newRank(test::sceneOf(gridCube(2)), communicator);
    const auto stages = [&](unsigned int outputs) {
      change(caster, [&](auto& p) { p.outputs = outputs; });
      std::vector<std::string> names;
      caster.setStageObserver(
          [&](const char* name, const Stream&) { names.emplace_back(name); });
      cast(caster, CameraView(pinhole(20, 20)));
      while (names.front() != "cast")
        names.erase(names.begin());
      return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(stages(DepthOutput | TrianglesOutput),
              (Names{"cast", "exchange", "images"}));
    EXPECT_EQ(stages(all_outputs), (Names{"cast", "exchange", "images", "exchange"}));
  });
}

TEST_P(Ranks, FollowMeshesThatDeformAndCountAnewIfTheyAreToldTo)
{
  const CameraView view(pinhole(40, 40));
  const auto meshOf = [](int rank, int time) {
    return time == 2 ? gridCube(2 + rank)
                     : icosphere(1, 0.5f + 0.2f * time, {0.3f * rank, 0, 3});
  };
  std::vector<CastResult> expected;
  for (int time = 0; time < 3; ++time) {
    Instances instances;
    for (int rank = 0; rank < 3; ++rank)
      instances.emplace_back(meshOf(rank, time), Pose::Identity());
    MeshRayCaster alone = newCaster(sceneOf(instances, 0, 3));
    expected.push_back(cast(alone, view));
  }
  runRanks(3, [&](const auto& communicator) {
    const int rank = communicator->rank();
    const MeshScene::Ptr scene = test::sceneOf(meshOf(rank, 0));
    MeshRayCaster caster = newRank(scene, communicator);
    expectSameBits(cast(caster, view), expected[0]);
    scene->setMesh(0, uploaded(meshOf(rank, 1)));
    expectSameBits(cast(caster, view), expected[1]);
    scene->setMesh(0, uploaded(meshOf(rank, 2)));
    expectBadArgument("triangles in the scene is " +
                          std::to_string(scene->getNumberOfTriangles()),
                      [&] { cast(caster, view); });
    caster.setCommunicator(communicator);
    expectSameBits(cast(caster, view), expected[2]);
    MeshRayCaster copy = caster;
    expectSameBits(cast(copy, view), expected[2]);
  });
}

TEST_P(Ranks, HaveAsManyIdsAsOneScene)
{
  runRanks(2, [&](const auto& communicator) {
    TriangleMesh mesh;
    mesh.triangles = uploaded(std::vector<int>(3 << 20, 0));
    const auto scene = std::make_shared<MeshScene>();
    scene->addMesh(mesh);
    for (int i = 0; i < 1024; ++i)
      scene->addInstance(0);
    MeshRayCaster caster = newRank(scene, communicator);
    expectBadArgument("all ranks' scenes is 2147483648",
                      [&] { cast(caster, CameraView(pinhole(8, 8))); });
  });
}

TEST_P(Ranks, EndTheCastsOfOthersIfTheyFail)
{
  const CameraView view(pinhole(20, 20));
  const MeshScene::Ptr scene = test::sceneOf(icosphere(1, 1.0f, {0, 0, 3}));
  MeshRayCaster alone = newCaster(scene);
  const CastResult expected = cast(alone, view);
  const auto run = [&](bool exchanged_before) {
    runRanks(2, [&](const Communicator::Ptr& communicator) {
      MeshRayCaster caster = newRank(scene, communicator);
      if (exchanged_before)
        cast(caster, view);
      if (communicator->rank() == 1)
        throw std::runtime_error("rank 1 failed");
      EXPECT_THROW(cast(caster, view), CommunicationException);
      caster.setCommunicator(nullptr);
      expectSameBits(cast(caster, view), expected);
    });
  };
  for (const bool exchanged_before : {false, true})
    EXPECT_THROW(run(exchanged_before), std::runtime_error);
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Ranks);

TEST(host_and_cuda_ranks, RefuseScenesElsewhere)
{
  const auto cuda = useDevice("cuda");
  const MeshScene::Ptr scene = test::sceneOf(icosphere(0, 1.0f, {0, 0, 3}));
  const auto host = useDevice("host");
  runRanks(1, [&](const auto& communicator) {
    MeshRayCaster caster;
    caster.setScene(scene);
    caster.setCommunicator(communicator);
    RayCastImages images;
    const auto refused = [&] { caster.cast(CameraView(pinhole(9, 9)), images); };
    expectBadArgument("device of the scene is cuda:0", refused);
    expectBadArgument("expected host", refused);
  });
}

} // namespace
