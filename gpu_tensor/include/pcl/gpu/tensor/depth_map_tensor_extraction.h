// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief The whole chain: a depth map becomes a surface, and its tensors.
 *
 * Filter, projection, normals, mesh (DepthMapTriangulation), pairs and tensors in turn, with
 * settings that tensors of noisy depth maps are told apart by best: the depth map is
 * filtered with the noise of a Kinect in mind, and every second row and column of it is
 * used. The models of a library and the scenes they are looked for in should be computed
 * alike.
 *
 * Steady state neither allocates nor waits. One object serves one stream at a time; two
 * objects share nothing.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS DepthMapTensorExtraction {
public:
  /** \brief Makes a chain without camera and resolution. */
  DepthMapTensorExtraction();

  /** \brief Sets the camera that takes the depth maps.
   * \param[in] camera its intrinsics; width and height may be 0
   * \throws pcl::BadArgumentException as PinholeCamera::validate()
   */
  void
  setCamera(const PinholeCamera& camera);

  /** \return the intrinsics that the pixels of the cloud have */
  PinholeCamera
  getCloudCamera() const;

  /** \brief Sets what tensors are computed with, and that edges of the mesh are not longer
   * than six resolutions; has to be called.
   * \param[in] parameters those of the library, see recognitionParameters()
   * \throws pcl::BadArgumentException as validateParameters()
   */
  void
  setParameters(const TensorParameters& parameters);

  /** \return what tensors are computed with */
  const TensorParameters&
  getParameters() const;

  /** \brief Sets how near surfaces come that partners of a pair are looked for on: the window
   * for partners is as large as the farthest partner may be apart there.
   * \param[in] depth metres; 0.7 by default
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setNearestDepth(float depth);

  /** \brief Sets how many tensors are computed.
   * \param[in] count at most so many, of pairs chosen at random; 0, the default, for all
   * \param[in] seed other seeds choose other pairs
   * \throws pcl::BadArgumentException if less than 0
   */
  void
  setTensorCount(int count, std::uint64_t seed = 0);

  /** \return the settings of the surface. Set the camera by setCamera(); every second row and
   * column is used unless its parameter projection.sampling_step is set */
  DepthMapTriangulation&
  surface();

  /** \return the surface of the last run */
  const DepthMapTriangulation&
  surface() const;

  /** \return how tensors are computed; what the parameters say is set by setParameters() */
  TensorExtraction&
  extraction();

  /** \brief Runs the chain on raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as the stages, or if there is no camera or no
   * parameters
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth, float scale, const Stream& stream = {});

  /** \brief Runs the chain on depth in metres.
   * \param[in] depth metres
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth, const Stream& stream = {});

  /** \return the pairs of the last run */
  const PointPairs&
  pairs() const;

  /** \return the tensors of the last run */
  const TensorSet&
  tensors() const;

private:
  void
  computeTensors(const Stream& stream);

  DepthMapTriangulation surface_;
  PointPairEstimation pair_estimation_;
  TensorExtraction extraction_;
  TensorParameters parameters_;
  float nearest_depth_ = 0.7f;
  int tensor_count_ = 0;
  std::uint64_t seed_ = 0;
  PointPairs pairs_;
  TensorSet tensors_;
};

/** \brief Parameters that objects of a certain size are recognized with in depth maps.
 *
 * One pair a point, of normals at least 30 degrees apart; grids of 10 x 10 x 10 voxels of four
 * resolutions. Measured on rendered scenes with a Kinect's noise: each of these tells
 * objects apart better than the paper's 15 degrees, three pairs, and smaller voxels.
 * \param[in] resolution metres; a 70th of the objects' size, but not less than some 3 mm with
 * a Kinect at 1 m
 * \return the parameters
 * \throws pcl::BadArgumentException unless positive and finite
 * \ingroup gpu_tensor
 */
PCL_EXPORTS TensorParameters
recognitionParameters(float resolution = 0.0035f);

} // namespace pcl::gpu
