// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/thread_ranks.h"
#include "recognition_shapes.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

// Recognition by ranks that divide a library, and by one device.

class DividedRecognition : public DeviceTest {
protected:
  static Image<float>
  someShapes(std::uint32_t seed = 1)
  {
    return seenScene({{"block", poseAt("block", {-0.15f, 0.0f, 0.8f}, seed)},
                      {"cone", poseAt("cone", {0.15f, 0.0f, 0.8f}, seed + 1)}})
        .depth;
  }

  /** \brief A library of its own, for a rank to divide. */
  static std::shared_ptr<TensorLibrary>
  dividedLibrary(const Communicator::Ptr& communicator)
  {
    const auto library = shapeLibrary();
    library->setCommunicator(communicator);
    return library;
  }
};

TEST_P(DividedRecognition, FindsTheObjectsOfTheWholeLibrary)
{
  const Image<float> scene = someShapes(), nothing(240, 320, 0.0f);
  ShapeFinder whole;
  const std::vector<RecognizedObject> expected = whole.find(scene);
  ASSERT_EQ(expected.size(), 2u);
  const Image<int> labels = downloaded(whole.recognition.pixelObjects());
  for (int size = 1; size <= 4; ++size)
    runRanks(size, [&](const Communicator::Ptr& communicator) {
      ShapeFinder finder(dividedLibrary(communicator));
      EXPECT_TRUE(sameObjects(finder.find(scene), expected)) << size << " ranks";
      EXPECT_EQ(downloaded(finder.recognition.pixelObjects()).data, labels.data);
      EXPECT_TRUE(finder.find(nothing).empty());
      EXPECT_TRUE(sameObjects(finder.find(scene), expected)) << size << " ranks";
    });
}

TEST_P(DividedRecognition, InGroupsTakesScenesInTurn)
{
  std::vector<Image<float>> scenes;
  std::vector<std::vector<RecognizedObject>> expected;
  ShapeFinder whole;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    scenes.push_back(someShapes(seed));
    expected.push_back(whole.find(scenes.back()));
    ASSERT_FALSE(expected.back().empty());
  }
  // Each group divides a library of its own.
  const Device device = currentDevice();
  const auto run = [&](std::size_t group) {
    const ScopedDevice scope(device);
    runRanks(2, [&](const Communicator::Ptr& communicator) {
      ShapeFinder finder(dividedLibrary(communicator));
      for (std::size_t scene = group; scene < scenes.size(); scene += 2)
        EXPECT_TRUE(sameObjects(finder.find(scenes[scene]), expected[scene]));
    });
  };
  std::thread other(run, 1);
  run(0);
  other.join();
}

TEST_P(DividedRecognition, FailsOnAllRanksIfOneFails)
{
  const Image<float> scene = someShapes();
  shapeLibrary(); // learns shapes, one thread at a time
  const auto find = [&](const Communicator::Ptr& communicator) {
    ShapeFinder finder(dividedLibrary(communicator));
    if (communicator->rank() == 1)
      throw std::runtime_error("a fault");
    EXPECT_THROW(finder.find(scene), CommunicationException);
  };
  EXPECT_THROW(runRanks(3, find), std::runtime_error);
}

TEST_P(DividedRecognition, HasNoObjectsIfARankFailedLater)
{
  const auto communicator = std::make_shared<FirstOfTwoRanks>();
  // The rank learns of the failure when it waits.
  communicator->on_gather = [&](char*, std::size_t, std::size_t, const Stream&) {
    communicator->other_failed = true;
  };
  ShapeFinder finder(dividedLibrary(communicator));
  EXPECT_THROW(finder.find(someShapes()), CommunicationException);
  EXPECT_TRUE(communicator->other_failed);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DividedRecognition);

} // namespace
