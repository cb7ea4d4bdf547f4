// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/parameters.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/gpu/scenespace/video/rgbd_frame_stream.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/scenespace/video/rgbd_video_files.h>
#include <pcl/gpu/scenespace/video/rgbd_video_range.h>

#include <nanobind/trampoline.h>

#include <mutex>
#include <numeric>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief A video that a class of Python's reads. */
class VideoOfPython : public RGBDVideo {
public:
  NB_TRAMPOLINE(RGBDVideo);

  int
  size() const override
  {
    NB_OVERRIDE_PURE_NAME("__len__", size);
  }

  RGBDView
  view(int number) const override
  {
    NB_OVERRIDE_PURE(view, number);
  }

  RGBDFrame
  read(int number) const override
  {
    NB_OVERRIDE_PURE(read, number);
  }
};

void
bindVideo(nb::module_& module)
{
  nb::class_<RGBDVideo, VideoOfPython>(module,
                                       "RGBDVideo",
                                       "An RGB-D video: frames whose images are read "
                                       "when they are asked for.\n\nDerive from it "
                                       "to read videos of your own: write "
                                       "`__len__()`, `view(number)` and "
                                       "`read(number)`. Threads of the library call "
                                       "these, one after the other.")
      .def(nb::init<>())
      .def("__len__", [](const RGBDVideo& self) { return self.size(); })
      .def(
          "view",
          [](const RGBDVideo& self, int number) {
            const nb::gil_scoped_release release;
            return self.view(number);
          },
          nb::arg("number"),
          DOC(pcl, gpu, RGBDVideo, view))
      .def(
          "read",
          [](const RGBDVideo& self, int number) {
            const nb::gil_scoped_release release;
            return self.read(number);
          },
          nb::arg("number"),
          DOC(pcl, gpu, RGBDVideo, read))
      .def(
          "__getitem__",
          [](const RGBDVideo& self, int number) {
            const int size = self.size();
            if (number < -size || number >= size)
              throw nb::index_error(("frame is " + std::to_string(number) +
                                     ": the video has " + std::to_string(size))
                                        .c_str());
            const nb::gil_scoped_release release;
            return self.read(number < 0 ? number + size : number);
          },
          nb::arg("number"),
          "Reads a frame; numbers below 0 count from the end.")
      .def(
          "__iter__",
          [](nb::handle self) { return nb::steal(PySeqIter_New(self.ptr())); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[RGBDFrame]"),
          "Reads the frames one after the other.");
  module.def("validate_view",
             &validateView,
             nb::arg("view"),
             nb::arg("number"),
             DOC(pcl, gpu, validateView));
}

void
bindVideoFiles(nb::module_& module)
{
  using Files = RGBDVideoFiles;
  nb::class_<Files, RGBDVideo> files(
      module, "RGBDVideoFiles", DOC(pcl, gpu, RGBDVideoFiles));
  ParametersBinding<Files::Frame>(files, "Frame", DOC(pcl, gpu, RGBDVideoFiles, Frame))
      .field("view", &Files::Frame::view, DOC(pcl, gpu, RGBDVideoFiles, Frame, view))
      .field("color_file",
             &Files::Frame::color_file,
             DOC(pcl, gpu, RGBDVideoFiles, Frame, color_file))
      .field("depth_file",
             &Files::Frame::depth_file,
             DOC(pcl, gpu, RGBDVideoFiles, Frame, depth_file))
      .finish();
  files
      .def(nb::init<std::vector<Files::Frame>, float, std::optional<std::uint16_t>>(),
           nb::arg("frames"),
           nb::arg("depth_unit"),
           nb::arg("missing_depth").none() = nb::none(),
           DOC(pcl, gpu, RGBDVideoFiles, RGBDVideoFiles))
      .def(
          "frame",
          [](const Files& self, int number) { return self.frame(number); },
          nb::arg("number"),
          DOC(pcl, gpu, RGBDVideoFiles, frame));
}

void
bindDerivedVideos(nb::module_& module)
{
  nb::class_<RGBDRecording, RGBDVideo>(
      module,
      "RGBDRecording",
      "An RGB-D video in memory, frame by frame as they come. Frames can be added on "
      "one thread and read on others.")
      .def(nb::init<>())
      .def(
          "add",
          [](RGBDRecording& self, const RGBDFrame& frame) { self.add(frame); },
          nb::arg("frame"),
          DOC(pcl, gpu, RGBDRecording, add));
  nb::class_<RegisteredRGBDVideo, RGBDVideo>(
      module, "RegisteredRGBDVideo", DOC(pcl, gpu, RegisteredRGBDVideo))
      .def(
          "__init__",
          [](RegisteredRGBDVideo* self, const VideoPointer& video, float change) {
            new (self) RegisteredRGBDVideo(video, change);
          },
          nb::arg("video"),
          nb::arg("max_depth_change") = 0.03f,
          DOC(pcl, gpu, RegisteredRGBDVideo, RegisteredRGBDVideo));
  nb::class_<RGBDVideoRange, RGBDVideo>(
      module, "RGBDVideoRange", DOC(pcl, gpu, RGBDVideoRange))
      .def(
          "__init__",
          [](RGBDVideoRange* self, const VideoPointer& video, int begin, int end) {
            new (self) RGBDVideoRange(video, begin, end);
          },
          nb::arg("video"),
          nb::arg("begin"),
          nb::arg("end"),
          DOC(pcl, gpu, RGBDVideoRange, RGBDVideoRange));
}

/** \brief Reads frames ahead. */
void
bindStream(nb::module_& module)
{
  using Bound = Waiting<RGBDFrameStream>;
  nb::class_<Bound>(module, "RGBDFrameStream", DOC(pcl, gpu, RGBDFrameStream))
      .def(
          "__init__",
          [](Bound* self,
             const VideoPointer& video,
             int begin,
             std::optional<int> end,
             int ahead) {
            new (self) Bound(video, begin, end ? *end : video->size(), ahead);
          },
          nb::arg("video"),
          nb::arg("begin") = 0,
          nb::arg("end").none() = nb::none(),
          nb::arg("ahead") = 4,
          "Begins to read: frames from begin to that before end, or to the last one. "
          "So many as ahead says wait for the caller or are being read.")
      .def(
          "__iter__",
          [](nb::object self) { return self; },
          nb::sig("def __iter__(self) -> RGBDFrameStream"))
      .def(
          "__next__",
          [](Bound& self) {
            RGBDFrame frame;
            bool is_there = false;
            {
              const nb::gil_scoped_release release;
              is_there = self->next(frame);
            }
            if (!is_there)
              throw nb::stop_iteration();
            return frame;
          },
          "Waits for the next frame.");
}

void
bindLoop(nb::module_& module)
{
  module.def(
      "for_each_frame",
      [](const VideoPointer& video,
         const std::function<void(RGBDFrame, int)>& work,
         const std::optional<std::vector<int>>& chosen,
         int threads,
         const Progress& progress) {
        std::vector<int> numbers;
        if (chosen)
          numbers = *chosen;
        else {
          numbers.resize(video->size());
          std::iota(numbers.begin(), numbers.end(), 0);
        }
        const int total = static_cast<int>(numbers.size());
        runWatched(progress, total, [&](Watch& watch) {
          std::mutex mutex;
          int done = 0;
          watch.report(0);
          forEachFrame(
              *video,
              numbers,
              threads,
              [&](const RGBDFrame& frame, int number) {
                work(frame, number);
                const std::lock_guard<std::mutex> lock(mutex);
                watch.report(++done);
              },
              [&](int) { return !watch.isStopped(); });
        });
      },
      nb::arg("video"),
      nb::arg("work"),
      nb::arg("numbers").none() = nb::none(),
      nb::arg("threads") = 1,
      nb::arg("progress").none() = nb::none(),
      "Reads frames on several threads and calls a function with each frame and its "
      "number.\n\nThe threads call the function one after the other. Without numbers "
      "all frames are read. Progress is told the number of frames that are done, and "
      "of all.");
}

} // namespace

void
bindVideos(nb::module_& module)
{
  bindVideo(module);
  bindVideoFiles(module);
  bindDerivedVideos(module);
  bindStream(module);
  bindLoop(module);
}

} // namespace pcl_gpu_python
