// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "filter_outcome.h"

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

/** \brief A filter with islands that do not move: the number of an island is the x of
 * all its particles. */
class FilterIslands : public DeviceTest {
protected:
  static constexpr int particles = 12;

  void
  SetUp() override
  {
    DeviceTest::SetUp();
    skeleton_ = chainOf({});
    filter_.setSkeleton(skeleton_);
    set(filter_, &FilterParameters::particle_count, particles);
    setRootDeviation(filter_, 0, 0);
  }

  void
  startIslands(int count, double margin, int patience)
  {
    setIslands(filter_, count, margin, patience);
    std::vector<float> poses = restPoses(*skeleton_, particles);
    for (int i = 0; i < particles; ++i)
      poses[i * skeleton_->poseSize()] = static_cast<float>(i * count / particles);
    DeviceArray<float> array;
    array.upload(poses);
    filter_.initialize(array);
  }

  /** \brief Runs a frame in which particles at x have the x-th log-likelihood.
   * \return the place of each island
   */
  std::vector<float>
  runFrame(const std::vector<double>& log_likelihoods)
  {
    std::vector<float> places;
    const int size = skeleton_->poseSize();
    const auto likelihood = [&](const DeviceArray<float>& poses,
                                DeviceArray<double>& values,
                                const Stream& stream) {
      stream.synchronize();
      const std::vector<float> rows = downloaded(poses);
      places.push_back(rows.front());
      for (std::size_t i = 0; i < rows.size(); i += size)
        EXPECT_EQ(rows[i], rows.front());
      values.upload(std::vector<double>(
          rows.size() / size, log_likelihoods.at(static_cast<int>(rows.front()))));
    };
    filter_.processFrame(likelihood, 1.0f);
    return places;
  }

  float
  leader() const
  {
    return estimateOf(filter_).mean[0];
  }

  Skeleton::ConstPtr skeleton_;
  PoseParticleFilter filter_;
};

} // namespace

TEST_P(FilterIslands, ShareTheParticles)
{
  startIslands(3, 1e9, 1);
  EXPECT_EQ(runFrame({0, 0, 0}), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(filter_.getParticles().size(), particles / 3 * skeleton_->poseSize());
  EXPECT_EQ(filter_.getLogWeights().size(), particles / 3);
  EXPECT_EQ(filter_.getAncestors().size(), particles / 3);
  EXPECT_EQ(leader(), 0);
}

TEST_P(FilterIslands, MayShareUnevenly)
{
  startIslands(5, 1e9, 1);
  std::vector<std::size_t> sizes;
  const auto likelihood = [&](const DeviceArray<float>& poses,
                              DeviceArray<double>& values,
                              const Stream& stream) {
    stream.synchronize();
    sizes.push_back(poses.size() / skeleton_->poseSize());
    values.upload(std::vector<double>(sizes.back(), 0.0));
  };
  filter_.processFrame(likelihood, 1.0f);
  EXPECT_EQ(sizes, std::vector<std::size_t>(5, 3)); // 12 particles
}

TEST_P(FilterIslands, AreLedByTheOneThatWasLikeliestLately)
{
  startIslands(2, 1e9, 1);
  runFrame({-10, -20});
  EXPECT_EQ(leader(), 0);
  runFrame({-10, -5}); // on average -10 and -12.5
  EXPECT_EQ(leader(), 0);
  runFrame({-10, -5}); // -10 and -8.75
  EXPECT_EQ(leader(), 1);
  EXPECT_EQ(filter_.getParticles().size(), particles / 2 * skeleton_->poseSize());
  EXPECT_EQ(downloaded(filter_.getParticles()).front(), 1.0f);
  EXPECT_EQ(estimateOf(filter_).best_log_likelihood, -5);
}

TEST_P(FilterIslands, StartAnewFromTheLeaderWhenTheyLagForTooLong)
{
  startIslands(3, 30, 2);
  EXPECT_EQ(runFrame({-100, 0, -29}), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(runFrame({-100, 0, -29}), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(runFrame({-100, 0, -29}), (std::vector<float>{1, 1, 2}));
}

TEST_P(FilterIslands, StayIfTheyCatchUpInTime)
{
  startIslands(2, 30, 2);
  runFrame({-100, 0});
  runFrame({70, 0}); // on average -15
  runFrame({-100, 0});
  EXPECT_EQ(runFrame({0, 0}), (std::vector<float>{0, 1}));
}

TEST_P(FilterIslands, StartAnewWherePosesAreImpossible)
{
  startIslands(2, 30, 3);
  for (int frame = 0; frame < 3; ++frame)
    EXPECT_EQ(runFrame({impossible, -1e6}), (std::vector<float>{0, 1}));
  EXPECT_EQ(leader(), 1);
  EXPECT_EQ(runFrame({0, -1e6}), (std::vector<float>{1, 1}));
}

TEST_P(FilterIslands, LastWhereAllPosesAreImpossible)
{
  startIslands(2, 30, 1);
  EXPECT_EQ(runFrame({impossible, impossible}), (std::vector<float>{0, 1}));
  EXPECT_FALSE(estimateOf(filter_).possible);
  runFrame({-3, -2});
  EXPECT_EQ(leader(), 1);
  EXPECT_EQ(runFrame({-3, -2}), (std::vector<float>{0, 1}));
}

TEST_P(FilterIslands, DifferInTheirRandomNumbers)
{
  setRootDeviation(filter_, 1, 0);
  setIslands(filter_, 2);
  filter_.initialize(skeleton_->restPose());
  std::vector<float> places;
  const auto likelihood = [&](const DeviceArray<float>& poses,
                              DeviceArray<double>& values,
                              const Stream& stream) {
    stream.synchronize();
    const std::vector<float> rows = downloaded(poses);
    for (std::size_t i = 0; i < rows.size(); i += skeleton_->poseSize())
      places.push_back(rows[i]);
    knowNothing(poses, values, stream);
  };
  filter_.processFrame(likelihood, 1.0f);
  ASSERT_EQ(places.size(), particles);
  for (int i = 0; i < particles; ++i)
    for (int other = 0; other < i; ++other)
      EXPECT_NE(places[i], places[other]);
}

TEST_P(FilterIslands, GiveTheBitsOfOneDeviceOnSeveral)
{
  for (int variant = 0; variant < variants; ++variant) {
    SCOPED_TRACE(variant);
    PoseParticleFilter filter = variedFilter(variant);
    setIslands(filter, 3, 0.0, 1);
    PoseParticleFilter shared = filter;
    shared.setDevices(std::vector<Device>(2, device()));
    expectSame(run(filter, 5), run(shared, 5));
  }
}

TEST_P(FilterIslands, AreKeptByCopiesAndDropParticles)
{
  startIslands(2, 30, 4);
  const PoseParticleFilter copy = filter_;
  EXPECT_EQ(copy.getParameters().islands, 2);
  EXPECT_EQ(copy.getParameters().island_margin, 30.0);
  EXPECT_EQ(copy.getParameters().island_patience, 4);
  setIslands(filter_, 2, 40, 4);
  EXPECT_TRUE(filter_.isInitialized());
  setIslands(filter_, 1);
  EXPECT_FALSE(filter_.isInitialized());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterIslands);
