// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::PtrStep;
using gpu::PtrStepSz;
using gpu::ResolutionStatistics;

/** \brief A depth map as it comes: raw units or metres. */
struct DepthInput {
  const void* data;
  std::size_t step; ///< bytes from row to row
  int rows;
  int columns;
  bool raw;    ///< uint16 if true, else float
  float scale; ///< metres for one unit
};

/** \brief How many of \a size rows or columns are sampled. */
inline int
sampledSize(int size, int step)
{
  return (size + step - 1) / step;
}

struct DisparityParameters {
  float baseline_times_focal_length;
  float offset;
};

struct FilterParameters {
  float sigma_s;
  float sigma_r;
  float sigma_r_growth;
  int radius;
};

struct NormalParameters {
  int radius;
  float max_depth_change_factor; ///< infinity to keep all neighbours
  float viewpoint[3];
};

/** \brief A threshold: a number, or mean + factor * deviation of the frame. */
struct Threshold {
  bool dynamic;
  float value;       ///< the number or the factor
  float least_ratio; ///< a dynamic threshold is at least this times the mean
  float least;       ///< and at least this
};

/** \brief How the lengths that edges are compared with depend on their distance d. */
struct LengthGrowth {
  float linear;         ///< added to the longest valid edge for each d
  float squared;        ///< and for each d^2
  bool tolerance_grows; ///< the distance tolerance is for d = 1 and grows with d^2
  bool depth_is_distance;
};

/** \brief Cuts, in the order of gpu::Cut. */
enum class QuadCut : int { Left, Right, Adaptive, Quad };

struct MeshParameters {
  QuadCut cut;
  int row_step;
  int column_step;
  float max_squared_cosine; ///< of the angle between edge and line of sight
  float distance_tolerance; ///< up to this length that angle does not matter
  LengthGrowth growth;
  Threshold edge_length;
  Threshold normal_angle;
  bool test_normals;
  float viewpoint[3];
};

struct RegistrationParameters {
  Intrinsics depth_camera;
  float fx, fy, cx, cy;          ///< of the colour camera
  RigidTransform depth_to_color; ///< points of the depth camera into the colour camera
  float tolerance;               ///< metres
  int splat_radius;              ///< pixels of the depth buffer that a point covers
};

/** \brief An organized cloud of pcl::PointXYZRGB in memory. */
struct ColorPoint {
  Float4 position;
  std::uint32_t rgba;
  std::uint32_t padding[3];
};

/** \brief What the module's API classes ask of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size. Scratch memory
 * is zero when it is new; else it comes as the last run of the same stage left it.
 */
class TriangulationDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  convertDisparity(const PtrStepSz<const std::uint16_t>& disparity,
                   const DisparityParameters& parameters,
                   PtrStep<float> depth,
                   Queue queue) const = 0;

  /** \brief Filters and projects in one go; leaves out what is null. */
  virtual void
  filterAndProject(const DepthInput& input,
                   const FilterParameters* filter,
                   PtrStep<float> filtered,
                   const Intrinsics* camera,
                   PtrStep<Float4> cloud,
                   Queue queue) const = 0;

  /** \brief Projects every step-th row and column. */
  virtual void
  projectSampled(const DepthInput& input,
                 int step,
                 const Intrinsics& camera,
                 PtrStep<Float4> cloud,
                 Queue queue) const = 0;

  virtual void
  projectWithColor(const PtrStepSz<const float>& depth,
                   PtrStep<const std::uint32_t> colors,
                   const Intrinsics& camera,
                   PtrStep<ColorPoint> cloud,
                   Queue queue) const = 0;

  /** \param[out] depth_buffer scratch, one number a pixel of \a image */
  virtual void
  registerColors(const PtrStepSz<const float>& depth,
                 const PtrStepSz<const std::uint32_t>& image,
                 const RegistrationParameters& parameters,
                 std::uint32_t* depth_buffer,
                 PtrStep<std::uint32_t> colors,
                 Queue queue) const = 0;

  virtual void
  estimateNormals(const PtrStepSz<const Float4>& cloud,
                  const NormalParameters& parameters,
                  PtrStep<Float4> normals,
                  Queue queue) const = 0;

  virtual std::size_t
  resolutionScratchBytes(int rows, int columns) const = 0;

  virtual void
  measureResolution(const PtrStepSz<const Float4>& cloud,
                    PtrStep<const Float4> normals,
                    int neighbors,
                    void* scratch,
                    ResolutionStatistics* statistics,
                    Queue queue) const = 0;

  virtual std::size_t
  meshScratchBytes(int rows, int columns) const = 0;

  virtual void
  triangulate(const PtrStepSz<const Float4>& cloud,
              PtrStep<const Float4> normals,
              const ResolutionStatistics* statistics,
              const MeshParameters& parameters,
              void* scratch,
              PtrStep<std::uint8_t> validity,
              int* indices,
              int* polygon_count,
              Queue queue) const = 0;

  /** \brief Sets bytes to zero. */
  virtual void
  clear(void* memory, std::size_t bytes, Queue queue) const = 0;

protected:
  ~TriangulationDriver() = default;
};

const TriangulationDriver&
hostTriangulationDriver();

/** \brief Exists only where the module is built with CUDA. */
const TriangulationDriver&
cudaTriangulationDriver();

} // namespace pcl::device
