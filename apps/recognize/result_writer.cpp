// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "result_writer.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/json_text.h"
#include "../common/files/output_file.h"
#include "../common/work/shared_work.h"

#include <pcl/io/pcd_io.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

const std::string list_end = "\n  ]\n}\n";

/** \brief Returns the text between a head and a list. */
std::string
listBegin(const std::string& list)
{
  return ",\n  " + jsonText(list) + ": [";
}

void
writeResults(const std::string& path,
             const ResultFile& file,
             const std::vector<std::string>& results)
{
  std::string text = file.head + listBegin(file.list);
  for (std::size_t i = 0; i < results.size(); ++i)
    text += (i ? "," : "") + results[i];
  writeText(path, text + list_end);
}

std::string
labelFile(const std::string& scene, const std::string& prefix)
{
  return prefix + fs::path(scene).stem().string() + ".pcd";
}

template <typename Point>
void
writeCloud(const RecognizedScene& scene, const std::string& path)
{
  PointCloud<Point> cloud(
      static_cast<std::uint32_t>(scene.columns),
      static_cast<std::uint32_t>(scene.cloud.size() / std::max(scene.columns, 1)));
  cloud.is_dense = false;
  cloud.sensor_origin_.template head<3>() = scene.viewpoint.translation();
  cloud.sensor_orientation_ = Eigen::Quaternionf(scene.viewpoint.linear());
  for (std::size_t i = 0; i < scene.cloud.size(); ++i) {
    cloud[i].getVector3fMap() = scene.cloud[i].getVector3fMap();
    cloud[i].label = static_cast<std::uint32_t>(scene.labels[i] + 1);
    if constexpr (std::is_same<Point, PointXYZRGBL>::value) {
      cloud[i].rgba = scene.colors[i].rgba;
      cloud[i].a = 255;
    }
  }
  writeFile(path, [&](const std::string& temporary) {
    return io::savePCDFileBinaryCompressed(temporary, cloud) == 0;
  });
}

void
writeObject(const RecognizedObject& object,
            int place,
            const TensorLibrary& library,
            std::ostream& out)
{
  out << "        {\"label\": " << place + 1
      << ", \"model\": " << jsonText(library.getModel(object.model).name)
      << ",\n         \"pose\": " << jsonPose(toPose(object.pose))
      << ",\n         \"confidence\": " << jsonNumber(object.confidence)
      << ", \"fit\": " << jsonNumber(object.evidence.fit)
      << ", \"support\": " << jsonNumber(object.evidence.support)
      << ", \"visible\": " << jsonNumber(object.visible)
      << ", \"inliers\": " << object.inliers << "}";
}

} // namespace

void
checkLabelFiles(const RecognizeOptions& options)
{
  if (options.labels.empty())
    return;
  std::set<std::string> files;
  for (const std::string& scene : options.inputs) {
    const std::string file = labelFile(scene, options.labels);
    checkWritable(file);
    if (!files.insert(file).second)
      throw InputError(
          file + ": two scenes have this name: expected other ones, for --labels");
    std::error_code none;
    if (fs::equivalent(file, scene, none))
      throw fileError(file, "is a scene", "another prefix for --labels");
  }
}

std::string
writeLabels(const RecognizedScene& scene, const std::string& prefix)
{
  std::string path = labelFile(scene.file, prefix);
  if (scene.colors.empty())
    writeCloud<PointXYZL>(scene, path);
  else
    writeCloud<PointXYZRGBL>(scene, path);
  return path;
}

std::string
sceneText(const RecognizedScene& scene, const TensorLibrary& library)
{
  std::ostringstream out;
  out << "\n    {\"file\": " << jsonText(scene.file) << ",\n     \"camera\": ["
      << jsonNumber(scene.camera.fx) << ", " << jsonNumber(scene.camera.fy) << ", "
      << jsonNumber(scene.camera.cx) << ", " << jsonNumber(scene.camera.cy) << ", "
      << scene.camera.width << ", " << scene.camera.height
      << "],\n     \"tensors\": " << scene.tensors << ",\n     \"objects\": [";
  for (std::size_t k = 0; k < scene.objects.size(); ++k) {
    out << (k ? ",\n" : "\n");
    writeObject(scene.objects[k], static_cast<int>(k), library, out);
  }
  out << "]}";
  return out.str();
}

std::string
programText()
{
  return "{\n  \"program\": \"pcl_gpu_recognize\",\n  \"version\": " +
         jsonText(PCL_GPU_VERSION);
}

void
makeResults(const ResultFile& file,
            const SharingOptions& sharing,
            ProgressBar& progress,
            const std::function<std::string(int number, std::string& text)>& make)
{
  const int count = static_cast<int>(file.parts.size());
  const std::string folder = file.path + ".parts";
  std::vector<std::string> parts;
  for (const std::string& part : file.parts)
    parts.push_back((fs::path(folder) / part).string());
  std::optional<SharedWork> work;
  if (sharing.goesOn())
    work.emplace(
        folder,
        count,
        sharing,
        file.inputs,
        [&](int i) { return std::vector<std::string>{file.parts[i]}; },
        [&](int i) { return std::vector<std::string>{file.inputs_of_parts[i]}; });
  std::vector<std::string> texts(count);
  makeUnits(count,
            work ? &*work : nullptr,
            progress,
            [&](int i) -> std::optional<std::string> {
              const std::string label = make(i, texts[i]);
              if (work)
                writeResults(parts[i], file, {texts[i]});
              return label;
            });
  if (work && work->finish())
    work->exclusively([&] { mergeResults(parts, file.path); });
  if (!work && !file.path.empty())
    writeResults(file.path, file, texts);
}

void
mergeResults(const std::vector<std::string>& parts, const std::string& path)
{
  std::string head, text;
  for (const std::string& part : parts) {
    std::ifstream stream(part, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::size_t begin = std::string::npos;
    for (const char* list : {"scenes", "pairs"}) {
      const std::size_t found = bytes.find(listBegin(list));
      if (found != std::string::npos)
        begin = found + listBegin(list).size();
    }
    const std::size_t end = bytes.rfind(list_end);
    if (begin == std::string::npos || end == std::string::npos ||
        end + list_end.size() != bytes.size())
      throw fileError(
          part, "has no results", "a .json file of recognize or of many pairs");
    if (head.empty())
      head = bytes.substr(0, begin);
    else if (bytes.compare(0, begin, head) != 0)
      throw fileError(part,
                      "has results of another kind, library or version",
                      "those of " + parts.front());
    if (end > begin)
      text += (text.empty() ? "" : ",") + bytes.substr(begin, end - begin);
  }
  writeText(path, head + text + list_end);
}

std::string
jsonPose(const Pose& pose)
{
  std::string text;
  for (int row = 0; row < 4; ++row) {
    text += row ? ", [" : "[[";
    for (int column = 0; column < 4; ++column)
      text += (column ? ", " : "") + jsonNumber(pose(row, column), 9);
    text += "]";
  }
  return text + "]";
}

} // namespace pcl::gpu::apps
