// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device_exception.h>

namespace pcl::gpu {
namespace {

std::string
message(const std::string& error_name,
        const std::string& action,
        const Device& device,
        const std::string& reason)
{
  std::string text = action + " on " + device.name() + ": " + error_name;
  if (!reason.empty())
    text += " (" + reason + ")";
  return text;
}

std::string
freeMemory(std::size_t bytes_free)
{
  if (bytes_free == 0)
    return "there is not enough memory";
  return "only " + std::to_string(bytes_free) + " bytes are free";
}

} // namespace

std::string
plainMessage(const PCLException& exception)
{
  const std::string message = exception.what();
  const std::string place = "@ " + std::to_string(exception.getLineNumber()) + " : ";
  const std::size_t at = message.find(place);
  return at == std::string::npos ? message : message.substr(at + place.size());
}

DeviceException::DeviceException(const std::string& error_name,
                                 const std::string& action,
                                 const Device& device,
                                 const std::string& reason,
                                 const char* file_name,
                                 const char* function_name,
                                 unsigned line_number)
: PCLException(message(error_name, action, device, reason),
               file_name,
               function_name,
               line_number)
, error_name_(error_name)
, action_(action)
, device_(device)
{}

DeviceException::~DeviceException() noexcept = default;

DeviceOutOfMemoryException::DeviceOutOfMemoryException(const Device& device,
                                                       std::size_t bytes_asked,
                                                       std::size_t bytes_free,
                                                       const char* file_name,
                                                       const char* function_name,
                                                       unsigned line_number)
: DeviceException("cudaErrorMemoryAllocation",
                  "allocating " + std::to_string(bytes_asked) + " bytes",
                  device,
                  freeMemory(bytes_free),
                  file_name,
                  function_name,
                  line_number)
, bytes_asked_(bytes_asked)
, bytes_free_(bytes_free)
{}

DeviceOutOfMemoryException::~DeviceOutOfMemoryException() noexcept = default;

} // namespace pcl::gpu
