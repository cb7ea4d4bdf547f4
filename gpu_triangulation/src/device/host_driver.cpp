// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_driver.h"

#include "elementwise.hpp"

#include <cstring>

namespace pcl::device {

namespace {

/** \brief Runs every stage with OpenMP's threads; the queue has no meaning here. */
class HostTriangulationDriver final : public TriangulationDriver {
public:
  void
  convertDisparity(const PtrStepSz<const std::uint16_t>& disparity,
                   const DisparityParameters& parameters,
                   PtrStep<float> depth,
                   Queue) const override
  {
    device::convertDisparity(HostExecutor{}, disparity, parameters, depth);
  }

  void
  filterAndProject(const DepthInput& input,
                   const FilterParameters* filter,
                   PtrStep<float> filtered,
                   const Intrinsics* camera,
                   PtrStep<Float4> cloud,
                   Queue) const override
  {
    host::filterAndProject(input, filter, filtered, camera, cloud);
  }

  void
  projectSampled(const DepthInput& input,
                 int step,
                 const Intrinsics& camera,
                 PtrStep<Float4> cloud,
                 Queue) const override
  {
    device::projectSampled(HostExecutor{}, input, step, camera, cloud);
  }

  void
  projectWithColor(const PtrStepSz<const float>& depth,
                   PtrStep<const std::uint32_t> colors,
                   const Intrinsics& camera,
                   PtrStep<ColorPoint> cloud,
                   Queue) const override
  {
    device::projectWithColor(HostExecutor{}, depth, colors, camera, cloud);
  }

  void
  registerColors(const PtrStepSz<const float>& depth,
                 const PtrStepSz<const std::uint32_t>& image,
                 const RegistrationParameters& parameters,
                 std::uint32_t* depth_buffer,
                 PtrStep<std::uint32_t> colors,
                 Queue) const override
  {
    device::registerColors(
        HostExecutor{}, depth, image, parameters, depth_buffer, colors);
  }

  void
  estimateNormals(const PtrStepSz<const Float4>& cloud,
                  const NormalParameters& parameters,
                  PtrStep<Float4> normals,
                  Queue) const override
  {
    host::estimateNormals(cloud, parameters, normals);
  }

  std::size_t
  resolutionScratchBytes(int rows, int columns) const override
  {
    return host::resolutionScratchBytes(rows, columns);
  }

  void
  measureResolution(const PtrStepSz<const Float4>& cloud,
                    PtrStep<const Float4> normals,
                    int neighbors,
                    void* scratch,
                    ResolutionStatistics* statistics,
                    Queue) const override
  {
    host::measureResolution(cloud, normals, neighbors, scratch, statistics);
  }

  std::size_t
  meshScratchBytes(int rows, int columns) const override
  {
    return host::meshScratchBytes(rows, columns);
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
              Queue) const override
  {
    host::triangulate(cloud,
                      normals,
                      statistics,
                      parameters,
                      scratch,
                      validity,
                      indices,
                      polygon_count);
  }

  void
  clear(void* memory, std::size_t bytes, Queue) const override
  {
    std::memset(memory, 0, bytes);
  }
};

} // namespace

const TriangulationDriver&
hostTriangulationDriver()
{
  static const HostTriangulationDriver driver;
  return driver;
}

} // namespace pcl::device
