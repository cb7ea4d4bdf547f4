// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/report.h"
#include "common/statistics.h"
#include "cuda_tables.h"
#include "gpu_tensor/recognition_stages.h"

#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/tensor/depth_stream_recognition.h>

#include <cstdio>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

using Objects = std::vector<RecognizedObject>;

/** \brief A stream on devices, and how many of its frames had other objects than
 * expected. */
class FrameStream {
public:
  FrameStream(const std::vector<RawDepth>& depths,
              const std::vector<Objects>& expected,
              DepthStreamRecognition& recognition)
  : depths_(depths)
  , expected_(expected)
  , recognition_(recognition)
  {}

  void
  run(int frames)
  {
    int finished = 0;
    for (int frame = 0; frame < frames; ++frame) {
      if (recognition_.pending() == recognition_.capacity())
        finish(finished++);
      const RawDepth& depth = depths_[frame % depths_.size()];
      recognition_.submit(
          depth.millimetres.data(), depth.camera.width, depth.camera.height, 0.001f);
    }
    while (recognition_.pending() > 0)
      finish(finished++);
  }

  int
  differences() const
  {
    return differences_;
  }

private:
  void
  finish(int frame)
  {
    if (!sameObjects(recognition_.next(), expected_[frame % expected_.size()]))
      ++differences_;
  }

  const std::vector<RawDepth>& depths_;
  const std::vector<Objects>& expected_;
  DepthStreamRecognition& recognition_;
  int differences_ = 0;
};

} // namespace

bool
printStreaming(const std::vector<RawDepth>& depths,
               const std::shared_ptr<TensorLibrary>& library,
               const StreamingOptions& options)
{
  if (options.devices > getCudaEnabledDeviceCount())
    throw std::runtime_error("there are fewer CUDA devices than " +
                             std::to_string(options.devices));
  std::vector<Objects> expected;
  std::size_t objects = 0;
  for (const RawDepth& depth : depths) {
    expected.push_back(RecognitionStages(depth, library, options.tensors).objects());
    objects += expected.back().size();
  }
  std::printf("\n## Stream of %d frames, %zu in turn with %zu objects in all, %d "
              "tensors of each, %d models of %d tensors\n",
              options.frames,
              depths.size(),
              objects,
              options.tensors,
              library->size(),
              library->getTensorCount());
  printHeading("| devices | frames under way on each | frames a second | times faster "
               "than one after another |");
  int differences = 0;
  double one_after_another = 0.0;
  for (int used = 1; used <= options.devices; ++used) {
    std::vector<Device> devices;
    for (int id = 0; id < used; ++id)
      devices.push_back(Device::cuda(id));
    for (const int under_way : {1, 2, 3, 4}) {
      DepthStreamRecognition recognition(*library, devices, under_way);
      DepthStreamRecognitionParameters parameters;
      parameters.extraction.surface.projection.camera = depths.front().camera;
      parameters.extraction.tensor_count = options.tensors;
      recognition.setParameters(parameters);
      FrameStream stream(depths, expected, recognition);
      stream.run(2 * recognition.capacity()); // makes its memory
      const StopWatch watch;
      stream.run(options.frames);
      const double rate = options.frames / watch.seconds();
      if (one_after_another == 0.0)
        one_after_another = rate;
      std::printf("| %d | %d | %.0f | %.2f |\n",
                  used,
                  under_way,
                  rate,
                  rate / one_after_another);
      differences += stream.differences();
    }
  }
  if (differences > 0)
    std::printf("\n%d frames have DIFFERENT objects\n", differences);
  else
    std::printf("\nAll frames have the objects that they have alone\n");
  return differences == 0;
}

} // namespace benchmarks
