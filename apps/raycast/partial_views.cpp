// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "partial_views.h"

#include "../common/command_line/progress_bar.h"
#include "../common/files/output_file.h"
#include "../common/files/pose_file.h"
#include "image_writer.h"

#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

std::size_t
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
  for (int i = 0; i < options.repeat; ++i)
    timings.measure("views", [&] { renderer.generateViews(); });
  Renderer::Views views;
  std::vector<CameraView> cameras;
  std::vector<float> seen;
  renderer.getViews(views);
  renderer.getCameras(cameras);
  renderer.getEntropies(seen);

  const fs::path folder(options.output_directory);
  std::ostringstream rows;
  rows << "view,points,part_of_surface\n";
  ProgressBar progress(
      views.size(), "views", "a lower level of --views has a quarter of them");
  for (std::size_t i = 0; i < views.size(); ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "view-%03zu", i);
    const std::string path = (folder / name).string();
    timings.measure("write", [&] {
      writeCloud(*views[i], path + ".pcd");
      writePose(cameras[i].getPose(), path + ".pose.txt");
    });
    rows << name << "," << views[i]->size() << "," << seen[i] << "\n";
    progress.step(name);
  }
  writeText((folder / "views.csv").string(), rows.str());
  return views.size();
}

} // namespace pcl::gpu::apps
