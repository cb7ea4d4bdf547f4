// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/host_image.h"
#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/scene_frame.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Copies depth of metres, or of raw units of which 0 is missing. */
Image<float>
depthOf(const ArrayArgument& argument, std::optional<float> scale)
{
  const ArrayView view = viewOf(argument, "depth");
  if (!hasNumbers<std::uint16_t>(view)) {
    if (scale)
      throw nb::value_error(("scale is " + std::to_string(*scale) +
                             ": expected None for a depth map of metres (float32)")
                                .c_str());
    return hostImageOf<float>(view, "depth");
  }
  if (!scale)
    throw nb::value_error("scale is None: expected metres for one unit of a depth map "
                          "of uint16, such as 0.001");
  const DepthImage raw = hostImageOf<std::uint16_t>(view, "depth");
  Image<float> depth;
  depth.resize(raw.width, raw.height);
  for (std::size_t i = 0; i < raw.pixels.size(); ++i)
    depth.pixels[i] = raw.pixels[i] == 0 ? std::numeric_limits<float>::quiet_NaN()
                                         : *scale * raw.pixels[i];
  return depth;
}

template <typename Pixel>
void
setSize(PinholeCamera& camera, const Image<Pixel>& image)
{
  if (camera.width == 0 && camera.height == 0) {
    camera.width = image.width;
    camera.height = image.height;
  }
}

/** \brief Returns pixels that a frame has to Python, which shares them. */
template <typename Pixel>
auto
pixelsOf(const Image<Pixel>& image, nb::object owner)
{
  // An array of the library has to be aligned by its elements alone.
  return toPython(DeviceArray2D<Pixel>(image.height,
                                       image.width,
                                       const_cast<Pixel*>(image.pixels.data()),
                                       image.width * sizeof(Pixel)),
                  ownerOf(std::move(owner)));
}

template <typename Pixel>
bool
haveSameBits(const Image<Pixel>& left, const Image<Pixel>& right)
{
  return left.width == right.width && left.height == right.height &&
         (left.empty() || std::memcmp(left.pixels.data(),
                                      right.pixels.data(),
                                      left.pixels.size() * sizeof(Pixel)) == 0);
}

void
bindRGBDFrame(nb::module_& module)
{
  using View = RGBDView;
  ParametersBinding<View>(module, "RGBDView", DOC(pcl, gpu, RGBDView))
      .PCL_GPU_FIELD(RGBDView, name)
      .PCL_GPU_FIELD(RGBDView, time)
      .PCL_GPU_FIELD(RGBDView, depth_camera)
      .PCL_GPU_FIELD(RGBDView, color_camera)
      .PCL_GPU_FIELD(RGBDView, depth_pose)
      .PCL_GPU_FIELD(RGBDView, color_pose)
      .finish();
  nb::class_<RGBDFrame, RGBDView>(module, "RGBDFrame", DOC(pcl, gpu, RGBDFrame))
      .def(
          "__init__",
          [](RGBDFrame* self,
             const ArrayArgument& color,
             const ArrayArgument& depth,
             const PinholeCamera& camera,
             const PoseMatrix& pose,
             double time,
             const std::string& name,
             std::optional<float> scale,
             const PinholeCamera* depth_camera,
             const std::optional<PoseMatrix>& depth_pose) {
            RGBDFrame frame;
            frame.color = hostImageOf<pcl::RGB>(viewOf(color, "color"), "color");
            frame.depth = depthOf(depth, scale);
            frame.color_camera = camera;
            frame.color_pose.matrix() = pose.value;
            frame.depth_camera = depth_camera ? *depth_camera : camera;
            frame.depth_pose.matrix() = depth_pose ? depth_pose->value : pose.value;
            setSize(frame.color_camera, frame.color);
            setSize(frame.depth_camera, frame.depth);
            frame.time = time;
            frame.name = name;
            new (self) RGBDFrame(std::move(frame));
          },
          nb::arg("color"),
          nb::arg("depth"),
          nb::arg("camera"),
          nb::arg("pose") = identityPose(),
          nb::arg("time") = 0.0,
          nb::arg("name") = "",
          nb::arg("scale").none() = nb::none(),
          nb::arg("depth_camera").none() = nb::none(),
          nb::arg("depth_pose").none() = nb::none(),
          "Copies colour, (rows, columns, 4) bytes of blue, green, red and alpha, and "
          "depth: metres (float32), or raw units (uint16) with the metres of one "
          "unit.\n\nCamera and pose, camera-to-world, are those of both, unless depth "
          "has its own.")
      .def_prop_ro(
          "color",
          [](nb::object self) {
            return pixelsOf(nb::cast<const RGBDFrame&>(self).color, self);
          },
          DOC(pcl, gpu, RGBDFrame, color))
      .def_prop_ro(
          "depth",
          [](nb::object self) {
            return pixelsOf(nb::cast<const RGBDFrame&>(self).depth, self);
          },
          DOC(pcl, gpu, RGBDFrame, depth))
      .def("__repr__",
           [](const RGBDFrame& self) {
             return "<RGBDFrame \"" + self.name + "\" at " + std::to_string(self.time) +
                    " s, colour of " + std::to_string(self.color.width) + "x" +
                    std::to_string(self.color.height) + " pixels>";
           })
      .def(
          "__getstate__",
          [](nb::object self) {
            const RGBDFrame& frame = nb::cast<const RGBDFrame&>(self);
            nb::dict state;
            state["view"] = View(frame);
            state["color"] = self.attr("color");
            state["depth"] = self.attr("depth");
            return state;
          },
          nb::sig("def __getstate__(self) -> dict[str, typing.Any]"))
      .def(
          "__setstate__",
          [](RGBDFrame& self, const nb::dict& state) {
            const ArrayArgument color{state["color"]}, depth{state["depth"]};
            RGBDFrame frame;
            static_cast<View&>(frame) = nb::cast<View>(state["view"]);
            frame.color = hostImageOf<pcl::RGB>(viewOf(color, "color"), "color");
            frame.depth = hostImageOf<float>(viewOf(depth, "depth"), "depth");
            new (&self) RGBDFrame(std::move(frame));
          },
          nb::sig("def __setstate__(self, state: dict[str, typing.Any], /) -> None"))
      .def("__copy__", [](const RGBDFrame& self) { return RGBDFrame(self); })
      .def("__deepcopy__",
           [](const RGBDFrame& self, nb::handle) { return RGBDFrame(self); })
      .def("__eq__", [](const RGBDFrame& self, nb::handle other) {
        return nb::isinstance<RGBDFrame>(other) &&
               nb::cast(View(self))
                   .equal(nb::cast(View(nb::cast<const RGBDFrame&>(other)))) &&
               haveSameBits(self.color, nb::cast<const RGBDFrame&>(other).color) &&
               haveSameBits(self.depth, nb::cast<const RGBDFrame&>(other).depth);
      });
}

/** \brief A frame of images that Python owns. */
struct FrameOfArrays {
  SceneFrame frame;
  std::shared_ptr<void> owner;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

std::shared_ptr<SceneFrame>
frameOfArrays(const ArrayArgument& color,
              const ArrayArgument& depth,
              const PinholeCamera& camera,
              const PoseMatrix& pose,
              int number,
              const ImageRegion* region,
              const ArrayArgument& guide)
{
  const auto colors = imageFrom<pcl::RGB>(color, "color");
  const auto metres = imageFrom<float>(depth, "depth");
  const auto guides = imageFrom<pcl::RGB>(guide, "guide");
  const auto result = std::make_shared<FrameOfArrays>();
  result->owner = ownerOf(ownersOf(colors, metres, guides));
  Pose matrix;
  matrix.matrix() = pose.value;
  const Stream stream = currentStream();
  {
    const nb::gil_scoped_release release;
    const ScopedDevice scope(deviceOf(*colors));
    if (region)
      result->frame.set(*colors, *metres, camera, matrix, number, *region, stream);
    else
      result->frame.set(*colors, *metres, camera, matrix, number, stream);
    if (!guides->empty())
      result->frame.setGuide(*guides);
  }
  return {result, &result->frame};
}

/** \brief Returns an image of a frame, which it keeps alive. */
template <typename Get>
auto
imageOf(const std::shared_ptr<SceneFrame>& frame, const Get& get)
{
  return toPython(((*frame).*get)(), frame);
}

void
bindSceneFrame(nb::module_& module)
{
  using Pointer = std::shared_ptr<SceneFrame>;
  nb::class_<SceneFrame> frame(module, "SceneFrame", DOC(pcl, gpu, SceneFrame));
  frame
      .def(nb::new_(&frameOfArrays),
           nb::arg("color"),
           nb::arg("depth"),
           nb::arg("camera"),
           nb::arg("pose") = identityPose(),
           nb::arg("number") = 0,
           nb::arg("region").none() = nb::none(),
           nb::arg("guide").none() = nb::none(),
           "Makes a frame of images on a device, which it shares: (rows, columns, 4) "
           "bytes of colour, and metres (float32) along the camera's z axis.\n\n"
           "Number is the time of its samples. The region is the part of the frame "
           "that the images show; without one they show all of it. The guide stands "
           "for the colours where colours are compared.")
      .def_static(
          "upload",
          [](const RGBDFrame& from, int number) {
            const auto result = std::make_shared<SceneFrame>();
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            result->upload(from, number, stream);
            return result;
          },
          nb::arg("frame"),
          nb::arg("number"),
          "Copies a frame to the current device.")
      .def_prop_ro(
          "color",
          [](const Pointer& self) { return imageOf(self, &SceneFrame::getColor); },
          DOC(pcl, gpu, SceneFrame, getColor))
      .def_prop_ro(
          "depth",
          [](const Pointer& self) { return imageOf(self, &SceneFrame::getDepth); },
          DOC(pcl, gpu, SceneFrame, getDepth))
      .def_prop_ro(
          "guide",
          [](const Pointer& self) { return imageOf(self, &SceneFrame::getGuide); },
          DOC(pcl, gpu, SceneFrame, getGuide))
      .def_prop_ro(
          "depth_bounds",
          [](const Pointer& self) { return toPython(self->getDepthBounds(), self); },
          DOC(pcl, gpu, SceneFrame, getDepthBounds))
      .def_prop_ro(
          "view",
          [](const SceneFrame& self) { return self.getView(); },
          DOC(pcl, gpu, SceneFrame, getView))
      .def_prop_ro(
          "region",
          [](const SceneFrame& self) { return self.getRegion(); },
          DOC(pcl, gpu, SceneFrame, getRegion))
      .def_prop_ro("is_whole", &SceneFrame::isWhole, DOC(pcl, gpu, SceneFrame, isWhole))
      .def_prop_ro(
          "number", &SceneFrame::getNumber, DOC(pcl, gpu, SceneFrame, getNumber))
      .def("__repr__", [](const SceneFrame& self) {
        return "<SceneFrame " + std::to_string(self.getNumber()) + " of " +
               std::to_string(self.getColor().cols()) + "x" +
               std::to_string(self.getColor().rows()) + " pixels on " +
               deviceOf(self.getColor()).name() + ">";
      });
  frame.attr("MAX_SIZE") = static_cast<int>(SceneFrame::max_size);
  frame.attr("MAX_NUMBER") = static_cast<int>(SceneFrame::max_number);
  frame.attr("PART_ALIGNMENT") = static_cast<int>(SceneFrame::part_alignment);
}

} // namespace

void
bindFrames(nb::module_& module)
{
  bindRGBDFrame(module);
  bindSceneFrame(module);
}

} // namespace pcl_gpu_python
