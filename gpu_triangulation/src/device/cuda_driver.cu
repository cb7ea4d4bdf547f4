// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_driver.h"

#include "elementwise.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>

namespace pcl::device {

namespace {

/** \brief Queues every stage on a stream of the current device. */
class CudaTriangulationDriver final : public TriangulationDriver {
public:
  void
  convertDisparity(const PtrStepSz<const std::uint16_t>& disparity,
                   const DisparityParameters& parameters,
                   PtrStep<float> depth,
                   Queue queue) const override
  {
    device::convertDisparity(CudaExecutor{queue}, disparity, parameters, depth);
  }

  void
  filterAndProject(const DepthInput& input,
                   const FilterParameters* filter,
                   PtrStep<float> filtered,
                   const Intrinsics* camera,
                   PtrStep<Float4> cloud,
                   Queue queue) const override
  {
    cuda::filterAndProject(input, filter, filtered, camera, cloud, queue);
  }

  void
  projectSampled(const DepthInput& input,
                 int step,
                 const Intrinsics& camera,
                 PtrStep<Float4> cloud,
                 Queue queue) const override
  {
    device::projectSampled(CudaExecutor{queue}, input, step, camera, cloud);
  }

  void
  projectWithColor(const PtrStepSz<const float>& depth,
                   PtrStep<const std::uint32_t> colors,
                   const Intrinsics& camera,
                   PtrStep<ColorPoint> cloud,
                   Queue queue) const override
  {
    device::projectWithColor(CudaExecutor{queue}, depth, colors, camera, cloud);
  }

  void
  registerColors(const PtrStepSz<const float>& depth,
                 const PtrStepSz<const std::uint32_t>& image,
                 const RegistrationParameters& parameters,
                 std::uint32_t* depth_buffer,
                 PtrStep<std::uint32_t> colors,
                 Queue queue) const override
  {
    device::registerColors(
        CudaExecutor{queue}, depth, image, parameters, depth_buffer, colors);
  }

  void
  estimateNormals(const PtrStepSz<const Float4>& cloud,
                  const NormalParameters& parameters,
                  PtrStep<Float4> normals,
                  Queue queue) const override
  {
    cuda::estimateNormals(cloud, parameters, normals, queue);
  }

  std::size_t
  resolutionScratchBytes(int rows, int columns) const override
  {
    return cuda::resolutionScratchBytes(rows, columns);
  }

  void
  measureResolution(const PtrStepSz<const Float4>& cloud,
                    PtrStep<const Float4> normals,
                    int neighbors,
                    void* scratch,
                    ResolutionStatistics* statistics,
                    Queue queue) const override
  {
    cuda::measureResolution(cloud, normals, neighbors, scratch, statistics, queue);
  }

  std::size_t
  meshScratchBytes(int rows, int columns) const override
  {
    return cuda::meshScratchBytes(rows, columns);
  }

  void
  triangulate(const PtrStepSz<const Float4>& cloud,
              PtrStep<const Float4> normals,
              const ResolutionStatistics* statistics,
              const MeshParameters& parameters,
              void* scratch,
              PtrStep<std::uint8_t> validity,
              int* indices,
              int* polygon_count,
              Queue queue) const override
  {
    cuda::triangulate(cloud,
                      normals,
                      statistics,
                      parameters,
                      scratch,
                      validity,
                      indices,
                      polygon_count,
                      queue);
  }

  void
  clear(void* memory, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, 0, bytes, queue), "clearing memory");
  }
};

} // namespace

const TriangulationDriver&
cudaTriangulationDriver()
{
  static const CudaTriangulationDriver driver;
  return driver;
}

} // namespace pcl::device
