// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/light.h>
#include <pcl/gpu/raycast/material.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief How lights cast shadows.
 * \ingroup gpu_raycast
 */
enum class Shadows {
  None, ///< light goes through everything
  Hard, ///< those of a point: of rectangles and discs their middle
  Soft  ///< those of a rectangle or disc have soft borders
};

/** \brief How ambient light is kept from corners and cavities.
 * \ingroup gpu_raycast
 */
enum class AmbientOcclusion {
  None,       ///< it comes everywhere
  ImageSpace, ///< guessed from the depths and normals around a pixel: fast, knows nothing
              ///< of what the image does not show
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

/** \brief Makes pictures of meshes with light, shadow, mirrors and glass.
 *
 * What a camera sees is found by MeshRayCaster; shadows, mirrored and refracted light by
 * rays through the whole scene as in MeshRayQuery, also past what lies beside or behind the
 * camera (Patidar and Narayanan cast secondary rays within the camera's grid only). All is
 * made anew in each call, from the vertices as they then are: meshes may deform in any way
 * from one call to the next.
 *
 * A surface shows its colour times the light that it gets (Lambert), and highlights
 * (Blinn). Its colour is that of its vertices, taken as sRGB, times Material::diffuse.
 * Light of area lights comes from their middle; their shadow is the part of them that is
 * hidden. Where a shadow ray would have to start through the surface that is lit, there is
 * shadow. Light is not bundled: mirrors and glass make no caustics.
 *
 * Rays start a millionth (2^-20) of the largest coordinate of their triangle's corners off
 * the surface, so that no surface shadows itself; anything nearer to it than that is not
 * seen by them. Shadow rays end four times that, and as much of the light's own largest
 * coordinate, before the light: a surface that a lamp lies in does not hide it. All sides
 * of triangles are hit, whatever setCulling() says for the camera's rays.
 *
 * Random numbers, for soft shadows and ambient occlusion, depend only on pixel, light,
 * sample and seed. Host and CUDA make the same picture, bit for bit.
 *
 * \code
 * pcl::gpu::MeshRenderer renderer;
 * renderer.setInputMesh(mesh);
 * renderer.addLight(pcl::gpu::Light::point({1, 2, 3}));
 * pcl::gpu::DeviceArray2D<pcl::RGB> picture;
 * renderer.render(view, picture);
 * \endcode
 *
 * Hard shadows are found in a grid of the directions around the light, or in a hierarchy
 * where that would have too long lists; which of them, the frame before decides, and no
 * picture depends on it. O(triangles + pixels) with grids, O(triangles * log(triangles) +
 * rays * log(triangles)) otherwise. Memory: some 50 bytes a triangle, and a byte a pixel
 * for every light beside the images.
 *
 * Steady state neither allocates nor waits, and can be captured into a CUDA graph; the
 * first frame with another number of lights or triangles does both. One object serves one
 * call at a time.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS MeshRenderer {
public:
  /** \brief Most lights. */
  static constexpr int max_lights = 256;

  /** \brief Most times that a ray can be mirrored or refracted. */
  static constexpr int max_bounces = 16;

  /** \brief Most samples a side. */
  static constexpr int max_samples_per_side = 15;

  /** \brief Makes a renderer without a scene. */
  MeshRenderer();

  /** \brief Copies scene and settings; the copy gets memory of its own.
   * \param[in] other stays as it is
   */
  MeshRenderer(const MeshRenderer& other);

  /** \brief Takes everything over.
   * \param[in,out] other can only be destroyed or assigned to afterwards
   */
  MeshRenderer(MeshRenderer&& other) noexcept;

  /** \brief Takes everything over; assigning a copy keeps the other as it is.
   * \param[in] other a renderer
   * \return this renderer
   */
  MeshRenderer&
  operator=(MeshRenderer other) noexcept;

  /** \brief Frees its memory. */
  ~MeshRenderer();

  /** \brief Sets what is shown.
   * \param[in] scene meshes and their poses, as they are at each render()
   * \throws pcl::BadArgumentException if null
   */
  void
  setScene(const MeshScene::ConstPtr& scene);

  /** \brief Makes a scene of one mesh, whose frame is the world's.
   * \param[in] mesh its arrays, which are shared, not copied
   * \throws pcl::BadArgumentException as MeshScene::addMesh() does
   */
  void
  setInputMesh(const TriangleMesh& mesh);

  /** \return what is shown; null if nothing was set */
  const MeshScene::ConstPtr&
  getScene() const;

  /** \brief Sets the depths between which the camera sees; see
   * MeshRayCaster::setDepthRange().
   * \param[in] nearest metres along the camera's z axis, exclusive, 0 or more; 0 by default
   * \param[in] farthest metres, inclusive, above \a nearest; infinity by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setDepthRange(float nearest, float farthest);

  /** \brief Sets which sides of triangles the camera sees.
   * \param[in] culling Culling::None by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setCulling(Culling culling);

  /** \brief Sets how the camera's hits are found; the picture is the same.
   * \param[in] method CastMethod::Automatic by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setMethod(CastMethod method);

  /** \brief Sets whether normals are interpolated between those of the vertices.
   * \param[in] smooth true (the default): where a mesh has normals; false: never
   */
  void
  setSmoothNormals(bool smooth);

  /** \brief Adds a light.
   * \param[in] light anything that Light::validate() accepts
   * \throws pcl::BadArgumentException as Light::validate() does, or if there are
   * max_lights already
   */
  void
  addLight(const Light& light);

  /** \brief Removes all lights but the ambient one. */
  void
  clearLights();

  /** \return the lights, in the order they were added */
  const std::vector<Light>&
  getLights() const;

  /** \brief Sets the light that comes from everywhere.
   * \param[in] color red, green, blue, linear, 0 or more; 0.2 each by default
   * \throws pcl::BadArgumentException naming the colour
   */
  void
  setAmbientLight(const Eigen::Vector3f& color);

  /** \brief Sets ambient light that is another one from above than from below.
   * \param[in] above what surfaces get that face upwards
   * \param[in] below what surfaces get that face downwards; those between, between
   * \param[in] up of any length
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setAmbientLight(const Eigen::Vector3f& above,
                  const Eigen::Vector3f& below,
                  const Eigen::Vector3f& up);

  /** \brief Sets what is seen where there is no surface, also in mirrors.
   * \param[in] color red, green, blue, linear, 0 or more; black by default
   * \throws pcl::BadArgumentException naming the colour
   */
  void
  setBackground(const Eigen::Vector3f& color);

  /** \brief Sets a background that changes from bottom to top.
   * \param[in] above what rays see that go straight upwards
   * \param[in] below what rays see that go straight downwards; those between, between
   * \param[in] up of any length
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setBackground(const Eigen::Vector3f& above,
                const Eigen::Vector3f& below,
                const Eigen::Vector3f& up);

  /** \brief Sets the material of all instances that have none of their own.
   * \param[in] material anything that Material::validate() accepts
   * \throws pcl::BadArgumentException as Material::validate() does
   */
  void
  setMaterial(const Material& material);

  /** \brief Sets the material of one instance.
   * \param[in] instance its number, which the scene may still lack; at most 2^24
   * \param[in] material anything that Material::validate() accepts
   * \throws pcl::BadArgumentException as Material::validate() does, or naming the number
   */
  void
  setMaterial(int instance, const Material& material);

  /** \brief Sets how lights cast shadows.
   * \param[in] shadows Shadows::Hard by default
   * \throws pcl::BadArgumentException if it is none of these
   */
  void
  setShadows(Shadows shadows);

  /** \brief Sets how smooth soft shadows are.
   * \param[in] per_side shadow rays to each area light of a pixel, squared: 1 to
   * max_samples_per_side; 4, which are 16 rays, by default
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setSoftShadowSamples(int per_side);

  /** \brief Sets how often a ray is mirrored or refracted; what would come from farther is
   * dark, as is what is less than 1/512 of a pixel's light.
   * \param[in] bounces 0 to max_bounces; 6 by default
   * \throws pcl::BadArgumentException naming the value
   */
  void
  setMaxBounces(int bounces);

  /** \brief Sets how ambient light is kept from corners and cavities, of what the camera
   * sees; not in mirrors.
   * \param[in] method AmbientOcclusion::None by default
   * \param[in] radius metres: nothing farther away occludes
   * \param[in] per_side samples of a pixel, squared: 1 to max_samples_per_side
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setAmbientOcclusion(AmbientOcclusion method, float radius = 1.0f, int per_side = 6);

  /** \brief Sets what random numbers begin with.
   * \param[in] seed any number; 0 by default
   */
  void
  setSeed(std::uint32_t seed);

  /** \brief Makes a picture.
   * \param[in] view the camera
   * \param[out] picture sRGB, 8 bits a channel, of the camera's size; light beyond 1 is cut
   * off; alpha is 255 where there is a surface, 0 on the background
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no scene
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  render(const CameraView& view,
         DeviceArray2D<RGB>& picture,
         const Stream& stream = {});

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
               const Stream& stream = {});

private:
  /** \brief Light from above and from below. */
  struct Gradient {
    Eigen::Vector3f above;
    Eigen::Vector3f below;
    Eigen::Vector3f up = Eigen::Vector3f::UnitY(); ///< unit vector
  };
  /** \brief The materials that were set, and whether. */
  struct Parameters {
    float nearest = 0.0f;
    float farthest = std::numeric_limits<float>::infinity();
    Culling culling = Culling::None;
    bool smooth = true;
    std::vector<Light> lights;
    Gradient ambient = {Eigen::Vector3f::Constant(0.2f),
                        Eigen::Vector3f::Constant(0.2f)};
    Gradient background = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
    Material material;
    std::map<int, Material> instance_materials;
    Shadows shadows = Shadows::Hard;
    int shadow_samples = 4;
    int max_bounces = 6;
    AmbientOcclusion occlusion = AmbientOcclusion::None;
    float occlusion_radius = 1.0f;
    int occlusion_samples = 6;
    std::uint32_t seed = 0;
  };
  struct Buffers;

  static Gradient
  checkedGradient(const char* name,
                  const Eigen::Vector3f& above,
                  const Eigen::Vector3f& below,
                  const Eigen::Vector3f& up);

  void
  renderPicture(const CameraView& view,
                DeviceArray2D<RGB>* colors,
                DeviceArray2D<LinearColor>* linear,
                const Stream& stream);

  MeshRayCaster ray_caster_;
  Parameters parameters_;
  std::unique_ptr<Buffers> buffers_;
};

} // namespace pcl::gpu
