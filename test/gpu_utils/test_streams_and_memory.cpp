// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "testing/image.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class Streams : public DeviceTest {};

TEST_P(Streams, AreTheDefaultStreamUnlessCreated)
{
  const Stream stream;
  EXPECT_EQ(stream.get(), nullptr);
  EXPECT_EQ(Stream(nullptr).get(), nullptr);
  EXPECT_NO_THROW(stream.synchronize());
}

TEST_P(Streams, CreatedAreOfTheirOwnOnCudaAndTheDefaultOnTheHost)
{
  const Stream stream = Stream::create();
  const Stream other = Stream::create();
  if (device().isHost()) {
    EXPECT_EQ(stream.get(), nullptr);
  }
  else {
    EXPECT_NE(stream.get(), nullptr);
    EXPECT_NE(stream.get(), other.get());
  }
  EXPECT_NO_THROW(stream.synchronize());
}

TEST_P(Streams, LiveAsLongAsTheirLastCopy)
{
  Stream copy;
  {
    const Stream stream = Stream::create();
    copy = stream;
    EXPECT_EQ(copy.get(), stream.get());
  }
  EXPECT_NO_THROW(copy.synchronize());
  Stream moved = std::move(copy);
  EXPECT_NO_THROW(moved.synchronize());
}

TEST_P(Streams, DoNotDestroyWhatTheyOnlyReferTo)
{
  const Stream owner = Stream::create();
  {
    const Stream guest(owner.get());
    EXPECT_EQ(guest.get(), owner.get());
  }
  EXPECT_NO_THROW(owner.synchronize());
}

TEST_P(Streams, WaitForEventsOfOthers)
{
  constexpr int count = 1 << 22;
  const Stream first = Stream::create();
  const Stream second = Stream::create();
  const Event event = Event::create();
  EXPECT_EQ(event.get() == nullptr, device().isHost());
  EXPECT_NO_THROW(second.waitFor(event)) << "it was not recorded";
  EXPECT_NO_THROW(second.waitFor(Event()));
  EXPECT_NO_THROW(Event().record(first));
  const std::vector<int> there(count, 42);
  std::vector<int> back(count, -1);
  DeviceArray<int> memory(count), copy(count);
  // Not page-locked: the first stream is busy for a while.
  for (int repeat = 0; repeat < 3; ++repeat)
    copyAsync(there.data(), memory.ptr(), memory.sizeBytes(), first);
  event.record(first);
  second.waitFor(event);
  copyAsync(memory.ptr(), copy.ptr(), memory.sizeBytes(), second);
  second.synchronize();
  copyAsync(copy.ptr(), back.data(), memory.sizeBytes(), second);
  second.synchronize();
  EXPECT_EQ(back, there);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Streams);

class AsyncCopies : public DeviceTest {
protected:
  static std::vector<int>
  numbers(int count)
  {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1000);
    return values;
  }
};

TEST_P(AsyncCopies, BringBytesToTheDeviceAndBack)
{
  const Stream stream = Stream::create();
  const std::vector<int> there = numbers(1001);
  std::vector<int> back(1001, -1);
  DeviceArray<int> memory(1001);
  DeviceArray<int> second(1001);
  copyAsync(there.data(), memory.ptr(), memory.sizeBytes(), stream);
  copyAsync(memory.ptr(), second.ptr(), memory.sizeBytes(), stream);
  copyAsync(second.ptr(), back.data(), memory.sizeBytes(), stream);
  stream.synchronize();
  EXPECT_EQ(back, there);
}

TEST_P(AsyncCopies, CopyNoMoreThanTheyWereAsked)
{
  const std::vector<int> there = numbers(10);
  std::vector<int> back(10, -1);
  DeviceArray<int> memory(10);
  copyAsync(there.data(), memory.ptr(), memory.sizeBytes(), {});
  copyAsync(memory.ptr() + 2, back.data() + 3, 4 * sizeof(int), {});
  Stream().synchronize();
  EXPECT_EQ(back, (std::vector<int>{-1, -1, -1, 1002, 1003, 1004, 1005, -1, -1, -1}));
}

TEST_P(AsyncCopies, OfNothingDoNothing)
{
  EXPECT_NO_THROW(copyAsync(nullptr, nullptr, 0, {}));
  EXPECT_NO_THROW(copyAsync2D(nullptr, 0, nullptr, 0, 0, 0, {}));
}

TEST_P(AsyncCopies, OfImagesHonourPitchesOnBothSides)
{
  constexpr int rows = 7;
  constexpr int columns = 13;
  constexpr int pitch = 20;
  const Stream stream = Stream::create();
  const std::vector<int> there = numbers(rows * pitch);
  std::vector<int> back(rows * columns, -1);
  DeviceArray2D<int> memory(rows, columns);
  DeviceArray2D<int> second(rows, columns);
  const std::size_t row_bytes = columns * sizeof(int);
  copyAsync2D(there.data(),
              pitch * sizeof(int),
              memory.ptr(),
              memory.step(),
              row_bytes,
              rows,
              stream);
  copyAsync2D(memory.ptr(),
              memory.step(),
              second.ptr(),
              second.step(),
              row_bytes,
              rows,
              stream);
  copyAsync2D(
      second.ptr(), second.step(), back.data(), row_bytes, row_bytes, rows, stream);
  stream.synchronize();
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u)
      ASSERT_EQ(back[v * columns + u], there[v * pitch + u]);
}

TEST_P(AsyncCopies, OfImagesLeaveThePaddingAlone)
{
  const std::vector<int> there = numbers(6);
  std::vector<int> back(12, -1);
  copyAsync2D(there.data(), 8, back.data(), 16, 8, 3, {});
  Stream().synchronize();
  EXPECT_EQ(
      back,
      (std::vector<int>{1000, 1001, -1, -1, 1002, 1003, -1, -1, 1004, 1005, -1, -1}));
}

TEST_P(AsyncCopies, WithinADeviceAndFromTheHostGoStraight)
{
  EXPECT_TRUE(enablePeerAccess(device(), device()));
  EXPECT_TRUE(enablePeerAccess(device(), Device::host()));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(AsyncCopies);

// "cuda" in the name has CTest run this only where there is a device.
TEST(AsyncCopiesBetween_cuda_devices, BringBytesThere)
{
  const Device first = deviceNamed("cuda");
  if (getCudaEnabledDeviceCount() < 2)
    skipTest("there is only one CUDA device on this machine");
  const Device second = Device::cuda(1);
  const bool straight = enablePeerAccess(first, second);
  EXPECT_EQ(enablePeerAccess(first, second), straight) << "a second time";
  const std::vector<int> there(1000, 42);
  std::vector<int> back(1000, -1);
  DeviceArray<int> memory, copy;
  {
    const ScopedDevice scope(second);
    copy.create(1000);
  }
  const ScopedDevice scope(first);
  memory.upload(there);
  const Stream stream = Stream::create();
  copyAsync(memory.ptr(), copy.ptr(), memory.sizeBytes(), stream);
  stream.synchronize();
  copy.download(back);
  EXPECT_EQ(back, there);
}

class Workspaces : public DeviceTest {
protected:
  static std::uintptr_t
  addressOf(const void* pointer)
  {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
};

TEST_P(Workspaces, GiveAlignedPiecesThatDoNotOverlap)
{
  Workspace workspace;
  workspace.reserve(Workspace::bytesFor<char>(1) + Workspace::bytesFor<double>(33) +
                    Workspace::bytesFor<int>(64) + Workspace::bytesFor<char>(256));
  const auto a = addressOf(workspace.take<char>(1));
  const auto b = addressOf(workspace.take<double>(33));
  const auto c = addressOf(workspace.take<int>(64));
  const auto d = addressOf(workspace.take<char>(256));
  for (auto address : {a, b, c, d})
    EXPECT_EQ(address % Workspace::alignment, 0u);
  EXPECT_GE(b, a + 1);
  EXPECT_GE(c, b + 33 * sizeof(double));
  EXPECT_GE(d, c + 64 * sizeof(int));
}

TEST_P(Workspaces, CountBytesInWholeAlignments)
{
  EXPECT_EQ(Workspace::bytesFor<char>(0), 0u);
  EXPECT_EQ(Workspace::bytesFor<char>(1), 256u);
  EXPECT_EQ(Workspace::bytesFor<char>(256), 256u);
  EXPECT_EQ(Workspace::bytesFor<char>(257), 512u);
  EXPECT_EQ(Workspace::bytesFor<double>(33), 512u);
}

TEST_P(Workspaces, GiveMemoryOfTheCurrentDeviceThatCanBeUsed)
{
  Workspace workspace;
  workspace.reserve(Workspace::bytesFor<int>(1000));
  int* const piece = workspace.take<int>(1000);
  EXPECT_TRUE(deviceOf(piece) == device());
  const std::vector<int> there(1000, 42);
  std::vector<int> back(1000);
  copyAsync(there.data(), piece, 4000, {});
  copyAsync(piece, back.data(), 4000, {});
  Stream().synchronize();
  EXPECT_EQ(back, there);
}

TEST_P(Workspaces, DoNotAllocateForTheSameOrLess)
{
  Workspace workspace;
  workspace.reserve(Workspace::bytesFor<float>(1000));
  const float* const first = workspace.take<float>(1000);
  for (std::size_t count : {1000, 10, 999, 0, 1000}) {
    workspace.reserve(Workspace::bytesFor<float>(count));
    EXPECT_EQ(workspace.take<float>(count), first) << count;
  }
}

TEST_P(Workspaces, SayWhetherTheirMemoryIsNew)
{
  Workspace workspace;
  EXPECT_TRUE(workspace.reserve(1000));
  EXPECT_FALSE(workspace.reserve(1000));
  EXPECT_FALSE(workspace.reserve(10));
  EXPECT_TRUE(workspace.reserve(100000));
}

TEST_P(Workspaces, AreNotSharedByCopies)
{
  Workspace workspace;
  workspace.reserve(1024);
  char* const memory = workspace.take<char>(256);
  Workspace copy = workspace;
  EXPECT_TRUE(copy.reserve(1024));
  EXPECT_NE(copy.take<char>(256), memory);
  Workspace assigned;
  assigned.reserve(1024);
  char* const own = assigned.take<char>(256);
  assigned = workspace;
  EXPECT_FALSE(assigned.reserve(1024));
  EXPECT_EQ(assigned.take<char>(256), own);
  Workspace moved = std::move(workspace);
  EXPECT_FALSE(moved.reserve(1024));
  EXPECT_EQ(moved.take<char>(256), memory);
}

TEST_P(Workspaces, GrowWhereMoreIsNeeded)
{
  Workspace workspace;
  workspace.reserve(Workspace::bytesFor<float>(10));
  workspace.take<float>(10);
  workspace.reserve(Workspace::bytesFor<float>(100000));
  float* const large = workspace.take<float>(100000);
  const std::vector<float> values(100000, 1.5f);
  copyAsync(values.data(), large, values.size() * sizeof(float), {});
  Stream().synchronize();
  workspace.reserve(Workspace::bytesFor<float>(10));
  EXPECT_EQ(workspace.take<float>(10), large) << "it keeps the larger memory";
}

TEST_P(Workspaces, RefuseMoreThanWasReserved)
{
  Workspace workspace;
  EXPECT_THROW(workspace.take<char>(1), pcl::ComputeFailedException);
  workspace.reserve(512);
  EXPECT_NO_THROW(workspace.take<char>(256));
  EXPECT_THROW(workspace.take<char>(257), pcl::ComputeFailedException);
  EXPECT_NO_THROW(workspace.take<char>(256));
  EXPECT_THROW(workspace.take<char>(1), pcl::ComputeFailedException);
}

TEST_P(Workspaces, OfNothingNeedNoMemory)
{
  Workspace workspace;
  workspace.reserve(0);
  EXPECT_NO_THROW(workspace.take<int>(0));
}

TEST_P(Workspaces, ThatRunOutOfMemoryStayUsable)
{
  Workspace workspace;
  EXPECT_THROW(workspace.reserve(std::size_t(1) << 60), DeviceException);
  EXPECT_NO_THROW(workspace.reserve(256));
  EXPECT_NO_THROW(workspace.take<char>(256));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Workspaces);

/** \brief A workspace follows its thread to another device. */
TEST(Workspaces_host_and_cuda, MoveToTheCurrentDevice)
{
  Workspace workspace;
  {
    const auto scope = useDevice("cuda");
    workspace.reserve(1024);
    EXPECT_TRUE(deviceOf(workspace.take<char>(1024)).isCuda());
  }
  const auto scope = useDevice("host");
  workspace.reserve(256);
  EXPECT_TRUE(deviceOf(workspace.take<char>(256)).isHost());
}

} // namespace
