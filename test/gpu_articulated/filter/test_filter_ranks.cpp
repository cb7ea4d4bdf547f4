// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/thread_ranks.h"
#include "filter_outcome.h"

#include <atomic>
#include <stdexcept>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

Eigen::MatrixXf
covarianceOf(PoseParticleFilter& filter)
{
  Eigen::MatrixXf covariance;
  filter.getCovariance(covariance);
  return covariance;
}

/** \brief Expects that a filter gives the same results in one process and on every
 * rank.
 * \param[in] filter a filter without a communicator
 * \param[in] follow takes a filter, and returns what it finds in some frames
 */
template <typename Follow>
void
expectSameOnRanks(const PoseParticleFilter& filter, const Follow& follow)
{
  PoseParticleFilter alone = filter;
  const Outcome expected = follow(alone);
  const Eigen::MatrixXf covariance = covarianceOf(alone);
  for (int size = 1; size <= 4; ++size)
    runRanks(size, [&](const Communicator::Ptr& communicator) {
      SCOPED_TRACE("rank " + std::to_string(communicator->rank()) + " of " +
                   std::to_string(size));
      PoseParticleFilter shared = filter;
      shared.setCommunicator(communicator);
      expectSame(expected, follow(shared));
      EXPECT_EQ(covariance, covarianceOf(shared));
    });
}

class FilterOnRanks : public DeviceTest {};

} // namespace

TEST_P(FilterOnRanks, GivesTheBitsOfOneProcess)
{
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    expectSameOnRanks(variedFilter(variant),
                      [](PoseParticleFilter& filter) { return run(filter, 5); });
  }
}

TEST_P(FilterOnRanks, GivesTheBitsOfOneProcessForPoints)
{
  for (const std::size_t particles : {61, 2}) { // 2: fewer than ranks
    SCOPED_TRACE(particles);
    expectSameOnRanks(bodyFilter(particles),
                      [](PoseParticleFilter& filter) { return followBody(filter); });
  }
}

TEST_P(FilterOnRanks, GivesTheBitsOfOneProcessFromGivenPoses)
{
  expectSameOnRanks(variedFilter(3), [](PoseParticleFilter& filter) {
    set(filter, &FilterParameters::particle_count, 7);
    const int size = filter.getSkeleton()->poseSize();
    std::vector<float> poses = restPoses(*filter.getSkeleton(), 7);
    for (int i = 0; i < 7; ++i)
      poses[i * size] = static_cast<float>(i);
    DeviceArray<float> array;
    array.upload(poses);
    filter.initialize(array);
    filter.processFrame(onHost(size, [](const float* pose) { return -pose[0]; }), 0.1f);
    return outcomeOf(filter);
  });
}

TEST_P(FilterOnRanks, TakesChangesOfSettings)
{
  expectSameOnRanks(variedFilter(3), [](PoseParticleFilter& filter) {
    run(filter, 1);
    setRootDeviation(filter, 0.1f, 0.2f);
    set(filter, &FilterParameters::partitions, {{0, 2}, {1, 3}});
    filter.processFrame(onHost(filter.getSkeleton()->poseSize(),
                               [](const float* pose) { return -pose[8] * pose[8]; }),
                        0.1f);
    return outcomeOf(filter);
  });
}

TEST_P(FilterOnRanks, GivesTheBitsOfOneProcessForIslands)
{
  for (const int variant : {1, 4})
    for (const int islands : {2, 3, 5}) // fewer than ranks, as many, or more
      for (const bool copies : {false, true}) {
        SCOPED_TRACE(std::to_string(islands) + " islands, variant " +
                     std::to_string(variant));
        PoseParticleFilter filter = variedFilter(variant);
        set(filter, &FilterParameters::particle_count, 300);
        // Either none becomes a copy, or in each frame all but the best.
        setIslands(filter, islands, copies ? 0.0 : 1e9, 1);
        expectSameOnRanks(filter,
                          [](PoseParticleFilter& each) { return run(each, 5); });
      }
}

TEST_P(FilterOnRanks, FollowsTheIslandThatLeads)
{
  // Particles of an island rest at its own x, which chooses one of the numbers.
  const std::vector<std::vector<double>> frames = {
      {-100, 0, -29}, {-100, 0, -29}, {0, -200, 0}, {0, 300, 0}};
  // After two frames the first island is a copy of the second.
  const std::vector<float> leaders = {1, 1, 2, 1};
  const std::vector<std::vector<float>> places = {
      {0, 1, 2}, {0, 1, 2}, {1, 1, 2}, {1, 1, 2}};
  constexpr int particles = 12, islands = 3;
  const Skeleton::ConstPtr skeleton = chainOf({});
  const int size = skeleton->poseSize();
  std::vector<float> poses = restPoses(*skeleton, particles);
  for (int i = 0; i < particles; ++i)
    poses[i * size] = static_cast<float>(i * islands / particles);
  const auto follow = [&](const Communicator::Ptr& communicator) {
    PoseParticleFilter filter = restingFilter(skeleton, poses);
    setIslands(filter, islands, 30, 2);
    filter.setCommunicator(communicator);
    DeviceArray<float> start;
    start.upload(poses);
    filter.initialize(start);
    const bool is_whole = !communicator || communicator->size() <= islands;
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
      SCOPED_TRACE(frame);
      std::vector<float> compared;
      const auto likelihood = [&](const DeviceArray<float>& rows,
                                  DeviceArray<double>& values,
                                  const Stream& stream) {
        stream.synchronize();
        compared.push_back(downloaded(rows).front());
        values.upload(std::vector<double>(
            values.size(), frames[frame].at(static_cast<int>(compared.back()))));
      };
      filter.processFrame(likelihood, 1.0f);
      std::size_t first = 0, last = islands;
      if (communicator && is_whole) {
        const std::vector<std::size_t> starts = communicator->shares(islands);
        first = starts[communicator->rank()];
        last = starts[communicator->rank() + 1];
      }
      EXPECT_EQ(compared,
                std::vector<float>(places[frame].begin() + first,
                                   places[frame].begin() + last));
      EXPECT_EQ(estimateOf(filter).mean[0], leaders[frame]);
      EXPECT_EQ(downloaded(filter.getParticles()).front(), leaders[frame]);
    }
  };
  follow(nullptr);
  for (int ranks = 1; ranks <= 4; ++ranks) {
    SCOPED_TRACE(ranks);
    runRanks(ranks, follow);
  }
}

TEST_P(FilterOnRanks, ComparesItsPart)
{
  constexpr std::size_t particles = 3;
  const Skeleton::ConstPtr skeleton = chainOf({});
  runRanks(4, [&](const Communicator::Ptr& communicator) {
    PoseParticleFilter filter;
    filter.setSkeleton(skeleton);
    set(filter, &FilterParameters::particle_count, particles);
    filter.setCommunicator(communicator);
    EXPECT_EQ(filter.getCommunicator(), communicator);
    filter.initialize(skeleton->restPose());
    std::vector<std::size_t> compared;
    const auto likelihood = [&](const DeviceArray<float>& poses,
                                DeviceArray<double>& values,
                                const Stream& stream) {
      compared.push_back(poses.size() / skeleton->poseSize());
      knowNothing(poses, values, stream);
    };
    for (int frame = 0; frame < 2; ++frame)
      filter.processFrame(likelihood, 1.0f);
    const std::vector<std::size_t> starts = communicator->shares(particles);
    const std::size_t own =
        starts[communicator->rank() + 1] - starts[communicator->rank()];
    EXPECT_EQ(compared, std::vector<std::size_t>(own > 0 ? 2 : 0, own));
    EXPECT_EQ(filter.getLogWeights().size(), particles);
  });
}

TEST_P(FilterOnRanks, MovesAllByAFunctionOfOnesOwn)
{
  PoseParticleFilter filter = variedFilter(1);
  const int size = filter.getSkeleton()->poseSize();
  std::atomic<std::size_t> rows(0);
  filter.setMotionFunction(
      [&rows, size](DeviceArray<float>& poses, float, const Stream& stream) {
        stream.synchronize();
        std::vector<float> values = downloaded(poses);
        rows += values.size() / size;
        for (std::size_t i = 0; i < values.size(); i += size)
          values[i] += 0.25f;
        poses.upload(values);
      });
  expectSameOnRanks(filter, [](PoseParticleFilter& each) { return run(each, 4); });
  // Four frames, in one process and on 1 to 4 ranks.
  EXPECT_EQ(rows, 4 * (1 + 1 + 2 + 3 + 4) * 1777u);
}

TEST_P(FilterOnRanks, EndsWithAnErrorWhereAnotherFails)
{
  const PoseParticleFilter filter = variedFilter(3);
  PoseParticleFilter alone = filter;
  const Outcome expected = run(alone, 5);
  std::atomic<int> ended(0);
  const auto follow = [&](const Communicator::Ptr& communicator) {
    PoseParticleFilter shared = filter;
    shared.setCommunicator(communicator);
    shared.initialize(filter.getSkeleton()->restPose());
    int calls = 0;
    const auto likelihood = [&](const DeviceArray<float>& poses,
                                DeviceArray<double>& values,
                                const Stream& stream) {
      if (communicator->rank() == 1 && ++calls == 5)
        throw std::runtime_error("a likelihood that fails");
      knowNothing(poses, values, stream);
    };
    try {
      for (int frame = 0; frame < 4; ++frame)
        shared.processFrame(likelihood, 0.1f);
    }
    catch (const CommunicationException&) {
      ++ended;
      shared.setCommunicator({});
      expectSame(expected, run(shared, 5));
    }
  };
  EXPECT_THROW(runRanks(3, follow), std::runtime_error);
  EXPECT_EQ(ended, 2);
}

TEST_P(FilterOnRanks, WaitsByTheCommunicator)
{
  PoseParticleFilter filter = variedFilter(3);
  const Outcome expected = run(filter, 5);
  const auto communicator = std::make_shared<FirstOfTwoRanks>(device());
  filter.setCommunicator(communicator);
  filter.initialize(filter.getSkeleton()->restPose());
  filter.processFrame(knowNothing, 0.1f);
  PoseEstimate estimate;
  Eigen::MatrixXf covariance;
  filter.getEstimate(estimate);
  filter.getCovariance(covariance);
  communicator->other_failed = true;
  EXPECT_THROW(filter.getEstimate(estimate), CommunicationException);
  EXPECT_THROW(filter.getCovariance(covariance), CommunicationException);
  setRootDeviation(filter, 0.1f, 0.2f);
  EXPECT_THROW(filter.processFrame(knowNothing, 0.1f), CommunicationException);
  EXPECT_THROW(filter.initialize(filter.getSkeleton()->restPose()),
               CommunicationException);
  communicator->other_failed = false;
  setIslands(filter, 2);
  filter.initialize(filter.getSkeleton()->restPose());
  communicator->other_failed = true;
  EXPECT_THROW(filter.processFrame(knowNothing, 0.1f), CommunicationException);
  PoseParticleFilter alone = variedFilter(3);
  filter.setParameters(alone.getParameters());
  filter.setCommunicator({});
  expectSame(expected, run(filter, 5));
}

TEST_P(FilterOnRanks, CopiesNoParticlesThatDidNotArrive)
{
  PoseParticleFilter filter = variedFilter(3);
  setIslands(filter, 2, 0.0, 1);
  const auto communicator = std::make_shared<FirstOfTwoRanks>(device());
  // The other rank's estimate is always that of the first frame.
  std::vector<char> estimate;
  communicator->on_broadcast =
      [&](char* bytes, std::size_t count, int root, const Stream& stream) {
        if (root == 0 && estimate.empty()) {
          estimate.resize(count);
          copyAsync(bytes, estimate.data(), count, stream);
          stream.synchronize();
        }
        if (root == 0)
          return;
        if (count == estimate.size())
          return copyAsync(estimate.data(), bytes, count, stream);
        fillAsync(device(), bytes, 0xff, count, stream);
        communicator->other_failed = true;
      };
  filter.setCommunicator(communicator);
  filter.initialize(filter.getSkeleton()->restPose());
  filter.processFrame(knowNothing, 0.1f);
  EXPECT_FALSE(communicator->other_failed);
  // The other rank's island leads, and would replace this rank's own.
  const auto isWorse =
      [](const DeviceArray<float>&, DeviceArray<double>& values, const Stream&) {
        values.upload(std::vector<double>(values.size(), -1000.0));
      };
  EXPECT_THROW(filter.processFrame(isWorse, 0.1f), CommunicationException);
  EXPECT_TRUE(communicator->other_failed);
  const std::vector<std::uint32_t> ancestors = downloaded(filter.getAncestors());
  for (const std::uint32_t ancestor : ancestors)
    ASSERT_LT(ancestor, ancestors.size());
  EXPECT_THROW(filter.processFrame(isWorse, 0.1f), CommunicationException);
}

TEST_P(FilterOnRanks, HasTheDeviceOfItsCommunicator)
{
  PoseParticleFilter filter = variedFilter(1);
  const std::vector<float> pose = filter.getSkeleton()->restPose();
  filter.setCommunicator(std::make_shared<FirstOfTwoRanks>(Device::cuda(4096)));
  expectBadArgument("cuda:4096", [&] { filter.initialize(pose); });
  filter.setCommunicator(std::make_shared<FirstOfTwoRanks>(device()));
  filter.initialize(pose);
  filter.setDevices({device(), device()});
  expectBadArgument("number of devices is 2", [&] { filter.initialize(pose); });
  filter.setDevices({device()});
  filter.initialize(pose);
  EXPECT_TRUE(filter.isInitialized());
}

TEST_P(FilterOnRanks, IsKeptByCopiesAndDropsParticles)
{
  PoseParticleFilter filter = variedFilter(1);
  EXPECT_EQ(filter.getCommunicator(), nullptr);
  filter.initialize(filter.getSkeleton()->restPose());
  const auto communicator = std::make_shared<FirstOfTwoRanks>(device());
  filter.setCommunicator(communicator);
  EXPECT_FALSE(filter.isInitialized());
  filter.initialize(filter.getSkeleton()->restPose());
  filter.setCommunicator(communicator);
  EXPECT_TRUE(filter.isInitialized());
  EXPECT_EQ(PoseParticleFilter(filter).getCommunicator(), communicator);
  filter.setCommunicator({});
  EXPECT_FALSE(filter.isInitialized());
}

TEST_P(FilterOnRanks, NeedsTheMemoryThatItSays)
{
  PoseParticleFilter filter = bodyFilter(2000);
  const Skeleton& body = *filter.getSkeleton();
  const auto bytes = [&](bool has_ranks, Resampling resampling) {
    filter.setCommunicator(has_ranks ? std::make_shared<FirstOfTwoRanks>(device())
                                     : nullptr);
    set(filter, &FilterParameters::resampling, resampling);
    return filter.estimateMemory(1000);
  };
  // Half of the skins and of their log-likelihoods, but the log-likelihoods of all.
  const std::size_t capsules = body.getCapsules().size();
  const std::size_t skin =
      capsules * (body.hasPlainCapsules() ? sizeof(Capsule) : sizeof(TaperedCapsule));
  CapsuleLikelihood likelihood;
  likelihood.setParameters(filter.getParameters().likelihood);
  const auto ofLikelihood = [&](std::size_t particles) {
    return likelihood.estimateMemory(1000, particles, static_cast<int>(capsules));
  };
  EXPECT_EQ(bytes(false, Resampling::Systematic) - bytes(true, Resampling::Systematic),
            1000 * (skin + 8) + ofLikelihood(2000) - ofLikelihood(1000) - 2000 * 8);
  // Each rank draws all particles, or those of one of two islands.
  const auto ofResiduals = [&](bool has_ranks) {
    return bytes(has_ranks, Resampling::Residual) -
           bytes(has_ranks, Resampling::Systematic);
  };
  EXPECT_EQ(ofResiduals(true), 2000u * 16);
  setIslands(filter, 2);
  EXPECT_EQ(ofResiduals(false), 2000u * 16);
  EXPECT_EQ(ofResiduals(true), 1000u * 16);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterOnRanks);
