// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "rgbd_formats.h"
#include "table_file.h"

#include <pcl/exceptions.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace pcl {
namespace gpu {

namespace {

namespace files = std::filesystem;

const std::string depth_ending = ".depth.png";

/** \brief What the folder says of all frames. */
struct FolderCamera {
  PinholeCamera camera = {585.0f, 585.0f, 320.0f, 240.0f, 0, 0};
  float depth_unit = 0.001f;
};

bool
endsWith(const std::string& name, const std::string& ending)
{
  return name.size() > ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

/** \brief The number at the end of a frame's name, without leading zeros. */
std::string
numberOf(const std::string& frame)
{
  const std::size_t begin = frame.find_last_not_of("0123456789") + 1;
  return frame.substr(std::min(frame.find_first_not_of('0', begin), frame.size()));
}

/** \brief Whether a frame comes before another one: frame-9 before frame-10. */
bool
isBefore(const std::string& frame, const std::string& other)
{
  const std::string number = numberOf(frame), other_number = numberOf(other);
  if (number.size() != other_number.size())
    return number.size() < other_number.size();
  return number != other_number ? number < other_number : frame < other;
}

/** \brief The names of the folder's frames, in their order. */
std::vector<std::string>
frameNames(const std::string& folder)
{
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : files::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (endsWith(name, depth_ending))
      names.push_back(name.substr(0, name.size() - depth_ending.size()));
  }
  std::sort(names.begin(), names.end(), isBefore);
  return names;
}

int
sizeAt(const TableLine& line, std::size_t column)
{
  const double size = line.valueAt(column);
  if (!(size >= 1.0 && size <= 16384.0))
    line.fail("a side of " + line.words[column] + " pixels", "1 to 16384");
  return static_cast<int>(size);
}

FolderCamera
readFolderCamera(const std::string& folder)
{
  FolderCamera camera;
  const std::string file = inFolder(folder, "intrinsics.txt");
  if (!files::exists(file))
    return camera;
  const std::vector<TableLine> lines = readTable(file);
  if (lines.size() != 1)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << lines.size() << " lines: expected one");
  const TableLine& line = lines.front();
  camera.camera = {static_cast<float>(line.valueAt(2)),
                   static_cast<float>(line.valueAt(3)),
                   static_cast<float>(line.valueAt(4)),
                   static_cast<float>(line.valueAt(5)),
                   sizeAt(line, 0),
                   sizeAt(line, 1)};
  camera.depth_unit = static_cast<float>(line.valueAt(6));
  return camera;
}

/** \brief A pose of the 16 entries of a matrix, row by row. */
Pose
poseOf(const std::vector<double>& entries)
{
  Pose pose;
  for (int i = 0; i < 16; ++i)
    pose.matrix()(i / 4, i % 4) = static_cast<float>(entries[i]);
  return pose;
}

Pose
readPoseFile(const std::string& file)
{
  std::vector<double> entries;
  for (const TableLine& line : readTable(file))
    for (std::size_t i = 0; i < line.words.size(); ++i)
      entries.push_back(line.valueAt(i));
  if (entries.size() != 16)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << entries.size() << " numbers: expected 16");
  return poseOf(entries);
}

/** \brief The frames' poses. */
class Poses {
public:
  explicit Poses(const std::string& folder) : folder_(folder)
  {
    list_ = inFolder(folder, "poses.txt");
    if (!files::exists(list_))
      return;
    for (const TableLine& line : readTable(list_)) {
      std::vector<double> entries;
      for (int i = 0; i < 16; ++i)
        entries.push_back(line.valueAt(i + 1));
      poses_[numberOf(line.words[0])] = poseOf(entries);
    }
  }

  Pose
  operator[](const std::string& frame) const
  {
    if (poses_.empty())
      return readPoseFile(inFolder(folder_, frame + ".pose.txt"));
    const auto pose = poses_.find(numberOf(frame));
    if (pose == poses_.end())
      PCL_THROW_EXCEPTION(IOException, list_ << ": no pose of frame " << frame);
    return pose->second;
  }

private:
  std::string folder_, list_;
  std::map<std::string, Pose> poses_;
};

std::string
colorFile(const std::string& folder, const std::string& frame)
{
  for (const char* ending : {".color.png", ".color.jpg", ".color.jpeg"}) {
    const std::string file = inFolder(folder, frame + ending);
    if (files::exists(file))
      return file;
  }
  PCL_THROW_EXCEPTION(IOException,
                      folder << ": no colour image of frame " << frame << ": expected "
                             << frame << ".color.png or .color.jpg");
}

} // namespace

RGBDVideo::ConstPtr
openSevenScenesFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  const std::vector<std::string> names = frameNames(folder);
  if (names.empty())
    return nullptr;
  const FolderCamera camera = readFolderCamera(folder);
  const Poses poses(folder);
  std::vector<RGBDVideoFiles::Frame> frames;
  for (const std::string& name : names) {
    RGBDVideoFiles::Frame frame;
    frame.view.name = name;
    frame.view.time = static_cast<double>(frames.size()) / options.frame_rate;
    frame.view.depth_camera = cameraOr(options.depth_camera, camera.camera);
    frame.view.color_camera = cameraOr(options.color_camera, frame.view.depth_camera);
    frame.view.depth_pose = poses[name];
    frame.view.color_pose = frame.view.depth_pose * options.color_to_depth;
    frame.color_file = colorFile(folder, name);
    frame.depth_file = inFolder(folder, name + depth_ending);
    frames.push_back(frame);
  }
  return std::make_shared<RGBDVideoFiles>(
      std::move(frames),
      options.depth_unit > 0.0f ? options.depth_unit : camera.depth_unit);
}

} // namespace gpu
} // namespace pcl
