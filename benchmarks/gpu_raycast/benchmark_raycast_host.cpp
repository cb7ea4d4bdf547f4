// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Rays at meshes that deform from frame to frame, on the host device, beside
 * Embree.
 */

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "embree_caster.h"
#include "host_table.h"
#include "meshes.h"

#include <pcl/console/print.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <boost/filesystem/path.hpp>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;

struct Settings {
  int threads = 2;
  int size = 1024;
  int percent = 97; ///< of the image that the mesh spans
  int frames = 41;
  std::vector<std::string> meshes;
};

/** \brief Our hits, on the host. */
struct OurImages {
  pcl::gpu::RayCastImages images;
  std::vector<float> depth;
  std::vector<int> triangles;

  void
  download()
  {
    int columns = 0;
    images.depth.download(depth, columns);
    images.triangles.download(triangles, columns);
  }
};

#if BENCHMARKS_HAVE_EMBREE

void
runEmbree(EmbreeCaster& caster, const pcl::gpu::CameraView& view, FrameTimes& times)
{
  const StopWatch watch;
  caster.update();
  times.update.push_back(watch.milliseconds());
  caster.cast(view);
  times.frame.push_back(watch.milliseconds());
}

void
compare(const OurImages& ours, const EmbreeCaster& embree, MeshRow& row)
{
  row.compared += ours.depth.size();
  for (std::size_t i = 0; i < ours.depth.size(); ++i) {
    const int a = ours.triangles[i];
    const int b = embree.triangles()[i];
    row.other_hit += (a < 0) != (b < 0) ? 1 : 0;
    row.other_triangle += a >= 0 && b >= 0 && a != b ? 1 : 0;
    if (a >= 0 && a == b)
      row.depth_error = std::max<double>(
          row.depth_error, std::fabs(ours.depth[i] / embree.depth()[i] - 1.0f));
  }
}

#endif

/** \brief Moves all vertices as a wave does that runs through the mesh. */
void
deform(const HostMesh& rest, int frame, const pcl::gpu::TriangleMesh& mesh)
{
  constexpr float amplitude = 0.01f;
  constexpr float frequency = 12.0f;
  const float phase = 0.3f * static_cast<float>(frame);
  pcl::PointXYZ* const moved = const_cast<pcl::PointXYZ*>(mesh.vertices.ptr());
#pragma omp parallel for
  for (std::size_t i = 0; i < rest.vertices.size(); ++i) {
    const pcl::PointXYZ& vertex = rest.vertices[i];
    moved[i].x = vertex.x + amplitude * std::sin(frequency * vertex.y + phase);
    moved[i].y = vertex.y;
    moved[i].z = vertex.z + amplitude * std::sin(frequency * vertex.x + phase);
  }
}

MeshRow
runMesh(const std::string& path, const Settings& options)
{
  HostMesh rest = readMesh(path);
  normalize(rest);
  const pcl::gpu::TriangleMesh mesh = uploaded(rest);
  constexpr double distance = 2.2;
  const pcl::gpu::CameraView view(
      cameraFor(options.size,
                options.size,
                fittingFocalLength(rest, 1.0, distance, options.percent / 100.0)),
      poseBefore(distance));
  MeshRow row;
  row.name = boost::filesystem::path(path).stem().stem().string();
  row.triangles = rest.triangleCount();

  pcl::gpu::MeshRayCaster caster;
  caster.setInputMesh(mesh);
  OurImages ours;
#if BENCHMARKS_HAVE_EMBREE
  EmbreeCaster rebuild(mesh, EmbreeUpdate::Rebuild, options.threads);
  EmbreeCaster refit(mesh, EmbreeUpdate::Refit, options.threads);
#endif
  constexpr int warm_up = 3;
  for (int frame = 0; frame < warm_up + options.frames; ++frame) {
    if (frame == warm_up)
      row.ours = row.rebuild = row.refit = {};
    deform(rest, frame, mesh);
    const StopWatch watch;
    caster.cast(view, ours.images);
    row.ours.frame.push_back(watch.milliseconds());
#if BENCHMARKS_HAVE_EMBREE
    runEmbree(rebuild, view, row.rebuild);
    runEmbree(refit, view, row.refit);
    if (frame % 10 == 0) {
      ours.download();
      compare(ours, rebuild, row);
    }
#endif
  }
  ours.download();
  row.hit_share = static_cast<double>(std::count_if(ours.triangles.begin(),
                                                    ours.triangles.end(),
                                                    [](int id) { return id >= 0; })) /
                  static_cast<double>(ours.triangles.size());
  return row;
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options(
      "Casts rays at meshes that deform from frame to frame, beside Embree");
  options.addCount("threads", settings.threads, "that all programs use");
  options.addCount("size", settings.size, "columns and rows of the images");
  options.addCount("percent", settings.percent, "of the image that the mesh spans");
  options.addCount("frames", settings.frames, "that are timed");
  options.addWord("mesh", settings.meshes, "PLY files, also compressed by xz");
  return options.run(argc, argv, [&] {
    if (settings.meshes.empty())
      for (const char* name :
           {"bunny_69k", "horse_97k", "happy_99k", "armadillo_100k", "dragon_871k"})
        settings.meshes.push_back(dataFolder() + "/meshes/" + name + ".ply.xz");
    omp_set_num_threads(settings.threads);
    pcl::console::setVerbosityLevel(pcl::console::L_ERROR);
    pcl::gpu::setHostDevice();
    printContext(embreeVersion());
    std::printf(
        "%dx%d pixels, %d frames\n", settings.size, settings.size, settings.frames);
    std::vector<MeshRow> rows;
    for (const std::string& path : settings.meshes)
      rows.push_back(runMesh(path, settings));
    printTables(rows);
    return true;
  });
}
