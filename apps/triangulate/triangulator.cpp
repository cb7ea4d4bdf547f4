// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "triangulator.h"

#include <cmath>

namespace pcl::gpu::apps {

Triangulator::Triangulator(const TriangulateOptions& options, Timings& timings)
: options_(options)
, timings_(timings)
{
  converter_.setParameters(options.converter);
  flying_pixel_removal_.setParameters(options.surface.flying_pixels);
  filter_.setParameters(options.surface.filter);
  normal_estimation_.setParameters(options.surface.normals);
  triangulation_.setParameters(options.surface.mesh);
  CloudResolutionParameters resolution = options.surface.resolution;
  options.surface.mesh.applyTo(resolution);
  resolution_.setParameters(resolution);
}

TriangulatedFrame
Triangulator::run(const Frame& frame)
{
  for (int i = 0; i < options_.repeat; ++i) {
    if (frame.cloud)
      projectCloud(frame);
    else
      projectDepthMap(frame);
    timings_.measure("normals", stream_, [&] {
      normal_estimation_.compute(
          needsMeasuredCloud() ? measured_cloud_ : cloud_, normals_, stream_);
    });
    timings_.measure("resolution", stream_, [&] {
      resolution_.compute(cloud_, normals_, statistics_, stream_);
    });
    timings_.measure("triangulation", stream_, [&] {
      triangulation_.compute(cloud_, normals_, statistics_, mesh_, stream_);
    });
  }
  registerColor(frame);
  return timings_.measure("download", [&] { return download(frame); });
}

bool
Triangulator::needsMeasuredCloud() const
{
  return !options_.no_filter &&
         options_.surface.normals.method == NormalEstimationMethod::ADAPTIVE_WINDOWS;
}

void
Triangulator::projectDepthMap(const Frame& frame)
{
  const DepthImage& depth = frame.depth;
  DepthMapProjectionParameters projection;
  projection.camera = frame.camera;
  projection_.setParameters(projection);
  if (options_.disparity) {
    timings_.measure("upload", stream_, [&] {
      raw_.upload(depth.pixels.data(),
                  depth.width * sizeof(depth.pixels[0]),
                  depth.height,
                  depth.width);
    });
    KinectDisparityConverterParameters converter = options_.converter;
    converter.focal_length = frame.camera.fx;
    converter_.setParameters(converter);
    timings_.measure(
        "disparity", stream_, [&] { converter_.compute(raw_, depth_, stream_); });
  }
  else
    timings_.measure("upload", stream_, [&] {
      std::vector<float> metres(depth.pixels.begin(), depth.pixels.end());
      for (float& z : metres)
        z *= frame.depth_scale;
      depth_.upload(metres, depth.width);
    });
  const DepthMap& measured = cleanAndFilter();
  timings_.measure("projection", stream_, [&] {
    projection_.compute(filtered_, cloud_, stream_);
    if (needsMeasuredCloud())
      projection_.compute(measured, measured_cloud_, stream_);
  });
}

void
Triangulator::projectCloud(const Frame& frame)
{
  const int width = frame.cloud->width, height = frame.cloud->height;
  std::vector<PointXYZ> points;
  std::vector<float> depth;
  for (const PointXYZRGB& point : *frame.cloud) {
    points.emplace_back(point.x, point.y, point.z);
    depth.push_back(point.z);
  }
  timings_.measure("upload", stream_, [&] { depth_.upload(depth, width); });
  const DepthMap& measured = cleanAndFilter();
  // Points slide along their rays, so that the cloud's own camera need not be known.
  const auto project = [&](const DepthMap& map, OrganizedCloud& cloud) {
    std::vector<float> moved(depth.size());
    map.download(moved.data(), width * sizeof(float));
    std::vector<PointXYZ> projected = points;
    for (std::size_t i = 0; i < points.size(); ++i)
      projected[i].getVector3fMap() *= moved[i] / depth[i];
    cloud.upload(projected.data(), width * sizeof(projected[0]), height, width);
  };
  timings_.measure("upload", stream_, [&] {
    project(filtered_, cloud_);
    if (needsMeasuredCloud())
      project(measured, measured_cloud_);
  });
}

const DepthMap&
Triangulator::cleanAndFilter()
{
  const DepthMap* depth = &depth_;
  if (!options_.keep_flying_pixels) {
    timings_.measure("flying pixels", stream_, [&] {
      flying_pixel_removal_.compute(depth_, cleaned_, stream_);
    });
    depth = &cleaned_;
  }
  if (!options_.no_filter)
    timings_.measure(
        "filter", stream_, [&] { filter_.compute(*depth, filtered_, stream_); });
  else
    depth->copyTo(filtered_);
  return *depth;
}

void
Triangulator::registerColor(const Frame& frame)
{
  if (frame.color.empty() || !options_.color_intrinsics)
    return;
  ColorMap image;
  image.upload(frame.color.pixels.data(),
               frame.color.width * sizeof(RGB),
               frame.color.height,
               frame.color.width);
  ColorRegistrationParameters parameters;
  parameters.depth_camera = frame.camera;
  parameters.color_camera = *options_.color_intrinsics;
  parameters.color_camera_pose = options_.color_pose;
  // A floor seen at a slant some metres away must not hide itself.
  parameters.occlusion_tolerance = 0.08f;
  ColorRegistration registration;
  registration.setParameters(parameters);
  timings_.measure("color", stream_, [&] {
    registration.compute(filtered_, image, colors_, stream_);
  });
}

TriangulatedFrame
Triangulator::download(const Frame& frame)
{
  const int width = cloud_.cols(), height = cloud_.rows();
  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  std::vector<PointXYZ> points(pixels), normals(pixels);
  cloud_.download(points.data(), width * sizeof(points[0]));
  normals_.download(normals.data(), width * sizeof(normals[0]));
  std::vector<RGB> colors;
  if (frame.cloud) {
    for (const PointXYZRGB& point : *frame.cloud)
      colors.emplace_back(point.r, point.g, point.b, point.a);
  }
  else if (!frame.color.empty()) {
    colors = frame.color.pixels;
    if (options_.color_intrinsics) {
      colors.resize(pixels);
      colors_.download(colors.data(), width * sizeof(RGB));
    }
  }

  TriangulatedFrame result;
  result.name = frame.name;
  result.cloud.width = width;
  result.cloud.height = height;
  result.cloud.is_dense = false;
  result.cloud.resize(pixels);
  result.cloud.width = width;
  result.cloud.height = height;
  if (frame.cloud) {
    result.cloud.sensor_origin_ = frame.cloud->sensor_origin_;
    result.cloud.sensor_orientation_ = frame.cloud->sensor_orientation_;
  }
  for (std::size_t i = 0; i < pixels; ++i) {
    PointXYZRGBNormal& point = result.cloud[i];
    point.getVector3fMap() = points[i].getVector3fMap();
    point.getNormalVector3fMap() = normals[i].getVector3fMap();
    point.curvature = normals[i].data[3];
    result.measured += std::isfinite(points[i].z);
    if (colors.empty())
      continue;
    point.r = colors[i].r;
    point.g = colors[i].g;
    point.b = colors[i].b;
    point.a = colors[i].a;
    result.has_color = result.has_color || colors[i].a != 0;
  }

  int count = 0;
  mesh_.polygon_count.download(&count);
  result.vertices_per_polygon = mesh_.vertices_per_polygon;
  result.indices.resize(static_cast<std::size_t>(count) * mesh_.vertices_per_polygon);
  if (count > 0)
    mesh_.indices.download(result.indices.data(), 0, result.indices.size());
  statistics_.download(&result.statistics);
  return result;
}

} // namespace pcl::gpu::apps
