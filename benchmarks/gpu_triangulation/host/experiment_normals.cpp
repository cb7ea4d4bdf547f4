// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Compares normals of depth maps with those of the surfaces: ours, PCL's and
 * OpenCV's, in rendered scenes with noise and in published frames without.
 *
 * experiment_normals [--scenes=N] [--seed=N] [--meshes=FOLDER] [--frames=FOLDER]
 */

#include "common/options.h"
#include "common/report.h"
#include "host_frames.h"
#include "jump_scenes.h"
#include "normal_error.h"
#include "testing/packed_file.h"

#include <pcl/console/print.h>
#include <pcl/features/integral_image_normal.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/triangulation/normal_map_estimation.h>

#if BENCHMARKS_HAVE_OPENCV
#include <opencv2/imgcodecs.hpp>
#include <opencv2/rgbd.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

const Eigen::Vector3f missing = Eigen::Vector3f::Constant(NAN);

/** \brief A depth map, and the normals of the surfaces that its pixels see. */
struct NormalScene {
  std::shared_ptr<const Frame> frame;
  VectorMap normals;
  VectorMap normals_at_edges; ///< the same near creases and jumps, NaN elsewhere
};

struct Method {
  std::string name;
  std::function<VectorMap(const Frame&)> run;
};

VectorMap
ourNormals(const Frame& frame, const NormalMapEstimationParameters& parameters)
{
  OrganizedCloud cloud;
  cloud.upload(frame.cloud->data(),
               frame.cloud->width * sizeof(pcl::PointXYZ),
               frame.camera.height,
               frame.camera.width);
  NormalMapEstimation estimation;
  estimation.setParameters(parameters);
  NormalMap normals;
  estimation.compute(cloud, normals);
  return vectorsOf(normals);
}

using IntegralImages = pcl::IntegralImageNormalEstimation<pcl::PointXYZ, pcl::Normal>;

VectorMap
pclNormals(const Frame& frame, IntegralImages::NormalEstimationMethod method)
{
  IntegralImages estimation;
  estimation.setNormalEstimationMethod(method);
  estimation.setNormalSmoothingSize(10.0f);
  estimation.setInputCloud(frame.cloud);
  pcl::PointCloud<pcl::Normal> normals;
  estimation.compute(normals);
  return normalsOf(normals);
}

#if BENCHMARKS_HAVE_OPENCV
VectorMap
openCvNormals(const Frame& frame, int window)
{
  const PinholeCamera& camera = frame.camera;
  const cv::Matx33f intrinsics(
      camera.fx, 0.0f, camera.cx, 0.0f, camera.fy, camera.cy, 0.0f, 0.0f, 1.0f);
  const cv::Mat depth(
      camera.height, camera.width, CV_32F, const_cast<float*>(frame.depth.data()));
  cv::Mat points, normals;
  cv::rgbd::depthTo3d(depth, intrinsics, points);
  cv::rgbd::RgbdNormals(camera.height,
                        camera.width,
                        CV_32F,
                        intrinsics,
                        window,
                        cv::rgbd::RgbdNormals::RGBD_NORMALS_METHOD_FALS)(points,
                                                                         normals);
  return VectorMap(camera.width, camera.height, [&](std::size_t i) {
    return Eigen::Map<const Eigen::Vector3f>(normals.ptr<float>() + 3 * i);
  });
}
#endif

std::vector<Method>
methods()
{
  std::vector<Method> result = {
      {"ours, adaptive", [](const Frame& frame) { return ourNormals(frame, {}); }}};
  for (int radius : {1, 2, 3, 5, 8, 12, 16}) {
    NormalMapEstimationParameters parameters;
    parameters.method = NormalEstimationMethod::COVARIANCE_MATRIX;
    parameters.window_radius = radius;
    const std::string width = std::to_string(2 * radius + 1);
    result.push_back({"ours, PCA of " + width + "x" + width, [=](const Frame& frame) {
                        return ourNormals(frame, parameters);
                      }});
  }
  result.push_back({"PCL COVARIANCE_MATRIX", [](const Frame& frame) {
                      return pclNormals(frame, IntegralImages::COVARIANCE_MATRIX);
                    }});
  result.push_back({"PCL AVERAGE_3D_GRADIENT", [](const Frame& frame) {
                      return pclNormals(frame, IntegralImages::AVERAGE_3D_GRADIENT);
                    }});
#if BENCHMARKS_HAVE_OPENCV
  for (int window : {3, 5, 7}) {
    const std::string width = std::to_string(window);
    result.push_back(
        {"OpenCV RgbdNormals FALS, " + width + "x" + width,
         [=](const Frame& frame) { return openCvNormals(frame, window); }});
  }
#endif
  return result;
}

/** \brief Returns whether two neighbours are on two surfaces: their normals differ by
 * more than 20 degrees, or one is 3 pixels' widths off the other's tangent plane. */
bool
areApart(const Eigen::Vector3f& p,
         const Eigen::Vector3f& normal_p,
         const Eigen::Vector3f& q,
         const Eigen::Vector3f& normal_q,
         float focal_length)
{
  const Eigen::Vector3f step = q - p;
  const float off =
      std::max(std::abs(normal_p.dot(step)), std::abs(normal_q.dot(step)));
  return degreesBetween(normal_p, normal_q) > 20.0 ||
         off > 3.0f * std::min(p.z(), q.z()) / focal_length;
}

/** \brief Copies the normals within 3 pixels of a crease or a jump. */
VectorMap
nearEdges(const VectorMap& points, const VectorMap& normals, float focal_length)
{
  VectorMap result(points.width, points.height, [](std::size_t) { return missing; });
  const auto index = [&](int u, int v) {
    return static_cast<std::size_t>(v) * points.width + u;
  };
  const auto compare = [&](int u, int v, int right, int down) {
    if (u + right >= points.width || v + down >= points.height)
      return;
    const std::size_t p = index(u, v), q = index(u + right, v + down);
    // Comparisons with NaN are false.
    if (!areApart(points.values[p],
                  normals.values[p],
                  points.values[q],
                  normals.values[q],
                  focal_length))
      return;
    for (int y = std::max(v - 2, 0); y <= std::min(v + down + 2, points.height - 1);
         ++y)
      for (int x = std::max(u - 2, 0); x <= std::min(u + right + 2, points.width - 1);
           ++x)
        result.values[index(x, y)] = normals.values[index(x, y)];
  };
  for (int v = 0; v < points.height; ++v)
    for (int u = 0; u < points.width; ++u) {
      compare(u, v, 1, 0);
      compare(u, v, 0, 1);
    }
  return result;
}

/** \brief Renders a scene with a sensor's noise; its normals up to 4 m away. */
NormalScene
renderedScene(const std::vector<std::string>& meshes, Sensor sensor, unsigned seed)
{
  const JumpScene scene = renderJumpScene(meshes, sensor, seed);
  NormalScene result;
  result.frame = makeFrame("", scene.camera, scene.depth.data);
  const VectorMap points =
      pointsOf(*makeFrame("", scene.camera, scene.exact.data)->cloud);
  result.normals = VectorMap(points.width, points.height, [&](std::size_t i) {
    return scene.normals.data[i].getVector3fMap();
  });
  result.normals_at_edges = nearEdges(points, result.normals, scene.camera.fx);
  for (std::size_t i = 0; i < points.values.size(); ++i)
    if (!(scene.exact.data[i] <= farthest))
      result.normals.values[i] = result.normals_at_edges.values[i] = missing;
  return result;
}

#if BENCHMARKS_HAVE_OPENCV
/** \brief Reads NAME_depth.bin.xz (float, row by row), NAME_normal.png (16 bits a
 * channel, -1 to 1) and NAME_params.txt (fx fy cx cy). Pixels whose normal is not of
 * unit length are those without a surface. */
NormalScene
publishedScene(const std::string& name)
{
  const cv::Mat colors = cv::imread(name + "_normal.png", cv::IMREAD_UNCHANGED);
  if (colors.type() != CV_16UC3)
    throw std::runtime_error(name + "_normal.png: not a PNG of 3 channels of 16 bits");
  PinholeCamera camera;
  camera.width = colors.cols;
  camera.height = colors.rows;
  std::ifstream parameters(name + "_params.txt");
  if (!(parameters >> camera.fx >> camera.fy >> camera.cx >> camera.cy))
    throw std::runtime_error(name + "_params.txt: no intrinsics");
  const std::string bytes = test::contentsOf(name + "_depth.bin.xz");
  std::vector<float> depth(colors.total());
  if (bytes.size() < depth.size() * sizeof(float))
    throw std::runtime_error(name + "_depth.bin.xz: too short");
  std::memcpy(depth.data(), bytes.data(), depth.size() * sizeof(float));

  NormalScene scene;
  scene.normals =
      VectorMap(colors.cols, colors.rows, [&](std::size_t i) -> Eigen::Vector3f {
        const auto& color = colors.ptr<cv::Vec3w>()[i]; // blue first
        const Eigen::Vector3f normal =
            Eigen::Vector3f(color[2], color[1], color[0]) / 32767.5f -
            Eigen::Vector3f::Ones();
        if (std::abs(normal.norm() - 1.0f) > 0.01f)
          return missing;
        return normal;
      });
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (!scene.normals.values[i].allFinite())
      depth[i] = NAN;
  scene.frame = makeFrame(
      std::filesystem::path(name).filename().string(), camera, std::move(depth));
  scene.normals_at_edges =
      nearEdges(pointsOf(*scene.frame->cloud), scene.normals, camera.fx);
  return scene;
}
#endif

/** \brief Errors of one method: means of the scenes' means. */
struct Errors {
  NormalError all, edges;

  void
  add(const VectorMap& normals, const NormalScene& scene, int scenes)
  {
    const auto add = [scenes](NormalError& sum, const NormalError& error) {
      sum.mean += error.mean / scenes;
      sum.kept += error.kept / scenes;
    };
    add(all, compareNormals(normals, scene.normals));
    add(edges, compareNormals(normals, scene.normals_at_edges));
  }
};

/** \brief Four columns of a table. */
struct Column {
  std::string name;
  std::vector<Errors> rows; ///< one a method

  Column(std::string title, std::size_t methods) : name(std::move(title)), rows(methods)
  {}

  void
  add(const std::vector<Method>& all, const NormalScene& scene, int scenes)
  {
    for (std::size_t m = 0; m < all.size(); ++m)
      rows[m].add(all[m].run(*scene.frame), scene, scenes);
  }
};

void
printTable(const char* title,
           const std::vector<Method>& all,
           const std::vector<Column>& columns)
{
  std::string heading = std::string("| ") + title + " |";
  for (const Column& column : columns)
    heading +=
        " " + column.name +
        ", degrees | with a normal, % | near edges, degrees | with a normal, % |";
  printHeading(heading);
  for (std::size_t m = 0; m < all.size(); ++m) {
    std::printf("|");
    printCell(all[m].name);
    for (const Column& column : columns)
      for (const NormalError& error : {column.rows[m].all, column.rows[m].edges}) {
        printCell(fixed(error.mean, 2));
        printCell(fixed(100.0 * error.kept, 1));
      }
    std::printf("\n");
  }
}

/** \brief Returns the files of a folder that end so, without the ending, in order. */
std::vector<std::string>
namesIn(const std::string& folder, const std::string& ending)
{
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.size() > ending.size() &&
        path.compare(path.size() - ending.size(), ending.size(), ending) == 0)
      names.push_back(path.substr(0, path.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Settings {
  int scenes = 12;
  int seed = 1;
  std::string meshes = dataFolder() + "/meshes/objects";
  std::string frames = dataFolder() + "/field/normals";
};

bool
run(const Settings& settings)
{
  printContext();
  const auto all = methods();
#if BENCHMARKS_HAVE_OPENCV
  std::vector<Column> published;
  for (const std::string& name : namesIn(settings.frames, "_normal.png")) {
    const NormalScene scene = publishedScene(name);
    published.emplace_back(scene.frame->name, all.size());
    published.back().add(all, scene, 1);
  }
  printTable("published frames", all, published);
#endif
  std::vector<std::string> meshes = namesIn(settings.meshes, ".ply");
  for (std::string& mesh : meshes)
    mesh += ".ply";
  std::vector<Column> rendered;
  for (Sensor sensor : {Sensor::Kinect, Sensor::RealSense}) {
    rendered.emplace_back(sensor == Sensor::Kinect ? "Kinect" : "RealSense",
                          all.size());
    for (int i = 0; i < settings.scenes; ++i)
      rendered.back().add(
          all, renderedScene(meshes, sensor, settings.seed + i), settings.scenes);
  }
  printTable("rendered scenes", all, rendered);
  return true;
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("experiment_normals [OPTIONS]");
  options.addCount("scenes", settings.scenes, "of each sensor");
  options.addCount("seed", settings.seed, "of the first scene");
  options.add("meshes", settings.meshes, "folder of the objects, PLY");
  options.add("frames", settings.frames, "folder of the published frames");
  return options.run(argc, argv, [&] {
    pcl::console::setVerbosityLevel(pcl::console::L_ERROR);
    pcl::gpu::setHostDevice();
    return run(settings);
  });
}
