// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/depth_bilateral_filter.h>
#include <pcl/gpu/triangulation/depth_map_projection.h>
#include <pcl/gpu/triangulation/flying_pixel_removal.h>
#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a DepthMapTriangulation: those of its stages.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS DepthMapTriangulationParameters {
  bool remove_flying_pixels = false; ///< whether flying pixels are removed first
  FlyingPixelRemovalParameters flying_pixels; ///< of their removal
  bool filter_enabled = true;                 ///< whether the depth map is filtered
  DepthBilateralFilterParameters filter;      ///< of the bilateral filter
  DepthMapProjectionParameters
      projection;                        ///< of the projection; its camera must be set
  NormalMapEstimationParameters normals; ///< of the normals
  CloudResolutionParameters
      resolution; ///< of the resolution; steps and viewpoint are the mesh's
  OrganizedTriangulationParameters mesh; ///< of the mesh

  /** \brief Rejects values that one of the stages rejects.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief The whole chain: a depth map becomes a filtered cloud, its normals and a
 * mesh.
 *
 * Removal of flying pixels if wanted, filter, projection, normals, resolution and
 * triangulation in turn, without a detour over the host; filter and projection run as
 * one. Each stage gives the same numbers, bit for bit, as its class alone. A filter
 * hides the noise that adaptive windows measure: their normals are those of the cloud
 * that is not filtered.
 * \code
 * pcl::gpu::DepthMapTriangulationParameters parameters;
 * parameters.projection.camera = camera;
 * pcl::gpu::DepthMapTriangulation triangulation;
 * triangulation.setParameters(parameters);
 * triangulation.compute(depth, 0.001f);
 * triangulation.mesh().indices.download(indices);
 * \endcode
 *
 * Steady state neither allocates nor waits, and can be captured into a CUDA graph. One
 * object serves one stream at a time; two objects share nothing. A copy has the same
 * parameters and no results.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS DepthMapTriangulation
: public Parameterized<DepthMapTriangulationParameters> {
public:
  /** \brief Runs the chain on raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as the stages
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth, float scale, const Stream& stream = {});

  /** \brief Runs the chain on depth in metres.
   * \param[in] depth metres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as the stages
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth, const Stream& stream = {});

  /** \return the filtered depth map of the last run, metres */
  const DepthMap&
  filteredDepth() const
  {
    return results_.value.filtered_depth;
  }

  /** \return the organized cloud of the last run */
  const OrganizedCloud&
  cloud() const
  {
    return results_.value.cloud;
  }

  /** \return the normals of the last run */
  const NormalMap&
  normals() const
  {
    return results_.value.normals;
  }

  /** \return the resolution measured in the last run; one element */
  const DeviceArray<ResolutionStatistics>&
  statistics() const
  {
    return results_.value.statistics;
  }

  /** \return the mesh of the last run */
  const OrganizedMesh&
  mesh() const
  {
    return results_.value.mesh;
  }

private:
  template <typename Depth>
  void
  runCleaned(const Depth& depth, float scale, const Stream& stream);

  template <typename Depth>
  void
  run(const Depth& depth, float scale, const Stream& stream);

  /** \brief The results of the last run. */
  struct Results {
    DepthMap cleaned_depth;
    DepthMap filtered_depth;
    OrganizedCloud cloud;
    OrganizedCloud measured_cloud; ///< not filtered, for adaptive normals
    NormalMap normals;
    DeviceArray<ResolutionStatistics> statistics;
    OrganizedMesh mesh;
  };

  FlyingPixelRemoval flying_pixel_removal_;
  DepthMapProjection projection_;
  NormalMapEstimation normal_estimation_;
  CloudResolution resolution_;
  OrganizedTriangulation triangulation_;
  detail::Unshared<Results> results_;
};

} // namespace pcl::gpu
