// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "bop_folder.h"

#include "testing/depth_png.h"
#include "testing/packed_file.h"

#include <boost/property_tree/json_parser.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace benchmarks {

using pcl::gpu::PinholeCamera;
using pcl::gpu::Pose;
using pcl::gpu::test::HostMesh;
using pcl::gpu::test::Image;

namespace {

using Json = boost::property_tree::ptree;

constexpr float millimetre = 1e-3f;

/** \brief Reads a JSON file, and takes values from it.
 * \param[in] path without ".xz"
 * \param[in] take may throw any exception, which then names the file
 */
template <typename Take>
auto
readJson(const std::string& path, const Take& take)
{
  const std::string file = pcl::gpu::test::plainOrPacked(path);
  std::istringstream text(pcl::gpu::test::contentsOf(file));
  try {
    Json json;
    boost::property_tree::read_json(text, json);
    return take(json);
  }
  catch (const std::exception& error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

template <std::size_t count>
std::array<double, count>
numbersOf(const Json& json, const char* name)
{
  std::array<double, count> numbers;
  const Json& list = json.get_child(name);
  if (list.size() != count)
    throw std::runtime_error(std::string(name) + " has " + std::to_string(list.size()) +
                             " numbers: expected " + std::to_string(count));
  std::size_t i = 0;
  for (const auto& number : list)
    numbers[i++] = number.second.get_value<double>();
  return numbers;
}

/** \brief Returns a pose whose rotation was rounded. */
Pose
poseOf(const Json& instance)
{
  const auto rows = numbersOf<9>(instance, "cam_R_m2c");
  const auto translation = numbersOf<3>(instance, "cam_t_m2c");
  const Eigen::Matrix3d rotation =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data());
  Pose pose = Pose::Identity();
  pose.linear() =
      Eigen::Quaterniond(rotation).normalized().toRotationMatrix().cast<float>();
  pose.translation() =
      millimetre * Eigen::Map<const Eigen::Vector3d>(translation.data()).cast<float>();
  return pose;
}

} // namespace

bool
existsInBop(const std::string& path)
{
  return std::filesystem::exists(path) || std::filesystem::exists(path + ".xz");
}

PinholeCamera
readBopCamera(const std::string& path)
{
  return readJson(path, [](const Json& json) {
    PinholeCamera camera;
    camera.fx = json.get<float>("fx");
    camera.fy = json.get<float>("fy");
    camera.cx = json.get<float>("cx");
    camera.cy = json.get<float>("cy");
    camera.width = json.get<int>("width");
    camera.height = json.get<int>("height");
    camera.validate();
    return camera;
  });
}

std::vector<BopMesh>
readBopMeshes(const std::string& folder)
{
  const std::regex name("obj_([0-9]{6})\\.ply(\\.xz)?");
  std::vector<BopMesh> meshes;
  if (!std::filesystem::is_directory(folder))
    throw std::runtime_error("there is no folder " + folder);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    std::smatch match;
    if (!std::regex_match(file, match, name))
      continue;
    meshes.push_back(
        {std::stoi(match[1]), pcl::gpu::test::readMesh(entry.path().string())});
    for (pcl::PointXYZ& vertex : meshes.back().mesh.vertices)
      vertex.getVector3fMap() *= millimetre;
  }
  if (meshes.empty())
    throw std::runtime_error(folder + " has no mesh obj_NNNNNN.ply");
  std::sort(meshes.begin(), meshes.end(), [](const BopMesh& a, const BopMesh& b) {
    return a.object < b.object;
  });
  return meshes;
}

std::map<int, BopObjectInfo>
readBopModelsInfo(const std::string& folder, const std::vector<BopMesh>& meshes)
{
  const std::string path = folder + "/models_info.json";
  const auto take = [&](const Json& json) {
    std::map<int, BopObjectInfo> objects;
    for (const BopMesh& mesh : meshes) {
      const Json& object = json.get_child(std::to_string(mesh.object));
      objects[mesh.object] = {millimetre * object.get<float>("diameter"),
                              object.count("symmetries_discrete") > 0 ||
                                  object.count("symmetries_continuous") > 0};
    }
    return objects;
  };
  return readJson(existsInBop(path) ? path : folder + "/../models_info.json", take);
}

std::vector<BopImage>
readBopScene(const std::string& folder)
{
  std::map<int, BopImage> images;
  readJson(folder + "/scene_gt.json", [&](const Json& json) {
    for (const auto& [number, instances] : json) {
      BopImage& image = images[std::stoi(number)];
      image.number = std::stoi(number);
      for (const auto& instance : instances)
        image.instances.push_back(
            {instance.second.get<int>("obj_id"), poseOf(instance.second), 0.0f});
    }
    return true;
  });
  readJson(folder + "/scene_gt_info.json", [&](const Json& json) {
    for (auto& [number, image] : images) {
      const Json& infos = json.get_child(std::to_string(number));
      if (infos.size() != image.instances.size())
        throw std::runtime_error("image " + std::to_string(number) +
                                 " has other instances than scene_gt.json");
      auto instance = image.instances.begin();
      for (const auto& info : infos)
        (instance++)->visible = info.second.get<float>("visib_fract");
    }
    return true;
  });
  readJson(folder + "/scene_camera.json", [&](const Json& json) {
    for (auto& [number, image] : images) {
      const Json& camera = json.get_child(std::to_string(number));
      const auto k = numbersOf<9>(camera, "cam_K");
      image.camera.fx = static_cast<float>(k[0]);
      image.camera.fy = static_cast<float>(k[4]);
      image.camera.cx = static_cast<float>(k[2]);
      image.camera.cy = static_cast<float>(k[5]);
      image.depth_unit = millimetre * camera.get<float>("depth_scale");
    }
    return true;
  });
  std::vector<BopImage> result;
  for (auto& [number, image] : images)
    result.push_back(std::move(image));
  return result;
}

Image<float>
readBopDepth(const std::string& path, float unit)
{
  const Image<std::uint16_t> raw = pcl::gpu::test::readDepthImage(path);
  Image<float> depth(raw.rows, raw.columns);
  std::transform(raw.data.begin(),
                 raw.data.end(),
                 depth.data.begin(),
                 [unit](std::uint16_t value) {
                   return value == 0 ? std::numeric_limits<float>::quiet_NaN()
                                     : unit * static_cast<float>(value);
                 });
  return depth;
}

std::string
bopDepthPath(const std::string& folder, int image)
{
  char name[32];
  std::snprintf(name, sizeof(name), "/depth/%06d.png", image);
  return folder + name;
}

} // namespace benchmarks
