// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/rgbd_formats.h"
#include "formats/tables/frame_poses.h"

#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

constexpr float tum_depth_unit = 1.0f / 5000.0f;
const PinholeCamera tum_camera = {525.0f, 525.0f, 319.5f, 239.5f, 0, 0};

struct TimedFile {
  double time;
  std::string file;
};

/** \brief Colour and depth that belong together. */
struct FilePair {
  TimedFile color, depth;
};

/** \brief Sorts by a number; keeps the order of equal ones. */
template <typename Thing>
void
sortBy(double Thing::*number, std::vector<Thing>& things)
{
  std::stable_sort(things.begin(), things.end(), [=](const Thing& a, const Thing& b) {
    return a.*number < b.*number;
  });
}

/** \brief Finds the pose at a time, between those before and after it.
 * \param[in] samples in the order of time
 * \param[in] max_apart the largest distance of the nearer of both, seconds
 * \param[out] pose untouched if there is none
 * \return whether there is one
 */
bool
poseAt(const std::vector<TimedPose>& samples, double time, double max_apart, Pose& pose)
{
  const auto after = std::lower_bound(
      samples.begin(), samples.end(), time, [](const TimedPose& sample, double t) {
        return sample.time < t;
      });
  const bool has_after = after != samples.end(), has_before = after != samples.begin();
  if (!has_after && !has_before)
    return false;
  const TimedPose& later = has_after ? *after : *(after - 1);
  const TimedPose& earlier = has_before ? *(after - 1) : *after;
  const double apart =
      std::min(std::abs(later.time - time), std::abs(time - earlier.time));
  if (apart > max_apart)
    return false;
  const double span = later.time - earlier.time;
  const double part = span > 0.0 ? (time - earlier.time) / span : 0.0;
  pose = earlier.towards(later, part);
  return true;
}

TimedFile
timedFile(const std::string& folder, const TableLine& line, std::size_t column)
{
  const double time = line.valueAt(column);
  if (column + 1 >= line.words.size())
    line.fail("a time without a file", "both");
  return {time, inFolder(folder, line.words[column + 1])};
}

std::vector<TimedFile>
readList(const std::string& folder, const std::string& list)
{
  std::vector<TimedFile> files;
  for (const TableLine& line : readUniformTable(inFolder(folder, list)))
    files.push_back(timedFile(folder, line, 0));
  sortBy(&TimedFile::time, files);
  return files;
}

/** \brief Takes the closest pair whose files are not taken and not too far apart, again
 * and again, as the benchmark's associate.py does. The closest are always neighbours in
 * the order of times, so that memory is linear in the number of files.
 * \param[in] colors,depths in the order of time
 */
std::vector<FilePair>
associate(const std::vector<TimedFile>& colors,
          const std::vector<TimedFile>& depths,
          double max_apart)
{
  struct Entry {
    const TimedFile* file;
    bool is_color;
    std::size_t before, after; // neighbours that are not taken
    bool is_taken;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0, j = 0; i < colors.size() || j < depths.size();) {
    const bool is_color =
        j == depths.size() || (i < colors.size() && colors[i].time <= depths[j].time);
    const std::size_t number = entries.size();
    entries.push_back({is_color ? &colors[i++] : &depths[j++],
                       is_color,
                       number - 1, // of the first: beyond the end
                       number + 1,
                       false});
  }

  using Match = std::tuple<double, std::size_t, std::size_t>; // difference of times
  std::priority_queue<Match, std::vector<Match>, std::greater<Match>> matches;
  const auto addMatch = [&](std::size_t first, std::size_t second) {
    if (first >= entries.size() || second >= entries.size() ||
        entries[first].is_color == entries[second].is_color)
      return;
    const double apart = entries[second].file->time - entries[first].file->time;
    if (apart <= max_apart)
      matches.push({apart, first, second});
  };
  for (std::size_t i = 0; i < entries.size(); ++i)
    addMatch(i, i + 1);
  std::vector<FilePair> pairs;
  while (!matches.empty()) {
    const auto [apart, first, second] = matches.top();
    matches.pop();
    Entry &a = entries[first], &b = entries[second];
    if (a.is_taken || b.is_taken)
      continue;
    a.is_taken = b.is_taken = true;
    pairs.push_back(a.is_color ? FilePair{*a.file, *b.file}
                               : FilePair{*b.file, *a.file});
    if (a.before < entries.size())
      entries[a.before].after = b.after;
    if (b.after < entries.size())
      entries[b.after].before = a.before;
    addMatch(a.before, b.after);
  }
  std::sort(pairs.begin(), pairs.end(), [](const FilePair& a, const FilePair& b) {
    return a.color.time < b.color.time;
  });
  return pairs;
}

/** \brief Returns whether a file is a 16-bit grey PNG. */
bool
isDepthMap(const std::string& file)
{
  try {
    readDepthImage(file);
    return true;
  }
  catch (const IOException&) {
    return false;
  }
}

std::vector<FilePair>
readPairs(const std::string& folder, double max_apart)
{
  if (!std::filesystem::exists(inFolder(folder, "associations.txt")))
    return associate(
        readList(folder, "rgb.txt"), readList(folder, "depth.txt"), max_apart);
  std::vector<FilePair> pairs;
  for (const TableLine& line : readUniformTable(inFolder(folder, "associations.txt")))
    pairs.push_back({timedFile(folder, line, 0), timedFile(folder, line, 2)});
  // ICL-NUIM names depth first, the benchmark colour.
  if (!pairs.empty() && isDepthMap(pairs.front().color.file) &&
      !isDepthMap(pairs.front().depth.file))
    for (FilePair& pair : pairs)
      std::swap(pair.color, pair.depth);
  return pairs;
}

} // namespace

RGBDVideo::ConstPtr
openTumFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  if (!std::filesystem::exists(inFolder(folder, "rgb.txt")) &&
      !std::filesystem::exists(inFolder(folder, "associations.txt")))
    return nullptr;
  std::vector<TimedPose> trajectory;
  for (const TableLine& line : readUniformTable(inFolder(folder, "groundtruth.txt")))
    trajectory.emplace_back(line);
  sortBy(&TimedPose::time, trajectory);
  std::vector<RGBDVideoFiles::Frame> frames;
  for (const FilePair& pair : readPairs(folder, options.max_time_apart)) {
    RGBDVideoFiles::Frame frame;
    frame.view.name = std::filesystem::path(pair.color.file).filename().string();
    frame.view.time = pair.color.time;
    frame.view.depth_camera = cameraOr(options.depth_camera, tum_camera);
    frame.view.color_camera = cameraOr(options.color_camera, frame.view.depth_camera);
    // The benchmark has no pose while it does not track the camera: such frames are
    // left out.
    if (!poseAt(
            trajectory, pair.color.time, options.max_time_apart, frame.view.color_pose))
      continue;
    frame.view.depth_pose = frame.view.color_pose * options.color_to_depth.inverse();
    frame.color_file = pair.color.file;
    frame.depth_file = pair.depth.file;
    frames.push_back(frame);
  }
  if (frames.empty())
    PCL_THROW_EXCEPTION(IOException,
                        folder
                            << ": no frames: expected colour, depth and poses at most "
                            << options.max_time_apart << " seconds apart");
  return std::make_shared<RGBDVideoFiles>(std::move(frames),
                                          options.depth_unit > 0.0f ? options.depth_unit
                                                                    : tum_depth_unit,
                                          options.missing_depth);
}

} // namespace pcl::gpu
