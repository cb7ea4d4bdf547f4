// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/scanned_view.h"

#include <pcl/common/common.h>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/filters/voxel_grid.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/kdtree/kdtree_flann.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Returns the numbers 0 to count - 1 in a random order that is always the
 * same. */
std::vector<int>
shuffledNumbers(std::size_t count)
{
  std::vector<int> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<int>(i);
  std::mt19937 random; // NOLINT(cert-msc51-cpp): the order is to be the same
  for (std::size_t i = count; i > 1; --i)
    std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

/** \brief Returns a quantile, which reorders the values.
 * \param[in] values one or more
 */
float
quantileOf(std::vector<float>& values, float share)
{
  const auto place =
      values.begin() +
      static_cast<std::ptrdiff_t>(share * static_cast<float>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

PointXYZ
positionOf(const PointNormal& point)
{
  return {point.x, point.y, point.z};
}

/** \brief Finds the closest partners of a point.
 * \param[in] tree of the surface
 * \param[in,out] pairs receives them
 */
void
appendPartners(const PointCloud<PointNormal>& surface,
               const KdTreeFLANN<PointNormal>& tree,
               const TensorParameters& parameters,
               bool is_oriented,
               int first,
               std::vector<PointPair>& pairs)
{
  constexpr int partners = 2;
  // Normals that are nearly opposite, or, without sides, perpendicular, turn the frame
  // with their noise.
  constexpr float least_oriented = -0.9f, least_unoriented = 0.17f;
  const float least_cosine = is_oriented ? least_oriented : least_unoriented;
  const float least = parameters.min_distance * parameters.resolution;
  Indices near;
  std::vector<float> squared;
  tree.radiusSearch(
      surface[first], parameters.max_distance * parameters.resolution, near, squared);
  int found = 0;
  for (std::size_t i = 0; i < near.size() && found < partners; ++i) {
    if (squared[i] < least * least)
      continue;
    const float cosine = surface[first].getNormalVector3fMap().dot(
        surface[near[i]].getNormalVector3fMap());
    const float used = is_oriented ? cosine : std::abs(cosine);
    if (used >= std::cos(parameters.min_angle) || used <= least_cosine)
      continue;
    // The elements have the same points again, with reversed normals.
    const bool is_reversed = !is_oriented && cosine < 0.0f;
    pairs.push_back(
        {first, near[i] + (is_reversed ? static_cast<int>(surface.size()) : 0)});
    ++found;
  }
}

std::vector<PointPair>
pairsOf(const PointCloud<PointNormal>::ConstPtr& surface,
        const TensorParameters& parameters,
        int count,
        bool is_oriented)
{
  // Of points in planes many have no partner.
  constexpr std::size_t tries = 4, at_a_time = 256;
  if (surface->empty())
    return {};
  KdTreeFLANN<PointNormal> tree;
  tree.setInputCloud(surface);
  const std::vector<int> order = shuffledNumbers(surface->size());
  const std::size_t most = std::min(order.size(), tries * count);
  std::vector<PointPair> pairs;
  for (std::size_t begin = 0; begin < most && pairs.size() < std::size_t(count);
       begin += at_a_time) {
    const std::size_t size = std::min(at_a_time, most - begin);
    std::vector<std::vector<PointPair>> found(size);
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < size; ++i)
      appendPartners(
          *surface, tree, parameters, is_oriented, order[begin + i], found[i]);
    for (const std::vector<PointPair>& some : found)
      pairs.insert(pairs.end(), some.begin(), some.end());
  }
  if (pairs.size() > std::size_t(count))
    pairs.resize(count);
  return pairs;
}

/** \brief Returns the numbers of the points that tensors are computed of, in their
 * order: half of those of large surfaces, which takes half the time. */
std::vector<int>
usedPoints(const PointCloud<PointNormal>& surface)
{
  constexpr std::size_t few = 14000;
  std::vector<int> used = shuffledNumbers(surface.size());
  used.resize(std::max(surface.size() / 2, std::min(surface.size(), few)));
  std::sort(used.begin(), used.end());
  return used;
}

/** \brief Returns the elements of a surface: its points, with their normals and once
 * more with reversed ones, and a small triangle about those that are used. */
struct SurfaceElements {
  std::vector<PointXYZ> vertices, normals;
  std::vector<int> triangles;

  SurfaceElements(const PointCloud<PointNormal>& surface, float resolution)
  {
    // All triangles are equally large, and correlation does not depend on a factor. Few
    // of small ones reach beyond a voxel.
    const float radius = 0.18f * resolution;
    vertices.reserve(5 * surface.size());
    normals.reserve(5 * surface.size());
    triangles.reserve(3 * surface.size());
    for (const float sign : {1.0f, -1.0f})
      for (const PointNormal& point : surface) {
        vertices.push_back(positionOf(point));
        normals.emplace_back(
            sign * point.normal_x, sign * point.normal_y, sign * point.normal_z);
      }
    for (const int number : usedPoints(surface)) {
      const PointNormal& point = surface[number];
      const Eigen::Vector3f normal = point.getNormalVector3fMap();
      const Eigen::Vector3f u = normal.unitOrthogonal(), v = normal.cross(u);
      for (int i = 0; i < 3; ++i) {
        // The same corners for either side.
        const float angle = static_cast<float>(i) * 2.09439510f + 1.57079633f;
        const Eigen::Vector3f corner =
            point.getVector3fMap() +
            radius * (std::cos(angle) * u + std::sin(angle) * v);
        triangles.push_back(static_cast<int>(vertices.size()));
        vertices.emplace_back(corner.x(), corner.y(), corner.z());
        normals.emplace_back(normal.x(), normal.y(), normal.z());
      }
    }
  }
};

} // namespace

PointCloud<PointXYZ>::Ptr
measuredPoints(const RangeView& view)
{
  const PinholeCamera& camera = view.camera;
  const PointCloud<PointXYZ>::Ptr points(new PointCloud<PointXYZ>);
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      const float z = view.depth[static_cast<std::size_t>(v) * camera.width + u];
      if (isMeasuredDepth(z))
        points->emplace_back((static_cast<float>(u) - camera.cx) / camera.fx * z,
                             (static_cast<float>(v) - camera.cy) / camera.fy * z,
                             z);
    }
  checkAtLeast("number of pixels with depth", points->size(), 3);
  return points;
}

PointCloud<PointXYZ>::Ptr
measuredPoints(const PointCloud<PointXYZ>& cloud)
{
  const PointCloud<PointXYZ>::Ptr points(new PointCloud<PointXYZ>);
  points->sensor_origin_ = cloud.sensor_origin_;
  points->sensor_orientation_ = cloud.sensor_orientation_;
  std::copy_if(cloud.begin(),
               cloud.end(),
               std::back_inserter(*points),
               isMeasuredPoint<PointXYZ>);
  checkAtLeast("number of measured points", points->size(), 3);
  return points;
}

float
pointSpacing(const PointCloud<PointXYZ>::ConstPtr& cloud)
{
  constexpr std::size_t samples = 1000;
  KdTreeFLANN<PointXYZ> tree(false);
  tree.setInputCloud(cloud);
  std::vector<float> distances;
  const std::size_t step = std::max<std::size_t>(1, cloud->size() / samples);
  for (std::size_t i = 0; i < cloud->size(); i += step) {
    Indices neighbors(2);
    std::vector<float> squared(2);
    if (tree.nearestKSearch((*cloud)[i], 2, neighbors, squared) == 2)
      distances.push_back(std::sqrt(squared[1]));
  }
  return quantileOf(distances, 0.5f);
}

float
pixelSpacing(const RangeView& view)
{
  std::vector<float> measured;
  std::copy_if(view.depth.begin(),
               view.depth.end(),
               std::back_inserter(measured),
               isMeasuredDepth);
  return quantileOf(measured, 0.5f) / view.camera.fx;
}

float
usualExtent(const PointCloud<PointXYZ>& cloud)
{
  constexpr float outside = 0.01f;
  float squared = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float> values;
    for (const PointXYZ& point : cloud)
      values.push_back(point.data[axis]);
    const float length =
        quantileOf(values, 1.0f - outside) - quantileOf(values, outside);
    squared += length * length;
  }
  return std::sqrt(squared);
}

void
checkResolution(const PointCloud<PointXYZ>& cloud, float resolution)
{
  constexpr double margin = 2.0 * (grid_reach + 1) + 1.0, most_cells = 1 << 28;
  constexpr float most_exact = 1 << 23; // steps of floating-point numbers
  PointXYZ lower, upper;
  getMinMax3D(cloud, lower, upper);
  const float farthest = std::max(lower.getArray3fMap().abs().maxCoeff(),
                                  upper.getArray3fMap().abs().maxCoeff());
  checkArgument(resolution > 0.0f && std::isfinite(resolution) &&
                    farthest <= most_exact * resolution,
                "resolution",
                resolution,
                "positive, and larger for points this far from the origin");
  const Eigen::Array3d extent =
      (upper.getVector3fMap() - lower.getVector3fMap()).cast<double>();
  checkArgument((extent / resolution + margin).prod() <= most_cells,
                "resolution",
                resolution,
                "larger for a cloud of this extent");
}

PointCloud<PointNormal>::Ptr
evenSurface(const PointCloud<PointXYZ>::ConstPtr& cloud, float resolution)
{
  // Of the points in this distance, in resolutions, a normal is computed.
  constexpr double reach = 2.5;
  VoxelGrid<PointXYZ> grid;
  grid.setInputCloud(cloud);
  grid.setLeafSize(resolution, resolution, resolution);
  const PointCloud<PointXYZ>::Ptr even(new PointCloud<PointXYZ>);
  grid.filter(*even);
  PointCloud<Normal> normals;
  NormalEstimationOMP<PointXYZ, Normal> estimation(omp_get_max_threads());
  estimation.setInputCloud(even);
  estimation.setRadiusSearch(reach * resolution);
  estimation.setViewPoint(0.0f, 0.0f, 0.0f);
  estimation.compute(normals);
  const PointCloud<PointNormal>::Ptr surface(new PointCloud<PointNormal>);
  for (std::size_t i = 0; i < even->size(); ++i) {
    const Normal& n = normals[i];
    if (!std::isfinite(n.normal_x))
      continue;
    PointNormal point;
    point.getVector3fMap() = (*even)[i].getVector3fMap();
    point.getNormalVector3fMap() = n.getNormalVector3fMap();
    surface->push_back(point);
  }
  return surface;
}

TensorSet
surfaceTensors(const PointCloud<PointNormal>::ConstPtr& surface,
               const TensorParameters& parameters,
               int count,
               bool is_oriented,
               TensorExtraction& extraction)
{
  const std::vector<PointPair> chosen =
      pairsOf(surface, parameters, count, is_oriented);
  const SurfaceElements elements(*surface, parameters.resolution);
  DeviceArray<PointXYZ> vertices, normals;
  DeviceArray<int> triangles;
  vertices.upload(elements.vertices.data(), elements.vertices.size());
  normals.upload(elements.normals.data(), elements.normals.size());
  triangles.upload(elements.triangles.data(), elements.triangles.size());
  PointPairs pairs;
  pairs.pairs.upload(chosen.data(), chosen.size());
  pairs.count.upload(std::vector<int>{static_cast<int>(chosen.size())});
  TensorExtractionParameters used;
  applyParameters(parameters, used);
  extraction.setParameters(used);
  TensorSet tensors;
  extraction.compute(vertices, normals, triangles, pairs, tensors);
  return tensors;
}

HostTensorSet
reversedTensors(const HostTensorSet& tensors)
{
  HostTensorSet reversed = tensors;
  const int n = tensors.grid_size;
  for (TensorFrame& frame : reversed.frames) {
    for (int i = 0; i < 3; ++i) {
      frame.x_axis[i] = -frame.x_axis[i];
      frame.z_axis[i] = -frame.z_axis[i];
    }
    std::swap(frame.first, frame.second);
  }
  const auto count = static_cast<std::ptrdiff_t>(tensors.frames.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t t = 0; t < count; ++t) {
    const std::uint32_t first = tensors.starts[t], end = tensors.starts[t + 1];
    std::vector<std::pair<std::uint16_t, float>> entries;
    for (std::uint32_t i = first; i < end; ++i) {
      const int x = tensors.voxels[i] % n, y = tensors.voxels[i] / n % n;
      const int z = tensors.voxels[i] / (n * n);
      entries.emplace_back(((n - 1 - z) * n + y) * n + n - 1 - x, tensors.areas[i]);
    }
    std::sort(entries.begin(), entries.end());
    for (std::uint32_t i = first; i < end; ++i) {
      reversed.voxels[i] = entries[i - first].first;
      reversed.areas[i] = entries[i - first].second;
    }
  }
  return reversed;
}

TensorSet
tensorsOfBothSides(const TensorSet& tensors)
{
  HostTensorSet all = downloadTensors(tensors);
  const HostTensorSet reversed = reversedTensors(all);
  const std::uint32_t entries = all.starts.back();
  all.frames.insert(all.frames.end(), reversed.frames.begin(), reversed.frames.end());
  for (std::size_t i = 1; i < reversed.starts.size(); ++i)
    all.starts.push_back(entries + reversed.starts[i]);
  all.voxels.insert(all.voxels.end(), reversed.voxels.begin(), reversed.voxels.end());
  all.areas.insert(all.areas.end(), reversed.areas.begin(), reversed.areas.end());
  TensorSet both;
  both.grid_size = all.grid_size;
  both.frames.upload(all.frames.data(), all.frames.size());
  both.count.upload(std::vector<int>{static_cast<int>(all.frames.size())});
  both.starts.upload(all.starts);
  both.voxels.upload(all.voxels.data(), all.voxels.size());
  both.areas.upload(all.areas.data(), all.areas.size());
  return both;
}

SurfaceOnDevice::SurfaceOnDevice(const PointCloud<PointNormal>& surface,
                                 const std::optional<RangeView>& view,
                                 float resolution,
                                 Workspace& workspace)
{
  if (surface.empty())
    return;
  const Eigen::Vector3f center = centroidOf(surface);
  std::vector<device::Float4> points, normals;
  for (const int i : shuffledNumbers(surface.size())) {
    const Eigen::Vector3f p = surface[i].getVector3fMap() - center;
    const Eigen::Vector3f n = surface[i].getNormalVector3fMap();
    points.push_back({p.x(), p.y(), p.z(), 0.0f});
    normals.push_back({n.x(), n.y(), n.z(), 0.0f});
  }
  points_.upload(points);
  normals_.upload(normals);
  PointNormal lower, upper;
  getMinMax3D(surface, lower, upper);
  const float margin = static_cast<float>(grid_reach + 1) * resolution;
  device::SurfaceGrid grid{};
  grid.cell = resolution;
  for (int i = 0; i < 3; ++i) {
    view_.center[i] = center[i];
    grid.lower[i] = lower.data[i] - margin;
    grid.size[i] = static_cast<int>(
        std::ceil((upper.data[i] - lower.data[i] + 2.0f * margin) / resolution));
  }
  nearest_.create(grid.cells());
  workspace.reserve(Workspace::bytesFor<std::uint64_t>(grid.cells()));
  device::GridTask task{};
  task.points = points_.ptr();
  task.count = static_cast<int>(points.size());
  std::copy_n(view_.center, 3, task.center);
  task.grid = grid;
  task.reach = grid_reach;
  task.keys = workspace.take<std::uint64_t>(grid.cells());
  task.nearest = nearest_.ptr();
  dispatch(currentDevice(), PCL_GPU_BOTH(fillGrid), task, Stream());
  grid.nearest = nearest_.ptr();
  view_.points = points_.ptr();
  view_.normals = normals_.ptr();
  view_.count = task.count;
  view_.grid = grid;
  if (!view)
    return;
  depth_.upload(view->depth.data(), view->depth.size());
  const PinholeCamera& camera = view->camera;
  view_.seen = {{camera.height,
                 camera.width,
                 depth_.ptr(),
                 static_cast<std::size_t>(camera.width) * sizeof(float)},
                camera};
}

} // namespace pcl::gpu
