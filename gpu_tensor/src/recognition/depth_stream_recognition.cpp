// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/depth_stream_recognition.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/stream.h>

#include <algorithm>
#include <cstring>

namespace pcl::gpu {

/** \brief All that a frame under way needs. */
struct DepthStreamRecognition::Lane {
  explicit Lane(const Device& on) : device(on) {}

  Device device;
  Stream stream;
  DepthMapTensorExtraction extraction;
  TensorRecognition recognition;
  PageLockedMemory frame;
  RawDepthMap depth;
  /** \brief The number of objects, and behind it the objects. */
  PageLockedMemory result;

  static constexpr std::size_t objects_offset = alignof(std::max_align_t);

  void
  start(const std::uint16_t* pixels, int columns, int rows, float scale)
  {
    const ScopedDevice scope(device);
    const std::size_t row_bytes = sizeof(std::uint16_t) * columns;
    frame.reserve(row_bytes * rows);
    std::memcpy(frame.get(), pixels, row_bytes * rows);
    depth.create(rows, columns);
    copyAsync2D(
        frame.get(), row_bytes, depth.ptr(), depth.step(), row_bytes, rows, stream);
    extraction.compute(depth, scale, stream);
    recognition.compute(extraction.surface().cloud(),
                        extraction.surface().normals(),
                        extraction.getCloudCamera(),
                        extraction.tensors(),
                        stream);
    const DeviceArray<RecognizedObject>& objects = recognition.objects();
    const std::size_t bytes = objects.size() * sizeof(RecognizedObject);
    result.reserve(objects_offset + bytes);
    copyAsync(recognition.objectCount().ptr(), result.get(), sizeof(int), stream);
    copyAsync(objects.ptr(), resultObjects(), bytes, stream);
  }

  std::vector<RecognizedObject>
  finish()
  {
    wait();
    int count = 0;
    std::memcpy(&count, result.get(), sizeof(count));
    std::vector<RecognizedObject> objects(static_cast<std::size_t>(count));
    if (count > 0)
      std::memcpy(
          objects.data(), resultObjects(), objects.size() * sizeof(RecognizedObject));
    return objects;
  }

  /** \brief Waits without throwing. */
  void
  abandon() noexcept
  {
    try {
      wait();
    }
    catch (...) {
    }
  }

private:
  void
  wait() const
  {
    const ScopedDevice scope(device);
    if (const auto& communicator = recognition.getLibrary()->getCommunicator())
      communicator->synchronize(stream);
    else
      stream.synchronize();
  }

  void*
  resultObjects() const
  {
    return static_cast<char*>(result.get()) + objects_offset;
  }
};

DepthStreamRecognition::DepthStreamRecognition(const TensorLibrary& library,
                                               const std::vector<Device>& devices,
                                               int frames_per_device)
{
  library.getParameters().validate();
  checkAtLeast("number of frames of a device", frames_per_device, 1);
  parameters_.extraction.tensors = library.getParameters();
  const std::vector<Device> used =
      devices.empty() ? std::vector<Device>{currentDevice()} : devices;
  std::vector<std::shared_ptr<TensorLibrary>> libraries;
  for (std::size_t i = 0; i < used.size(); ++i)
    libraries.push_back(std::make_shared<TensorLibrary>(library));
  // Devices take turns.
  for (int frame = 0; frame < frames_per_device; ++frame)
    for (std::size_t i = 0; i < used.size(); ++i) {
      const ScopedDevice scope(used[i]);
      auto lane = std::make_unique<Lane>(used[i]);
      lane->stream = Stream::create();
      lane->extraction.setParameters(parameters_.extraction);
      lane->recognition.setLibrary(libraries[i]);
      libraries[i]->table(lane->stream);
      lanes_.push_back(std::move(lane));
    }
}

DepthStreamRecognition::~DepthStreamRecognition()
{
  for (const auto& lane : lanes_)
    lane->abandon();
}

void
DepthStreamRecognition::setParameters(
    const DepthStreamRecognitionParameters& parameters)
{
  DepthStreamRecognitionParameters used = parameters;
  used.extraction.tensors = parameters_.extraction.tensors;
  used.validate();
  for (const auto& lane : lanes_) {
    lane->extraction.setParameters(used.extraction);
    lane->recognition.setParameters(used.recognition);
  }
  parameters_ = used;
}

void
DepthStreamRecognition::submit(const std::uint16_t* depth,
                               int columns,
                               int rows,
                               float scale)
{
  checkArgument(pending_ < lanes_.size(),
                "number of frames under way",
                pending_,
                "less than capacity(); ask for next() first");
  checkAtLeast("number of columns", columns, 1);
  checkAtLeast("number of rows", rows, 1);
  checkArgument(depth != nullptr, "depth", "null", "an image");
  Lane& lane = *lanes_[(oldest_ + pending_) % lanes_.size()];
  try {
    lane.start(depth, columns, rows, scale);
  }
  catch (...) {
    lane.abandon();
    throw;
  }
  ++pending_;
}

std::vector<RecognizedObject>
DepthStreamRecognition::next()
{
  checkAtLeast("number of frames under way", pending_, 1);
  Lane& lane = *lanes_[oldest_];
  oldest_ = (oldest_ + 1) % lanes_.size();
  --pending_;
  return lane.finish();
}

} // namespace pcl::gpu
