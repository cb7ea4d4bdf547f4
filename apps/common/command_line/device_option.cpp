// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "device_option.h"

#include "errors.h"

#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace pcl::gpu::apps {

namespace {

// Returns the processor's name; empty if the kernel does not report it, as on some ARM
// boards.
std::string
processorName()
{
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "";
}

} // namespace

Device
parseDevice(const std::string& name, const std::string& option)
{
  if (name == "host")
    return Device::host();
  const int count = getCudaEnabledDeviceCount();
  if (name.empty())
    return count > 0 ? currentDevice() : Device::host();
  int id = 0;
  if (name != "cuda") {
    const std::string digits = name.rfind("cuda:", 0) == 0 ? name.substr(5) : "";
    if (digits.empty() || digits.size() > 4 ||
        digits.find_first_not_of("0123456789") != std::string::npos)
      throw InputError(option + " " + name + ": expected host, cuda or cuda:N");
    id = std::atoi(digits.c_str());
  }
  if (id >= count)
    throw InputError(
        option + " " + name + ": there " +
        (count == 1 ? "is 1 CUDA device"
                    : "are " + std::to_string(count) + " CUDA devices") +
        " on this machine: expected " +
        (count > 0 ? "cuda:0 to cuda:" + std::to_string(count - 1) + " or " : "") +
        "host");
  return Device::cuda(id);
}

std::vector<Device>
parseDevices(const std::string& names)
{
  const std::string option = "--devices";
  std::vector<Device> devices;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    if (name.empty())
      throw InputError(option + " " + names + ": expected names separated by commas");
    devices.push_back(parseDevice(name, option));
    if (devices.back().isHost() != devices.front().isHost())
      throw InputError(option + " " + names + ": expected GPUs only, or the host");
    begin = end + 1;
  }
  return devices;
}

std::vector<Device>
chooseDevices(const std::string& device, const std::string& devices)
{
  if (devices.empty())
    return {parseDevice(device)};
  if (!device.empty())
    throw InputError("both --device and --devices: expected one of them");
  return parseDevices(devices);
}

std::string
describeDevice(const Device& device)
{
  if (device.isCuda())
    return device.name() + " (" + getDeviceName(device.id()) + ")";
  const int threads = omp_get_max_threads();
  const std::string processor = processorName();
  return device.name() + " (" + (processor.empty() ? "" : processor + ", ") +
         std::to_string(threads) + (threads == 1 ? " thread)" : " threads)");
}

std::string
describeDevices(const std::vector<Device>& devices)
{
  std::string text;
  for (const Device& device : devices)
    text += (text.empty() ? "" : ", ") + describeDevice(device);
  return text;
}

} // namespace pcl::gpu::apps
