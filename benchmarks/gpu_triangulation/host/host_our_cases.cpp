// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_cases.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/fast_bilateral_filter.h>
#include <pcl/gpu/triangulation/organized_fast_mesh.h>
#include <pcl/gpu/triangulation/organized_normal_estimation.h>

#include <stdexcept>
#include <vector>

namespace benchmarks {

namespace {

using pcl::gpu::DepthMap;
using pcl::gpu::NormalMap;
using pcl::gpu::OrganizedCloud;

void
requirePolygons(const pcl::gpu::OrganizedMesh& mesh)
{
  std::vector<int> count;
  mesh.polygon_count.download(count);
  if (count.at(0) < 1)
    throw std::runtime_error("the mesh is empty");
}

pcl::gpu::DepthMapTriangulationParameters
parametersFor(const Frame& frame)
{
  pcl::gpu::DepthMapTriangulationParameters parameters;
  parameters.projection.camera = frame.camera;
  parameters.filter.window_radius = window_radius;
  parameters.filter.sigma_s = sigma_pixels;
  parameters.filter.sigma_r = sigma_metres;
  parameters.normals.method = pcl::gpu::NormalEstimationMethod::COVARIANCE_MATRIX;
  parameters.normals.window_radius = window_radius;
  return parameters;
}

/** \brief The chain as one call. The depth map is uploaded in every run: other
 * competitors read their user's memory. */
void
addChain(const std::shared_ptr<const Frame>& frame)
{
  struct State {
    DepthMap depth;
    pcl::gpu::DepthMapTriangulation chain;
  };
  const auto state = std::make_shared<State>();
  state->chain.setParameters(parametersFor(*frame));
  const auto run = [frame, state] {
    state->depth.upload(frame->depth, frame->camera.width);
    state->chain.compute(state->depth);
  };
  const auto result = [state]() -> CloudAndNormals {
    requirePolygons(state->chain.mesh());
    return {vectorsOf(state->chain.cloud()), vectorsOf(state->chain.normals())};
  };
  addCase(*frame, {"chain", "ours", {}, run, result});
}

/** \brief The device classes one by one, each on the results of the one before. */
void
addStages(const std::shared_ptr<const Frame>& frame)
{
  struct State {
    DepthMap depth;
    DepthMap cleaned;
    DepthMap filtered;
    OrganizedCloud cloud;
    OrganizedCloud projected;
    NormalMap normals;
    NormalMap adaptive_normals;
    pcl::gpu::DeviceArray<pcl::gpu::ResolutionStatistics> statistics;
    pcl::gpu::OrganizedMesh mesh;
    pcl::gpu::FlyingPixelRemoval removal;
    pcl::gpu::DepthBilateralFilter filter;
    pcl::gpu::DepthMapProjection projection;
    pcl::gpu::NormalMapEstimation estimation;
    pcl::gpu::NormalMapEstimation adaptive_estimation;
    pcl::gpu::CloudResolution resolution;
    pcl::gpu::OrganizedTriangulation triangulation;
  };
  const auto state = std::make_shared<State>();
  const pcl::gpu::DepthMapTriangulationParameters parameters = parametersFor(*frame);
  state->filter.setParameters(parameters.filter);
  state->projection.setParameters(parameters.projection);
  state->estimation.setParameters(parameters.normals);

  // The cloud of the later stages is the frame's own, for all competitors.
  state->depth.upload(frame->depth, frame->camera.width);
  state->cloud.upload(frame->cloud->data(),
                      frame->cloud->width * sizeof(pcl::PointXYZ),
                      frame->camera.height,
                      frame->camera.width);
  state->filter.compute(state->depth, state->filtered);
  state->estimation.compute(state->cloud, state->normals);
  state->resolution.compute(state->cloud, state->normals, state->statistics);
  state->triangulation.compute(
      state->cloud, state->normals, state->statistics, state->mesh);
  requirePolygons(state->mesh);

  const auto result = [state]() -> CloudAndNormals {
    return {vectorsOf(state->cloud), vectorsOf(state->normals)};
  };
  const auto remove = [state] { state->removal.compute(state->depth, state->cleaned); };
  const auto filter = [state] { state->filter.compute(state->depth, state->filtered); };
  const auto project = [state] {
    state->projection.compute(state->filtered, state->projected);
  };
  const auto estimate = [state] {
    state->estimation.compute(state->cloud, state->normals);
  };
  const auto estimate_adaptive = [state] {
    state->adaptive_estimation.compute(state->cloud, state->adaptive_normals);
  };
  const auto measure = [state] {
    state->resolution.compute(state->cloud, state->normals, state->statistics);
  };
  const auto triangulate = [state] {
    state->triangulation.compute(
        state->cloud, state->normals, state->statistics, state->mesh);
  };
  addCase(*frame, {"flying pixels", "ours", {}, remove, {}});
  addCase(*frame, {"filter", "ours", {}, filter, {}});
  addCase(*frame, {"projection", "ours", {}, project, {}});
  addCase(*frame, {"normals", "ours", {}, estimate, result});
  // No result: its normals are meant to differ from those of the window.
  addCase(*frame, {"normals", "ours, adaptive", {}, estimate_adaptive, {}});
  addCase(*frame, {"resolution", "ours", {}, measure, {}});
  addCase(*frame, {"mesh", "ours", {}, triangulate, {}});
}

/** \brief The classes with PCL's interface: clouds in, clouds and polygons out. */
void
addWrappers(const std::shared_ptr<const Frame>& frame)
{
  struct State {
    pcl::gpu::FastBilateralFilter<pcl::PointXYZ> filter;
    pcl::gpu::OrganizedNormalEstimation<pcl::PointXYZ, pcl::Normal> estimation;
    pcl::gpu::OrganizedFastMesh<pcl::PointXYZ> mesher;
    Cloud::Ptr filtered = std::make_shared<Cloud>();
    pcl::PointCloud<pcl::Normal> normals;
    std::vector<pcl::Vertices> polygons;
  };
  const auto state = std::make_shared<State>();
  state->filter.setWindowRadius(window_radius);
  state->filter.setSigmaS(sigma_pixels);
  state->filter.setSigmaR(sigma_metres);
  state->filter.setRescaleXY(true);
  state->estimation.setNormalEstimationMethod(
      pcl::gpu::NormalEstimationMethod::COVARIANCE_MATRIX);
  state->estimation.setWindowSize(2 * window_radius + 1);
  state->mesher.setTriangulationType(state->mesher.TRIANGLE_LEFT_CUT);

  const auto filter = [frame, state] {
    state->filter.setInputCloud(frame->cloud);
    state->filter.filter(*state->filtered);
  };
  const auto estimate = [state](const Cloud::ConstPtr& cloud) {
    state->estimation.setInputCloud(cloud);
    state->estimation.compute(state->normals);
  };
  const auto mesh = [state](const Cloud::ConstPtr& cloud) {
    state->mesher.setInputCloud(cloud);
    state->mesher.reconstruct(state->polygons);
  };
  const auto chain = [=] {
    filter();
    estimate(state->filtered);
    mesh(state->filtered);
  };
  const auto chain_result = [state]() -> CloudAndNormals {
    return {pointsOf(*state->filtered), normalsOf(state->normals)};
  };
  const auto stage_result = [frame, state]() -> CloudAndNormals {
    return {pointsOf(*frame->cloud), normalsOf(state->normals)};
  };
  const char* name = "ours, PCL's interface";
  addCase(*frame, {"chain", name, {}, chain, chain_result});
  addCase(*frame, {"filter", name, {}, filter, {}});
  addCase(*frame, {"normals", name, {}, [=] { estimate(frame->cloud); }, stage_result});
  addCase(*frame, {"mesh", name, {}, [=] { mesh(frame->cloud); }, {}});
}

} // namespace

void
addOurCases(const std::shared_ptr<const Frame>& frame)
{
  addChain(frame);
  addWrappers(frame);
  addStages(frame);
}

} // namespace benchmarks
