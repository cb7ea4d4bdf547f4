// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>
#include <pcl/surface/reconstruction.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Drop-in for pcl::OrganizedFastMesh: connects the neighbouring pixels of an
 * organized cloud to triangles or quads.
 *
 * Uploads the cloud to the calling thread's current device, runs OrganizedTriangulation
 * there and downloads the polygons. Device memory is kept from call to call. With the
 * same settings it gives the polygons of PCL's class in the same order, but for these:
 *  - Quads run from the pixel down, so that they face the viewer as the triangles do.
 *    PCL's quads run the other way round and face away.
 *  - Of two possible cuts, TRIANGLE_ADAPTIVE_CUT takes the shorter diagonal in space,
 *    PCL the one with the smaller difference in z. It takes one cut for both triangles
 *    of a quad, where PCL decides before it looks for shadowed edges.
 *  - The angle between an edge and the line of sight is taken at the end that comes
 *    first in row-major order; PCL takes it at either end, depending on the polygon.
 *    Only edges within a fraction of a degree of the angle tolerance are affected.
 *  - setMaxEdgeLength() adds to the test of the angle; PCL then leaves that test out.
 *  - setDistanceTolerance() is compared with the length of an edge; PCL compares its
 *    square with that length.
 *  - An edge between two points at the same place is not shadowed.
 *
 * Beyond PCL's class, edges can be tested for the angle between their points' normals
 * (setInputNormals(), setMaxNormalAngle()), or by thresholds that follow the frame's
 * own resolution as in Orts-Escolano et al. 2014 (useDynamicThresholds()).
 *
 * Indices are ignored, as in PCL. As in PCL, too, the points of a PolygonMesh that are
 * missing (NaN) are set to zero in its cloud, since many file formats cannot hold NaN;
 * no polygon refers to them. The second form of reconstruct() leaves the cloud alone.
 *
 * \code
 * pcl::gpu::OrganizedFastMesh<pcl::PointXYZ> mesher;
 * mesher.setTriangulationType(mesher.TRIANGLE_LEFT_CUT);
 * mesher.setInputCloud(cloud);
 * mesher.reconstruct(mesh);
 * \endcode
 *
 * Precompiled for PointXYZ, PointXYZRGB, PointXYZRGBA, PointXYZI and PointNormal. For
 * other types define PCL_NO_PRECOMPILE before the first include, as with PCL's own
 * classes: the header then brings `impl/organized_fast_mesh.hpp` along.
 *
 * \ingroup gpu_triangulation
 */
template <typename PointInT>
class OrganizedFastMesh : public MeshConstruction<PointInT> {
public:
  /** \brief Shared pointer. */
  using Ptr = shared_ptr<OrganizedFastMesh<PointInT>>;
  /** \brief Shared pointer to const. */
  using ConstPtr = shared_ptr<const OrganizedFastMesh<PointInT>>;
  /** \brief Shared pointer to the input. */
  using PointCloudPtr = typename pcl::PointCloud<PointInT>::Ptr;
  /** \brief Output: indices into the input. */
  using Polygons = std::vector<pcl::Vertices>;
  /** \brief Normals of the input. */
  using NormalCloud = pcl::PointCloud<pcl::Normal>;

  /** \brief Ways to cut quads of neighbouring pixels; names and order as in PCL. */
  enum TriangulationType : int {
    TRIANGLE_RIGHT_CUT,    ///< two triangles, cut from top left to bottom right
    TRIANGLE_LEFT_CUT,     ///< two triangles, cut from top right to bottom left
    TRIANGLE_ADAPTIVE_CUT, ///< the cut that keeps more triangles, then the shorter one
    QUAD_MESH              ///< one polygon of four vertices
  };

  /** \brief Makes quads of neighbouring pixels, like PCL's class. */
  OrganizedFastMesh()
  {
    check_tree_ = false;
    parameters_.cut = Cut::Quad;
    useDynamicThresholds(false);
  }

  /** \brief Limits the length of edges to a + b d + c d^2, d being their distance from
   * the viewpoint. As in PCL, there is no limit if a + b + c is zero or less.
   * \param[in] a metres
   * \param[in] b metres for every metre
   * \param[in] c metres for every square metre
   * \throws pcl::BadArgumentException if NaN, or \a b or \a c is infinite
   */
  void
  setMaxEdgeLength(float a, float b = 0.0f, float c = 0.0f)
  {
    checkArgument(!std::isnan(a), "maximum edge length a", a, "a number");
    checkArgument(std::isfinite(b), "maximum edge length b", b, "a finite number");
    checkArgument(std::isfinite(c), "maximum edge length c", c, "a finite number");
    if (!(a + b + c > std::numeric_limits<float>::min()))
      return unsetMaxEdgeLength();
    parameters_.max_edge_length = a;
    parameters_.max_edge_length_linear = b;
    parameters_.max_edge_length_squared = c;
  }

  /** \brief Takes the limit on the length of edges away (the default). */
  void
  unsetMaxEdgeLength()
  {
    parameters_.max_edge_length = std::numeric_limits<float>::infinity();
    parameters_.max_edge_length_linear = 0.0f;
    parameters_.max_edge_length_squared = 0.0f;
  }

  /** \brief Sets the size of the quads, in pixels, as PCL counts it.
   * \param[in] triangle_size 1 or 2 for neighbouring pixels (1 is the default), n > 2
   * for pixels n - 1 apart
   */
  void
  setTrianglePixelSize(int triangle_size)
  {
    setTrianglePixelSizeRows(triangle_size);
    setTrianglePixelSizeColumns(triangle_size);
  }

  /** \brief Sets the height of the quads. See setTrianglePixelSize().
   * \param[in] triangle_size pixels
   */
  void
  setTrianglePixelSizeRows(int triangle_size)
  {
    parameters_.row_step = triangle_size > 1 ? triangle_size - 1 : 1;
  }

  /** \brief Sets the width of the quads. See setTrianglePixelSize().
   * \param[in] triangle_size pixels
   */
  void
  setTrianglePixelSizeColumns(int triangle_size)
  {
    parameters_.column_step = triangle_size > 1 ? triangle_size - 1 : 1;
  }

  /** \brief Sets the cut of quads.
   * \param[in] type QUAD_MESH by default
   * \throws pcl::BadArgumentException if there is no such type
   */
  void
  setTriangulationType(TriangulationType type)
  {
    checkEnumerator("triangulation type", type, QUAD_MESH);
    constexpr Cut cuts[] = {Cut::Right, Cut::Left, Cut::Adaptive, Cut::Quad};
    parameters_.cut = cuts[type];
  }

  /** \brief Sets the point that the cloud was seen from.
   * \param[in] viewpoint in the cloud's frame, metres; the origin by default
   * \throws pcl::BadArgumentException unless finite
   */
  void
  setViewpoint(const Eigen::Vector3f& viewpoint)
  {
    checkArgument(
        viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite numbers");
    parameters_.viewpoint = viewpoint;
  }

  /** \return the point that the cloud was seen from */
  const Eigen::Vector3f&
  getViewpoint() const
  {
    return parameters_.viewpoint;
  }

  /** \brief Keeps every polygon whose points exist.
   *
   * As in PCL, this switches all tests of edges off: of the angle to the line of sight,
   * of the length, and of the normals.
   * \param[in] enable false by default
   */
  void
  storeShadowedFaces(bool enable)
  {
    store_shadowed_faces_ = enable;
  }

  /** \brief Sets the least angle between an edge and the line of sight.
   *
   * Edges nearer to the line of sight join a surface with one that it hides.
   * \param[in] angle_tolerance radians, 12.5 degrees by default; zero or less for no
   * test
   * \throws pcl::BadArgumentException if NaN
   */
  void
  setAngleTolerance(float angle_tolerance)
  {
    checkArgument(
        !std::isnan(angle_tolerance), "angle tolerance", angle_tolerance, "a number");
    // PCL compares |cos|, so that an obtuse tolerance means its supplement.
    parameters_.angle_tolerance =
        angle_tolerance > 0.0f ? std::acos(std::abs(std::cos(angle_tolerance))) : 0.0f;
  }

  /** \brief Sets the length up to which edges along the line of sight are kept.
   * \param[in] distance_tolerance metres; zero or less, the default, keeps none
   * \param[in] depth_dependent if true, the tolerance is for points 1 metre away and
   * grows with the square of the distance
   * \throws pcl::BadArgumentException if NaN
   */
  void
  setDistanceTolerance(float distance_tolerance, bool depth_dependent = false)
  {
    checkArgument(!std::isnan(distance_tolerance),
                  "distance tolerance",
                  distance_tolerance,
                  "a number");
    parameters_.distance_tolerance = std::max(distance_tolerance, 0.0f);
    parameters_.distance_tolerance_grows = depth_dependent;
  }

  /** \brief Sets the distance that setMaxEdgeLength() and setDistanceTolerance() use.
   * \param[in] enable the larger z of the edge's points if true; if false, the default,
   * the distance from the viewpoint of the point that comes first in row-major order
   */
  void
  useDepthAsDistance(bool enable)
  {
    parameters_.depth_as_distance = enable;
  }

  /** \brief Gives the points' normals, for setMaxNormalAngle() and
   * useDynamicThresholds().
   * \param[in] normals unit normals of the input cloud, as many as it has points; null
   * for none. A point whose normal is NaN has no edge while normals are tested.
   */
  void
  setInputNormals(const NormalCloud::ConstPtr& normals)
  {
    normals_ = normals;
  }

  /** \return the normals given, or null */
  NormalCloud::ConstPtr
  getInputNormals() const
  {
    return normals_;
  }

  /** \brief Limits the angle between the normals of an edge's points.
   * \param[in] angle radians, above 0; pi or more, the default, for no test
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setMaxNormalAngle(float angle)
  {
    checkArgument(angle > 0.0f, "maximum normal angle", angle, "a positive number");
    parameters_.max_normal_angle = angle;
  }

  /** \brief Takes the limits from the frame itself, as in the paper.
   *
   * An edge is then valid up to the mean plus one standard deviation of the spacing of
   * the quads' points, which grows with their distance, or if it continues the surface
   * beside it; and, where normals are given, up to the mean plus one standard deviation
   * of the angles between neighbouring normals. Surfaces may be so even that there is
   * next to no deviation: the limits are at least twice the mean spacing and 10 degrees
   * (see OrganizedTriangulation). The numbers of setMaxEdgeLength() and
   * setMaxNormalAngle() rest meanwhile.
   * \param[in] enable false by default
   */
  void
  useDynamicThresholds(bool enable)
  {
    parameters_.dynamic_edge_length = enable;
    parameters_.dynamic_normal_angle = enable;
  }

  /** \brief Reconstructs the mesh of the input cloud.
   * \param[out] output header, points and polygons; former polygons are gone
   * \throws pcl::InitFailedException if there is no input cloud
   * \throws pcl::UnorganizedPointCloudException if it is not organized
   * \throws pcl::BadArgumentException if there are not as many normals as points, or
   * none although setMaxNormalAngle() needs them
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  reconstruct(pcl::PolygonMesh& output) override
  {
    checkInput();
    MeshConstruction<PointInT>::reconstruct(output);
  }

  /** \brief Reconstructs the polygons alone. Throws as the other form.
   * \param[out] polygons indices into the input cloud; former polygons are gone
   */
  void
  reconstruct(Polygons& polygons) override
  {
    checkInput();
    MeshConstruction<PointInT>::reconstruct(polygons);
  }

protected:
  using MeshConstruction<PointInT>::check_tree_;
  using MeshConstruction<PointInT>::input_;

  /** \return the name, for messages */
  std::string
  getClassName() const override
  {
    return "gpu::OrganizedFastMesh";
  }

  /** \brief Computes the polygons and sets missing points to zero.
   * \param[in,out] output its cloud holds the input's points
   */
  void
  performReconstruction(pcl::PolygonMesh& output) override;

  /** \brief Computes the polygons.
   * \param[out] polygons indices into the input cloud
   */
  void
  performReconstruction(Polygons& polygons) override;

private:
  /** \brief Objects and memory that are kept from call to call. */
  struct DeviceSide {
    CloudResolution resolution;
    OrganizedTriangulation triangulation;
    detail::ImageUpload<PointXYZ> cloud;
    detail::ImageUpload<PointXYZ> normals;
    DeviceArray<ResolutionStatistics> statistics;
    OrganizedMesh mesh;
    detail::DeviceReader<int> count;
    detail::DeviceReader<int> indices;
  };

  bool
  testsNormals() const;

  void
  checkInput() const;

  OrganizedTriangulationParameters
  parametersInEffect() const;

  OrganizedTriangulationParameters parameters_;
  bool store_shadowed_faces_ = false;
  NormalCloud::ConstPtr normals_;
  detail::Scratch<DeviceSide> scratch_;
};

} // namespace pcl::gpu

#ifdef PCL_NO_PRECOMPILE
#include <pcl/gpu/triangulation/impl/organized_fast_mesh.hpp>
#endif
