// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor/module.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/tensor_parameters.h>

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cstddef>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Reads one number from an array, on whichever device it is. */
template <typename Number>
std::int64_t
numberAt(const DeviceArray<Number>& array, std::size_t place, const Stream& stream)
{
  if (array.size() <= place)
    return 0;
  const nb::gil_scoped_release release;
  const ScopedDevice scope(deviceOf(array));
  stream.synchronize();
  Number number = 0;
  array.download(&number, place, 1);
  return static_cast<std::int64_t>(number);
}

/** \brief Views numbers within the elements of an array.
 * \param[in] first byte of the first number in an element
 * \param[in] inner lengths and strides of further axes
 */
template <typename Number, typename T>
ArrayResult<Number>
partOf(const DeviceArray<T>& array,
       std::size_t first,
       std::int64_t count,
       std::vector<std::int64_t> shape,
       std::vector<std::int64_t> strides,
       const Stream& stream,
       std::shared_ptr<void> owner)
{
  shape.insert(shape.begin(), count);
  if (strides.size() < shape.size())
    strides.insert(strides.begin(), sizeof(T) / sizeof(Number));
  return {toPython(deviceOf(array),
                   {reinterpret_cast<char*>(const_cast<T*>(array.ptr())) + first,
                    std::move(shape),
                    std::move(strides),
                    nb::dtype<Number>(),
                    0,
                    stream,
                    std::move(owner)})};
}

/** \brief Views the first elements of an array. */
template <typename T>
ArrayResult<typename Element<T>::Number>
beginningOf(const DeviceArray<T>& array,
            std::int64_t count,
            const Stream& stream,
            const std::shared_ptr<void>& owner)
{
  constexpr std::int64_t numbers = Element<T>::count;
  std::vector<std::int64_t> shape, strides;
  if (numbers > 1) {
    shape = {numbers};
    strides = {numbers, 1};
  }
  return partOf<typename Element<T>::Number>(
      array, 0, count, std::move(shape), std::move(strides), stream, owner);
}

/** \brief Adds a property of some numbers of every frame. */
template <typename Number>
void
addFramePart(nb::class_<HeldTensors>& tensors,
             const char* name,
             std::size_t first,
             const std::vector<std::int64_t>& shape,
             const std::vector<std::int64_t>& inner_strides,
             const char* doc)
{
  std::vector<std::int64_t> strides = {sizeof(TensorFrame) / sizeof(Number)};
  strides.insert(strides.end(), inner_strides.begin(), inner_strides.end());
  tensors.def_prop_ro(
      name,
      [first, shape, strides](const std::shared_ptr<HeldTensors>& self) {
        return partOf<Number>(self->tensors.frames,
                              first,
                              self->count(),
                              shape,
                              strides,
                              self->stream,
                              self);
      },
      doc);
}

/** \brief Checks that entries fit together: kernels trust them. */
void
checkEntries(const TensorSet& tensors)
{
  const std::size_t size = tensors.frames.size();
  if (tensors.starts.size() != size + 1)
    throw nb::value_error(("starts: got " + std::to_string(tensors.starts.size()) +
                           " numbers; expected one more than frames, " +
                           std::to_string(size + 1))
                              .c_str());
  if (tensors.voxels.size() != tensors.areas.size())
    throw nb::value_error(("areas: got " + std::to_string(tensors.areas.size()) +
                           "; expected as many as voxels, " +
                           std::to_string(tensors.voxels.size()))
                              .c_str());
  std::vector<std::uint32_t> starts;
  std::vector<std::uint16_t> voxels;
  tensors.starts.download(starts);
  tensors.voxels.download(voxels);
  if (starts.front() != 0 || !std::is_sorted(starts.begin(), starts.end()) ||
      starts.back() > voxels.size())
    throw nb::value_error("starts: expected ascending numbers from 0 to the number of "
                          "entries");
  const int n = tensors.grid_size;
  for (const std::uint16_t voxel : voxels)
    if (voxel >= n * n * n)
      throw nb::value_error(("voxels: got " + std::to_string(voxel) +
                             "; expected less than " + std::to_string(n * n * n) +
                             ", the cube of the grid's size")
                                .c_str());
}

void
bindPairs(nb::module_& module)
{
  nb::class_<HeldPairs>(module, "PointPairs", DOC(pcl, gpu, PointPairs))
      .def(
          "__init__",
          [](HeldPairs* self, const ArrayArgument& pairs) {
            const auto list = listFrom<PointPair>(pairs, "pairs");
            HeldPairs held;
            held.source = list.owner;
            held.pairs.pairs = *list;
            held.size = static_cast<std::int64_t>(list->size());
            const ScopedDevice scope(deviceOf(*list));
            const int count = static_cast<int>(list->size());
            held.pairs.count.upload(&count, 1);
            new (self) HeldPairs(std::move(held));
          },
          nb::arg("pairs"),
          "Takes pairs: rows of two numbers of points (int32).")
      .def("__len__", [](HeldPairs& self) { return self.count(); })
      .def_prop_ro(
          "pairs",
          [](const std::shared_ptr<HeldPairs>& self) {
            return beginningOf(self->pairs.pairs, self->count(), self->stream, self);
          },
          "Numbers of both points of each pair. Waits for their number.");
}

void
bindSet(nb::module_& module)
{
  nb::class_<HeldTensors> tensors(module, "TensorSet", DOC(pcl, gpu, TensorSet));
  tensors.def(
      "__init__",
      [](HeldTensors* self,
         int grid_size,
         const ArrayArgument& frames,
         const ArrayArgument& starts,
         const ArrayArgument& voxels,
         const ArrayArgument& areas) {
        const auto frame_list = listFrom<TensorFrame>(frames, "frames");
        const auto start_list = listFrom<std::uint32_t>(starts, "starts");
        const auto voxel_list = listFrom<std::uint16_t>(voxels, "voxels");
        const auto area_list = listFrom<float>(areas, "areas");
        if (grid_size < 2 || grid_size > TensorExtractionParameters::max_grid_size)
          throw nb::value_error(
              ("grid_size is " + std::to_string(grid_size) + ": expected 2 to 32")
                  .c_str());
        HeldTensors held;
        TensorSet& set = held.tensors;
        set.grid_size = grid_size;
        set.frames = *frame_list;
        set.starts = *start_list;
        set.voxels = *voxel_list;
        set.areas = *area_list;
        held.sources = {
            frame_list.owner, start_list.owner, voxel_list.owner, area_list.owner};
        const int count = static_cast<int>(set.frames.size());
        held.size = count;
        held.stream = currentStream();
        {
          const nb::gil_scoped_release release;
          const ScopedDevice scope(deviceOf(set.starts));
          held.stream.synchronize();
          checkEntries(set);
          set.count.upload(&count, 1);
        }
        new (self) HeldTensors(std::move(held));
      },
      nb::arg("grid_size"),
      nb::arg("frames"),
      nb::arg("starts"),
      nb::arg("voxels"),
      nb::arg("areas"),
      "Takes tensors of arrays as the properties have them, and keeps these. Waits for "
      "the device.");
  tensors.def("__len__", [](HeldTensors& self) { return self.count(); });
  tensors.def_prop_ro(
      "grid_size",
      [](const HeldTensors& self) { return self.tensors.grid_size; },
      DOC(pcl, gpu, TensorSet, grid_size));
  tensors.def_prop_ro(
      "frames",
      [](const std::shared_ptr<HeldTensors>& self) {
        return beginningOf(self->tensors.frames, self->count(), self->stream, self);
      },
      "Frames as rows of 16 numbers: x axis, angle, y axis, voxel size, z axis, first "
      "point, origin, second point. The numbers of points are the bits of int32. Waits "
      "for the number of tensors.");
  addFramePart<float>(tensors,
                      "axes",
                      offsetof(TensorFrame, x_axis),
                      {3, 3},
                      {4, 1},
                      "The axes x, y and z of each frame, as rows.");
  addFramePart<float>(tensors,
                      "origins",
                      offsetof(TensorFrame, origin),
                      {3},
                      {1},
                      DOC(pcl, gpu, TensorFrame, origin));
  addFramePart<float>(tensors,
                      "angles",
                      offsetof(TensorFrame, angle),
                      {},
                      {},
                      DOC(pcl, gpu, TensorFrame, angle));
  addFramePart<float>(tensors,
                      "voxel_sizes",
                      offsetof(TensorFrame, voxel_size),
                      {},
                      {},
                      DOC(pcl, gpu, TensorFrame, voxel_size));
  addFramePart<int>(tensors,
                    "points",
                    offsetof(TensorFrame, first),
                    {2},
                    {4},
                    "Numbers of both points of each pair.");
  tensors.def_prop_ro(
      "starts",
      [](const std::shared_ptr<HeldTensors>& self) {
        const DeviceArray<std::uint32_t>& starts = self->tensors.starts;
        const std::int64_t count = starts.empty() ? 0 : self->count() + std::int64_t{1};
        return beginningOf(starts, count, self->stream, self);
      },
      "Place of each tensor's first entry, and the number of all entries.");
  tensors.def_prop_ro(
      "voxels",
      [](const std::shared_ptr<HeldTensors>& self) {
        return beginningOf(
            self->tensors.voxels, self->entryCount(), self->stream, self);
      },
      DOC(pcl, gpu, TensorSet, voxels));
  tensors.def_prop_ro(
      "areas",
      [](const std::shared_ptr<HeldTensors>& self) {
        return beginningOf(self->tensors.areas, self->entryCount(), self->stream, self);
      },
      DOC(pcl, gpu, TensorSet, areas));
}

/** \brief Adds a property of one number of every match. */
template <typename Number>
void
addMatchPart(nb::class_<HeldMatches>& matches,
             const char* name,
             std::size_t first,
             const char* doc)
{
  matches.def_prop_ro(
      name,
      [first](const std::shared_ptr<HeldMatches>& self) {
        constexpr std::int64_t numbers = sizeof(TensorMatch) / sizeof(Number);
        return partOf<Number>(self->matches,
                              first,
                              self->tensors,
                              {self->match_count},
                              {numbers * self->match_count, numbers},
                              self->stream,
                              self);
      },
      doc);
}

} // namespace

std::int64_t
HeldPairs::count()
{
  if (!size)
    size = numberAt(pairs.count, 0, stream);
  return *size;
}

std::int64_t
HeldTensors::count()
{
  if (!size)
    size = numberAt(tensors.count, 0, stream);
  return *size;
}

std::int64_t
HeldTensors::entryCount()
{
  // Entries beyond the room were lost.
  if (!entries)
    entries =
        std::min(numberAt(tensors.starts, static_cast<std::size_t>(count()), stream),
                 static_cast<std::int64_t>(tensors.areas.size()));
  return *entries;
}

void
bindTensors(nb::module_& module)
{
  bindPairs(module);
  bindSet(module);
  nb::class_<HeldMatches> matches(
      module,
      "TensorMatches",
      "Tensors of a table that resemble others: for each tensor a row of matches, the "
      "best first.");
  matches.def("__len__", [](const HeldMatches& self) { return self.tensors; });
  addMatchPart<int>(matches,
                    "tensors",
                    offsetof(TensorMatch, tensor),
                    DOC(pcl, gpu, TensorMatch, tensor));
  addMatchPart<float>(matches,
                      "correlations",
                      offsetof(TensorMatch, correlation),
                      DOC(pcl, gpu, TensorMatch, correlation));
  addMatchPart<float>(matches,
                      "overlaps",
                      offsetof(TensorMatch, overlap),
                      DOC(pcl, gpu, TensorMatch, overlap));
}

} // namespace pcl_gpu_python
