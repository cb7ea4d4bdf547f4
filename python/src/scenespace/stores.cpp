// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "common/parameters.h"

#include "scenespace_doc.h"

#include <optional>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief A part of a prepared frame, or null, as Python holds it. */
std::shared_ptr<SceneFrame>
held(const SceneFrame::ConstPtr& frame)
{
  return std::const_pointer_cast<SceneFrame>(frame);
}

/** \brief Goes through batches. Empties each of them before the next one is loaded,
 * which needs its room. */
class BatchIterator {
public:
  BatchIterator(std::shared_ptr<Store> store,
                const std::vector<int>& numbers,
                const std::vector<float>& weights,
                const Stream& stream,
                FrameContent content,
                int most)
  : store_(std::move(store))
  , stream_(stream)
  , batches_((*store_)->batches(numbers, weights, stream, content, most))
  {}

  /** \brief Returns the next batch; null at the end. */
  std::shared_ptr<FrameBatch>
  next()
  {
    if (last_) {
      last_->frames.clear();
      last_->weights.clear();
      last_->sharpness.clear();
    }
    {
      const nb::gil_scoped_release release;
      const ScopedDevice scope(store_->device);
      if (place_)
        ++*place_;
      else
        place_.emplace(batches_.begin());
    }
    if (!(*place_ != batches_.end()))
      last_.reset();
    else
      last_ = std::make_shared<FrameBatch>(**place_);
    return last_;
  }

private:
  std::shared_ptr<Store> store_;
  Stream stream_;
  FrameBatches batches_;
  std::optional<FrameBatches::Iterator> place_;
  std::shared_ptr<FrameBatch> last_;
};

void
bindPreparation(nb::module_& module)
{
  ParametersBinding<ScenePreparation>(
      module, "ScenePreparation", DOC(pcl, gpu, ScenePreparation))
      .PCL_GPU_FIELD(ScenePreparation, noise)
      .PCL_GPU_FIELD(ScenePreparation, fill_depth)
      .PCL_GPU_FIELD(ScenePreparation, edge_margin)
      .field(
          "masks",
          "Masks | collections.abc.Callable[[int], pcl_gpu.typing.Array | None] | None",
          [](const ScenePreparation& self) -> nb::object {
            if (const auto* masks = self.masks.target<Masks>())
              return nb::cast(*masks);
            if (const auto* function = self.masks.target<MasksOfPython>())
              return nb::cast(function->function);
            return nb::none();
          },
          [](ScenePreparation& self, nb::handle value) { self.masks = masksOf(value); },
          DOC(pcl, gpu, ScenePreparation, masks))
      .PCL_GPU_FIELD(ScenePreparation, mask_margin)
      .finish()
      .def("validate",
           &ScenePreparation::validate,
           DOC(pcl, gpu, ScenePreparation, validate));
}

void
bindResults(nb::module_& module)
{
  nb::class_<PreparedFrame>(module, "PreparedFrame", DOC(pcl, gpu, PreparedFrame))
      .def_prop_ro(
          "frame",
          [](const PreparedFrame& self) { return held(self.frame); },
          DOC(pcl, gpu, PreparedFrame, frame))
      .def_prop_ro(
          "background",
          [](const PreparedFrame& self) { return held(self.background); },
          DOC(pcl, gpu, PreparedFrame, background))
      .def_prop_ro(
          "objects",
          [](const PreparedFrame& self) { return held(self.objects); },
          nb::sig("def objects(self) -> SceneFrame | None"),
          DOC(pcl, gpu, PreparedFrame, objects))
      .def_prop_ro(
          "mask",
          [](const std::shared_ptr<PreparedFrame>& self) {
            return toPythonIfAny(self->mask, self);
          },
          "Mask of the frame: 255 for objects, 254 for their edges, 1 for the margin "
          "around them, else 0; None if there is no mask.")
      .def_ro("sharpness",
              &PreparedFrame::sharpness,
              DOC(pcl, gpu, PreparedFrame, sharpness));
  nb::enum_<FrameContent>(module, "FrameContent", DOC(pcl, gpu, FrameContent))
      .value("WHOLE", FrameContent::Whole, DOC(pcl, gpu, FrameContent, Whole))
      .value("BACKGROUND",
             FrameContent::Background,
             DOC(pcl, gpu, FrameContent, Background))
      .value("OBJECTS", FrameContent::Objects, DOC(pcl, gpu, FrameContent, Objects));
  nb::class_<FrameBatch>(module,
                         "FrameBatch",
                         "Frames that have room at a time. The batch is empty when "
                         "the next one has been taken.")
      .def_ro("first", &FrameBatch::first, DOC(pcl, gpu, FrameBatch, first))
      .def_prop_ro(
          "frames",
          [](const FrameBatch& self) {
            std::vector<std::shared_ptr<SceneFrame>> frames;
            for (const SceneFrame::ConstPtr& frame : self.frames)
              frames.push_back(held(frame));
            return frames;
          },
          DOC(pcl, gpu, FrameBatch, frames))
      .def_ro("weights", &FrameBatch::weights, DOC(pcl, gpu, FrameBatch, weights))
      .def_ro(
          "sharpness", &FrameBatch::sharpness, DOC(pcl, gpu, FrameBatch, sharpness));
  nb::class_<BatchIterator>(
      module, "FrameBatches", "Frames of a video batch by batch, for one loop.")
      .def(
          "__iter__",
          [](nb::object self) { return self; },
          nb::sig("def __iter__(self) -> FrameBatches"))
      .def("__next__", [](BatchIterator& self) {
        auto batch = self.next();
        if (!batch)
          throw nb::stop_iteration();
        return batch;
      });
}

void
bindStore(nb::module_& module)
{
  constexpr std::size_t default_memory = std::size_t(1) << 30;
  nb::class_<Store>(module, "SceneFrameStore", DOC(pcl, gpu, SceneFrameStore))
      .def(
          "__init__",
          [](Store* self,
             const VideoPointer& video,
             const ScenePreparation* preparation,
             std::size_t memory,
             int threads,
             std::size_t host_memory) {
            new (self)
                Store(video, parametersOf(preparation), memory, threads, host_memory);
          },
          nb::arg("video"),
          nb::arg("preparation").none() = nb::none(),
          nb::arg("memory") = default_memory,
          nb::arg("threads") = 1,
          nb::arg("host_memory") = 0,
          DOC(pcl, gpu, SceneFrameStore, SceneFrameStore))
      .def(
          "__init__",
          [](Store* self, const Store& other, std::size_t memory) {
            new (self) Store(*other, memory);
          },
          nb::arg("other"),
          nb::arg("memory"),
          DOC(pcl, gpu, SceneFrameStore, SceneFrameStore, 2))
      .def_prop_ro(
          "video",
          [](const Store& self) { return &self->getVideo(); },
          nb::rv_policy::reference_internal,
          DOC(pcl, gpu, SceneFrameStore, getVideo))
      .def_prop_ro(
          "preparation",
          [](const Store& self) { return ScenePreparation(self->getPreparation()); },
          DOC(pcl, gpu, SceneFrameStore, getPreparation))
      .def_prop_ro(
          "capacity",
          [](const Store& self) { return self->getCapacity(); },
          DOC(pcl, gpu, SceneFrameStore, getCapacity))
      .def_static("estimate_memory",
                  &SceneFrameStore::estimateMemory,
                  nb::arg("width"),
                  nb::arg("height"),
                  nb::arg("preparation"),
                  DOC(pcl, gpu, SceneFrameStore, estimateMemory))
      .def(
          "get",
          [](Store& self, int number) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            const ScopedDevice scope(self.device);
            return std::make_shared<PreparedFrame>(self->get(number, stream));
          },
          nb::arg("number"),
          DOC(pcl, gpu, SceneFrameStore, get))
      .def(
          "batches",
          [](const std::shared_ptr<Store>& self,
             const std::vector<int>& numbers,
             const std::vector<float>& weights,
             FrameContent content,
             int most) {
            return std::make_shared<BatchIterator>(
                self, numbers, weights, currentStream(), content, most);
          },
          nb::arg("numbers"),
          nb::arg("weights") = std::vector<float>(),
          nb::arg("content") = FrameContent::Whole,
          nb::arg("most") = SceneFrame::max_number + 1,
          "Goes through frames, as many at a time as there is room for:\n\n"
          "    for batch in frames.batches(numbers, weights):\n"
          "        average.add(batch.frames, batch.weights)\n\n"
          "Weights are handed on; without them all are 1. Content says which of the "
          "frames' pixels are meant. A batch has at most so many frames as most says. "
          "Let go of its frames before the next one.");
}

} // namespace

void
bindStores(nb::module_& module)
{
  bindPreparation(module);
  bindResults(module);
  bindStore(module);
}

} // namespace pcl_gpu_python
