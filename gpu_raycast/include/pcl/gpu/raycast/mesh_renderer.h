// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/light.h>
#include <pcl/gpu/raycast/material.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstdint>
#include <map>
#include <vector>

namespace pcl::gpu {

/** \brief Kind of shadows that lights cast.
 * \ingroup gpu_raycast
 */
enum class Shadows {
  None, ///< light goes through everything
  Hard, ///< those of a point: of rectangles and discs their middle
  Soft  ///< those of a rectangle or disc have soft borders
};

/** \brief Method that keeps ambient light from corners and cavities.
 * \ingroup gpu_raycast
 */
enum class AmbientOcclusion {
  None,       ///< it comes everywhere
  ImageSpace, ///< estimated from the depths and normals around a pixel: fast, ignores
              ///< surfaces outside the image
  Rays        ///< by rays to all sides: right
};

/** \brief A pixel's light, linear: 1 is the brightest that an 8-bit picture shows.
 * \ingroup gpu_raycast
 */
struct alignas(16) LinearColor {
  float r;     ///< red
  float g;     ///< green
  float b;     ///< blue
  float alpha; ///< 1 where there is a surface, 0 on the background
};

/** \brief Light that changes from above to below.
 * \ingroup gpu_raycast
 */
struct LightGradient {
  /** \brief Makes light that is the same from everywhere.
   * \param[in] color red, green, blue, linear
   */
  LightGradient(const Eigen::Vector3f& color) : above(color), below(color) {}

  /** \brief Makes light that is another one from above than from below.
   * \param[in] light_above red, green, blue, linear
   * \param[in] light_below red, green, blue, linear
   * \param[in] upwards of any length
   */
  LightGradient(const Eigen::Vector3f& light_above,
                const Eigen::Vector3f& light_below,
                const Eigen::Vector3f& upwards)
  : above(light_above)
  , below(light_below)
  , up(upwards)
  {}

  Eigen::Vector3f above; ///< of straight upwards: red, green, blue, linear, 0 or more
  Eigen::Vector3f below; ///< of straight downwards; between the two, between
  Eigen::Vector3f up = Eigen::Vector3f::UnitY(); ///< of any length
};

/** \brief Parameters of MeshRenderer.
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS MeshRendererParameters {
  /** \brief Rays of the camera. Their outputs and the outputs' frame have no meaning
   * here; culling and depths are the camera's alone. */
  MeshRayCasterParameters rays;
  std::vector<Light> lights; ///< at most MeshRenderer::max_lights
  /** \brief Light that surfaces get from everywhere, by the direction that they
   * face. */
  LightGradient ambient = {Eigen::Vector3f::Constant(0.2f)};
  /** \brief Seen where there is no surface, also in mirrors, by the direction of a
   * ray. */
  LightGradient background = {Eigen::Vector3f::Zero()};
  Material material; ///< of all instances that have none of their own
  /** \brief Materials of single instances, by their numbers, which the scene may still
   * lack; at most 2^24. */
  std::map<int, Material> instance_materials;
  Shadows shadows = Shadows::Hard; ///< kind of shadows
  /** \brief Shadow rays to each area light of a pixel with Shadows::Soft, squared: 1 to
   * MeshRenderer::max_samples_per_side. */
  int soft_shadow_samples = 4;
  /** \brief Times that a ray is mirrored or refracted, 0 to MeshRenderer::max_bounces.
   * Light from farther is dark, as are parts below 1/512 of a pixel's light. */
  int max_bounces = 6;
  /** \brief Method that keeps ambient light from corners and cavities that the camera
   * sees; not in mirrors. */
  AmbientOcclusion occlusion = AmbientOcclusion::None;
  float occlusion_radius = 1.0f; ///< metres: nothing farther away occludes
  /** \brief Samples of a pixel, squared: 1 to MeshRenderer::max_samples_per_side. */
  int occlusion_samples = 6;
  std::uint32_t seed = 0; ///< of random numbers

  /** \brief Rejects values out of range.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Makes pictures of meshes with light, shadow, mirrors and glass.
 *
 * MeshRayCaster finds the surfaces that the camera sees. Rays through the whole scene,
 * as in MeshRayQuery, find shadows, mirrored and refracted light. They also reach
 * surfaces beside and behind the camera (Patidar and Narayanan cast secondary rays
 * within the camera's grid only). Each call starts from the vertices as they then are:
 * meshes may deform in any way from one call to the next.
 *
 * A surface shows its colour times the light that it gets (Lambert), and highlights
 * (Blinn). Its colour is that of its vertices, taken as sRGB, times Material::diffuse.
 * Light of area lights comes from their middle; their shadow is the part of them that
 * is hidden. Where a shadow ray would have to start through the surface that is lit,
 * there is shadow. Light is not bundled: mirrors and glass make no caustics.
 *
 * Rays start a millionth (2^-20) of the largest coordinate of their triangle's corners
 * off the surface, so that no surface shadows itself; anything nearer to it than that
 * is not seen by them. Shadow rays end four times that, and as much of the light's own
 * largest coordinate, before the light: a surface that a lamp lies in does not hide it.
 * All sides of triangles are hit, whatever the culling of the camera's rays.
 *
 * Random numbers, for soft shadows and ambient occlusion, depend only on pixel, light,
 * sample and seed. Host and CUDA make the same picture, bit for bit.
 *
 * \code
 * pcl::gpu::MeshRenderer renderer;
 * renderer.setInputMesh(mesh);
 * pcl::gpu::MeshRendererParameters parameters;
 * parameters.lights = {pcl::gpu::Light::point({1, 2, 3})};
 * renderer.setParameters(parameters);
 * pcl::gpu::DeviceArray2D<pcl::RGB> picture;
 * renderer.render(view, picture);
 * \endcode
 *
 * Hard shadows are found in a grid of the directions around the light, or in a
 * hierarchy if the grid's lists would be too long. The frame before decides which of
 * them; no picture depends on it. O(triangles + pixels) with grids, O(triangles *
 * log(triangles) + rays * log(triangles)) otherwise. Memory: some 50 bytes a triangle,
 * and a byte a pixel for every light beside the images.
 *
 * Steady state neither allocates nor waits, and can be captured into a CUDA graph; the
 * first frame with another number of lights or triangles does both. One object serves
 * one call at a time.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshRenderer : public MeshSceneInput,
                                 public Parameterized<MeshRendererParameters> {
public:
  /** \brief Most lights. */
  static constexpr int max_lights = 256;

  /** \brief Most times that a ray can be mirrored or refracted. */
  static constexpr int max_bounces = 16;

  /** \brief Most samples a side. */
  static constexpr int max_samples_per_side = 15;

  /** \brief Makes a picture.
   * \param[in] view the camera
   * \param[out] picture sRGB, 8 bits a channel, of the camera's size; light beyond 1 is
   * cut off; alpha is 255 where there is a surface, 0 on the background
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  render(const CameraView& view, DeviceArray2D<RGB>& picture, const Stream& stream = {})
  {
    renderPicture(view, &picture, nullptr, stream);
  }

  /** \brief Makes a picture of linear light, to measure or to work on.
   * \param[in] view the camera
   * \param[out] picture of the camera's size
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  renderLinear(const CameraView& view,
               DeviceArray2D<LinearColor>& picture,
               const Stream& stream = {})
  {
    renderPicture(view, nullptr, &picture, stream);
  }

private:
  struct Buffers;

  void
  renderPicture(const CameraView& view,
                DeviceArray2D<RGB>* colors,
                DeviceArray2D<LinearColor>* linear,
                const Stream& stream);

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
