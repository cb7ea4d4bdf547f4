// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "picture_renderer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

const Vector3f lamp_color(0.96f, 0.92f, 0.85f);
const Vector3f color_at_camera(0.15f, 0.16f, 0.18f);
const Vector3f sky(0.26f, 0.29f, 0.34f);
const Vector3f earth(0.09f, 0.085f, 0.08f);
// By direction; most of a picture is around the mean of both.
const Vector3f background_above(0.0f, 0.0f, 0.0f);
const Vector3f background_below(0.36f, 0.40f, 0.46f);

// Along a side of each fine pixel.
constexpr int occlusion_samples = 4;

/** \brief Returns the same camera with finer or coarser pixels.
 * \param[in] factor of the number of pixels along a side
 */
CameraView
refined(const CameraView& view, float factor)
{
  // Pixel centres are at integers: the middle of the first pixel's samples is not at 0.
  const float offset = 0.5f * (factor - 1.0f);
  const auto scaled = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(factor * float(pixels))));
  };
  const PinholeCamera camera = {factor * view.getFx(),
                                factor * view.getFy(),
                                factor * view.getCx() + offset,
                                factor * view.getCy() + offset,
                                scaled(view.getWidth()),
                                scaled(view.getHeight())};
  if (!view.isOrthographic())
    return CameraView(camera, view.getPose());
  const OrthographicCamera parallel = {
      camera.fx, camera.fy, camera.cx, camera.cy, camera.width, camera.height};
  return CameraView(parallel, view.getPose());
}

/** \brief Returns the number of samples along a side of a pixel. */
int
samplesOf(const CameraView& view)
{
  return 2 * std::max(view.getWidth(), view.getHeight()) <= CameraView::max_size ? 2
                                                                                 : 1;
}

std::uint8_t
channel(float light)
{
  // Highlights bend towards white instead of being cut off.
  const float bent =
      light < 0.8f ? light : 0.8f + 0.2f * std::tanh(5.0f * (light - 0.8f));
  const float value = bent <= 0.0031308f
                          ? 12.92f * bent
                          : 1.055f * std::pow(bent, 1.0f / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(255.0f * value));
}

/** \brief Returns a picture of fewer pixels, each the mean of samples^2 finer ones. */
ColorImage
reduced(const std::vector<LinearColor>& fine, int width, int height, int samples)
{
  ColorImage picture;
  picture.resize(width, height);
  const std::size_t columns = static_cast<std::size_t>(width) * samples;
  const float weight = 1.0f / static_cast<float>(samples * samples);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      Vector3f sum = Vector3f::Zero();
      for (int i = 0; i < samples * samples; ++i) {
        const std::size_t y = static_cast<std::size_t>(row) * samples + i / samples;
        const LinearColor& color = fine[y * columns + column * samples + i % samples];
        sum += Vector3f(color.r, color.g, color.b);
      }
      sum *= weight;
      picture.pixels[static_cast<std::size_t>(row) * width + column] =
          RGB(channel(sum.x()), channel(sum.y()), channel(sum.z()));
    }
  return picture;
}

} // namespace

PictureRenderer::PictureRenderer(const RaycastOptions& options,
                                 const std::vector<InputMesh>& meshes)
: options_(options)
, scene_(std::make_shared<MeshScene>())
, up_(options.up.normalized())
, lowest_(std::numeric_limits<float>::infinity())
{
  for (const InputMesh& mesh : meshes) {
    scene_->addInstance(scene_->addMesh(mesh.rest), mesh.pose);
    for (const Vector3f& corner : mesh.corners) {
      const Vector3f point = mesh.pose * corner;
      box_.extend(point);
      lowest_ = std::min(lowest_, up_.dot(point));
    }
  }
  radius_ = std::max(0.5f * box_.sizes().norm(), 1e-6f);
  if (options.ground)
    addGround();
  renderer_.setScene(scene_);
  parameters_.rays.method = options.method;
  parameters_.rays.culling = options.culling;
  parameters_.ambient = {sky, earth, up_};
  parameters_.background = {background_above, background_below, up_};
  parameters_.shadows = options.soft_shadows ? Shadows::Soft
                        : options.shadows    ? Shadows::Hard
                                             : Shadows::None;
  if (options.ambient_occlusion) {
    const float radius = *options.ambient_occlusion;
    parameters_.occlusion = AmbientOcclusion::ImageSpace;
    parameters_.occlusion_radius = radius > 0.0f ? radius : 0.3f * radius_;
    parameters_.occlusion_samples = occlusion_samples;
  }
  setMaterials(static_cast<int>(meshes.size()));
}

void
PictureRenderer::addGround()
{
  // A disc so large that it seems to have no end, and whose edge is a level horizon.
  constexpr int corners = 256;
  const float size = 60.0f * radius_;
  const Vector3f u = up_.unitOrthogonal();
  const Vector3f v = up_.cross(u);
  const Vector3f middle = box_.center() + (lowest_ - up_.dot(box_.center())) * up_;
  std::vector<PointXYZ> vertices(corners + 1);
  std::vector<int> triangles;
  vertices[corners].getVector3fMap() = middle;
  for (int i = 0; i < corners; ++i) {
    const auto angle = static_cast<float>(2.0 * M_PI * i / corners);
    vertices[i].getVector3fMap() =
        middle + size * (std::cos(angle) * u + std::sin(angle) * v);
    for (const int vertex : {corners, i, (i + 1) % corners})
      triangles.push_back(vertex);
  }
  TriangleMesh ground;
  ground.vertices.upload(vertices);
  ground.triangles.upload(triangles);
  ground.colors.upload(std::vector<RGB>(vertices.size(), RGB(196, 198, 202)));
  scene_->addInstance(scene_->addMesh(ground));
}

void
PictureRenderer::setMaterials(int meshes)
{
  Material& material = parameters_.material;
  material.reflectivity = options_.reflect;
  if (options_.reflect > 0.0f || options_.glass) {
    material.specular = 0.5f;
    material.shininess = 100;
  }
  if (options_.glass) {
    material.transparency = 0.95f;
    material.casts_shadow = false;
  }
  if (options_.ground)
    parameters_.instance_materials[meshes].reflectivity = options_.ground_reflect;
}

void
PictureRenderer::placeLights(const CameraView& view)
{
  const Pose pose = view.getPose();
  const Vector3f middle = box_.center();
  parameters_.lights.clear();
  const auto add =
      [&](const Vector3f& position, const Vector3f& color, float intensity) {
        Light light = Light::point(position);
        if (options_.soft_shadows && position != middle)
          light = Light::disc(position, middle - position, *options_.soft_shadows);
        light.color = color;
        light.intensity = intensity;
        parameters_.lights.push_back(light);
      };
  for (const LampOption& lamp : options_.lights)
    add(lamp.position.value_or(pose.translation()), Vector3f::Ones(), lamp.intensity);
  if (!options_.lights.empty())
    return;
  // Camera's frame: x right, y down, z forward.
  const Vector3f to_lamp = pose.linear() * Vector3f(-0.60f, -0.75f, -0.45f);
  add(middle + 6.0f * radius_ * to_lamp.normalized(), lamp_color, 1.0f);
  Light at_camera = view.isOrthographic()
                        ? Light::directional(pose.linear() * Vector3f::UnitZ())
                        : Light::point(pose.translation());
  at_camera.color = color_at_camera;
  parameters_.lights.push_back(at_camera);
}

void
PictureRenderer::setMesh(int number, const TriangleMesh& deformed)
{
  scene_->setMesh(number, deformed);
}

double
PictureRenderer::expectedSeconds(const CameraView& view, const Stream& stream)
{
  constexpr int coarseness = 16;
  const CameraView coarse =
      refined(view, static_cast<float>(samplesOf(view)) / coarseness);
  placeLights(view);
  renderer_.setParameters(parameters_);
  std::chrono::duration<double> elapsed{};
  // The first time, structures of the scene are built.
  for (int i = 0; i < 2; ++i) {
    const auto start = std::chrono::steady_clock::now();
    renderer_.renderLinear(coarse, fine_, stream);
    stream.synchronize();
    elapsed = std::chrono::steady_clock::now() - start;
  }
  return coarseness * coarseness * elapsed.count();
}

ColorImage
PictureRenderer::render(const CameraView& view, const Stream& stream)
{
  const int samples = samplesOf(view);
  placeLights(view);
  renderer_.setParameters(parameters_);
  renderer_.renderLinear(refined(view, static_cast<float>(samples)), fine_, stream);
  stream.synchronize();
  std::vector<LinearColor> pixels(static_cast<std::size_t>(fine_.rows()) *
                                  fine_.cols());
  fine_.download(pixels.data(), fine_.cols() * sizeof(LinearColor));
  return reduced(pixels, view.getWidth(), view.getHeight(), samples);
}

} // namespace pcl::gpu::apps
