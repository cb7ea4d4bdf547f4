// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// A user's code, written for the containers of PCL's own gpu module: it includes no
// container header that PCL lacks and calls every function that PCL has, in the ways
// that PCL allows. That it compiles is half of the test. Only the fixture is ours.

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_memory.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/containers/kernel_containers.h>

#include "common/devices.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <type_traits>
#include <vector>

using namespace pcl::gpu;

namespace {

struct Point {
  float x, y, z, w;
};

std::vector<int>
sequence(std::size_t size)
{
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// Stands for a function that launches a kernel: such functions take views by value.
std::size_t
viewSize(PtrSz<int> view)
{
  return view.size;
}

std::size_t
viewStep(PtrStep<int> view)
{
  return view.step;
}

int
viewCols(PtrStepSz<int> view)
{
  return view.cols;
}

class PclUserCode : public pcl::gpu::test::DeviceTest {};

} // namespace

TEST_P(PclUserCode, DeviceMemory)
{
  const std::vector<int> host = sequence(10);
  const std::size_t bytes = host.size() * sizeof(int);

  DeviceMemory empty;
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(0u, empty.sizeBytes());

  DeviceMemory memory(bytes);
  DeviceMemory implicit = bytes;
  EXPECT_EQ(bytes, implicit.sizeBytes());
  memory.upload(host.data(), bytes);
  EXPECT_TRUE(memory.upload(host.data(), 0, 2 * sizeof(int)));
  EXPECT_FALSE(memory.upload(host.data(), bytes, 1));

  std::vector<int> back(10);
  memory.download(back.data());
  EXPECT_EQ(host, back);
  EXPECT_TRUE(memory.download(back.data(), 4 * sizeof(int), sizeof(int)));
  EXPECT_EQ(5, back[0]);
  EXPECT_FALSE(memory.download(back.data(), 1, bytes));

  DeviceMemory view(memory.ptr<int>(), bytes);
  const DeviceMemory& constant = view;
  const int* pointer = constant.ptr<int>();
  EXPECT_EQ(memory.ptr<int>(), pointer);
  PtrSz<int> kernel_view = memory;
  EXPECT_EQ(10u, kernel_view.size);
  EXPECT_EQ(10u, viewSize(memory));

  DeviceMemory copy(memory);
  copy = memory;
  memory.copyTo(empty);
  EXPECT_EQ(bytes, empty.sizeBytes());
  empty.swap(copy);
  EXPECT_EQ(memory.ptr<char>(), empty.ptr<char>());
  copy.create(3);
  EXPECT_EQ(3u, copy.sizeBytes());
  copy.release();
  EXPECT_TRUE(copy.empty());
}

TEST_P(PclUserCode, DeviceMemory2D)
{
  const std::vector<int> host = sequence(6);

  DeviceMemory2D empty;
  EXPECT_TRUE(empty.empty());

  DeviceMemory2D memory(2, 3 * sizeof(int));
  memory.upload(host.data(), 3 * sizeof(int), 2, 3 * sizeof(int));
  EXPECT_EQ(2, memory.rows());
  EXPECT_EQ(static_cast<int>(3 * sizeof(int)), memory.colsBytes());
  EXPECT_GE(memory.step(), 3 * sizeof(int));

  std::vector<int> back(8);
  memory.download(back.data(), 4 * sizeof(int));
  EXPECT_EQ(1, back[0]);
  EXPECT_EQ(4, back[4]);

  DeviceMemory2D view(2, 3 * sizeof(int), memory.ptr<int>(), memory.step());
  const DeviceMemory2D& constant = view;
  const int* row = constant.ptr<int>(1);
  EXPECT_EQ(memory.ptr<int>(1), row);
  EXPECT_EQ(memory.ptr<char>() + memory.step(), memory.ptr<char>(1));
  PtrStep<int> step_view = memory;
  EXPECT_EQ(memory.step(), step_view.step);
  PtrStepSz<int> sized_view = memory;
  EXPECT_EQ(2, sized_view.rows);
  EXPECT_EQ(3, sized_view.cols);

  DeviceMemory2D copy(memory);
  copy = memory;
  memory.copyTo(empty);
  empty.swap(copy);
  EXPECT_EQ(memory.ptr<char>(), empty.ptr<char>());
  copy.create(1, 5);
  EXPECT_EQ(5, copy.colsBytes());
  copy.release();
  EXPECT_TRUE(copy.empty());
}

TEST_P(PclUserCode, DeviceArray)
{
  static_assert(std::is_same<DeviceArray<Point>::type, Point>::value, "");
  static_assert(DeviceArray<Point>::elem_size == sizeof(Point), "");
  static_assert(std::is_base_of<DeviceMemory, DeviceArray<int>>::value, "");
  const std::vector<int> host = sequence(10);

  DeviceArray<int> empty;
  DeviceArray<int> array(10);
  array.upload(host.data(), host.size());
  array.upload(host);
  const int seven = 7;
  EXPECT_TRUE(array.upload(&seven, 9, 1));
  EXPECT_FALSE(array.upload(&seven, 10, 1));

  std::vector<int> back(10);
  array.download(back.data());
  EXPECT_EQ(7, back[9]);
  EXPECT_TRUE(array.download(back.data(), 9, 1));
  EXPECT_EQ(7, back[0]);
  EXPECT_FALSE(array.download(back.data(), 9, 2));
  array.download(back);
  EXPECT_EQ(10u, back.size());
  EXPECT_EQ(1, back[0]);

  DeviceArray<int> view(array.ptr(), array.size());
  int* pointer = view;
  const DeviceArray<int>& constant = view;
  const int* constant_pointer = constant;
  EXPECT_EQ(array.ptr(), pointer);
  EXPECT_EQ(constant.ptr(), constant_pointer);
  EXPECT_EQ(10u, viewSize(array));

  DeviceArray<int> copy(array);
  copy = array;
  EXPECT_EQ(array.ptr(), copy.ptr());
  array.copyTo(empty);
  EXPECT_EQ(10u, empty.size());
  empty.swap(copy);
  copy.create(4);
  EXPECT_EQ(4u, copy.size());
  copy.release();
  EXPECT_EQ(0u, copy.size());

  // Points seen as floats, without a copy.
  DeviceArray<Point> points(2);
  DeviceArray<float> floats((float*)points.ptr(), points.size() * 4);
  EXPECT_EQ(points.sizeBytes(), floats.sizeBytes());
}

TEST_P(PclUserCode, DeviceArray2D)
{
  static_assert(std::is_same<DeviceArray2D<Point>::type, Point>::value, "");
  static_assert(DeviceArray2D<Point>::elem_size == sizeof(Point), "");
  static_assert(std::is_base_of<DeviceMemory2D, DeviceArray2D<int>>::value, "");
  const std::vector<int> host = sequence(6);

  DeviceArray2D<int> empty;
  DeviceArray2D<int> array(2, 3);
  array.upload(host.data(), 3 * sizeof(int), 2, 3);
  array.upload(host, 3);
  EXPECT_EQ(2, array.rows());
  EXPECT_EQ(3, array.cols());
  EXPECT_EQ(array.step() / sizeof(int), array.elem_step());

  std::vector<int> back(6);
  array.download(back.data(), 3 * sizeof(int));
  EXPECT_EQ(host, back);
  int cols = 0;
  array.download(back, cols);
  EXPECT_EQ(host, back);
  EXPECT_EQ(3, cols);

  DeviceArray2D<int> view(2, 3, array.ptr(), array.step());
  int* pointer = view;
  const DeviceArray2D<int>& constant = view;
  const int* constant_pointer = constant;
  EXPECT_EQ(array.ptr(), pointer);
  EXPECT_EQ(constant.ptr(), constant_pointer);
  EXPECT_EQ(array.ptr(1), constant.ptr(1));
  EXPECT_EQ(array.step(), viewStep(array));
  EXPECT_EQ(3, viewCols(array));

  DeviceArray2D<int> copy(array);
  copy = array;
  EXPECT_EQ(array.ptr(), copy.ptr());
  array.copyTo(empty);
  empty.swap(copy);
  copy.create(4, 5);
  EXPECT_EQ(4, copy.rows());
  copy.release();
  EXPECT_EQ(0, copy.rows());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PclUserCode);

TEST(PclUserCodeOnAnyMachine, KernelContainers)
{
  static_assert(std::is_same<DevPtr<Point>::elem_type, Point>::value, "");
  static_assert(DevPtr<Point>::elem_size == sizeof(Point), "");
  int values[6] = {1, 2, 3, 4, 5, 6};

  DevPtr<int> nothing;
  EXPECT_EQ(nullptr, nothing.data);
  DevPtr<int> pointer(values);
  EXPECT_EQ(sizeof(int), pointer.elemSize());
  int* plain = pointer;
  const DevPtr<int>& constant_pointer = pointer;
  const int* constant_plain = constant_pointer;
  EXPECT_EQ(plain, constant_plain);

  PtrSz<int> sized(values, 6);
  EXPECT_EQ(6u, sized.size);
  EXPECT_EQ(0u, PtrSz<int>().size);

  PtrStep<int> rows(values, 3 * sizeof(int));
  EXPECT_EQ(4, *rows.ptr(1));
  rows(1, 2) = 60;
  const PtrStep<int>& constant_rows = rows;
  EXPECT_EQ(1, *constant_rows.ptr());
  EXPECT_EQ(60, constant_rows(1, 2));
  EXPECT_EQ(0u, PtrStep<int>().step);

  PtrStepSz<int> image(2, 3, values, 3 * sizeof(int));
  EXPECT_EQ(2, image.rows);
  EXPECT_EQ(3, image.cols);
  EXPECT_EQ(60, image(1, 2));
  EXPECT_EQ(0, PtrStepSz<int>().rows);
}

TEST(PclUserCodeOnAnyMachine, NamesInPclDevice)
{
  using namespace pcl;
  static_assert(std::is_same<pcl::device::DeviceMemory, gpu::DeviceMemory>::value, "");
  static_assert(std::is_same<pcl::device::DeviceMemory2D, gpu::DeviceMemory2D>::value,
                "");
  static_assert(
      std::is_same<pcl::device::DeviceArray<int>, gpu::DeviceArray<int>>::value, "");
  static_assert(
      std::is_same<pcl::device::DeviceArray2D<int>, gpu::DeviceArray2D<int>>::value,
      "");
  static_assert(std::is_same<pcl::device::PtrSz<int>, gpu::PtrSz<int>>::value, "");
  static_assert(std::is_same<pcl::device::PtrStep<int>, gpu::PtrStep<int>>::value, "");
  static_assert(std::is_same<pcl::device::PtrStepSz<int>, gpu::PtrStepSz<int>>::value,
                "");
}

TEST(PclUserCodeOnAnyMachine, Initialization)
{
  // Only looked up: a machine without a CUDA device has little to answer.
  void (*report)(const char*, const char*, const int, const char*) = &pcl::gpu::error;
  EXPECT_NE(nullptr, report);
  std::string (*name)(int) = &getDeviceName;
  EXPECT_NE(nullptr, name);
  const int count = getCudaEnabledDeviceCount();
  printCudaDeviceInfo();
  printShortCudaDeviceInfo();
  if (count > 0) {
    setDevice(0);
    printCudaDeviceInfo(0);
    printShortCudaDeviceInfo(0);
    std::printf("%s is %s\n",
                getDeviceName(0).c_str(),
                checkIfPreFermiGPU() ? "too old" : "not too old");
    EXPECT_FALSE(checkIfPreFermiGPU(0));
  }
}
