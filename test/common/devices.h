// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/initialization.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

/** \file
 * \brief Common parts of tests that run on a device: one test body, run once per
 * device.
 *
 * \code
 * #include "common/devices.h"
 *
 * using pcl::gpu::test::DeviceTest;
 * class MyAlgorithm : public DeviceTest {};
 *
 * TEST_P(MyAlgorithm, DoesWhatItSays) {...}      // runs on "host" and on "cuda"
 * PCL_GPU_INSTANTIATE_DEVICE_TESTS(MyAlgorithm); // names end in "/host", "/cuda"
 * \endcode
 */

namespace pcl::gpu::test {

/** \brief Returns the names of the devices that every test runs on: "host" and "cuda"
 * (device 0).
 *
 * A device that this machine lacks stays in the list: its tests are skipped.
 * \return the names
 */
inline std::vector<std::string>
devices()
{
  return {"host", "cuda"};
}

/** \brief Marks the running test as skipped and leaves it, from any depth of calls.
 * \param[in] message what is missing
 */
[[noreturn]] inline void
skipTest(const std::string& message)
{
  [&message] { GTEST_SKIP() << message; }();
  // GoogleTest takes this type as "already reported" and ends the test quietly.
  throw testing::AssertionException(testing::TestPartResult(
      testing::TestPartResult::kSkip, __FILE__, __LINE__, message.c_str()));
}

/** \brief Returns the device of a name. Skips the running test if there is none.
 * \param[in] name "host" or "cuda"
 * \return the device
 */
inline Device
deviceNamed(const std::string& name)
{
  if (name == "cuda") {
    if (getCudaEnabledDeviceCount() <= 0)
      skipTest("there is no CUDA device on this machine");
    return Device::cuda(0);
  }
#if defined(PCL_GPU_SYSTEM_CONTAINERS) && PCL_GPU_SYSTEM_CONTAINERS
  skipTest("PCL's own containers have no host device");
#else
  return Device::host();
#endif
}

/** \brief Makes a device current until the returned object is destroyed.
 * \param[in] name "host" or "cuda"; skips the running test if there is none
 * \return the scope
 */
inline std::unique_ptr<ScopedDevice>
useDevice(const std::string& name)
{
  return std::unique_ptr<ScopedDevice>(new ScopedDevice(deviceNamed(name)));
}

/** \brief Returns devices that share work: the current one, the host, and another one
 * of the current one's kind, or the current one again if there is no other.
 * \return the devices
 */
inline std::vector<Device>
sharingDevices()
{
  const Device first = currentDevice();
  const bool has_second = first.isCuda() && getCudaEnabledDeviceCount() > 1;
  return {first, Device::host(), has_second ? Device::cuda(1) : first};
}

/** \brief Base of the fixtures that run once per device: makes the device current in
 * SetUp (or skips), and restores the former one in TearDown.
 *
 * Fixtures with parameters of their own derive from testing::TestWithParam of a tuple
 * and call useDevice() themselves.
 */
class DeviceTest : public ::testing::TestWithParam<std::string> {
protected:
  /** \brief Makes the device current, or skips the test. */
  void
  SetUp() override
  {
    scope_ = useDevice(GetParam());
  }

  /** \brief Makes the former device current again. */
  void
  TearDown() override
  {
    scope_.reset();
  }

  /** \brief Returns the device under test.
   * \return the device named by the parameter
   */
  Device
  device() const
  {
    return deviceNamed(GetParam());
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
};

/** \brief Names a test instance after its device.
 * \param[in] info the instance
 * \return its device's name
 */
inline std::string
deviceTestName(const ::testing::TestParamInfo<std::string>& info)
{
  return info.param;
}

/** \brief Returns the path of a file of test data. Skips the running test if neither
 * the environment variable PCL_GPU_TEST_DATA nor the compile definition of that name (a
 * string literal) names a directory that holds the file.
 * \param[in] name path inside the data directory, such as "depth/x.png"
 * \return path of the file
 */
inline std::string
dataPath(const std::string& name)
{
  std::string directory;
#ifdef PCL_GPU_TEST_DATA
  directory = PCL_GPU_TEST_DATA;
#endif
  if (const char* variable = std::getenv("PCL_GPU_TEST_DATA"))
    directory = variable;
  if (directory.empty())
    skipTest("no test data: PCL_GPU_TEST_DATA is not set (wanted " + name + ")");
  const std::string path = directory + "/" + name;
  if (!std::ifstream(path))
    skipTest("no test data: there is no file " + path);
  return path;
}

} // namespace pcl::gpu::test

/** \brief Runs the tests of a DeviceTest fixture on every device. */
#define PCL_GPU_INSTANTIATE_DEVICE_TESTS(Fixture)                                      \
  INSTANTIATE_TEST_SUITE_P(Devices,                                                    \
                           Fixture,                                                    \
                           ::testing::ValuesIn(::pcl::gpu::test::devices()),           \
                           ::pcl::gpu::test::deviceTestName)
