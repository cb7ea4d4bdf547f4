// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Counts the triangles that meshes of noisy depth maps keep across jumps in
 * depth, and those that they keep on surfaces, beside PCL's and OpenCV's.
 *
 * experiment_mesh_jumps [--scenes=N] [--seed=N] [--meshes=FOLDER]
 */

#include "common/options.h"
#include "common/report.h"
#include "jump_scenes.h"

#include <pcl/console/print.h>
#include <pcl/filters/fast_bilateral_omp.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/surface/organized_fast_mesh.h>

#if BENCHMARKS_HAVE_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/rgbd.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
using namespace pcl::gpu::test;

/** \brief The triangles that a method keeps, and the depth of its vertices. */
struct KeptTriangles {
  Image<float> depth;
  Image<std::uint8_t> quads; ///< QuadValidity; cut from the right to the lower pixel
};

struct Method {
  std::string name;
  std::function<KeptTriangles(const JumpScene&)> run;
};

/** \brief Our chain with the parameters of pcl_gpu_triangulate. */
KeptTriangles
ourMesh(const JumpScene& scene, bool remove_flying_pixels)
{
  DepthMapTriangulationParameters parameters;
  parameters.remove_flying_pixels = remove_flying_pixels;
  parameters.projection.camera = scene.camera;
  parameters.filter.sigma_r = 0.005f;
  parameters.filter.sigma_r_growth = 0.004f;
  parameters.mesh.max_edge_length_squared = 0.0035f;
  parameters.mesh.angle_tolerance = 0.0174532925f;
  parameters.mesh.dynamic_normal_angle = false;
  DepthMapTriangulation triangulation;
  triangulation.setParameters(parameters);
  triangulation.compute(uploaded(scene.depth));
  return {downloaded(triangulation.filteredDepth()),
          downloaded(triangulation.mesh().validity)};
}

using Cloud = pcl::PointCloud<pcl::PointXYZ>;
using PclMesh = pcl::OrganizedFastMesh<pcl::PointXYZ>;

/** \brief PCL's mesh, of the depth as it is by the class's defaults, or filtered and
 * with limits that grow with the noise. */
KeptTriangles
pclMesh(const JumpScene& scene, bool filtered)
{
  const PinholeCamera& camera = scene.camera;
  auto cloud = std::make_shared<Cloud>(camera.width, camera.height);
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      const float z = scene.depth.at(v, u);
      cloud->at(u, v) = {
          z * (u - camera.cx) / camera.fx, z * (v - camera.cy) / camera.fy, z};
    }
  if (filtered) {
    pcl::FastBilateralFilterOMP<pcl::PointXYZ> filter;
    filter.setSigmaS(5.0f);
    filter.setSigmaR(0.05f);
    filter.setInputCloud(cloud);
    Cloud output;
    filter.filter(output);
    // The filter invents depth where there is none, and moves points in z alone.
    for (std::size_t i = 0; i < output.size(); ++i)
      cloud->points[i].getVector3fMap() *= output[i].z / cloud->points[i].z;
  }
  PclMesh mesher;
  mesher.setTriangulationType(PclMesh::TRIANGLE_LEFT_CUT);
  mesher.setTrianglePixelSize(1);
  if (filtered)
    mesher.setMaxEdgeLength(0.01f, 0.0f, 0.01f);
  mesher.setInputCloud(cloud);
  std::vector<pcl::Vertices> polygons;
  mesher.reconstruct(polygons);
  KeptTriangles kept{Image<float>(camera.height, camera.width),
                     Image<std::uint8_t>(camera.height, camera.width, 0)};
  for (std::size_t i = 0; i < cloud->size(); ++i)
    kept.depth.data[i] = cloud->points[i].z;
  for (const auto& polygon : polygons) {
    // The upper triangle has the pixel itself, the lower one the pixel across.
    const int least =
        *std::min_element(polygon.vertices.begin(), polygon.vertices.end());
    const int most =
        *std::max_element(polygon.vertices.begin(), polygon.vertices.end());
    const bool is_upper = most - least == camera.width;
    const bool has_own =
        std::count(polygon.vertices.begin(), polygon.vertices.end(), least + 1) == 1;
    if (is_upper && has_own)
      kept.quads.data[least] |= UpperTriangle;
    else
      kept.quads.data[least - 1] |= LowerTriangle;
  }
  return kept;
}

#if BENCHMARKS_HAVE_OPENCV
/** \brief OpenCV's filters, and a loop that leaves out steps of more than 3 cm. */
KeptTriangles
openCvMesh(const JumpScene& scene, bool cleaned)
{
  const int rows = scene.depth.rows, columns = scene.depth.columns;
  cv::Mat depth =
      cv::Mat(rows, columns, CV_32F, const_cast<float*>(scene.depth.data.data()))
          .clone();
  cv::Mat filtered;
  if (cleaned) {
    cv::Mat millimetres;
    cv::patchNaNs(depth, 0.0);
    depth.convertTo(millimetres, CV_16U, 1000.0);
    (*cv::rgbd::DepthCleaner::create(CV_16U, 5))(millimetres, filtered);
    filtered.convertTo(filtered, CV_32F, 0.001);
  }
  else {
    cv::patchNaNs(depth, 0.0);
    cv::bilateralFilter(depth, filtered, 13, 0.03, 4.5);
  }
  KeptTriangles kept{Image<float>(rows, columns, NAN),
                     Image<std::uint8_t>(rows, columns, 0)};
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u)
      if (scene.depth.at(v, u) > 0.0f && filtered.at<float>(v, u) > 0.0f)
        kept.depth.at(v, u) = filtered.at<float>(v, u);
  const auto joined = [&](int v, int u, int y, int x) {
    return std::abs(kept.depth.at(v, u) - kept.depth.at(y, x)) <= 0.03f;
  };
  for (int v = 0; v + 1 < rows; ++v)
    for (int u = 0; u + 1 < columns; ++u) {
      if (!joined(v, u + 1, v + 1, u))
        continue;
      if (joined(v, u, v, u + 1) && joined(v, u, v + 1, u))
        kept.quads.at(v, u) |= UpperTriangle;
      if (joined(v + 1, u + 1, v, u + 1) && joined(v + 1, u + 1, v + 1, u))
        kept.quads.at(v, u) |= LowerTriangle;
    }
  return kept;
}
#endif

std::vector<Method>
methods()
{
  std::vector<Method> result = {
      {"ours", [](const auto& scene) { return ourMesh(scene, true); }},
      {"ours, flying pixels kept",
       [](const auto& scene) { return ourMesh(scene, false); }},
      {"PCL OrganizedFastMesh",
       [](const auto& scene) { return pclMesh(scene, false); }},
      {"PCL FastBilateralFilter + OrganizedFastMesh with edge lengths",
       [](const auto& scene) { return pclMesh(scene, true); }},
  };
#if BENCHMARKS_HAVE_OPENCV
  result.push_back({"OpenCV bilateralFilter + loop",
                    [](const auto& scene) { return openCvMesh(scene, false); }});
  result.push_back({"OpenCV DepthCleaner + loop",
                    [](const auto& scene) { return openCvMesh(scene, true); }});
#endif
  return result;
}

/** \brief Triangles of one kind, and those of them that were kept. */
struct Share {
  long all = 0, kept = 0;

  void
  add(bool is_kept)
  {
    ++all;
    kept += is_kept;
  }

  std::string
  percent() const
  {
    return all > 0 ? fixed(100.0 * kept / all, 3) : "-";
  }
};

struct Shares {
  Share jump, surface;

  void
  add(const JumpScene& scene,
      Sensor sensor,
      float least_jump,
      const KeptTriangles& triangles)
  {
    for (int v = 0; v + 1 < scene.depth.rows; ++v)
      for (int u = 0; u + 1 < scene.depth.columns; ++u) {
        Truth truth[2];
        truthOfQuad(
            scene, sensor, least_jump, triangles.depth, u, v, truth[0], truth[1]);
        for (int i = 0; i < 2; ++i) {
          const float z = scene.depth.at(v, u + 1) + scene.depth.at(v + 1, u) +
                          scene.depth.at(v + i, u + i);
          if (std::isnan(z))
            continue;
          const bool is_kept =
              triangles.quads.at(v, u) & (i ? LowerTriangle : UpperTriangle);
          if (truth[i] == Truth::Jump)
            jump.add(is_kept);
          if (truth[i] == Truth::Surface)
            surface.add(is_kept);
        }
      }
  }
};

/** \brief The least jumps that count, metres. */
constexpr float least_jumps[] = {0.03f, 0.06f, 0.1f};

bool
run(int scenes, int first_seed, const std::string& folder)
{
  std::vector<std::string> meshes;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ply")
      meshes.push_back(entry.path().string());
  std::sort(meshes.begin(), meshes.end());
  printContext();
  const auto all = methods();
  for (Sensor sensor : {Sensor::Kinect, Sensor::RealSense}) {
    std::vector<std::vector<Shares>> shares(
        all.size(), std::vector<Shares>(std::size(least_jumps)));
    for (int i = 0; i < scenes; ++i) {
      const JumpScene scene = renderJumpScene(meshes, sensor, first_seed + i);
      for (std::size_t m = 0; m < all.size(); ++m) {
        const KeptTriangles triangles = all[m].run(scene);
        for (std::size_t j = 0; j < std::size(least_jumps); ++j)
          shares[m][j].add(scene, sensor, least_jumps[j], triangles);
      }
    }
    std::string columns = sensor == Sensor::Kinect ? "| Kinect |" : "| RealSense |";
    for (float least : least_jumps)
      columns += " across jumps of " + fixed(100.0 * least, 0) + " cm, % kept |";
    printHeading(columns + " on surfaces, % kept |");
    for (std::size_t m = 0; m < all.size(); ++m) {
      std::printf("|");
      printCell(all[m].name);
      for (const Shares& of : shares[m])
        printCell(of.jump.percent() + " of " + std::to_string(of.jump.all));
      printCell(shares[m][0].surface.percent() + " of " +
                std::to_string(shares[m][0].surface.all));
      std::printf("\n");
    }
  }
  return true;
}

} // namespace

int
main(int argc, char** argv)
{
  int scenes = 12;
  int seed = 1;
  std::string meshes = dataFolder() + "/meshes/objects";
  Options options("experiment_mesh_jumps [OPTIONS]");
  options.addCount("scenes", scenes, "of each sensor");
  options.addCount("seed", seed, "of the first scene");
  options.add("meshes", meshes, "folder of the objects, PLY");
  return options.run(argc, argv, [&] {
    pcl::console::setVerbosityLevel(pcl::console::L_ERROR);
    pcl::gpu::setHostDevice();
    return run(scenes, seed, meshes);
  });
}
