// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/volumes/naive_volume_sets.h"
#include "gpu_scenespace/volumes/random_half_spaces.h"
#include "testing/paper_gathering/paper_gathering.h"

#include <gtest/gtest.h>

namespace pcl::gpu::test {

namespace {

using Sets = std::vector<std::vector<SceneSample>>;

/** \brief An algorithm with its r_max. */
struct AlgorithmCase {
  GatheringAlgorithm algorithm;
  int max_segments;

  std::string
  name() const
  {
    return "algorithm " + std::to_string(static_cast<int>(algorithm)) + ", r_max " +
           std::to_string(max_segments);
  }
};

const std::vector<AlgorithmCase> paper_algorithms = {
    {GatheringAlgorithm::ConvexBounds, 512},
    {GatheringAlgorithm::ProducerConsumer, 512},
    {GatheringAlgorithm::ProducerConsumer, 7}};

const AlgorithmCase naive_algorithm = {GatheringAlgorithm::Naive, 512};

/** \brief Hulls take more rounds than two of them. */
const std::vector<AlgorithmCase> short_rounds = {
    {GatheringAlgorithm::ProducerConsumer, 1},
    {GatheringAlgorithm::ProducerConsumer, 2}};

class SetsOfAlgorithms : public DeviceTest {
protected:
  /** \brief Gathers with an algorithm.
   * \param[in] depth of the output's pixels; none is handed over if it is empty
   */
  static SampleSets
  gathered(const RandomRig& rig,
           const QueryVolume& volume,
           const std::vector<float>& depth,
           const AlgorithmCase& algorithm,
           std::size_t capacity)
  {
    PaperGathering gathering;
    change(gathering, [&](auto& p) { p.volume = volume; });
    gathering.setAlgorithm(algorithm.algorithm);
    change(gathering, [&](auto& p) {
      p.max_segments = algorithm.max_segments;
      p.max_samples = static_cast<int>(capacity);
    });
    SampleSets sets;
    if (depth.empty())
      gathering.gather(rig.upload(), rig.view, sets);
    else
      gathering.gather(rig.upload(), rig.view, uploaded(rig, depth), sets);
    return sets;
  }

  static DeviceArray2D<float>
  uploaded(const RandomRig& rig, const std::vector<float>& depth)
  {
    const PinholeCamera& camera = rig.view.camera;
    DeviceArray2D<float> image(camera.height, camera.width);
    image.upload(
        depth.data(), camera.width * sizeof(float), camera.height, camera.width);
    return image;
  }

  static std::size_t
  mostSamples(const Sets& sets)
  {
    std::size_t most = 1;
    for (const std::vector<SceneSample>& set : sets)
      most = std::max(most, set.size());
    return most;
  }

  static void
  expectSame(const Sets& sets, const Sets& expected)
  {
    ASSERT_EQ(sets.size(), expected.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sets.size(); ++i)
      wrong += comparable(sets[i]) != comparable(expected[i]);
    EXPECT_EQ(wrong, 0u) << "of " << sets.size() << " sets differ";
  }

  /** \brief Expects the sets of brute force from algorithms, and returns the number of
   * samples. */
  static std::size_t
  expectSets(const RandomRig& rig,
             const QueryVolume& volume,
             const std::vector<float>& depth,
             const Sets& expected,
             const std::vector<AlgorithmCase>& algorithms = paper_algorithms)
  {
    for (const AlgorithmCase& algorithm : algorithms) {
      SCOPED_TRACE(algorithm.name());
      const SampleSets sets =
          gathered(rig, volume, depth, algorithm, mostSamples(expected));
      expectSame(downloadedSets(sets), expected);
    }
    std::size_t samples = 0;
    for (const std::vector<SceneSample>& set : expected)
      samples += set.size();
    return samples;
  }

  static std::size_t
  expectFrustumSets(const RandomRig& rig,
                    const QueryFrustum& frustum,
                    const std::vector<AlgorithmCase>& algorithms = paper_algorithms)
  {
    return expectSets(
        rig, QueryVolume::frustum(frustum), {}, naiveSets(rig, frustum), algorithms);
  }

  static std::size_t
  expectVolumeSets(const RandomRig& rig,
                   const QueryVolume& volume,
                   const std::vector<AlgorithmCase>& algorithms = paper_algorithms)
  {
    const std::vector<float> depth = randomDepth(rig);
    return expectSets(
        rig, volume, depth, naiveVolumeSets(rig, volume, depth), algorithms);
  }
};

RigSettings
settingsFor(RigMotion motion)
{
  RigSettings settings;
  settings.motion = motion;
  settings.output_width = 43;
  settings.output_height = 29;
  settings.frames = motion == RigMotion::Wild ? 20 : 4;
  return settings;
}

constexpr RigMotion all_motions[] = {
    RigMotion::Small, RigMotion::Forward, RigMotion::Wild};

std::string
nameOf(RigMotion motion, unsigned int seed)
{
  return "motion " + std::to_string(static_cast<int>(motion)) + ", seed " +
         std::to_string(seed);
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForFrustums)
{
  for (const RigMotion motion : all_motions) {
    std::size_t samples = 0;
    for (unsigned int seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(nameOf(motion, seed));
      samples += expectFrustumSets({seed, settingsFor(motion)}, {});
    }
    EXPECT_GT(samples, 10000u);
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceWhereEachPixelIsTested)
{
  for (const RigMotion motion : all_motions) {
    SCOPED_TRACE(nameOf(motion, 21));
    RigSettings settings = settingsFor(motion);
    settings.width = settings.height = settings.output_width = 30;
    const RandomRig rig(21, settings);
    expectFrustumSets(rig, {}, {naive_algorithm});
    expectVolumeSets(rig, QueryVolume::box({0.2f, 0.1f, 0.3f}), {naive_algorithm});
    expectVolumeSets(rig, QueryVolume::sphere(0.3f), {naive_algorithm});
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceInManyRounds)
{
  for (const RigMotion motion : all_motions) {
    SCOPED_TRACE(nameOf(motion, 22));
    RigSettings settings = settingsFor(motion);
    settings.output_width = settings.output_height = 20;
    settings.frames = 3;
    const RandomRig rig(22, settings);
    expectFrustumSets(rig, {}, short_rounds);
    expectVolumeSets(rig, QueryVolume::box({0.2f, 0.1f, 0.3f}), short_rounds);
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForEveryWidthOfTheFrustum)
{
  for (int width = 1; width <= QueryFrustum::max_width; ++width) {
    QueryFrustum frustum;
    frustum.width = width;
    RigSettings settings = settingsFor(all_motions[width % 3]);
    settings.frames = 3;
    expectFrustumSets({100u + width, settings}, frustum);
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceBetweenTwoDepths)
{
  QueryFrustum frustum;
  frustum.near_depth = 1.01f;
  frustum.far_depth = 2.2f;
  for (const RigMotion motion : all_motions)
    EXPECT_GT(expectFrustumSets({30, settingsFor(motion)}, frustum), 100u);
  frustum.near_depth = 0.0f;
  frustum.far_depth = 0.0f;
  EXPECT_EQ(expectFrustumSets({30, {}}, frustum), 0u);
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForBoxes)
{
  for (const RigMotion motion : all_motions) {
    std::size_t samples = 0;
    for (unsigned int seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(nameOf(motion, seed));
      const RandomRig rig(seed, settingsFor(motion));
      samples += expectVolumeSets(rig, QueryVolume::box({0.07f, 0.2f, 0.1f}));
    }
    EXPECT_GT(samples, 1000u);
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForSpheres)
{
  for (const RigMotion motion : all_motions) {
    std::size_t samples = 0;
    for (unsigned int seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(nameOf(motion, seed));
      const RandomRig rig(seed, settingsFor(motion));
      samples += expectVolumeSets(rig, QueryVolume::sphere(0.15f));
    }
    EXPECT_GT(samples, 1000u);
  }
}

/** \brief Cameras stand in these volumes and next to them. */
TEST_P(SetsOfAlgorithms, EqualBruteForceForVolumesAroundTheCameras)
{
  const QueryVolume volumes[] = {QueryVolume::box({1.5f, 0.8f, 2.0f}),
                                 QueryVolume::sphere(1.6f)};
  for (const RigMotion motion : all_motions)
    for (const QueryVolume& volume : volumes) {
      RigSettings settings = settingsFor(motion);
      settings.width = settings.output_width = 20;
      settings.height = settings.output_height = 15;
      EXPECT_GT(expectVolumeSets({40, settings}, volume), 1000u);
    }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForPolyhedra)
{
  std::mt19937 random(1);
  for (const RigMotion motion : all_motions) {
    const RandomRig rig(50, settingsFor(motion));
    std::size_t samples =
        expectVolumeSets(rig, QueryVolume::polyhedron(octahedronHalfSpaces(0.3f)));
    for (const int count : {4, 9, 16}) {
      SCOPED_TRACE("half-spaces " + std::to_string(count));
      const QueryVolume volume =
          QueryVolume::polyhedron(randomHalfSpaces(random, count, 0.1f));
      samples += expectVolumeSets(rig, volume);
    }
    EXPECT_GT(samples, 1000u);
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForVolumesBesideTheirPoints)
{
  std::vector<HalfSpace> half_spaces;
  for (int axis = 0; axis < 3; ++axis) {
    half_spaces.push_back({Eigen::Vector3f::Unit(axis), 0.5f});
    half_spaces.push_back({-Eigen::Vector3f::Unit(axis), -0.2f});
  }
  const QueryVolume volume = QueryVolume::polyhedron(half_spaces);
  for (const RigMotion motion : all_motions)
    EXPECT_GT(expectVolumeSets({60, settingsFor(motion)}, volume), 100u);
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForImagesOfAnySize)
{
  for (const int size : {1, 2, 3, 15, 16, 17, 33}) {
    SCOPED_TRACE("size " + std::to_string(size));
    RigSettings settings = settingsFor(all_motions[size % 3]);
    settings.width = size;
    settings.height = 70 - size;
    settings.output_width = 49 - size;
    settings.output_height = size;
    RandomRig rig(size, settings);
    settings.height = size;
    rig.frames.push_back(RandomRig(size + 1, settings).frames[0]);
    expectFrustumSets(rig, {});
    expectVolumeSets(rig, QueryVolume::sphere(0.3f));
  }
}

TEST_P(SetsOfAlgorithms, EqualBruteForceForDepthsOfAnySize)
{
  for (const RigMotion motion : all_motions) {
    RandomRig rig(70, settingsFor(motion));
    rig.frames[0].depth.pixels[200] = 1e-30f;
    rig.frames[1].depth.pixels[300] = 1e30f;
    rig.frames[2].depth.pixels[400] = 1e-4f;
    rig.frames[3].depth.pixels[500] = 1e-40f;
    rig.frames[3].depth.pixels[600] = 3e38f;
    expectFrustumSets(rig, {});
    expectVolumeSets(rig, QueryVolume::box({0.1f, 0.1f, 0.1f}));
  }
}

TEST_P(SetsOfAlgorithms, AreEmptyForPixelsAndFramesWithoutDepth)
{
  RigSettings settings;
  settings.missing = 1.0f;
  EXPECT_EQ(expectFrustumSets({1, settings}, {}), 0u);
  EXPECT_EQ(expectVolumeSets({1, settings}, QueryVolume::sphere(10.0f)), 0u);
  const RandomRig rig(1, {});
  const std::vector<float> none(70 * 37, 0.0f);
  const QueryVolume volume = QueryVolume::sphere(10.0f);
  EXPECT_EQ(expectSets(rig, volume, none, naiveVolumeSets(rig, volume, none)), 0u);
}

TEST_P(SetsOfAlgorithms, OfFrustumsDoNotDependOnReferenceDepth)
{
  const RandomRig rig(2, {});
  expectSets(rig, {}, std::vector<float>(70 * 37, 0.0f), naiveSets(rig, {}));
}

TEST_P(SetsOfAlgorithms, AreThoseOfTheProducerAndTheConsumerByDefault)
{
  const RandomRig rig(3, {});
  const QueryVolume volume = QueryVolume::box({0.1f, 0.1f, 0.1f});
  const std::vector<float> depth = randomDepth(rig);
  expectSets(rig,
             volume,
             depth,
             naiveVolumeSets(rig, volume, depth),
             {{PaperGathering().getAlgorithm(),
               PaperGathering().getParameters().max_segments}});
}

/** \brief Segments of so many pixels have no room at once. */
TEST_P(SetsOfAlgorithms, EqualThoseOfProjectionBandByBand)
{
  RigSettings settings;
  settings.frames = 2;
  settings.width = 60;
  settings.height = 200;
  settings.output_width = 203;
  settings.output_height = 151;
  const RandomRig rig(4, settings);
  const SampleSets expected =
      gathered(rig, {}, {}, {GatheringAlgorithm::Projection, 512}, 500);
  const SampleSets sets =
      gathered(rig, {}, {}, {GatheringAlgorithm::ProducerConsumer, 512}, 500);
  expectSame(downloadedSets(sets), downloadedSets(expected));
}

TEST_P(SetsOfAlgorithms, KeepWholeFramesUpToTheFirstWithoutRoom)
{
  constexpr std::size_t capacity = 17;
  const RandomRig rig(3, {});
  const Sets all = naiveSets(rig, {});
  std::vector<AlgorithmCase> algorithms = paper_algorithms;
  algorithms.push_back({GatheringAlgorithm::Projection, 512});
  algorithms.push_back(naive_algorithm);
  for (const AlgorithmCase& algorithm : algorithms) {
    SCOPED_TRACE(algorithm.name());
    const SampleSets sets = gathered(rig, {}, {}, algorithm, capacity);
    const Sets kept = downloadedSets(sets);
    std::vector<std::uint32_t> counts;
    sets.getCounts().download(counts);
    ASSERT_EQ(kept.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(comparable(kept[i]), comparable(wholeFrames(all[i], capacity)))
          << "pixel " << i;
      ASSERT_EQ((counts[i] & SampleSets::is_full) != 0, all[i].size() > capacity)
          << "pixel " << i;
    }
  }
}

TEST_P(SetsOfAlgorithms, WantSettingsThatAreSome)
{
  PaperGathering gathering;
  EXPECT_EQ(gathering.getAlgorithm(), GatheringAlgorithm::Projection);
  EXPECT_EQ(gathering.getParameters().max_segments, 512);
  expectBadArgument("row segments",
                    [&] { change(gathering, [&](auto& p) { p.max_segments = 0; }); });
  expectBadArgument("gathering algorithm", [&] {
    gathering.setAlgorithm(static_cast<GatheringAlgorithm>(4));
  });
  gathering.setAlgorithm(GatheringAlgorithm::Naive);
  change(gathering, [&](auto& p) {
    p.max_segments = 3;
    p.volume = QueryVolume::sphere(2.0f);
  });
  EXPECT_EQ(gathering.getAlgorithm(), GatheringAlgorithm::Naive);
  EXPECT_EQ(gathering.getParameters().max_segments, 3);
  EXPECT_EQ(gathering.getParameters().volume.getRadius(), 2.0f);
  change(gathering, [&](auto& p) { p.volume = QueryVolume::frustum({}); });
  EXPECT_EQ(gathering.getParameters().volume.getShape(), QueryVolume::Shape::Frustum);
}

TEST_P(SetsOfAlgorithms, WantAReferenceDepthOfTheOutputsSize)
{
  const RandomRig rig(1, {});
  const auto frames = rig.upload();
  SampleGathering gathering;
  change(gathering, [&](auto& p) { p.volume = QueryVolume::sphere(0.1f); });
  SampleSets sets;
  expectBadArgument("reference depth",
                    [&] { gathering.gather(frames, rig.view, sets); });
  expectBadArgument("reference depth", [&] {
    gathering.gather(frames, rig.view, DeviceArray2D<float>(), sets);
  });
  expectBadArgument("reference depth", [&] {
    gathering.gather(frames, rig.view, DeviceArray2D<float>(37, 71), sets);
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SetsOfAlgorithms);

} // namespace

} // namespace pcl::gpu::test
