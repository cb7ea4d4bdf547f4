// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_stages.h"

#include <cmath>
#include <stdexcept>

namespace benchmarks {

namespace {

constexpr float metres_per_unit = 0.001f;

int
polygonCount(const pcl::gpu::OrganizedMesh& mesh)
{
  std::vector<int> count;
  mesh.polygon_count.download(count);
  return count.at(0);
}

} // namespace

TriangulationStages::TriangulationStages(const RawDepth& depth,
                                         const pcl::gpu::Stream& stream)
: stream_(stream)
{
  depth_.upload(depth.millimetres, depth.camera.width);
  pcl::gpu::Stream().synchronize(); // the copy may still be on its way
  pcl::gpu::DepthMapTriangulationParameters parameters;
  parameters.projection.camera = depth.camera;
  parameters.filter.window_radius = filter_radius;
  parameters.normals.method = pcl::gpu::NormalEstimationMethod::COVARIANCE_MATRIX;
  parameters.normals.window_radius = normal_radius;
  chain_.setParameters(parameters);
  filter_.setParameters(parameters.filter);
  projection_.setParameters(parameters.projection);
  normal_estimation_.setParameters(parameters.normals);
  queueChain();
  for (auto& stage : stages())
    stage.queue();
  stream_.synchronize();
  verify();
}

void
TriangulationStages::verify()
{
  polygons_ = polygonCount(chain_.mesh());
  if (polygons_ < 1)
    throw std::runtime_error("the mesh is empty");
  std::vector<pcl::gpu::ResolutionStatistics> statistics;
  chain_.statistics().download(statistics);
  if (!(statistics.at(0).mean_spacing > 0.0f && statistics.at(0).mean_angle > 0.0f))
    throw std::runtime_error("the cloud has no resolution");
  if (polygonCount(mesh_) != polygons_)
    throw std::runtime_error(
        "the stages on their own give another mesh than the chain");

  const CapturedGraph graph(stream_, [this] { queueChain(); });
  pcl::gpu::DeviceArray<int> count = chain_.mesh().polygon_count; // shares the memory
  checkCuda(cudaMemsetAsync(count.ptr(), 0, sizeof(int), stream_.get()),
            "clearing the polygon count");
  graph.launch();
  stream_.synchronize();
  if (polygonCount(chain_.mesh()) != polygons_)
    throw std::runtime_error("a replayed graph gives another mesh than plain calls");
}

void
TriangulationStages::queueChain()
{
  chain_.compute(depth_, metres_per_unit, stream_);
}

std::vector<Stage>
TriangulationStages::stages()
{
  const double count = pixels();
  return {
      {"bilateral filter",
       filterWork(count, filter_radius),
       5.0,
       [this] { filter_.compute(depth_, metres_per_unit, filtered_, stream_); }},
      {"projection",
       projectionWork(count),
       1.0,
       [this] { projection_.compute(chain_.filteredDepth(), cloud_, stream_); }},
      {"normals",
       normalWork(count, normal_radius),
       1.0,
       [this] { normal_estimation_.compute(chain_.cloud(), normals_, stream_); }},
      {"triangulation",
       triangulationWork(count, polygons_),
       2.0,
       [this] {
         triangulation_.compute(
             chain_.cloud(), chain_.normals(), chain_.statistics(), mesh_, stream_);
       }},
      {"cloud resolution",
       resolutionWork(count),
       4.0,
       [this] {
         resolution_.compute(chain_.cloud(), chain_.normals(), statistics_, stream_);
       }},
      {"adaptive normals",
       adaptiveNormalWork(count),
       0.0,
       [this] {
         adaptive_estimation_.compute(chain_.cloud(), adaptive_normals_, stream_);
       }},
      {"flying pixels",
       flyingPixelWork(count),
       0.0,
       [this] {
         flying_pixel_removal_.compute(depth_, metres_per_unit, cleaned_, stream_);
       }},
      {"whole chain",
       chainWork(count, polygons_, filter_radius, normal_radius),
       13.0,
       [this] { queueChain(); }},
  };
}

pcl::gpu::RawDepthMap&
TriangulationStages::depth()
{
  return depth_;
}

const pcl::gpu::DepthMapTriangulation&
TriangulationStages::chain() const
{
  return chain_;
}

int
TriangulationStages::polygons() const
{
  return polygons_;
}

double
TriangulationStages::pixels() const
{
  return static_cast<double>(depth_.rows()) * depth_.cols();
}

} // namespace benchmarks
