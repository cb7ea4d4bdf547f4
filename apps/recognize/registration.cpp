// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "subcommands.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/json_text.h"
#include "../common/files/output_file.h"
#include "../common/files/pcd_reader.h"
#include "result_writer.h"

#include <pcl/conversions.h>
#include <pcl/gpu/tensor/tensor_view_registration.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pcl::gpu::apps {

namespace {

void
addView(const std::string& path, TensorViewRegistration& views)
{
  if (!std::filesystem::exists(path))
    throw fileError(path, "no such file", "a cloud (.pcd)");
  PointCloud<PointXYZ> cloud;
  Eigen::Vector4f origin;
  Eigen::Quaternionf orientation;
  fromPCLPointCloud2(readPcd(path, &origin, &orientation), cloud);
  cloud.sensor_origin_ = origin;
  cloud.sensor_orientation_ = orientation;
  try {
    views.addView(cloud);
  }
  catch (const BadArgumentException& error) {
    throw InputError(path + ": " + plainMessage(error));
  }
}

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
            "\"visible\": " + jsonNumber(found->visible) + separator +
            "\"inliers\": " + std::to_string(found->inliers) + separator +
            "\"score\": " + jsonNumber(found->score);
  return text;
}

void
printQuality(const ViewAlignment& found)
{
  std::printf("%d inliers, fit %.2f, %.0f %% of the source visible\n",
              found.inliers,
              found.fit,
              100.0f * found.visible);
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

void
registerAllPairs(const RegisterOptions& options,
                 TensorViewRegistration& views,
                 Timings& timings)
{
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
  std::size_t count = 0;
  for (const auto& [label, found] : made) {
    std::printf("%s: ", label.c_str());
    if (found)
      printQuality(*found);
    else
      std::printf("not found\n");
    count += found.has_value();
  }
  std::printf("%zu pairs, %zu found\n", made.size(), count);
}

} // namespace

void
registerClouds(const RegisterOptions& options, Timings& timings)
{
  TensorViewRegistration views;
  views.setParameters(options.registration);
  for (const std::string& file : options.inputs)
    timings.measure("read", [&] { addView(file, views); });
  if (views.size() == 2)
    registerPair(options, views, timings);
  else
    registerAllPairs(options, views, timings);
}

} // namespace pcl::gpu::apps
