// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"
#include "raycast/module.h"

#include "raycast_doc.h"

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/raycast/ray_rows.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief The images of a run, which Python may hold. */
using Images = std::shared_ptr<RayCastImages>;

/** \brief Adds an image; None if it was not made. */
template <typename Pixel>
void
addImage(nb::class_<Images>& images,
         const char* name,
         DeviceArray2D<Pixel> RayCastImages::*member,
         const char* doc)
{
  images.def_prop_ro(
      name,
      [member](const Images& self) { return toPythonIfAny((*self).*member, self); },
      doc);
}

void
bindParameters(nb::module_& module)
{
  nb::enum_<Culling>(module, "Culling", DOC(pcl, gpu, Culling))
      .value("NONE", Culling::None, DOC(pcl, gpu, Culling, None))
      .value("BACK", Culling::Back, DOC(pcl, gpu, Culling, Back))
      .value("FRONT", Culling::Front, DOC(pcl, gpu, Culling, Front));
  nb::enum_<CastMethod>(module, "CastMethod", DOC(pcl, gpu, CastMethod))
      .value("AUTOMATIC", CastMethod::Automatic, DOC(pcl, gpu, CastMethod, Automatic))
      .value(
          "VISIBILITY", CastMethod::Visibility, DOC(pcl, gpu, CastMethod, Visibility))
      .value("TILE_GRID", CastMethod::TileGrid, DOC(pcl, gpu, CastMethod, TileGrid));
  nb::enum_<SlabSpacing>(module, "SlabSpacing", DOC(pcl, gpu, SlabSpacing))
      .value("PROJECTED_DEPTH",
             SlabSpacing::ProjectedDepth,
             DOC(pcl, gpu, SlabSpacing, ProjectedDepth))
      .value("DEPTH", SlabSpacing::Depth, DOC(pcl, gpu, SlabSpacing, Depth))
      .value(
          "LOGARITHM", SlabSpacing::Logarithm, DOC(pcl, gpu, SlabSpacing, Logarithm));
  const std::pair<const char*, RayCastOutput> outputs[] = {
      {"DEPTH_OUTPUT", DepthOutput},
      {"TRIANGLES_OUTPUT", TrianglesOutput},
      {"BARYCENTRICS_OUTPUT", BarycentricsOutput},
      {"POINTS_OUTPUT", PointsOutput},
      {"NORMALS_OUTPUT", NormalsOutput},
      {"COLORS_OUTPUT", ColorsOutput},
      {"TEXTURE_COORDINATES_OUTPUT", TextureCoordinatesOutput}};
  for (const auto& [name, value] : outputs)
    module.attr(name) = static_cast<int>(value);
  ParametersBinding<MeshRayCasterParameters>(
      module, "MeshRayCasterParameters", DOC(pcl, gpu, MeshRayCasterParameters))
      .PCL_GPU_FIELD(MeshRayCasterParameters, nearest)
      .PCL_GPU_FIELD(MeshRayCasterParameters, farthest)
      .PCL_GPU_FIELD(MeshRayCasterParameters, culling)
      .PCL_GPU_FIELD(MeshRayCasterParameters, method)
      .PCL_GPU_FIELD(MeshRayCasterParameters, tile_size)
      .PCL_GPU_FIELD(MeshRayCasterParameters, slabs)
      .PCL_GPU_FIELD(MeshRayCasterParameters, slab_spacing)
      .PCL_GPU_FIELD(MeshRayCasterParameters, outputs)
      .PCL_GPU_FIELD(MeshRayCasterParameters, in_world_frame)
      .PCL_GPU_FIELD(MeshRayCasterParameters, smooth_normals)
      .finish();
  ParametersBinding<MeshRayQueryParameters>(
      module, "MeshRayQueryParameters", DOC(pcl, gpu, MeshRayQueryParameters))
      .PCL_GPU_FIELD(MeshRayQueryParameters, culling)
      .finish();
}

/** \brief A ray caster, and the array of Python's that it counts in. */
template <typename Caster>
struct WithCounter : Caster {
  nb::object counter;
};

void
bindCaster(nb::module_& module)
{
  nb::class_<Images> images(module, "RayCastImages", DOC(pcl, gpu, RayCastImages));
  addImage(images, "depth", &RayCastImages::depth, DOC(pcl, gpu, RayCastImages, depth));
  addImage(images,
           "triangles",
           &RayCastImages::triangles,
           DOC(pcl, gpu, RayCastImages, triangles));
  addImage(images,
           "barycentrics",
           &RayCastImages::barycentrics,
           DOC(pcl, gpu, RayCastImages, barycentrics));
  addImage(
      images, "points", &RayCastImages::points, DOC(pcl, gpu, RayCastImages, points));
  addImage(images,
           "normals",
           &RayCastImages::normals,
           DOC(pcl, gpu, RayCastImages, normals));
  addImage(
      images, "colors", &RayCastImages::colors, DOC(pcl, gpu, RayCastImages, colors));
  addImage(images,
           "texture_coordinates",
           &RayCastImages::texture_coordinates,
           DOC(pcl, gpu, RayCastImages, texture_coordinates));

  using Bound = WithCounter<WithScene<MeshRayCaster>>;
  nb::class_<Bound> caster(module, "MeshRayCaster", DOC(pcl, gpu, MeshRayCaster));
  defineParameters<Bound, MeshRayCasterParameters>(caster);
  defineSceneInput(caster,
                   DOC(pcl, gpu, MeshSceneInput, setScene),
                   DOC(pcl, gpu, MeshSceneInput, setInputMesh));
  caster
      .def(
          "cast",
          [](Bound& self, const std::vector<CameraView>& views) {
            const auto result = std::make_shared<RayCastImages>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.cast(views, *result, stream);
            }
            return result;
          },
          nb::arg("views"),
          DOC(pcl, gpu, MeshRayCaster, cast_2))
      .def(
          "cast",
          [](Bound& self, const CameraView& view) {
            const auto result = std::make_shared<RayCastImages>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.cast(view, *result, stream);
            }
            return result;
          },
          nb::arg("view"),
          DOC(pcl, gpu, MeshRayCaster, cast))
      .def(
          "set_test_counter",
          [](Bound& self, const ArrayArgument& counter) {
            const auto array = listFrom<unsigned long long>(counter, "counter");
            self.setTestCounter(array.array);
            self.counter = array.owner;
          },
          nb::arg("counter").none(),
          "Counts the tests of a ray and a triangle that CastMethod.TILE_GRID makes: "
          "each cast() adds them to the element of an array of one uint64. None counts "
          "nothing.");
}

void
bindQuery(nb::module_& module)
{
  using Hits = std::shared_ptr<RayHitArrays>;
  nb::class_<Hits>(module, "RayHitArrays", DOC(pcl, gpu, RayHitArrays))
      .def_prop_ro(
          "distances",
          [](const Hits& self) { return toPython(self->distances, self); },
          DOC(pcl, gpu, RayHitArrays, distances))
      .def_prop_ro(
          "instances",
          [](const Hits& self) { return toPython(self->instances, self); },
          DOC(pcl, gpu, RayHitArrays, instances))
      .def_prop_ro(
          "triangles",
          [](const Hits& self) { return toPython(self->triangles, self); },
          DOC(pcl, gpu, RayHitArrays, triangles))
      .def_prop_ro(
          "barycentrics",
          [](const Hits& self) { return rowsToPython(self->barycentrics, 2, self); },
          DOC(pcl, gpu, RayHitArrays, barycentrics))
      .def_prop_ro(
          "normals",
          [](const Hits& self) { return rowsToPython(self->normals, 3, self); },
          DOC(pcl, gpu, RayHitArrays, normals));

  using Bound =
      WithScene<WithOutputs<MeshRayQuery, DeviceArray<std::uint8_t>, DeviceArray<int>>>;
  nb::class_<Bound> query(module, "MeshRayQuery", DOC(pcl, gpu, MeshRayQuery));
  defineParameters<Bound, MeshRayQueryParameters>(query);
  defineSceneInput(query,
                   DOC(pcl, gpu, MeshSceneInput, setScene),
                   DOC(pcl, gpu, MeshSceneInput, setInputMesh));
  query
      .def(
          "build",
          [](Bound& self) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.build(stream);
          },
          DOC(pcl, gpu, MeshRayQuery, build))
      .def(
          "cast_rays",
          [](Bound& self, const ArrayArgument& rays) {
            const auto list = listFrom<Ray>(rays, "rays");
            const auto result = std::make_shared<RayHitArrays>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              DeviceArray<RayHit> hits;
              self.castRays(*list, hits, stream);
              self.splitHits(hits, *result, stream);
            }
            return result;
          },
          nb::arg("rays"),
          "Finds the nearest hit of every ray; of hits at one distance that of the "
          "lowest triangle id.\n\nA ray is a row of eight float32: its origin, the "
          "distance up to which hits do not count, its direction, and the distance "
          "beyond which they do not count. make_rays() makes such rows.")
      .def(
          "test_occlusion",
          [](Bound& self, const ArrayArgument& rays) {
            const auto list = listFrom<Ray>(rays, "rays");
            auto& occluded = self.next<0>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.testOcclusion(*list, occluded, stream);
            }
            return self.result<0>();
          },
          nb::arg("rays"),
          DOC(pcl, gpu, MeshRayQuery, testOcclusion))
      .def(
          "count_hits",
          [](Bound& self, const ArrayArgument& rays) {
            const auto list = listFrom<Ray>(rays, "rays");
            auto& counts = self.next<1>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.countHits(*list, counts, stream);
            }
            return self.result<1>();
          },
          nb::arg("rays"),
          DOC(pcl, gpu, MeshRayQuery, countHits))
      .def(
          "list_hits",
          [](Bound& self, const ArrayArgument& rays) {
            const auto list = listFrom<Ray>(rays, "rays");
            const auto arrays = std::make_shared<RayHitArrays>();
            RayHitList hits;
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.listHits(*list, hits, stream);
              self.splitHits(hits.hits, *arrays, stream);
            }
            return std::make_tuple(toPython(hits.starts), toPython(hits.rays), arrays);
          },
          nb::arg("rays"),
          "Lists all triangles that every ray hits.\n\nReturns the place of each ray's "
          "first hit and the number of all hits, as uint32 of shape (rays + 1), the "
          "number of each hit's ray, and the hits. Those of one ray are in the order "
          "of "
          "their distance. Waits for the number of hits.");
  module.def(
      "make_rays",
      [](const ArrayArgument& rows, float nearest, float farthest) {
        const ArrayView view = viewOf(rows, "rows");
        checkArray(view, "rows", nb::dtype<float>(), {any_length, 6}, -1);
        const DeviceArray<float> numbers(static_cast<float*>(view.data),
                                         static_cast<std::size_t>(6 * view.shape[0]));
        DeviceArray<Ray> rays;
        toRays(numbers, rays, nearest, farthest, currentStream());
        return toPython(rays);
      },
      nb::arg("rows"),
      nb::arg("nearest") = 0.0f,
      nb::arg("farthest") = std::numeric_limits<float>::infinity(),
      DOC(pcl, gpu, toRays));
}

} // namespace

void
bindCasting(nb::module_& module)
{
  bindParameters(module);
  bindCaster(module);
  bindQuery(module);
}

} // namespace pcl_gpu_python
