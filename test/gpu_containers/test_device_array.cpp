// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_exception.h>

#include "common/devices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

using pcl::gpu::DeviceArray;
using pcl::gpu::DeviceMemory;

namespace {

std::vector<int>
sequence(std::size_t size)
{
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

DeviceArray<int>
uploaded(const std::vector<int>& values)
{
  DeviceArray<int> array;
  array.upload(values);
  return array;
}

std::vector<int>
downloaded(const DeviceArray<int>& array)
{
  std::vector<int> values{-1, -2, -3}; // not the values before
  array.download(values);
  return values;
}

class DeviceArrayTest : public pcl::gpu::test::DeviceTest {};

} // namespace

TEST_P(DeviceArrayTest, DownloadGivesBackWhatWasUploaded)
{
  for (const std::size_t size : {1, 2, 63, 64, 65, 100000}) {
    const std::vector<int> values = sequence(size);
    EXPECT_EQ(values, downloaded(uploaded(values))) << size << " elements";
  }
}

TEST_P(DeviceArrayTest, MemoryIsAligned)
{
  for (const std::size_t size : {1, 3, 1000}) {
    DeviceArray<char> array(size);
    EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(array.ptr()) % 64);
  }
}

TEST_P(DeviceArrayTest, CopiesShareTheBuffer)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  DeviceArray<int> copy(array), assigned;
  assigned = array;
  EXPECT_EQ(array.ptr(), copy.ptr());
  EXPECT_EQ(array.ptr(), assigned.ptr());
  const int changed = 20;
  ASSERT_TRUE(copy.upload(&changed, 1, 1));
  EXPECT_EQ((std::vector<int>{1, 20, 3}), downloaded(array));
}

TEST_P(DeviceArrayTest, TheLastCopyKeepsTheBufferAlive)
{
  DeviceArray<int> last;
  {
    const DeviceArray<int> first = uploaded({1, 2, 3});
    last = first;
  }
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(last));
}

TEST_P(DeviceArrayTest, SelfAssignmentChangesNothing)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  const DeviceArray<int>& same = array;
  array = same;
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
  DeviceArray<int>& itself = array;
  array = std::move(itself);
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
}

TEST_P(DeviceArrayTest, ManyThreadsMayCopyAndDestroy)
{
  const DeviceArray<int> array = uploaded(sequence(100));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&array] {
      for (int i = 0; i < 10000; ++i) {
        DeviceArray<int> copy(array), moved(std::move(copy));
        copy = moved;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(sequence(100), downloaded(array));
}

TEST_P(DeviceArrayTest, TheLastCopyMayDieInAnotherThread)
{
  DeviceArray<int> array = uploaded(sequence(100));
  std::thread([owned = std::move(array)]() mutable { owned.release(); }).join();
  EXPECT_TRUE(array.empty());
}

TEST_P(DeviceArrayTest, MovingTakesTheBufferOver)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  const int* const pointer = array.ptr();
  DeviceArray<int> moved(std::move(array));
  EXPECT_EQ(pointer, moved.ptr());
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(0u, array.size());
  DeviceArray<int> assigned = uploaded({4});
  assigned = std::move(moved);
  EXPECT_TRUE(moved.empty());
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(assigned));
  static_assert(std::is_nothrow_move_constructible<DeviceArray<int>>::value, "");
  static_assert(std::is_nothrow_move_assignable<DeviceArray<int>>::value, "");
}

TEST_P(DeviceArrayTest, SwapExchanges)
{
  DeviceArray<int> a = uploaded({1, 2, 3}), b = uploaded({4});
  a.swap(b);
  EXPECT_EQ((std::vector<int>{4}), downloaded(a));
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(b));
}

TEST_P(DeviceArrayTest, CreateKeepsABufferOfTheRightSize)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  const int* const pointer = array.ptr();
  array.create(3);
  EXPECT_EQ(pointer, array.ptr());
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
}

TEST_P(DeviceArrayTest, CreateOfAnotherSizeLeavesTheBufferToItsOtherOwners)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  const DeviceArray<int> copy = array;
  array.create(4);
  EXPECT_EQ(4u, array.size());
  EXPECT_NE(copy.ptr(), const_cast<const DeviceArray<int>&>(array).ptr());
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(copy));
}

TEST_P(DeviceArrayTest, CreateOfZeroEmptiesAFullBuffer)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  array.create(0);
  EXPECT_TRUE(array.empty());
  EXPECT_EQ(0u, array.size());
  EXPECT_EQ(nullptr, array.ptr());
}

TEST_P(DeviceArrayTest, UploadOfAnEmptyVectorEmpties)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  array.upload(std::vector<int>());
  EXPECT_TRUE(array.empty());
  array = uploaded({1, 2, 3});
  array.upload(nullptr, 0);
  EXPECT_TRUE(array.empty());
  EXPECT_TRUE(downloaded(array).empty());
}

TEST_P(DeviceArrayTest, UploadKeepsABufferOfTheRightSize)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  const DeviceArray<int> copy = array;
  array.upload(std::vector<int>{4, 5, 6});
  EXPECT_EQ((std::vector<int>{4, 5, 6}), downloaded(copy));
}

TEST_P(DeviceArrayTest, RangesInsideAreCopied)
{
  DeviceArray<int> array = uploaded(sequence(5));
  const std::vector<int> values{30, 40};
  EXPECT_TRUE(array.upload(values.data(), 2, 2));
  EXPECT_EQ((std::vector<int>{1, 2, 30, 40, 5}), downloaded(array));
  std::vector<int> back(3, -1);
  EXPECT_TRUE(array.download(back.data(), 1, 2));
  EXPECT_EQ((std::vector<int>{2, 30, -1}), back);
  EXPECT_TRUE(array.download(back.data(), 5, 0)) << "nothing, at the end";
  EXPECT_TRUE(array.upload(nullptr, 0, 0));
  EXPECT_TRUE(DeviceArray<int>().download(nullptr, 0, 0));
}

TEST_P(DeviceArrayTest, RangesOutsideAreRefused)
{
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  const std::pair<std::size_t, std::size_t> ranges[] = {{0, 6},
                                                        {4, 2},
                                                        {5, 1},
                                                        {6, 0},
                                                        {huge, 1},
                                                        {1, huge},
                                                        {huge, huge},
                                                        {huge / 4 + 1, 1}};
  DeviceArray<int> array = uploaded(sequence(5));
  DeviceMemory& memory = array;
  std::vector<int> host(8, -1);
  for (const auto& range : ranges) {
    EXPECT_FALSE(array.upload(host.data(), range.first, range.second));
    EXPECT_FALSE(array.download(host.data(), range.first, range.second));
  }
  EXPECT_FALSE(memory.upload(host.data(), huge, 2));
  EXPECT_FALSE(memory.download(host.data(), 19, 2));
  EXPECT_EQ(sequence(5), downloaded(array));
  EXPECT_EQ(std::vector<int>(8, -1), host);
}

TEST_P(DeviceArrayTest, AWrappedBufferIsUsedAndNotFreed)
{
  DeviceArray<int> owner(3);
  {
    DeviceArray<int> wrapper(owner.ptr(), owner.size());
    EXPECT_EQ(device(), deviceOf(wrapper));
    wrapper.upload(std::vector<int>{1, 2, 3});
    EXPECT_EQ(owner.ptr(), wrapper.ptr());
    DeviceArray<int> copy = wrapper;
    wrapper.release();
    EXPECT_EQ(owner.ptr(), copy.ptr());
    copy.create(5);
    EXPECT_NE(owner.ptr(), copy.ptr());
  }
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(owner));
}

TEST_P(DeviceArrayTest, CopyToMakesAnIndependentCopy)
{
  const DeviceArray<int> array = uploaded({1, 2, 3});
  DeviceArray<int> copy = uploaded({9});
  array.copyTo(copy);
  EXPECT_NE(array.ptr(), const_cast<const DeviceArray<int>&>(copy).ptr());
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(copy));
}

TEST_P(DeviceArrayTest, CopyToKeepsADestinationOfTheRightSize)
{
  DeviceArray<int> copy(3);
  const int* const pointer = copy.ptr();
  uploaded({1, 2, 3}).copyTo(copy);
  EXPECT_EQ(pointer, copy.ptr());
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(copy));
}

TEST_P(DeviceArrayTest, CopyToItselfChangesNothing)
{
  DeviceArray<int> array = uploaded({1, 2, 3}), shared = array;
  array.copyTo(array);
  array.copyTo(shared);
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
}

TEST_P(DeviceArrayTest, CopyOfNothingEmptiesTheDestination)
{
  DeviceArray<int> copy = uploaded({1, 2, 3});
  DeviceArray<int>().copyTo(copy);
  EXPECT_TRUE(copy.empty());
}

TEST_P(DeviceArrayTest, ViewsCountWholeElements)
{
  DeviceMemory memory(10);
  EXPECT_EQ(2u, static_cast<pcl::gpu::PtrSz<int>>(memory).size);
  EXPECT_EQ(10u, static_cast<pcl::gpu::PtrSz<char>>(memory).size);
  EXPECT_EQ(nullptr, static_cast<pcl::gpu::PtrSz<int>>(DeviceMemory()).data);
}

TEST_P(DeviceArrayTest, TooLittleMemoryIsATypedErrorThatNamesTheBytes)
{
  const std::size_t bytes = std::size_t{1} << 50;
  DeviceArray<char> array(3);
  try {
    array.create(bytes);
    FAIL() << "2^50 bytes were allocated";
  }
  catch (const pcl::gpu::DeviceOutOfMemoryException& error) {
    EXPECT_EQ(bytes, error.bytesAsked());
    EXPECT_GT(error.bytesFree(), 0u);
    EXPECT_LT(error.bytesFree(), bytes);
    EXPECT_EQ(device(), error.device());
    const std::string message = error.what();
    EXPECT_NE(std::string::npos, message.find(std::to_string(bytes))) << message;
    EXPECT_NE(std::string::npos, message.find(std::to_string(error.bytesFree())));
    EXPECT_NE(std::string::npos, message.find(device().name())) << message;
  }
  EXPECT_TRUE(array.empty());
  array.create(3); // the device is as good as before
  EXPECT_EQ(3u, array.size());
}

TEST_P(DeviceArrayTest, ASizeBeyondTheAddressSpaceIsABadArgument)
{
  const std::size_t count = std::numeric_limits<std::size_t>::max() / sizeof(int) + 2;
  DeviceArray<int> array = uploaded({1, 2, 3});
  EXPECT_THROW(array.create(count), pcl::BadArgumentException);
  EXPECT_THROW(DeviceArray<int>{count}, pcl::BadArgumentException);
  const int value = 0;
  EXPECT_THROW(array.upload(&value, count), pcl::BadArgumentException);
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
}

TEST_P(DeviceArrayTest, ANullPointerIsABadArgument)
{
  DeviceArray<int> array = uploaded({1, 2, 3});
  int* const nowhere = nullptr;
  EXPECT_THROW(array.upload(nowhere, 3), pcl::BadArgumentException);
  EXPECT_THROW(array.upload(nowhere, 0, 1), pcl::BadArgumentException);
  EXPECT_THROW(array.download(nowhere), pcl::BadArgumentException);
  EXPECT_THROW(array.download(nowhere, 0, 1), pcl::BadArgumentException);
  EXPECT_EQ((std::vector<int>{1, 2, 3}), downloaded(array));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DeviceArrayTest);
