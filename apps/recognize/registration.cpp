// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "subcommands.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/json_text.h"
#include "../common/files/output_file.h"
#include "../common/files/pcd_reader.h"
#include "../common/meshes/mesh_file.h"
#include "result_writer.h"

#include <pcl/conversions.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/io/pcd_io.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

namespace {

PointCloud<PointXYZ>
readVerticesOrPoints(const std::string& path)
{
  if (!std::filesystem::exists(path))
    throw fileError(path, "no such file", "a cloud (.pcd) or mesh (.ply and others)");
  PointCloud<PointXYZ> cloud;
  if (isMeshFile(path)) {
    fromPCLPointCloud2(readVertices(path), cloud);
    return cloud;
  }
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  fromPCLPointCloud2(readPcd(path, &origin, &orientation), cloud);
  cloud.sensor_origin_ = origin;
  cloud.sensor_orientation_ = orientation;
  return cloud;
}

/** \brief Clouds, and their views. */
struct RegisteredClouds {
  std::vector<PointCloud<PointXYZ>> clouds; ///< kept if they are to be joined
  TensorViewRegistration views;

  void
  add(const std::string& path, const RegisterOptions& options)
  {
    PointCloud<PointXYZ> cloud = readVerticesOrPoints(path);
    try {
      options.joined ? views.addCloud(cloud) : views.addView(cloud);
    }
    catch (const BadArgumentException& error) {
      throw InputError(path + ": " + plainMessage(error));
    }
    if (!options.model.empty())
      clouds.push_back(std::move(cloud));
  }
};

/** \brief A cloud and another one that it is looked for in. */
struct CloudPair {
  int source, target;
};

/** \brief Returns all pairs, in the order of TensorViewRegistration::alignAll(). */
std::vector<CloudPair>
allPairs(int clouds)
{
  std::vector<CloudPair> pairs;
  for (int target = 1; target < clouds; ++target)
    for (int source = 0; source < target; ++source)
      pairs.push_back({source, target});
  return pairs;
}

/** \brief Returns a pair's result as members of a JSON object, without its braces.
 * \param[in] files names of all clouds
 * \param[in] pair numbers of its clouds
 * \param[in] found none: the pose is null
 * \param[in] separator between the members
 */
std::string
pairText(const std::vector<std::string>& files,
         const CloudPair& pair,
         const std::optional<ViewAlignment>& found,
         const std::string& separator)
{
  std::string text = "\"source\": " + jsonText(files[pair.source]) + separator +
                     "\"target\": " + jsonText(files[pair.target]) + separator +
                     "\"pose\": " + (found ? jsonPose(found->pose) : "null");
  if (found)
    text += separator + "\"fit\": " + jsonNumber(found->fit) + separator +
            "\"overlap\": " + jsonNumber(found->overlap) + separator +
            "\"inliers\": " + std::to_string(found->inliers) + separator +
            "\"score\": " + jsonNumber(found->score);
  return text;
}

void
printQuality(const ViewAlignment& found)
{
  std::printf("%d inliers, fit %.2f, overlap %.0f %%\n",
              found.inliers,
              found.fit,
              100.0f * found.overlap);
}

void
registerPair(const RegisterOptions& options,
             TensorViewRegistration& views,
             Timings& timings)
{
  const CloudPair pair = {0, 1};
  const std::optional<ViewAlignment> found = timings.measure(
      "register", [&] { return views.align(pair.source, pair.target); });
  if (!found)
    throw std::runtime_error(options.inputs.front() + ": is not found in " +
                             options.inputs.back());
  if (!options.output.empty())
    writeText(options.output,
              programText() + ",\n  " + pairText(options.inputs, pair, found, ",\n  ") +
                  "\n}\n");
  const Eigen::Matrix4f pose = found->pose.matrix();
  for (int row = 0; row < 4; ++row)
    std::printf("%10.6f %10.6f %10.6f %10.6f\n",
                pose(row, 0),
                pose(row, 1),
                pose(row, 2),
                pose(row, 3));
  printQuality(*found);
}

/** \brief Writes the clouds that were placed in the frame of the first one, with their
 * numbers as labels. */
void
writeModel(const std::string& path,
           const std::vector<PointCloud<PointXYZ>>& clouds,
           const TensorViewRegistration::Poses& poses)
{
  PointCloud<PointXYZL> model;
  for (std::size_t i = 0; i < clouds.size(); ++i)
    if (poses[i])
      for (const PointXYZ& point : clouds[i])
        if (isMeasuredPoint(point)) {
          PointXYZL placed;
          placed.getVector3fMap() = *poses[i] * Eigen::Vector3f(point.getVector3fMap());
          placed.label = static_cast<std::uint32_t>(i + 1);
          model.push_back(placed);
        }
  writeFile(path, [&](const std::string& temporary) {
    return io::savePCDFileBinaryCompressed(temporary, model) == 0;
  });
}

/** \brief Puts all clouds into the frame of the first one; prints and writes their
 * poses. */
void
connectClouds(const RegisterOptions& options,
              RegisteredClouds& all,
              const TensorViewRegistration::Alignments& alignments)
{
  const TensorViewRegistration::Poses poses = all.views.connect(alignments);
  std::string text = programText() + ",\n  \"clouds\": [";
  std::size_t placed = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    text += std::string(i ? "," : "") +
            "\n    {\"file\": " + jsonText(options.inputs[i]) +
            ",\n     \"pose\": " + (poses[i] ? jsonPose(*poses[i]) : "null") + "}";
    placed += poses[i].has_value();
    if (!poses[i])
      std::printf("%s: nothing connects it with %s\n",
                  options.inputs[i].c_str(),
                  options.inputs.front().c_str());
  }
  std::printf("%zu clouds, %zu in one frame\n", poses.size(), placed);
  if (!options.poses.empty())
    writeText(options.poses, text + "]\n}\n");
  if (!options.model.empty())
    writeModel(options.model, all.clouds, poses);
}

void
registerAllPairs(const RegisterOptions& options,
                 RegisteredClouds& all,
                 Timings& timings)
{
  TensorViewRegistration& views = all.views;
  const std::vector<CloudPair> pairs = allPairs(views.size());
  ResultFile file;
  file.path = options.output;
  file.list = "pairs";
  file.head = programText();
  file.inputs = options.inputs;
  file.inputs_of_parts.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    file.parts.push_back(framePath("", static_cast<int>(i), ".json"));
  std::vector<std::pair<std::string, std::optional<ViewAlignment>>> made;
  {
    ProgressBar progress(pairs.size(), "pairs");
    const auto make = [&](int i, std::string& text) {
      const CloudPair& pair = pairs[i];
      const std::optional<ViewAlignment> found = timings.measure(
          "register", [&] { return views.align(pair.source, pair.target); });
      text = "\n    {" + pairText(options.inputs, pair, found, ",\n     ") + "}";
      std::string label =
          options.inputs[pair.source] + " to " + options.inputs[pair.target];
      made.emplace_back(label, found);
      return label;
    };
    makeResults(file, options.sharing, progress, make);
  }
  TensorViewRegistration::Alignments alignments;
  for (const auto& [label, found] : made) {
    std::printf("%s: ", label.c_str());
    if (found) {
      printQuality(*found);
      alignments.push_back(*found);
    }
    else
      std::printf("not found\n");
  }
  std::printf("%zu pairs, %zu found\n", made.size(), alignments.size());
  if (!options.sharing.goesOn())
    connectClouds(options, all, alignments);
}

} // namespace

void
registerClouds(const RegisterOptions& options, Timings& timings)
{
  RegisteredClouds all;
  all.views.setParameters(options.registration);
  for (const std::string& file : options.inputs)
    timings.measure("read", [&] { all.add(file, options); });
  if (all.views.size() == 2)
    registerPair(options, all.views, timings);
  else
    registerAllPairs(options, all, timings);
}

} // namespace pcl::gpu::apps
