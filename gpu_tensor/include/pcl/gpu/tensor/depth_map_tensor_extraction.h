// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief Parameters of a DepthMapTensorExtraction: those of its stages.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS DepthMapTensorExtractionParameters {
  /** \brief Filter, projection, normals and mesh, for a Kinect's noise unless set
   * otherwise. Its camera has to be set. Edges are never longer than six
   * \ref glossary_resolution "resolutions": see usedSurface(). */
  DepthMapTriangulationParameters surface;
  /** \brief Parameters of tensors: those of the library; have to be set, see
   * recognitionParameters(). */
  TensorParameters tensors;
  /** \brief Depth of the nearest surfaces on which partners of a pair are looked for,
   * metres; positive. The window for partners reaches as far as the largest distance of
   * a pair does at that depth. */
  float nearest_depth = 0.7f;
  /** \brief Most tensors that are computed, of pairs chosen at random; 0 for all. */
  int tensor_count = 0;
  std::uint64_t seed = 0; ///< other seeds choose other pairs

  /** \brief Makes the defaults, without camera and resolution. */
  DepthMapTensorExtractionParameters();

  /** \brief Sets \a tensors, and makes surfaces fine enough for them: for resolutions
   * below 3 mm all pixels are used, with smaller windows of normals.
   * \param[in] parameters those of the library
   */
  void
  setTensors(const TensorParameters& parameters);

  /** \brief Returns the parameters of the surface, with the limit of edges' lengths.
   * \return them, as the chain uses them
   */
  DepthMapTriangulationParameters
  usedSurface() const;

  /** \brief Returns the parameters that pairs are found with, with the window's size.
   * \return them, as the chain uses them
   */
  PointPairEstimationParameters
  usedPairs() const;

  /** \brief Returns the parameters that tensors are computed with.
   * \return them, as the chain uses them
   */
  TensorExtractionParameters
  usedTensors() const;

  /** \brief Checks all parameters that were set.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief The whole chain: a depth map becomes a surface, and its tensors.
 *
 * Filter, projection, normals, mesh (DepthMapTriangulation), pairs and tensors in turn,
 * with settings that separate tensors of noisy depth maps best: the depth map is
 * filtered with the noise of a Kinect in mind, and every second row and column of it is
 * used. The models of a library and the scenes they are looked for in should be
 * computed alike.
 *
 * Steady state neither allocates nor waits. One object serves one stream at a time; two
 * objects share nothing: a copy has the same parameters and no results.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS DepthMapTensorExtraction
: public Parameterized<DepthMapTensorExtractionParameters> {
public:
  /** \brief Sets the parameters.
   * \param[in] parameters of all stages
   * \throws pcl::BadArgumentException as DepthMapTensorExtractionParameters::validate()
   */
  void
  setParameters(const DepthMapTensorExtractionParameters& parameters)
  {
    parameters.validate();
    surface_.setParameters(parameters.usedSurface());
    parameters_ = parameters;
  }

  /** \return the intrinsics that the pixels of the cloud have */
  PinholeCamera
  getCloudCamera() const
  {
    return parameters_.surface.projection.cloudCamera();
  }

  /** \return the surface of the last run */
  const DepthMapTriangulation&
  surface() const
  {
    return surface_;
  }

  /** \brief Runs the chain on raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as the stages, or if there is no camera or no
   * parameters
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth, float scale, const Stream& stream = {})
  {
    parameters_.tensors.validate();
    surface_.compute(depth, scale, stream);
    computeTensors(stream);
  }

  /** \brief Runs the chain on depth in metres.
   * \param[in] depth metres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth, const Stream& stream = {})
  {
    parameters_.tensors.validate();
    surface_.compute(depth, stream);
    computeTensors(stream);
  }

  /** \return the pairs of the last run */
  const PointPairs&
  pairs() const
  {
    return pairs_.value;
  }

  /** \return the tensors of the last run */
  const TensorSet&
  tensors() const
  {
    return tensors_.value;
  }

private:
  void
  computeTensors(const Stream& stream);

  DepthMapTriangulation surface_;
  PointPairEstimation pair_estimation_;
  TensorExtraction extraction_;
  detail::Unshared<PointPairs> pairs_;
  detail::Unshared<TensorSet> tensors_;
};

/** \brief Returns parameters for recognizing objects of a certain size in depth maps.
 *
 * One pair a point, of normals at least 30 degrees apart; grids of 10 x 10 x 10 voxels
 * of four resolutions. Measured on rendered scenes with a Kinect's noise: each of these
 * separates objects better than the paper's 15 degrees, three pairs, and smaller
 * voxels.
 * \param[in] resolution metres; a 70th of the objects' size, but not less than some 3
 * mm with a Kinect at 1 m
 * \return the parameters
 * \throws pcl::BadArgumentException unless positive and finite
 * \ingroup gpu_tensor
 */
PCL_EXPORTS TensorParameters
recognitionParameters(float resolution = 0.0035f);

} // namespace pcl::gpu
