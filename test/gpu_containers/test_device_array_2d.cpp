// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_exception.h>

#include "common/devices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using pcl::gpu::DeviceArray2D;
using pcl::gpu::DeviceMemory2D;

namespace {

std::vector<float>
sequence(std::size_t size)
{
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

DeviceArray2D<float>
uploaded(int rows, int cols)
{
  DeviceArray2D<float> image;
  image.upload(sequence(rows * cols), cols);
  return image;
}

std::vector<float>
downloaded(const DeviceArray2D<float>& image)
{
  std::vector<float> values{-1, -2};
  int cols = -1;
  image.download(values, cols);
  EXPECT_EQ(image.cols(), cols);
  return values;
}

class DeviceArray2DTest : public pcl::gpu::test::DeviceTest {};

} // namespace

TEST_P(DeviceArray2DTest, DownloadGivesBackWhatWasUploaded)
{
  for (const int cols : {1, 15, 16, 17, 640})
    for (const int rows : {1, 2, 480})
      EXPECT_EQ(sequence(rows * cols), downloaded(uploaded(rows, cols)))
          << rows << " x " << cols;
}

TEST_P(DeviceArray2DTest, EveryRowIsAligned)
{
  for (const int cols : {1, 16, 17, 639}) {
    DeviceArray2D<float> image(5, cols);
    EXPECT_GE(image.step(), cols * sizeof(float));
    for (int y = 0; y < 5; ++y)
      EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(image.ptr(y)) % 64);
  }
}

TEST_P(DeviceArray2DTest, TheStepIsInBytesAndPaddingIsNotCounted)
{
  DeviceArray2D<double> image(3, 7);
  EXPECT_EQ(3, image.rows());
  EXPECT_EQ(7, image.cols());
  EXPECT_EQ(56, image.colsBytes());
  EXPECT_EQ(image.step() / sizeof(double), image.elem_step());
  EXPECT_EQ(reinterpret_cast<char*>(image.ptr()) + 2 * image.step(),
            reinterpret_cast<char*>(image.ptr(2)));
}

TEST_P(DeviceArray2DTest, TheHostsStepIsHonoured)
{
  // Three of five columns, and back into rows of four.
  const std::vector<float> wide = sequence(10);
  DeviceArray2D<float> image;
  image.upload(wide.data(), 5 * sizeof(float), 2, 3);
  std::vector<float> back(8, -1.0f);
  image.download(back.data(), 4 * sizeof(float));
  EXPECT_EQ((std::vector<float>{1, 2, 3, -1, 6, 7, 8, -1}), back);
}

TEST_P(DeviceArray2DTest, AnIncompleteLastRowIsLeftOut)
{
  DeviceArray2D<float> image;
  image.upload(sequence(8), 3);
  EXPECT_EQ(2, image.rows());
  EXPECT_EQ(sequence(6), downloaded(image));
}

TEST_P(DeviceArray2DTest, ViewsDescribeTheImage)
{
  DeviceArray2D<float> image(4, 10);
  const pcl::gpu::PtrStepSz<float> view = image;
  EXPECT_EQ(image.ptr(), view.data);
  EXPECT_EQ(4, view.rows);
  EXPECT_EQ(10, view.cols);
  EXPECT_EQ(image.step(), view.step);
  const pcl::gpu::PtrStep<float> rows = image;
  EXPECT_EQ(const_cast<const DeviceArray2D<float>&>(image).ptr(3), rows.ptr(3));
  EXPECT_EQ(5, static_cast<pcl::gpu::PtrStepSz<double>>(image).cols);
}

TEST_P(DeviceArray2DTest, CopiesShareTheBuffer)
{
  DeviceArray2D<float> last;
  {
    DeviceArray2D<float> image = uploaded(3, 4), copy(image);
    EXPECT_EQ(image.ptr(), copy.ptr());
    last = copy;
  }
  EXPECT_EQ(sequence(12), downloaded(last));
}

TEST_P(DeviceArray2DTest, MovingTakesTheBufferOver)
{
  DeviceArray2D<float> image = uploaded(3, 4);
  const float* const pointer = image.ptr();
  DeviceArray2D<float> moved(std::move(image));
  EXPECT_TRUE(image.empty());
  EXPECT_EQ(0, image.rows());
  EXPECT_EQ(0, image.cols());
  EXPECT_EQ(0u, image.step());
  DeviceArray2D<float> assigned(1, 1);
  assigned = std::move(moved);
  EXPECT_EQ(pointer, assigned.ptr());
  EXPECT_EQ(sequence(12), downloaded(assigned));
  static_assert(std::is_nothrow_move_constructible<DeviceArray2D<int>>::value, "");
  static_assert(std::is_nothrow_move_assignable<DeviceArray2D<int>>::value, "");
}

TEST_P(DeviceArray2DTest, SwapExchanges)
{
  DeviceArray2D<float> a = uploaded(3, 4), b = uploaded(1, 2);
  a.swap(b);
  EXPECT_EQ(sequence(2), downloaded(a));
  EXPECT_EQ(sequence(12), downloaded(b));
}

TEST_P(DeviceArray2DTest, CreateKeepsABufferOfTheRightSize)
{
  DeviceArray2D<float> image = uploaded(3, 4);
  const float* const pointer = image.ptr();
  image.create(3, 4);
  EXPECT_EQ(pointer, image.ptr());
  EXPECT_EQ(sequence(12), downloaded(image));
  image.create(4, 3);
  EXPECT_EQ(4, image.rows());
}

TEST_P(DeviceArray2DTest, CreateOfZeroEmptiesAFullBuffer)
{
  for (const auto& size : {std::make_pair(0, 4), {3, 0}, {0, 0}}) {
    DeviceArray2D<float> image = uploaded(3, 4);
    image.create(size.first, size.second);
    EXPECT_TRUE(image.empty());
    EXPECT_EQ(0, image.rows());
    EXPECT_EQ(0, image.cols());
  }
}

TEST_P(DeviceArray2DTest, UploadOfNothingEmpties)
{
  DeviceArray2D<float> image = uploaded(3, 4);
  image.upload(std::vector<float>(), 4);
  EXPECT_TRUE(image.empty());
  image = uploaded(3, 4);
  image.upload(std::vector<float>(3), 4); // not one whole row
  EXPECT_TRUE(image.empty());
  image = uploaded(3, 4);
  image.upload(nullptr, 0, 0, 0);
  EXPECT_TRUE(image.empty());
  EXPECT_TRUE(downloaded(image).empty());
}

TEST_P(DeviceArray2DTest, AWrappedBufferIsUsedAndNotFreed)
{
  DeviceArray2D<float> owner = uploaded(3, 4);
  {
    DeviceArray2D<float> right_half(3, 2, owner.ptr() + 2, owner.step());
    EXPECT_EQ(device(), deviceOf(right_half));
    EXPECT_EQ((std::vector<float>{3, 4, 7, 8, 11, 12}), downloaded(right_half));
    right_half.upload(std::vector<float>(6, 0.0f), 2);
  }
  EXPECT_EQ((std::vector<float>{1, 2, 0, 0, 5, 6, 0, 0, 9, 10, 0, 0}),
            downloaded(owner));
}

TEST_P(DeviceArray2DTest, CopyToMakesAnIndependentCopy)
{
  const DeviceArray2D<float> image = uploaded(3, 4);
  DeviceArray2D<float> copy(1, 1);
  image.copyTo(copy);
  EXPECT_NE(image.ptr(), const_cast<const DeviceArray2D<float>&>(copy).ptr());
  EXPECT_EQ(sequence(12), downloaded(copy));
  const float* const pointer = copy.ptr();
  image.copyTo(copy);
  EXPECT_EQ(pointer, copy.ptr());
  copy.copyTo(copy);
  EXPECT_EQ(sequence(12), downloaded(copy));
  DeviceArray2D<float>().copyTo(copy);
  EXPECT_TRUE(copy.empty());
}

TEST_P(DeviceArray2DTest, NegativeSizesAreBadArgumentsByName)
{
  DeviceArray2D<float> image = uploaded(3, 4);
  DeviceMemory2D& memory = image;
  const float value = 0.0f;
  EXPECT_THROW(image.create(3, -4), pcl::BadArgumentException);
  EXPECT_THROW(memory.create(3, -4), pcl::BadArgumentException);
  EXPECT_THROW(DeviceArray2D<float>(-3, 4), pcl::BadArgumentException);
  EXPECT_THROW(DeviceArray2D<float>(-3, 4, nullptr, 16), pcl::BadArgumentException);
  EXPECT_THROW(image.upload(&value, 4, -1, 1), pcl::BadArgumentException);
  EXPECT_THROW(image.upload(sequence(4), 0), pcl::BadArgumentException);
  EXPECT_THROW(image.upload(sequence(4), -2), pcl::BadArgumentException);
  try {
    image.create(-3, 4);
    FAIL() << "-3 rows were created";
  }
  catch (const pcl::BadArgumentException& error) {
    const std::string message = error.what();
    EXPECT_NE(std::string::npos, message.find("rows is -3")) << message;
  }
  EXPECT_EQ(sequence(12), downloaded(image));
}

TEST_P(DeviceArray2DTest, ARowBeyondAnIntIsABadArgument)
{
  const int cols = std::numeric_limits<int>::max() / 4 + 1;
  EXPECT_THROW(DeviceArray2D<float>(1, cols), pcl::BadArgumentException);
}

TEST_P(DeviceArray2DTest, TooLittleMemoryIsATypedError)
{
  const int most = std::numeric_limits<int>::max();
  DeviceMemory2D image;
  try {
    image.create(most / 1024, most - 1024);
    FAIL() << "four petabytes were allocated";
  }
  catch (const pcl::gpu::DeviceOutOfMemoryException& error) {
    EXPECT_GE(error.bytesAsked(), std::size_t{most / 1024} * (most - 1024));
    EXPECT_EQ(device(), error.device());
  }
  EXPECT_TRUE(image.empty());
  EXPECT_EQ(0, image.rows());
}

TEST_P(DeviceArray2DTest, ANarrowHostStepOrANullPointerIsABadArgument)
{
  DeviceArray2D<float> image = uploaded(3, 4);
  std::vector<float> host(12);
  const std::size_t row = 4 * sizeof(float);
  EXPECT_THROW(image.upload(host.data(), row - 1, 3, 4), pcl::BadArgumentException);
  EXPECT_THROW(image.download(host.data(), row - 1), pcl::BadArgumentException);
  EXPECT_THROW(image.upload(nullptr, row, 3, 4), pcl::BadArgumentException);
  EXPECT_THROW(image.download(nullptr, row), pcl::BadArgumentException);
  EXPECT_EQ(sequence(12), downloaded(image));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DeviceArray2DTest);
