// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/containers/initialization.h>

#include "common/devices.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

using namespace pcl::gpu;

namespace {

/** \brief Runs a function in a thread of its own, whose current device is untouched. */
template <typename Function>
void
inNewThread(Function function)
{
  std::thread(function).join();
}

/** \brief A CUDA device that this machine lacks. */
int
absentDevice()
{
  return getCudaEnabledDeviceCount();
}

class CurrentDevice : public pcl::gpu::test::DeviceTest {};

/** \brief Tests that need a CUDA device beside the one that they begin on. */
class TwoDevices : public pcl::gpu::test::DeviceTest {};

} // namespace

TEST(DeviceValue, IsTheHostOrACudaDevice)
{
  EXPECT_TRUE(Device::host().isHost());
  EXPECT_FALSE(Device::host().isCuda());
  EXPECT_FALSE(Device::cuda(3).isHost());
  EXPECT_TRUE(Device::cuda(3).isCuda());
  EXPECT_EQ(3, Device::cuda(3).id());
  EXPECT_TRUE(Device::cuda(1) == Device::cuda(1));
  EXPECT_TRUE(Device::cuda(1) != Device::cuda(0));
  EXPECT_TRUE(Device::host() != Device::cuda(0));
}

TEST(DeviceValue, HasAName)
{
  EXPECT_EQ("host", Device::host().name());
  EXPECT_EQ("cuda:0", Device::cuda(0).name());
  EXPECT_EQ("cuda:12", Device::cuda(12).name());
}

TEST(DeviceValue, HasNoOrdinalOnTheHostAndNoNegativeOne)
{
  EXPECT_THROW(Device::host().id(), pcl::BadArgumentException);
  EXPECT_THROW(Device::cuda(-1), pcl::BadArgumentException);
}

TEST(Initialization, ThereAreNoDevicesFewerThanNone)
{
  EXPECT_GE(getCudaEnabledDeviceCount(), 0);
  EXPECT_EQ(getCudaEnabledDeviceCount(), getCudaEnabledDeviceCount());
}

TEST(Initialization, AThreadBeginsOnTheGpuIfThereIsOne)
{
  inNewThread([] {
    const bool some = getCudaEnabledDeviceCount() > 0;
    EXPECT_EQ(some ? Device::cuda(0) : Device::host(), currentDevice());
  });
}

TEST(Initialization, SetHostDeviceConcernsTheCallingThread)
{
  inNewThread([] {
    const Device before = currentDevice();
    setHostDevice();
    EXPECT_EQ(Device::host(), currentDevice());
    DeviceArray<int> array(3);
    EXPECT_EQ(Device::host(), deviceOf(array));
    EXPECT_FALSE(checkIfPreFermiGPU());
    inNewThread([before] { EXPECT_EQ(before, currentDevice()); });
  });
}

TEST(Initialization, AnAbsentDeviceIsATypedError)
{
  for (const int id : {absentDevice(), -1}) {
    EXPECT_THROW(setDevice(id), DeviceException) << id;
    EXPECT_THROW(getDeviceName(id), DeviceException) << id;
  }
  EXPECT_THROW(checkIfPreFermiGPU(absentDevice()), DeviceException);
  EXPECT_THROW(ScopedDevice{Device::cuda(absentDevice())}, DeviceException);
  try {
    setDevice(absentDevice());
  }
  catch (const DeviceException& error) {
    EXPECT_EQ(Device::cuda(absentDevice()), error.device());
    EXPECT_EQ(0u, error.errorName().find("cudaError")) << error.errorName();
    EXPECT_NE(std::string::npos, error.action().find("selecting"));
    const std::string message = error.what();
    EXPECT_NE(std::string::npos, message.find(error.errorName()));
    EXPECT_NE(std::string::npos, message.find(error.action()));
    EXPECT_NE(std::string::npos, message.find(error.device().name()));
  }
}

TEST(Initialization, AFailedChoiceLeavesTheCurrentDevice)
{
  inNewThread([] {
    setHostDevice();
    EXPECT_THROW(setDevice(absentDevice()), DeviceException);
    EXPECT_EQ(Device::host(), currentDevice());
    EXPECT_THROW(ScopedDevice{Device::cuda(absentDevice())}, DeviceException);
    EXPECT_EQ(Device::host(), currentDevice());
  });
}

TEST(Initialization, ErrorThrows)
{
  try {
    pcl::gpu::error("all is lost", "some_file.cpp", 42, "someFunction");
    FAIL();
  }
  catch (const DeviceException& error) {
    EXPECT_EQ("all is lost", error.errorName());
    EXPECT_EQ(42u, error.getLineNumber());
    EXPECT_STREQ("some_file.cpp", error.getFileName());
    const std::string message = error.what();
    for (const char* part : {"all is lost", "some_file.cpp", "42", "someFunction"})
      EXPECT_NE(std::string::npos, message.find(part)) << message;
  }
}

TEST(Initialization, PrintingNamesEveryDevice)
{
  testing::internal::CaptureStdout();
  printCudaDeviceInfo();
  const std::string all = testing::internal::GetCapturedStdout();
  testing::internal::CaptureStdout();
  printShortCudaDeviceInfo();
  const std::string brief = testing::internal::GetCapturedStdout();
  const int count = getCudaEnabledDeviceCount();
  EXPECT_NE(std::string::npos, all.find("Device count: " + std::to_string(count)));
  for (int id = 0; id < count; ++id) {
    const std::string label = "Device " + std::to_string(id) + ":";
    EXPECT_NE(std::string::npos, all.find(label));
    EXPECT_NE(std::string::npos, all.find(getDeviceName(id)));
    EXPECT_NE(std::string::npos, brief.find(label));
    EXPECT_NE(std::string::npos, brief.find(getDeviceName(id)));
  }
}

TEST(PlainMessages, LeaveOutThePlaceInTheSource)
{
  const pcl::IOException thrown("a.png @ 7 : no such file", "file.cpp", "read", 42);
  EXPECT_NE("a.png @ 7 : no such file", std::string(thrown.what()));
  EXPECT_EQ("a.png @ 7 : no such file", plainMessage(thrown));
}

TEST(DeviceExceptionValue, CarriesWhatHappened)
{
  const DeviceException error("cudaErrorLaunchFailure",
                              "launching the kernel f",
                              Device::cuda(1),
                              "it broke",
                              "file.cu",
                              "g",
                              7);
  EXPECT_EQ("cudaErrorLaunchFailure", error.errorName());
  EXPECT_EQ("launching the kernel f", error.action());
  EXPECT_EQ(Device::cuda(1), error.device());
  const std::string message = error.what();
  const std::string expected =
      "launching the kernel f on cuda:1: cudaErrorLaunchFailure (it broke)";
  EXPECT_NE(std::string::npos, message.find(expected)) << message;
  EXPECT_NE(std::string::npos, message.find("file.cu")) << message;
}

TEST(DeviceExceptionValue, OutOfMemoryNamesBytesAskedAndFree)
{
  const DeviceOutOfMemoryException error(Device::cuda(0), 1000, 10);
  EXPECT_EQ(1000u, error.bytesAsked());
  EXPECT_EQ(10u, error.bytesFree());
  EXPECT_EQ("cudaErrorMemoryAllocation", error.errorName());
  EXPECT_STREQ("allocating 1000 bytes on cuda:0: cudaErrorMemoryAllocation (only 10 "
               "bytes are free)",
               std::string(error.what()).substr(2).c_str())
      << error.what();
  const pcl::PCLException& base = error; // a user need not know our types
  EXPECT_STREQ(error.what(), base.what());
}

TEST_P(CurrentDevice, IsWhereMemoryIsMade)
{
  EXPECT_EQ(device(), currentDevice());
  EXPECT_EQ(device(), deviceOf(DeviceMemory(8)));
  EXPECT_EQ(device(), deviceOf(DeviceMemory2D(2, 8)));
  EXPECT_EQ(device(), deviceOf(DeviceArray<int>(8)));
  EXPECT_EQ(device(), deviceOf(DeviceArray2D<int>(2, 8)));
}

TEST_P(CurrentDevice, OwnsEmptyMemory)
{
  EXPECT_EQ(device(), deviceOf(DeviceArray<int>()));
  EXPECT_EQ(device(), deviceOf(DeviceMemory2D()));
  EXPECT_EQ(device(), deviceOf(nullptr));
}

TEST_P(CurrentDevice, IsFoundFromPlainPointers)
{
  DeviceArray<int> array(8);
  EXPECT_EQ(device(), deviceOf(array.ptr()));
  EXPECT_EQ(device(), deviceOf(array.ptr() + 5));
  const int on_the_stack = 0;
  EXPECT_EQ(Device::host(), deviceOf(&on_the_stack));
}

TEST_P(CurrentDevice, SurvivesNestedScopes)
{
  {
    ScopedDevice host(Device::host());
    EXPECT_EQ(Device::host(), currentDevice());
    {
      ScopedDevice back(device());
      EXPECT_EQ(device(), currentDevice());
    }
    EXPECT_EQ(Device::host(), currentDevice());
  }
  EXPECT_EQ(device(), currentDevice());
}

TEST_P(CurrentDevice, IsRestoredAfterAnException)
{
  try {
    ScopedDevice host(Device::host());
    throw 1;
  }
  catch (int) {
  }
  EXPECT_EQ(device(), currentDevice());
}

TEST_P(CurrentDevice, IsRestoredWhateverTheScopeChose)
{
  {
    ScopedDevice scope(device());
    setHostDevice();
  }
  EXPECT_EQ(device(), currentDevice());
  const int last = getCudaEnabledDeviceCount() - 1;
  if (last >= 0) {
    {
      ScopedDevice scope(device());
      setDevice(last);
    }
    EXPECT_EQ(device(), currentDevice());
  }
}

// With a single GPU, the two devices are the host and the GPU; each is the source once.

TEST_P(TwoDevices, MemoryStaysWhereItWasMade)
{
  const auto cuda = pcl::gpu::test::deviceNamed("cuda");
  DeviceArray<int> array;
  array.upload(std::vector<int>{1, 2, 3});
  for (const Device& current : {Device::host(), cuda}) {
    ScopedDevice scope(current);
    EXPECT_EQ(device(), deviceOf(array));
    std::vector<int> back;
    array.download(back);
    EXPECT_EQ((std::vector<int>{1, 2, 3}), back);
    const int changed = 2;
    EXPECT_TRUE(array.upload(&changed, 1, 1));
    EXPECT_EQ(device(), deviceOf(array));
    DeviceArray<int> copy = array;
    EXPECT_EQ(device(), deviceOf(copy));
  }
}

TEST_P(TwoDevices, CreateMovesToTheCurrentDevice)
{
  const auto cuda = pcl::gpu::test::deviceNamed("cuda");
  for (const Device& current : {Device::host(), cuda}) {
    DeviceArray<int> array(3);
    DeviceArray2D<int> image(3, 4);
    ScopedDevice scope(current);
    array.create(3);
    image.create(3, 4);
    EXPECT_EQ(current, deviceOf(array));
    EXPECT_EQ(current, deviceOf(image));
  }
}

TEST_P(TwoDevices, CopyToCreatesWhereTheSourceLives)
{
  const auto cuda = pcl::gpu::test::deviceNamed("cuda");
  DeviceArray<int> array;
  array.upload(std::vector<int>{1, 2, 3});
  DeviceArray2D<int> image;
  image.upload(std::vector<int>{1, 2, 3, 4, 5, 6}, 3);
  for (const Device& current : {Device::host(), cuda}) {
    ScopedDevice scope(current);
    DeviceArray<int> copy;
    array.copyTo(copy);
    EXPECT_EQ(device(), deviceOf(copy));
    DeviceArray2D<int> image_copy(1, 1);
    image.copyTo(image_copy);
    EXPECT_EQ(device(), deviceOf(image_copy));
  }
}

TEST_P(TwoDevices, CopyToCrossesIntoMemoryOfTheRightSize)
{
  const auto cuda = pcl::gpu::test::deviceNamed("cuda");
  std::vector<Device> others{Device::host(), cuda};
  for (int id = 1; id < getCudaEnabledDeviceCount(); ++id)
    others.push_back(Device::cuda(id));
  DeviceArray<int> array;
  array.upload(std::vector<int>{1, 2, 3});
  DeviceArray2D<int> image;
  image.upload(std::vector<int>{1, 2, 3, 4, 5, 6}, 3);
  for (const Device& other : others) {
    DeviceArray<int> copy;
    DeviceArray2D<int> image_copy;
    {
      ScopedDevice scope(other);
      copy.create(3);
      image_copy.create(2, 3);
    }
    array.copyTo(copy);
    image.copyTo(image_copy);
    EXPECT_EQ(other, deviceOf(copy));
    EXPECT_EQ(other, deviceOf(image_copy));
    std::vector<int> back;
    copy.download(back);
    EXPECT_EQ((std::vector<int>{1, 2, 3}), back) << other.name();
    int cols = 0;
    image_copy.download(back, cols);
    EXPECT_EQ((std::vector<int>{1, 2, 3, 4, 5, 6}), back) << other.name();
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CurrentDevice);
INSTANTIATE_TEST_SUITE_P(Devices,
                         TwoDevices,
                         ::testing::ValuesIn(pcl::gpu::test::devices()),
                         [](const auto& info) { return info.param + "_beside_cuda"; });
