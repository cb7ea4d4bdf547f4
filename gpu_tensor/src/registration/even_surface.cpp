// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/even_surface.h"
#include "registration/even_surface.hpp"
#include "registration/reversed_tensors.hpp"

#include <pcl/common/common.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/key_sort.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace pcl::gpu {

namespace {

const device::Float4*
float4s(const DeviceArray<PointXYZ>& points)
{
  return reinterpret_cast<const device::Float4*>(points.ptr());
}

device::Float4*
float4s(DeviceArray<PointXYZ>& points)
{
  return reinterpret_cast<device::Float4*>(points.ptr());
}

device::CellGrid
gridOf(const EvenSurface& surface)
{
  device::CellGrid grid{surface.resolution, {0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    grid.first[i] = grid.coordinate(i, surface.lower[i]);
    grid.size[i] = grid.coordinate(i, surface.upper[i]) + 1;
  }
  return grid;
}

/** \brief Returns the bits of numbers below a count; 2 or more, as sorts need. */
int
bitsBelow(std::uint64_t count)
{
  int bits = 2;
  while (bits < 32 && (std::uint64_t(1) << bits) < count)
    ++bits;
  return bits;
}

/** \brief Computes the means of the points in each cell. */
void
thin(const PointCloud<PointXYZ>& cloud, EvenSurface& surface, Workspace& workspace)
{
  const Device device = currentDevice();
  const Stream stream;
  const std::size_t count = cloud.size();
  DeviceArray<PointXYZ> points;
  points.upload(cloud.points.data(), count);
  const device::CellGrid grid = gridOf(surface);
  const std::size_t cells = std::size_t(grid.rows()) * grid.size[0];
  device::KeySort by_cell{}, firsts_first{};
  device::Float4* means = nullptr;
  std::uint32_t* cells_of_means = nullptr;
  int* number = nullptr;
  char* scratch = nullptr;
  by_cell.count = firsts_first.count = count;
  by_cell.bits = bitsBelow(cells);
  firsts_first.bits = bitsBelow(2);
  takePieces(workspace,
             Piece{by_cell.keys, count},
             Piece{by_cell.numbers, count},
             Piece{by_cell.other_keys, count},
             Piece{by_cell.other_numbers, count},
             Piece{firsts_first.numbers, count},
             Piece{firsts_first.other_numbers, count},
             Piece{means, count},
             Piece{cells_of_means, count},
             Piece{number, 1},
             Piece{scratch,
                   std::max(sortScratchBytes(device, count, by_cell.bits),
                            sortScratchBytes(device, count, firsts_first.bits))});
  by_cell.scratch = firsts_first.scratch = scratch;
  firsts_first.keys = by_cell.keys;
  firsts_first.other_keys = by_cell.other_keys;

  parallelFor(device,
              count,
              device::NumberCells{grid, float4s(points), by_cell.keys, by_cell.numbers},
              stream);
  const device::SortedPoints sorted{
      grid, float4s(points), sortByKeys(device, by_cell, stream), count};
  parallelFor(device,
              count,
              device::MarkFirsts{sorted, firsts_first.keys, firsts_first.numbers},
              stream);
  const std::uint32_t* const firsts = sortByKeys(device, firsts_first, stream);
  parallelFor(device,
              count,
              device::MeanPoints{sorted, firsts, means, cells_of_means, number},
              stream);
  int found = 0;
  DeviceArray<int>(number, 1).download(&found);
  DeviceArray<PointXYZ>(reinterpret_cast<PointXYZ*>(means), found)
      .copyTo(surface.points);
  DeviceArray<std::uint32_t>(cells_of_means, found).copyTo(surface.cells);
  surface.row_starts.create(std::size_t(grid.rows()) + 1);
  parallelFor(
      device,
      surface.row_starts.size(),
      device::StartRows{grid, surface.cells.ptr(), found, surface.row_starts.ptr()},
      stream);
}

/** \brief Returns the numbers of points with a normal in a random order that is always
 * the same. */
std::vector<int>
randomOrder(const DeviceArray<PointXYZ>& normals)
{
  std::vector<PointXYZ> on_host;
  normals.download(on_host);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < on_host.size(); ++i)
    if (std::isfinite(on_host[i].x))
      numbers.push_back(static_cast<int>(i));
  std::mt19937 random; // NOLINT(cert-msc51-cpp): the order is to be the same
  for (std::size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[random() % i]);
  return numbers;
}

/** \brief Finds pairs of points that may have tensors. */
std::vector<PointPair>
findPairs(const EvenSurface& surface,
          const TensorParameters& parameters,
          std::size_t count,
          bool is_oriented)
{
  // Of points in planes many have no partner.
  constexpr std::size_t tries = 4;
  // Normals that are nearly opposite, or, without sides, perpendicular, turn the frame
  // with their noise.
  constexpr float least_oriented = -0.9f, least_unoriented = 0.17f;
  const Device device = currentDevice();
  const std::size_t most = std::min(surface.order.size(), tries * count);
  const std::size_t at_a_time = device.isHost() ? 512 : std::max<std::size_t>(most, 1);
  const auto squaredLength = [&](float resolutions) {
    const float length = resolutions * parameters.resolution;
    return length * length;
  };
  DeviceArray<int> firsts;
  firsts.upload(surface.order.data(), most);
  device::PairSearch search{};
  search.in = surface.get();
  search.normals = float4s(surface.normals);
  search.limits = {squaredLength(parameters.min_distance),
                   squaredLength(parameters.max_distance),
                   std::cos(parameters.min_angle)};
  search.reach = device::cellsWithin(search.in.grid,
                                     parameters.max_distance * parameters.resolution);
  search.least_cosine = is_oriented ? least_oriented : least_unoriented;
  search.is_oriented = is_oriented;
  const std::size_t room = std::min(at_a_time, most);
  DeviceArray<device::Partners> closest(room * search.layers());
  search.closest = closest.ptr();
  DeviceArray<device::ChosenPartners> partners(room);
  std::vector<device::ChosenPartners> chosen(room);
  std::vector<PointPair> pairs;
  for (std::size_t begin = 0; begin < most && pairs.size() < count;
       begin += at_a_time) {
    const std::size_t size = std::min(at_a_time, most - begin);
    search.firsts = firsts.ptr() + begin;
    parallelFor(device, size * search.layers(), device::FindPartners{search}, Stream());
    parallelFor(device, size, device::ChoosePartners{search, partners.ptr()}, Stream());
    partners.download(chosen.data(), 0, size);
    for (std::size_t i = 0; i < size; ++i)
      for (const int partner : chosen[i].point)
        if (partner >= 0)
          pairs.push_back({surface.order[begin + i], partner});
  }
  pairs.resize(std::min(pairs.size(), count));
  return pairs;
}

/** \brief Returns the numbers of the points that tensors are computed of, in their
 * order: half of those of large surfaces, which takes half the time. */
std::vector<int>
usedPoints(const EvenSurface& surface)
{
  constexpr std::size_t few = 14000;
  const std::vector<int>& order = surface.order;
  std::vector<char> is_used(surface.points.size());
  const std::size_t count = std::max(order.size() / 2, std::min(order.size(), few));
  for (std::size_t i = 0; i < count; ++i)
    is_used[order[i]] = 1;
  std::vector<int> used;
  used.reserve(count);
  for (std::size_t i = 0; i < is_used.size(); ++i)
    if (is_used[i])
      used.push_back(static_cast<int>(i));
  return used;
}

/** \brief The elements of a surface: its points, with their normals and once more with
 * reversed ones, and a small triangle about those that are used. */
struct SurfaceElements {
  DeviceArray<PointXYZ> vertices, normals;
  DeviceArray<int> triangles;

  explicit SurfaceElements(const EvenSurface& surface)
  {
    // All triangles are equally large, and correlation does not depend on a factor. Few
    // of small ones reach beyond a voxel.
    const float radius = 0.18f * surface.resolution;
    const std::size_t count = surface.points.size();
    DeviceArray<int> used;
    used.upload(usedPoints(surface));
    vertices.create(2 * count + 3 * used.size());
    normals.create(vertices.size());
    triangles.create(3 * used.size());
    const Device device = currentDevice();
    parallelFor(device,
                count,
                device::CopyBothSides{float4s(surface.points),
                                      float4s(surface.normals),
                                      static_cast<int>(count),
                                      float4s(vertices),
                                      float4s(normals)},
                Stream());
    parallelFor(device,
                used.size(),
                device::AddTriangles{float4s(surface.points),
                                     float4s(surface.normals),
                                     used.ptr(),
                                     radius,
                                     static_cast<int>(2 * count),
                                     float4s(vertices),
                                     float4s(normals),
                                     triangles.ptr()},
                Stream());
  }
};

} // namespace

device::PointsInCells
EvenSurface::get() const
{
  return {gridOf(*this),
          static_cast<int>(points.size()),
          float4s(points),
          cells.ptr(),
          row_starts.ptr()};
}

EvenSurface
evenSurface(const PointCloud<PointXYZ>& cloud, float resolution, Workspace& workspace)
{
  // Of the points in this distance, in resolutions, a normal is computed.
  constexpr float reach = 2.5f;
  EvenSurface surface;
  surface.resolution = resolution;
  PointXYZ lower, upper;
  getMinMax3D(cloud, lower, upper);
  surface.lower = lower.getVector3fMap();
  surface.upper = upper.getVector3fMap();
  thin(cloud, surface, workspace);
  surface.normals.create(surface.points.size());
  parallelFor(
      currentDevice(),
      surface.points.size(),
      device::FitNormals{surface.get(), reach * resolution, float4s(surface.normals)},
      Stream());
  surface.order = randomOrder(surface.normals);
  return surface;
}

TensorSet
surfaceTensors(const EvenSurface& surface,
               const TensorParameters& parameters,
               int count,
               bool is_oriented,
               TensorExtraction& extraction)
{
  const std::vector<PointPair> chosen =
      findPairs(surface, parameters, static_cast<std::size_t>(count), is_oriented);
  const SurfaceElements elements(surface);
  PointPairs pairs;
  pairs.pairs.upload(chosen.data(), chosen.size());
  pairs.count.upload(std::vector<int>{static_cast<int>(chosen.size())});
  TensorExtractionParameters used;
  applyParameters(parameters, used);
  extraction.setParameters(used);
  TensorSet tensors;
  extraction.compute(
      elements.vertices, elements.normals, elements.triangles, pairs, tensors);
  return tensors;
}

TensorSet
tensorsOfBothSides(const TensorSet& tensors)
{
  const std::size_t count = tensors.frames.size();
  if (count == 0)
    return tensors;
  std::uint32_t entries = 0;
  tensors.starts.download(&entries, count, 1);
  TensorSet both;
  both.grid_size = tensors.grid_size;
  both.frames.create(2 * count);
  both.count.upload(std::vector<int>{static_cast<int>(2 * count)});
  both.starts.create(2 * count + 1);
  both.voxels.create(2 * std::size_t(entries));
  both.areas.create(2 * std::size_t(entries));
  parallelFor(
      currentDevice(),
      count,
      device::AppendReversed{
          {tensors.frames.ptr(),
           tensors.starts.ptr(),
           tensors.voxels.ptr(),
           tensors.areas.ptr()},
          static_cast<int>(count),
          tensors.grid_size,
          {both.frames.ptr(), both.starts.ptr(), both.voxels.ptr(), both.areas.ptr()}},
      Stream());
  return both;
}

} // namespace pcl::gpu
