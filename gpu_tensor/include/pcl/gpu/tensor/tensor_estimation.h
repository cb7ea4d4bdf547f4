// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/features/feature.h>
#include <pcl/gpu/tensor/impl/pairs_of_points.h>
#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_signature.h>
#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>

namespace pcl::gpu {

/** \brief Tensors of the points of an organized cloud: a feature like
 * pcl::SHOTEstimation and pcl::FPFHEstimation.
 *
 * A point's signature is the tensor of the pair that it forms with its closest partner
 * (Orts-Escolano et al. 2014, section 2.3). Uploads the cloud and its normals to the
 * calling thread's current device, runs CloudResolution, OrganizedTriangulation,
 * PointPairEstimation and TensorExtraction there and downloads the tensors. Device
 * memory is kept from call to call.
 *
 * Notes for users of PCL's classes:
 *  - The input is organized: its pixels make the mesh. setIndices() chooses the points
 *    that the output holds; partners and the surface are taken from the whole cloud.
 *    Signatures take 4 kB each.
 *  - There is no neighbourhood to set: setRadiusSearch(), setKSearch() and a
 *    setSearchSurface() other than the input make compute() throw. A search tree given
 *    by setSearchMethod() is not used, and none is built.
 *  - A point without a partner has no signature: all of it is NaN, and is_dense is
 *    false. The same goes for a pair whose normals are opposite, which has no frame.
 *    PCL's searches must not be asked for such points; setIndices() leaves them out.
 *  - Two points that are each other's closest partner have the same signature. Searches
 *    for one of them may find the other.
 *  - Lengths are multiples of the cloud's own resolution. Clouds from different
 *    distances can be compared if setResolution() gives all of them the same.
 *  - compute() throws exceptions; PCL's prints errors.
 *
 * TensorMatching compares tensors as the paper does, by the correlation of the voxels
 * that neither of two has empty: where part of a surface is hidden it finds more than
 * the distance of signatures, which counts empty voxels as well.
 *
 * \code
 * pcl::gpu::TensorEstimation<pcl::PointXYZ, pcl::Normal> estimation;
 * estimation.setInputCloud(cloud);
 * estimation.setInputNormals(normals);
 * estimation.setIndices(keypoints);
 * estimation.setResolution(0.002f);
 * estimation.compute(signatures);
 * \endcode
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal as
 * input and Normal, PointNormal, PointXYZINormal and PointXYZRGBNormal as normals. For
 * other types define PCL_NO_PRECOMPILE before the first include, as with PCL's own
 * classes: the header then brings `impl/tensor_estimation.hpp` along. The normals' type
 * needs normal_x, normal_y and normal_z; the output type the members of
 * TensorSignature1000.
 *
 * \ingroup gpu_tensor
 */
template <typename PointInT,
          typename PointNT = pcl::Normal,
          typename PointOutT = TensorSignature1000>
class TensorEstimation : public FeatureFromNormals<PointInT, PointNT, PointOutT> {
public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<TensorEstimation<PointInT, PointNT, PointOutT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const TensorEstimation<PointInT, PointNT, PointOutT>>;
  /** \brief Output. */
  using PointCloudOut = typename Feature<PointInT, PointOutT>::PointCloudOut;

  /** \brief Takes the parameters of the paper, and voxels of four resolutions. */
  TensorEstimation()
  {
    feature_name_ = "gpu::TensorEstimation";
    setParameter(pair_estimation_, &PointPairEstimationParameters::pairs_per_point, 1);
    setParameter(tensors_,
                 &TensorExtractionParameters::grid_size,
                 int(TensorSignature1000::grid_size));
  }

  /** \brief Sets the resolution that lengths are multiples of: distances, and the size
   * of voxels unless setVoxelSize() was called. The mesh always uses the cloud's own
   * resolution.
   * \param[in] resolution metres; 0, the default, for the cloud's mean distance of
   * points from their nearest neighbours
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setResolution(float resolution)
  {
    setParameter(
        pair_estimation_, &PointPairEstimationParameters::resolution, resolution);
  }

  /** \return the resolution that lengths are multiples of, metres; 0 for the cloud's */
  float
  getResolution() const
  {
    return pair_estimation_.getParameters().resolution;
  }

  /** \brief Sets the distances between the points of a pair.
   * \param[in] least in resolutions; 5 by default
   * \param[in] most in resolutions, not less than \a least; 14 by default
   * \throws pcl::BadArgumentException unless positive, finite and in this order
   */
  void
  setDistances(float least, float most)
  {
    PointPairEstimationParameters changed = pair_estimation_.getParameters();
    changed.min_distance = least;
    changed.max_distance = most;
    pair_estimation_.setParameters(changed);
  }

  /** \brief Sets the least angle between the normals of a pair.
   * \param[in] angle radians, at least 0.001 and below pi; 15 degrees by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinAngle(float angle)
  {
    setParameter(pair_estimation_, &PointPairEstimationParameters::min_angle, angle);
  }

  /** \brief Sets the window: partners are at most \a radius rows and columns away.
   * \param[in] radius pixels, 1 to
   * PointPairEstimationParameters::max_window_radius; 14 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setWindowRadius(int radius)
  {
    setParameter(
        pair_estimation_, &PointPairEstimationParameters::window_radius, radius);
  }

  /** \brief Sets the size of a voxel as a multiple of the resolution (the default).
   * \param[in] factor 4 by default
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setVoxelSizeFactor(float factor)
  {
    setVoxelSize(factor, LengthUnit::Resolutions);
  }

  /** \brief Sets the size of a voxel.
   * \param[in] size metres
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setVoxelSize(float size)
  {
    setVoxelSize(size, LengthUnit::Metres);
  }

  /** \brief Sets the area up to which a voxel counts as empty.
   * \param[in] area in faces of a voxel; 0 by default
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setMinArea(float area)
  {
    setParameter(tensors_, &TensorExtractionParameters::min_area, area);
  }

  /** \brief Sets the choice of triangles.
   * \param[in] triangles TensorTriangles::All by default
   * \throws pcl::BadArgumentException if it is none of the enumeration
   */
  void
  setTriangles(TensorTriangles triangles)
  {
    setParameter(tensors_, &TensorExtractionParameters::triangles, triangles);
  }

  /** \brief Returns the mesher that connects the points, for its parameters such as
   * OrganizedTriangulationParameters::max_edge_length. The viewpoint is always the
   * input's sensor origin, and quads are to be one pixel wide.
   * \return the mesher
   */
  OrganizedTriangulation&
  getTriangulation()
  {
    return triangulation_;
  }

protected:
  using Feature<PointInT, PointOutT>::feature_name_;
  using Feature<PointInT, PointOutT>::indices_;
  using Feature<PointInT, PointOutT>::input_;
  using Feature<PointInT, PointOutT>::k_;
  using Feature<PointInT, PointOutT>::search_radius_;
  using Feature<PointInT, PointOutT>::surface_;
  using FeatureFromNormals<PointInT, PointNT, PointOutT>::normals_;

  /** \brief Checks input and settings; builds no search tree.
   * \return true
   * \throws pcl::InitFailedException if there is no input cloud, or no normals
   * \throws pcl::UnorganizedPointCloudException if the cloud is not organized
   * \throws pcl::BadArgumentException if there are not as many normals as points, a
   * search radius, a number of neighbours or another search surface was set, or an
   * index lies outside the cloud
   */
  bool
  initCompute() override;

private:
  /** \brief Buffers on the device, and on the way to it, that are kept from call to
   * call. */
  struct DeviceSide {
    detail::ImageUpload<PointXYZ> cloud;
    detail::ImageUpload<PointXYZ> normals;
    DeviceArray<ResolutionStatistics> statistics;
    OrganizedMesh mesh;
    detail::PairsOfPoints pairs;
    TensorSet tensors;
  };

  /** \brief Runs the device classes.
   * \param[out] output signatures of the points in indices_
   * \throws pcl::BadArgumentException if the sensor origin is not finite
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeFeature(PointCloudOut& output) override;

  void
  setVoxelSize(float size, LengthUnit unit)
  {
    TensorExtractionParameters changed = tensors_.getParameters();
    changed.voxel_size = size;
    changed.voxel_unit = unit;
    tensors_.setParameters(changed);
  }

  /** \brief With voxels in either unit; \ref extraction_ takes metres where it can. */
  Parameterized<TensorExtractionParameters> tensors_;
  CloudResolution cloud_resolution_;
  OrganizedTriangulation triangulation_;
  PointPairEstimation pair_estimation_;
  TensorExtraction extraction_;
  detail::Scratch<DeviceSide> scratch_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/tensor/impl/tensor_estimation.hpp>
#endif
