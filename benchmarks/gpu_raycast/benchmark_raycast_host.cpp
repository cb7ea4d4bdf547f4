// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Rays at meshes that deform from frame to frame, on the host device, beside Embree.
 *
 * benchmark_raycast_host [--threads=N] [--size=N] [--percent=N] [--frames=N]
 *    [MESH.ply[.xz] ...]
 */

#include "embree_caster.h"
#include "host_table.h"
#include "meshes.h"

#include <pcl/console/print.h>
#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <boost/filesystem/path.hpp>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;

struct Options {
  int threads = 2;
  int size = 1024;
  int percent = 97; ///< of the image that the mesh spans
  int frames = 41;
  std::vector<std::string> meshes;
};

/** \brief Reads "--name=N". */
bool
readNumber(const std::string& argument, const std::string& name, int& value)
{
  const std::string start = "--" + name + "=";
  if (argument.compare(0, start.size(), start) != 0)
    return false;
  value = std::max(1, std::atoi(argument.c_str() + start.size()));
  return true;
}

Options
readOptions(int argc, char** argv)
{
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!readNumber(argv[i], "threads", options.threads) &&
        !readNumber(argv[i], "size", options.size) &&
        !readNumber(argv[i], "percent", options.percent) &&
        !readNumber(argv[i], "frames", options.frames))
      options.meshes.push_back(argv[i]);
  const char* const folder = std::getenv("PCL_GPU_TEST_DATA");
  if (options.meshes.empty())
    for (const char* name :
         {"bunny_69k", "horse_97k", "happy_99k", "armadillo_100k", "dragon_871k"})
      options.meshes.push_back(std::string(folder ? folder : PCL_GPU_TEST_DATA) +
                               "/meshes/" + name + ".ply.xz");
  return options;
}

using Clock = std::chrono::steady_clock;

double
millisecondsSince(Clock::time_point start)
{
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/** \brief What we found, on the host. */
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
  const Clock::time_point start = Clock::now();
  caster.update();
  times.update.push_back(millisecondsSince(start));
  caster.cast(view);
  times.frame.push_back(millisecondsSince(start));
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
runMesh(const std::string& path, const Options& options)
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
    const Clock::time_point start = Clock::now();
    caster.cast(view, ours.images);
    row.ours.frame.push_back(millisecondsSince(start));
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
  const Options options = readOptions(argc, argv);
  omp_set_num_threads(options.threads);
  pcl::console::setVerbosityLevel(pcl::console::L_ERROR);
  pcl::gpu::setHostDevice();
  printContext(options.size, options.threads, options.frames);
  std::vector<MeshRow> rows;
  try {
    for (const std::string& path : options.meshes)
      rows.push_back(runMesh(path, options));
  }
  catch (const std::exception& error) {
    std::cerr << "benchmark_raycast_host: error: " << error.what() << "\n";
    return 1;
  }
  printTables(rows);
  return 0;
}
