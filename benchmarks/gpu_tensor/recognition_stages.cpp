// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_stages.h"

#include <pcl/gpu/utils/async_copy.h>

#include <cstring>

namespace benchmarks {

using namespace pcl::gpu;

RecognitionStages::RecognitionStages(const RawDepth& depth,
                                     const std::shared_ptr<TensorLibrary>& library,
                                     int tensors,
                                     const Stream& stream)
: stream_(stream)
{
  const std::size_t bytes = depth.millimetres.size() * sizeof(std::uint16_t);
  host_depth_.reserve(bytes);
  std::memcpy(host_depth_.get(), depth.millimetres.data(), bytes);
  host_count_.reserve(sizeof(int));
  depth_.create(depth.camera.height, depth.camera.width);
  DepthMapTensorExtractionParameters parameters;
  parameters.surface.projection.camera = depth.camera;
  parameters.tensors = library->getParameters();
  parameters.tensor_count = tensors;
  extraction_.setParameters(parameters);
  surface_.setParameters(parameters.usedSurface());
  pair_estimation_.setParameters(parameters.usedPairs());
  tensor_extraction_.setParameters(parameters.usedTensors());
  matching_.setParameters(recognition_.getParameters().matching);
  recognition_.setLibrary(library);
  upload();
  extract();
  makeSurface();
  findPairs();
  computeTensors();
  match();
  recognize();
  host_objects_.reserve(recognition_.objects().sizeBytes());
  download();
  stream_.synchronize();
}

void
RecognitionStages::upload()
{
  const std::size_t row_bytes = depth_.cols() * sizeof(std::uint16_t);
  copyAsync2D(host_depth_.get(),
              row_bytes,
              depth_.ptr(),
              depth_.step(),
              row_bytes,
              depth_.rows(),
              stream_);
}

void
RecognitionStages::makeSurface()
{
  surface_.compute(depth_, 0.001f, stream_);
}

void
RecognitionStages::findPairs()
{
  pair_estimation_.compute(
      surface_.cloud(), surface_.normals(), surface_.statistics(), pairs_, stream_);
}

void
RecognitionStages::computeTensors()
{
  tensor_extraction_.compute(surface_.cloud(),
                             surface_.normals(),
                             surface_.mesh(),
                             surface_.statistics(),
                             pairs_,
                             tensors_,
                             stream_);
}

void
RecognitionStages::extract()
{
  extraction_.compute(depth_, 0.001f, stream_);
}

void
RecognitionStages::match()
{
  matching_.compute(extraction_.tensors(),
                    recognition_.getLibrary()->table(stream_),
                    matches_,
                    stream_);
}

void
RecognitionStages::recognize()
{
  recognition_.compute(extraction_.surface().cloud(),
                       extraction_.surface().normals(),
                       extraction_.getCloudCamera(),
                       extraction_.tensors(),
                       stream_);
}

void
RecognitionStages::download()
{
  const DeviceArray<RecognizedObject>& objects = recognition_.objects();
  copyAsync(recognition_.objectCount().ptr(), host_count_.get(), sizeof(int), stream_);
  copyAsync(objects.ptr(), host_objects_.get(), objects.sizeBytes(), stream_);
}

void
RecognitionStages::wholeFrame()
{
  upload();
  extract();
  recognize();
  download();
}

void
RecognitionStages::forgetObjects()
{
  std::memset(host_count_.get(), 0, sizeof(int));
  std::memset(host_objects_.get(), 0, recognition_.objects().sizeBytes());
}

std::vector<RecognizedObject>
RecognitionStages::objects() const
{
  int count = 0;
  std::memcpy(&count, host_count_.get(), sizeof(count));
  const auto* first = static_cast<const RecognizedObject*>(host_objects_.get());
  return {first, first + count};
}

int
RecognitionStages::tensorCount() const
{
  int count = 0;
  extraction_.tensors().count.download(&count);
  return count;
}

bool
sameObjects(const std::vector<RecognizedObject>& a,
            const std::vector<RecognizedObject>& b)
{
  return a.size() == b.size() &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), a.size() * sizeof(RecognizedObject)) == 0);
}

std::string
namesOf(const std::vector<RecognizedObject>& objects, const TensorLibrary& library)
{
  std::string names;
  for (const RecognizedObject& object : objects)
    names += (names.empty() ? "" : ", ") + library.getModel(object.model).name;
  return names.empty() ? "none" : names;
}

} // namespace benchmarks
