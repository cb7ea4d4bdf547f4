// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid/light_grid.h"
#include "shading/ambient_occlusion.hpp"
#include "shading/bounces.hpp"

struct CUstream_st;

// The steps for each pixel of a picture.

namespace pcl::device {

/** \brief A picture to make. All arrays live on the device. */
struct RenderTask {
  ShadingScene scene;
  View view;
  // The hits of the camera's rays.
  PtrStep<int> triangles;
  PtrStep<Float2> barycentrics;
  SeenSurfaces seen; ///< for ambient occlusion in the image only
  /** \brief For each light and pixel, which of its shadow rays reach it; null if none
   * casts shadows. */
  std::uint8_t* visible;
  int light;           ///< whose shadows are tested
  LightGridLists grid; ///< of that light; if not made, the hierarchy is asked
  AmbientOcclusionSettings occlusion;
  float* open;      ///< part of the ambient light that comes to each pixel; null: all
  bool has_bounces; ///< whether any material mirrors or is transparent
  PtrStep<std::uint32_t> colors; ///< null if not wanted
  PtrStep<Float4> linear;        ///< null if not wanted
};

PCL_GPU_HOST_DEVICE std::size_t
pixelNumber(const RenderTask& task, int x, int y)
{
  return static_cast<std::size_t>(y) * task.view.camera.width + x;
}

/** \brief Returns the key of the random numbers of a pixel. */
PCL_GPU_HOST_DEVICE std::uint32_t
pixelKey(const RenderTask& task, int x, int y)
{
  return mixed(mixed(task.scene.seed, static_cast<std::uint32_t>(x)),
               static_cast<std::uint32_t>(y));
}

// Random numbers of a pixel's own surface: those of light i are for i.
constexpr std::uint32_t occlusion_numbers = 0x10000u;
constexpr std::uint32_t bounce_numbers = 0x10001u;

/** \brief Direction of a pixel's ray in the world, unit vector. */
PCL_GPU_HOST_DEVICE Vector3
pixelDirection(const View& view, int x, int y)
{
  const PlanePoint slopes = pixelSlopes(view.camera, x, y);
  const Vector3 direction = view.camera.orthographic
                                ? Vector3{0.0f, 0.0f, 1.0f}
                                : Vector3{slopes.x, slopes.y, 1.0f};
  return normalized(rotate(view.to_world, direction));
}

/** \brief The surface that a pixel shows.
 * \param[in] id of its triangle
 */
PCL_GPU_HOST_DEVICE Surface
pixelSurface(const RenderTask& task, int id, int x, int y, const Vector3& direction)
{
  const Float2 weights = at(task.barycentrics, y, x);
  return surfaceAt(task.scene,
                   static_cast<std::uint32_t>(id),
                   {notANumber(), weights.x, weights.y},
                   direction);
}

/** \brief Returns the number of shadow rays of a pixel that reach a light. */
PCL_GPU_HOST_DEVICE std::uint8_t&
visibleSamples(const RenderTask& task, int x, int y, int light)
{
  const CameraModel& camera = task.view.camera;
  const std::size_t pixels = static_cast<std::size_t>(camera.width) * camera.height;
  return task.visible[light * pixels + pixelNumber(task, x, y)];
}

/** \brief Casts the shadow rays of one pixel to the light, asking the hierarchy. */
PCL_GPU_HOST_DEVICE void
testShadowsByHierarchy(const RenderTask& task, int x, int y)
{
  const int id = at(task.triangles, y, x);
  if (id < 0)
    return;
  const Surface surface = pixelSurface(task, id, x, y, pixelDirection(task.view, x, y));
  const std::uint32_t key =
      mixed(pixelKey(task, x, y), static_cast<std::uint32_t>(task.light));
  visibleSamples(task, x, y, task.light) = static_cast<std::uint8_t>(
      visibleSamples(task.scene, task.scene.lights[task.light], surface, key));
}

/** \brief The only shadow ray of a pixel to the light, which has a grid.
 * \return false if the pixel shows no surface, or one that is turned away
 */
PCL_GPU_HOST_DEVICE bool
shadowRayOfPixel(const RenderTask& task, int x, int y, Ray& ray)
{
  const int id = at(task.triangles, y, x);
  if (id < 0)
    return false;
  const Surface surface = pixelSurface(task, id, x, y, pixelDirection(task.view, x, y));
  return shadowRay(task.scene.lights[task.light], surface, 0, 0, ray);
}

/** \brief Finds the part of the ambient light that comes to one pixel. */
PCL_GPU_HOST_DEVICE void
occludeByRays(const RenderTask& task, int x, int y)
{
  const int id = at(task.triangles, y, x);
  if (id < 0)
    return;
  const Surface surface = pixelSurface(task, id, x, y, pixelDirection(task.view, x, y));
  const std::uint32_t key = mixed(pixelKey(task, x, y), occlusion_numbers);
  task.open[pixelNumber(task, x, y)] =
      openPartByRays(task.scene, task.occlusion, surface, key);
}

/** \brief The same, from the image. */
PCL_GPU_HOST_DEVICE void
occludeInImage(const RenderTask& task, int x, int y)
{
  if (at(task.triangles, y, x) < 0)
    return;
  const std::uint32_t key = mixed(pixelKey(task, x, y), occlusion_numbers);
  task.open[pixelNumber(task, x, y)] =
      openPartInImage(task.view.camera, task.occlusion, task.seen, x, y, key);
}

/** \brief Returns the 8-bit value of light: the number of thresholds that it
 * reaches. */
PCL_GPU_HOST_DEVICE std::uint32_t
channelOf(const float* thresholds, float light)
{
  int count = 0;
  for (int step = 128; step > 0; step /= 2)
    if (light >= thresholds[count + step - 1])
      count += step;
  return static_cast<std::uint32_t>(count);
}

PCL_GPU_HOST_DEVICE std::uint32_t
colorOf(const float* thresholds, const Vector3& light, bool is_surface)
{
  return (is_surface ? 0xff000000u : 0u) | channelOf(thresholds, light.x) << 16 |
         channelOf(thresholds, light.y) << 8 | channelOf(thresholds, light.z);
}

/** \brief The light that the surface of a pixel sends to the camera.
 * \tparam bounces whether any material mirrors or is transparent
 */
template <bool bounces>
PCL_GPU_HOST_DEVICE Vector3
lightFromPixel(const RenderTask& task, int id, int x, int y, const Vector3& direction)
{
  const ShadingScene& scene = task.scene;
  const Surface surface = pixelSurface(task, id, x, y, direction);
  const auto visible_part = [&](int number) {
    const LightSource& light = scene.lights[number];
    return light.side == 0 ? 1.0f
                           : visiblePart(light, visibleSamples(task, x, y, number));
  };
  const float open = task.open ? task.open[pixelNumber(task, x, y)] : 1.0f;
  Vector3 light = lightFromSurface(scene, surface, direction, open, visible_part);
  if (bounces) {
    PendingRays pending;
    pending.count = 0;
    addBounces(scene, surface, direction, {1.0f, 1.0f, 1.0f}, 0, pending);
    const std::uint32_t key = mixed(pixelKey(task, x, y), bounce_numbers);
    light = light + follow(scene, pending, key);
  }
  return light;
}

/** \brief Writes one pixel of the picture. */
template <bool bounces>
PCL_GPU_HOST_DEVICE void
shadePixel(const RenderTask& task, int x, int y)
{
  const int id = at(task.triangles, y, x);
  const bool is_surface = id >= 0;
  const Vector3 direction = pixelDirection(task.view, x, y);
  const Vector3 light = is_surface ? lightFromPixel<bounces>(task, id, x, y, direction)
                                   : lightFrom(task.scene.background, direction);
  if (task.colors.data)
    at(task.colors, y, x) = colorOf(task.scene.linear + 256, light, is_surface);
  if (task.linear.data)
    at(task.linear, y, x) = {light.x, light.y, light.z, is_surface ? 1.0f : 0.0f};
}

namespace host {

/** \brief Writes the light's part of task.visible. */
void
testShadows(const RenderTask& task);

/** \brief Writes task.open. */
void
occludeAmbientLight(const RenderTask& task);

/** \brief Writes the picture. */
void
shade(const RenderTask& task);

} // namespace host

namespace cuda {

void
testShadows(const RenderTask& task, CUstream_st* stream);

void
occludeAmbientLight(const RenderTask& task, CUstream_st* stream);

void
shade(const RenderTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
