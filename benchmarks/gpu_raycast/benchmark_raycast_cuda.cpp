// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Time of one frame, of ray queries and of pictures on a CUDA device, everything made
// anew from the vertices. See benchmarks/README.md.

#include "common/options.h"
#include "common/report.h"
#include "cuda_tables.h"

#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

pcl::gpu::CameraView
Case::view() const
{
  constexpr double distance = 2.2;
  const double aspect = static_cast<double>(width) / height;
  return pcl::gpu::CameraView(
      cameraFor(width, height, fittingFocalLength(mesh, aspect, distance, span)),
      poseBefore(distance));
}

Eigen::Vector3f
lightPosition()
{
  return {1.0f, 2.0f, 1.5f};
}

} // namespace benchmarks

namespace {

using namespace benchmarks;

/** \brief Meshes by name, each made when first asked for: the largest take a while. */
class Meshes {
public:
  explicit Meshes(std::string folder) : folder_(std::move(folder)) {}

  const HostMesh&
  operator[](const std::string& name)
  {
    const auto known = meshes_.find(name);
    return known != meshes_.end() ? known->second
                                  : meshes_.emplace(name, make(name)).first->second;
  }

private:
  HostMesh
  make(const std::string& name)
  {
    // The paper's numbers of triangles, where its meshes are not at hand.
    if (name == "1.09M")
      return splitUpTo((*this)["dragon"], 1087716);
    if (name == "641K")
      return splitUpTo((*this)["happy"], 641000);
    if (name == "346K")
      return splitUpTo((*this)["armadillo"], 345944);
    if (name == "3.5M")
      return quadrupled((*this)["dragon"]);
    if (name == "14M")
      return quadrupled((*this)["3.5M"]);
    if (name == "56M")
      return quadrupled((*this)["14M"]);
    for (const char* file :
         {"bunny_69k", "horse_97k", "happy_99k", "armadillo_100k", "dragon_871k"})
      if (std::string(file).find(name) == 0) {
        HostMesh mesh = readMesh(folder_ + "/" + file + ".ply.xz");
        normalize(mesh);
        return mesh;
      }
    throw std::runtime_error("there is no mesh " + name);
  }

  std::string folder_;
  std::map<std::string, HostMesh> meshes_;
};

/** \brief A table with a row for each mesh. */
struct Table {
  const char* name;    ///< beginning of its rows' names
  const char* heading; ///< of the columns that print() fills
  std::vector<const char*> meshes;
  bool also_half; ///< whether there is a second row, of the mesh at half its size
  void (*print)(const Case&, const CudaTimer&, const pcl::gpu::Stream&);
};

const Table tables[] = {
    {"",
     " visibility hits | us | us in graph | grid hits | us | us in graph |",
     {"bunny",
      "horse",
      "armadillo",
      "346K",
      "641K",
      "dragon",
      "1.09M",
      "3.5M",
      "14M",
      "56M"},
     true,
     &printFrame},
    {"queries, ",
     " rays | build, us | nearest hit, us | any hit, us |",
     {"bunny", "horse", "armadillo", "dragon", "1.09M", "3.5M", "14M", "56M"},
     false,
     &printQueries},
    {"pictures, ",
     " without shadows, us | with those of a point light, us | one point light's "
     "shadows, us more | pixels in them | soft shadows 4x4, us | mirroring mesh, us | "
     "ambient occlusion in the image, us | by rays 4x4, us |",
     {"bunny", "dragon", "14M"},
     false,
     &printPictures},
    {"shadows, ",
     " entries of the frame's grid | with all triangles in sight | making it, us | "
     "rays | "
     "to a light out of sight: went on | line drawing, us | hierarchy, us | "
     "to a light in sight: went on | line drawing, us | hierarchy, us |",
     {"bunny", "dragon", "14M"},
     false,
     &printShadows}};

void
printTable(const Table& table,
           const std::string& wanted,
           Meshes& meshes,
           const CudaTimer& timer,
           const pcl::gpu::Stream& stream)
{
  bool has_heading = false;
  for (const std::string mesh_name : table.meshes)
    for (const bool half : {false, true}) {
      const std::string name = table.name + mesh_name + (half ? ", half" : ", fit");
      if ((half && !table.also_half) || name.find(wanted) == std::string::npos)
        continue;
      if (!has_heading) {
        printHeading(std::string("| mesh | triangles | window |") + table.heading);
        has_heading = true;
      }
      const HostMesh& mesh = meshes[mesh_name];
      const int width = mesh_name == "56M" ? 7680 : mesh_name == "14M" ? 3840 : 1024;
      const int height = width > 1024 ? width * 9 / 16 : width;
      std::cout << "| " << name << " | " << mesh.triangleCount() << " | " << width
                << "x" << height << " |";
      table.print({mesh, width, height, half ? 0.485 : 0.97}, timer, stream);
      std::cout << '\n';
    }
}

void
run(int repeats, const std::string& wanted)
{
  const pcl::gpu::Stream stream = pcl::gpu::Stream::create();
  const CudaTimer timer(stream, repeats);
  Meshes meshes(dataFolder() + "/meshes");
  printContext();
  for (const Table& table : tables)
    printTable(table, wanted, meshes, timer, stream);
  if (std::string("slabs").find(wanted) != std::string::npos)
    printSlabs(meshes["dragon"], timer, stream);
}

} // namespace

int
main(int argc, char** argv)
{
  int repeats = 30;
  std::string only;
  Options options("benchmark_raycast_cuda [REPEATS [PART_OF_NAME]]");
  options.addWord("repeats", repeats, "of every measurement");
  options.addWord("only", only, "rows whose names contain this");
  return options.run(argc, argv, [&] {
    run(repeats, only);
    return true;
  });
}
