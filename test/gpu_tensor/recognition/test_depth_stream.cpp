// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/thread_ranks.h"
#include "recognition_shapes.h"

#include <pcl/gpu/tensor/depth_stream_recognition.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Frame = std::vector<std::uint16_t>;

Frame
frameOf(const PlacedShape& shape)
{
  const Image<float> depth = seenScene({shape}).depth;
  Frame frame;
  for (const float z : depth.data)
    frame.push_back(std::isfinite(z) ? static_cast<std::uint16_t>(std::lround(1e4f * z))
                                     : 0);
  return frame;
}

constexpr float scale = 1e-4f;

class DepthStream : public DeviceTest {
protected:
  static void
  configure(DepthStreamRecognition& stream)
  {
    change(stream, [](auto& p) {
      setSmallCamera(p.extraction);
      p.extraction.tensor_count = 300;
    });
  }

  /** \brief The objects of one frame without a stream. */
  static std::vector<RecognizedObject>
  objectsIn(const Frame& frame)
  {
    DepthMapTensorExtraction extraction;
    TensorRecognition recognition;
    const auto library = shapeLibrary();
    recognition.setLibrary(library);
    change(extraction, [&](auto& p) {
      p.tensors = library->getParameters();
      setSmallCamera(p);
      p.tensor_count = 300;
    });
    RawDepthMap depth;
    depth.upload(frame, 320);
    extraction.compute(depth, scale);
    recognition.compute(extraction.surface().cloud(),
                        extraction.surface().normals(),
                        extraction.getCloudCamera(),
                        extraction.tensors());
    return recognition.downloadObjects();
  }
};

TEST_P(DepthStream, FindsTheObjectsOfEveryFrameInOrder)
{
  std::vector<Frame> frames;
  for (std::uint32_t seed = 1; seed <= 3; ++seed)
    for (const char* name : {"block", "cone"})
      frames.push_back(frameOf({name, randomPose(name, seed)}));
  frames.push_back(Frame(320 * 240, 0));
  DepthStreamRecognition stream(*shapeLibrary());
  configure(stream);
  std::vector<std::vector<RecognizedObject>> found;
  for (const Frame& frame : frames) {
    if (stream.pending() == stream.capacity())
      found.push_back(stream.next());
    stream.submit(frame.data(), 320, 240, scale);
  }
  while (stream.pending() > 0)
    found.push_back(stream.next());
  ASSERT_EQ(found.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i)
    EXPECT_TRUE(sameObjects(found[i], objectsIn(frames[i]))) << "frame " << i;
}

TEST_P(DepthStream, SharesFramesAmongDevices)
{
  const Device device = currentDevice();
  DepthStreamRecognition stream(*shapeLibrary(), {device, device}, 1);
  configure(stream);
  EXPECT_EQ(stream.capacity(), 2);
  const Frame block = frameOf({"block", randomPose("block", 1)});
  const Frame cone = frameOf({"cone", randomPose("cone", 1)});
  stream.submit(block.data(), 320, 240, scale);
  stream.submit(cone.data(), 320, 240, scale);
  EXPECT_TRUE(sameObjects(stream.next(), objectsIn(block)));
  EXPECT_TRUE(sameObjects(stream.next(), objectsIn(cone)));
}

TEST_P(DepthStream, FindsTheSameObjectsInADividedLibrary)
{
  std::vector<Frame> frames;
  std::vector<std::vector<RecognizedObject>> expected;
  for (const char* name : {"block", "cone", "bracket"}) {
    frames.push_back(frameOf({name, randomPose(name, 2)}));
    expected.push_back(objectsIn(frames.back()));
  }
  runRanks(2, [&](const Communicator::Ptr& communicator) {
    TensorLibrary library = *shapeLibrary();
    library.setCommunicator(communicator);
    DepthStreamRecognition stream(library, {}, 3);
    configure(stream);
    for (const Frame& frame : frames)
      stream.submit(frame.data(), 320, 240, scale);
    for (const auto& objects : expected)
      EXPECT_TRUE(sameObjects(stream.next(), objects));
  });
}

TEST_P(DepthStream, TakesNoMoreFramesThanItHasRoomFor)
{
  DepthStreamRecognition stream(*shapeLibrary({"block"}), {}, 1);
  configure(stream);
  EXPECT_THROW(stream.next(), pcl::BadArgumentException);
  const Frame frame(320 * 240, 0);
  stream.submit(frame.data(), 320, 240, scale);
  EXPECT_THROW(stream.submit(frame.data(), 320, 240, scale), pcl::BadArgumentException);
  EXPECT_EQ(stream.pending(), 1);
  EXPECT_TRUE(stream.next().empty());
}

TEST_P(DepthStream, KeepsTheLibrarysParametersOfTensors)
{
  const auto library = shapeLibrary({"block"});
  DepthStreamRecognition stream(*library);
  change(stream, [](auto& p) { p.extraction.tensors = recognitionParameters(1.0f); });
  EXPECT_EQ(stream.getParameters().extraction.tensors, library->getParameters());
  EXPECT_THROW(change(stream, [](auto& p) { p.extraction.tensor_count = -1; }),
               pcl::BadArgumentException);
  EXPECT_THROW(change(stream, [](auto& p) { p.recognition.max_candidates = 0; }),
               pcl::BadArgumentException);
  EXPECT_EQ(stream.getParameters().recognition.max_candidates, 300)
      << "a refused value must not stick";
}

TEST_P(DepthStream, RejectsWhatIsNoFrame)
{
  DepthStreamRecognition stream(*shapeLibrary({"block"}));
  configure(stream);
  const Frame frame(320 * 240, 0);
  EXPECT_THROW(stream.submit(nullptr, 320, 240, scale), pcl::BadArgumentException);
  EXPECT_THROW(stream.submit(frame.data(), 0, 240, scale), pcl::BadArgumentException);
  EXPECT_THROW(stream.submit(frame.data(), 320, 240, 0.0f), pcl::BadArgumentException);
  EXPECT_EQ(stream.pending(), 0);
  EXPECT_THROW(DepthStreamRecognition(TensorLibrary{}), pcl::BadArgumentException);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DepthStream);

} // namespace
