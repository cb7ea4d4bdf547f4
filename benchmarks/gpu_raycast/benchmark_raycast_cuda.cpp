// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Time of one frame on a CUDA device: everything made anew from the vertices, depth and
// triangle ids written. See benchmarks/README.md.
//   benchmark_raycast_cuda [REPEATS [PART_OF_NAME]]

#include "common/cuda_timing.h"
#include "meshes.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <memory>
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

Ray
rayBetween(const Eigen::Vector3f& from, const Eigen::Vector3f& to)
{
  Ray ray;
  const Eigen::Vector3f direction = to - from;
  for (int i = 0; i < 3; ++i) {
    ray.origin[i] = from[i];
    ray.direction[i] = direction[i];
  }
  return ray;
}

/** \brief Rays from the camera through the points that it sees, and from these to a light. */
void
measureQueries(const Case& test,
               const std::string& wanted,
               const CudaTimer& timer,
               const Stream& stream)
{
  if (("queries, " + test.name).find(wanted) == std::string::npos)
    return;
  MeshRayCaster caster;
  caster.setInputMesh(uploaded(test.mesh));
  caster.setOutputs(PointsOutput);
  caster.setOutputInWorldFrame(true);
  RayCastImages images;
  const Pose pose = poseBefore(2.2);
  caster.cast(CameraView(cameraFor(test.width, test.height, test.focal_length), pose),
              images);
  std::vector<pcl::PointXYZ> points(images.points.rows() * images.points.cols());
  images.points.download(points.data(), images.points.cols() * sizeof(pcl::PointXYZ));
  const Eigen::Vector3f light(1.0f, 2.0f, 1.5f);
  std::vector<Ray> seeing, shadow;
  for (const auto& point : points) {
    const Eigen::Vector3f position = point.getVector3fMap();
    if (!position.allFinite())
      continue;
    seeing.push_back(rayBetween(pose.translation(), position));
    shadow.push_back(rayBetween(position, light));
    shadow.back().nearest = 1e-4f;
    shadow.back().farthest = 1.0f;
  }
  DeviceArray<Ray> device_seeing, device_shadow;
  device_seeing.upload(seeing);
  device_shadow.upload(shadow);
  DeviceArray<RayHit> hits;
  DeviceArray<std::uint8_t> occluded;
  MeshRayQuery query;
  query.setScene(caster.getScene());
  const QueueWork build = [&] { query.build(stream); };
  const QueueWork see = [&] { query.castRays(device_seeing, hits, stream); };
  const QueueWork occlude = [&] {
    query.testOcclusion(device_shadow, occluded, stream);
  };
  for (const QueueWork& work : {build, see, occlude})
    work();
  stream.synchronize();
  std::cout << "| queries, " << test.name << " | " << test.mesh.triangleCount() << " | "
            << seeing.size() << " rays | build | " << milliseconds(timer.graph(build))
            << " | nearest hit | " << milliseconds(timer.graph(see)) << " | any hit | "
            << milliseconds(timer.graph(occlude)) << " |" << std::endl;
}

Pose
turned(double degrees)
{
  const float angle = static_cast<float>(degrees * 3.14159265358979 / 180.0);
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitY()).toRotationMatrix();
  return pose;
}

/** \brief The paper's tables 1 and 3: tests and time by view and number of slabs. */
void
measureSlabs(const HostMesh& dragon, const CudaTimer& timer, const Stream& stream)
{
  std::cout
      << "\n| dragon turned by | slabs | million tests | us, all rays of a tile | us, "
         "rays that may hit |\n|---|---|---|---|---|\n";
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(dragon)));
  const CameraView view(
      cameraFor(1024, 1024, fittingFocalLength(dragon, 1.0, 2.2, 0.97)),
      poseBefore(2.2));
  for (int degrees : {0, 30, 60, 90})
    for (int slabs : {1, 4, 8, 16}) {
      scene->setPose(0, turned(degrees));
      MeshRayCaster caster;
      caster.setScene(scene);
      caster.setMethod(CastMethod::TileGrid);
      caster.setNumberOfSlabs(slabs);
      RayCastImages images;
      const QueueWork work = [&] { caster.cast(view, images, stream); };
      work();
      const Sample some = timer.graph(work);
      DeviceArray<unsigned long long> counter(1);
      unsigned long long tests = 0;
      counter.upload(&tests, 1);
      caster.setTestCounter(counter);
      work();
      stream.synchronize();
      counter.download(&tests);
      const Sample all = timer.graph(work);
      std::cout << "| " << degrees << " | " << slabs << " | " << std::fixed
                << std::setprecision(1) << static_cast<double>(tests) * 1e-6 << " | "
                << milliseconds(all) << " | " << milliseconds(some) << " |"
                << std::endl;
    }
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
  const auto cases = [&](const char* name,
                         const HostMesh& mesh,
                         int width,
                         int height) {
    const double aspect = static_cast<double>(width) / height;
    const double fit = fittingFocalLength(mesh, aspect, 2.2, 0.97);
    measure(
        {std::string(name) + ", fit", mesh, width, height, fit}, wanted, timer, stream);
    measureQueries(
        {std::string(name) + ", fit", mesh, width, height, fit}, wanted, timer, stream);
    measure({std::string(name) + ", half", mesh, width, height, 0.5 * fit},
            wanted,
            timer,
            stream);
  };
  cases("bunny", bunny, 1024, 1024);
  cases("horse", read("horse_97k.ply.xz"), 1024, 1024);
  cases("armadillo", read("armadillo_100k.ply.xz"), 1024, 1024);
  cases("dragon", dragon, 1024, 1024);
  cases("1.09M", million, 1024, 1024);
  cases("3.5M", quadrupled(dragon), 1024, 1024);
  cases("14M", quadrupled(quadrupled(dragon)), 3840, 2160);
  cases("56M", quadrupled(quadrupled(quadrupled(dragon))), 7680, 4320);
  if (std::string("slabs").find(wanted) != std::string::npos)
    measureSlabs(dragon, timer, stream);
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
