// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"

#include <algorithm>
#include <cstring>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Room, numbers and places of the output.

class TensorOutput : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    cloud_ = damagedCloud(40, 50, 1);
    pairs_ = referencePairs(cloud_, {});
    pairs_.resize(100);
    mesh_ = meshOf(cloud_, Cut::Left, 0.01f);
    change(extraction_, [&](auto& p) {
      p.voxel_size = 0.004f;
      p.voxel_unit = LengthUnit::Metres;
    });
    expected_ = tensorsOf(extraction_, cloud_, mesh_, pairs_);
  }

  void
  compute(const PointPairs& pairs, TensorSet& tensors)
  {
    extraction_.compute(
        uploaded(cloud_.points), uploaded(cloud_.normals), mesh_, {}, pairs, tensors);
  }

  /** \brief An array that is the middle of a larger one, which is full of a pattern. */
  template <typename T>
  struct Guarded {
    explicit Guarded(std::size_t size) : whole(size + 2 * margin)
    {
      std::vector<T> pattern(size + 2 * margin);
      std::memset(pattern.data(), 0xC5, pattern.size() * sizeof(T));
      whole.upload(pattern);
      part = DeviceArray<T>(whole.ptr() + margin, size);
    }

    void
    expectMarginsAreWhole() const
    {
      std::vector<T> all(whole.size());
      whole.download(all);
      T pattern;
      std::memset(&pattern, 0xC5, sizeof(T));
      for (std::size_t i = 0; i < margin; ++i) {
        const T &before = all[i], &behind = all[all.size() - 1 - i];
        ASSERT_EQ(std::memcmp(&before, &pattern, sizeof(T)), 0) << i;
        ASSERT_EQ(std::memcmp(&behind, &pattern, sizeof(T)), 0) << i;
      }
    }

    static constexpr std::size_t margin = 4096;
    DeviceArray<T> whole;
    DeviceArray<T> part;
  };

  OrientedCloud cloud_;
  std::vector<PointPair> pairs_;
  OrganizedMesh mesh_;
  TensorExtraction extraction_;
  HostTensors expected_;
};

TEST_P(TensorOutput, HasRoomForEveryVoxelByDefault)
{
  TensorSet tensors = poisonedTensors();
  compute(uploadedPairs(pairs_), tensors);
  EXPECT_EQ(tensors.grid_size, 10);
  EXPECT_EQ(tensors.frames.size(), 100u);
  EXPECT_EQ(tensors.starts.size(), 101u);
  EXPECT_EQ(tensors.areas.size(), 100000u);
  EXPECT_EQ(tensors.voxels.size(), 100000u);
  EXPECT_TRUE(sameTensors(downloadedTensors(tensors), expected_));
}

TEST_P(TensorOutput, HasTheRoomThatIsReserved)
{
  change(extraction_, [&](auto& p) { p.max_entries = expected_.areas.size(); });
  TensorSet tensors = poisonedTensors();
  compute(uploadedPairs(pairs_), tensors);
  EXPECT_EQ(tensors.areas.size(), expected_.areas.size());
  EXPECT_TRUE(sameTensors(downloadedTensors(tensors), expected_));
  change(extraction_, [&](auto& p) { p.max_entries = 0; });
  compute(uploadedPairs(pairs_), tensors);
  EXPECT_EQ(tensors.areas.size(), 100000u);
}

TEST_P(TensorOutput, SaysHowMuchRoomItWouldHaveTaken)
{
  const std::size_t all = expected_.areas.size();
  ASSERT_GT(all, 1000u);
  for (std::size_t room : {std::size_t(1), all / 2, all - 1}) {
    SCOPED_TRACE(room);
    change(extraction_, [&](auto& p) { p.max_entries = room; });
    Guarded<std::uint16_t> voxels(room);
    Guarded<float> areas(room);
    Guarded<TensorFrame> frames(pairs_.size());
    Guarded<std::uint32_t> starts(pairs_.size() + 1);
    Guarded<int> count(1);
    TensorSet tensors;
    tensors.voxels = voxels.part;
    tensors.areas = areas.part;
    tensors.frames = frames.part;
    tensors.starts = starts.part;
    tensors.count = count.part;
    compute(uploadedPairs(pairs_), tensors);
    ASSERT_EQ(tensors.areas.ptr(), areas.part.ptr()) << "memory that fits was not kept";
    ASSERT_EQ(tensors.voxels.ptr(), voxels.part.ptr());
    EXPECT_EQ(downloaded(tensors.starts), expected_.starts);
    EXPECT_EQ(downloaded(tensors.count).at(0), 100);
    const auto some_voxels = downloaded(tensors.voxels);
    const auto some_areas = downloaded(tensors.areas);
    ASSERT_EQ(some_areas.size(), room);
    EXPECT_TRUE(
        std::equal(some_voxels.begin(), some_voxels.end(), expected_.voxels.begin()));
    EXPECT_TRUE(
        std::equal(some_areas.begin(), some_areas.end(), expected_.areas.begin()));
    voxels.expectMarginsAreWhole();
    areas.expectMarginsAreWhole();
    frames.expectMarginsAreWhole();
    starts.expectMarginsAreWhole();
    count.expectMarginsAreWhole();
  }
}

TEST_P(TensorOutput, IsForPairsThatAreThereNotForTheirRoom)
{
  for (int count : {0, 1, 37, 99}) {
    SCOPED_TRACE(count);
    PointPairs pairs = uploadedPairs(pairs_);
    pairs.count = uploaded(std::vector<int>{count});
    TensorSet tensors = poisonedTensors();
    compute(pairs, tensors);
    EXPECT_EQ(tensors.frames.size(), 100u);
    const HostTensors some = downloadedTensors(tensors);
    ASSERT_EQ(some.size(), count);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(sameTensor(some, i, expected_, i));
  }
}

TEST_P(TensorOutput, IsNoMoreThanThereIsRoomForPairs)
{
  PointPairs pairs = uploadedPairs(pairs_);
  pairs.count = uploaded(std::vector<int>{1000000});
  TensorSet tensors = poisonedTensors();
  compute(pairs, tensors);
  EXPECT_TRUE(sameTensors(downloadedTensors(tensors), expected_));
}

TEST_P(TensorOutput, OfNoPairsIsEmpty)
{
  TensorSet tensors = poisonedTensors();
  compute(PointPairs(), tensors);
  EXPECT_EQ(downloadedTensors(tensors).size(), 0);
  EXPECT_TRUE(tensors.frames.empty());
  EXPECT_EQ(tensors.starts.size(), 1u);
  PointPairs without_count;
  without_count.pairs = uploaded(pairs_);
  tensors = poisonedTensors();
  compute(without_count, tensors);
  EXPECT_EQ(downloadedTensors(tensors).size(), 0);
}

TEST_P(TensorOutput, OfAnEmptyCloudIsEmpty)
{
  TensorSet tensors = poisonedTensors();
  extraction_.compute({}, {}, OrganizedMesh(), {}, PointPairs(), tensors);
  EXPECT_EQ(downloadedTensors(tensors).size(), 0);
  tensors = poisonedTensors();
  extraction_.compute(DeviceArray<pcl::PointXYZ>(),
                      DeviceArray<pcl::PointXYZ>(),
                      DeviceArray<int>(),
                      PointPairs(),
                      tensors);
  EXPECT_EQ(downloadedTensors(tensors).size(), 0);
}

TEST_P(TensorOutput, LeavesOutVoxelsUpToTheLeastArea)
{
  for (float least : {1e-4f, 0.05f, 0.5f, 1.0f, 10.0f}) {
    SCOPED_TRACE(least);
    change(extraction_, [&](auto& p) { p.min_area = least; });
    const HostTensors actual = tensorsOf(extraction_, cloud_, mesh_, pairs_);
    ASSERT_EQ(actual.size(), expected_.size());
    std::uint32_t place = 0;
    for (int i = 0; i < expected_.size(); ++i) {
      ASSERT_EQ(actual.starts[i], place);
      for (std::uint32_t j = expected_.starts[i]; j < expected_.starts[i + 1]; ++j) {
        if (expected_.areas[j] <= least)
          continue;
        ASSERT_LT(place, actual.areas.size());
        ASSERT_EQ(actual.voxels[place], expected_.voxels[j]);
        ASSERT_EQ(actual.areas[place], expected_.areas[j]);
        ++place;
      }
    }
    EXPECT_EQ(actual.areas.size(), place);
    EXPECT_LT(actual.areas.size(), expected_.areas.size());
  }
}

TEST_P(TensorOutput, LeavesOutAreasOfExactlyTheLeast)
{
  VertexMesh mesh = meshInItsOwnFrame();
  addTriangle(mesh, 0.5f, {0, 0, 0.5f}, {1, 0, 0.5f}, {0, 1, 0.5f});
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.5f;
    p.voxel_unit = LengthUnit::Metres;
  });
  change(extraction, [&](auto& p) { p.min_area = 0.5f; });
  EXPECT_EQ(tensorsOf(extraction, mesh).areas.size(), 0u);
  change(extraction, [&](auto& p) { p.min_area = 0.4999f; });
  EXPECT_EQ(tensorsOf(extraction, mesh).areas.size(), 1u);
}

TEST_P(TensorOutput, LeavesTheInputAsItIs)
{
  const OrganizedCloud points = uploaded(cloud_.points);
  const NormalMap normals = uploaded(cloud_.normals);
  const PointPairs pairs = uploadedPairs(pairs_);
  const auto validity = downloaded(mesh_.validity);
  TensorSet tensors;
  extraction_.compute(points, normals, mesh_, {}, pairs, tensors);
  EXPECT_TRUE(sameBits(downloaded(points), cloud_.points));
  EXPECT_TRUE(sameBits(downloaded(normals), cloud_.normals));
  EXPECT_TRUE(sameBits(downloaded(mesh_.validity), validity));
  EXPECT_TRUE(samePairs(downloadedPairs(pairs), pairs_));
}

TEST_P(TensorOutput, JoinsAStream)
{
  const Stream stream = Stream::create();
  const OrganizedCloud points = uploaded(cloud_.points);
  const NormalMap normals = uploaded(cloud_.normals);
  const PointPairs pairs = uploadedPairs(pairs_);
  TensorSet tensors = poisonedTensors();
  Stream().synchronize(); // which the other stream does not wait for
  extraction_.compute(points, normals, mesh_, {}, pairs, tensors, stream);
  stream.synchronize();
  EXPECT_TRUE(sameTensors(downloadedTensors(tensors), expected_));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorOutput);

} // namespace
