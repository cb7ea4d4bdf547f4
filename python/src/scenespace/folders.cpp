// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/host_image.h"
#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/video/mask_files.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Copies a mask: bytes or truth values. */
Image<std::uint8_t>
maskOf(const ArrayArgument& argument)
{
  if (argument.isNone())
    return {};
  ArrayView view = viewOf(argument, "mask");
  if (hasNumbers<bool>(view))
    view.type = nb::dtype<std::uint8_t>();
  return hostImageOf<std::uint8_t>(view, "mask");
}

} // namespace

std::function<Image<std::uint8_t>(int number)>
masksOf(nb::handle source)
{
  if (source.is_none())
    return {};
  if (nb::isinstance<Masks>(source))
    return nb::cast<const Masks&>(source);
  if (!PyCallable_Check(source.ptr()))
    throw nb::type_error("masks: expected Masks, a function or None");
  return MasksOfPython{nb::cast<std::function<ArrayArgument(int)>>(source)};
}

Image<std::uint8_t>
MasksOfPython::operator()(int number) const
{
  const nb::gil_scoped_acquire acquire;
  return maskOf(function(number));
}

void
bindFolders(nb::module_& module)
{
  ParametersBinding<RGBDFolderOptions>(
      module, "RGBDFolderOptions", DOC(pcl, gpu, RGBDFolderOptions))
      .PCL_GPU_FIELD(RGBDFolderOptions, depth_camera)
      .PCL_GPU_FIELD(RGBDFolderOptions, color_camera)
      .PCL_GPU_FIELD(RGBDFolderOptions, color_to_depth)
      .PCL_GPU_FIELD(RGBDFolderOptions, depth_unit)
      .PCL_GPU_FIELD(RGBDFolderOptions, missing_depth)
      .PCL_GPU_FIELD(RGBDFolderOptions, frame_rate)
      .PCL_GPU_FIELD(RGBDFolderOptions, max_time_apart)
      .finish();
  const std::string open_signature = "def open_rgbd_folder(folder: str | "
                                     "os.PathLike[str], options: RGBDFolderOptions | "
                                     "None = None, *" +
                                     keywordsOf<RGBDFolderOptions>() + ") -> RGBDVideo";
  module.def(
      "open_rgbd_folder",
      [](const PathArgument& folder,
         const RGBDFolderOptions* options,
         const nb::kwargs& values) {
        RGBDFolderOptions changed = parametersOf(options);
        setFields(changed, values);
        const nb::gil_scoped_release release;
        return std::const_pointer_cast<RGBDVideo>(
            openRGBDFolder(folder.string(), changed));
      },
      nb::arg("folder"),
      nb::arg("options").none() = nb::none(),
      nb::arg("values"),
      nb::sig(open_signature.c_str()),
      DOC(pcl, gpu, openRGBDFolder));
  module.def(
      "names_color_camera",
      [](const PathArgument& folder) { return namesColorCamera(folder.string()); },
      nb::arg("folder"),
      DOC(pcl, gpu, namesColorCamera));
  module.def(
      "write_rgbd_folder",
      [](const VideoPointer& video,
         const PathArgument& folder,
         float depth_unit,
         bool resume,
         int threads,
         const std::optional<std::vector<int>>& frames,
         const std::function<bool(int)>& begin,
         const std::function<void(int)>& end,
         const Progress& progress) {
        RGBDFolderWriterOptions options;
        options.depth_unit = depth_unit;
        options.resume = resume;
        options.threads = threads;
        options.frames = frames;
        options.end = end;
        runWatched(progress, video->size(), [&](Watch& watch) {
          options.progress = [&](int done) { watch.report(done); };
          options.begin = [&](int number) {
            return !watch.isStopped() && (!begin || begin(number));
          };
          writeRGBDFolder(*video, folder.string(), options);
        });
      },
      nb::arg("video"),
      nb::arg("folder"),
      nb::kw_only(),
      nb::arg("depth_unit") = RGBDFolderWriterOptions().depth_unit,
      nb::arg("resume") = false,
      nb::arg("threads") = 1,
      nb::arg("frames").none() = nb::none(),
      nb::arg("begin").none() = nb::none(),
      nb::arg("end").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      "Writes a video to a folder of colour and depth, as open_rgbd_folder() reads "
      "them.\n\nReading gives the same frames: depth to half a unit, poses but for "
      "rounding, all else exactly. Every file appears when it is complete. After "
      "Ctrl-C or an error the frames that were begun are written; a call with resume "
      "goes on.\n\nDepth below half of depth_unit (metres) or above 65534 of it is "
      "written as missing. Threads read and encode a frame each. Frames are the "
      "numbers of those to write, in this order; without them all that have no images "
      "yet. Begin is asked before a frame is read: False leaves it out. End is called "
      "when a frame has both images. Progress is told the number of written frames, "
      "and of all.");
}

void
bindMasks(nb::module_& module)
{
  nb::class_<Masks>(module,
                    "Masks",
                    "Masks of the frames of a video, for ScenePreparation: 0 outside. "
                    "They are called with the number of a frame.")
      .def(
          "__init__",
          [](Masks* self, const std::vector<ArrayArgument>& arrays) {
            auto images = std::make_shared<std::vector<Image<std::uint8_t>>>();
            for (const ArrayArgument& array : arrays)
              images->push_back(maskOf(array));
            new (self) Masks{[images](int number) {
              return number >= 0 && number < static_cast<int>(images->size())
                         ? (*images)[number]
                         : Image<std::uint8_t>();
            }};
          },
          nb::arg("masks"),
          nb::sig("def __init__(self, masks: "
                  "collections.abc.Sequence[pcl_gpu.typing.Array | None]) -> None"),
          "Copies a mask of bytes or truth values for each frame; None for frames "
          "without one.")
      .def(
          "__call__",
          [](const Masks& self,
             int number) -> std::optional<ArrayResult<std::uint8_t>> {
            Image<std::uint8_t> mask;
            {
              const nb::gil_scoped_release release;
              mask = self(number);
            }
            if (mask.empty())
              return std::nullopt;
            return toPython(std::move(mask.pixels), {mask.height, mask.width});
          },
          nb::arg("number"),
          "Returns the mask of a frame: bytes, or None if it has none.");
  module.def(
      "open_masks",
      [](const PathArgument& path, const VideoPointer& video) {
        const nb::gil_scoped_release release;
        return Masks{openMasks(path.string(), *video)};
      },
      nb::arg("path"),
      nb::arg("video"),
      DOC(pcl, gpu, openMasks));
}

} // namespace pcl_gpu_python
