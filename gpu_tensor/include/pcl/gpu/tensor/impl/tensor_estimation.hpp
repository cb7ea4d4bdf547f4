// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_estimation.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

namespace pcl::gpu {

namespace detail {

/** \brief Tensors that are computed at once: there is room for all of their voxels. */
constexpr int tensors_at_once = 16384;

/** \brief Writes the signature of a point that has none. */
template <typename SignatureT>
void
writeNoSignature(SignatureT& signature)
{
  const float none = std::numeric_limits<float>::quiet_NaN();
  std::fill(std::begin(signature.descriptor), std::end(signature.descriptor), none);
  std::fill(std::begin(signature.rf), std::end(signature.rf), none);
  std::fill(std::begin(signature.origin), std::end(signature.origin), none);
  signature.angle = none;
}

/** \brief Writes a tensor.
 * \return whether it has a frame
 */
template <typename SignatureT>
bool
writeSignature(const HostTensorSet& tensors, int number, SignatureT& signature)
{
  const TensorFrame& frame = tensors.frames[number];
  if (std::isnan(frame.x_axis[0])) {
    writeNoSignature(signature);
    return false;
  }
  std::fill(std::begin(signature.descriptor), std::end(signature.descriptor), 0.0f);
  for (std::uint32_t i = tensors.starts[number]; i < tensors.starts[number + 1]; ++i)
    signature.descriptor[tensors.voxels[i]] = tensors.areas[i];
  float* axes = std::begin(signature.rf);
  for (const auto& axis : {frame.x_axis, frame.y_axis, frame.z_axis})
    axes = std::copy(axis, axis + 3, axes);
  std::copy(std::begin(frame.origin), std::end(frame.origin), signature.origin);
  signature.angle = frame.angle;
  return true;
}

} // namespace detail

template <typename PointInT, typename PointNT, typename PointOutT>
bool
TensorEstimation<PointInT, PointNT, PointOutT>::initCompute()
{
  detail::requireOrganized<PointInT>(input_, feature_name_);
  if (!normals_)
    PCL_THROW_EXCEPTION(InitFailedException,
                        feature_name_
                            << ": no normals were given, see setInputNormals()");
  if (normals_->size() != input_->size())
    PCL_THROW_EXCEPTION(BadArgumentException,
                        feature_name_ << ": there are " << normals_->size()
                                      << " normals for " << input_->size()
                                      << " points: expected as many");
  if (search_radius_ != 0.0 || k_ != 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        feature_name_
                            << ": search radius is " << search_radius_
                            << ", number of neighbours is " << k_
                            << ": expected 0 for both; setDistances() limits the "
                               "distance of partners, setVoxelSize() sets the size of "
                               "tensors");
  if (surface_ && surface_ != input_)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        feature_name_
                            << ": the search surface is not the input cloud: expected "
                               "none; choose points of the input by setIndices()");

  PCLBase<PointInT>::initCompute();
  if (this->fake_indices_)
    return true;
  const auto points = static_cast<index_t>(input_->size());
  for (const index_t index : *indices_)
    checkArgument(index >= 0 && index < points,
                  "index",
                  index,
                  "the number of a point of the input cloud");
  return true;
}

template <typename PointInT, typename PointNT, typename PointOutT>
void
TensorEstimation<PointInT, PointNT, PointOutT>::computeFeature(PointCloudOut& output)
{
  static_assert(PointOutT::descriptorSize() == TensorSignature1000::descriptorSize(),
                "signatures have the voxels of TensorSignature1000");
  const float resolution = pair_estimation_.getParameters().resolution;
  TensorExtractionParameters tensors = tensors_.getParameters();
  if (tensors.voxel_unit == LengthUnit::Resolutions && resolution > 0.0f) {
    tensors.voxel_size *= resolution;
    tensors.voxel_unit = LengthUnit::Metres;
  }
  extraction_.setParameters(tensors);
  setParameter(triangulation_,
               &OrganizedTriangulationParameters::viewpoint,
               input_->sensor_origin_.template head<3>());
  CloudResolutionParameters measured = cloud_resolution_.getParameters();
  triangulation_.getParameters().applyTo(measured);
  cloud_resolution_.setParameters(measured);

  DeviceSide& side = scratch_.onCurrentDevice();
  const OrganizedCloud cloud = detail::uploadPositions(*input_, side.cloud);
  const NormalMap normals =
      detail::uploadNormals(*normals_, cloud.rows(), cloud.cols(), side.normals);
  cloud_resolution_.compute(cloud, normals, side.statistics);
  triangulation_.compute(cloud, normals, side.statistics, side.mesh);
  side.pairs.compute(pair_estimation_,
                     cloud,
                     normals,
                     side.statistics,
                     this->fake_indices_ ? nullptr : indices_.get());

  const index_t* points = indices_->data();
  std::atomic<bool> dense(true);
  detail::forEach(output.size(), [&](std::size_t i) {
    if (side.pairs.numberOf(points[i]) >= 0)
      return;
    detail::writeNoSignature(output[i]);
    dense.store(false, std::memory_order_relaxed);
  });
  for (int begin = 0; begin < side.pairs.size(); begin += detail::tensors_at_once) {
    const int end = std::min(begin + detail::tensors_at_once, side.pairs.size());
    extraction_.compute(cloud,
                        normals,
                        side.mesh,
                        side.statistics,
                        side.pairs.upload(begin, end),
                        side.tensors);
    const HostTensorSet host = downloadTensors(side.tensors);
    detail::forEach(output.size(), [&](std::size_t i) {
      const int number = side.pairs.numberOf(points[i]);
      if (number < begin || number >= end)
        return;
      if (!detail::writeSignature(host, number - begin, output[i]))
        dense.store(false, std::memory_order_relaxed);
    });
  }
  output.is_dense = dense;
  output.sensor_origin_ = input_->sensor_origin_;
  output.sensor_orientation_ = input_->sensor_orientation_;
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuTensorEstimation(T, NT)                                     \
  template class PCL_EXPORTS pcl::gpu::TensorEstimation<T, NT>;
