// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/report.h"

#include "common/commit.h"
#include "common/statistics.h"

#include <pcl/gpu/containers/device.h>
#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>

#include <cuda_runtime_api.h>
#endif
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

namespace benchmarks {

namespace {

#if PCL_GPU_HAVE_CUDA
using pcl::device::checkCuda;
#endif

std::string
today()
{
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  return date;
}

std::string
processorName()
{
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.compare(0, 10, "model name") == 0)
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

#if PCL_GPU_HAVE_CUDA

std::string
driverVersion()
{
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  const auto dot = line.find('.');
  if (dot == std::string::npos)
    return "unknown";
  const auto begin = line.rfind(' ', dot) + 1;
  return line.substr(begin, line.find(' ', begin) - begin);
}

#endif

} // namespace

RunContext
runContext()
{
  RunContext context;
  context.date = today();
  context.commit = source_commit;
  context.processor = processorName();
#if PCL_GPU_HAVE_CUDA
  if (pcl::gpu::currentDevice().isCuda()) {
    int device = 0;
    cudaDeviceProp properties = {};
    checkCuda(cudaGetDevice(&device), "asking for the current device");
    checkCuda(cudaGetDeviceProperties(&properties, device),
              "asking for the device's name");
    checkCuda(cudaRuntimeGetVersion(&context.runtime),
              "asking for the runtime's version");
    context.device = properties.name;
    context.driver = driverVersion();
  }
#endif
  return context;
}

void
printContext(const std::string& versions)
{
  const RunContext context = runContext();
  std::printf("%s, commit %s, %s, %u cores visible, %d threads used",
              context.date.c_str(),
              context.commit.c_str(),
              context.processor.c_str(),
              std::thread::hardware_concurrency(),
              omp_get_max_threads());
  if (!context.device.empty())
    std::printf(", %s, driver %s, CUDA runtime %d.%d",
                context.device.c_str(),
                context.driver.c_str(),
                context.runtime / 1000,
                context.runtime % 1000 / 10);
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  std::printf(", OMP_WAIT_POLICY %s, compiler %s%s\n",
              policy ? policy : "not set",
              __VERSION__,
              (versions.empty() ? "" : ", " + versions).c_str());
}

void
printHeading(const std::string& columns)
{
  std::string rule = "|";
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (columns[i] == '|')
      rule += "---|";
  std::printf("\n%s\n%s\n", columns.c_str(), rule.c_str());
}

void
printCell(const std::string& text)
{
  std::printf(" %s |", text.c_str());
}

std::string
fixed(double value, int digits)
{
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

std::string
leastAndMedian(const std::vector<double>& times, int digits)
{
  return fixed(leastOf(times), digits) + " / " + fixed(medianOf(times), digits);
}

} // namespace benchmarks
