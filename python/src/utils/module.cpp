// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/array.h"
#include "common/devices.h"
#include "common/errors.h"
#include "common/host_image.h"
#include "common/parameters.h"
#include "common/path.h"

#include "utils_doc.h"

#include <pcl/gpu/utils/bin_split.h>
#include <pcl/gpu/utils/device_capacity.h>
#include <pcl/gpu/utils/image_file.h>
#include <pcl/gpu/utils/missing_depth.h>
#include <pcl/gpu/utils/noise_estimation.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>

#include <cstring>
#include <limits>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

template <typename Pixel>
Image<Pixel>
imageOf(const ArrayArgument& argument, const char* name)
{
  return hostImageOf<Pixel>(viewOf(argument, name), name);
}

ArrayResult<std::uint16_t>
depthToPython(DepthImage image)
{
  return toPython(std::move(image.pixels), {image.height, image.width});
}

void
bindImages(nb::module_& module)
{
  module.def(
      "read_depth_image",
      [](const PathArgument& path) {
        return depthToPython(readDepthImage(path.string()));
      },
      nb::arg("path"),
      DOC(pcl, gpu, readDepthImage));
  module.def(
      "write_depth_image",
      [](const PathArgument& path, const ArrayArgument& image) {
        writeDepthImage(path.string(), imageOf<std::uint16_t>(image, "image"));
      },
      nb::arg("path"),
      nb::arg("image"),
      DOC(pcl, gpu, writeDepthImage));
  module.def(
      "read_color_image",
      [](const PathArgument& path) {
        const ColorImage image = readColorImage(path.string());
        std::vector<std::uint8_t> bytes(4 * image.pixels.size());
        std::memcpy(bytes.data(), image.pixels.data(), bytes.size());
        return toPython(std::move(bytes), {image.height, image.width, 4});
      },
      nb::arg("path"),
      "Reads a PNG or a JPEG.\n\nReturns (rows, columns, 4) bytes: blue, green, red "
      "and "
      "alpha, as PCL keeps them. `image[..., 2::-1]` is red, green and blue.");
  module.def(
      "write_color_image",
      [](const PathArgument& path, const ArrayArgument& image) {
        writeColorImage(path.string(), imageOf<pcl::RGB>(image, "image"));
      },
      nb::arg("path"),
      nb::arg("image"),
      DOC(pcl, gpu, writeColorImage));
  module.def(
      "estimate_noise",
      [](const ArrayArgument& image) {
        return estimateNoise(imageOf<pcl::RGB>(image, "image"));
      },
      nb::arg("image"),
      DOC(pcl, gpu, estimateNoise));
  module.def(
      "find_missing_depth_marker",
      [](const ArrayArgument& image) {
        return findMissingDepthMarker(imageOf<std::uint16_t>(image, "image"));
      },
      nb::arg("image"),
      DOC(pcl, gpu, findMissingDepthMarker));
  module.def(
      "clear_missing_depth",
      [](const ArrayArgument& image, std::optional<std::uint16_t> marker) {
        DepthImage cleared = imageOf<std::uint16_t>(image, "image");
        clearMissingDepth(cleared, marker);
        return depthToPython(std::move(cleared));
      },
      nb::arg("image"),
      nb::arg("marker").none() = nb::none(),
      "Returns a copy of a depth map in which pixels that hold a marker are 0. Without "
      "a marker, finds it as find_missing_depth_marker() does.");
}

void
bindCopies(nb::module_& module)
{
  module.def(
      "to_points",
      [](const ArrayArgument& argument) {
        const ArrayView view = viewOf(argument, "points");
        if (view.device.isCuda() || view.type != nb::dtype<float>() ||
            view.shape.empty() || view.shape.back() != 3)
          throw nb::value_error(
              "points: expected float32 of shape (..., 3) on the host");
        std::vector<std::int64_t> shape = view.shape;
        shape.back() = 4;
        std::int64_t count = 1;
        for (std::size_t i = 0; i + 1 < shape.size(); ++i)
          count *= shape[i];
        std::vector<float> rows(4 * count, 1.0f);
        for (std::int64_t i = 0; i < count; ++i) {
          std::int64_t offset = 0, rest = i;
          for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
            offset += rest % shape[axis] * view.strides[axis];
            rest /= shape[axis];
          }
          for (int k = 0; k < 3; ++k)
            rows[4 * i + k] =
                static_cast<const float*>(view.data)[offset + k * view.strides.back()];
        }
        return toPython(std::move(rows), std::move(shape));
      },
      nb::arg("points"),
      "Copies points of x, y and z into rows of four numbers, PCL's layout of points.");
  module.def(
      "to_device",
      [](const ArrayArgument& argument, const Device& device) {
        const ArrayView view = viewOf(argument, "array");
        if (view.shape.empty())
          throw nb::value_error("array: expected one axis or more");
        std::int64_t row = view.type.bits / 8;
        for (std::size_t i = 1; i < view.shape.size(); ++i)
          row *= view.shape[i];
        const std::vector<std::int64_t> strides = denseStrides(view.shape);
        for (std::size_t i = 0; i < strides.size(); ++i)
          if (view.shape[i] > 1 && view.strides[i] != strides[i])
            throw nb::value_error("array: its numbers do not lie together; expected a "
                                  "C-contiguous array");
        const ScopedDevice scope(device);
        const auto memory = std::make_shared<DeviceArray<std::uint8_t>>(
            static_cast<std::size_t>(view.shape[0] * row));
        if (!memory->empty()) {
          if (view.device.isCuda())
            DeviceArray<std::uint8_t>(static_cast<std::uint8_t*>(view.data),
                                      memory->size())
                .copyTo(*memory);
          else
            memory->upload(static_cast<const std::uint8_t*>(view.data), memory->size());
        }
        return ArrayResult<void>{
            denseToPython(device, memory->ptr(), view.type, view.shape, memory)};
      },
      nb::arg("array"),
      nb::arg("device"),
      "Copies an array to a device: a CudaArray, or NumPy's on the host.");
}

void
bindSplit(nb::module_& module)
{
  nb::class_<BinSplit>(module, "BinSplit", DOC(pcl, gpu, BinSplit))
      .def(
          "__init__",
          [](BinSplit* self, std::uint32_t number_of_bins) {
            new (self) BinSplit();
            self->setNumberOfBins(number_of_bins);
          },
          nb::arg("number_of_bins") = 1)
      .def("set_number_of_bins",
           &BinSplit::setNumberOfBins,
           nb::arg("bins"),
           DOC(pcl, gpu, BinSplit, setNumberOfBins))
      .def("get_number_of_bins",
           &BinSplit::getNumberOfBins,
           DOC(pcl, gpu, BinSplit, getNumberOfBins))
      .def(
          "split",
          [](BinSplit& self, const ArrayArgument& keys, const ArrayArgument& payload) {
            const auto key_list = listFrom<std::uint32_t>(keys, "keys");
            const auto payload_list = listFrom<std::uint32_t>(payload, "payload");
            DeviceArray<std::uint32_t> split_keys, split_payload;
            SplitBins bins;
            {
              const Stream stream = currentStream();
              const nb::gil_scoped_release release;
              if (payload_list->empty())
                self.split(key_list, split_keys, bins, stream);
              else
                self.split(key_list,
                           payload_list.array,
                           split_keys,
                           split_payload,
                           bins,
                           stream);
            }
            std::optional<ArrayResult<std::uint32_t>> of_payload;
            if (!payload.isNone())
              of_payload = toPython(split_payload);
            return std::make_tuple(toPython(split_keys),
                                   of_payload,
                                   toPython(bins.counts),
                                   toPython(bins.starts));
          },
          nb::arg("keys"),
          nb::arg("payload").none() = nb::none(),
          "Splits elements by their keys, with a payload of uint32 if it is given.\n\n"
          "Returns keys and payload in the order of their bins, the number of elements "
          "of each bin, and the place of its first one.");
}

} // namespace

NB_MODULE(utils, module)
{
  module.doc() = "Arrays, devices, streams, cameras, images and splits.";
  bindErrors(module);
  bindDevices(module);
  bindCudaArray(module);
  ParametersBinding<PinholeCamera>(
      module, "PinholeCamera", DOC(pcl, gpu, PinholeCamera))
      .PCL_GPU_FIELD(PinholeCamera, fx)
      .PCL_GPU_FIELD(PinholeCamera, fy)
      .PCL_GPU_FIELD(PinholeCamera, cx)
      .PCL_GPU_FIELD(PinholeCamera, cy)
      .PCL_GPU_FIELD(PinholeCamera, width)
      .PCL_GPU_FIELD(PinholeCamera, height)
      .finish()
      .def_static("from_field_of_view",
                  &PinholeCamera::fromFieldOfView,
                  nb::arg("angle"),
                  nb::arg("width"),
                  nb::arg("height"),
                  DOC(pcl, gpu, PinholeCamera, fromFieldOfView))
      .def("resized",
           &PinholeCamera::resized,
           nb::arg("new_width"),
           nb::arg("new_height"),
           DOC(pcl, gpu, PinholeCamera, resized))
      .def(
          "validate", &PinholeCamera::validate, DOC(pcl, gpu, PinholeCamera, validate));
  module.def(
      "look_at",
      [](const MatrixArgument<Eigen::Vector3f>& eye,
         const MatrixArgument<Eigen::Vector3f>& target,
         const MatrixArgument<Eigen::Vector3f>& up) { return lookAt(eye, target, up); },
      nb::arg("eye"),
      nb::arg("target"),
      nb::arg("up") = MatrixArgument<Eigen::Vector3f>{Eigen::Vector3f::UnitY()},
      DOC(pcl, gpu, lookAt));
  module.def(
      "free_memory_of", &freeMemoryOf, nb::arg("device"), DOC(pcl, gpu, freeMemoryOf));
  bindImages(module);
  bindCopies(module);
  bindSplit(module);
}

} // namespace pcl_gpu_python
