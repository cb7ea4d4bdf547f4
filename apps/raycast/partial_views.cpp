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

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

/** \brief Names of the files of a view. */
struct ViewFiles {
  std::string name, cloud, pose, row;

  explicit ViewFiles(int number)
  {
    char text[32];
    std::snprintf(text, sizeof text, "view-%03d", number);
    name = text;
    cloud = name + ".pcd";
    pose = name + ".pose.txt";
    row = "views.csv.parts/" + name + ".csv";
  }
};

/** \brief Joins the rows of all views. */
void
writeTable(const fs::path& folder, int views)
{
  std::string rows = "view,points,part_of_surface\n";
  for (int i = 0; i < views; ++i) {
    const fs::path path = folder / ViewFiles(i).row;
    std::ifstream row(path, std::ios::binary);
    if (!row)
      throw fileError(path.string(), "cannot be read");
    rows.append(std::istreambuf_iterator<char>(row), {});
  }
  writeText((folder / "views.csv").string(), rows);
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
  const fs::path folder(options.output_directory);
  const auto files_of = [](int i) -> std::vector<std::string> {
    const ViewFiles files(i);
    return {files.cloud, files.pose, files.row};
  };
  SharedWork work(
      options.output_directory, count, options.sharing, {mesh.name}, files_of);
  prepareFolder((folder / ViewFiles(0).row).parent_path().string());
  const auto make = [&](int i) -> std::optional<std::string> {
    for (int k = 0; k < options.repeat; ++k)
      timings.measure("view", [&] { renderer.generateViews({cameras[i]}); });
    Renderer::Views views;
    std::vector<float> seen;
    renderer.getViews(views);
    renderer.getEntropies(seen);
    const ViewFiles files(i);
    std::ostringstream row;
    row << files.name << "," << views[0]->size() << "," << seen[0] << "\n";
    timings.measure("write", [&] {
      writeCloud(*views[0], (folder / files.cloud).string());
      writePose(cameras[i].getPose(), (folder / files.pose).string());
      writeText((folder / files.row).string(), row.str());
    });
    return files.name;
  };
  int made = 0;
  {
    ProgressBar progress(
        count, "views", "a lower level of --views has a quarter of them");
    made = makeUnits(count, &work, progress, make);
  }
  if (work.finish())
    work.exclusively([&] { writeTable(folder, count); });
  return {made, count};
}

} // namespace pcl::gpu::apps
