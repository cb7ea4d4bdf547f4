// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

const device::TensorDriver&
tensorDriver(const Device& device)
{
  return chooseDriver(device,
                      &device::hostTensorDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaTensorDriver),
                      "gpu_tensor");
}

const device::MatchingDriver&
matchingDriver(const Device& device)
{
  return chooseDriver(device,
                      &device::hostMatchingDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaMatchingDriver),
                      "gpu_tensor");
}

const device::RecognitionDriver&
recognitionDriver(const Device& device)
{
  return chooseDriver(device,
                      &device::hostRecognitionDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaRecognitionDriver),
                      "gpu_tensor");
}

device::TensorView
viewOf(const TensorSet& tensors)
{
  return {tensors.frames.ptr(),
          tensors.starts.ptr(),
          tensors.voxels.ptr(),
          tensors.areas.ptr(),
          static_cast<std::uint32_t>(tensors.areas.size())};
}

void
checkTensorsDevice(const TensorSet& tensors,
                   const char* expected_name,
                   const Device& expected)
{
  checkDevice("frames of tensors", tensors.frames, expected_name, expected);
  checkDevice("number of tensors", tensors.count, expected_name, expected);
  checkDevice("starts of tensors", tensors.starts, expected_name, expected);
  checkDevice("voxels of tensors", tensors.voxels, expected_name, expected);
  checkDevice("areas of tensors", tensors.areas, expected_name, expected);
}

device::AngleBins
angleBins(float width)
{
  // The last one takes what rounding leaves of pi.
  const float bins = std::ceil(3.14159274f / width - 1e-3f);
  return {width, std::max(1, static_cast<int>(bins))};
}

device::ScratchMemory
takeScratch(const device::TensorDriver& driver,
            const device::ScratchBytes& bytes,
            bool forget,
            Workspace& kept,
            Workspace& loose,
            const Stream& stream)
{
  device::ScratchMemory memory{};
  const bool is_new = kept.reserve(Workspace::bytesFor<char>(bytes.kept));
  memory.kept = kept.take<char>(bytes.kept);
  if ((is_new || forget) && bytes.kept > 0)
    driver.clear(memory.kept, bytes.kept, stream.get());
  loose.reserve(Workspace::bytesFor<char>(bytes.loose));
  memory.loose = loose.take<char>(bytes.loose);
  return memory;
}

} // namespace pcl::gpu
