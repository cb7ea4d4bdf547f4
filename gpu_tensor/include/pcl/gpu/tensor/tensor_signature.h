// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/point_tests.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_representation.h>
#include <pcl/point_types.h>
#include <pcl/register_point_struct.h>

#include <algorithm>
#include <cmath>
#include <iosfwd>
#include <iterator>

namespace pcl {
namespace gpu {

/** \brief A tensor as one of PCL's point types: the output of TensorEstimation for a
 * point.
 *
 * NaN in all numbers where a point has none. The fields of files are `tensor`, `rf`,
 * `origin` and `angle`.
 *
 * PCL's search trees, and classes built on them such as
 * pcl::registration::CorrespondenceEstimation, compare signatures by the Euclidean
 * distance of \a descriptor and of nothing else. pcl::KdTreeFLANN and
 * pcl::search::KdTree are precompiled for this type.
 * \ingroup gpu_tensor_types
 */
struct TensorSignature1000 {
  /** \brief Number of voxels along each axis. */
  static constexpr int grid_size = 10;

  /** \brief Area of the surface in voxel (z * 10 + y) * 10 + x, in faces of a voxel. */
  float descriptor[grid_size * grid_size * grid_size] = {};
  /** \brief The axes x, y and z of the local frame, one behind the other, in the frame
   * of the cloud. */
  float rf[9] = {};
  /** \brief The middle of the grid and of the pair of points, metres. */
  float origin[3] = {};
  /** \brief Between the normals of the pair of points, radians. */
  float angle = 0.0f;

  /** \return the number of values of \a descriptor */
  static constexpr int
  descriptorSize()
  {
    return grid_size * grid_size * grid_size;
  }
};

/** \brief Prints a signature: its frame, origin, angle and areas.
 * \param[in,out] stream receives the text
 * \param[in] signature the signature
 * \return the stream
 */
PCL_EXPORTS std::ostream&
operator<<(std::ostream& stream, const TensorSignature1000& signature);

} // namespace gpu

/** \brief Compares signatures by their descriptors. */
template <>
class DefaultPointRepresentation<gpu::TensorSignature1000>
: public PointRepresentation<gpu::TensorSignature1000> {
public:
  /** \brief Takes the descriptor, with which a signature begins. */
  DefaultPointRepresentation()
  {
    nr_dimensions_ = gpu::TensorSignature1000::descriptorSize();
    trivial_ = true;
  }

  /** \brief Copies the descriptor.
   * \param[in] signature the signature
   * \param[out] out descriptorSize() numbers
   */
  void
  copyToFloatArray(const gpu::TensorSignature1000& signature, float* out) const override
  {
    std::copy(std::begin(signature.descriptor), std::end(signature.descriptor), out);
  }
};

/** \brief Returns whether a point has a signature: it is NaN everywhere or nowhere.
 * \param[in] signature the signature
 * \return true unless it is NaN
 */
template <>
inline bool
isFinite<gpu::TensorSignature1000>(const gpu::TensorSignature1000& signature)
{
  return std::isfinite(signature.descriptor[0]);
}

} // namespace pcl

// clang-format off
POINT_CLOUD_REGISTER_POINT_STRUCT(pcl::gpu::TensorSignature1000,
                                  (float[1000], descriptor, tensor)
                                  (float[9], rf, rf)
                                  (float[3], origin, origin)
                                  (float, angle, angle))
// clang-format on
