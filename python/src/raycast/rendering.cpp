// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"
#include "raycast/module.h"

#include "raycast_doc.h"

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_renderer.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Vector = MatrixArgument<Eigen::Vector3f>;

void
bindLights(nb::module_& module)
{
  nb::enum_<LightShape>(module, "LightShape", DOC(pcl, gpu, LightShape))
      .value("POINT", LightShape::Point, DOC(pcl, gpu, LightShape, Point))
      .value("DIRECTIONAL",
             LightShape::Directional,
             DOC(pcl, gpu, LightShape, Directional))
      .value("RECTANGLE", LightShape::Rectangle, DOC(pcl, gpu, LightShape, Rectangle))
      .value("DISC", LightShape::Disc, DOC(pcl, gpu, LightShape, Disc));
  ParametersBinding<Light>(module, "Light", DOC(pcl, gpu, Light))
      .PCL_GPU_FIELD(Light, shape)
      .PCL_GPU_FIELD(Light, position)
      .PCL_GPU_FIELD(Light, direction)
      .PCL_GPU_FIELD(Light, half_side_u)
      .PCL_GPU_FIELD(Light, half_side_v)
      .PCL_GPU_FIELD(Light, radius)
      .PCL_GPU_FIELD(Light, color)
      .PCL_GPU_FIELD(Light, intensity)
      .PCL_GPU_FIELD(Light, falls_off)
      .finish()
      .def_static(
          "point",
          [](const Vector& position) { return Light::point(position); },
          nb::arg("position"),
          DOC(pcl, gpu, Light, point))
      .def_static(
          "directional",
          [](const Vector& direction) { return Light::directional(direction); },
          nb::arg("direction"),
          DOC(pcl, gpu, Light, directional))
      .def_static(
          "rectangle",
          [](const Vector& middle, const Vector& u, const Vector& v) {
            return Light::rectangle(middle, u, v);
          },
          nb::arg("middle"),
          nb::arg("half_side_u"),
          nb::arg("half_side_v"),
          DOC(pcl, gpu, Light, rectangle))
      .def_static(
          "disc",
          [](const Vector& middle, const Vector& normal, float radius) {
            return Light::disc(middle, normal, radius);
          },
          nb::arg("middle"),
          nb::arg("normal"),
          nb::arg("radius"),
          DOC(pcl, gpu, Light, disc));
  ParametersBinding<Material>(module, "Material", DOC(pcl, gpu, Material))
      .PCL_GPU_FIELD(Material, diffuse)
      .PCL_GPU_FIELD(Material, specular)
      .PCL_GPU_FIELD(Material, shininess)
      .PCL_GPU_FIELD(Material, reflectivity)
      .PCL_GPU_FIELD(Material, transparency)
      .PCL_GPU_FIELD(Material, refractive_index)
      .PCL_GPU_FIELD(Material, casts_shadow)
      .finish();
  nb::class_<LightGradient>(module, "LightGradient", DOC(pcl, gpu, LightGradient))
      .def(
          "__init__",
          [](LightGradient* self,
             const Vector& above,
             const std::optional<Vector>& below,
             const Vector& up) {
            new (self) LightGradient(above, below.value_or(above), up);
          },
          nb::arg("above"),
          nb::arg("below").none() = nb::none(),
          nb::arg("up") = Vector{Eigen::Vector3f::UnitY()},
          "Makes light that comes from above and below; the same from everywhere if "
          "only "
          "one is given. Red, green, blue.")
      .def("__repr__",
           [](const LightGradient& self) {
             const auto text = [](const Eigen::Vector3f& v) {
               return "[" + std::to_string(v.x()) + ", " + std::to_string(v.y()) +
                      ", " + std::to_string(v.z()) + "]";
             };
             return "LightGradient(above=" + text(self.above) +
                    ", below=" + text(self.below) + ", up=" + text(self.up) + ")";
           })
      .def(
          "__getstate__",
          [](const LightGradient& self) {
            return nb::make_tuple(self.above, self.below, self.up);
          },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](LightGradient& self,
             const std::tuple<Eigen::Vector3f, Eigen::Vector3f, Eigen::Vector3f>& s) {
            new (&self) LightGradient(std::get<0>(s), std::get<1>(s), std::get<2>(s));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
}

} // namespace

void
bindRendering(nb::module_& module)
{
  bindLights(module);
  nb::enum_<Shadows>(module, "Shadows", DOC(pcl, gpu, Shadows))
      .value("NONE", Shadows::None, DOC(pcl, gpu, Shadows, None))
      .value("HARD", Shadows::Hard, DOC(pcl, gpu, Shadows, Hard))
      .value("SOFT", Shadows::Soft, DOC(pcl, gpu, Shadows, Soft));
  nb::enum_<AmbientOcclusion>(
      module, "AmbientOcclusion", DOC(pcl, gpu, AmbientOcclusion))
      .value("NONE", AmbientOcclusion::None, DOC(pcl, gpu, AmbientOcclusion, None))
      .value("IMAGE_SPACE",
             AmbientOcclusion::ImageSpace,
             DOC(pcl, gpu, AmbientOcclusion, ImageSpace))
      .value("RAYS", AmbientOcclusion::Rays, DOC(pcl, gpu, AmbientOcclusion, Rays));
  ParametersBinding<MeshRendererParameters>(
      module, "MeshRendererParameters", DOC(pcl, gpu, MeshRendererParameters))
      .PCL_GPU_FIELD(MeshRendererParameters, rays)
      .PCL_GPU_FIELD(MeshRendererParameters, lights)
      .PCL_GPU_FIELD(MeshRendererParameters, ambient)
      .PCL_GPU_FIELD(MeshRendererParameters, background)
      .PCL_GPU_FIELD(MeshRendererParameters, material)
      .PCL_GPU_FIELD(MeshRendererParameters, instance_materials)
      .PCL_GPU_FIELD(MeshRendererParameters, shadows)
      .PCL_GPU_FIELD(MeshRendererParameters, soft_shadow_samples)
      .PCL_GPU_FIELD(MeshRendererParameters, max_bounces)
      .PCL_GPU_FIELD(MeshRendererParameters, occlusion)
      .PCL_GPU_FIELD(MeshRendererParameters, occlusion_radius)
      .PCL_GPU_FIELD(MeshRendererParameters, occlusion_samples)
      .PCL_GPU_FIELD(MeshRendererParameters, seed)
      .finish();
  using Bound = WithScene<
      WithOutputs<MeshRenderer, DeviceArray2D<pcl::RGB>, DeviceArray2D<LinearColor>>>;
  nb::class_<Bound> renderer(module, "MeshRenderer", DOC(pcl, gpu, MeshRenderer));
  defineParameters<Bound, MeshRendererParameters>(renderer);
  defineSceneInput(renderer,
                   DOC(pcl, gpu, MeshSceneInput, setScene),
                   DOC(pcl, gpu, MeshSceneInput, setInputMesh));
  renderer
      .def(
          "render",
          [](Bound& self, const CameraView& view) {
            auto& picture = self.next<0>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.render(view, picture, stream);
            }
            return self.result<0>();
          },
          nb::arg("view"),
          DOC(pcl, gpu, MeshRenderer, render))
      .def(
          "render_linear",
          [](Bound& self, const CameraView& view) {
            auto& picture = self.next<1>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.renderLinear(view, picture, stream);
            }
            return self.result<1>();
          },
          nb::arg("view"),
          DOC(pcl, gpu, MeshRenderer, renderLinear));
}

} // namespace pcl_gpu_python
