// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/room_planes.h"

#include "people/depth_picture.h"

#include <pcl/common/centroid.h>
#include <pcl/features/integral_image_normal.h>
#include <pcl/search/kdtree.h>
#include <pcl/segmentation/comparator.h>
#include <pcl/segmentation/organized_connected_component_segmentation.h>
#include <pcl/segmentation/sac_segmentation.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace pcl::gpu {

namespace {

/** \brief Least area of a plane, square metres. */
constexpr float least_area = 0.5f;

/** \brief Returns the distance from a plane up to which points at a depth may be of it.
 */
float
planeTolerance(float z)
{
  return 0.03f + 0.01f * z * z;
}

/** \brief A plane, and how exact its points are. */
struct NoisyPlane : RoomPlane {
  float noise = 1.0f; ///< distance up to which points are of it, tolerances
};

/** \brief Neighbours are of one surface unless their depths differ by more than noise
 * and slope explain. */
class SameSurface : public Comparator<PointXYZ> {
public:
  bool
  compare(int a, int b) const override
  {
    const float z = (*input_)[a].z;
    return std::abs(z - (*input_)[b].z) < 0.04f + 0.015f * z * z;
  }
};

std::vector<PointIndices>
connectedParts(const PointCloud<PointXYZ>::ConstPtr& cloud)
{
  auto same = std::make_shared<SameSurface>();
  same->setInputCloud(cloud);
  OrganizedConnectedComponentSegmentation<PointXYZ, Label> segmentation(same);
  segmentation.setInputCloud(cloud);
  PointCloud<Label> labels;
  std::vector<PointIndices> parts;
  segmentation.segment(labels, parts);
  return parts;
}

/** \brief Returns whether a person could stand on a plane. */
bool
isLevel(const RoomPlane& plane)
{
  constexpr float least_cosine = 0.87f;
  return plane.normal.y() < -least_cosine;
}

class PlaneSearch {
public:
  PlaneSearch(const PointCloud<PointXYZ>::ConstPtr& cloud, float pixel_angle)
  : cloud_(cloud)
  , normals_(std::make_shared<PointCloud<Normal>>())
  , left_(std::make_shared<Indices>())
  , pixel_angle_(pixel_angle)
  {
    same_.setInputCloud(cloud);
    IntegralImageNormalEstimation<PointXYZ, Normal> estimation;
    result_.is_plane.assign(cloud->size(), false);
    estimation.setNormalEstimationMethod(estimation.AVERAGE_3D_GRADIENT);
    estimation.setMaxDepthChangeFactor(0.03f);
    estimation.setNormalSmoothingSize(6.0f);
    // The default search prints that clouds without noise alone have exact rays.
    estimation.setSearchMethod(std::make_shared<search::KdTree<PointXYZ>>());
    estimation.setInputCloud(cloud);
    estimation.compute(*normals_);
    for (std::size_t i = 0; i < normals_->size(); ++i) {
      (*normals_)[i].curvature = 0.0f; // else it is NaN, and so are distances
      if (std::isfinite((*cloud)[i].z) && std::isfinite((*normals_)[i].normal_x))
        left_->push_back(static_cast<int>(i));
    }
  }

  RoomPlanes
  run()
  {
    constexpr int most_planes = 10;
    constexpr std::size_t fewest_points = 100;
    for (int i = 0; i < most_planes && left_->size() >= fewest_points; ++i)
      if (!findPlane())
        break;
    return result_;
  }

private:
  /** \brief Finds the plane of most points, and takes these out.
   * \return false if there is none
   */
  bool
  findPlane()
  {
    SACSegmentationFromNormals<PointXYZ, Normal> segmentation;
    segmentation.setModelType(SACMODEL_NORMAL_PLANE);
    segmentation.setMethodType(SAC_RANSAC);
    segmentation.setNormalDistanceWeight(0.1);
    segmentation.setDistanceThreshold(0.05);
    segmentation.setMaxIterations(200);
    segmentation.setProbability(0.999);
    segmentation.setInputCloud(cloud_);
    segmentation.setInputNormals(normals_);
    segmentation.setIndices(left_);
    ModelCoefficients plane;
    PointIndices inliers;
    segmentation.segment(inliers, plane);
    if (inliers.indices.empty())
      return false;
    NoisyPlane found;
    found.normal << plane.values[0], plane.values[1], plane.values[2];
    found.offset = plane.values[3];
    if (found.offset < 0.0f) { // the camera is at the origin
      found.normal = -found.normal;
      found.offset = -found.offset;
    }
    mark(found);
    std::vector<bool> is_taken = result_.is_plane;
    for (const int i : inliers.indices)
      is_taken[i] = true;
    left_->erase(std::remove_if(
                     left_->begin(), left_->end(), [&](int i) { return is_taken[i]; }),
                 left_->end());
    return true;
  }

  /** \brief Marks the points of a plane, if a connected part is large enough. */
  void
  mark(NoisyPlane plane)
  {
    if (isLevel(plane)) {
      // Feet are nearer to a floor than the least exact cameras see it.
      constexpr float deviations = 4.0f;
      float least = 1.0f;
      for (const PointIndices& part : partsOf(plane))
        if (areaOf(part, plane) > least_area)
          least = std::min(least, deviationOf(part, plane));
      plane.noise = std::min(1.0f, deviations * least);
    }
    const std::vector<PointIndices> parts = partsOf(plane);
    bool is_large = false;
    for (const PointIndices& part : parts) {
      const float area = areaOf(part, plane);
      plane.area += area;
      is_large = is_large || (area > least_area && isOn(part, plane));
    }
    if (!is_large)
      return;
    result_.planes.push_back(plane);
    for (const PointIndices& part : parts)
      if (isLargeEnough(part, plane) && isOn(part, plane))
        for (const int i : part.indices)
          result_.is_plane[i] = true;
  }

  /** \brief Returns the connected points of a plane. */
  std::vector<PointIndices>
  partsOf(const NoisyPlane& plane) const
  {
    std::vector<PointIndices> parts = partsWithNormals(plane);
    std::vector<bool> is_taken = result_.is_plane;
    for (const PointIndices& part : parts)
      for (const int i : part.indices)
        is_taken[i] = true;
    for (PointIndices& part : parts)
      addMargin(plane, part.indices, is_taken);
    return parts;
  }

  /** \brief Returns the connected points of a plane that face as it does. */
  std::vector<PointIndices>
  partsWithNormals(const NoisyPlane& plane) const
  {
    const auto on_plane = std::make_shared<PointCloud<PointXYZ>>(*cloud_);
    for (std::size_t i = 0; i < on_plane->size(); ++i) {
      PointXYZ& point = (*on_plane)[i];
      if (result_.is_plane[i] || !isKnown(i) || !contains(plane, i))
        point.x = point.y = point.z = std::numeric_limits<float>::quiet_NaN();
    }
    return connectedParts(on_plane);
  }

  /** \brief Adds the points around a part whose normals are missing, as they are beside
   * edges. Thin things have none at all, and are of no plane. */
  void
  addMargin(const NoisyPlane& plane, Indices& part, std::vector<bool>& is_taken) const
  {
    constexpr int width = 7;
    std::size_t begin = 0;
    for (int step = 0; step < width; ++step) {
      const std::size_t end = part.size();
      for (; begin < end; ++begin)
        forEachNeighbor(*cloud_, part[begin], [&](int neighbor) {
          if (is_taken[neighbor] || isKnown(neighbor) ||
              !same_.compare(part[begin], neighbor) || !contains(plane, neighbor))
            return;
          is_taken[neighbor] = true;
          part.push_back(neighbor);
        });
    }
  }

  bool
  isKnown(std::size_t i) const
  {
    return std::isfinite((*normals_)[i].normal_x);
  }

  /** \brief Returns whether a point lies on a plane to the noise of a depth camera, and
   * faces as it does, if that is known. */
  bool
  contains(const NoisyPlane& plane, std::size_t i) const
  {
    const PointXYZ& point = (*cloud_)[i];
    const float distance =
        std::abs(plane.normal.dot(point.getVector3fMap()) + plane.offset);
    if (!(distance < plane.noise * planeTolerance(point.z)))
      return false;
    constexpr float least_cosine = 0.8f;
    return !isKnown(i) ||
           std::abs((*normals_)[i].getNormalVector3fMap().dot(plane.normal)) >
               least_cosine;
  }

  /** \brief Returns whether a part is large enough. Those of upright planes are larger
   * than a head. */
  bool
  isLargeEnough(const PointIndices& part, const RoomPlane& plane) const
  {
    constexpr std::size_t fewest_points = 20;
    constexpr float least_seen = 0.1f;
    float seen = 0.0f;
    for (const int i : part.indices)
      seen += gpu::areaOf((*cloud_)[i], pixel_angle_);
    return part.indices.size() > fewest_points && (seen > least_seen || isLevel(plane));
  }

  /** \brief Returns whether points deviate from a plane by noise alone. A person who
   * stands in it, or faces as it does, fills the tolerance evenly. */
  bool
  isOn(const PointIndices& part, const RoomPlane& plane) const
  {
    constexpr float share = 0.4f;
    return deviationOf(part, plane) < share;
  }

  /** \brief Returns the deviation of points from a plane, tolerances. */
  float
  deviationOf(const PointIndices& part, const RoomPlane& plane) const
  {
    float squares = 0.0f, tolerance = 0.0f;
    for (const int i : part.indices) {
      const PointXYZ& point = (*cloud_)[i];
      const float distance = plane.normal.dot(point.getVector3fMap()) + plane.offset;
      squares += distance * distance;
      tolerance += planeTolerance(point.z);
    }
    const auto count = static_cast<float>(part.indices.size());
    return std::sqrt(squares * count) / tolerance;
  }

  float
  areaOf(const PointIndices& part, const RoomPlane& plane) const
  {
    constexpr float least_cosine = 0.15f;
    float area = 0.0f;
    for (const int i : part.indices) {
      const PointXYZ& point = (*cloud_)[i];
      const float cosine =
          std::abs(point.getVector3fMap().normalized().dot(plane.normal));
      area += gpu::areaOf(point, pixel_angle_) / std::max(cosine, least_cosine);
    }
    return area;
  }

  PointCloud<PointXYZ>::ConstPtr cloud_;
  PointCloud<Normal>::Ptr normals_;
  IndicesPtr left_; ///< points that are on no plane so far
  RoomPlanes result_;
  float pixel_angle_;
  SameSurface same_;
};

} // namespace

float
reliefOf(const PointCloud<PointXYZ>& cloud, const Indices& indices)
{
  if (indices.size() < 3)
    return 0.0f;
  Eigen::Matrix3f covariance = Eigen::Matrix3f::Zero();
  Eigen::Vector4f mean = Eigen::Vector4f::Zero();
  computeMeanAndCovarianceMatrix(cloud, indices, covariance, mean);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f> solver(covariance,
                                                              Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0f, solver.eigenvalues()[0]));
}

RoomPlanes
findRoomPlanes(const PointCloud<PointXYZ>::ConstPtr& cloud, float pixel_angle)
{
  return PlaneSearch(cloud, pixel_angle).run();
}

RoomPlane
floorOf(const std::vector<RoomPlane>& planes)
{
  constexpr float least_floor = 1.0f;
  RoomPlane floor;
  for (const RoomPlane& plane : planes)
    if (isLevel(plane) && plane.area > least_floor && plane.offset > floor.offset)
      floor = plane;
  return floor;
}

std::optional<Eigen::Vector4f>
coefficientsOf(const RoomPlane& floor)
{
  if (floor.area == 0.0f)
    return std::nullopt;
  return Eigen::Vector4f(
      floor.normal.x(), floor.normal.y(), floor.normal.z(), floor.offset);
}

std::optional<float>
heightBelow(const RoomPlane& floor, const Eigen::Vector3f& place)
{
  if (floor.area == 0.0f)
    return std::nullopt;
  const Eigen::Vector3f& normal = floor.normal;
  return (floor.offset + normal.x() * place.x() + normal.z() * place.z()) / normal.y();
}

} // namespace pcl::gpu
