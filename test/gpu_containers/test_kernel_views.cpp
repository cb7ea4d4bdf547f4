// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_exception.h>

#include "common/devices.h"
#include "fill_rows.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace pcl::gpu;

namespace {

/** \brief Tests of a CUDA device alone. */
class CudaTest : public pcl::gpu::test::DeviceTest {};

} // namespace

TEST_P(CudaTest, KernelsReadAndWriteThroughViews)
{
  DeviceArray2D<int> image(37, 41);
  DeviceArray<int> array(37 * 41);
  fillRows(image, array);
  std::vector<int> pixels, elements;
  int cols = 0;
  image.download(pixels, cols);
  array.download(elements);
  EXPECT_EQ(pixels, elements);
  for (int y = 0; y < 37; ++y)
    for (int x = 0; x < 41; ++x)
      ASSERT_EQ(100 * y + x, pixels[y * 41 + x]);
  EXPECT_EQ(0, pendingCudaError());
}

TEST_P(CudaTest, FailuresLeaveNoErrorBehindForTheNextLaunch)
{
  EXPECT_THROW(DeviceMemory(std::size_t{1} << 50), DeviceOutOfMemoryException);
  EXPECT_EQ(0, pendingCudaError());
  EXPECT_THROW(setDevice(1000), DeviceException);
  EXPECT_EQ(0, pendingCudaError());
  const int on_the_stack = 0;
  deviceOf(&on_the_stack);
  EXPECT_EQ(0, pendingCudaError());
}

TEST_P(CudaTest, PageLockedMemoryIsTheHostsAndManagedMemoryTheDevices)
{
  void* const pinned = allocatePinned(64);
  void* const managed = allocateManaged(64);
  EXPECT_EQ(Device::host(), deviceOf(pinned));
  EXPECT_EQ(device(), deviceOf(managed));
  EXPECT_EQ(Device::host(), deviceOf(DeviceMemory(pinned, 64)));
  freePinned(pinned);
  freeManaged(managed);
}

TEST_P(CudaTest, MemoryMayBeFreedByAThreadOnTheHostDevice)
{
  DeviceArray<int> array(1000);
  std::thread([owned = std::move(array)]() mutable {
    setHostDevice();
    owned.release();
  }).join();
  EXPECT_EQ(0, pendingCudaError());
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         CudaTest,
                         ::testing::Values("cuda"),
                         pcl::gpu::test::deviceTestName);
