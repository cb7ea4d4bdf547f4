// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "partial_views.h"

#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/files/output_file.h"
#include "../common/files/pose_file.h"
#include "../common/work/shared_work.h"
#include "image_writer.h"

#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

/** \brief Names of the files of a view. */
struct ViewFiles {
  std::string name, cloud, pose;

  explicit ViewFiles(int number)
  {
    char text[32];
    std::snprintf(text, sizeof text, "view-%03d", number);
    name = text;
    cloud = name + ".pcd";
    pose = name + ".pose.txt";
  }
};

/** \brief Views that are cast at once, and are a unit of shared work. */
class ViewRuns {
public:
  ViewRuns(int views, int pixels) : views_(views)
  {
    // More at once are no faster, and leave less to share.
    constexpr int most_pixels = 1 << 22;
    length_ = std::max(1, most_pixels / pixels);
  }

  int
  size() const
  {
    return (views_ + length_ - 1) / length_;
  }

  int
  begin(int run) const
  {
    return run * length_;
  }

  int
  end(int run) const
  {
    return std::min(views_, begin(run) + length_);
  }

  /** \brief Returns the file of a run's rows. */
  std::string
  rows(int run) const
  {
    return "views.csv.parts/" + ViewFiles(begin(run)).name + ".csv";
  }

  std::vector<std::string>
  filesOf(int run) const
  {
    std::vector<std::string> files = {rows(run)};
    for (int i = begin(run); i < end(run); ++i)
      files.insert(files.end(), {ViewFiles(i).cloud, ViewFiles(i).pose});
    return files;
  }

private:
  int views_;
  int length_;
};

/** \brief Joins the rows of all views. */
void
writeTable(const fs::path& folder, const ViewRuns& runs)
{
  std::string text = "view,points,part_of_surface\n";
  for (int i = 0; i < runs.size(); ++i) {
    const fs::path path = folder / runs.rows(i);
    std::ifstream rows(path, std::ios::binary);
    if (!rows)
      throw fileError(path.string(), "cannot be read");
    text.append(std::istreambuf_iterator<char>(rows), {});
  }
  writeText((folder / "views.csv").string(), text);
}

} // namespace

ViewCount
writePartialViews(const RaycastOptions& options,
                  const InputMesh& mesh,
                  Timings& timings)
{
  using Renderer = RenderViewsTesselatedSphere<PointXYZRGBNormal>;
  Renderer renderer;
  renderer.setInputMesh(mesh.polygons);
  renderer.setMethod(options.method);
  renderer.setResolution(options.size.height);
  renderer.setViewAngle(options.field_of_view);
  renderer.setTesselationLevel(*options.views);
  renderer.setComputeEntropies(true);
  const std::vector<CameraView> cameras = renderer.placeCameras();
  const int count = static_cast<int>(cameras.size());
  const ViewRuns runs(count, options.size.height * options.size.height);
  const fs::path folder(options.output_directory);
  SharedWork work(
      options.output_directory, runs.size(), options.sharing, {mesh.name}, [&](int i) {
        return runs.filesOf(i);
      });
  prepareFolder((folder / runs.rows(0)).parent_path().string());
  ProgressBar progress(
      count, "views", "a lower level of --views has a quarter of them");
  int made = 0;
  const auto make = [&](int run) -> std::optional<std::string> {
    const int first = runs.begin(run), end = runs.end(run);
    const std::vector<CameraView> views_of_run(cameras.begin() + first,
                                               cameras.begin() + end);
    for (int k = 0; k < options.repeat; ++k)
      timings.measure("views", [&] { renderer.generateViews(views_of_run); });
    Renderer::Views views;
    std::vector<float> seen;
    renderer.getViews(views);
    renderer.getEntropies(seen);
    std::ostringstream rows;
    for (int i = first; i < end; ++i) {
      const ViewFiles files(i);
      timings.measure("write", [&] {
        writeCloud(*views[i - first], (folder / files.cloud).string());
        writePose(cameras[i].getPose(), (folder / files.pose).string());
      });
      rows << files.name << "," << views[i - first]->size() << "," << seen[i - first]
           << "\n";
      progress.step(files.name);
      ++made;
    }
    writeText((folder / runs.rows(run)).string(), rows.str());
    return "";
  };
  makeUnits(runs.size(), &work, progress, make, [&](int run) {
    return static_cast<std::size_t>(runs.end(run) - runs.begin(run));
  });
  if (work.finish())
    work.exclusively([&] { writeTable(folder, runs); });
  return {made, count};
}

} // namespace pcl::gpu::apps
