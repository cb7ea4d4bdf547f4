// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tables.h"

#include <pcl/gpu/raycast/mesh_renderer.h>

#include <functional>
#include <iomanip>
#include <iostream>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

constexpr int samples_per_side = 4;

/** \brief A picture as a row of pixels, and its time. */
struct TimedPicture {
  std::vector<pcl::RGB> pixels;
  Sample time;
};

/** \brief Pictures of one mesh from one view, each by a renderer of its own. */
class Pictures {
public:
  Pictures(const Case& test, const CudaTimer& timer, const Stream& stream)
  : mesh_(uploaded(test.mesh))
  , view_(test.view())
  , timer_(timer)
  , stream_(stream)
  {}

  /** \param[in] set what makes the picture differ from one of ambient light */
  TimedPicture
  take(const std::function<void(MeshRendererParameters&)>& set) const
  {
    MeshRenderer renderer;
    renderer.setInputMesh(mesh_);
    MeshRendererParameters parameters;
    set(parameters);
    renderer.setParameters(parameters);
    DeviceArray2D<pcl::RGB> picture;
    const QueueWork work = [&] { renderer.render(view_, picture, stream_); };
    work();
    stream_.synchronize();
    TimedPicture result;
    int columns = 0;
    picture.download(result.pixels, columns);
    result.time = timer_.graph(work);
    return result;
  }

private:
  TriangleMesh mesh_;
  CameraView view_;
  const CudaTimer& timer_;
  const Stream& stream_;
};

std::size_t
countDifferent(const std::vector<pcl::RGB>& a, const std::vector<pcl::RGB>& b)
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += a[i].rgba != b[i].rgba ? 1 : 0;
  return count;
}

} // namespace

void
printPictures(const Case& test, const CudaTimer& timer, const Stream& stream)
{
  const Pictures pictures(test, timer, stream);
  const auto takeWithPointLight =
      [&](const std::function<void(MeshRendererParameters&)>& set) {
        return pictures.take([&](MeshRendererParameters& parameters) {
          parameters.lights = {Light::point(lightPosition())};
          parameters.shadows = Shadows::None;
          set(parameters);
        });
      };
  const TimedPicture plain = takeWithPointLight([](MeshRendererParameters&) {});
  const TimedPicture hard = takeWithPointLight(
      [](MeshRendererParameters& parameters) { parameters.shadows = Shadows::Hard; });
  std::cout << ' ' << microseconds(plain.time) << " | " << microseconds(hard.time)
            << " | " << std::fixed << std::setprecision(1)
            << hard.time.median - plain.time.median << " | "
            << countDifferent(plain.pixels, hard.pixels) << " |";

  const auto printTime = [](const TimedPicture& picture) {
    std::cout << ' ' << microseconds(picture.time) << " |";
  };
  printTime(pictures.take([](MeshRendererParameters& parameters) {
    parameters.lights.push_back(Light::disc(lightPosition(), -lightPosition(), 0.3f));
    parameters.shadows = Shadows::Soft;
    parameters.soft_shadow_samples = samples_per_side;
  }));
  printTime(takeWithPointLight([](MeshRendererParameters& parameters) {
    Material mirror;
    mirror.reflectivity = 0.5f;
    parameters.material = mirror;
  }));
  for (const AmbientOcclusion method :
       {AmbientOcclusion::ImageSpace, AmbientOcclusion::Rays})
    printTime(takeWithPointLight([&](MeshRendererParameters& parameters) {
      parameters.occlusion = method;
      parameters.occlusion_radius = 0.1f;
      parameters.occlusion_samples = samples_per_side;
    }));
}

} // namespace benchmarks
