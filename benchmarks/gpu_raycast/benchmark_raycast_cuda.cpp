// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Time of one frame on a CUDA device: everything made anew from the vertices, depth and
// triangle ids written. See benchmarks/README.md.
//   benchmark_raycast_cuda [REPEATS [PART_OF_NAME]]

#include "common/cuda_timing.h"
#include "meshes.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Case {
  std::string name;
  HostMesh mesh;
  int width;
  int height;
  double focal_length;
};

std::string
dataFolder()
{
  const char* const folder = std::getenv("PCL_GPU_TEST_DATA");
  return folder ? folder : PCL_GPU_TEST_DATA;
}

std::string
milliseconds(const Sample& sample)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << sample.median << " (" << sample.low
       << "-" << sample.high << ")";
  return text.str();
}

void
measure(const Case& test,
        const std::string& wanted,
        const CudaTimer& timer,
        const Stream& stream)
{
  if (test.name.find(wanted) == std::string::npos)
    return;
  MeshRayCaster caster;
  caster.setInputMesh(uploaded(test.mesh));
  const CameraView view(cameraFor(test.width, test.height, test.focal_length),
                        poseBefore(2.2));
  RayCastImages images;
  std::cout << "| " << test.name << " | " << test.mesh.triangleCount() << " | "
            << test.width << "x" << test.height << " |";
  const std::pair<CastMethod, const char*> methods[] = {
      {CastMethod::Visibility, "visibility"}, {CastMethod::TileGrid, "grid"}};
  for (const auto& method : methods) {
    caster.setMethod(method.first);
    const auto work = [&] { caster.cast(view, images, stream); };
    work();
    stream.synchronize();
    std::vector<int> ids(images.triangles.rows() * images.triangles.cols());
    images.triangles.download(ids.data(), images.triangles.cols() * sizeof(int));
    std::size_t hits = 0;
    std::uint64_t sum = 14695981039346656037u;
    for (const int id : ids) {
      hits += id >= 0 ? 1 : 0;
      sum = (sum ^ static_cast<std::uint64_t>(id)) * 1099511628211u;
    }
    std::cout << ' ' << hits << ' ' << std::hex << sum << std::dec << " | "
              << milliseconds(timer.graph(work)) << " | "
              << milliseconds(timer.withinGraph(work)) << " |" << std::flush;
  }
  std::cout << '\n';
}

void
run(int repeats, const std::string& wanted)
{
  const Stream stream = Stream::create();
  const CudaTimer timer(stream, repeats);
  const std::string folder = dataFolder() + "/meshes/";
  const auto read = [&](const char* name) {
    HostMesh mesh = readMesh(folder + name);
    normalize(mesh);
    return mesh;
  };
  std::cout
      << "| mesh | triangles | window | visibility hits | us | us in graph | grid hits "
         "| us | us in graph |\n|---|---|---|---|---|---|---|---|---|\n";
  const HostMesh bunny = read("bunny_69k.ply.xz");
  const HostMesh dragon = read("dragon_871k.ply.xz");
  const HostMesh million = splitUpTo(dragon, 1087716);
  const auto cases =
      [&](const char* name, const HostMesh& mesh, int width, int height) {
        const double aspect = static_cast<double>(width) / height;
        const double fit = fittingFocalLength(mesh, aspect, 2.2, 0.97);
        measure({std::string(name) + ", fit", mesh, width, height, fit},
                wanted,
                timer,
                stream);
        measure({std::string(name) + ", half", mesh, width, height, 0.5 * fit},
                wanted,
                timer,
                stream);
      };
  cases("bunny", bunny, 1024, 1024);
  cases("dragon", dragon, 1024, 1024);
  cases("1.09M", million, 1024, 1024);
  cases("14M", quadrupled(quadrupled(dragon)), 3840, 2160);
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    run(argc > 1 ? std::atoi(argv[1]) : 30, argc > 2 ? argv[2] : "");
  }
  catch (const std::exception& error) {
    std::cerr << "benchmark_raycast_cuda: error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
