// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/tables/table_text.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <mutex>
#include <sstream>
#include <vector>

namespace pcl::gpu {

namespace {

namespace files = std::filesystem;

/** \brief One line if all are the same. */
std::string
shortened(const std::vector<std::string>& lines)
{
  bool same = true;
  std::string text;
  for (const std::string& line : lines) {
    same = same && line == lines.front();
    text += line + "\n";
  }
  return same ? lines.front() + "\n" : text;
}

/** \brief A text file of the folder. */
struct Table {
  const char* name;
  std::string text; ///< empty: the file must not exist
};

/** \brief All that openRGBDFolder() asks for, poses last. */
std::vector<Table>
tablesOf(const RGBDVideo& video, float depth_unit)
{
  std::string poses, color_poses;
  std::vector<std::string> cameras, color_cameras;
  bool other_poses = false, other_cameras = false;
  for (int i = 0; i < video.size(); ++i) {
    const RGBDView view = video.view(i);
    poses += textOf(view.time, view.depth_pose) + "\n";
    color_poses += textOf(view.time, view.color_pose) + "\n";
    cameras.push_back(textOf(view.depth_camera) + " " + textOf(depth_unit));
    color_cameras.push_back(textOf(view.color_camera));
    other_poses = other_poses || view.color_pose.matrix() != view.depth_pose.matrix();
    other_cameras = other_cameras || textOf(view.depth_camera) != color_cameras.back();
  }
  return {{"rgb.txt", ""}, // it would be the TUM benchmark's format
          {"associations.txt", ""},
          // The depth is registered, and readers need not find that out.
          {"color_to_depth.txt", other_poses ? "" : matrixText(Pose::Identity())},
          {"intrinsics.txt", shortened(cameras)},
          {"color_intrinsics.txt", other_cameras ? shortened(color_cameras) : ""},
          {"color_poses.txt", other_poses ? color_poses : ""},
          {"poses.txt", poses}};
}

bool
hasImages(const std::string& folder)
{
  return files::exists(folder) && !filesEndingIn(folder, {".png"}).empty();
}

void
makeFolder(const std::string& folder)
{
  std::error_code error;
  files::create_directories(folder, error);
  if (error)
    PCL_THROW_EXCEPTION(IOException,
                        folder << ": cannot be created: " << error.message());
}

/** \brief Rejects a folder whose table is that of another video.
 * \param[in] folder its name
 * \param[in] table the expected one, which is yet to be written if there are no images
 * \param[in] has_images whether the folder has images
 */
void
checkTable(const std::string& folder, const Table& table, bool has_images)
{
  const std::string file = inFolder(folder, table.name);
  bool good = table.text.empty() || !has_images;
  if (files::exists(file)) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    good = !table.text.empty() && text == table.text;
  }
  if (!good)
    PCL_THROW_EXCEPTION(
        IOException,
        file << ": is not that of this video: expected an empty folder, "
                "or one that this video was written to");
}

DepthImage
inUnits(const Image<float>& depth, float unit)
{
  DepthImage units;
  units.resize(depth.width, depth.height);
  for (std::size_t i = 0; i < depth.pixels.size(); ++i) {
    const double value = static_cast<double>(depth.pixels[i]) / unit;
    // 0 and 65535 stand for no depth. NaN is in no interval.
    units.pixels[i] = value >= 0.5 && value < 65534.5
                          ? static_cast<std::uint16_t>(std::lround(value))
                          : std::uint16_t(0);
  }
  return units;
}

/** \brief 000012.png */
std::string
imageName(int number)
{
  std::ostringstream name;
  name << std::setw(6) << std::setfill('0') << number << ".png";
  return name.str();
}

/** \brief Returns the numbers of frames that do not have both images yet. */
std::vector<int>
framesWithoutImages(int frames, const std::string& colors, const std::string& depths)
{
  std::vector<int> missing;
  for (int i = 0; i < frames; ++i)
    if (!files::exists(inFolder(colors, imageName(i))) ||
        !files::exists(inFolder(depths, imageName(i))))
      missing.push_back(i);
  return missing;
}

void
writeImages(const RGBDVideo& video,
            const std::string& colors,
            const std::string& depths,
            const RGBDFolderWriterOptions& options)
{
  const std::vector<int> missing =
      options.frames ? *options.frames
                     : framesWithoutImages(video.size(), colors, depths);
  int done = video.size() - static_cast<int>(missing.size());
  if (options.progress)
    options.progress(done);
  std::mutex mutex;
  const auto write = [&](const RGBDFrame& frame, int number) {
    writeColorImage(inFolder(colors, imageName(number)), frame.color);
    writeDepthImage(inFolder(depths, imageName(number)),
                    inUnits(frame.depth, options.depth_unit));
    if (options.end)
      options.end(number);
    const std::lock_guard<std::mutex> lock(mutex);
    ++done;
    if (options.progress)
      options.progress(done);
  };
  forEachFrame(video, missing, options.threads, write, options.begin);
}

} // namespace

void
writeRGBDFolder(const RGBDVideo& video,
                const std::string& folder,
                const RGBDFolderWriterOptions& options)
{
  checkPositive("depth unit", options.depth_unit);
  checkArgument(video.size() > 0, "number of frames", video.size(), "1 or more");
  const std::string colors = inFolder(folder, "color"),
                    depths = inFolder(folder, "depth");
  checkArgument(options.threads >= 1, "threads", options.threads, "1 or more");
  for (int number : options.frames.value_or(std::vector<int>()))
    checkArgument(number >= 0 && number < video.size(),
                  "number of a frame",
                  number,
                  "that of a frame of the video");
  const bool has_images = hasImages(colors) || hasImages(depths);
  if (has_images && !options.resume)
    PCL_THROW_EXCEPTION(IOException,
                        folder << ": has images: expected none, or to resume");
  const std::vector<Table> tables = tablesOf(video, options.depth_unit);
  for (const Table& table : tables)
    checkTable(folder, table, has_images);

  makeFolder(colors);
  makeFolder(depths);
  for (const Table& table : tables)
    if (!table.text.empty() && !files::exists(inFolder(folder, table.name)))
      writeFile(inFolder(folder, table.name), table.text);
  writeImages(video, colors, depths, options);
}

} // namespace pcl::gpu
